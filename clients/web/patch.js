// patch.js -- patches (RFC 6902) and the canonical form of JSON (RFC 8785).

/** @typedef {{op: string, path: string, value: any}} Op */

/**
 * DOCUMENT with PATCH applied; the original stays as it is, and what did not
 * change is shared with it.  Throws where the patch does not fit.
 * @param {any} document
 * @param {Op[]} patch
 */
export function apply(document, patch) {
    /** @type {Set<object>} */
    const own = new Set();
    const copy = (/** @type {any} */ value) => {
        if (value === null || typeof value !== 'object' || own.has(value))
            return value;
        const made = Array.isArray(value) ? [...value] : {...value};
        own.add(made);
        return made;
    };
    let root = document;
    for (const {op, path, value} of patch) {
        if (op !== 'replace')
            throw new Error(`${op} is not expected`);
        if (path === '') {
            root = value;
            continue;
        }
        const steps = path.slice(1).split('/')
            .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
        const last = /** @type {string} */ (steps.pop());
        root = copy(root);
        let at = root;
        for (const step of steps) {
            if (!Object.hasOwn(at, step))
                throw new Error(`nothing at ${path}`);
            at[step] = copy(at[step]);
            at = at[step];
        }
        if (at === null || typeof at !== 'object' || !Object.hasOwn(at, last))
            throw new Error(`nothing at ${path}`);
        at[last] = value;
    }
    return root;
}

/**
 * The text that hashes are made of: members in order, no blanks.
 * @param {any} value
 * @returns {string}
 */
export function canonical(value) {
    if (value === null || typeof value !== 'object')
        return JSON.stringify(value);
    if (Array.isArray(value))
        return `[${value.map(canonical).join(',')}]`;
    return `{${Object.keys(value).sort()
        .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
        .join(',')}}`;
}
