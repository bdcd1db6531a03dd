#include <string.h>

#include "clients/common/lang.h"
#include "core/base.h"
#include "hadara_ui.h"
#include "protocol/sbuf_printf.h"

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

/* What cannot be paid is worth seeing, too: before selling the same. */
static size_t add_dear(const struct rules *r, const struct rules_state *view,
                       int seat, struct hadara_choice *out, size_t n)
{
    struct rules_move dear[HUES];
    int count = hadara_dear(view, seat, dear);

    for (int i = 0; i < count; i++) {
        size_t at = 0;
        if (known(out, n, &dear[i]))
            continue;
        while (at < n && out[at].move.arg[0] != dear[i].arg[0])
            at++;
        memmove(&out[at + 1], &out[at], (n++ - at) * sizeof(out[0]));
        out[at] = (struct hadara_choice){dear[i],
                                         rules_check(r, view, seat, &dear[i])};
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

static void say_keep(struct sbuf *t, const struct hadara *h, int seat,
                     const struct rules_move *move)
{
    const struct hadara_player *p = &h->player[seat];
    int card = hadara_kept(h, seat, move);
    char name[40];

    if (card == HADARA_NOTHING)
        return;
    (void)hadara_card_name(card, name);
    if (move->arg[1] == KEEP_SELL) {
        sbuf_printf(t, _("sell %s for %d$"), name, hadara_sale(h, p));
        return;
    }
    sbuf_printf(t, _("buy %s for %d$"), name, hadara_cost(h, p, card));
    if (move->arg[2] != RULES_NONE)
        sbuf_printf(t, ", %s", hadara_track(move->arg[2]));
}

static void say_colony(struct sbuf *t, const struct hadara *h,
                       const struct rules_move *move)
{
    const struct hadara_level *front =
        &hadara_tables(h)->level[move->arg[0] - 1];

    if (move->arg[1] == MODE_PLUNDER)
        sbuf_printf(t, _("plunder %d for +%d$"), front->requirement,
                    front->plunder);
    else
        sbuf_printf(t, _("integrate %d for %d$"), front->requirement,
                    front->integrate);
    if (move->arg[2] > 0)
        sbuf_printf(t, _(", pay %d$"), move->arg[2]);
}

static void say_carve(struct sbuf *t, const struct hadara *h, int seat,
                      const struct rules_move *move)
{
    int statue = move->arg[0] - 1;
    int bonus = hadara_bonus(h, &h->player[seat], statue);
    const char *track = hadara_track(move->arg[1]);

    sbuf_printf(t, _("carve %d"),
                hadara_tables(h)->statue[statue].requirement);
    if (move->arg[2] == FACE_UP)
        sbuf_printf(t, ", %s +%d", track, bonus);
    else
        sbuf_printf(t, ", +%dp, %s", bonus, track);
    if (move->arg[3] > 0)
        sbuf_printf(t, _(", pay %d$"), move->arg[3]);
}

void hadara_move_words(const struct rules_state *view, int seat,
                       const struct rules_move *move, char *buf, size_t cap)
{
    const struct hadara *h = hadara_of(view);
    const struct hadara_player *p = &h->player[seat];
    struct sbuf t = sbuf_in(buf, cap);
    char name[40];

    switch (move->verb) {
    case CHOOSE_SIDE:
        sbuf_printf(&t, _("side %c of setup card %d"), "AB"[move->arg[0]],
                    p -> initiative);
        break;
    case SET_WHEEL:
        sbuf_printf(&t, _("you at %s"),
                    hadara_color(
                        h->ring[(seat + move->arg[0]) % HADARA_STEPS]));
        break;
    case CHOOSE:
    case TAKE: say_keep(&t, h, seat, move); break;
    case TAKE_COLONY: say_colony(&t, h, move); break;
    case CARVE: say_carve(&t, h, seat, move); break;
    case REMOVE:
        sbuf_printf(&t, _("remove %s"), hadara_card_name(move->arg[0], name));
        break;
    case PAY_FEED:
        sbuf_printf(&t,
                    P_("pay %d$ for %d card", "pay %d$ for %d cards",
                       move->arg[0]),
                    2 * move->arg[0], move->arg[0]);
        break;
    case BUY_SILVER:
        sbuf_printf(&t, _("silver, %s, for %d$"), hadara_track(move->arg[0]),
                    hadara_medal_price(h, p, false));
        break;
    case BUY_GOLD:
        sbuf_printf(&t, _("gold medal for %d$"),
                    hadara_medal_price(h, p, true));
        break;
    case PASS: sbuf_puts(&t, _("pass")); break;
    default: sbuf_puts(&t, _("done with this epoch")); break;
    }
}

/* ---- choices told in full ----------------------------------------------- */

static void tell_wheel(struct sbuf *t, const struct table *table,
                       const struct hadara *h, int offset)
{
    for (int i = 0; i < h->base.seats; i++) {
        sbuf_puts(t, i > 0 ? ", " : "");
        sbuf_printf(t, _("%s starts at %s"), table->names[i],
                    hadara_color(h->ring[(i + offset) % HADARA_STEPS]));
    }
    sbuf_printf(t, ". (set_wheel %d)", offset);
}

static void tell_side(struct sbuf *t, const struct hadara *h, int seat,
                      int side)
{
    const struct hadara_setup *s =
        &hadara_tables(h)->setup[h->player[seat].initiative - 1][side];

    sbuf_printf(t, P_("%d coin; ", "%d coins; ", s->coins), s->coins);
    (void)hadara_say_values(t, s->value);
    sbuf_printf(t, ". %s", _("Hidden until all have chosen."));
}

static void tell_colony(struct sbuf *t, const struct hadara *h,
                        const struct rules_move *move)
{
    const struct hadara_level *front =
        &hadara_tables(h)->level[move->arg[0] - 1];

    if (move->arg[1] == MODE_PLUNDER)
        sbuf_printf(t,
                    P_("Level %d: %d coin now, %d points.",
                       "Level %d: %d coins now, %d points.", front->plunder),
                    move->arg[0], front->plunder, front->points);
    else
        sbuf_printf(t,
                    P_("Level %d: %d coin to pay. Then it is turned over: "
                       "what it brings, at first %d points, nobody knows "
                       "before. Final.",
                       "Level %d: %d coins to pay. Then it is turned over: "
                       "what it brings, at first %d points, nobody knows "
                       "before. Final.",
                       front->integrate),
                    move->arg[0], front->integrate, front->points);
}

static void tell_carve(struct sbuf *t, const struct hadara *h, int seat,
                       const struct rules_move *move)
{
    const struct hadara_player *p = &h->player[seat];
    const struct hadara_statue *s =
        &hadara_tables(h)->statue[move->arg[0] - 1];
    int bonus = hadara_bonus(h, p, move->arg[0] - 1);
    const char *track = hadara_track(move->arg[1]);

    sbuf_printf(
        t,
        move->arg[2] == FACE_UP
            ? _("Statue %d: %d points, and with a tile face up %s "
                "+%d.")
            : _("Statue %d: %d points, and with a tile of %s %d points "
                "more."),
        move->arg[0], s->points, track, bonus);
    sbuf_printf(t, _(" Tiles left: %d of %s."), hadara_tiles(p, move->arg[1]),
                track);
}

/* What the verb does, where that is all. */
static const char *told(int verb)
{
    switch (verb) {
    case REMOVE: return _(" No coins for it.");
    case PAY_FEED: return _("So many cards fewer are removed.");
    case BUY_SILVER:
        return _("At the end half the track in points, rounded up.");
    case BUY_GOLD:
        return _("At the end 7 points for each set of five colours.");
    default: return "";
    }
}

void hadara_move_text(const struct table *table,
                      const struct rules_state *view, int seat,
                      const struct rules_move *move, char *buf, size_t cap)
{
    const struct hadara *h = hadara_of(view);
    struct sbuf t = sbuf_in(buf, cap);
    int card = hadara_kept(h, seat, move);
    char name[40], text[300];

    if (card != HADARA_NOTHING) {
        hadara_card_text(h, seat, card, text, sizeof(text));
        sbuf_puts(&t, text);
    }
    switch (move->verb) {
    case CHOOSE_SIDE: tell_side(&t, h, seat, move->arg[0]); break;
    case SET_WHEEL: tell_wheel(&t, table, h, move->arg[0]); break;
    case CHOOSE:
        hadara_card_short(h, seat, move->arg[0], true, text, sizeof(text));
        sbuf_printf(&t, _(" Discards %s (%s)."),
                    hadara_card_name(move->arg[0], name), text);
        break;
    case TAKE_COLONY: tell_colony(&t, h, move); break;
    case CARVE: tell_carve(&t, h, seat, move); break;
    default: sbuf_puts(&t, told(move->verb)); break;
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
