#include <string.h>

#include "clients/common/lang.h"
#include "core/base.h"
#include "hadara_ui.h"
#include "protocol/sbuf_printf.h"

static const char *const numerals[] = {"-", "I", "II", "III"};

/* ---- words -------------------------------------------------------------- */

const char *hadara_color(int color)
{
    return layout_word(&hadara_rules, "color", color,
                       hadara_color_words[color]);
}

const char *hadara_track(int track)
{
    return layout_word(&hadara_rules, "track", track,
                       hadara_track_words[track]);
}

/* A track in a letter. */
static char letter(int track)
{
    return _("imcf")[track]; /* income, military, culture, food */
}

const char *hadara_card_name(int card, char buf[40])
{
    (void)snprintf(buf, 40, "%s-%s", hadara_color(hadara_card_color(card)),
                   hadara_card_number(card));
    return buf;
}

/* An effect in a word or two. */
static const char *effect_name(int effect)
{
    static const char *const says[] = {
        [EFFECT_SELL_BONUS] = N_("sell bonus"),
        [EFFECT_BONUS_TILE] = N_("bonus tile"),
        [EFFECT_CULTURE_PER_BLUE] = N_("culture per blue"),
        [EFFECT_INCOME_PER_YELLOW] = N_("income per yellow"),
        [EFFECT_FOOD_PER_GREEN] = N_("food per green"),
        [EFFECT_MILITARY_PER_RED] = N_("military per red"),
        [EFFECT_COLONY_COINS] = N_("colony coins"),
        [EFFECT_MEDAL_DISCOUNT] = N_("medal discount"),
        [EFFECT_INCOME_PER_HIGHER_TRACK] = N_("income per higher track"),
        [EFFECT_FOOD_SURPLUS_COINS] = N_("food surplus coins"),
        [EFFECT_STATUE_BONUS] = N_("statue bonus"),
        [EFFECT_FEED_WITH_COINS] = N_("feed with coins"),
        [EFFECT_SILVER_FULL] = N_("silver full"),
        [EFFECT_SET_POINTS] = N_("set points"),
        [EFFECT_REQUIREMENT_MINUS_4] = N_("requirement minus 4"),
        [EFFECT_WILD_COLOUR] = N_("wild colour"),
        [EFFECT_DOUBLE_STEP] = N_("double step"),
        [EFFECT_PAY_REQUIREMENT] = N_("pay requirement"),
    };

    return _(says[effect]);
}

/* ---- cards -------------------------------------------------------------- */

const char *hadara_card_number(int card)
{
    return strchr(hadara_card_words[card], '-') + 1;
}

int hadara_say_values(struct sbuf *t, const uint8_t value[TRACKS])
{
    int n = 0;
    for (int i = 0; i < TRACKS; i++)
        if (value[i] > 0)
            sbuf_printf(t, "%s%s %d", n++ > 0 ? ", " : "", hadara_track(i),
                        value[i]);
    return n;
}

void hadara_card_text(const struct hadara *h, int seat, int card, char *buf,
                      size_t cap)
{
    const struct hadara_card *c = &hadara_tables(h)->card[card];
    struct sbuf t = sbuf_in(buf, cap);
    char name[40];

    sbuf_printf(&t, _("%s: costs %d"), hadara_card_name(card, name), c->cost);
    if (seat < h->base.seats && h->epoch > 0 &&
        hadara_cost(h, &h->player[seat], card) != c->cost)
        sbuf_printf(&t, _(", for you %d"),
                    hadara_cost(h, &h->player[seat], card));
    sbuf_puts(&t, "; ");
    if (hadara_say_values(&t, c->value) > 0)
        sbuf_puts(&t, "; ");
    sbuf_printf(&t, P_("%d point.", "%d points.", c->points), c->points);
    if (c->effect != HADARA_NOTHING)
        sbuf_printf(&t, " %s: %s", effect_name(c->effect),
                    layout_word(&hadara_rules, "effect", c->effect, ""));
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
            sbuf_printf(&t, "%c%d ", letter(i), c->value[i]);
    sbuf_printf(&t, "%dp", c->points);
    if (effect && c->effect != HADARA_NOTHING)
        sbuf_printf(&t, " %s", effect_name(c->effect));
}

/* ---- boards ------------------------------------------------------------- */

/* Where a track's number comes from: in a word, and in three letters. */
static const char *const sources[SOURCES][2] = {
    [FROM_SETUP] = {N_("setup"), N_("set")},
    [FROM_CARDS] = {N_("cards"), N_("car")},
    [FROM_COLONIES] = {N_("colonies"), N_("col")},
    [FROM_TILES] = {N_("tiles"), N_("til")},
    [FROM_EFFECTS] = {N_("effects"), N_("eff")},
};

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
            sbuf_printf(&t, "%s%s %d",
                        n++ == 0 ? " = "
                        : brief  ? " "
                                 : " + ",
                        _(sources[s][brief]), from[s][track]);
}

int hadara_bonus(const struct hadara *h, const struct hadara_player *p,
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
        sbuf_puts(&t, _("own"));
        for (int i = 0; i < TRACKS; i++)
            if (back->value[i] > 0)
                sbuf_printf(&t, " %c%d", letter(i), back->value[i]);
        sbuf_printf(&t, " %dp", back->points);
    } else if (p->colony[level] == MODE_PLUNDER) {
        sbuf_printf(&t, _("plundered %dp"), front->points);
    } else if (p->colony[level] == MODE_INTEGRATE) {
        sbuf_puts(&t, _("integrated"));
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
    int bonus = hadara_bonus(h, p, statue);

    if (p->statue_tile[statue] == HADARA_NOTHING)
        sbuf_printf(&t, _("%d: %dp, bonus %d"),
                    hadara_statue_requirement(h, p, statue), s->points, bonus);
    else if (p->statue_face[statue] == FACE_UP)
        sbuf_printf(&t, "%dp, %s +%d", s->points,
                    hadara_track(p->statue_tile[statue]), bonus);
    else
        sbuf_printf(&t, "%dp + %dp (%s)", s->points, bonus,
                    hadara_track(p->statue_tile[statue]));
}

void hadara_tiles_text(const struct hadara_player *p, char *buf, size_t cap)
{
    struct sbuf t = sbuf_in(buf, cap);

    sbuf_puts(&t, _("tiles"));
    for (int i = 0; i < TRACKS; i++)
        sbuf_printf(&t, " %c%d", letter(i), hadara_tiles(p, i));
    bool none = p->silver[0] == HADARA_NOTHING && p->golds == 0;
    sbuf_printf(&t, "  %s", none ? _("medals none") : _("medals"));
    for (int i = 0; i < HADARA_MEDALS; i++)
        if (p->silver[i] != HADARA_NOTHING)
            sbuf_printf(&t, " %s", hadara_track(p->silver[i]));
    for (int i = 0; i < p->golds; i++)
        sbuf_printf(&t, " %s", _("gold"));
}

/* ---- where the game stands ---------------------------------------------- */

void hadara_stage_text(const struct hadara *h, char *buf, size_t cap)
{
    static const char *const steps[STAGES] = {
        [STAGE_RING] = N_("setup"),
        [STAGE_DEAL] = N_("setup"),
        [STAGE_SIDES] = N_("sides of the setup cards"),
        [STAGE_WHEEL] = N_("the wheel"),
        [STAGE_CHOOSE] = N_("cards"),
        [STAGE_TAKE] = N_("piles"),
        [STAGE_COLONY] = N_("colonies"),
        [STAGE_STATUE] = N_("statues"),
        [STAGE_FEED] = N_("feeding and medals"),
        [STAGE_OVER] = N_("over"),
    };
    const char *step = _(steps[h->stage]);
    struct sbuf t = sbuf_in(buf, cap);

    if (h->stage == STAGE_OVER || h->epoch == 0) {
        sbuf_puts(&t, step);
        return;
    }
    sbuf_printf(&t, _("epoch %s, phase %c: %s"), numerals[h->epoch],
                "AB"[h->phase], step);
    if (h->stage == STAGE_CHOOSE)
        sbuf_printf(&t, _(", step %d of %d"), h->step + 1, HADARA_STEPS);
    if (h->stage == STAGE_TAKE)
        sbuf_printf(&t, _(", %d of %d"), h->takes / h->base.seats + 1,
                    HADARA_TAKES);
}

static void say_feeding(struct sbuf *t, const struct hadara *h, int seat)
{
    const struct hadara_player *p = &h->player[seat];
    int excess = hadara_excess(h, p);

    if (excess > 0)
        sbuf_printf(t, _("too little food: remove %d of %d cards"), excess,
                    p->cards);
    else
        sbuf_puts(t, _("buy medals, or be done with this epoch"));
}

void hadara_task_text(const struct table *table,
                      const struct rules_state *view, int seat, char *buf,
                      size_t cap)
{
    static const char *const tasks[STAGES] = {
        [STAGE_SIDES] = N_("choose a side of your setup card"),
        [STAGE_WHEEL] = N_("set the wheel: who starts where"),
        [STAGE_CHOOSE] = N_("keep one of your two cards"),
        [STAGE_TAKE] = N_("take the top card of a pile"),
        [STAGE_COLONY] = N_("take a colony, or pass"),
        [STAGE_STATUE] = N_("carve a statue, or pass"),
    };
    const struct hadara *h = hadara_of(view);
    struct sbuf t = sbuf_in(buf, cap);
    char names[RULES_SEATS_MAX * 40];

    if (seat >= view->seats || !rules_can_move(view, seat)) {
        sbuf_puts(&t, rules_over(view) ? _("the game is over") : _("wait"));
    } else if (h->stage == STAGE_FEED) {
        say_feeding(&t, h, seat);
    } else if (h->stage == STAGE_CHOOSE && !(view->acting & RULES_BIT(seat))) {
        layout_names(table, view->acting, names, sizeof(names));
        sbuf_printf(&t,
                    _("you have chosen; you may still change it (waiting for "
                      "%s)"),
                    names);
    } else if (tasks[h->stage] != NULL) {
        sbuf_puts(&t, _(tasks[h->stage]));
        if ((h->stage == STAGE_COLONY || h->stage == STAGE_STATUE) && h->again)
            sbuf_puts(&t, _(" (your second action)"));
    }
}

const char *hadara_doing(const struct hadara *h, int seat)
{
    bool waited = h->base.acting & RULES_BIT(seat);

    switch (h->stage) {
    case STAGE_SIDES:
    case STAGE_CHOOSE:
        return h->base.acting & RULES_BIT(RULES_NATURE) ? ""
               : waited                                 ? _("chooses")
                                                        : _("chosen");
    case STAGE_FEED:
        return !waited                                  ? _("done")
               : hadara_excess(h, &h->player[seat]) > 0 ? _("feeds")
                                                        : _("medals");
    default: return waited ? _("to move") : "";
    }
}
