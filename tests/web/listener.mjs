// listener.mjs -- somebody who knows a page only as it is told to people who do not
// see it: the accessibility tree, its roles, names and states, in its order.  What they
// find they put the focus on, and press a key.

import { until } from './support.mjs';

/* What is done by the space bar; all else by Enter. */
const SPACE = ['checkbox', 'radio', 'switch'];
/* What can be done something with. */
const DEEDS = ['button', 'link', 'textbox', 'searchbox', 'spinbutton', 'slider',
    'combobox', 'checkbox', 'radio', 'switch', 'tab', 'DisclosureTriangle'];
/* What tells where one is, if it has a name. */
const PLACES = ['region', 'group', 'dialog', 'application', 'form', 'list',
    'navigation', 'radiogroup', 'tabpanel', 'tablist', 'table', 'log', 'status'];

/**
 * What is heard of a page at a moment: things in their order, each with `role`,
 * `name`, `text` (all that is said in it), `value`, `disabled`, `pressed`, `checked`,
 * `focused`, and `within`, the names of the places that it is in.
 */
function heardOf(nodes) {
    const known = new Map(nodes.map((node) => [node.nodeId, node]));
    const things = [];
    const walk = (node, within, row) => {
        const role = node.ignored ? '' : node.role?.value ?? '';
        if (role === 'InlineTextBox')
            return '';
        const name = String(node.name?.value ?? '').trim();
        const state = Object.fromEntries((node.properties ?? []).map(
            ({ name: key, value }) => [key, value.value]));
        const thing = { role, name, id: node.backendDOMNodeId, within, row,
            value: node.value?.value, disabled: state.disabled === true,
            pressed: state.pressed === 'true', checked: state.checked === 'true',
            focused: state.focused === true, text: '' };
        if (role)
            things.push(thing);
        const inside = name && PLACES.includes(role) ? [...within, name] : within;
        thing.text = role === 'StaticText' ? name : (node.childIds ?? [])
            .map((id) => known.get(id)).filter(Boolean)
            .map((child) => walk(child, inside, role === 'listitem' ? thing : row))
            .filter(Boolean).join(' ');
        return thing.text;
    };
    walk(nodes[0], [], null);
    return things;
}

const fits = (text, wanted) => typeof wanted === 'string' ? text === wanted
    : wanted.test(text);

/** Who listens to the page of PERSON. */
export async function listener({ page, context }) {
    const session = await context.newCDPSession(page);
    await session.send('Accessibility.enable');
    await session.send('DOM.enable');
    const odd = new Set();
    const self = {
        page,
        /** What should have been said better, as far as it was heard. */
        odd,
        /** What the page is now.  ALL(role, name, within) finds what can be
         * used of it: names are strings or patterns. */
        async hear() {
            const { nodes } = await session.send('Accessibility.getFullAXTree');
            const things = heardOf(nodes);
            const all = (role, name = /./, within = null) => things.filter((one) =>
                one.role === role && fits(one.name, name) && !one.disabled &&
                (within === null || one.within.some((place) => fits(place, within))));
            judge(things, odd);
            return { things, all, one: (...wanted) => all(...wanted)[0] };
        },
        /** Waits until something is heard. */
        async find(...wanted) {
            let page;
            return await until(wanted.join(' '), async () => {
                page = await self.hear();
                return page.one(...wanted);
            }).catch((why) => {
                throw new Error(`${why.message}; what is heard:\n${page.things.map(
                    ({ role, name, text }) => `${role} ${name || text}`).join('\n')}`);
            });
        },
        /** Does what it is there for; whether it was still there. */
        async act({ id, role }) {
            try {
                await session.send('DOM.focus', { backendNodeId: id });
            } catch {
                return false;
            }
            await page.keyboard.press(SPACE.includes(role) ? 'Space' : 'Enter');
            return true;
        },
        async press(...wanted) {
            while (!await self.act(await self.find(...wanted)));
        },
        /** Writes into a field what it is to hold. */
        async write(field, text) {
            await session.send('DOM.focus', { backendNodeId: field.id });
            await page.keyboard.press('Control+A');
            await page.keyboard.type(text);
        },
    };
    return self;
}

/* Where two may be called the same: cards, of which there are several, and the log,
 * whose turns are told in their order. */
const ALIKE = / cards$|^What happened$/;

/* What nobody who hears it could use: things without a name, and two that are called
 * the same in the same place: in lists of the same name, and in items that say the same,
 * as the items are in which those stand. */
function judge(things, odd) {
    const seen = new Map();
    for (const { role, name, within, row, disabled, id } of things) {
        if (!DEEDS.includes(role) || disabled)
            continue;
        if (!name)
            odd.add(`${role} without a name in ${within.join(', ') || 'the page'}`);
        if (within.some((place) => ALIKE.test(place)))
            continue;
        const rows = [];
        for (let item = row; item; item = item.row)
            rows.unshift(item.text);
        const where = [...within, ...rows, role, name].join(' > ');
        if (seen.has(where) && seen.get(where) !== id)
            odd.add(`two of: ${where}`);
        seen.set(where, id);
    }
}
