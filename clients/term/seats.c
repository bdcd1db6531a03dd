/* seats.c -- `sobremesa take-over`, `return`, `give`: seats that change hands
 * while the game goes on, and time that is given. */

#include <stdio.h>
#include <string.h>

#include "clients/common/lang.h"
#include "pace.h"
#include "session.h"

struct seat_arguments {
    struct session session;
    const char *words[2]; /* TABLE, TIME */
    size_t count, least;
    const char *seat;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct seat_arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_INIT: session_hand_on(state, &a->session); return 0;
    case 's': a->seat = arg; return 0;
    case ARGP_KEY_ARG:
        if (a->count == a->least)
            argp_error(state, _("'%s' is too much"), arg);
        a->words[a->count] = a->count == 0 ? session_table(&a->session, arg)
                                           : arg;
        a->count++;
        return 0;
    case ARGP_KEY_END:
        if (a->count < a->least)
            argp_error(state,
                       a->count == 0 ? _("which one?") : _("how much?"));
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* Asks METHOD and says DONE with the table's id, which stands there twice. */
static int ask(struct seat_arguments *a, const char *method, json_t *params,
               const char *done)
{
    json_t *result = params != NULL ? session_ask(&a->session, method, params)
                                    : NULL;

    if (result == NULL)
        return STATUS_FAILED;
    printf("%s  sobremesa play %s\n", done, a->words[0]);
    json_decref(result);
    return STATUS_DONE;
}

static bool begin(struct seat_arguments *a, const struct argp *argp,
                  const char *name, int argc, char **argv, int *ret_status)
{
    *ret_status = STATUS_USAGE;
    if (command_parse(argp, name, argc, argv, a) != STATUS_DONE)
        return false;
    *ret_status = STATUS_FAILED;
    return session_open(&a->session, SESSION_SOMEBODY, NULL);
}

/* The first seat of the table that is offered, or -1 after a complaint. */
static json_int_t offered_at(struct seat_arguments *a)
{
    json_t *result = session_ask(&a->session, "table.get",
                                 json_pack("{ss}", "table", a->words[0]));
    const json_t *seats = json_object_get(json_object_get(result, "table"),
                                          "seats");
    json_int_t found = -1;

    for (size_t i = json_array_size(seats); i-- > 0;)
        if (member_true(json_array_get(seats, i), "offered"))
            found = (json_int_t)i;
    if (result != NULL && found < 0)
        (void)complain(_("no seat is offered there; --seat says which one is "
                         "gone"));
    json_decref(result);
    return found;
}

int take_over_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"seat", 's', "N", 0,
         N_("which seat, from 0 (the first one that is offered)"), 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "TABLE",
        .doc = DOC(
            N_("Takes over a seat whose player has not come, where the table "
               "was made so: you play on from there, with all the time that a "
               "turn has at first."),
            N_("`sobremesa lobby` lists such tables, `sobremesa watch TABLE` "
               "shows how the game stands.")),
        .children = session_children,
    };
    struct seat_arguments a = {.least = 1};
    uint64_t seat = 0;
    int status;

    if (!begin(&a, &argp, "take-over", argc, argv, &status))
        return status;
    bool good = a.seat == NULL || number_read(a.seat, 7, &seat);
    json_int_t which = !good            ? -1
                       : a.seat != NULL ? (json_int_t)seat
                                        : offered_at(&a);
    if (!good)
        (void)complain(_("--seat: expected a number from 0"));
    if (which >= 0)
        status = ask(&a, "table.take",
                     json_pack("{ss sI}", "table", a.words[0], "seat", which),
                     _("The seat is yours. Play by"));
    session_close(&a.session);
    return status;
}

int return_command(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = parse,
        .args_doc = "TABLE",
        .doc = N_("Takes back your own seat, for which moves are made because "
                  "you did not come; three times a game."),
        .children = session_children,
    };
    struct seat_arguments a = {.least = 1};
    int status;

    if (!begin(&a, &argp, "return", argc, argv, &status))
        return status;
    status = ask(&a, "table.return", json_pack("{ss}", "table", a.words[0]),
                 _("The seat is yours again. Play by"));
    session_close(&a.session);
    return status;
}

int give_command(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = parse,
        .args_doc = "TABLE TIME",
        .doc = DOC(N_("Gives your opponent of two time, 6h or 1d: no more at "
                      "once than a turn has at first, three times a game."),
                   N_("It is theirs at once and cannot be taken back.")),
        .children = session_children,
    };
    struct seat_arguments a = {.least = 2};
    int status;

    if (!begin(&a, &argp, "give", argc, argv, &status))
        return status;
    int64_t seconds = span_read_all(a.words[1]);
    if (seconds < 1)
        status = complain(_("'%s': expected 30m, 6h, 1d or the like"),
                          a.words[1]);
    else
        status = ask(&a, "table.give",
                     json_pack("{ss sI}", "table", a.words[0], "seconds",
                               (json_int_t)seconds),
                     _("It is given. Play by"));
    session_close(&a.session);
    return status;
}
