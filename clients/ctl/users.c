/* users.c -- what is shown of people and their sessions; all that is stored
 * about one of them. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "ctl.h"

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
    static const char *const parts[] = {
        "seats", "made", "invited", "texts", "notes", "marks", "keys",
    };

    json_t *rows = dial(c) ? rows_of(c, NULL) : NULL;
    if (rows == NULL)
        return STATUS_FAILED;
    json_t *person = json_deep_copy(json_array_get(rows, 0));
    json_decref(rows);
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        rows = rows_of(c, parts[i]);
        if (rows == NULL) {
            json_decref(person);
            return STATUS_FAILED;
        }
        (void)json_object_set_new(person, parts[i], rows);
    }
    char *text = json_dumps(person, c->json ? JSON_COMPACT : JSON_INDENT(2));
    ASSERT(text != NULL);
    (void)puts(text);
    free(text);
    json_decref(person);
    return STATUS_DONE;
}
