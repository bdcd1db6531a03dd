// focus.js -- whoever plays by keyboard stays somewhere: what they pressed may be gone
// with what came of it.  Then they stand as near as there is anything where the same key
// once more, or held down, does nothing that they have not chosen.

const PLAYS = '[data-move], [data-step], [data-key="end_turn"]';
const LEADS_ON = '[data-step]:not([data-key="end_turn"])';
const LOOKS = '.strip, .replay'; // what is pressed there only shows something

/** @param {Element} one */
const seen = (one) => one.isConnected && one.getClientRects().length > 0
    && !one.matches(':disabled');

/** @param {Element} one */
const usable = (one) => seen(one) && !one.matches('[aria-disabled="true"]');

/** @param {Element} one @returns {string | undefined} */
const verbOf = (one) => JSON.parse(one.getAttribute('data-move') ?? '{}').verb;

/** Looks after the focus at a table, that of table.js. @param {any} frame
 * @returns {() => void} Ends it. */
export function keepFocus(frame) {
    /** What had the focus when a key was pressed, and all that it lies in.
     * @type {Element[]} */
    let held = [];
    /** The kind of move that it played. @type {string | undefined} */
    let verb;
    let plays = false; // or belongs to what does

    function press() {
        const on = document.activeElement;
        if (on?.closest('dialog'))
            return; // it asks about what was pressed
        held = [];
        for (let one = on; one && frame.node.contains(one); one = one.parentElement)
            held.push(one);
        verb = on ? verbOf(on) : undefined;
        plays = on !== null && (on.matches(PLAYS) || on.closest('.panel') !== null);
    }
    const touch = () => {
        held = [];
    };

    /** Whether it only leads on to a move, or plays one more of the same kind, which
     * is not the end of a turn. @param {Element} one */
    const alike = (one) => usable(one) && (one.matches(LEADS_ON)
        || verb !== undefined && verb === verbOf(one)
            && !one.matches('[data-key="end_turn"]') && !frame.module.ends?.includes(verb));

    /** What can be played next, in the least of all that it lay in. */
    function next() {
        for (const place of held.slice(1)) {
            const found = [...place.querySelectorAll(PLAYS)].find(alike);
            if (found)
                return found;
        }
        return frame.turnbar;
    }

    /** What stands beside it, where one only looks. */
    function beside() {
        const key = held[0].getAttribute('data-key');
        const now = key && held.find((one) => one.matches(LOOKS))
            ?.querySelector(`[data-key="${CSS.escape(key)}"]`);
        const all = now ? [...now.parentElement?.querySelectorAll('button, a') ?? []] : [];
        const at = now ? all.indexOf(now) : 0;
        return all.slice(0, at).reverse().find(usable) ?? all.slice(at).find(usable)
            ?? frame.turnbar;
    }

    function look() {
        const [pressed] = held, on = document.activeElement;
        const lost = on === document.body || on && frame.node.contains(on) && !seen(on);
        if (pressed && !frame.busy && lost && !seen(pressed))
            /** @type {HTMLElement} */ (plays ? next() : beside())
                .focus({preventScroll: true});
    }

    // While the focus goes from one to another, it is on neither: what is drawn anew as
    // one loses it is looked at when it has arrived.
    let soon = 0;
    const watch = new MutationObserver(() => {
        soon ||= setTimeout(() => {
            soon = 0;
            look();
        });
    });
    watch.observe(frame.node, {attributes: true, attributeFilter: ['disabled', 'hidden'],
        childList: true, subtree: true});
    document.addEventListener('keydown', press, true);
    document.addEventListener('pointerdown', touch, true);
    return () => {
        watch.disconnect();
        clearTimeout(soon);
        document.removeEventListener('keydown', press, true);
        document.removeEventListener('pointerdown', touch, true);
    };
}
