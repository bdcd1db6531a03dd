/* waiting.c -- `sobremesa waiting`: how many tables wait for you, in one line, for
 * status bars and prompts.
 *
 * With --follow it tells it again whenever that changes.  A number that is said
 * is never older than the connection: while there is none it says `?`. */

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "core/base.h"
#include "online_play.h"

/* As often it looks whether anybody still reads what it says. */
#define LOOK_MS 60000

struct waiting {
    struct client client;
    bool follow, json;
    bool unsaid; /* something is new */
    char *said;  /* the last line */
};

/* ---- the line ----------------------------------------------------------- */

static const char *title_of(const json_t *table)
{
    const char *game = member_text(table, "game", "?");
    const struct rules *r = rules_find(game);

    return r != NULL ? r->title : game;
}

/* Those of TABLES, as me.tables lists them, that wait. */
static json_t *those_waiting(const json_t *tables)
{
    json_t *list = json_array();

    for (size_t i = 0; i < json_array_size(tables); i++) {
        const json_t *table = json_array_get(tables, i);
        char players[400];
        if (!member_true(table, "your_turn"))
            continue;
        summary_players(table, players, sizeof(players));
        (void)json_array_append_new(
            list, json_pack("{ss ss ss ss sI}", "table",
                            member_text(table, "table", "?"), "game",
                            member_text(table, "game", "?"), "title",
                            title_of(table), "players", players, "since",
                            member_number(table, "since")));
    }
    return list;
}

/* A line for each, "GAME: ana*, ben". */
static json_t *tooltip(const json_t *list)
{
    char *text = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&text, &len);

    if (to == NULL)
        core_panic(__FILE__, __LINE__, "out of memory");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *table = json_array_get(list, i);
        (void)fprintf(to, "%s%s: %s", i > 0 ? "\n" : "",
                      member_text(table, "title", "?"),
                      member_text(table, "players", "?"));
    }
    (void)fclose(to);
    json_t *value = json_string(text);
    free(text);
    return value;
}

/* All that a bar may want to know; TABLES is NULL where it is not known, and
 * WHY tells why. */
static char *json_line(const json_t *tables, const char *why)
{
    json_t *list = those_waiting(tables);
    size_t n = json_array_size(list);
    char text[24] = "?";

    if (tables != NULL)
        (void)snprintf(text, sizeof(text), "%zu", n);
    json_t *line =
        json_pack("{ss so ss so so}", "text", text, "tooltip",
                  tables != NULL ? tooltip(list) : json_string(why), "class",
                  tables == NULL ? "offline"
                  : n > 0        ? "waiting"
                                 : "idle",
                  "waiting",
                  tables != NULL ? json_integer((json_int_t)n) : json_null(),
                  "tables", list);
    char *written = json_dumps(line, JSON_COMPACT);
    ASSERT(written != NULL);
    json_decref(line);
    return written;
}

static char *plain_line(const json_t *tables)
{
    char *line = NULL;
    size_t n = 0;

    for (size_t i = 0; i < json_array_size(tables); i++)
        n += member_true(json_array_get(tables, i), "your_turn");
    if (tables == NULL)
        return strdup("?");
    return asprintf(&line, "%zu", n) >= 0 ? line : NULL;
}

/* Says it unless that was said last. */
static void say(struct waiting *w, const json_t *tables)
{
    char *line = w->json ? json_line(tables, link_why(w->client.session.link))
                         : plain_line(tables);

    ASSERT(line != NULL);
    if (w->said == NULL || strcmp(line, w->said) != 0) {
        printf("%s\n", line);
        (void)fflush(stdout);
    }
    free(w->said);
    w->said = line;
}

/* ---- once, or again and again ------------------------------------------- */

static int say_once(struct waiting *w)
{
    struct session *s = &w->client.session;

    if (!session_open(s, SESSION_SOMEBODY, NULL))
        return STATUS_FAILED;
    json_t *result = session_ask(s, "me.tables",
                                 json_pack("{ss si}", "state", "playing",
                                           "limit", CLIENT_TABLES));
    if (result != NULL)
        say(w, json_object_get(result, "tables"));
    int status = result != NULL ? STATUS_DONE : STATUS_FAILED;
    json_decref(result);
    session_close(s);
    return status;
}

static void on_changed(void *context, size_t first)
{
    struct waiting *w = context;

    (void)first;
    w->unsaid = true;
}

/* Whether nobody reads what is said any more. */
static bool unheard(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO};

    return ferror(stdout) ||
           (poll(&out, 1, 0) > 0 && (out.revents & (POLLERR | POLLHUP)) != 0);
}

static int say_always(struct waiting *w)
{
    struct client *c = &w->client;
    const struct link *l;
    int status = STATUS_DONE;

    c->owner = (struct client_owner){.changed = on_changed, .context = w};
    if (!client_open(c, SESSION_SOMEBODY))
        return STATUS_FAILED;
    l = c->session.link;
    while (!unheard()) {
        bool ready = link_state(l) == LINK_READY;
        /* Between a connection and its list there is nothing to be said. */
        if (w->unsaid && (c->listed || !ready))
            say(w, ready ? c->mine : NULL);
        w->unsaid = false;
        if (link_state(l) == LINK_FAILED) {
            status = session_lost(&c->session);
            break;
        }
        (void)client_wait(c, -1, LOOK_MS);
    }
    client_close(c);
    return status;
}

/* ---- the command -------------------------------------------------------- */

enum { FOLLOW_KEY = 256, JSON_KEY };

static error_t waiting_parse(int key, char *arg, struct argp_state *state)
{
    struct waiting *w = state->input;

    switch (key) {
    case ARGP_KEY_INIT: session_hand_on(state, &w->client.session); return 0;
    case FOLLOW_KEY: w->follow = true; return 0;
    case JSON_KEY: w->json = true; return 0;
    case ARGP_KEY_ARG: argp_error(state, _("'%s' is too much"), arg); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int waiting_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"follow", FOLLOW_KEY, NULL, 0, N_("say it again whenever it changes"),
         0},
        {"json", JSON_KEY, NULL, 0,
         N_("which tables, too: an object in a line, as status bars take it"),
         0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = waiting_parse,
        .doc = DOC(
            N_("Says how many tables wait for you: for status bars and "
               "prompts."),
            N_("While there is no connection it says `?`, and comes again by "
               "itself.")),
        .children = session_children,
    };
    static struct waiting w;

    w = (struct waiting){0};
    if (command_parse(&argp, "waiting", argc, argv, &w) != STATUS_DONE)
        return STATUS_USAGE;
    output_json(w.json);
    int status = w.follow ? say_always(&w) : say_once(&w);
    free(w.said);
    return status;
}
