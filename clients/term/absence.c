/* absence.c -- `sobremesa absence`: when one is away. */

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "clients/common/lang.h"
#include "core/base.h"
#include "pace.h"
#include "session.h"
#include "tables.h"

#define DAY_MS INT64_C(86400000)

struct absence_arguments {
    struct session session;
    const char *words[2];
    size_t count;
    bool json;
};

/* ---- moments -------------------------------------------------------------- */

static int64_t now_ms(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* When the day begins that is DAYS after that of TM, by the clocks here. */
static int64_t midnight(struct tm tm, int days)
{
    tm.tm_mday += days;
    tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
    tm.tm_isdst = -1;
    return (int64_t)mktime(&tm) * 1000;
}

/* 2026-12-20. */
static bool day_read(const char *text, struct tm *ret_tm)
{
    *ret_tm = (struct tm){0};
    const char *end = strptime(text, "%Y-%m-%d", ret_tm);
    return end != NULL && *end == '\0';
}

/* From when until when by the words that were typed, of which the last is a day
 * that is spent away, or how long.  A night with an hour more spends no day
 * more: who comes back does so an hour earlier.  False after a complaint. */
static bool span_of(const struct absence_arguments *a, int64_t *ret_from,
                    int64_t *ret_until)
{
    const char *last = a->words[a->count - 1];
    int64_t from = now_ms(), seconds = span_read_all(last);
    struct tm first, tm;
    time_t today = time(NULL);

    (void)localtime_r(&today, &first);
    if (a->count == 2) {
        if (!day_read(a->words[0], &first))
            return complain(_("'%s': expected a day, 2026-12-20"),
                            a->words[0]),
                   false;
        if (midnight(first, 0) > from)
            from = midnight(first, 0);
    }
    *ret_from = from;
    if (seconds > 0) {
        *ret_until = from + seconds * 1000;
        return true;
    }
    if (!day_read(last, &tm))
        return complain(_("'%s': expected a day, 2026-12-20, or how long, 7d"),
                        last),
               false;
    int64_t days = (midnight(tm, 1) - midnight(first, 0) + DAY_MS / 2) /
                   DAY_MS;
    *ret_until = midnight(tm, 1) < from + days * DAY_MS ? midnight(tm, 1)
                                                        : from + days * DAY_MS;
    if (days < 1)
        return complain(_("the last day comes before the first")), false;
    return true;
}

/* ---- showing ---------------------------------------------------------------- */

static void print_moment(int64_t at_ms)
{
    time_t at = (time_t)(at_ms / 1000);
    struct tm tm;
    char text[60];

    (void)localtime_r(&at, &tm);
    (void)strftime(text, sizeof(text), "%a %Y-%m-%d %H:%M", &tm);
    printf("%s", text);
}

static void print_absence(const json_t *one)
{
    int64_t from = member_number(one, "from"),
            until = member_number(one, "until");
    int days = (int)((until - from + DAY_MS - 1) / DAY_MS);

    printf("  ");
    print_moment(from);
    printf(" - ");
    print_moment(until);
    printf(P_("  %d day", "  %d days", days), days);
    printf("%s\n", member_true(one, "auto") ? _(", by itself") : "");
}

static void print_absences(const json_t *all)
{
    for (int ahead = 1; ahead >= 0; ahead--) {
        bool any = false;
        for (size_t i = 0; i < json_array_size(all); i++) {
            const json_t *one = json_array_get(all, i);
            if ((member_number(one, "until") > now_ms()) != ahead)
                continue;
            if (!any)
                printf("%s\n",
                       ahead ? _("You are away:") : _("You were away:"));
            any = true;
            print_absence(one);
        }
    }
}

/* One's tables with a pace whose clocks heed absences, if KEPT, or do not. */
static void print_tables(const json_t *tables, bool kept, const char *title)
{
    char players[400];
    bool any = false;

    for (size_t i = 0; i < json_array_size(tables); i++) {
        const json_t *table = json_array_get(tables, i);
        if (!json_is_object(json_object_get(table, "pace")) ||
            member_true(table, "absence") != kept)
            continue;
        summary_players(table, players, sizeof(players));
        if (!any)
            printf("%s\n", title);
        any = true;
        printf("  %s  %s  %s\n", member_text(table, "table", "?"),
               member_text(table, "game", "?"), players);
    }
}

static int show(struct absence_arguments *a, json_t *away)
{
    json_t *tables = NULL;

    if (away == NULL)
        return STATUS_FAILED;
    if (a->json) {
        print_json(away);
        json_decref(away);
        return STATUS_DONE;
    }
    printf(_("%d of %d days of absence are left this year.\n"),
           (int)member_number(away, "left"),
           (int)member_number(away, "budget"));
    print_absences(json_object_get(away, "absences"));
    printf("%s\n", member_true(away, "auto")
                       ? _("If your time runs out, an absence begins instead "
                           "of a missed turn.")
                       : _("If your time runs out, no absence begins by "
                           "itself (`absence auto on`)."));
    json_decref(away);
    tables = session_ask_all(&a->session, "me.tables",
                             json_pack("{ss}", "state", "playing"), "tables");
    if (tables == NULL)
        return STATUS_FAILED;
    print_tables(tables, true,
                 _("While you are away your clock stands still here:"));
    print_tables(tables, false, _("It runs on here:"));
    json_decref(tables);
    return STATUS_DONE;
}

/* ---- changing it -------------------------------------------------------------- */

static int set_auto(struct absence_arguments *a)
{
    const char *word = a->count == 2 ? a->words[1] : "";
    bool on = strcmp(word, "on") == 0;

    if (!on && strcmp(word, "off") != 0)
        return complain(_("'%s': expected on or off"), word);
    return show(a, session_ask(&a->session, "account.absence.auto",
                               json_pack("{sb}", "auto", (int)on)));
}

/* The one that began on the day that is named is told by its moment. */
static int end(struct absence_arguments *a)
{
    json_t *params = json_object(), *away = NULL;
    struct tm tm;

    if (a->count == 2) {
        if (!day_read(a->words[1], &tm)) {
            json_decref(params);
            return complain(_("'%s': expected a day, 2026-12-20"),
                            a->words[1]);
        }
        away = session_ask(&a->session, "account.absence.get", NULL);
        const json_t *all = json_object_get(away, "absences");
        json_int_t from = midnight(tm, 0);
        for (size_t i = 0; i < json_array_size(all); i++) {
            json_int_t at = member_number(json_array_get(all, i), "from");
            if (at >= midnight(tm, 0) && at < midnight(tm, 1))
                from = at;
        }
        (void)json_object_set_new(params, "from", json_integer(from));
        json_decref(away);
    }
    return show(a, session_ask(&a->session, "account.absence.end", params));
}

static int leave(struct absence_arguments *a)
{
    int64_t from, until;

    if (!span_of(a, &from, &until))
        return STATUS_FAILED;
    json_t *params = json_pack("{sI}", "until", (json_int_t)until);
    if (from > now_ms())
        (void)json_object_set_new(params, "from",
                                  json_integer((json_int_t)from));
    return show(a, session_ask(&a->session, "account.absence.add", params));
}

/* ---- the command ---------------------------------------------------------------- */

enum { JSON_KEY = 256 };

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct absence_arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_INIT: session_hand_on(state, &a->session); return 0;
    case JSON_KEY: a->json = true; return 0;
    case ARGP_KEY_ARG:
        if (a->count == COUNT_OF(a->words))
            argp_error(state, _("'%s' is too much"), arg);
        a->words[a->count++] = arg;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int absence_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"json", JSON_KEY, NULL, 0, N_("for programs: an object"), 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "\n[FIRST-DAY] LAST-DAY|7d\nend [FIRST-DAY]\nauto on|off",
        .doc = DOC(
            N_("Shows when you are away, or says so: from a day on (now, if it "
               "is not given) to the end of another, or for so long. At "
               "tables that heed it your clock stands still then, and others "
               "see until when. You may still move."),
            N_("Each 24 hours that begin spend one of the days that there are "
               "in a year. `end` ends the absence that goes on, or drops the "
               "one that is planned from that day on. With `auto on` you "
               "agree that an absence begins by itself instead of a missed "
               "turn: for 7 days, or what is left.")),
        .children = session_children,
    };
    struct absence_arguments a = {0};

    if (command_parse(&argp, "absence", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (!session_open(&a.session, SESSION_SOMEBODY, NULL))
        return STATUS_FAILED;
    int status = a.count == 0
                     ? show(&a, session_ask(&a.session, "account.absence.get",
                                            NULL))
                 : strcmp(a.words[0], "end") == 0  ? end(&a)
                 : strcmp(a.words[0], "auto") == 0 ? set_auto(&a)
                                                   : leave(&a);
    session_close(&a.session);
    return status;
}
