// happened.js -- what happened at a table, what is said there, what stands around it and
// what is asked: all that is not there yet when its board shows.

export {confirm, undo} from './acts.js';
export {aroundOf} from './around.js';
export {keepFocus} from './focus.js';
export {entryOf, groupsOf, linesOf, logOf, plies} from './log.js';
export {recapOf} from './recap.js';
export {talkOf} from './talk.js';
export {sentence} from './telling.js';
