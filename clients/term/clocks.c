/* clocks.c -- clocks in words; see clocks.h. */

#include "clocks.h"

#include <string.h>
#include <time.h>

#include "clients/common/lang.h"
#include "pace.h"
#include "protocol/sbuf_printf.h"

static const json_t *seat_of(const struct online *o, int seat)
{
    return json_array_get(json_object_get(o->view, "seats"), (size_t)seat);
}

static bool has_pace(const struct online *o)
{
    return json_is_object(json_object_get(o->about, "pace"));
}

void clocks_moment(int64_t at_ms, char *buf, size_t cap)
{
    time_t at = (time_t)(at_ms / 1000);
    struct tm tm;

    (void)localtime_r(&at, &tm);
    if (strftime(buf, cap, "%a %d %b %H:%M", &tm) == 0)
        buf[0] = '\0';
}

static bool is_ahead(const struct client *c, int64_t at_ms)
{
    return at_ms > (int64_t)time(NULL) * 1000 + c->notices.ahead_ms;
}

int clocks_offered(const struct online *o)
{
    const char *then = member_text(json_object_get(o->about, "misses"), "then",
                                   "");

    if (o->state != ONLINE_PLAYING || o->you < o->table.seats)
        return -1;
    for (int seat = 0; seat < o->table.seats; seat++) {
        const json_t *s = seat_of(o, seat);
        if (member_true(s, "offered") ||
            (member_true(s, "gone") && strcmp(then, "open") == 0))
            return seat;
    }
    return -1;
}

bool clocks_gone(const struct online *o)
{
    return o->state == ONLINE_PLAYING && o->you < o->table.seats &&
           member_true(seat_of(o, o->you), "gone") &&
           !member_true(seat_of(o, o->you), "resigned");
}

bool clocks_opponent(const struct online *o)
{
    return o->state == ONLINE_PLAYING && o->you < o->table.seats &&
           o->table.seats == 2 &&
           member_number(seat_of(o, 1 - o->you), "due") > 0;
}

void clocks_note(FILE *to, const struct client *c)
{
    const struct online *o = c->online;
    int64_t paused = member_number(o->view, "paused");
    char when[60];

    if (!has_pace(o) || o->state != ONLINE_PLAYING)
        return;
    if (is_ahead(c, paused)) {
        clocks_moment(paused, when, sizeof(when));
        (void)fprintf(to, _("The game is paused until %s.\n"), when);
    }
    for (int seat = 0; seat < o->table.seats; seat++) {
        const json_t *s = seat_of(o, seat);
        const char *name = o->table.names[seat];
        int64_t absent = member_number(s, "absent");
        if (member_true(s, "gone") && seat == o->you)
            (void)fprintf(to,
                          _("Your turns are played for you; `return` takes "
                            "your seat back.\n"));
        else if (member_true(s, "gone"))
            (void)fprintf(to, _("Moves are made for %s.\n"), name);
        if (member_true(s, "offered"))
            (void)fprintf(to,
                          _("%s has not come: the seat is offered to "
                            "others (`take-over %d`).\n"),
                          name, seat);
        if (is_ahead(c, absent)) {
            clocks_moment(absent, when, sizeof(when));
            (void)fprintf(to, _("%s is away until %s.\n"), name, when);
        }
    }
}

/* "9:48", "3 h 20 min", "2 days" of a bank. */
static void bank_text(int64_t ms, char *buf, size_t cap)
{
    long long s = ms / 1000;

    if (s >= 2 * 86400)
        (void)snprintf(buf, cap, P_("%lld day", "%lld days", s / 86400),
                       s / 86400);
    else if (s >= 3600)
        (void)snprintf(buf, cap, "%lld h %02lld", s / 3600, s / 60 % 60);
    else
        (void)snprintf(buf, cap, "%lld:%02lld", s / 60, s % 60);
}

static void write_seat(FILE *to, const struct client *c, int seat)
{
    const json_t *s = seat_of(c->online, seat);
    const json_t *pace = json_object_get(c->online->about, "pace");
    int missed = (int)member_number(s, "missed");
    char due[PACE_TEXT_MAX], bank[60];

    due_text(member_number(s, "due"), c->notices.ahead_ms, due, sizeof(due));
    (void)fprintf(to, "  %-24s %s", c->online->table.names[seat],
                  due[0] != '\0' ? due : "-");
    if (member_number(pace, "bank") > 0 || member_number(pace, "add") > 0) {
        bank_text(member_number(s, "bank"), bank, sizeof(bank));
        (void)fprintf(to, _(", %s in the bank"), bank);
    }
    if (missed > 0)
        (void)fprintf(to, P_(", missed %d turn", ", missed %d turns", missed),
                      missed);
    (void)fprintf(to, "\n");
}

static void write_terms(FILE *to, const json_t *about)
{
    static const char *const policies[][2] = {
        {"mild", N_("default moves are made for them")},
        {"bot", N_("a bot plays on")},
        {"open", N_("the seat is offered to others")},
        {"out", N_("they give up by it")},
        {"end", N_("the game ends")},
    };
    const json_t *misses = json_object_get(about, "misses");
    const char *then = member_text(misses, "then", "");
    int excused = (int)member_number(misses, "excused");
    char pace[PACE_TEXT_MAX];

    pace_text(json_object_get(about, "pace"), pace, sizeof(pace));
    (void)fprintf(to, _("Time: %s.\n"), pace);
    for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++)
        if (strcmp(policies[i][0], then) == 0)
            (void)fprintf(to,
                          P_("Who misses a turn is excused %d time; then "
                             "%s.\n",
                             "Who misses a turn is excused %d times; then "
                             "%s.\n",
                             excused),
                          excused, _(policies[i][1]));
    if (member_true(about, "hours"))
        (void)fprintf(to, _("Clocks run in everybody's own hours.\n"));
    if (member_true(about, "absence"))
        (void)fprintf(to, _("Clocks stand still while people are away.\n"));
}

void clocks_write(FILE *to, const struct client *c)
{
    const struct online *o = c->online;

    if (!has_pace(o)) {
        (void)fprintf(to, _("This table has no clocks.\n"));
        return;
    }
    if (o->state == ONLINE_PLAYING)
        for (int seat = 0; seat < o->table.seats; seat++)
            write_seat(to, c, seat);
    clocks_note(to, c);
    write_terms(to, o->about);
}
