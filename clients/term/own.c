/* own.c -- `sobremesa export`, `sobremesa delete`: all that a server keeps of
 * oneself, in one file, and the end of it. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "core/base.h"
#include "protocol/methods.h"
#include "session.h"

struct own_arguments {
    struct session session;
    const char *file;
    bool takes_file;
};

static error_t own_parse(int key, char *arg, struct argp_state *state)
{
    struct own_arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_INIT: session_hand_on(state, &a->session); return 0;
    case ARGP_KEY_ARG:
        if (!a->takes_file || a->file != NULL)
            argp_error(state, _("'%s' is too much"), arg);
        a->file = arg;
        return 0;
    case ARGP_KEY_END:
        if (a->takes_file && a->file == NULL)
            argp_error(state, _("which FILE? '-' is the standard output"));
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- all of it ------------------------------------------------------------ */

/* What there is of the game at a table of theirs: its record, or, while it goes
 * on, what one may know of it; NULL if there is nothing, or after a complaint,
 * *GOOD being false then. */
static json_t *game_of(struct session *s, const json_t *seat, bool *good)
{
    const char *state = member_text(seat, "state", "");
    bool over = strcmp(state, "finished") == 0;
    const char *what = over ? "lines" : "plies";

    if (!over && strcmp(state, "playing") != 0)
        return NULL;
    json_t *rows = session_ask_all(s, over ? "table.record" : "table.replay",
                                   json_pack("{ss}", "table",
                                             member_text(seat, "table", "")),
                                   what);
    *good = *good && rows != NULL;
    return rows != NULL ? json_pack("{so}", what, rows) : NULL;
}

static bool add_games(struct session *s, json_t *person)
{
    json_t *games = json_object();
    bool good = true;
    const json_t *seats = json_object_get(person, "seats");

    for (size_t i = 0; i < json_array_size(seats) && good; i++) {
        const json_t *seat = json_array_get(seats, i);
        json_t *game = game_of(s, seat, &good);
        if (game != NULL)
            (void)json_object_set_new(games, member_text(seat, "table", ""),
                                      game);
    }
    (void)json_object_set_new(person, "games", games);
    return good;
}

/* NULL after a complaint. */
static json_t *all_of_it(struct session *s)
{
    json_t *rows = session_ask_all(s, "account.export", json_object(), "rows");
    json_t *person = json_deep_copy(json_array_get(rows, 0));
    bool good = person != NULL;

    json_decref(rows);
    for (size_t i = 0; person_parts[i] != NULL && good; i++) {
        rows = session_ask_all(s, "account.export",
                               json_pack("{ss}", "part", person_parts[i]),
                               "rows");
        good = rows != NULL &&
               json_object_set_new(person, person_parts[i], rows) == 0;
    }
    if (good && add_games(s, person))
        return person;
    json_decref(person);
    return NULL;
}

/* A file that is there stays as it is, and one of one's own is nobody else's. */
static FILE *open_new(const char *path)
{
    mode_t others = umask(0077);
    FILE *file = fopen(path, "wx");
    int why = errno;

    (void)umask(others);
    if (file == NULL)
        (void)complain("%s: %s", path, strerror(why));
    return file;
}

static bool write_all(const char *path, const json_t *person)
{
    bool to_stdout = strcmp(path, "-") == 0;
    FILE *file = to_stdout ? stdout : open_new(path);

    if (file == NULL)
        return false;
    if (to_stdout)
        output_json(true);
    char *text = json_dumps(person, JSON_INDENT(2));
    ASSERT(text != NULL);
    bool good = fprintf(file, "%s\n", text) >= 0 && fflush(file) == 0;
    free(text);
    if (!to_stdout)
        good = fclose(file) == 0 && good;
    if (!good)
        (void)complain("%s: %s", path, strerror(errno));
    return good;
}

int export_command(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = own_parse,
        .args_doc = "FILE",
        .doc = DOC(
            N_("Writes all that the server keeps of you into FILE, as JSON: "
               "your account, addresses and settings, where you sat and what "
               "you said, and the games: their records, or, of those that go "
               "on, what you may know of them."),
            N_("FILE must not be there; '-' is the standard output.")),
        .children = session_children,
    };
    struct own_arguments a = {.takes_file = true};

    if (command_parse(&argp, "export", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (!session_open(&a.session, SESSION_SOMEBODY, NULL))
        return STATUS_FAILED;
    json_t *person = all_of_it(&a.session);
    bool good = person != NULL && write_all(a.file, person);
    json_decref(person);
    session_close(&a.session);
    return good ? STATUS_DONE : STATUS_FAILED;
}

/* ---- the end of it ---------------------------------------------------------- */

/* What one has to say to be believed; NULL after a complaint. */
static json_t *ask_proof(struct session *s, bool has_password)
{
    char name[64], password[300];

    (void)
        fprintf(stderr,
                _("This deletes %s on %s, at once and for good: games that go "
                  "on are resigned.\n"),
                s->token.name, s->server);
    if (!prompt_name(_("Your name, to go on"), name, sizeof(name)))
        return NULL;
    if (strcmp(name, s->token.name) != 0)
        return complain(_("that is not your name; nothing was done")), NULL;
    if (!has_password)
        return json_pack("{ss}", "token", s->token.token);
    if (!prompt_line(_("Password"), true, password, sizeof(password)))
        return NULL;
    json_t *params = json_pack("{ss}", "password", password);
    explicit_bzero(password, sizeof(password));
    if (params == NULL)
        (void)complain(_("a password has to be UTF-8"));
    return params;
}

static bool delete_self(struct session *s)
{
    json_t *self = session_ask(s, "account.get", NULL);
    bool has_password = member_true(self, "has_password");
    json_t *params = self != NULL ? ask_proof(s, has_password) : NULL;
    json_t *result = params != NULL ? session_ask(s, "account.delete", params)
                                    : NULL;

    json_decref(self);
    if (result == NULL)
        return false;
    printf(_("%s is deleted on %s.\n"), s->token.name, s->server);
    json_decref(result);
    return settings_forget(s->server, s->token.name);
}

int delete_command(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = own_parse,
        .doc = DOC(
            N_("Deletes your account, at once and for good: open tables are "
               "left, games that go on are resigned, everything of yours "
               "goes but what you said at tables, and the games themselves, "
               "which have no name of yours any more."),
            N_("Your name is asked for, and your password, without echo; or "
               "they are read from the standard input. `sobremesa export "
               "FILE` keeps a copy.")),
        .children = session_children,
    };
    struct own_arguments a = {0};

    if (command_parse(&argp, "delete", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (!session_open(&a.session, SESSION_SOMEBODY, NULL))
        return STATUS_FAILED;
    bool good = delete_self(&a.session);
    session_close(&a.session);
    return good ? STATUS_DONE : STATUS_FAILED;
}
