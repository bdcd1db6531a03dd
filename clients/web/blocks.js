// blocks.js -- whom one does not want to meet.

import {fill, h} from './dom.js';
import {field, form} from './forms.js';
import {complain, say} from './frame.js';
import {t} from './i18n.js';
import * as net from './net.js';

export default async function page() {
    const root = h('div', {class: 'stack'});
    const set = async (/** @type {string} */ method,
        /** @type {string} */ name) => {
        await net.ask(method, {name});
        await draw();
        say(t('Changed.'));
    };
    const draw = async () => {
        const {blocks} = await net.ask('account.blocks.list');
        const who = field(t('Name'), {required: true, maxlength: 24,
            spellcheck: 'false', autocomplete: 'off'});
        fill(root,
            h('p', null, t('Whom you block you do not meet at new tables, and do not read. They are not told.')),
            blocks.length > 0 && h('ul', {class: 'plainlist'}, blocks.map(
                (/** @type {any} */ {name}) => h('li', {class: 'row'},
                    h('span', null, name),
                    h('button', {type: 'button',
                        'aria-label': t('Block {name} no more', {name}),
                        onclick: () => set('account.blocks.remove', name)
                            .catch(complain)}, t('No more'))))),
            form('', t('Block'), [who], async () =>
                set('account.blocks.add', who.input.value)));
    };
    await draw();
    return root;
}
