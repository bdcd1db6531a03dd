// net.js -- the connection: requests, the session, tables that are watched.
//
// One WebSocket.  It comes back by itself; what was asked meanwhile waits a
// while, what was under way is asked again (every request that would be harmful
// twice carries a key, a move its decision).  The token is in a cookie that no
// script sees: logging in is POST /session, then a new connection.

import {apply} from './patch.js';
import * as core from './core.js';
import {early} from './frame.js';
import {refused} from './i18n.js';

/** @typedef {import('./types.js').View} View */
/** @typedef {import('./types.js').Event} GameEvent */
/** @typedef {import('./types.js').Refusal} Refusal */
/**
 * @typedef {object} Call
 * @property {number} id
 * @property {string} method
 * @property {any} params
 * @property {(value: any) => void} resolve
 * @property {(why: Refusal) => void} reject
 * @property {number} until When it gives up waiting for a connection.
 *
 * @typedef {object} Watched
 * @property {View | null} view
 * @property {string} chain
 * @property {(view: View, from: number | null, events: GameEvent[]) => void}
 *     changed
 * @property {(text: any) => void} chat
 * @property {boolean} busy Being watched anew.
 * @property {WebSocket | null} by The connection that it was asked for on.
 */

const PATIENCE_MS = 15000; // of a request without a connection
const BEAT_MS = 25000; // of silence, then we ask whether it is there
const BEAT_ANSWER_MS = 10000;
const AGAIN_MS = 5000; // what has to be and was refused

/** @type {WebSocket | null} */
let socket = null;
/** @type {Map<number, Call>} */
const calls = new Map();
/** @type {Map<string, Watched>} */
const watched = new Map();
let last = 0;
let tries = 0;
let heard = 0;
let seq = 0;
/** @type {any} */
let timer = null;

/** Resolves when it is known who is logged in, or that nobody can tell. */
export const known = () => status.state !== 'connecting' ? Promise.resolve()
    : new Promise((resolve) =>
        bus.addEventListener('state', resolve, {once: true}));

/** @typedef {{id: string, name: string, guest: boolean} | null} User */

/** What the page shows of the connection, and who it is logged in as. */
export const status = {
    /** @type {'connecting' | 'online' | 'offline'} */
    state: 'connecting',
    /** @type {User} */
    user: remembered(), // as long as nothing is known, the one of last time
    /** @type {number | null} */
    retry: null, // when the next attempt is made
    mended: 0, // views that were not the server's and were asked for anew
};

/** @returns {User} */
function remembered() {
    try {
        return JSON.parse(localStorage.getItem('user') ?? 'null');
    } catch {
        return null;
    }
}

/** @param {User} user */
function remember(user) {
    try {
        localStorage.setItem('user', JSON.stringify(user));
    } catch {
        // then a page begins as a stranger's
    }
}

/** Hears `state`, `user`, `ready`, `me` (an event that concerns the account) and
 * `notice`. */
export const bus = new EventTarget();

/** @param {string} kind @param {any} [detail] */
function tell(kind, detail) {
    bus.dispatchEvent(new CustomEvent(kind, {detail}));
}

/** @param {typeof status.state} state */
function become(state) {
    if (status.state === state)
        return;
    status.state = state;
    tell('state');
}

/** What the server says is there in the reader's language then; what the rules
 * say comes with the game. @param {any} error @returns {Promise<Refusal>} */
async function refusal(error) {
    const data = error?.data ?? {};
    if (!data.sentence)
        await refused(error?.message);
    return {
        reason: data.reason ?? 'internal_error',
        rule: data.rule,
        message: data.sentence ?? error?.message ?? '',
        data,
    };
}

/** @returns {Refusal} */
const offline = () => ({
    reason: 'offline',
    message: 'There is no connection to the server.',
});

/** A key for what would be harmful twice. */
export function key() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return [...bytes].map((b) => b.toString(16).padStart(2, '0')).join('');
}

/**
 * Asks the server; rejects with a Refusal.
 * @param {string} method
 * @param {any} [params]
 * @returns {Promise<any>}
 */
export function ask(method, params = {}) {
    return new Promise((resolve, reject) => {
        /** @type {Call} */
        const call = {
            id: ++last, method, params, resolve, reject,
            until: Date.now() + PATIENCE_MS,
        };
        calls.set(call.id, call);
        if (ready)
            send(call);
    });
}

/** @param {Call} call */
function send(call) {
    socket?.send(JSON.stringify({
        jsonrpc: '2.0', id: call.id, method: call.method, params: call.params,
    }));
}

// ---- the session ---------------------------------------------------------------

/**
 * `session.login`, `account.register` or `account.guest`; done when the
 * connection knows who it is.
 * @param {string} method
 * @param {any} params
 */
export async function enter(method, params) {
    let answer;
    const device = method === 'session.login' ? devices()[params.name] : null;
    try {
        const reply = await fetch('session', {
            method: 'POST',
            headers: {'Content-Type': 'application/json'},
            body: JSON.stringify({method,
                params: {...params, ...device && {device}}}),
        });
        answer = await reply.json();
    } catch {
        throw offline();
    }
    if (answer.error)
        throw await refusal(answer.error);
    if (answer.device)
        keepDevice(answer.user.name, answer.device);
    shout();
    const known = new Promise((resolve) =>
        bus.addEventListener('ready', resolve, {once: true}));
    reconnect();
    await known;
}

/** By name, what says that this browser is known: of a log-in from one that is
 * not, people are told. @returns {{[name: string]: string}} */
function devices() {
    try {
        return JSON.parse(localStorage.getItem('devices') ?? '{}');
    } catch {
        return {};
    }
}

/** @param {string} name @param {string} device */
function keepDevice(name, device) {
    try {
        localStorage.setItem('devices', JSON.stringify(
            {...devices(), [name]: device}));
    } catch {
        // then they are told of each log-in
    }
}

/** Logs out, here and in the other tabs. */
export async function leave() {
    await fetch('session', {method: 'DELETE'}).catch(() => {});
    shout();
    reconnect();
}

// Tabs tell each other that somebody else is logged in.
const tabs = 'BroadcastChannel' in window
    ? new BroadcastChannel('sobremesa') : null;
const shout = () => tabs?.postMessage('session');
tabs?.addEventListener('message', () => reconnect());

// ---- the connection -------------------------------------------------------------

let ready = false;
let met = false; // the server, on any connection

function connect() {
    clearTimeout(timer);
    status.retry = null;
    const mine = socket = early.socket ?? early.connect();
    early.socket = null;
    heard = Date.now();
    mine.onopen = () => mine === socket && hello();
    mine.onmessage = (event) => {
        if (mine !== socket)
            return;
        heard = Date.now();
        hear(JSON.parse(event.data));
    };
    mine.onclose = () => mine === socket && lost();
    // The first was begun before anybody here could hear of it.
    if (mine.readyState === WebSocket.OPEN)
        hello();
    else if (mine.readyState > WebSocket.OPEN)
        lost();
}

function reconnect() {
    const old = socket;
    socket = null;
    ready = false;
    old?.close();
    tries = 0;
    connect();
}

/** Who are we?  And everything that waits, without waiting for the answer. */
async function hello() {
    const known = first('account.get', {});
    ready = true;
    for (const call of calls.values())
        if (!sent.has(call.id))
            send(call);
    /** @type {any} */
    let user = null;
    try {
        user = await known;
    } catch (why) {
        if (/** @type {Refusal} */ (why).reason === 'offline')
            return;
    }
    const same = status.user?.id === user?.user.id &&
        status.user?.name === user?.user.name;
    status.user = user?.user ?? null;
    remember(status.user);
    tries = 0;
    become('online');
    if (!same) {
        seq = 0;
        tell('user', {first: !met});
    }
    met = true;
    tell('ready');
    if (user)
        follow();
    for (const table of watched.keys())
        resume(table);
}

/** Hears of what concerns the account from now on, as long as this connection
 * lasts. */
function follow() {
    const mine = socket;
    first('me.watch', seq ? {since: seq} : {}).then((answer) => {
        seq = answer.seq;
        tell('me', null);
    }, () => setTimeout(() => mine === socket && ready && follow(), AGAIN_MS));
}

/** A request of this connection alone. @param {string} method
 * @param {any} params */
function first(method, params) {
    return new Promise((resolve, reject) => {
        /** @type {Call} */
        const call = {id: ++last, method, params, resolve, reject, until: 0};
        calls.set(call.id, call);
        sent.add(call.id);
        send(call);
    });
}

/** Those that end with the connection. @type {Set<number>} */
const sent = new Set();

function lost() {
    socket = null;
    ready = false;
    for (const id of [...sent])
        finish(id)?.reject(offline());
    for (const call of calls.values())
        call.until = Date.now() + PATIENCE_MS;
    for (const table of watched.values())
        table.busy = false;
    become(tries === 0 && navigator.onLine ? 'connecting' : 'offline');
    const wait = Math.min(10000, 300 * 2 ** tries) * (0.7 + Math.random() / 2);
    tries++;
    clearTimeout(timer);
    status.retry = Date.now() + wait;
    timer = setTimeout(connect, wait);
}

/** @param {number} id */
function finish(id) {
    const call = calls.get(id);
    calls.delete(id);
    sent.delete(id);
    return call;
}

/** @param {any} message */
function hear(message) {
    if (message.id !== undefined && message.id !== null) {
        const call = finish(message.id);
        if (message.error)
            refusal(message.error).then(call?.reject);
        else
            call?.resolve(message.result);
        return;
    }
    const params = message.params;
    switch (message.method) {
    case 'table.update': update(params); break;
    case 'table.chat': watched.get(params.table)?.chat(params); break;
    case 'me.event':
        seq = params.seq;
        tell('me', params);
        break;
    case 'server.notice':
        if (params.user) { // we have another name
            status.user = params.user;
            remember(status.user);
            tell('user', {first: false});
        }
        tell('notice', params);
        break;
    }
}

function beat() {
    const now = Date.now();
    for (const call of [...calls.values()])
        if (!ready && call.until !== 0 && call.until < now)
            finish(call.id)?.reject(offline());
    if (!ready || now - heard < BEAT_MS)
        return;
    if (now - heard > BEAT_MS + BEAT_ANSWER_MS)
        socket?.close();
    else if (![...sent].some((id) => calls.get(id)?.method === 'table.list'))
        first('table.list', {limit: 1}).catch(() => {});
}

export function start() {
    connect();
    setInterval(beat, 1000);
    addEventListener('online', () => {
        if (!ready)
            reconnect();
    });
    addEventListener('offline', () => socket?.close());
    document.addEventListener('visibilitychange', () => {
        if (!document.hidden && !ready && status.state === 'offline')
            reconnect();
    });
}

// ---- tables --------------------------------------------------------------------

/**
 * Watches a table until unwatch(), or until another watches it: CHANGED gets
 * its view now and after every change; `from` is null where it is not told how
 * it came of the one before.
 * @param {string} table
 * @param {Watched['changed']} changed
 * @param {Watched['chat']} chat
 */
export async function watch(table, changed, chat) {
    /** @type {Watched} */
    const w = {view: null, chain: '', changed, chat, busy: false, by: null};
    watched.set(table, w);
    try {
        await renew(table, w);
    } catch (why) {
        if (watched.get(table) === w)
            watched.delete(table);
        throw why;
    }
}

/** The view of a table that is watched. @param {string} table */
export const viewOf = (table) => watched.get(table)?.view ?? null;

/** Ends it, unless another watches the table by now.
 * @param {string} table @param {Watched['changed']} changed */
export function unwatch(table, changed) {
    if (watched.get(table)?.changed !== changed)
        return;
    watched.delete(table);
    if (ready)
        ask('table.unwatch', {table}).catch(() => {});
}

/** @param {string} table @param {Watched} w */
async function renew(table, w) {
    w.busy = true;
    w.by = socket;
    const since = w.view ? {since: w.view.ply, chain: w.chain} : {};
    const answer = await ask('table.watch', {table, check: true, ...since})
        .finally(() => { w.busy = false; });
    if (watched.get(table) !== w)
        return;
    if (answer.view)
        show(w, answer.view, answer.chain, null, []);
    for (const step of answer.updates ?? [])
        take(table, w, step);
}

/** @param {string} table */
function resume(table) {
    const w = watched.get(table);
    if (w && w.view && !w.busy && w.by !== socket)
        renew(table, w).catch((why) => tell('lost', {table, why}));
}

/** @param {any} step */
function update(step) {
    const w = watched.get(step.table);
    if (w && w.view)
        take(step.table, w, step);
}

/** @param {string} table @param {Watched} w @param {any} step */
function take(table, w, step) {
    const before = /** @type {View} */ (w.view);
    if (step.ply <= before.ply)
        return; // told twice
    let view = null;
    if (step.from === before.ply) {
        try {
            view = apply(before, step.patch);
        } catch {
            view = null;
        }
    }
    const hash = view && step.view_hash ? core.viewHash(view) : null;
    if (!view || view.ply !== step.ply ||
        (hash !== null && hash !== step.view_hash)) {
        w.view = null; // all of it, anew
        status.mended++;
        if (!w.busy)
            renew(table, w).catch((why) => tell('lost', {table, why}));
        return;
    }
    show(w, view, step.chain, step.from, step.events);
}

/** @param {Watched} w @param {View} view @param {string} chain
 * @param {number | null} from @param {GameEvent[]} events */
function show(w, view, chain, from, events) {
    w.view = view;
    w.chain = chain;
    keep(view.table, view.ply, chain);
    w.changed(view, from, events);
}

// ---- chain heads seen ------------------------------------------------------------

const HEADS = 400; // of a table, and
const TABLES = 40; // of so many

/** Remembers what the log's head was, for verify.js.
 * @param {string} table @param {number} ply @param {string} chain */
function keep(table, ply, chain) {
    if (!chain)
        return;
    try {
        const all = JSON.parse(localStorage.getItem('heads') ?? '{}');
        const heads = all[table] ?? {};
        delete all[table];
        heads[ply] = chain.slice(0, 16);
        const plies = Object.keys(heads);
        if (plies.length > HEADS)
            delete heads[plies[0]];
        all[table] = heads;
        const tables = Object.keys(all);
        if (tables.length > TABLES)
            delete all[tables[0]];
        localStorage.setItem('heads', JSON.stringify(all));
    } catch {
        // no room, or not allowed: there is less to compare later
    }
}

/** By ply, how the heads seen begin. @param {string} table
 * @returns {{[ply: string]: string}} */
export function heads(table) {
    try {
        return JSON.parse(localStorage.getItem('heads') ?? '{}')[table] ?? {};
    } catch {
        return {};
    }
}
