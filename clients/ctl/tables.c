/* tables.c -- what is shown of tables. */

#include <inttypes.h>
#include <string.h>

#include "core/base.h"
#include "ctl.h"
#include "protocol/sbuf_printf.h"

static bool is(const json_t *seat, const char *what)
{
    return json_is_true(json_object_get(seat, what));
}

/* "anna*, -, ben?": who is waited for has a star, whom a vote waits for a question
 * mark, a free seat a dash. */
static void seats_text(const json_t *seats, char *text, size_t size)
{
    struct sbuf s = sbuf_in(text, size);

    for (size_t i = 0; i < json_array_size(seats); i++) {
        const json_t *seat = json_array_get(seats, i);
        const char *name = member_text(seat, "name");
        bool taken = json_is_string(json_object_get(seat, "user"));
        sbuf_printf(&s, "%s%s%s%s", i > 0 ? ", " : "",
                    name[0] != '\0' ? name
                    : taken         ? "(deleted)"
                                    : "-",
                    is(seat, "acting") ? "*" : "",
                    is(seat, "asked") ? "?" : "");
    }
}

void show_tables(struct ctl *c, const json_t *result)
{
    const json_t *tables = json_object_get(result, "tables");
    char seats[512], span[TIME_SIZE];
    struct grid g;

    (void)c;
    grid_init(&g, "TABLE GAME STATE >PLY >CHANGED SEATS");
    for (size_t i = 0; i < json_array_size(tables); i++) {
        const json_t *t = json_array_get(tables, i);
        bool closed = json_is_true(json_object_get(t, "private"));
        seats_text(json_object_get(t, "seats"), seats, sizeof(seats));
        grid_add(&g, "%s", member_text(t, "table"));
        grid_add(&g, "%s", member_text(t, "game"));
        grid_add(&g, "%s", member_text(t, "state"));
        grid_add(&g, "%" PRId64, member_int(t, "ply"));
        grid_add(&g, "%s",
                 span_text(now_ms() - member_int(t, "changed"), span));
        grid_add(&g, "%s%s", closed ? "(private) " : "", seats);
    }
    grid_print(&g, "There are no such tables.");
}

static bool has_resigned(const json_t *table, size_t seat)
{
    const json_t *list = json_object_get(table, "resigned");

    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_integer_value(json_array_get(list, i)) == (json_int_t)seat)
            return true;
    return false;
}

static void show_seats(const json_t *table)
{
    const json_t *seats = json_object_get(table, "seats");
    struct grid g;

    grid_init(&g, ">SEAT NAME ACCOUNT NOW");
    for (size_t i = 0; i < json_array_size(seats); i++) {
        const json_t *seat = json_array_get(seats, i);
        bool taken = json_is_string(json_object_get(seat, "user"));
        const char *name = member_text(seat, "name");
        grid_add(&g, "%zu", i);
        grid_add(&g, "%s", name[0] ? name : taken ? "(deleted)" : "(free)");
        grid_add(&g, "%s", member_text(seat, "user"));
        bool acting = is(seat, "acting"), asked = is(seat, "asked");
        grid_add(&g, "%s",
                 has_resigned(table, i) ? "has resigned"
                 : acting && asked      ? "is waited for, and asked to vote"
                 : acting               ? "is waited for"
                 : asked                ? "is asked to vote"
                                        : "");
    }
    grid_print(&g, "");
}

static void show_plies(const json_t *table)
{
    const json_t *plies = json_object_get(table, "plies");
    char time[TIME_SIZE];
    struct grid g;

    grid_init(&g, ">PLY AT SEAT WHAT");
    for (size_t i = 0; i < json_array_size(plies); i++) {
        const json_t *ply = json_array_get(plies, i);
        const json_t *seat = json_object_get(ply, "seat");
        const char *verb = member_text(ply, "verb");
        grid_add(&g, "%" PRId64, member_int(ply, "ply"));
        grid_add(&g, "%s", time_text(json_object_get(ply, "at"), time));
        if (json_is_integer(seat))
            grid_add(&g, "%" PRId64, (int64_t)json_integer_value(seat));
        else
            grid_add(&g, "%s", member_text(ply, "seat"));
        grid_add(&g, "%s%s%s%s", member_text(ply, "kind"), verb[0] ? " " : "",
                 verb,
                 json_is_true(json_object_get(ply, "undone"))
                     ? "  (taken back)"
                     : "");
    }
    grid_print(&g, "");
}

static bool is_true(const json_t *object, const char *name)
{
    return json_is_true(json_object_get(object, name));
}

void show_table(struct ctl *c, const json_t *result)
{
    const json_t *t = json_object_get(result, "table");
    const char *reason = member_text(t, "reason");
    char time[TIME_SIZE];

    (void)c;
    (void)printf("%s  %s, %s%s%s%s\n", member_text(t, "table"),
                 member_text(t, "game"), member_text(t, "state"),
                 reason[0] && strcmp(reason, member_text(t, "state")) != 0
                     ? ": "
                     : "",
                 strcmp(reason, member_text(t, "state")) != 0 ? reason : "",
                 is_true(t, "private") ? ", private" : "");
    (void)printf("made      %s\n",
                 time_text(json_object_get(t, "created"), time));
    (void)printf("changed   %s\n",
                 time_text(json_object_get(t, "changed"), time));
    (void)printf("last ply  %" PRId64, member_int(t, "ply"));
    if (member_int(t, "started") > 0)
        (void)printf(", started at %" PRId64, member_int(t, "started"));
    (void)printf("\nnext draw %" PRId64 "\n", member_int(t, "draws"));
    (void)printf("watchers  %" PRId64 "\n", member_int(t, "watchers"));
    (void)printf("chat      %" PRId64 " texts\n\n", member_int(t, "texts"));
    show_seats(t);
    (void)putchar('\n');
    show_plies(t);
}

/* Of what is done to a table. */
void show_ply(struct ctl *c, const json_t *result)
{
    static const char *const done[][2] = {
        {"rewind", "is rewound"},    {"replace", "has a new player"},
        {"abandon", "is abandoned"}, {"extend", "has more time"},
        {"pause", "is paused"},      {"resume", "goes on"},
    };
    const char *is = "";

    for (size_t i = 0; i < COUNT_OF(done); i++)
        if (strcmp(done[i][0], c->command->name) == 0)
            is = done[i][1];
    (void)printf("Table %s %s; its last ply is %" PRId64 ".\n",
                 given(c, "table"), is, member_int(result, "ply"));
}

/* ---- time ---------------------------------------------------------------- */

void show_late(struct ctl *c, const json_t *result)
{
    const json_t *tables = json_object_get(result, "tables");
    size_t more = (size_t)member_int(result, "count");
    char time[TIME_SIZE], span[TIME_SIZE];
    struct grid g;

    (void)c;
    grid_init(&g, "TABLE DUE >LEFT");
    for (size_t i = 0; i < json_array_size(tables); i++) {
        const json_t *t = json_array_get(tables, i);
        int64_t left = member_int(t, "due") - now_ms();
        grid_add(&g, "%s", member_text(t, "table"));
        grid_add(&g, "%s", time_text(json_object_get(t, "due"), time));
        grid_add(&g, "%s", left > 0 ? span_text(left, span) : "late");
    }
    grid_print(&g, "Nobody's time runs.");
    more -= json_array_size(tables);
    if (more > 0)
        (void)printf("And %zu more.\n", more);
}

int resume_command(struct ctl *c)
{
    static const struct command pause = {
        .name = "resume",
        .method = "admin.pause",
        .show = show_ply,
    };

    (void)json_object_set_new(c->given, "until", json_null());
    c->command = &pause;
    return call_command(c);
}

/* ---- what was said ----------------------------------------------------- */

static void show_texts(struct ctl *c, const json_t *result)
{
    const json_t *texts = json_object_get(result, "texts");
    char time[TIME_SIZE];
    struct grid g;

    (void)c;
    grid_init(&g, ">TEXT AT ROOM FROM WHAT");
    for (size_t i = json_array_size(texts); i-- > 0;) {
        const json_t *text = json_array_get(texts, i);
        const json_t *body = json_object_get(text, "body");
        const char *from = member_text(text, "from");
        grid_add(&g, "%" PRId64, member_int(text, "text"));
        grid_add(&g, "%s", time_text(json_object_get(text, "at"), time));
        grid_add(&g, "%s", member_text(text, "room"));
        grid_add(&g, "%s", from[0] != '\0' ? from : "(deleted)");
        grid_add(&g, "%s",
                 json_is_string(body) ? json_string_value(body) : "(removed)");
    }
    grid_print(&g, "Nobody has said anything.");
}

static void show_removed(struct ctl *c, const json_t *result)
{
    (void)result;
    (void)printf("Text %" PRId64 " of table %s is removed.\n",
                 member_int(c->given, "text"), given(c, "table"));
}

int texts_command(struct ctl *c)
{
    static const struct command list = {
        .method = "admin.texts",
        .rows = "texts",
        .show = show_texts,
    };
    static const struct command removal = {
        .method = "admin.texts.remove",
        .show = show_removed,
    };

    bool removes = json_object_get(c->given, "text") != NULL;
    if (!removes && given(c, "why") != NULL)
        return misused(c, "--why is for --remove");
    c->command = removes ? &removal : &list;
    return call_command(c);
}
