/* users.c -- what is shown of people and their sessions; all that is stored
 * about one of them. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/output.h"
#include "core/base.h"
#include "ctl.h"
#include "protocol/methods.h"

/* ---- people ----------------------------------------------------------- */

void show_users(struct ctl *c, const json_t *result)
{
    const json_t *users = json_object_get(result, "users");
    char span[TIME_SIZE], until[TIME_SIZE];
    struct grid g;

    (void)c;
    grid_init(&g, "NAME ACCOUNT KIND >SEEN >HERE BANNED");
    for (size_t i = 0; i < json_array_size(users); i++) {
        const json_t *u = json_array_get(users, i);
        const json_t *ban = json_object_get(u, "banned");
        const json_t *end = json_object_get(ban, "until");
        const char *why = member_text(ban, "why");
        grid_add(&g, "%s", member_text(u, "name"));
        grid_add(&g, "%s", member_text(u, "id"));
        grid_add(&g, "%s",
                 json_is_true(json_object_get(u, "guest")) ? "guest" : "user");
        grid_add(&g, "%s", span_text(now_ms() - member_int(u, "seen"), span));
        grid_add(&g, "%" PRId64, member_int(u, "connections"));
        if (json_is_object(ban))
            grid_add(&g, "%s%s%s%s", json_is_integer(end) ? "to " : "for good",
                     json_is_integer(end) ? time_text(end, until) : "",
                     why[0] ? ": " : "", why);
        else
            grid_add(&g, "%s", "");
    }
    grid_print(&g, "There are no such users.");
}

void show_user(struct ctl *c, const json_t *result)
{
    const json_t *user = json_object_get(result, "user");

    (void)c;
    (void)printf("%s is there now, account %s.\n", member_text(user, "name"),
                 member_text(user, "id"));
}

void show_done(struct ctl *c, const json_t *result)
{
    (void)result;
    (void)printf("%s may log in again.\n", given(c, "user"));
}

void show_totp_removed(struct ctl *c, const json_t *result)
{
    (void)result;
    (void)printf("%s logs in with the password alone now, and is told.\n",
                 given(c, "user"));
}

void show_allowed(struct ctl *c, const json_t *result)
{
    (void)c, (void)result;
    (void)puts("Mail may be sent there again.");
}

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

void show_ended(struct ctl *c, const json_t *result)
{
    int64_t n = member_int(result, "ended");
    const char *name = c->command->name;
    const char *done = strcmp(name, "ban") == 0 ? "is barred"
                       : strcmp(name, "password") == 0
                           ? "has a new password"
                           : "has no sessions any more";

    if (given(c, "user") != NULL)
        (void)printf("%s %s; ", given(c, "user"), done);
    else
        (void)printf("The session is ended; ");
    (void)printf("%" PRId64 " connection%s cut off.\n", n, plural(n));
}

void show_deleted(struct ctl *c, const json_t *result)
{
    int64_t resigned = member_int(result, "resigned");
    int64_t left = member_int(result, "left");

    (void)printf("%s is deleted: resigned at %" PRId64 " running table%s, "
                 "left %" PRId64 " open one%s.\n",
                 given(c, "user"), resigned, plural(resigned), left,
                 plural(left));
}

/* ---- sessions --------------------------------------------------------- */

void show_sessions(struct ctl *c, const json_t *result)
{
    const json_t *sessions = json_object_get(result, "sessions");
    char made[TIME_SIZE], end[TIME_SIZE];
    struct grid g;

    (void)c;
    grid_init(&g, "SESSION USER >HERE MADE EXPIRES LABEL");
    for (size_t i = 0; i < json_array_size(sessions); i++) {
        const json_t *s = json_array_get(sessions, i);
        const json_t *expires = json_object_get(s, "expires");
        grid_add(&g, "%s", member_text(s, "id"));
        grid_add(&g, "%s", member_text(s, "user"));
        grid_add(&g, "%" PRId64, member_int(s, "connections"));
        grid_add(&g, "%.10s", time_text(json_object_get(s, "created"), made));
        grid_add(&g, "%.10s", time_text(expires, end));
        grid_add(&g, "%s", member_text(s, "label"));
    }
    grid_print(&g, "There are no such sessions.");
}

/* ---- all that is stored about somebody --------------------------------- */

/* All rows of PART (NULL: the account) of who was given; NULL after a
 * complaint. */
static json_t *rows_of(struct ctl *c, const char *part)
{
    json_t *rows = json_array(), *error;
    int64_t from = 0;

    ASSERT(rows != NULL);
    for (;;) {
        struct json_out *o = call_begin(c, "admin.users.export");
        out_string(o, "user", given(c, "user"));
        if (part != NULL)
            out_string(o, "part", part);
        out_int(o, "from", from);
        json_t *page = call_end(c, &error);
        if (page == NULL) {
            (void)complain_error(error);
            json_decref(rows);
            return NULL;
        }
        (void)json_array_extend(rows, json_object_get(page, "rows"));
        bool more = json_object_get(page, "next") != NULL;
        from = member_int(page, "next");
        json_decref(page);
        if (!more)
            return rows;
    }
}

int user_export_command(struct ctl *c)
{
    json_t *rows = dial(c) ? rows_of(c, NULL) : NULL;
    if (rows == NULL)
        return STATUS_FAILED;
    json_t *person = json_deep_copy(json_array_get(rows, 0));
    json_decref(rows);
    for (size_t i = 0; person_parts[i] != NULL; i++) {
        rows = rows_of(c, person_parts[i]);
        if (rows == NULL) {
            json_decref(person);
            return STATUS_FAILED;
        }
        (void)json_object_set_new(person, person_parts[i], rows);
    }
    char *text = json_dumps(person, c->json ? JSON_COMPACT : JSON_INDENT(2));
    ASSERT(text != NULL);
    output_json(true);
    (void)puts(text);
    free(text);
    json_decref(person);
    return STATUS_DONE;
}

/* ---- one of them ------------------------------------------------------- */

static void print_ban(const json_t *ban)
{
    const json_t *until = json_object_get(ban, "until");
    const char *why = member_text(ban, "why");
    char time[TIME_SIZE];

    if (!json_is_object(ban))
        return;
    (void)printf("barred    %s%s%s%s\n",
                 json_is_integer(until) ? "until " : "for good",
                 json_is_integer(until) ? time_text(until, time) : "",
                 why[0] != '\0' ? ": " : "", why);
}

static void print_held(const json_t *tables)
{
    struct grid g;

    if (json_array_size(tables) == 0)
        return;
    (void)putchar('\n');
    grid_init(&g, "TABLE GAME STATE NOW");
    for (size_t i = 0; i < json_array_size(tables); i++) {
        const json_t *t = json_array_get(tables, i);
        grid_add(&g, "%s", member_text(t, "table"));
        grid_add(&g, "%s", member_text(t, "game"));
        grid_add(&g, "%s", member_text(t, "state"));
        grid_add(&g, "%s",
                 json_is_true(json_object_get(t, "waits")) ? "is waited for"
                                                           : "");
    }
    grid_print(&g, "");
}

void show_person(struct ctl *c, const json_t *result)
{
    const json_t *u = json_object_get(result, "user");
    const json_t *limits = json_object_get(result, "limits");
    const json_t *tables = json_object_get(result, "tables");
    const char *email = member_text(result, "email");
    int64_t wait = member_int(result, "login_wait_ms");
    char time[TIME_SIZE];

    (void)c;
    (void)printf("%s  %s, account %s\n", member_text(u, "name"),
                 json_is_true(json_object_get(u, "guest")) ? "guest" : "user",
                 member_text(u, "id"));
    if (email[0] != '\0')
        (void)printf("e-mail    %s%s\n", email,
                     json_is_true(json_object_get(result, "email_confirmed"))
                         ? ""
                         : ", not confirmed");
    if (json_is_true(json_object_get(result, "totp")))
        (void)puts("log-in    needs a code of the second factor, too");
    (void)printf("created   %s\n",
                 time_text(json_object_get(u, "created"), time));
    (void)printf("seen      %s, %" PRId64 " connection%s now\n",
                 time_text(json_object_get(u, "seen"), time),
                 member_int(u, "connections"),
                 plural(member_int(u, "connections")));
    print_ban(json_object_get(u, "banned"));
    (void)printf("sessions  %" PRId64 " of %" PRId64
                 "; tokens of bots %" PRId64 " of %" PRId64 "\n",
                 member_int(result, "sessions"),
                 member_int(limits, "sessions"), member_int(result, "tokens"),
                 member_int(limits, "tokens"));
    (void)printf("tables    %zu of %" PRId64 " open or running\n",
                 json_array_size(tables), member_int(limits, "tables"));
    if (wait > 0)
        (void)printf("log-in    refused for %s: too many have failed\n",
                     span_text(wait, time));
    print_held(tables);
}

void show_renamed(struct ctl *c, const json_t *result)
{
    (void)printf("%s is called %s now.\n", given(c, "user"),
                 member_text(json_object_get(result, "user"), "name"));
}

/* ---- links -------------------------------------------------------------- */

void show_new_link(struct ctl *c, const json_t *result)
{
    const json_t *link = json_object_get(result, "link");
    const char *url = member_text(result, "url");
    const char *code = member_text(result, "code");
    bool reset = strcmp(member_text(link, "purpose"), "reset") == 0;
    int64_t uses = member_int(link, "uses");
    char time[TIME_SIZE];

    (void)c;
    (void)printf("%s%s\n", url[0] != '\0' ? url : "(your server)/",
                 member_text(result, "address"));
    (void)printf("in a terminal: sobremesa %s%s\n",
                 reset ? "reset " : "register NAME --invite ", code);
    (void)printf("Good %" PRId64 " time%s, until %s.\n", uses, plural(uses),
                 time_text(json_object_get(link, "expires"), time));
    if (url[0] == '\0')
        (void)fprintf(stderr, "Set server.url in the configuration, and the "
                              "whole address is printed.\n");
}

void show_links(struct ctl *c, const json_t *result)
{
    const json_t *links = json_object_get(result, "links");
    char made[TIME_SIZE], end[TIME_SIZE], used[TIME_SIZE];
    struct grid g;

    (void)c;
    grid_init(&g, "INVITATION >LEFT MADE EXPIRES USED");
    for (size_t i = 0; i < json_array_size(links); i++) {
        const json_t *l = json_array_get(links, i);
        grid_add(&g, "%s", member_text(l, "id"));
        grid_add(&g, "%" PRId64, member_int(l, "uses"));
        grid_add(&g, "%.16s", time_text(json_object_get(l, "made"), made));
        grid_add(&g, "%.16s", time_text(json_object_get(l, "expires"), end));
        grid_add(&g, "%s", time_text(json_object_get(l, "used"), used));
    }
    grid_print(&g, "There are no invitations.");
}

void show_revoked(struct ctl *c, const json_t *result)
{
    (void)c;
    (void)result;
    (void)puts("That link is good for nothing any more.");
}
