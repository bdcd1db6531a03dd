// types.js -- the shapes of what travels inside the page.
//
// Only JSDoc: `tsc --checkJs` holds all modules to it, browsers never load it.
// What comes from the server is as protocol/README.md says; the part between
// the frame (table.js) and a game's panel (games/NAME.js) is told in README.md.

/**
 * @typedef {string | number | boolean | null} Value
 * A word, number, flag, or null for what is hidden.
 *
 * @typedef {{verb: string, [argument: string]: Value}} Move
 * @typedef {{kind: string, seat: number | null, [argument: string]: any}} Event
 *
 * @typedef {object} Range
 * @property {Move} move
 * @property {string} arg
 * @property {number} min
 * @property {number} max
 *
 * @typedef {object} Legal What the viewer may do: complete.
 * @property {number | null} decision What a move answers; null: nothing to do.
 * @property {Move[]} moves
 * @property {Range[]} ranges Moves of which one argument is a free number.
 *
 * @typedef {object} ViewSeat
 * @property {string | null} name
 * @property {boolean} acting
 * @property {boolean} may
 * @property {number} score
 * @property {boolean} resigned
 * @property {number | null} [due] With a pace, as what follows.
 * @property {number} [bank]
 * @property {number} [missed]
 * @property {boolean} [gone]
 * @property {boolean} [offered]
 * @property {number | null} [absent]
 *
 * @typedef {object} Pace What a table agreed on, in seconds.
 * @property {number} [free]
 * @property {number} [bank]
 * @property {number} [add]
 * @property {number} [cap]
 *
 * @typedef {{total: number, parts: {[category: string]: number}}} Score
 *
 * @typedef {object} View PROTOCOL's view document.
 * @property {string} table
 * @property {string} game
 * @property {number} ply
 * @property {'open' | 'playing' | 'finished' | 'abandoned'} state
 * @property {ViewSeat[]} seats
 * @property {number | null} you
 * @property {number | null} decision
 * @property {number | null} undo
 * @property {number | null} [paused] With a pace.
 * @property {any} [vote] The one that is open.
 * @property {any} game_state As rules.schema says; null before the start.
 * @property {Score[]} score_now
 * @property {{reason: string, places: number[]} | null} result
 */

/**
 * @typedef {object} Argument
 * @property {string} name
 * @property {boolean} optional
 * @property {string} kind
 * @property {'number' | 'seat' | 'flag' | 'word' | 'place'} form
 * @property {string[]} [words]
 * @property {number} [min]
 * @property {number} [max]
 *
 * @typedef {object} Word A verb or the kind of an event.
 * @property {string} name
 * @property {string} text
 * @property {boolean} [nature]
 * @property {Argument[]} arguments
 *
 * @typedef {object} Option
 * @property {string} name
 * @property {'flag' | 'word' | 'number'} type
 * @property {any} default
 * @property {string[]} [words]
 * @property {number} [min]
 * @property {number} [max]
 * @property {string} text
 *
 * @typedef {object} Brief A game as server.hello tells it.
 * @property {string} name
 * @property {string} title
 * @property {number} revision
 * @property {number} seats_min
 * @property {number} seats_max
 * @property {Option[]} options
 * @property {string[]} boards
 * @property {string | null} asset_kind
 *
 * @typedef {object} RulesMore
 * @property {number} plies_max
 * @property {string[]} notes
 * @property {Word[]} verbs
 * @property {Word[]} events
 * @property {{name: string, text: string}[]} parts
 * @property {{name: string, text: string}[]} reasons
 * @property {{kind: string, words: {name: string, text: string}[]}[]} glossary
 * @property {{[lang: string]: {events: string[], reasons: string[],
 *             options: string[], parts: string[],
 *             kinds: {[kind: string]: string[]},
 *             names: {[word: string]: string}}}} [says] In the order of the
 *     lists above; and what words of options and boards are called.
 *
 * @typedef {Brief & RulesMore} Rules The answer of rules.info.
 */

/**
 * @typedef {object} Settings
 * @property {boolean} animations False also where the system asks for less
 *     motion.
 * @property {'system' | 'light' | 'dark'} theme
 * @property {'usual' | 'distinct'} palette `distinct` is for colour-blind
 *     people.
 * @property {boolean} largeText
 * @property {boolean} sound What happens at a table is heard.
 * @property {boolean} wholeTurns Before a turn is over one is asked.
 * @property {string} lang
 * @property {boolean} notify
 * @property {{channel: string, user: string} | null} push What tells this
 *     browser, and whom.
 *
 * @typedef {object} Refusal What a refused request rejects with.
 * @property {string} reason PROTOCOL's reason word, or `offline`.
 * @property {string} [rule] The game's own word, of `illegal_move`.
 * @property {string} message A sentence for people.
 * @property {any} [data]
 *
 * @typedef {object} Finality What of a move cannot be taken back.
 * @property {boolean} reveals It shows something hidden.
 * @property {boolean} draws Chance answers it.
 * @property {boolean} final The rules forbid to take it back.
 *
 * @typedef {object} Info What came with a view.
 * @property {number | null} from The ply of the view before; null: there was
 *     none, or it is not known how this one came of it (draw without motion).
 * @property {Event[]} events What happened in between, in order.
 * @property {Legal} legal
 * @property {boolean} busy A move of the viewer is on its way: show it, and
 *     offer no other.
 *
 * @typedef {object} Table What the frame gives to a game's panel.
 * @property {string} id
 * @property {string} game
 * @property {Rules} rules
 * @property {HTMLElement} [rail] A place beside the board for what one holds and
 *     can take; within the panel where there is none.
 * @property {HTMLElement} [keys] A place in the turn bar for what ends a turn.
 * @property {HTMLElement} [aside] A place after the board for what one only looks
 *     at; within the panel where there is none.
 * @property {number | null} you
 * @property {'play' | 'watch' | 'replay'} mode
 * @property {() => string[]} names The seats' names, by seat, never empty.
 * @property {(key: string, args?: {[name: string]: Value}) => string} t The
 *     sentence of KEY in the reader's language, `{name}` filled in.
 * @property {Settings} settings
 * @property {() => Legal} legal Of the present view, computed here by the core
 *     (or asked of the server before update() where there is no wasm).
 * @property {(moves: Move[]) => Promise<View | null>} preview The view after
 *     them; null if one is not legal.  It stops where something hidden or a
 *     draw would be needed, and is then the view up to there.
 * @property {(view: View, steps: [number, Move][]) => View | null} whatIf The
 *     view after moves of any seats, from a VIEW that may be made up; null where
 *     one is not legal, or there is no core to ask.
 * @property {(move: Move) => any} brings What a move would make of the figures
 *     that players of this game look at: each before and after it, by its name,
 *     and whether that is `unseen` yet; null where it is not legal, or there is no
 *     core to ask.  See brought() of kit.js.
 * @property {(move: Move) => {rule: string, text: string} | null} whyNot Why a
 *     move cannot be made: the rules' word and a sentence; null if it can.  See
 *     locked() of kit.js.
 * @property {(ply: number) => Promise<View | null>} at The view of the past.
 * @property {(move: Move) => Promise<void>} send Plays a move, once the server
 *     has stored it; update() comes by itself, before this resolves.  Asks
 *     nothing: see confirm().  Rejects with a Refusal, which the frame has
 *     shown already.
 * @property {(text: string, about?: Finality) => Promise<boolean>} confirm
 *     Asks in a dialog; with ABOUT of which nothing is true it asks nothing
 *     and says yes, so that `if (await confirm(text, finalOf(move)))` is
 *     always right.
 * @property {(move: Move) => Finality} finalOf
 * @property {(word: string) => string} help What a word of the game (verb,
 *     event, category, reason, option) means, for title and aria-label; '' if
 *     nothing is known.
 * @property {(text: string, kind?: 'note' | 'problem') => void} say Shows a
 *     line at the foot of the page for a moment and to screen readers.
 */

/**
 * @typedef {object} Early What early.js leaves to the page.
 * @property {WebSocket | null} socket The connection that is being made.
 * @property {() => WebSocket} connect Makes another.
 * @property {(name: string) => void} ahead Has everything fetched that NAME.js,
 *     which is imported on demand, wants.
 */

/**
 * @typedef {object} Panel
 * @property {(view: View, info: Info) => void} update
 * @property {(seat: number) => {line?: any, scored?: number, unit?: string}}
 *     [head] What stands beside somebody's name: what they have, points that
 *     cannot be lost any more, where score_now has more than those, and what
 *     points are called.
 * @property {() => string[]} [facts] What holds for this table all the time.
 * @property {(places: string[]) => void} [point] Marks these places on the
 *     board, in order; none: no more.
 * @property {(entries: import('./log.js').Entry[]) => void} [told] What has
 *     happened up to now, as far as it is known, oldest first.
 * @property {Promise<void>} [ready] When there is something to be seen.
 * @property {() => void} destroy Ends timers and listeners beyond root.
 *
 * @typedef {object} GameModule The default export of games/NAME.js.
 * @property {(root: HTMLElement, table: Table) => Panel} mount
 * @property {(event: Event, table: Table) => string | null} [describe] Words
 *     for an event; null: the frame makes a sentence of the rules' texts.
 * @property {(word: any, table: Table) => string | null} [word] What a word of a
 *     move is called, where the rules do not say it.
 * @property {Partial<Omit<import('./log.js').Said, 'describe'>>} [told] How a
 *     game is told, by kinds of events: `quiet` ones are not; a `chapters` is a
 *     line by itself; one of `scenes` has all below it that follows; one of
 *     `turns` begins its seat's turn.  `gain` is what an event brought its seat.
 * @property {boolean} [steady] Whether a panel that was mounted before all of the
 *     rules had come need not be mounted anew: what they say is asked for when it is shown.
 * @property {string[]} [ends] Verbs that end a turn, where a draw comes before
 *     anybody else is waited for.
 * @property {{[lang: string]: {[key: string]: string}}} [words] Sentences that
 *     `table.t` knows besides the frame's; `en` is used where another
 *     language lacks one.
 * @property {{[lang: string]: () => Promise<{default: {[key: string]: string}}>}}
 *     [tongues] More of them, for who reads another language.
 * @property {boolean} [css] There is a games/NAME.css to be loaded with it.
 *
 * @typedef {object} Thumb The default export of games/NAME_thumb.js: the game
 *     on cards of tables, and where one chooses among games.
 * @property {(state: any) => SVGElement} picture Of a `game_state`, or of what
 *     a table is set up with: a handful of elements, without detail.
 * @property {any} sample What a picture shows that is of no table.
 * @property {(state: any) => [string, {[name: string]: any}] | null} [round]
 *     How far it is, as a sentence of the frame and what is filled in.
 * @property {(state: any, seat: number) => number} [scored] As of head().
 * @property {[string, string]} about A sentence on it, English and French.
 * @property {[number, number]} minutes How long it takes around one table, about.
 * @property {number} weight How much there is to it, 1 to 5.
 */

export {};
