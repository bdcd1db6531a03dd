/* propose.c -- `sobremesa propose` and `vote`: what the players of a table agree
 * on while the game goes on. */

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "protocol/sbuf_printf.h"
#include "table_command.h"
#include "votes.h"

/* Who sits at A's table, into T; the answer to table.watch, which is the caller's,
 * or NULL after a complaint. */
static json_t *look(struct table_command *a, struct table *t)
{
    json_t *answer = session_ask(&a->session, "table.watch",
                                 json_pack("{ss}", "table", a->table));
    const json_t *seats = json_object_get(json_object_get(answer, "view"),
                                          "seats");

    *t = (struct table){0};
    for (; t->seats < RULES_SEATS_MAX &&
           (size_t)t->seats < json_array_size(seats);
         t->seats++)
        (void)snprintf(t->names[t->seats], sizeof(t->names[0]), "%s",
                       member_text(json_array_get(seats, (size_t)t->seats),
                                   "name", "?"));
    return answer;
}

/* ---- propose ------------------------------------------------------------- */

static int propose(struct table_command *a)
{
    char why[PROPOSAL_WHY_MAX];
    struct table t;
    json_t *view = look(a, &t);

    if (view == NULL)
        return STATUS_FAILED;
    json_decref(view);
    json_t *params = proposal_read(&t, a->words, why);
    if (params == NULL)
        return complain("%s", why);
    (void)json_object_set_new(params, "table", json_string(a->table));
    json_t *result = session_ask(&a->session, "table.propose", params);
    if (result == NULL)
        return STATUS_FAILED;
    if (a->json)
        print_json(result);
    else
        printf("%s\n", member_true(result, "passed")
                           ? _("It is done: nobody else had to be asked.")
                           : _("The others are asked."));
    json_decref(result);
    return STATUS_DONE;
}

int propose_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"json", TABLE_COMMAND_JSON, NULL, 0,
         N_("for programs: the answer, with the vote's number as `ply`"), 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = table_command_parse,
        .args_doc = "TABLE WHAT",
        .doc = DOC(
            N_("Asks all who play at TABLE to agree on WHAT: `cancel` (the "
               "game ends, and nobody wins or loses), `take-back` (the last "
               "move), `pause TIME` (7d, or 2026-12-20: up to and with that "
               "day), `resume`, `give PLAYER TIME` (6h), `replace PLAYER` "
               "(the seat of somebody who has missed a turn is offered to "
               "others)."),
            N_("A no or the next move ends the vote, and so do seven days. "
               "PLAYER is a name or the number of a seat.")),
        .children = session_children,
    };
    struct table_command a = {0};
    int status;

    if (!table_command_begin(&a, &argp, "propose", argc, argv, &status))
        return status;
    status = propose(&a);
    session_close(&a.session);
    return status;
}

/* ---- vote ---------------------------------------------------------------- */

static int show(const struct table_command *a, const struct table *t,
                const json_t *view)
{
    json_t *vote = json_object_get(view, "vote");
    const json_t *you = json_object_get(view, "you");
    int64_t now_ms = (int64_t)time(NULL) * 1000;

    if (a->json)
        print_json(vote != NULL ? vote : json_null());
    else if (!vote_write(stdout, t, vote,
                         json_is_integer(you) ? (int)json_integer_value(you)
                                              : RULES_WATCHER,
                         now_ms))
        printf("%s\n", _("No vote is open."));
    return STATUS_DONE;
}

static int answer(struct table_command *a, const json_t *view, bool yes)
{
    const json_t *vote = json_object_get(view, "vote");

    if (!json_is_object(vote))
        return complain("%s", _("No vote is open."));
    json_t *result = session_ask(&a->session, "table.vote",
                                 json_pack("{ss sI sb}", "table", a->table,
                                           "vote", member_number(vote, "ply"),
                                           "yes", yes));
    if (result == NULL)
        return STATUS_FAILED;
    if (a->json)
        print_json(result);
    else
        printf("%s\n", !yes ? _("You have said no: that vote is over.")
                       : member_true(result, "passed")
                           ? _("All have agreed: it is done.")
                           : _("You have agreed; the others are asked."));
    json_decref(result);
    return STATUS_DONE;
}

static int vote(struct table_command *a)
{
    bool yes = strcmp(a->words, "yes") == 0;
    struct table t;

    if (!yes && a->words[0] != '\0' && strcmp(a->words, "no") != 0)
        return complain(_("'%s': expected yes or no"), a->words);
    json_t *watched = look(a, &t);
    if (watched == NULL)
        return STATUS_FAILED;
    const json_t *view = json_object_get(watched, "view");
    int status = a->words[0] == '\0' ? show(a, &t, view)
                                     : answer(a, view, yes);
    json_decref(watched);
    return status;
}

int vote_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"json", TABLE_COMMAND_JSON, NULL, 0,
         N_("for programs: the vote as the protocol has it, or null; or the "
            "answer"),
         0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = table_command_parse,
        .args_doc = "TABLE [yes|no]",
        .doc = DOC(
            N_("Shows what the players of TABLE are asked to agree on, who "
               "has, and until when; or agrees to it, or not."),
            N_("`sobremesa tables` tells which votes wait for you; "
               "`sobremesa propose` opens one, and `no` withdraws it.")),
        .children = session_children,
    };
    struct table_command a = {0};
    int status;

    if (!table_command_begin(&a, &argp, "vote", argc, argv, &status))
        return status;
    output_json(a.json);
    status = vote(&a);
    session_close(&a.session);
    return status;
}
