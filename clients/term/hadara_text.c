/* hadara_text.c -- Hadara's moves, cards and numbers as people read them. */

#include <string.h>

#include "core/base.h"
#include "hadara_ui.h"
#include "protocol/sbuf_printf.h"

static const char letters[TRACKS] = {'i', 'm', 'c', 'f'};
static const char *const numerals[] = {"-", "I", "II", "III"};

/* ---- text --------------------------------------------------------------- */

static const char *coins(int n)
{
    return n == 1 ? "coin" : "coins";
}

/* line_of_three: words as words. */
static void say_word(struct sbuf *t, const char *word)
{
    for (; *word != '\0'; word++)
        sbuf_putc(t, *word == '_' ? ' ' : *word);
}

/* ---- cards -------------------------------------------------------------- */

const char *hadara_card_number(int card)
{
    return strchr(hadara_card_words[card], '-') + 1;
}

/* Values above 0, with their names: "culture 2, food 1". */
static int say_values(struct sbuf *t, const uint8_t value[TRACKS])
{
    int n = 0;
    for (int i = 0; i < TRACKS; i++)
        if (value[i] > 0)
            sbuf_printf(t, "%s%s %d", n++ > 0 ? ", " : "",
                        hadara_track_words[i], value[i]);
    return n;
}

void hadara_card_text(const struct hadara *h, int seat, int card, char *buf,
                      size_t cap)
{
    const struct hadara_card *c = &hadara_tables(h)->card[card];
    struct sbuf t = sbuf_in(buf, cap);

    sbuf_printf(&t, "%s: costs %d", hadara_card_words[card], c->cost);
    if (seat < h->base.seats && h->epoch > 0 &&
        hadara_cost(h, &h->player[seat], card) != c->cost)
        sbuf_printf(&t, ", for you %d",
                    hadara_cost(h, &h->player[seat], card));
    sbuf_puts(&t, "; ");
    if (say_values(&t, c->value) > 0)
        sbuf_puts(&t, "; ");
    sbuf_printf(&t, "%d point%s.", c->points, c->points == 1 ? "" : "s");
    if (c->effect != HADARA_NOTHING) {
        sbuf_puts(&t, " ");
        say_word(&t, hadara_effect_words[c->effect]);
        sbuf_printf(&t, ": %s", hadara_effect_texts[c->effect]);
    }
}

void hadara_card_short(const struct hadara *h, int seat, int card, bool effect,
                       char *buf, size_t cap)
{
    const struct hadara_card *c = &hadara_tables(h)->card[card];
    struct sbuf t = sbuf_in(buf, cap);

    if (seat < h->base.seats)
        sbuf_printf(&t, "%d$ ", hadara_cost(h, &h->player[seat], card));
    for (int i = 0; i < TRACKS; i++)
        if (c->value[i] > 0)
            sbuf_printf(&t, "%c%d ", letters[i], c->value[i]);
    sbuf_printf(&t, "%dp", c->points);
    if (effect && c->effect != HADARA_NOTHING) {
        sbuf_puts(&t, " ");
        say_word(&t, hadara_effect_words[c->effect]);
    }
}

/* ---- boards ------------------------------------------------------------- */

const char *const hadara_source_words[] = {
    "setup", "cards", "colonies", "tiles", "effects",
};

static void add(int32_t *to, const uint8_t value[TRACKS])
{
    for (int i = 0; i < TRACKS; i++)
        to[i] += value[i];
}

/* A tile on a card or statue gives what the rules say it gives: all that is
 * not setup, card or colony is a tile's, or an effect's that counts cards. */
void hadara_sources(const struct hadara *h, const struct hadara_player *p,
                    int32_t from[SOURCES][TRACKS])
{
    static const uint8_t per_color[][3] = {
        {EFFECT_CULTURE_PER_BLUE, TRACK_CULTURE, HUE_BLUE},
        {EFFECT_INCOME_PER_YELLOW, TRACK_INCOME, HUE_YELLOW},
        {EFFECT_FOOD_PER_GREEN, TRACK_FOOD, HUE_GREEN},
        {EFFECT_MILITARY_PER_RED, TRACK_MILITARY, HUE_RED},
    };
    const struct hadara_tables *t = hadara_tables(h);
    int32_t all[TRACKS];

    memset(from, 0, SOURCES * sizeof(from[0]));
    if (h->epoch > 0)
        add(from[FROM_SETUP], t->setup[p->initiative - 1][p->side].value);
    for (int i = 0; i < p->cards; i++)
        add(from[FROM_CARDS], t->card[p->card[i]].value);
    for (int i = 0; i < HADARA_LEVELS; i++)
        if (p->copy[i] != HADARA_NOTHING)
            add(from[FROM_COLONIES], t->back[i][p->copy[i] - 1].value);
    for (size_t i = 0; i < COUNT_OF(per_color); i++)
        from[FROM_EFFECTS][per_color[i][1]] +=
            hadara_effects(h, p, per_color[i][0]) *
            hadara_owned(p, per_color[i][2]);
    hadara_tracks(h, p, all);
    for (int i = 0; i < TRACKS; i++) {
        for (int s = 0; s < SOURCES; s++)
            all[i] -= from[s][i];
        from[FROM_TILES][i] += all[i];
    }
}

void hadara_track_text(const struct hadara *h, const struct hadara_player *p,
                       int track, bool brief, char *buf, size_t cap)
{
    int32_t from[SOURCES][TRACKS], all[TRACKS];
    struct sbuf t = sbuf_in(buf, cap);
    int n = 0;

    hadara_sources(h, p, from);
    hadara_tracks(h, p, all);
    sbuf_printf(&t, "%d", all[track]);
    for (int s = 0; s < SOURCES; s++)
        if (from[s][track] > 0)
            sbuf_printf(&t, brief ? "%s%.3s %d" : "%s%s %d",
                        n++ == 0 ? " = "
                        : brief  ? " "
                                 : " + ",
                        hadara_source_words[s], from[s][track]);
}

/* What a statue does for its tile, or for points. */
static int bonus_of(const struct hadara *h, const struct hadara_player *p,
                    int statue)
{
    return hadara_tables(h)->statue[statue].bonus +
           2 * hadara_effects(h, p, EFFECT_STATUE_BONUS);
}

void hadara_colony_text(const struct hadara *h, const struct hadara_player *p,
                        int level, char *buf, size_t cap)
{
    const struct hadara_level *front = &hadara_tables(h)->level[level];
    struct sbuf t = sbuf_in(buf, cap);

    if (p->copy[level] != HADARA_NOTHING) {
        const struct hadara_back *back =
            &hadara_tables(h)->back[level][p->copy[level] - 1];
        sbuf_puts(&t, "own");
        for (int i = 0; i < TRACKS; i++)
            if (back->value[i] > 0)
                sbuf_printf(&t, " %c%d", letters[i], back->value[i]);
        sbuf_printf(&t, " %dp", back->points);
    } else if (p->colony[level] == MODE_PLUNDER) {
        sbuf_printf(&t, "plundered %dp", front->points);
    } else if (p->colony[level] == MODE_INTEGRATE) {
        sbuf_puts(&t, "integrated");
    } else {
        sbuf_printf(&t, "%d: +%d/-%d$ %dp",
                    hadara_colony_requirement(h, p, level), front->plunder,
                    front->integrate, front->points);
    }
}

void hadara_statue_text(const struct hadara *h, const struct hadara_player *p,
                        int statue, char *buf, size_t cap)
{
    const struct hadara_statue *s = &hadara_tables(h)->statue[statue];
    struct sbuf t = sbuf_in(buf, cap);
    int bonus = bonus_of(h, p, statue);

    if (p->statue_tile[statue] == HADARA_NOTHING)
        sbuf_printf(&t, "%d: %dp, bonus %d",
                    hadara_statue_requirement(h, p, statue), s->points, bonus);
    else if (p->statue_face[statue] == FACE_UP)
        sbuf_printf(&t, "%dp, %s +%d", s->points,
                    hadara_track_words[p->statue_tile[statue]], bonus);
    else
        sbuf_printf(&t, "%dp + %dp (%s)", s->points, bonus,
                    hadara_track_words[p->statue_tile[statue]]);
}

void hadara_tiles_text(const struct hadara_player *p, char *buf, size_t cap)
{
    struct sbuf t = sbuf_in(buf, cap);

    sbuf_puts(&t, "tiles");
    for (int i = 0; i < TRACKS; i++)
        sbuf_printf(&t, " %c%d", letters[i], hadara_tiles(p, i));
    sbuf_puts(&t, "  medals");
    for (int i = 0; i < HADARA_MEDALS; i++)
        if (p->silver[i] != HADARA_NOTHING)
            sbuf_printf(&t, " %s", hadara_track_words[p->silver[i]]);
    for (int i = 0; i < p->golds; i++)
        sbuf_puts(&t, " gold");
    if (p->silver[0] == HADARA_NOTHING && p->golds == 0)
        sbuf_puts(&t, " none");
}

/* ---- where the game stands ---------------------------------------------- */

void hadara_stage_text(const struct hadara *h, char *buf, size_t cap)
{
    static const char *const steps[STAGES] = {
        [STAGE_RING] = "setup",
        [STAGE_DEAL] = "setup",
        [STAGE_SIDES] = "sides of the setup cards",
        [STAGE_WHEEL] = "the wheel",
        [STAGE_CHOOSE] = "cards",
        [STAGE_TAKE] = "piles",
        [STAGE_COLONY] = "colonies",
        [STAGE_STATUE] = "statues",
        [STAGE_FEED] = "feeding and medals",
        [STAGE_OVER] = "over",
    };
    struct sbuf t = sbuf_in(buf, cap);

    if (h->stage == STAGE_OVER || h->epoch == 0) {
        sbuf_printf(&t, "%s", steps[h->stage]);
        return;
    }
    sbuf_printf(&t, "epoch %s, phase %c: %s", numerals[h->epoch],
                "AB"[h->phase], steps[h->stage]);
    if (h->stage == STAGE_CHOOSE)
        sbuf_printf(&t, ", step %d of %d", h->step + 1, HADARA_STEPS);
    if (h->stage == STAGE_TAKE)
        sbuf_printf(&t, ", %d of %d", h->takes / h->base.seats + 1,
                    HADARA_TAKES);
}

static void say_feeding(struct sbuf *t, const struct hadara *h, int seat)
{
    const struct hadara_player *p = &h->player[seat];
    int excess = hadara_excess(h, p);

    if (excess > 0)
        sbuf_printf(t, "too little food: remove %d of %d cards", excess,
                    p->cards);
    else
        sbuf_puts(t, "buy medals, or be done with this epoch");
}

void hadara_task_text(const struct table *table,
                      const struct rules_state *view, int seat, char *buf,
                      size_t cap)
{
    const struct hadara *h = hadara_of(view);
    struct sbuf t = sbuf_in(buf, cap);

    if (seat >= view->seats || !rules_can_move(view, seat)) {
        sbuf_printf(&t, rules_over(view) ? "the game is over" : "wait");
        return;
    }
    switch (h->stage) {
    case STAGE_SIDES: sbuf_puts(&t, "choose a side of your setup card"); break;
    case STAGE_WHEEL: sbuf_puts(&t, "set the wheel: who starts where"); break;
    case STAGE_CHOOSE:
        if (view->acting & RULES_BIT(seat)) {
            sbuf_puts(&t, "keep one of your two cards");
            break;
        }
        sbuf_printf(&t,
                    "you have chosen; you may still change it (waiting for");
        for (int i = 0; i < view->seats; i++)
            if (view->acting & RULES_BIT(i))
                sbuf_printf(&t, " %s", table->names[i]);
        sbuf_puts(&t, ")");
        break;
    case STAGE_TAKE: sbuf_puts(&t, "take the top card of a pile"); break;
    case STAGE_COLONY:
        sbuf_printf(&t, "take a colony, or pass%s",
                    h->again ? " (your second action)" : "");
        break;
    case STAGE_STATUE:
        sbuf_printf(&t, "carve a statue, or pass%s",
                    h->again ? " (your second action)" : "");
        break;
    case STAGE_FEED: say_feeding(&t, h, seat); break;
    default: break;
    }
}

const char *hadara_doing(const struct hadara *h, int seat)
{
    bool waited = h->base.acting & RULES_BIT(seat);

    switch (h->stage) {
    case STAGE_SIDES:
    case STAGE_CHOOSE:
        return h->base.acting & RULES_BIT(RULES_NATURE) ? ""
               : waited                                 ? "chooses"
                                                        : "chosen";
    case STAGE_FEED:
        return !waited                                  ? "done"
               : hadara_excess(h, &h->player[seat]) > 0 ? "feeds"
                                                        : "medals";
    default: return waited ? "to move" : "";
    }
}

/* ---- choices ------------------------------------------------------------ */

static bool known(const struct hadara_choice *choices, size_t n,
                  const struct rules_move *move)
{
    for (size_t i = 0; i < n; i++)
        if (hadara_same_choice(&choices[i].move, move))
            return true;
    return false;
}

/* To pay nothing can be said in two ways; one is enough. */
static bool is_twice(const struct rules_move *move)
{
    return (move->verb == TAKE_COLONY && move->arg[2] == 0) ||
           (move->verb == CARVE && move->arg[3] == 0);
}

/* What cannot be paid is worth seeing, too. */
static size_t add_dear(const struct rules *r, const struct rules_state *view,
                       int seat, struct hadara_choice *out, size_t n)
{
    const struct hadara *h = hadara_of(view);
    const struct hadara_player *p = &h->player[seat];
    int verb = h->stage == STAGE_CHOOSE ? CHOOSE
               : h->stage == STAGE_TAKE ? TAKE
                                        : -1;

    for (int i = 0; verb >= 0 && i < (verb == TAKE ? HUES : 2); i++) {
        int what = verb == TAKE ? i : p->drawn[i];
        if (verb == TAKE ? h->piles[i] == 0 : what == HADARA_NOTHING)
            continue;
        struct rules_move move = RULES_MOVE(verb, what, KEEP_BUY, RULES_NONE);
        int refusal = rules_check(r, view, seat, &move);
        if (refusal == RULES_OK || known(out, n, &move))
            continue;
        size_t at = 0; /* before selling the same */
        while (at < n && out[at].move.arg[0] != what)
            at++;
        memmove(&out[at + 1], &out[at], (n++ - at) * sizeof(out[0]));
        out[at] = (struct hadara_choice){move, refusal};
    }
    return n;
}

size_t hadara_choices(const struct rules *r, const struct rules_state *view,
                      int seat, struct hadara_choice out[HADARA_CHOICES_MAX])
{
    struct rules_choice choices[HADARA_CHOICES_MAX];
    size_t n = 0;

    if (seat >= view->seats || !rules_can_move(view, seat))
        return 0;
    size_t count = rules_legal(r, view, seat, -1, choices, HADARA_CHOICES_MAX);
    ASSERT(count <= HADARA_CHOICES_MAX);
    for (size_t i = 0; i < count; i++) {
        struct rules_move move = choices[i].move;
        int last = choices[i].ranged < 0 ? 0 : choices[i].max - choices[i].min;
        if (is_twice(&move))
            continue;
        for (int k = 0; k <= last && n < HADARA_CHOICES_MAX - HUES; k++) {
            out[n++] = (struct hadara_choice){move, RULES_OK};
            if (choices[i].ranged >= 0)
                move.arg[choices[i].ranged]++;
        }
    }
    return add_dear(r, view, seat, out, n);
}

bool hadara_same_choice(const struct rules_move *a, const struct rules_move *b)
{
    if (a->verb != b->verb)
        return false;
    switch (a->verb) {
    case CHOOSE:
    case TAKE:
    case TAKE_COLONY: return a->arg[0] == b->arg[0] && a->arg[1] == b->arg[1];
    case CARVE: return a->arg[0] == b->arg[0] && a->arg[2] == b->arg[2];
    case PAY_FEED: return true;
    default: return a->arg[0] == b->arg[0];
    }
}

/* The card that the move keeps, or HADARA_NOTHING. */
static int card_of_way(const struct hadara *h, int seat,
                       const struct rules_move *move)
{
    const struct hadara_player *p = &h->player[seat];

    if (move->verb == CHOOSE)
        return p->drawn[p->drawn[0] == move->arg[0]];
    if (move->verb == TAKE && h->piles[move->arg[0]] > 0)
        return h->pile[move->arg[0]][h->piles[move->arg[0]] - 1];
    return move->verb == REMOVE ? move->arg[0] : HADARA_NOTHING;
}

static void say_keep(struct sbuf *t, const struct hadara *h, int seat,
                     const struct rules_move *move)
{
    const struct hadara_player *p = &h->player[seat];
    int card = card_of_way(h, seat, move);

    if (card == HADARA_NOTHING)
        return;
    if (move->arg[1] == KEEP_SELL) {
        sbuf_printf(t, "sell %s for %d$", hadara_card_words[card],
                    hadara_sale(h, p));
        return;
    }
    sbuf_printf(t, "buy %s for %d$", hadara_card_words[card],
                hadara_cost(h, p, card));
    if (move->arg[2] != RULES_NONE)
        sbuf_printf(t, ", %s", hadara_track_words[move->arg[2]]);
}

static void say_colony(struct sbuf *t, const struct hadara *h,
                       const struct rules_move *move)
{
    const struct hadara_level *front =
        &hadara_tables(h)->level[move->arg[0] - 1];

    if (move->arg[1] == MODE_PLUNDER)
        sbuf_printf(t, "plunder %d for +%d$", front->requirement,
                    front->plunder);
    else
        sbuf_printf(t, "integrate %d for %d$", front->requirement,
                    front->integrate);
    if (move->arg[2] > 0)
        sbuf_printf(t, ", pay %d$", move->arg[2]);
}

static void say_carve(struct sbuf *t, const struct hadara *h, int seat,
                      const struct rules_move *move)
{
    int statue = move->arg[0] - 1;
    int bonus = bonus_of(h, &h->player[seat], statue);
    const char *track = hadara_track_words[move->arg[1]];

    sbuf_printf(t, "carve %d, ", hadara_tables(h)->statue[statue].requirement);
    if (move->arg[2] == FACE_UP)
        sbuf_printf(t, "%s +%d", track, bonus);
    else
        sbuf_printf(t, "+%dp, %s", bonus, track);
    if (move->arg[3] > 0)
        sbuf_printf(t, ", pay %d$", move->arg[3]);
}

void hadara_move_words(const struct rules_state *view, int seat,
                       const struct rules_move *move, char *buf, size_t cap)
{
    const struct hadara *h = hadara_of(view);
    const struct hadara_player *p = &h->player[seat];
    struct sbuf t = sbuf_in(buf, cap);

    switch (move->verb) {
    case CHOOSE_SIDE:
        sbuf_printf(&t, "side %s of setup card %d",
                    hadara_side_words[move->arg[0]], p->initiative);
        break;
    case SET_WHEEL:
        sbuf_printf(
            &t, "you at %s",
            hadara_color_words[h->ring[(seat + move->arg[0]) % HADARA_STEPS]]);
        break;
    case CHOOSE:
    case TAKE: say_keep(&t, h, seat, move); break;
    case TAKE_COLONY: say_colony(&t, h, move); break;
    case CARVE: say_carve(&t, h, seat, move); break;
    case REMOVE:
        sbuf_printf(&t, "remove %s", hadara_card_words[move->arg[0]]);
        break;
    case PAY_FEED:
        sbuf_printf(&t, "pay %d$ for %d card%s", 2 * move->arg[0],
                    move->arg[0], move->arg[0] == 1 ? "" : "s");
        break;
    case BUY_SILVER:
        sbuf_printf(&t, "silver, %s, for %d$",
                    hadara_track_words[move->arg[0]],
                    hadara_medal_price(h, p, false));
        break;
    case BUY_GOLD:
        sbuf_printf(&t, "gold medal for %d$", hadara_medal_price(h, p, true));
        break;
    case PASS: sbuf_puts(&t, "pass"); break;
    default: sbuf_puts(&t, "done with this epoch"); break;
    }
}

/* ---- choices told in full ----------------------------------------------- */

static void tell_wheel(struct sbuf *t, const struct table *table,
                       const struct hadara *h, int offset)
{
    for (int i = 0; i < h->base.seats; i++)
        sbuf_printf(t, "%s%s starts at %s", i > 0 ? ", " : "", table->names[i],
                    hadara_color_words[h->ring[(i + offset) % HADARA_STEPS]]);
    sbuf_printf(t, ". (set_wheel %d)", offset);
}

static void tell_side(struct sbuf *t, const struct hadara *h, int seat,
                      int side)
{
    const struct hadara_setup *s =
        &hadara_tables(h)->setup[h->player[seat].initiative - 1][side];

    sbuf_printf(t, "%d coins; ", s->coins);
    (void)say_values(t, s->value);
    sbuf_puts(t, ". Hidden until all have chosen.");
}

static void tell_colony(struct sbuf *t, const struct hadara *h,
                        const struct rules_move *move)
{
    const struct hadara_level *front =
        &hadara_tables(h)->level[move->arg[0] - 1];

    if (move->arg[1] == MODE_PLUNDER)
        sbuf_printf(t, "Level %d: %d %s now, %d points.", move->arg[0],
                    front->plunder, coins(front->plunder), front->points);
    else
        sbuf_printf(
            t,
            "Level %d: %d %s to pay. Then it is turned over: what it brings, at "
            "first %d points, nobody knows before. Final.",
            move->arg[0], front->integrate, coins(front->integrate),
            front->points);
}

static void tell_carve(struct sbuf *t, const struct hadara *h, int seat,
                       const struct rules_move *move)
{
    const struct hadara_player *p = &h->player[seat];
    const struct hadara_statue *s =
        &hadara_tables(h)->statue[move->arg[0] - 1];
    int bonus = bonus_of(h, p, move->arg[0] - 1);

    sbuf_printf(t, "Statue %d: %d points, and with a tile ", move->arg[0],
                s->points);
    if (move->arg[2] == FACE_UP)
        sbuf_printf(t, "face up %s +%d.", hadara_track_words[move->arg[1]],
                    bonus);
    else
        sbuf_printf(t, "of %s %d points more.",
                    hadara_track_words[move->arg[1]], bonus);
    sbuf_printf(t, " Tiles left: %d of %s.", hadara_tiles(p, move->arg[1]),
                hadara_track_words[move->arg[1]]);
}

static void tell_card(struct sbuf *t, const struct hadara *h, int seat,
                      int card)
{
    char text[300];
    hadara_card_text(h, seat, card, text, sizeof(text));
    sbuf_printf(t, "%s", text);
}

void hadara_move_text(const struct table *table,
                      const struct rules_state *view, int seat,
                      const struct rules_move *move, char *buf, size_t cap)
{
    const struct hadara *h = hadara_of(view);
    struct sbuf t = sbuf_in(buf, cap);
    int card = card_of_way(h, seat, move);

    if (card != HADARA_NOTHING)
        tell_card(&t, h, seat, card);
    switch (move->verb) {
    case CHOOSE_SIDE: tell_side(&t, h, seat, move->arg[0]); break;
    case SET_WHEEL: tell_wheel(&t, table, h, move->arg[0]); break;
    case CHOOSE: {
        char little[100];
        hadara_card_short(h, seat, move->arg[0], true, little, sizeof(little));
        sbuf_printf(&t, " Discards %s (%s).", hadara_card_words[move->arg[0]],
                    little);
        break;
    }
    case TAKE_COLONY: tell_colony(&t, h, move); break;
    case CARVE: tell_carve(&t, h, seat, move); break;
    case REMOVE: sbuf_puts(&t, " No coins for it."); break;
    case PAY_FEED: sbuf_puts(&t, "So many cards fewer are removed."); break;
    case BUY_SILVER:
        sbuf_puts(&t, "At the end half the track in points, rounded up.");
        break;
    case BUY_GOLD:
        sbuf_puts(&t, "At the end 7 points for each set of five colours.");
        break;
    default: break;
    }
}

bool hadara_move_chosen(const struct rules_state *view, int seat,
                        const struct rules_move *move)
{
    const struct hadara_player *p = &hadara_of(view)->player[seat];

    return move->verb == CHOOSE && p->discard == move->arg[0] &&
           p->keep == move->arg[1] &&
           (p->tile == HADARA_NOTHING ? RULES_NONE : p->tile) == move->arg[2];
}

bool hadara_move_preview(const struct rules *r, const struct rules_state *view,
                         int seat, const struct rules_move *move,
                         int32_t now[PREVIEWS])
{
    static struct rules_events events;
    static union rules_any after;
    const struct hadara *h = hadara_of(view);
    const struct hadara_player *p = &h->player[seat];

    switch (move->verb) {
    case CHOOSE_SIDE: return hadara_preview_side(h, seat, move->arg[0], now);
    case CHOOSE:
    case TAKE:
        return hadara_preview_card(h, p, card_of_way(h, seat, move),
                                   move->arg[1],
                                   move->arg[2] == RULES_NONE ? HADARA_NOTHING
                                                              : move->arg[2],
                                   now);
    case SET_WHEEL:
    case PASS:
    case DONE: hadara_now(h, p, now); return true;
    default: break;
    }
    memcpy(&after, view, r->state_size);
    if (rules_apply(r, &after.state, seat, move, &events) != RULES_OK)
        return false;
    h = hadara_of(&after.state);
    hadara_now(h, &h->player[seat], now);
    return true;
}
