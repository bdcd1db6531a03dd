#include "hadara_position.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/text.h"

static const struct rules *const R = &hadara_rules;

_Noreturn static void wrong(const char *what, const char *text)
{
    fprintf(stderr, "%s: %s\n", what, text);
    core_panic(__FILE__, __LINE__, what);
}

struct hadara *hd_of(struct hd *p)
{
    return (struct hadara *)&p->any.state;
}

static int word_in(const char *const *words, const char *text, size_t len)
{
    for (int i = 0; words[i] != NULL; i++)
        if (strlen(words[i]) == len && memcmp(words[i], text, len) == 0)
            return i;
    wrong("no such word", text);
}

int hd_card(const char *id)
{
    return word_in(hadara_card_words, id, strlen(id));
}

/* The next word of *TEXT; false at its end. */
static bool next_word(const char **text, const char **word, size_t *len)
{
    if (*text == NULL)
        return false;
    *text += strspn(*text, " ");
    *word = *text;
    *len = strcspn(*text, " ");
    *text += *len;
    return *len > 0;
}

/* ---- making a position ------------------------------------------------ */

static void give_colonies(struct hadara_player *p, const char *text)
{
    const char *word;
    size_t len;
    while (next_word(&text, &word, &len)) {
        int level = word[0] - '1';
        p->colony[level] = len > 1 ? MODE_INTEGRATE : MODE_PLUNDER;
        if (len > 1)
            p->copy[level] = (uint8_t)(word[2] - '0');
    }
}

static void give_statues(struct hadara_player *p, const char *text)
{
    const char *word;
    size_t len;
    while (next_word(&text, &word, &len)) {
        bool points = word[len - 1] == '!';
        p->statue_tile[word[0] - '1'] =
            (uint8_t)word_in(hadara_track_words, word + 1, len - 1 - points);
        p->statue_face[word[0] - '1'] = points ? FACE_POINTS : FACE_UP;
    }
}

static void give(struct hadara *h, int seat, const struct hd_player *from,
                 bool met[HADARA_CARDS])
{
    struct hadara_player *p = &h->player[seat];
    const char *text = from->cards, *word;
    size_t len, n = 0;

    p->initiative = (uint8_t)(from->initiative ? from->initiative : seat + 1);
    p->side = from->side == 'b' ? SIDE_B : SIDE_A;
    p->coins = from->coins;
    p->golds = (uint8_t)from->golds;
    while (next_word(&text, &word, &len)) {
        int card = word_in(hadara_card_words, word, len);
        met[card] = true;
        p->card[p->cards++] = (uint8_t)card;
    }
    give_colonies(p, from->colonies);
    give_statues(p, from->statues);
    text = from->silver;
    while (next_word(&text, &word, &len))
        p->silver[n++] = (uint8_t)word_in(hadara_track_words, word, len);
}

static int spare(const struct hadara *h, int epoch, int color,
                 const bool met[HADARA_CARDS])
{
    /* Not the first ones, which tests like to name. */
    for (int card = HADARA_CARDS - 1; card >= 0; card--)
        if (!met[card] && hadara_card_epoch(card) == epoch &&
            hadara_card_color(card) == color &&
            (h->advanced ||
             !hadara_effect_starred(hadara_tables(h)->card[card].effect)))
            return card;
    wrong("not enough cards", hadara_color_words[color]);
}

/* The tops that the test wants, on cards of the same pile. */
static void fill_piles(struct hadara *h, const char *tops,
                       bool met[HADARA_CARDS])
{
    int wanted[HUES] = {-1, -1, -1, -1, -1};
    const char *word;
    size_t len;

    while (next_word(&tops, &word, &len)) {
        int card = word_in(hadara_card_words, word, len);
        wanted[hadara_card_color(card)] = card;
        met[card] = true;
    }
    for (int color = 0; color < HUES; color++)
        for (int i = 0; i < h->base.seats; i++) {
            bool top = i == h->base.seats - 1;
            int card = top && wanted[color] >= 0
                           ? wanted[color]
                           : spare(h, h->epoch, color, met);
            met[card] = true;
            h->pile[color][h->piles[color]++] = (uint8_t)card;
        }
}

/* Puts cards that were drawn and are nowhere out of the game. */
static void fill_gone(struct hadara *h, bool met[HADARA_CARDS])
{
    for (int epoch = 1; epoch <= h->epoch; epoch++)
        for (int color = 0; color < HUES; color++) {
            int n = 2 * h->base.seats;
            if (epoch == h->epoch)
                n -= hadara_deck(h, color);
            for (int card = 0; card < HADARA_CARDS; card++)
                n -= met[card] && hadara_card_epoch(card) == epoch &&
                     hadara_card_color(card) == color;
            for (; n > 0; n--) {
                int card = spare(h, epoch, color, met), e = epoch - 1;
                int at = h->gones[e]++;
                met[card] = true;
                for (; at > 0 && h->gone[e][at - 1] > card; at--)
                    h->gone[e][at] = h->gone[e][at - 1];
                h->gone[e][at] = (uint8_t)card;
            }
        }
}

static void set_course(struct hadara *h, const struct hd_table *t)
{
    bool cards = t->stage == STAGE_COLONY || t->stage == STAGE_STATUE;

    for (int i = 0; i < HADARA_STEPS; i++)
        h->ring[i] = (uint8_t)i;
    h->stage = (uint8_t)t->stage;
    h->epoch = (uint8_t)(t->epoch ? t->epoch : 1);
    h->phase = (uint8_t)(t->stage == STAGE_TAKE || t->stage == STAGE_FEED
                             ? 1
                             : t->phase);
    if (t->stage != STAGE_WHEEL) {
        h->offset = 0;
        h->step = HADARA_STEPS;
    }
    if (t->stage == STAGE_FEED || (cards && h->phase == 1))
        h->takes = (uint8_t)(HADARA_TAKES * h->base.seats);
    h->turn = (uint8_t)(cards ? t->turn : hadara_first(h, h->epoch));
    h->base.acting = RULES_BIT(h->turn);
    if (t->stage == STAGE_FEED) {
        h->base.acting = (uint16_t)(RULES_BIT(h->base.seats) - 1);
        h->turn = HADARA_NOTHING;
    }
}

void hd_start(struct hd *p, const struct hd_table *t)
{
    static const uint8_t seed[RNG_SEED_SIZE] = "hadara";
    struct hadara *h = hd_of(p);
    bool met[HADARA_CARDS] = {false};

    memset(p, 0, sizeof(*p));
    rng_init(&p->rng, seed, 1);
    p->options[0] = t->advanced;
    struct rules_setup setup = {
        .seats = t->seats ? t->seats : 2,
        .revision = (uint16_t)t->revision,
        .options = p->options,
    };
    if (rules_setup(R, &p->any.state, &setup, NULL) != RULES_OK)
        wrong("setup", "");
    if (t->stage != STAGE_RING) {
        if (t->tables != NULL) {
            h->version = 0;
            h->own = *t->tables;
        }
        for (int seat = 0; seat < h->base.seats; seat++)
            give(h, seat, &t->player[seat], met);
        set_course(h, t);
        if (t->stage == STAGE_TAKE ||
            (t->stage != STAGE_WHEEL && h->phase == 0))
            fill_piles(h, t->piles, met);
        fill_gone(h, met);
        if (!rules_valid(R, &p->any.state))
            wrong("position", "not valid");
    }
    p->start = p->any;
}

void hd_start_last(struct hd *p, const struct hd_player *own)
{
    struct hd_table t = {
        .seats = HADARA_SEATS_MAX,
        .stage = STAGE_FEED,
        .epoch = 3,
        .advanced = true,
        .player = {*own, {.initiative = 1}},
    };

    t.player[0].initiative = 2;
    hd_start(p, &t);
}

/* ---- playing ---------------------------------------------------------- */

/* A state is what its bytes are: nothing is left out of them. */
static void bytes_hold(const struct rules_state *s)
{
    static uint8_t bytes[2 * RULES_STATE_MAX];
    union rules_any back;
    size_t len = rules_encode(R, s, bytes, sizeof(bytes));
    if (rules_decode(R, &back.state, bytes, len) != RULES_OK ||
        memcmp(&back, s, R->state_size) != 0)
        wrong("bytes", "do not hold the state");
}

static void log_ply(struct hd *p, int seat, const struct rules_move *move,
                    const struct rules_events *events)
{
    if (p->plies == HD_PLIES)
        wrong("too many plies", "");
    p->log[p->plies] = (struct rules_ply){(uint16_t)seat, *move};
    p->done[p->plies++] = (struct rules_done){(uint16_t)seat, events->flags};
    if (!rules_valid(R, &p->any.state))
        wrong("not valid", R->verbs[move->verb].name);
    bytes_hold(&p->any.state);
}

/* The first wanted card of that deck, taken off the list, or -1. */
static int wanted(struct hd *p, int epoch, int color)
{
    for (size_t i = 0; i < p->wants; i++) {
        int card = p->want[i];
        if (hadara_card_epoch(card) != epoch ||
            hadara_card_color(card) != color)
            continue;
        memmove(&p->want[i], &p->want[i + 1], p->wants - i - 1);
        p->wants--;
        return card;
    }
    return -1;
}

static bool still_wanted(const struct hd *p, int card)
{
    for (size_t i = 0; i < p->wants; i++)
        if (p->want[i] == card)
            return true;
    return false;
}

static void steer(struct hd *p, struct rules_move *move)
{
    struct hadara *h = hd_of(p);
    if (move->verb == NATURE_DRAW) {
        int color = hadara_segment(h, h->draws, h->step);
        int first = wanted(p, h->epoch, color);
        int second = first < 0 ? -1 : wanted(p, h->epoch, color);
        struct rules_move any = *move;
        for (int tries = 0; tries < 1000; tries++) {
            *move = any;
            if (first >= 0)
                move->arg[1] = (int16_t)first;
            if (second >= 0)
                move->arg[2] = (int16_t)second;
            if (move->arg[1] != move->arg[2] &&
                !still_wanted(p, move->arg[1]) &&
                !still_wanted(p, move->arg[2]))
                return;
            rules_chance(R, &p->any.state, &p->rng, &any);
        }
    }
    if (move->verb == NATURE_COLONY && p->want_copy > 0)
        move->arg[1] = (int16_t)p->want_copy;
    if (move->verb == NATURE_SETUP && p->want_setup[move->arg[0]] > 0)
        move->arg[1] = (int16_t)p->want_setup[move->arg[0]];
    if (move->verb == NATURE_RING)
        for (int i = 0; i < HADARA_STEPS; i++)
            move->arg[i] = (int16_t)i;
}

static void nature(struct hd *p)
{
    struct rules_events events;
    while (p->any.state.acting & RULES_BIT(RULES_NATURE)) {
        struct rules_move move;
        rules_chance(R, &p->any.state, &p->rng, &move);
        steer(p, &move);
        if (rules_apply(R, &p->any.state, RULES_NATURE, &move, &events) !=
            RULES_OK)
            wrong("nature cannot", R->verbs[move.verb].name);
        log_ply(p, RULES_NATURE, &move, &events);
    }
}

void hd_new(struct hd *p, int seats, bool advanced)
{
    hd_start(p, &(struct hd_table){.seats = seats, .advanced = advanced});
    for (int seat = 0; seat < seats; seat++)
        p->want_setup[seat] = seat + 1;
    nature(p);
}

void hd_want(struct hd *p, const char *cards)
{
    const char *word;
    size_t len;
    while (next_word(&cards, &word, &len))
        p->want[p->wants++] = (uint8_t)word_in(hadara_card_words, word, len);
}

static int read_move(struct hd *p, const char *text, struct rules_move *move)
{
    size_t at;
    return text_move_read(R, &p->any.state, text, strlen(text), move, &at);
}

const char *hd_why(struct hd *p, int seat, const char *text)
{
    struct rules_events events;
    struct rules_move move;
    union rules_any after = p->any;

    int refusal = read_move(p, text, &move);
    if (refusal == RULES_OK)
        refusal = rules_check(R, &p->any.state, seat, &move);
    if (refusal != RULES_OK &&
        (rules_apply(R, &after.state, seat, &move, &events) == RULES_OK ||
         rules_hash(R, &after.state) != rules_hash(R, &p->any.state)))
        wrong("refused, but played", text);
    return rules_reason(R, refusal);
}

void hd_do(struct hd *p, int seat, const char *text)
{
    struct rules_move move;

    if (read_move(p, text, &move) != RULES_OK)
        wrong("not a move", text);
    int refusal = rules_apply(R, &p->any.state, seat, &move, &p->events);
    if (refusal != RULES_OK) {
        fprintf(stderr, "%s: ", rules_reason(R, refusal));
        wrong("refused", text);
    }
    log_ply(p, seat, &move, &p->events);
    nature(p);
}

void hd_until(struct hd *p, enum hadara_stage stage)
{
    while (hd_of(p)->stage != stage && !rules_over(&p->any.state)) {
        struct rules_move move;
        int seat = __builtin_ctz(p->any.state.acting);
        char text[RULES_TEXT_MAX];
        rules_default_move(R, &p->any.state, seat, &move);
        text_move(R, &p->any.state, &move, text, sizeof(text));
        hd_do(p, seat, text);
    }
}

const char *hd_undo(struct hd *p, int seat)
{
    struct rules_events events;
    size_t at, plies = p->plies;
    enum rules_undo answer = rules_undo(p->done, p->plies, seat, &at);

    if (answer != RULES_UNDO_YES)
        return rules_undo_word(answer);
    p->any = p->start;
    p->plies = 0;
    for (size_t i = 0; i < plies; i++) {
        struct rules_ply ply = p->log[i];
        if (i == at)
            continue;
        if (rules_apply(R, &p->any.state, ply.seat, &ply.move, &events) !=
            RULES_OK)
            wrong("cannot be replayed", R->verbs[ply.move.verb].name);
        log_ply(p, ply.seat, &ply.move, &events);
    }
    return "yes";
}

/* ---- looking ---------------------------------------------------------- */

int hd_coins(struct hd *p, int seat)
{
    return hd_of(p)->player[seat].coins;
}

int hd_track(struct hd *p, int seat, enum hadara_track track)
{
    int32_t value[TRACKS];
    hadara_tracks(hd_of(p), &hd_of(p)->player[seat], value);
    return value[track];
}

int hd_part(struct hd *p, int seat, enum hadara_part part)
{
    struct rules_score score;
    rules_score(R, &p->any.state, &score);
    return score.part[part][seat];
}

int hd_points(struct hd *p, int seat)
{
    return hd_part(p, seat, PART_CARDS) + hd_part(p, seat, PART_COLONIES) +
           hd_part(p, seat, PART_STATUES);
}

int hd_value(struct hd *p, int seat)
{
    struct rules_score score;
    rules_score(R, &p->any.state, &score);
    return score.total[seat];
}

bool hd_acts(struct hd *p, int seat)
{
    return (p->any.state.acting & RULES_BIT(seat)) != 0;
}

bool hd_owns(struct hd *p, int seat, const char *card)
{
    const struct hadara_player *q = &hd_of(p)->player[seat];
    for (int i = 0; i < q->cards; i++)
        if (q->card[i] == hd_card(card))
            return true;
    return false;
}

size_t hd_legal(struct hd *p, int seat, int verb)
{
    return rules_legal(R, &p->any.state, seat, verb, NULL, 0);
}

const struct hadara *hd_view(struct hd *p, int viewer, union rules_any *room)
{
    rules_view(R, &p->any.state, viewer, &room->state);
    return (const struct hadara *)&room->state;
}
