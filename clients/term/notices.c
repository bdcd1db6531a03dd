#include "notices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clients/common/lang.h"
#include "session.h"

#define MINUTE_S 60
#define HOUR_S   3600

static int64_t now_ms(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void take(char to[NOTICE_TEXT_MAX], const json_t *from,
                 const char *name)
{
    (void)snprintf(to, NOTICE_TEXT_MAX, "%s", member_text(from, name, ""));
}

/* ---- times -------------------------------------------------------------- */

/* "18:06", or with its day if that is far, for AT_MS of this clock. */
static void say_time(int64_t at_ms, char *buf, size_t cap)
{
    time_t at = (time_t)(at_ms / 1000);
    bool far = at_ms - now_ms() > 12 * HOUR_S * INT64_C(1000);
    struct tm tm;

    (void)localtime_r(&at, &tm);
    (void)strftime(buf, cap, far ? "%Y-%m-%d %H:%M" : "%H:%M", &tm);
}

/* "in 10 minutes" */
static void say_span(int64_t ms, char *buf, size_t cap)
{
    int64_t s = (ms + 999) / 1000;
    int64_t unit = s < 90 ? 1 : s < 90 * MINUTE_S ? MINUTE_S : HOUR_S;
    long long n = (long long)((s + unit / 2) / unit);
    const char *span = unit == 1 ? P_("in %lld second", "in %lld seconds", n)
                       : unit == MINUTE_S
                           ? P_("in %lld minute", "in %lld minutes", n)
                           : P_("in %lld hour", "in %lld hours", n);

    (void)snprintf(buf, cap, span, n);
}

/* ---- what stands -------------------------------------------------------- */

bool notices_end(const struct notices *n, char *buf, size_t cap)
{
    int64_t at = n->ends_ms - n->ahead_ms, left = at - now_ms();
    char time[40], span[40];

    if (n->ends_ms == 0)
        return false;
    say_time(at, time, sizeof(time));
    say_span(left, span, sizeof(span));
    if (left <= 0)
        (void)snprintf(buf, cap, _("The server is going down for a moment."));
    else
        (void)snprintf(buf, cap, _("The server goes down at %s, %s.%s%s"),
                       time, span, n->end[0] != '\0' ? " " : "", n->end);
    return true;
}

bool notices_maintenance(const struct notices *n, char *buf, size_t cap)
{
    if (n->maintenance[0] == '\0')
        return false;
    (void)snprintf(buf, cap, _("Read only for now; you can look. %s"),
                   n->maintenance);
    return true;
}

static void add_line(FILE *f, const char *title, const char *text)
{
    if (text[0] != '\0')
        (void)fprintf(f, "%s%s\n", title, text);
}

char *notices_all(const struct notices *n)
{
    char line[NOTICE_LINE_MAX], *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);

    if (f == NULL)
        return strdup("");
    if (notices_end(n, line, sizeof(line)))
        add_line(f, "", line);
    if (notices_maintenance(n, line, sizeof(line)))
        add_line(f, "", line);
    add_line(f, "", n->motd);
    add_line(f, _("House rules: "), n->rules);
    add_line(f, _("Privacy: "), n->privacy);
    add_line(f, _("Contact: "), n->contact);
    (void)fclose(f);
    return text;
}

/* ---- what is heard ------------------------------------------------------ */

void notices_hello(struct notices *n, const json_t *hello)
{
    const json_t *end = json_object_get(hello, "shutdown");
    const json_t *links = json_object_get(hello, "links");
    json_int_t now = member_number(hello, "now");

    *n = (struct notices){.ends_ms = member_number(end, "at")};
    if (now != 0) /* an older server says nothing of it */
        n->ahead_ms = now - now_ms();
    take(n->end, end, "text");
    take(n->maintenance, hello, "maintenance");
    take(n->motd, hello, "motd");
    take(n->rules, links, "rules");
    take(n->privacy, links, "privacy");
    take(n->contact, links, "contact");
}

static void hear_end(struct notices *n, const json_t *notice, char *buf,
                     size_t cap)
{
    n->ends_ms = member_number(notice, "at");
    take(n->end, notice, "text");
    if (!notices_end(n, buf, cap))
        (void)snprintf(buf, cap, _("The server is going down for a moment."));
}

static void hear_ban(const json_t *notice, char *buf, size_t cap)
{
    json_int_t until = member_number(notice, "until");
    const char *why = member_text(notice, "why", "");
    char time[40];

    say_time(until, time, sizeof(time));
    (void)snprintf(buf, cap, _("This account is barred%s%s.%s%s"),
                   until != 0 ? _(" until ") : "", until != 0 ? time : "",
                   why[0] != '\0' ? " " : "", why);
}

bool notices_hear(struct notices *n, const json_t *notice, char *buf,
                  size_t cap)
{
    const char *kind = member_text(notice, "kind", "");
    const char *text = member_text(notice, "text", "");

    buf[0] = '\0';
    if (strcmp(kind, "shutdown") == 0) {
        hear_end(n, notice, buf, cap);
    } else if (strcmp(kind, "shutdown_cancelled") == 0) {
        n->ends_ms = 0;
        (void)snprintf(buf, cap, _("The server does not go down after all."));
    } else if (strncmp(kind, "maintenance", 11) == 0) {
        take(n->maintenance, notice, "text");
        if (!notices_maintenance(n, buf, cap))
            (void)snprintf(buf, cap, _("You can play again."));
    } else if (strncmp(kind, "motd", 4) == 0) {
        take(n->motd, notice, "text");
        (void)snprintf(buf, cap, "%s", text);
    } else if (strcmp(kind, "banned") == 0) {
        hear_ban(notice, buf, cap);
    } else if (strcmp(kind, "session_ended") == 0) {
        (void)snprintf(buf, cap, _("You have been logged out."));
    } else if (strcmp(kind, "account_deleted") == 0) {
        (void)snprintf(buf, cap, _("This account has been deleted."));
    } else {
        (void)snprintf(buf, cap, "%s", text);
    }
    return buf[0] != '\0';
}
