/* replay_plain.c -- a game looked at again, in lines. */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/lang.h"
#include "plain.h"
#include "replay.h"

struct looking {
    struct plain plain;
    struct replay *replay;
};

/* What happened in the step one has come to. */
static void tell_step(struct looking *l)
{
    const struct replay *r = l->replay;
    const struct replay_step *step = &r->steps[r->at];

    plain_events(&l->plain, &r->table.events[step->event],
                 step->event_end - step->event);
    plain_flush(&l->plain);
}

static void say_where(const struct looking *l)
{
    char where[200];
    replay_where(l->replay, where, sizeof(where));
    printf(_("At %s.\n"), where);
}

/* One step on; false at the end. */
static bool go_on(struct looking *l)
{
    struct replay *r = l->replay;

    if (r->at + 1 >= r->count || !replay_go(r, r->at + 1))
        return false;
    tell_step(l);
    return true;
}

static void tell_end(const struct looking *l)
{
    const struct replay *r = l->replay;

    if (r->at + 1 < r->count)
        return;
    if (r->whole && rules_over(&r->table.any.state))
        layout_result(stdout, &r->table, LAYOUT_WIDE);
    else
        printf(_("That is all so far.\n"));
}

/* The number in TEXT, or DEFAULT_VALUE if there is none; false after saying
 * so. */
static bool read_count(const char *text, uint64_t default_value, uint64_t *ret)
{
    *ret = default_value;
    if (*text == '\0' || number_read(text, UINT32_MAX, ret))
        return true;
    printf(_("A number is expected there.\n"));
    return false;
}

static void answer(struct looking *l, const char *line)
{
    struct replay *r = l->replay;
    const char *rest;
    size_t len = plain_word(line, &rest);
    uint64_t n;

#define IS(word) (len == sizeof(word) - 1 && memcmp(line, word, len) == 0)
    if (IS("next")) {
        if (!read_count(rest, 1, &n))
            return;
        while (n-- > 0 && go_on(l))
            ;
        tell_end(l);
    } else if (IS("back")) {
        if (read_count(rest, 1, &n) &&
            replay_go(r, r->at > n ? r->at - (size_t)n : 0))
            say_where(l);
    } else if (IS("go")) {
        if (read_count(rest, 0, &n) &&
            replay_go(r, replay_step_of(r, (json_int_t)n)))
            say_where(l);
    } else if (IS("all")) {
        while (go_on(l))
            ;
        tell_end(l);
    } else if (IS("end")) {
        if (replay_go(r, r->count - 1))
            tell_end(l);
    } else if (IS("as")) {
        if (!r->whole)
            printf(_("Of a game that goes on there is only what you were "
                     "told.\n"));
        else if (*rest == '\0')
            r->seat = RULES_WATCHER;
        else if (number_read(rest, (uint64_t)r->table.seats - 1, &n))
            r->seat = (int)n;
        else
            printf(_("as: expected the number of a seat.\n"));
        l->plain.seat = r->seat;
        say_where(l);
    } else if (IS("analyse")) {
        static struct ahead a;
        struct ahead_from from = replay_ahead_from(r);
        ahead_open(&a, &from);
        ahead_plain(&a);
        replay_ahead_done(r, &a);
    } else if (IS("where") || IS("who")) {
        say_where(l);
        if (l->plain.game_ui->situation != NULL)
            l->plain.game_ui->situation(stdout, l->plain.table,
                                        plain_view(&l->plain));
    } else if (IS("legal") || IS("try") || !plain_answer(&l->plain, line)) {
        printf(_("This game is only looked at. Type `help`.\n"));
    }
#undef IS
}

int replay_plain(struct replay *r, bool all)
{
    static struct looking l;
    char line[PLAIN_LINE_MAX];

    l = (struct looking){
        .plain =
            {
                .table = &r->table,
                .game_ui = game_ui_find(r->table.rules->name),
                .seat = r->seat,
                .terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO),
                .words = _(
                    "  next [N], back [N]   step\n"
                    "  go PLY, end    jump; where: where one is\n"
                    "  all            tell all that follows\n"
                    "  as [SEAT]      look as a player, or as everybody\n"
                    "  analyse        try moves from here\n"),
            },
        .replay = r,
    };
    printf(_("%s: %s, %d players, %zu steps.\n"), r->name,
           r->table.rules->title, r->table.seats, r->count - 1);
    tell_step(&l);
    if (all) {
        answer(&l, "all");
        return STATUS_DONE;
    }
    while (!l.plain.quit) {
        if (l.plain.terminal)
            printf("> ");
        (void)fflush(stdout);
        if (fgets(line, sizeof(line), stdin) == NULL)
            break;
        plain_strip(line);
        answer(&l, line[0] != '\0' ? line : "next");
    }
    return STATUS_DONE;
}
