#include "hacienda_position.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/text.h"

static const struct rules *const R = &hacienda_rules;

/* The test itself is wrong. */
static _Noreturn void wrong(const char *what, const char *which)
{
    fprintf(stderr, "position: %s: %s\n", what, which);
    abort();
}

struct hacienda *position_of(struct position *p)
{
    return (struct hacienda *)&p->any.state;
}

bool position_valid(struct position *p)
{
    static uint8_t bytes[RULES_STATE_MAX];
    size_t len = rules_encode(R, &p->any.state, bytes, sizeof(bytes));
    return len <= sizeof(bytes) &&
           rules_decode(R, &p->any.state, bytes, len) == RULES_OK;
}

void position_pesos(struct position *p, int seat, int pesos)
{
    position_of(p)->player[seat].money = pesos;
    ASSERT(position_valid(p));
}

void position_empty(struct position *p, int seat, enum hacienda_stack of)
{
    struct hacienda *h = position_of(p);
    int left = h->supply[of] + (of == STACK_ANIMALS ? h->aside : 0);

    for (int card = 0; card < CARDS; card++)
        for (; card_stack(card) == of && left > 0 &&
               hacienda_unseen(h, card) > 0;
             left--)
            h->player[seat].known[card]++;
    h->supply[of] = 0;
    if (of == STACK_ANIMALS) {
        h->aside = 0;
        h->half = 2;
        h->due = DUE_FINAL;
    }
    ASSERT(left == 0 && position_valid(p));
}

/* ---- boards ----------------------------------------------------------- */

static int ground_of(char c)
{
    static const char chars[GROUNDS + 1] = "-.efsrm?$~";
    const char *at = c != '\0' ? strchr(chars, c) : NULL;
    if (at == NULL)
        wrong("no such ground in a drawing", (char[2]){c, '\0'});
    return (int)(at - chars);
}

/* Rows are as long as the longest line, or one more: a hex at (x, y) needs
 * x + y + rows to be even. */
static void measure(const char *drawing, int *cols, int *rows)
{
    int x = 0, y = 0, widest = 0, odd = -1;

    for (const char *c = drawing; *c != '\0'; c++, x++) {
        if (*c == '\n') {
            x = -1;
            y++;
        } else if (*c != ' ') {
            if (odd >= 0 && odd != (x + y) % 2)
                wrong("a drawing's rows are not shifted", drawing);
            odd = (x + y) % 2;
            widest = x > widest ? x : widest;
        }
    }
    *cols = y + 1;
    *rows = widest + 1;
    *rows += (*rows + odd) % 2;
}

size_t position_haz(const char *drawing, char *buf, size_t cap)
{
    static struct board board;
    int cols, rows, x = 0, y = 0;

    measure(drawing, &cols, &rows);
    board = (struct board){.cols = (uint16_t)cols, .rows = (uint16_t)rows};
    for (const char *c = drawing; *c != '\0'; c++, x++) {
        if (*c == '\n') {
            x = -1;
            y++;
        } else if (*c != ' ') {
            int hex = board_hex_at(board.cols, board.rows, y, x);
            ASSERT(hex >= 0);
            board.ground[hex] = (uint8_t)ground_of(*c);
        }
    }
    size_t len = haz_write(&board, NULL, buf, cap);
    ASSERT(len < cap);
    return len;
}

int position_hex(const struct position *p, const char *name)
{
    const struct hacienda *h = (const struct hacienda *)&p->any.state;
    int16_t hex;
    if (!board_hex_read(h->cols, h->rows, name, strlen(name), &hex))
        wrong("no such hex", name);
    return hex;
}

/* ---- cards ------------------------------------------------------------ */

int position_card(const char *word)
{
    for (int card = 0; card < CARDS; card++)
        if (strcmp(hacienda_card_words[card], word) == 0)
            return card;
    wrong("no such card", word);
}

/* Takes the next of "forest*3 pig" off TEXT: a card, and how many. */
static bool next_cards(const char **text, int *card, int *count)
{
    char word[32];
    int len = 0;

    while (**text == ' ')
        ++*text;
    if (**text == '\0')
        return false;
    *count = 1;
    if (sscanf(*text, "%31[a-z]%n", word, &len) != 1)
        wrong("no cards", *text);
    *text += len;
    *card = position_card(word);
    if (**text == '*')
        *count = (int)strtol(*text + 1, (char **)(uintptr_t)text, 10);
    return true;
}

static void count_cards(const char *text, int *counts)
{
    int card, count;
    while (text != NULL && next_cards(&text, &card, &count))
        counts[card] += count;
}

void position_next(struct position *p, const char *cards)
{
    int card, count;
    while (next_cards(&cards, &card, &count))
        for (; count > 0; count--) {
            ASSERT(p->queued < POSITION_QUEUE);
            p->queue[p->queued++] = (uint8_t)card;
        }
}

static int from_queue(struct position *p)
{
    if (p->queued == 0)
        return -1;
    int card = p->queue[0];
    memmove(p->queue, p->queue + 1, --p->queued);
    return card;
}

/* ---- plies ------------------------------------------------------------ */

static void play(struct position *p, int seat, const struct rules_move *move)
{
    char text[RULES_TEXT_MAX];
    int refusal = rules_apply(R, &p->any.state, seat, move, &p->events);

    if (refusal != RULES_OK) {
        text_move(R, &p->any.state, move, text, sizeof(text));
        wrong(rules_reason(R, refusal), text);
    }
    ASSERT(p->plies < POSITION_PLIES);
    p->log[p->plies] = (struct rules_ply){(uint16_t)seat, *move};
    p->done[p->plies++] = (struct rules_done){(uint16_t)seat, p->events.flags};
    if (seat != RULES_NATURE)
        p->action = p->events;
}

/* Chance's turn; the card of its moves is the last argument they have. */
static int card_arg(const struct rules_move *move)
{
    return move->verb == NATURE_DEAL      ? 1
           : move->verb == NATURE_TURN_UP ? 0
                                          : -1;
}

/* Any ply of chance: of cards, the one there are most of, those to be kept
 * aside. */
static struct rules_move any_draw(struct position *p)
{
    static struct rules_choice choice[64];
    size_t n = rules_legal(R, &p->any.state, RULES_NATURE, -1, choice,
                           COUNT_OF(choice));
    size_t best = 0;
    int most = INT16_MIN;

    ASSERT(n > 0 && n <= COUNT_OF(choice));
    for (size_t i = 0; i < n && card_arg(&choice[i].move) >= 0; i++) {
        int card = choice[i].move.arg[card_arg(&choice[i].move)];
        int left = hacienda_unseen(position_of(p), card) - p->keep[card];
        if (left > most) {
            most = left;
            best = i;
        }
    }
    return choice[best].move;
}

void position_draw(struct position *p, int card)
{
    struct rules_move move = any_draw(p);
    int arg = card_arg(&move);

    if (card >= 0 && arg >= 0) {
        move.arg[arg] = (int16_t)card;
        p->keep[card] -= p->keep[card] > 0;
    }
    play(p, RULES_NATURE, &move);
}

static void draw_all(struct position *p)
{
    while (p->any.state.acting & RULES_BIT(RULES_NATURE))
        position_draw(p, from_queue(p));
}

int position_read(const struct position *p, const char *text,
                  struct rules_move *move)
{
    size_t at;
    return text_move_read(R, &p->any.state, text, strlen(text), move, &at);
}

const char *position_why(struct position *p, int seat, const char *text)
{
    static struct rules_events events;
    static union rules_any copy;
    struct rules_move move;
    int refusal = position_read(p, text, &move);

    if (refusal == RULES_OK) {
        memcpy(&copy, &p->any, R->state_size);
        refusal = rules_apply(R, &copy.state, seat, &move, &events);
        ASSERT(refusal == rules_check(R, &p->any.state, seat, &move));
    }
    if (refusal == RULES_OK)
        return "ok";
    ASSERT(rules_hash(R, &copy.state) == rules_hash(R, &p->any.state) ||
           refusal == RULES_BAD_ARGUMENT || refusal == RULES_UNKNOWN_VERB);
    return rules_reason(R, refusal);
}

void position_do(struct position *p, int seat, const char *text)
{
    struct rules_move move;
    int refusal = position_read(p, text, &move);

    if (refusal != RULES_OK)
        wrong(rules_reason(R, refusal), text);
    play(p, seat, &move);
    draw_all(p);
}

void position_turn(struct position *p, int seat)
{
    const struct hacienda *h = position_of(p);
    if (h->turn == seat && h->actions > 0)
        position_do(p, seat, "end_turn");
    while (h->turn != seat)
        position_do(p, h->turn, "end_turn");
}

void position_go(struct position *p, int seat, const char *text)
{
    const struct hacienda *h = position_of(p);
    if (h->turn != seat || h->actions == HACIENDA_ACTIONS)
        position_turn(p, seat);
    position_do(p, seat, text);
}

static void put(struct position *p, int seat, int card, const char *hex)
{
    const struct hacienda_player *hand = &position_of(p)->player[seat];
    const char *kind = card_stack(card) == STACK_LAND ? "land" : "animal";
    char text[RULES_TEXT_MAX];

    if (hand->known[card] + hand->unknown[card] == 0) {
        ASSERT(p->queued == 0);
        position_next(p, hacienda_card_words[card]);
        snprintf(text, sizeof(text), "buy_%s_supply", kind);
        position_go(p, seat, text);
    }
    snprintf(text, sizeof(text), "play_%s card=%s hex=%s", kind,
             hacienda_card_words[card], hex);
    position_go(p, seat, text);
}

void position_put(struct position *p, int seat, const char *plays)
{
    char word[32], hex[BOARD_NAME_SIZE];
    int len;

    while (sscanf(plays, " %31[a-z] %7[A-Z0-9]%n", word, hex, &len) == 2) {
        put(p, seat, position_card(word), hex);
        plays += len;
        plays += *plays == ',';
    }
    if (*plays != '\0')
        wrong("no plays", plays);
}

const char *position_undo(struct position *p, int seat)
{
    size_t at, played;
    enum rules_undo why = rules_undo(p->done, p->plies, seat, &at);

    if (why == RULES_UNDO_YES) {
        size_t after = p->plies - at - 1;
        memmove(&p->log[at], &p->log[at + 1], after * sizeof(p->log[0]));
        memmove(&p->done[at], &p->done[at + 1], after * sizeof(p->done[0]));
        p->plies--;
        int refusal = rules_replay(R, &p->any.state, &p->setup, p->log,
                                   p->plies, &played);
        ASSERT(refusal == RULES_OK);
    }
    return rules_undo_word(why);
}

/* ---- setting up ------------------------------------------------------- */

/* Changes the board under a table just set up. */
static void lay_board(struct position *p, const char *haz, size_t len)
{
    static struct board board;
    struct hacienda *h = position_of(p);
    struct haz_problem why;
    int waters = 0;

    if (!haz_parse(&board, NULL, haz, len, &why))
        wrong(why.rule, haz_sentence(why.rule));
    h->cols = board.cols;
    h->rows = board.rows;
    for (int hex = 0; hex < BOARD_HEXES_MAX; hex++) {
        bool water = board.ground[hex] == GROUND_WATER;
        h->ground[hex] = board.ground[hex];
        h->tile[hex] = water ? TILE_WATER : TILE_NONE;
        h->owner[hex] = HACIENDA_NOBODY;
        h->water[hex] = water ? (uint8_t)waters++ : HACIENDA_NOBODY;
    }
    ASSERT(waters == h->water_tiles && position_valid(p));
}

void position_setup(struct position *p, const struct position_table *t)
{
    struct rules_problem why;

    memset(p, 0, sizeof(*p));
    p->options[0] = t->variant1;
    p->options[1] = t->variant2;
    p->options[2] = t->crucible;
    p->setup = (struct rules_setup){
        .seats = t->seats != 0 ? t->seats : 2,
        .options = p->options,
        .asset_name = t->name,
    };
    size_t len = 0;
    if (t->board != NULL)
        len = position_haz(t->board, p->haz, sizeof(p->haz));
    if (len > 0 && !t->crucible) {
        p->setup.asset = p->haz;
        p->setup.asset_len = len;
    }
    if (rules_setup(R, &p->any.state, &p->setup, &why) != RULES_OK)
        wrong(why.rule, why.text);
    if (len > 0 && t->crucible)
        lay_board(p, p->haz, len);
    count_cards(t->keep, p->keep);
}

/* One of the cards still WANTED that chance can draw now; then any. */
static void deal_one(struct position *p, int *wanted, enum hacienda_stack of)
{
    for (int card = 0; card < CARDS; card++)
        if (wanted[card] > 0 && card_stack(card) == of) {
            wanted[card]--;
            position_draw(p, card);
            return;
        }
    position_draw(p, -1);
}

static void deal_hands(struct position *p, const struct position_table *t)
{
    const struct hacienda *h = position_of(p);
    int hand[HACIENDA_SEATS_MAX][CARDS] = {{0}};
    int land = h->crucible ? 2 : 8, animals = h->crucible ? 2 : 4;

    for (int seat = 0; seat < h->base.seats; seat++) {
        count_cards(t->hand[seat], hand[seat]);
        count_cards(t->hand[seat], p->keep);
    }
    for (int seat = 0; seat < h->base.seats; seat++) {
        for (int i = 0; i < land; i++)
            deal_one(p, hand[seat], STACK_LAND);
        for (int i = 0; i < animals; i++)
            deal_one(p, hand[seat], STACK_ANIMALS);
        for (int card = 0; card < CARDS; card++)
            if (hand[seat][card] > 0)
                wrong("too many cards in a hand", t->hand[seat]);
    }
}

static void deal_display(struct position *p, const char *display)
{
    const struct hacienda *h = position_of(p);
    int slots = h->crucible ? 3 : 4, card, count;
    char text[256];

    for (enum hacienda_stack of = STACK_LAND; of < STACKS; of++) {
        int n = 0;
        const char *at = strcpy(text, display != NULL ? display : "");
        while (next_cards(&at, &card, &count))
            for (; count > 0 && card_stack(card) == of; count--, n++)
                position_draw(p, card);
        for (; n < slots; n++)
            position_draw(p, -1);
    }
}

void position_start(struct position *p, const struct position_table *t)
{
    struct rules_move start = RULES_MOVE(NATURE_START, t->start, RULES_NONE,
                                         RULES_NONE);

    position_setup(p, t);
    count_cards(t->display, p->keep);
    play(p, RULES_NATURE, &start);
    while (position_of(p)->spares > 0 ||
           position_of(p)->open[GROUND_RANDOM] > 0)
        position_draw(p, -1);
    deal_hands(p, t);
    deal_display(p, t->display);
    ASSERT(position_of(p)->round == 1);
}

/* ---- a well-known position --------------------------------------------- */

void position_chips_out(struct position *p)
{
    static const char *const pair[][2] = {
        {"A1", "A2"},   {"A4", "A5"}, {"A7", "A8"}, {"A10", "A11"},
        {"A13", "A14"}, {"C1", "C2"}, {"C4", "C5"}, {"C7", "C8"},
    };
    static const char pairs[] = "f . . f . - f . - f . - f .\n"
                                " - - - - - - - - - - - - - -\n"
                                "f . - f . - f . - f . - m m\n"
                                " - - - - - - - - - - - - - -\n"
                                "m m - $";
    char text[60];
    position_start(p, &(struct position_table){
                          .board = pairs,
                          .hand = {"forest*8", "mountain*4"},
                          .keep = "forest pampas*10",
                      });
    for (size_t i = 0; i < 8; i++) {
        snprintf(text, sizeof(text), "forest %s, pampas %s", pair[i][0],
                 pair[i][1]);
        position_put(p, 0, text);
        snprintf(text, sizeof(text), "harvest hex=%s", pair[i][i % 2]);
        position_go(p, 0, text);
        ASSERT(position_of(p)->chips_left == 7 - i);
    }
    position_put(p, 0, "forest C10, pampas C11");
    position_turn(p, 1);
    position_put(p, 1,
                 "mountain C13, mountain C14, mountain E1, "
                 "mountain E2");
    ASSERT(position_valid(p));
}

/* ---- looking ---------------------------------------------------------- */

int32_t position_money(struct position *p, int seat)
{
    return position_of(p)->player[seat].money;
}

int32_t position_points(struct position *p, int part, int seat)
{
    struct rules_score score;
    rules_score(R, &p->any.state, &score);
    return score.parts >> part & 1 ? score.part[part][seat] : 0;
}

int32_t position_total(struct position *p, int seat)
{
    struct rules_score score;
    rules_score(R, &p->any.state, &score);
    return score.total[seat];
}

size_t position_legal(struct position *p, int seat, int verb)
{
    static struct rules_choice choice[RULES_MOVES_MAX];
    return rules_legal(R, &p->any.state, seat, verb, choice, RULES_MOVES_MAX);
}

const struct rules_event *position_event(const struct rules_events *events,
                                         int kind, size_t nth)
{
    for (size_t i = 0; i < events->count; i++)
        if (events->at[i].kind == kind && nth-- == 0)
            return &events->at[i];
    return NULL;
}
