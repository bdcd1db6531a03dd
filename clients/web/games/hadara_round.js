// hadara_round.js -- the wheel and the tracks: they come when the first epoch begins.
// What hadara.js has, too, they are lent: to share it would be a piece more.

export {tracksOf} from './hadara_tracks.js';
export {startsOf, wheelOf} from './hadara_wheel.js';
