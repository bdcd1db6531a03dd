/* orders.c -- standing orders in words, see orders.h; and `sobremesa order`. */

#include "orders.h"

#include <stdio.h>
#include <string.h>

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "core/base.h"
#include "core/text.h"
#include "online.h"
#include "protocol/game_json.h"
#include "protocol/sbuf_printf.h"
#include "table_command.h"
#include "term.h"
#include "typed.h"

/* ---- in words --------------------------------------------------------------- */

json_t *order_read(const struct table *t, json_int_t ply, const char *words,
                   char *why, size_t why_cap)
{
    struct rules_move move;
    struct json_out out;
    char expected[JSON_EXPECTED_MAX];

    if (strcmp(words, "drop") == 0)
        return json_null();
    if (strcmp(words, "pass") == 0)
        return json_pack("{sI ss}", "after", ply, "pass", "round");
    if (t->any.state.seats == 0) {
        (void)snprintf(why, why_cap, "%s", _("The game has not begun."));
        return NULL;
    }
    if (strncmp(words, "once ", 5) == 0)
        words += 5;
    if (move_read(t, words, &move, why, why_cap) != RULES_OK)
        return NULL;
    json_out_init(&out);
    json_move(&out, NULL, t->rules, &t->any.state, &move);
    json_t *value = json_parse(json_out_text(&out), out.len, expected);
    json_out_done(&out);
    ASSERT(value != NULL);
    return json_pack("{sI so}", "after", ply, "move", value);
}

void order_move(const struct table *t, const json_t *value, char *buf,
                size_t cap)
{
    struct json_refusal why;
    struct rules_move move;

    (void)snprintf(buf, cap, "?");
    if (t->any.state.seats > 0 &&
        json_move_read(t->rules, &t->any.state, value, false, &move, &why) ==
            RULES_OK)
        (void)text_move(t->rules, &t->any.state, &move, buf, cap);
}

void order_text(const struct table *t, const json_t *order, char *buf,
                size_t cap)
{
    const json_t *move = json_object_get(order, "move");
    char words[ORDER_TEXT_MAX / 2];

    if (!json_is_object(order)) {
        (void)snprintf(buf, cap, "%s",
                       _("Nothing is played for you: you will be asked."));
    } else if (move == NULL) {
        (void)snprintf(buf, cap, "%s",
                       _("As soon as you are asked you pass, until this round "
                         "is over."));
    } else {
        order_move(t, move, words, sizeof(words));
        (void)snprintf(buf, cap, _("As soon as you are asked: %s."), words);
    }
}

/* ---- sobremesa order -------------------------------------------------------- */

/* What is known of A's table, into T, and its last ply; what stands there, which is
 * the caller's.  False after a complaint. */
static bool look(struct table_command *a, struct table *t, json_int_t *ret_ply,
                 json_t **ret_order)
{
    json_t *got = session_ask(&a->session, "table.get",
                              json_pack("{ss}", "table", a->table));
    json_t *watched = got != NULL
                          ? session_ask(&a->session, "table.watch",
                                        json_pack("{ss}", "table", a->table))
                          : NULL;
    const json_t *about = json_object_get(got, "table");
    const json_t *view = json_object_get(watched, "view");
    bool good = watched != NULL, started;

    if (good) {
        t->rules = rules_find(member_text(about, "game", ""));
        good = t->rules != NULL &&
               view_read(t, view, (uint16_t)member_number(about, "revision"),
                         &started);
        if (!good)
            (void)complain(_("This client does not know the game %.40s."),
                           member_text(about, "game", ""));
        *ret_ply = member_number(view, "ply");
        *ret_order = json_deep_copy(json_object_get(watched, "order"));
    }
    json_decref(got);
    json_decref(watched);
    return good;
}

static void print_order(const struct table_command *a, const struct table *t,
                        json_t *order)
{
    char text[ORDER_TEXT_MAX];

    if (a->json) {
        print_json(order != NULL ? order : json_null());
        return;
    }
    order_text(t, order, text, sizeof(text));
    printf("%s\n", text);
}

static int order(struct table_command *a)
{
    static struct table t;
    json_t *stands = NULL;
    json_int_t ply;
    char why[512];

    if (!look(a, &t, &ply, &stands))
        return STATUS_FAILED;
    if (a->words[0] == '\0') {
        print_order(a, &t, stands);
        json_decref(stands);
        return STATUS_DONE;
    }
    json_decref(stands);
    json_t *wanted = order_read(&t, ply, a->words, why, sizeof(why));
    if (wanted == NULL)
        return complain("%s", why);
    json_t *result = session_ask(&a->session, "table.order",
                                 json_pack("{ss so}", "table", a->table,
                                           "order", wanted));
    if (result == NULL)
        return STATUS_FAILED;
    print_order(a, &t, json_object_get(result, "order"));
    json_decref(result);
    return STATUS_DONE;
}

int order_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"json", TABLE_COMMAND_JSON, NULL, 0,
         N_("for programs: what stands then, as in `table.order`, or null"),
         0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = table_command_parse,
        .args_doc = "TABLE [pass|drop|MOVE]",
        .doc = DOC(
            N_("Has TABLE play for you as soon as you are asked: `pass` until "
               "this round is over, or MOVE, once; `drop` takes that back. "
               "Without a word: what stands."),
            N_("MOVE is not played if it is not possible then, or something "
               "has happened before that could matter. Nobody sees what you "
               "have ordered; but that you answer at once everybody sees. "
               "`once` before it, if MOVE is called pass.")),
        .children = session_children,
    };
    struct table_command a = {0};
    int status;

    if (!table_command_begin(&a, &argp, "order", argc, argv, &status))
        return status;
    status = order(&a);
    session_close(&a.session);
    return status;
}
