// talk.js -- chat and private notes.

import {fill, h, typed} from './dom.js';
import {complain} from './frame.js';
import {moment, t} from './i18n.js';
import * as net from './net.js';

/** @param {any} frame */
export function talkOf(frame) {
    const texts = h('ol');
    const box = h('div', {class: 'log', role: 'log', 'aria-live': 'polite',
        'aria-label': t('Chat'), tabindex: '0'}, texts);
    const input = h('input', {'aria-label': t('Say something'), maxlength: 1000,
        required: true, autocomplete: 'off', placeholder: t('Say something')});
    const form = h('form', {onsubmit: say}, h('div', {class: 'row'}, input,
        h('button', null, t('Say'))));
    const note = h('textarea', {rows: 6, maxlength: 4000,
        'aria-label': t('Your own note'), onchange: save,
        placeholder: t('Nobody else sees this.')});
    const news = h('span', {class: 'tag turn', hidden: true});
    const chat = h('div', {role: 'tabpanel', 'aria-label': t('Chat')}, box,
        form);
    const notes = h('div', {role: 'tabpanel', 'aria-label': t('Notes'),
        hidden: true}, note, h('p', {class: 'muted small'},
        t('Kept when you leave the field.')));
    const tabs = [chat, notes].map((panel, i) => h('button', {role: 'tab',
        'aria-selected': i === 0 ? 'true' : 'false', tabindex: i ? '-1' : '0',
        onclick: () => choose(i)}, i ? t('Notes') : t('Chat'),
    i === 0 && news));
    let unread = 0;
    let last = 0;

    /** @param {number} which */
    function choose(which) {
        [chat, notes].forEach((panel, i) => {
            panel.hidden = i !== which;
            tabs[i].setAttribute('aria-selected', String(i === which));
            tabs[i].tabIndex = i === which ? 0 : -1;
        });
        tabs[which].focus();
        read();
    }
    tabs.forEach((tab, i) => tab.addEventListener('keydown', (event) => {
        if (event.key === 'ArrowRight' || event.key === 'ArrowLeft')
            choose(1 - i);
    }));

    /** @param {any} text */
    const row = (text) => h('li', {class: 'talk', title: moment(text.at),
        'data-text': text.text},
        h('strong', null, text.from), text.room === 'spectators' &&
            h('span', {class: 'muted small'}, ` (${t('spectators')})`),
        ' ', text.body === null
            ? h('em', {class: 'muted'}, t('removed by the administrator'))
            : h('bdi', null, text.body));

    /** @param {Event} event */
    async function say(event) {
        event.preventDefault();
        const room = frame.view?.you === null ? 'spectators' : 'table';
        try {
            await net.ask('table.chat', {table: frame.id, room,
                text: typed(input.value), key: net.key()});
            input.value = '';
        } catch (why) {
            complain(why);
        }
    }

    async function save() {
        try {
            await net.ask('table.note', {table: frame.id, text: typed(note.value)});
        } catch (why) {
            complain(why);
        }
    }

    function read() {
        if (document.hidden || chat.hidden || !net.status.user)
            return;
        news.hidden = true;
        if (unread > 0)
            net.ask('table.read', {table: frame.id, text: last})
                .catch(() => {});
        unread = 0;
    }

    return {
        node: h('section', {class: 'card telling talk-of'},
            h('div', {class: 'tabs', role: 'tablist',
                'aria-label': t('Chat and notes')}, tabs), chat, notes),
        async begin() {
            const user = net.status.user;
            form.hidden = tabs[1].hidden = !user;
            const rooms = await Promise.all(['table', 'spectators'].map(
                (room) => net.ask('table.texts', {table: frame.id, room})
                    .catch(() => ({texts: [], read: 0}))));
            const all = rooms.flatMap((room) => room.texts)
                .sort((a, b) => a.text - b.text);
            fill(texts, all.length > 0 ? all.map(row)
                : h('li', {class: 'muted'}, t('Nobody has said anything.')));
            box.scrollTop = box.scrollHeight;
            last = all[all.length - 1]?.text ?? 0;
            unread = last > rooms[0].read ? 1 : 0;
            if (user)
                net.ask('table.note', {table: frame.id}).then(
                    (answer) => note.value = answer.text, () => {});
            read();
        },
        /** @param {any} text */
        heard(text) {
            const known = texts.querySelector(`[data-text="${text.text}"]`);
            if (known) { // it is removed
                known.replaceWith(row(text));
                return;
            }
            if (text.body === null) // an older one than the page has
                return;
            if (last === 0)
                fill(texts);
            last = Math.max(last, text.text);
            texts.append(row(text));
            box.scrollTop = box.scrollHeight;
            unread++;
            if (chat.hidden || document.hidden) {
                news.hidden = false;
                fill(news, unread);
            }
            read();
        },
    };
}
