// seat.js -- how a seat is told: by colour, and by shape.

import {h} from './dom.js';

/** A seat's mark in a line of text. @param {number} seat */
export const mark = (seat) =>
    h('span', {class: `mark mark-${seat} seat-${seat}`, 'aria-hidden': 'true'});
