/* pace.c -- paces and deadlines in words; see pace.h. */

#include "pace.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "clients/common/lang.h"
#include "client.h"
#include "core/clock.h"

#define MINUTE_S 60
#define HOUR_S   (60 * MINUTE_S)
#define DAY_S    (24 * HOUR_S)

const char *const pace_presets[] = {"10m+15s", "30m+30s", "1d", "3d",
                                    "7d",      "1d/10d",  NULL};

/* ---- reading -------------------------------------------------------------- */

/* So many s, m, h or d at *AT, which moves on; -1: that is none. */
static int64_t span_read(const char **at)
{
    static const char units[] = "smhd";
    static const int seconds[] = {1, MINUTE_S, HOUR_S, DAY_S};
    int64_t n = 0;
    const char *p = *at, *unit;

    while (*p >= '0' && *p <= '9' && n <= PACE_PERIOD_MAX)
        n = 10 * n + (*p++ - '0');
    if (p == *at || *p == '\0' || (unit = strchr(units, *p)) == NULL)
        return -1;
    *at = p + 1;
    return n * seconds[unit - units];
}

int64_t span_read_all(const char *text)
{
    int64_t seconds = span_read(&text);
    return *text == '\0' ? seconds : -1;
}

json_t *pace_read(const char *text)
{
    int64_t free = 0, bank = 0, add = 0;
    const char *at = text;

    if (*at != '/' && (free = span_read(&at)) < 0)
        return NULL;
    if (*at == '/') {
        at++;
        if ((bank = span_read(&at)) < 0)
            return NULL;
    } else if (*at == '+') { /* for all moves */
        bank = free;
        free = 0;
    }
    if (*at == '+') {
        at++;
        if ((add = span_read(&at)) < 0)
            return NULL;
    }
    if (*at != '\0')
        return NULL;
    /* What is added may fill the bank to twice what it began with. */
    return json_pack("{sI sI sI sI}", "free", (json_int_t)free, "bank",
                     (json_int_t)bank, "add", (json_int_t)add, "cap",
                     (json_int_t)(add > 0 ? 2 * bank : bank));
}

json_t *misses_read(const char *text)
{
    const char *comma = strchr(text, ',');
    json_t *misses = json_object();
    uint64_t excused;

    (void)json_object_set_new(misses, "then",
                              json_stringn(text, comma != NULL
                                                     ? (size_t)(comma - text)
                                                     : strlen(text)));
    if (comma == NULL)
        return misses;
    if (!number_read(comma + 1, EXCUSED_MAX, &excused)) {
        json_decref(misses);
        return NULL;
    }
    (void)json_object_set_new(misses, "excused",
                              json_integer((json_int_t)excused));
    return misses;
}

/* ---- telling -------------------------------------------------------------- */

void span_text(int64_t seconds, char *buf, size_t cap)
{
    long long s = seconds;

    if (s > 0 && s % DAY_S == 0)
        (void)snprintf(buf, cap, P_("%lld day", "%lld days", s / DAY_S),
                       s / DAY_S);
    else if (s > 0 && s % HOUR_S == 0)
        (void)snprintf(buf, cap, P_("%lld hour", "%lld hours", s / HOUR_S),
                       s / HOUR_S);
    else if (s > 0 && s % MINUTE_S == 0)
        (void)snprintf(buf, cap, "%lld min", s / MINUTE_S);
    else
        (void)snprintf(buf, cap, "%lld s", s);
}

void pace_text(const json_t *pace, char *buf, size_t cap)
{
    int64_t free_s = member_number(pace, "free"),
            bank_s = member_number(pace, "bank"),
            add_s = member_number(pace, "add");
    char free[30], bank[30], add[34] = "";

    buf[0] = '\0';
    if (!json_is_object(pace))
        return;
    span_text(free_s, free, sizeof(free));
    span_text(bank_s, bank, sizeof(bank));
    if (add_s > 0) {
        memcpy(add, " + ", 4);
        span_text(add_s, add + 3, sizeof(add) - 3);
    }
    if (free_s == 0 && add_s == 0)
        (void)snprintf(buf, cap, _("%s for all moves"), bank);
    else if (free_s == 0)
        (void)snprintf(buf, cap, "%s%s", bank, add);
    else if (bank_s == 0)
        (void)snprintf(buf, cap, _("%s a move%s"), free, add);
    else
        (void)snprintf(buf, cap, _("%s a move, a bank of %s%s"), free, bank,
                       add);
}

void due_text(int64_t due_ms, int64_t ahead_ms, char *buf, size_t cap)
{
    struct timespec now;
    struct tm at;
    char when[40];

    buf[0] = '\0';
    if (due_ms == 0)
        return;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    time_t due = (time_t)((due_ms - ahead_ms) / 1000);
    long long left = (long long)(due - now.tv_sec);
    if (left <= 0) {
        (void)snprintf(buf, cap, "%s", _("time is up"));
    } else if (left < HOUR_S) {
        (void)snprintf(buf, cap, "%lld:%02lld", left / MINUTE_S,
                       left % MINUTE_S);
    } else if (left >= 2 * DAY_S - HOUR_S) {
        long long days = (left + HOUR_S) / DAY_S;
        (void)snprintf(buf, cap, P_("%lld day left", "%lld days left", days),
                       days);
    } else {
        (void)localtime_r(&due, &at);
        (void)strftime(when, sizeof(when), "%a %H:%M", &at);
        (void)snprintf(buf, cap, _("until %s"), when);
    }
}

int64_t due_first(const json_t *view, int you)
{
    const json_t *seats = json_object_get(view, "seats");
    int64_t first = 0;

    for (size_t i = 0; i < json_array_size(seats); i++) {
        const json_t *seat = json_array_get(seats, i);
        int64_t due = member_number(seat, "due");
        if (due == 0 || !member_true(seat, "acting"))
            continue;
        if ((int)i == you)
            return due;
        if (first == 0 || due < first)
            first = due;
    }
    return first;
}
