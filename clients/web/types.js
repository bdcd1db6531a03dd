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
 *
 * @typedef {Brief & RulesMore} Rules The answer of rules.info.
 */

/**
 * @typedef {object} Settings
 * @property {boolean} animations False also where the system asks for less
 *     motion.
 * @property {'usual' | 'distinct'} palette `distinct` is for colour-blind
 *     people.
 * @property {boolean} largeText
 * @property {string} lang
 * @property {boolean} notify
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
 * @property {(move: Move) => Promise<void>} send Plays a move, once the server
 *     has stored it; update() comes by itself, before this resolves.  Asks
 *     nothing: see confirm().  Rejects with a Refusal, which the frame has
 *     shown already.
 * @property {(text: string, about?: Finality) => Promise<boolean>} confirm
 *     Asks in a dialog; with ABOUT of which nothing is true it asks nothing
 *     and says yes, so that `if (await confirm(text, finalOf(move)))` is
 *     always right.
 * @property {(move: Move) => Finality} finalOf
 * @property {(event: Event) => string} describe A sentence for the log.
 * @property {(word: string) => string} help What a word of the game (verb,
 *     event, category, reason, option) means, for title and aria-label; '' if
 *     nothing is known.
 * @property {(text: string, kind?: 'note' | 'problem') => void} say Shows a
 *     line at the foot of the page for a moment and to screen readers.
 */

/**
 * @typedef {object} Panel
 * @property {(view: View, info: Info) => void} update
 * @property {() => void} destroy Ends timers and listeners beyond root.
 *
 * @typedef {object} GameModule The default export of games/NAME.js.
 * @property {(root: HTMLElement, table: Table) => Panel} mount
 * @property {(event: Event, table: Table) => string | null} [describe] Words
 *     for an event; null: the frame makes a sentence of the rules' texts.
 * @property {{[lang: string]: {[key: string]: string}}} [words] Sentences that
 *     `table.t` knows besides the frame's; `en` is used where another
 *     language lacks one.
 * @property {boolean} [css] There is a games/NAME.css to be loaded with it.
 * @property {(state: any, table: {t: Table['t']}) => Node | null} [thumbnail]
 *     A small picture of the board in `game_state`, for making a table.
 */

export {};
