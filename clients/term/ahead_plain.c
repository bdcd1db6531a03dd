/* ahead_plain.c -- looking ahead, in lines. */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ahead.h"
#include "clients/common/lang.h"
#include "plain.h"

struct trying {
    struct plain plain;
    struct ahead *a;
};

/* Whose move it is, where one has come to. */
static void say_where(struct trying *l)
{
    int seat = ahead_seat(l->a);

    l->plain.seat = seat >= 0 ? seat : RULES_WATCHER;
    if (l->plain.game_ui->situation != NULL)
        l->plain.game_ui->situation(stdout, &l->a->table,
                                    plain_view(&l->plain));
    if (seat >= 0)
        printf(_("Analysis: %s to move.\n"), l->a->table.names[seat]);
    else
        printf(_("Analysis: the game is over here.\n"));
    if (l->a->nodes[l->a->at].note != NULL)
        printf("\"%s\"\n", l->a->nodes[l->a->at].note);
}

static void try_move(struct trying *l, const struct rules_move *move)
{
    size_t before = l->a->table.event_count;
    int refusal = ahead_play(l->a, move);

    if (refusal != RULES_OK) {
        printf("%s\n", layout_reason(l->a->table.rules, refusal));
        return;
    }
    l->plain.seat = RULES_ALL;
    plain_events(&l->plain, &l->a->table.events[before],
                 l->a->table.event_count - before);
    plain_flush(&l->plain);
    say_where(l);
}

static void type_move(struct trying *l, const char *line)
{
    struct rules_move move;
    char why[512];

    if (move_read(&l->a->table, line, &move, why, sizeof(why)) != RULES_OK)
        printf("%s\n", why);
    else
        try_move(l, &move);
}

static void ask_machine(struct trying *l)
{
    struct rules_move move;

    if (!l->a->machine)
        printf(_("The machine is not asked while a game goes on.\n"));
    else if (!ahead_think(l->a, &move))
        printf(_("It would not move there.\n"));
    else
        try_move(l, &move);
}

static void go(struct trying *l, bool could)
{
    if (could)
        say_where(l);
    else
        printf(_("There is nothing there.\n"));
}

/* REST says which of what chance might have done it does, or nothing. */
static void choose_chance(struct trying *l, const char *rest)
{
    uint64_t n;

    if (rest[0] != '\0')
        go(l, number_read(rest, AHEAD_CHANCES, &n) &&
                  ahead_choose(l->a, (size_t)n));
    else if (ahead_chances(stdout, l->a) == 0)
        printf(_("There is nothing to choose for chance there.\n"));
}

static void choose_seat(struct trying *l, const char *rest)
{
    uint64_t seat;

    if (number_read(rest, (uint64_t)l->a->table.seats - 1, &seat)) {
        l->a->seat = (int)seat;
        say_where(l);
    } else {
        printf(_("seat: expected the number of a seat.\n"));
    }
}

static void answer(struct trying *l, const char *line)
{
    const char *rest;
    size_t len = plain_word(line, &rest);
    uint64_t n;

#define IS(word) (len == sizeof(word) - 1 && memcmp(line, word, len) == 0)
    if (IS("back"))
        go(l, ahead_back(l->a));
    else if (IS("on"))
        go(l, ahead_on(l->a));
    else if (IS("other"))
        go(l, ahead_other(l->a));
    else if (IS("go"))
        go(l,
           number_read(rest, AHEAD_NODES_MAX, &n) && ahead_go(l->a, (int)n));
    else if (IS("drop"))
        go(l, ahead_drop(l->a));
    else if (IS("draw"))
        go(l, ahead_redraw(l->a));
    else if (IS("chance"))
        choose_chance(l, rest);
    else if (IS("tree"))
        ahead_tree(stdout, l->a);
    else if (IS("note"))
        ahead_note(l->a, rest);
    else if (IS("seat"))
        choose_seat(l, rest);
    else if (IS("machine"))
        ask_machine(l);
    else if (IS("guess")) {
        ahead_reguess(l->a);
        say_where(l);
    } else if (IS("who"))
        say_where(l);
    else if (!plain_answer(&l->plain, line))
        type_move(l, line);
#undef IS
}

void ahead_plain(struct ahead *a)
{
    static struct trying l;
    char line[PLAIN_LINE_MAX];

    l = (struct trying){
        .plain =
            {
                .table = &a->table,
                .game_ui = game_ui_find(a->table.rules->name),
                .terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO),
                .words = _(
                    "  back, on, other    step: before the last move, along "
                    "the line, the move\n"
                    "                     tried instead\n"
                    "  tree, go N         all that was tried; go there\n"
                    "  note [TEXT]        what you think of it\n"
                    "  drop               what is here goes, and what "
                    "follows\n"
                    "  draw, guess        chance, or what is hidden, anew\n"
                    "  chance [N]         what chance might have done; let it "
                    "do that\n"
                    "  machine            what the machine would play, once a "
                    "game is over\n"
                    "  seat N             if several can move: for whom\n"
                    "  quit               back to the table\n"),
            },
        .a = a,
    };
    printf("%s\n", ahead_says(a));
    say_where(&l);
    while (!l.plain.quit) {
        if (l.plain.terminal)
            printf(_("analysis> "));
        (void)fflush(stdout);
        if (fgets(line, sizeof(line), stdin) == NULL)
            break;
        plain_strip(line);
        if (line[0] != '\0')
            answer(&l, line);
    }
    printf(_("Back at the table.\n"));
}
