// who.js -- a name that leads to what its owner plays.

import {h} from './dom.js';
import {t} from './i18n.js';

/** @param {string | null} name Of nobody who is there any more.  Bots have no page:
 * nothing of theirs is listed. */
export const link = (name) => name?.startsWith('bot-') ? h('span', null, name) : name
    ? h('a', {href: `#player/${encodeURIComponent(name)}`}, name)
    : h('span', {class: 'muted'}, t('somebody who is gone'));
