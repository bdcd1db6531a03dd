// hours.js -- when one is there: outside of that one is told nothing that can
// wait.

import {now, told} from './clock.js';
import {fill, h} from './dom.js';
import {field, form} from './forms.js';
import {say} from './frame.js';
import {locale, moment, t} from './i18n.js';
import * as net from './net.js';

/** @param {number} minutes */
const clock = (minutes) => `${String(Math.floor(minutes / 60)).padStart(2, '0')
}:${String(minutes % 60).padStart(2, '0')}`;
/** @param {string} text */
const minutes = (text) => {
    const [hours, rest] = text.split(':').map(Number);
    return 60 * hours + rest;
};

/** 1 is Monday, which 2024 began with. @param {number} day */
const weekday = (day) => new Intl.DateTimeFormat(locale(), {weekday: 'long',
    timeZone: 'UTC'}).format(Date.UTC(2024, 0, day));

/** @param {any} hours */
function inputs(hours) {
    const {opens, closes, days, zone} = hours ?? {opens: 480, closes: 1320,
        days: [1, 2, 3, 4, 5, 6, 7],
        zone: Intl.DateTimeFormat().resolvedOptions().timeZone};
    const zones = Intl.supportedValuesOf?.('timeZone') ?? [];
    const boxes = [1, 2, 3, 4, 5, 6, 7].map((day) => h('input',
        {type: 'checkbox', checked: days.includes(day), value: String(day)}));
    const from = field(t('From'), {type: 'time', required: true,
        value: clock(opens)});
    const to = field(t('To'), {type: 'time', required: true,
        value: clock(closes)});
    const where = field(t('By the clocks of'), {required: true, value: zone,
        list: 'zones', maxlength: 64, spellcheck: 'false'});
    return {
        nodes: [from, to, {node: h('div', {class: 'row', role: 'group',
            'aria-label': t('Days')}, boxes.map((box, i) => h('label',
            {class: 'check'}, box, h('span', null, weekday(i + 1)))))},
        where, {node: h('datalist', {id: 'zones'}, zones.map((value) =>
            h('option', {value})))}],
        read() {
            const opens = minutes(from.input.value);
            const closes = minutes(to.input.value);
            const chosen = boxes.filter((box) => box.checked)
                .map((box) => Number(box.value));
            const open = (closes - opens + 1440) % 1440 || 1440;
            if (open < 240 || chosen.length < 5)
                throw {message: t('Four hours at least, on five days at least.')};
            return {opens, closes, days: chosen, zone: where.input.value};
        },
    };
}

export default async function page() {
    const root = h('div', {class: 'stack'});
    const set = async (/** @type {any} */ hours) => {
        draw(await net.ask('account.hours.set', {hours}));
        say(t('Changed.'));
    };
    const draw = (/** @type {any} */ answer) => {
        const {hours, inside, next, may_change: from} = answer;
        const given = inputs(hours);
        const late = from > now();
        fill(root,
            h('p', null, t('Outside of these hours you are told nothing that can wait.'), ' ',
                t('At tables that keep hours your clock runs in them alone: so much faster that a week of them is a week, so they give you no time, only time when you are awake.')),
            h('p', {class: 'muted small'}, t('Others see your deadlines and not your hours; the records of games that are over show them.')),
            h('p', {class: 'muted'}, hours === null ? t('You are always there, as far as we know.')
                : inside ? t('You are there now.')
                    : t('You are there again {when}.', {when: moment(next)})),
            late && h('p', {class: 'muted'}, t('You can change this again {when}.',
                {when: moment(from)})),
            form('', t('Set'), [...given.nodes, {node: h('p', {class: 'muted small'},
                t('Four hours at least, on five days at least.'))}],
            async () => set(given.read())),
            hours !== null && h('div', {class: 'row'}, h('button', {
                type: 'button', onclick: () => set(null).catch((why) =>
                    say(t(why.message), 'problem'))},
            t('I am always there'))));
    };
    const [answer] = await Promise.all([net.ask('account.hours.get'), told]);
    draw(answer);
    return root;
}
