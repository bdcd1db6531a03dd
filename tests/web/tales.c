/* tales.c -- whole random games as a page hears of them, one JSON text a line.
 *
 * usage: tales GAME GAMES EVERY
 *
 * The first line is what rules.info says of GAME.  GAMES games follow, with
 * other options, seats and boards each time: {"label"}, then for each ply
 * {"events"} as one of the viewers is told of it, mostly one who is to move, with
 * what the core "said" of them in each language,
 * and after each EVERYth, the first and the last one that viewer's "view",
 * later where chance comes first. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/says.h"
#include "protocol/game_json.h"
#include "protocol/rules_json.h"
#include "tests/support/play.h"

static const char *const names[RULES_SEATS_MAX] = {
    "Ana", "Ben", "Cai", "Dea", "Eva", "Fay", "Gil", "Hal",
};

static void end_line(struct json_out *o)
{
    (void)puts(json_out_text(o));
    json_out_reset(o);
}

static void put_number(struct json_out *o, const char *key, bool is,
                       int64_t value)
{
    if (is)
        out_int(o, key, value);
    else
        out_null(o, key);
}

static void put_seats(struct json_out *o, const struct rules_state *s,
                      const struct rules_score *score)
{
    out_list(o, "seats");
    for (int seat = 0; seat < s->seats; seat++) {
        out_object(o, NULL);
        out_string(o, "name", names[seat]);
        out_bool(o, "acting", (s->acting & RULES_BIT(seat)) != 0);
        out_bool(o, "may", (s->may & RULES_BIT(seat)) != 0);
        out_int(o, "score", score->total[seat]);
        out_bool(o, "resigned", false);
        out_end(o);
    }
    out_end(o);
}

/* What server/hub/view.c writes of a table; tests/protocol holds it to its
 * schema. */
static void put_view(struct json_out *o, const struct play *p, int viewer)
{
    static union rules_any view;
    struct rules_score score;

    rules_view(p->r, &p->s.state, viewer, &view.state);
    rules_score(p->r, &view.state, &score);
    const struct rules_state *s = &view.state;
    bool seated = viewer < s->seats;
    bool asked = seated && ((s->acting | s->may) & RULES_BIT(viewer)) != 0;
    out_object(o, "view");
    out_string(o, "table", "tale");
    out_string(o, "game", p->r->name);
    out_int(o, "ply", (int64_t)p->plies);
    out_string(o, "state", rules_over(s) ? "finished" : "playing");
    put_seats(o, s, &score);
    put_number(o, "you", seated, viewer);
    put_number(o, "decision", asked, (int64_t)p->plies);
    out_null(o, "undo");
    json_game_state(o, "game_state", p->r, s);
    json_score(o, "score_now", p->r, s, &score);
    if (rules_over(s)) {
        out_object(o, "result");
        out_string(o, "reason", "finished");
        json_places(o, "places", s, &score);
        out_end(o);
    } else {
        out_null(o, "result");
    }
    out_end(o);
}

static void put_setup(struct json_out *o, const struct play *p)
{
    out_object(o, NULL);
    out_string(o, "label", p->setup->label);
    out_end(o);
    end_line(o);
}

/* Whoever is to move, two times of three; else anybody. */
static int any_viewer(struct play *p)
{
    const struct rules_state *s = &p->s.state;
    uint16_t can = (s->acting | s->may) & (uint16_t)(RULES_BIT(s->seats) - 1);

    if (can != 0 && rng_below(&p->dice, 3) > 0) {
        int n = (int)rng_below(&p->dice, (uint32_t)__builtin_popcount(can));
        for (; n > 0; n--)
            can &= (uint16_t)(can - 1);
        return __builtin_ctz(can);
    }
    return play_viewer(s, (int)rng_below(&p->dice, s->seats + 1u));
}

/* The same events in sentences, null where there is none. */
static void put_said(struct json_out *o, const struct play *p, int viewer)
{
    char text[512];

    out_object(o, "said");
    for (const struct says *says = p->r->says; says && says->lang; says++) {
        out_list(o, says->lang);
        for (size_t i = 0; i < p->events.count; i++) {
            const struct rules_event *event = &p->events.at[i];
            if ((event->seen_by & RULES_BIT(viewer)) == 0)
                continue;
            if (says_event(p->r, says, &p->s.state, event, names, text,
                           sizeof(text)) > 0)
                out_string(o, NULL, text);
            else
                out_null(o, NULL);
        }
        out_end(o);
    }
    out_end(o);
}

static void tell_ply(struct json_out *o, struct play *p, bool whole)
{
    int viewer = any_viewer(p);

    out_object(o, NULL);
    json_events(o, "events", p->r, &p->s.state, &p->events, viewer);
    put_said(o, p, viewer);
    if (whole)
        put_view(o, p, viewer);
    out_end(o);
    end_line(o);
}

static void tell_game(struct json_out *o, struct play *p, size_t every)
{
    struct rules_ply ply;

    put_setup(o, p);
    for (size_t since = every; play_next(p, &ply); since++) {
        play_ply(p, &ply);
        /* Of a draw that is still to come nobody is shown anything. */
        bool draws = (p->s.state.acting & RULES_BIT(RULES_NATURE)) != 0;
        bool whole = rules_over(&p->s.state) || (since >= every && !draws);
        tell_ply(o, p, whole);
        since = whole ? 0 : since;
    }
}

int main(int argc, char **argv)
{
    const struct rules *r = argc == 4 ? rules_find(argv[1]) : NULL;
    struct play p = {0};
    struct json_out o;

    if (r == NULL) {
        (void)fputs("usage: tales GAME GAMES EVERY\n", stderr);
        return EXIT_FAILURE;
    }
    size_t games = strtoul(argv[2], NULL, 10);
    size_t every = strtoul(argv[3], NULL, 10);
    ASSERT(every > 0);
    json_out_init(&o);
    json_rules(&o, NULL, r, NULL, NULL);
    end_line(&o);
    for (size_t i = 0; i < games; i++) {
        play_start(&p, play_setup(r, i), i);
        tell_game(&o, &p, every);
    }
    play_done(&p);
    json_out_done(&o);
    return EXIT_SUCCESS;
}
