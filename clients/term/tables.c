/* tables.c -- tables in lines: `sobremesa tables`, and the lobby. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/lang.h"
#include "client.h"
#include "layout.h"
#include "pace.h"
#include "protocol/sbuf_printf.h"
#include "tables.h"

/* ---- a table in a line -------------------------------------------------- */

void summary_players(const json_t *table, char *buf, size_t cap)
{
    const json_t *seats = json_object_get(table, "seats");
    struct sbuf s = sbuf_in(buf, cap);
    size_t empty = 0;

    for (size_t i = 0; i < json_array_size(seats); i++) {
        const json_t *seat = json_array_get(seats, i);
        const char *name = member_text(seat, "name", NULL);
        if (name == NULL)
            empty++;
        else
            sbuf_printf(&s, "%s%s%s", s.len > 0 ? ", " : "", name,
                        member_true(seat, "acting") ? "*" : "");
    }
    if (empty > 0)
        sbuf_printf(&s, "%s%zu %s", s.len > 0 ? ", " : "", empty,
                    P_("free", "free", (long long)empty));
}

void summary_options(const json_t *table, char *buf, size_t cap)
{
    const struct rules *r = rules_find(member_text(table, "game", ""));
    json_t *options = json_object_get(table, "options");
    const json_t *board = json_object_get(table, "board");
    char pace[PACE_TEXT_MAX];
    struct sbuf s = sbuf_in(buf, cap);

    for (int i = 0; r != NULL && r->options[i].name != NULL; i++) {
        const struct rules_option *option = &r->options[i];
        const json_t *value = json_object_get(options, option->name);
        const char *comma = s.len > 0 ? ", " : "";
        if (option->flag &&
            json_is_true(value) != (option->default_value != 0))
            sbuf_printf(&s, "%s%s%s", comma,
                        json_is_true(value) ? "" : _("no "), option->name);
        else if (json_is_string(value) &&
                 strcmp(json_string_value(value),
                        option->words[option->default_value - option->min]) !=
                     0)
            sbuf_printf(&s, "%s%s %s", comma, option->name,
                        json_string_value(value));
        else if (json_is_integer(value) &&
                 json_integer_value(value) != option->default_value)
            sbuf_printf(&s, "%s%s %d", comma, option->name,
                        (int)json_integer_value(value));
    }
    pace_text(json_object_get(table, "pace"), pace, sizeof(pace));
    if (pace[0] != '\0')
        sbuf_printf(&s, "%s%s", s.len > 0 ? ", " : "", pace);
    if (json_is_object(board))
        sbuf_printf(&s, _("%sboard %s"), s.len > 0 ? ", " : "",
                    member_text(board, "builtin", _("of its own")));
    if (member_true(table, "rated"))
        sbuf_printf(&s, _("%srated"), s.len > 0 ? ", " : "");
    if (member_true(table, "password"))
        sbuf_printf(&s, _("%spassword"), s.len > 0 ? ", " : "");
    else if (member_true(table, "private"))
        sbuf_printf(&s, _("%sprivate"), s.len > 0 ? ", " : "");
}

int64_t summary_due(const json_t *table)
{
    const json_t *seats = json_object_get(table, "seats");
    int64_t first = 0;

    if (member_true(table, "your_turn"))
        return member_number(table, "due");
    for (size_t i = 0; i < json_array_size(seats); i++) {
        const json_t *seat = json_array_get(seats, i);
        int64_t due = member_number(seat, "due");
        if (member_true(seat, "acting") && due > 0 &&
            (first == 0 || due < first))
            first = due;
    }
    return first;
}

/* Those that wait for others stand as these are due; those without a deadline
 * behind them. */
static bool stands_before(const json_t *a, const json_t *b)
{
    int64_t first = summary_due(a), second = summary_due(b);

    return !member_true(b, "your_turn") && !member_true(a, "your_turn") &&
           first > 0 && (second == 0 || first < second);
}

void tables_by_due(json_t *tables)
{
    for (size_t i = 1; i < json_array_size(tables); i++) {
        json_t *table = json_incref(json_array_get(tables, i));
        size_t to = i;
        while (to > 0 && stands_before(table, json_array_get(tables, to - 1)))
            to--;
        (void)json_array_remove(tables, i);
        (void)json_array_insert_new(tables, to, table);
    }
}

bool summary_asked(const json_t *table)
{
    const json_t *you = json_object_get(table, "you");
    const json_t *seats = json_object_get(table, "seats");

    return json_is_integer(you) &&
           member_true(json_array_get(seats, (size_t)json_integer_value(you)),
                       "asked");
}

bool summary_offered(const json_t *table)
{
    const json_t *seats = json_object_get(table, "seats");

    for (size_t i = 0; i < json_array_size(seats); i++)
        if (member_true(json_array_get(seats, i), "offered"))
            return true;
    return false;
}

bool summary_joinable(const json_t *table, const char *name)
{
    const json_t *seats = json_object_get(table, "seats");
    bool room = false;

    if (strcmp(member_text(table, "state", ""), "open") != 0)
        return false;
    for (size_t i = 0; i < json_array_size(seats); i++) {
        const char *sits = member_text(json_array_get(seats, i), "name", NULL);
        room = room || sits == NULL;
        if (sits != NULL && strcmp(sits, name) == 0)
            return false;
    }
    return room;
}

bool summary_invited(const json_t *table)
{
    return strcmp(member_text(table, "state", ""), "open") == 0 &&
           json_is_null(json_object_get(table, "you"));
}

/* ---- the lobby in lines ------------------------------------------------- */

/* How far a table is, in a word. */
static const char *state_of(const json_t *table)
{
    static const char *const known[] = {N_("open"), N_("playing"),
                                        N_("finished"), N_("abandoned")};
    const char *state = member_text(table, "state", "?");

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (strcmp(known[i], state) == 0)
            return _(known[i]);
    return state;
}

static void print_table(const json_t *table, bool mine)
{
    char players[400], options[300], due[PACE_TEXT_MAX];

    summary_players(table, players, sizeof(players));
    summary_options(table, options, sizeof(options));
    due_text(summary_due(table), 0, due, sizeof(due));
    printf("%s  %-9s ", member_text(table, "table", "?"),
           member_text(table, "game", "?"));
    layout_padded(stdout, state_of(table), 10);
    if (mine)
        layout_padded(stdout,
                      member_true(table, "your_turn") ? _("YOUR TURN")
                      : summary_asked(table)          ? _("VOTE")
                      : summary_invited(table)        ? _("invited")
                                                      : "",
                      10);
    printf("%s", players);
    if (options[0] != '\0')
        printf("  (%s)", options);
    if (due[0] != '\0')
        printf("  %s", due);
    if (member_number(table, "unread") > 0)
        printf(_("  %d unread"), (int)member_number(table, "unread"));
    printf("\n");
}

static bool of_game(const json_t *table, const char *game)
{
    return game == NULL || strcmp(member_text(table, "game", ""), game) == 0;
}

#define OFFERED "offered" /* no state: those with a seat to be taken over */

/* All tables that METHOD lists, of GAME and in STATE where these are not NULL;
 * the caller's to free, NULL after a complaint. */
static json_t *ask_list(struct session *s, const char *method,
                        const char *state, const char *game)
{
    bool mine = method[0] == 'm'; /* it lists all games */
    bool offered = state != NULL && strcmp(state, OFFERED) == 0;
    json_t *params = json_pack("{ss* ss* si}", "state", offered ? NULL : state,
                               "game", mine ? NULL : game, "limit",
                               CLIENT_TABLES);
    if (offered)
        (void)json_object_set_new(params, "offered", json_true());
    json_t *tables = session_ask_all(s, method, params, "tables");

    for (size_t i = json_array_size(tables); i-- > 0;)
        if (!of_game(json_array_get(tables, i), game))
            (void)json_array_remove(tables, i);
    if (mine)
        tables_by_due(tables);
    return tables;
}

/* Prints one of the lists, under TITLE, and what is said of an empty one (NULL:
 * it is not there then); false after a complaint. */
static bool print_list(struct session *s, const char *method,
                       const char *state, const char *game, const char *title,
                       const char *nothing)
{
    json_t *tables = ask_list(s, method, state, game);
    bool mine = method[0] == 'm', any = false;

    if (tables == NULL)
        return false;
    if (nothing != NULL || json_array_size(tables) > 0)
        printf("%s\n", title);
    for (size_t i = 0; i < json_array_size(tables); i++) {
        const json_t *table = json_array_get(tables, i);
        if (!mine && strcmp(state, "open") == 0 &&
            !summary_joinable(table, s->token.name))
            continue;
        if (!mine && strcmp(state, "playing") == 0 && summary_offered(table))
            continue; /* listed already */
        any = true;
        printf("  ");
        print_table(table, mine);
    }
    if (!any && nothing != NULL)
        printf("  %s\n", nothing);
    json_decref(tables);
    return true;
}

/* What the operator says, in lines; that is no reason to fail. */
static void print_notices(struct session *s)
{
    struct notices n;
    json_t *hello = session_ask(s, "server.hello", NULL);

    if (hello == NULL)
        return;
    notices_hello(&n, hello);
    char *text = notices_all(&n);
    printf("%s%s", text, text[0] != '\0' ? "\n" : "");
    free(text);
    json_decref(hello);
}

int lobby_plain(struct session *s, const char *game, bool finished)
{
    if (finished)
        return print_list(s, "table.list", "finished", game, _("Finished:"),
                          _("none"))
                   ? STATUS_DONE
                   : STATUS_FAILED;
    print_notices(s);
    bool good = print_list(s, "me.tables", NULL, game, _("Your tables:"),
                           _("none; `sobremesa create GAME` makes one")) &&
                print_list(s, "table.list", OFFERED, game,
                           _("Seats to take over:"), NULL) &&
                print_list(s, "table.list", "open", game, _("Open tables:"),
                           _("none")) &&
                print_list(s, "table.list", "playing", game,
                           _("Being played:"), _("none"));
    return good ? STATUS_DONE : STATUS_FAILED;
}

int lobby_json(struct session *s, const char *game, bool finished)
{
    static const char *const lists[][3] = {
        {"yours", "me.tables", NULL},
        {"open", "table.list", "open"},
        {"playing", "table.list", "playing"},
        {"offered", "table.list", OFFERED},
        {"finished", "table.list", "finished"},
    };
    size_t first = finished ? 4 : 0, last = finished ? 5 : 4;
    json_t *lobby = json_object();
    int status = STATUS_DONE;

    for (size_t i = first; i < last && status == STATUS_DONE; i++) {
        json_t *tables = ask_list(s, lists[i][1], lists[i][2], game);
        if (tables == NULL)
            status = STATUS_FAILED;
        else
            (void)json_object_set_new(lobby, lists[i][0], tables);
    }
    if (status == STATUS_DONE)
        print_json(lobby);
    json_decref(lobby);
    return status;
}

int tables_print(struct session *s, const char *game, bool finished, bool json)
{
    json_t *tables = ask_list(s, "me.tables", finished ? "finished" : NULL,
                              game);

    if (tables == NULL)
        return STATUS_FAILED;
    if (json)
        print_json(tables);
    for (size_t i = 0; !json && i < json_array_size(tables); i++)
        print_table(json_array_get(tables, i), true);
    json_decref(tables);
    return STATUS_DONE;
}
