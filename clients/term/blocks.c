/* blocks.c -- `sobremesa block` and `unblock`: whom one does not want to meet. */

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "clients/common/lang.h"
#include "session.h"

struct block_arguments {
    struct session session;
    const char *name;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct block_arguments *a = state->input;

    if (key == ARGP_KEY_INIT) {
        session_hand_on(state, &a->session);
        return 0;
    }
    return argument_parse(key, arg, state, &a->name, _("one is enough"), NULL);
}

static error_t parse_name(int key, char *arg, struct argp_state *state)
{
    struct block_arguments *a = state->input;

    if (key == ARGP_KEY_NO_ARGS)
        return argument_parse(key, arg, state, &a->name, NULL,
                              _("which one?"));
    return parse(key, arg, state);
}

static bool begin(struct block_arguments *a, const struct argp *argp,
                  const char *name, int argc, char **argv, int *ret_status)
{
    *ret_status = STATUS_USAGE;
    if (command_parse(argp, name, argc, argv, a) != STATUS_DONE)
        return false;
    *ret_status = STATUS_FAILED;
    return session_open(&a->session, SESSION_SOMEBODY, NULL);
}

static int show(struct session *s)
{
    json_t *result = session_ask(s, "account.blocks.list", NULL);
    const json_t *blocks = json_object_get(result, "blocks");

    if (result == NULL)
        return STATUS_FAILED;
    if (json_array_size(blocks) == 0)
        printf(_("You block nobody.\n"));
    for (size_t i = 0; i < json_array_size(blocks); i++)
        printf("%s\n", member_text(json_array_get(blocks, i), "name", ""));
    json_decref(result);
    return STATUS_DONE;
}

static int change(struct session *s, const char *method, const char *name)
{
    json_t *result = session_ask(s, method, json_pack("{ss}", "name", name));
    int status = result != NULL ? STATUS_DONE : STATUS_FAILED;

    json_decref(result);
    return status;
}

int block_command(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = parse,
        .args_doc = "[NAME]",
        .doc = DOC(
            N_("Shows whom you block, or blocks somebody: you do not meet them "
               "any more at new tables, and do not read what they say."),
            N_("They are not told, and see no table that has not begun where "
               "you sit; at one where both of you sit already all goes on.")),
        .children = session_children,
    };
    struct block_arguments a = {0};
    int status;

    if (!begin(&a, &argp, "block", argc, argv, &status))
        return status;
    status = a.name == NULL ? show(&a.session)
                            : change(&a.session, "account.blocks.add", a.name);
    session_close(&a.session);
    return status;
}

int unblock_command(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = parse_name,
        .args_doc = "NAME",
        .doc = DOC(N_("Blocks somebody no more."), ""),
        .children = session_children,
    };
    struct block_arguments a = {0};
    int status;

    if (!begin(&a, &argp, "unblock", argc, argv, &status))
        return status;
    status = change(&a.session, "account.blocks.remove", a.name);
    session_close(&a.session);
    return status;
}
