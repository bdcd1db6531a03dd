// early.js -- what does not wait for the rest of the page: while that is still on
// its way, the connection is made, and what a table needs is asked for.

(() => {
    /** What comes with a script that is imported on demand, as embed.sh found it.
     * @type {Map<string, string[]>} */
    const later = new Map((document.querySelector('meta[name=later]')
        ?.getAttribute('content') ?? '').split(';').map((line) => {
        const [name, ...files] = line.split(' ');
        return [name, files];
    }));
    const {src} = /** @type {HTMLScriptElement} */ (document.currentScript);

    /** Has everything fetched that NAME.js wants: what that imports would
     * otherwise be asked for only when it has come.
     * @param {string} name */
    function ahead(name) {
        const files = later.get(name) ?? [];
        later.delete(name);
        for (const file of files) {
            const link = document.createElement('link');
            link.rel = file.endsWith('.css') ? 'preload' : 'modulepreload';
            link.as = file.endsWith('.css') ? 'style' : 'script';
            link.href = new URL(file, src).href;
            document.head.append(link);
        }
    }

    function connect() {
        const url = new URL('ws', location.href);
        url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
        return new WebSocket(url, 'sobremesa.v1');
    }

    /** Which game is played there?  If it is for everybody, anybody is told.
     * @param {string} table */
    function foresee(table) {
        fetch('rpc', {
            method: 'POST',
            headers: {'Content-Type': 'application/json'},
            body: JSON.stringify({jsonrpc: '2.0', id: 1, method: 'table.get',
                params: {table}}),
        }).then((reply) => reply.json()).then(
            ({result}) => result && ahead(result.table.game)).catch(() => {});
    }

    const [name, table] = location.hash.slice(1).split('/');
    /** @type {import('./types.js').Early} */
    const early = {socket: connect(), connect, ahead};
    Object.assign(globalThis, {early});
    ahead(name === '' || name === 'finished' ? 'lobby' : name);
    if (name === 'table' && table)
        foresee(decodeURIComponent(table));
})();
