// sound.js -- short sounds for what happens at a table, made by the browser; for
// who wants them (settings.js).

/** What is played: Hz, after how many seconds, how long.
 * @type {{[kind: string]: [number, number, number][]}} */
const SOUNDS = {
    move: [[330, 0, 0.07]],
    turn: [[523, 0, 0.12], [784, 0.11, 0.22]],
    end: [[523, 0, 0.14], [659, 0.13, 0.14], [784, 0.26, 0.4]],
};
const LOUD = 0.07;

/** @type {AudioContext | null} */
let audio = null;

/** @param {'move' | 'turn' | 'end'} kind */
export function sound(kind) {
    audio ??= new AudioContext();
    const {destination, currentTime} = audio;
    audio.resume().catch(() => {}); // not before the page was touched
    for (const [pitch, after, long] of SOUNDS[kind]) {
        const [tone, volume] = [audio.createOscillator(), audio.createGain()];
        const from = currentTime + after;
        tone.type = 'triangle';
        tone.frequency.value = pitch;
        volume.gain.setValueAtTime(LOUD, from);
        volume.gain.exponentialRampToValueAtTime(0.0001, from + long);
        tone.connect(volume).connect(destination);
        tone.start(from);
        tone.stop(from + long);
    }
}
