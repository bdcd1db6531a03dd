/* table_links.c -- `sobremesa link`: personal links, by which others sit down at a
 * table of one's own. */

#include <stdio.h>
#include <string.h>

#include "clients/common/lang.h"
#include "session.h"
#include "tables.h"

#define USES_MAX 32

enum { USES_KEY = 256, LIST_KEY, REVOKE_KEY };

struct link_arguments {
    struct session session;
    const char *table, *uses, *revoke;
    bool list;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct link_arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_INIT: session_hand_on(state, &a->session); return 0;
    case USES_KEY: a->uses = arg; return 0;
    case LIST_KEY: a->list = true; return 0;
    case REVOKE_KEY: a->revoke = arg; return 0;
    default:
        return argument_parse(key, arg, state, &a->table, _("one is enough"),
                              _("which one?"));
    }
}

static json_t *ask(struct link_arguments *a, const char *method,
                   json_t *params)
{
    if (params != NULL)
        (void)json_object_set_new(params, "table", json_string(a->table));
    return session_ask(&a->session, method, params);
}

static json_t *make(struct link_arguments *a)
{
    uint64_t uses = 1;

    if (a->uses != NULL &&
        (!number_read(a->uses, USES_MAX, &uses) || uses == 0))
        return complain(_("--uses: expected a number from 1 to 32")), NULL;
    json_t *result = ask(a, "table.links.create",
                         json_pack("{sI}", "uses", (json_int_t)uses));
    if (result != NULL)
        printf("%s%s%s\n", member_text(result, "url", ""),
               member_text(result, "url", "")[0] != '\0' ? "/" : "",
               member_text(result, "address", ""));
    return result;
}

static json_t *list(struct link_arguments *a)
{
    json_t *result = ask(a, "table.links.list", json_object());
    const json_t *links = json_object_get(result, "links");

    for (size_t i = 0; i < json_array_size(links); i++) {
        const json_t *link = json_array_get(links, i);
        printf(_("%s  good for %d more\n"), member_text(link, "id", "?"),
               (int)member_number(link, "uses"));
    }
    return result;
}

int link_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"uses", USES_KEY, "N", 0, N_("how many may come by it (1)"), 0},
        {"list", LIST_KEY, NULL, 0, N_("the links there are, by number"), 0},
        {"revoke", REVOKE_KEY, "LINK", 0,
         N_("the link of that number is good for nothing any more"), 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "TABLE",
        .doc = DOC(N_("Makes a link by which somebody may sit down at a table "
                      "of yours."),
                   N_("Whoever opens it needs no password, no invitation and "
                      "no account but that of a guest. It is good for two "
                      "weeks, until the game begins, and is told only now.")),
        .children = session_children,
    };
    struct link_arguments a = {0};

    if (command_parse(&argp, "link", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (!session_open(&a.session, SESSION_SOMEBODY, NULL))
        return STATUS_FAILED;
    json_t *result = a.revoke != NULL
                         ? ask(&a, "table.links.revoke",
                               json_pack("{ss}", "link", a.revoke))
                     : a.list ? list(&a)
                              : make(&a);
    int status = result != NULL ? STATUS_DONE : STATUS_FAILED;
    json_decref(result);
    session_close(&a.session);
    return status;
}
