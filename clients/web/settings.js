// settings.js -- what this browser remembers of its reader's wishes.

/** @typedef {import('./types.js').Settings} Settings */

/** @returns {Settings} */
function defaults() {
    return {
        animations: !matchMedia('(prefers-reduced-motion: reduce)').matches,
        theme: 'system',
        palette: 'usual',
        largeText: false,
        sound: false,
        wholeTurns: false,
        lang: navigator.language.slice(0, 2),
        notify: false,
        push: null,
    };
}

/** @returns {Settings} */
function read() {
    try {
        return {...defaults(),
            ...JSON.parse(localStorage.getItem('settings') ?? '{}')};
    } catch {
        return defaults();
    }
}

/** @type {Settings} */
export const settings = read();

const night = matchMedia('(prefers-color-scheme: dark)');
night.addEventListener('change', () => dress());

/** Puts them on the page. */
export function dress() {
    const root = document.documentElement;
    root.toggleAttribute('data-still', !settings.animations);
    root.toggleAttribute('data-large', settings.largeText);
    root.dataset.palette = settings.palette;
    root.dataset.theme = settings.theme !== 'system' ? settings.theme
        : night.matches ? 'dark' : 'light';
}

/** @param {Partial<Settings>} wishes */
export function wish(wishes) {
    Object.assign(settings, wishes);
    try {
        localStorage.setItem('settings', JSON.stringify(settings));
    } catch {
        // for this visit only, then
    }
    dress();
}
