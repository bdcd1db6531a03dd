/* votes.c -- votes in words; see votes.h. */

#include "votes.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clients/common/lang.h"
#include "core/ascii.h"
#include "core/entries.h"
#include "clocks.h"
#include "layout.h"
#include "pace.h"

static int64_t now_ms(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- what is typed ---------------------------------------------------------- */

#define WORD_MAX 60

/* The next of WORDS, into WORD; what follows it. */
static const char *next_word(const char *words, char word[WORD_MAX])
{
    words += strspn(words, " ");
    size_t len = strcspn(words, " ");

    (void)snprintf(word, WORD_MAX, "%.*s", (int)len, words);
    return words + len;
}

/* "2026-12-20", up to and with that day here, or "7d": as a moment, or 0. */
static int64_t moment_read(const char *word)
{
    struct tm tm = {0};
    int64_t seconds = span_read_all(word);
    const char *end = strptime(word, "%Y-%m-%d", &tm);

    if (seconds > 0)
        return now_ms() + seconds * 1000;
    if (end == NULL || *end != '\0')
        return 0;
    tm.tm_mday++;
    tm.tm_isdst = -1;
    return (int64_t)mktime(&tm) * 1000;
}

/* The seat that WORD, a name or a number, is at T, or -1. */
static int seat_read(const struct table *t, const char *word)
{
    uint64_t seat;

    for (int i = 0; i < t->seats; i++)
        if (ascii_compare(t->names[i], word) == 0)
            return i;
    if (!number_read(word, (uint64_t)t->seats - 1, &seat))
        return -1;
    return (int)seat;
}

/* NULL, instead of what was read SO_FAR, and WHY. */
__attribute__((format(printf, 3, 4))) static json_t *
no_proposal(json_t *so_far, char why[PROPOSAL_WHY_MAX], const char *text, ...)
{
    va_list args;

    json_decref(so_far);
    va_start(args, text);
    (void)vsnprintf(why, PROPOSAL_WHY_MAX, text, args);
    va_end(args);
    return NULL;
}

/* ABOUT with what WORDS, behind it, say besides. */
static json_t *read_rest(const struct table *t, const char *about,
                         const char *words, char why[PROPOSAL_WHY_MAX])
{
    json_t *params = json_pack("{ss}", "about", about);
    bool give = strcmp(about, "give") == 0;
    char word[WORD_MAX];

    if (strcmp(about, "pause") == 0) {
        words = next_word(words, word);
        int64_t until = moment_read(word);
        if (until == 0)
            return no_proposal(
                params, why,
                _("'%s': expected a day, 2026-12-20, or how long, 7d"), word);
        (void)json_object_set_new(params, "until", json_integer(until));
    } else if (give || strcmp(about, "replace") == 0) {
        words = next_word(words, word);
        int seat = seat_read(t, word);
        if (seat < 0)
            return no_proposal(params, why, _("'%s': nobody there"), word);
        (void)json_object_set_new(params, "to", json_integer(seat));
    }
    if (give) {
        words = next_word(words, word);
        int64_t seconds = span_read_all(word);
        if (seconds < 1)
            return no_proposal(params, why,
                               _("'%s': expected 30m, 6h, 1d or the like"),
                               word);
        (void)json_object_set_new(params, "seconds", json_integer(seconds));
    }
    (void)next_word(words, word);
    if (word[0] != '\0')
        return no_proposal(params, why, _("'%s' is too much"), word);
    return params;
}

json_t *proposal_read(const struct table *t, const char *words,
                      char why[PROPOSAL_WHY_MAX])
{
    char about[WORD_MAX];
    const char *rest = next_word(words, about);

    for (char *dash = about; (dash = strchr(dash, '-')) != NULL;)
        *dash = '_';
    for (int i = 0; vote_words[i] != NULL; i++)
        if (strcmp(vote_words[i], about) == 0)
            return read_rest(t, about, rest, why);
    return no_proposal(NULL, why,
                       _("what? cancel, take-back, pause TIME, resume, "
                         "give PLAYER TIME or replace PLAYER"));
}

/* ---- what is open ------------------------------------------------------------- */

static const char *name_of(const struct table *t, const json_t *seat)
{
    json_int_t at = json_integer_value(seat);

    return json_is_integer(seat) && at >= 0 && at < t->seats ? t->names[at]
                                                             : _("Somebody");
}

void vote_about(const struct table *t, const json_t *vote, char *buf,
                size_t cap)
{
    const char *to = name_of(t, json_object_get(vote, "to"));
    int about = word_find(vote_words, member_text(vote, "about", ""));
    char when[60], span[60];

    span_text(member_number(vote, "seconds"), span, sizeof(span));
    clocks_moment(member_number(vote, "pause_until"), when, sizeof(when));
    switch (about) {
    case VOTE_CANCEL:
        (void)snprintf(buf, cap, "%s", _("ending the game"));
        break;
    case VOTE_PAUSE:
        (void)snprintf(buf, cap, _("a pause until %s"), when);
        break;
    case VOTE_RESUME:
        (void)snprintf(buf, cap, "%s", _("ending the pause"));
        break;
    case VOTE_GIVE:
        (void)snprintf(buf, cap, _("%s more for %s"), span, to);
        break;
    case VOTE_REPLACE:
        (void)snprintf(buf, cap, _("somebody else in the seat of %s"), to);
        break;
    case VOTE_BACK:
        (void)snprintf(buf, cap, "%s", _("taking the last move back"));
        break;
    default: (void)snprintf(buf, cap, "?"); break;
    }
}

/* SEATS, a list of a vote, as bits. */
static unsigned seats_of(const json_t *vote, const char *name)
{
    const json_t *list = json_object_get(vote, name);
    unsigned seats = 0;

    for (size_t i = 0; i < json_array_size(list); i++) {
        json_int_t seat = json_integer_value(json_array_get(list, i));
        if (seat >= 0 && seat < RULES_SEATS_MAX)
            seats |= RULES_BIT(seat);
    }
    return seats;
}

static bool is_open(const json_t *vote, int64_t at_ms)
{
    return json_is_object(vote) && (member_true(vote, "silent") ||
                                    member_number(vote, "until") > at_ms);
}

static bool waits_for(const json_t *vote, int you)
{
    return you < RULES_SEATS_MAX &&
           (seats_of(vote, "asked") & ~seats_of(vote, "agreed") &
            RULES_BIT(you)) != 0;
}

static bool is_of(const json_t *vote, int you)
{
    return you < RULES_SEATS_MAX && member_number(vote, "seat") == you;
}

bool vote_write(FILE *to, const struct table *t, const json_t *vote, int you,
                int64_t at_ms)
{
    char about[160], when[60], yes[300], left[300];
    unsigned agreed = seats_of(vote, "agreed");

    if (!is_open(vote, at_ms))
        return false;
    vote_about(t, vote, about, sizeof(about));
    clocks_moment(member_number(vote, "until"), when, sizeof(when));
    layout_names(t, agreed, yes, sizeof(yes));
    layout_names(t, seats_of(vote, "asked") & ~agreed, left, sizeof(left));
    (void)fprintf(to, _("%s proposes %s.\n"),
                  name_of(t, json_object_get(vote, "seat")), about);
    (void)fprintf(to, _("For it: %s. Asked: %s.\n"), yes, left);
    (void)fprintf(to,
                  member_true(vote, "silent")
                      ? _("Who says nothing until %s agrees.\n")
                      : _("All have to agree until %s; a no or the next move "
                          "ends it.\n"),
                  when);
    if (waits_for(vote, you))
        (void)fprintf(to, _("You are asked.\n"));
    return true;
}

const json_t *vote_open(const struct client *c)
{
    const struct online *o = c->online;
    const json_t *vote = json_object_get(o->view, "vote");

    return o->state == ONLINE_PLAYING &&
                   is_open(vote, now_ms() + c->notices.ahead_ms)
               ? vote
               : NULL;
}

bool vote_asked(const struct client *c)
{
    return waits_for(vote_open(c), c->online->you);
}

bool vote_mine(const struct client *c)
{
    const json_t *vote = vote_open(c);
    return vote != NULL && is_of(vote, c->online->you);
}

bool vote_paused(const struct client *c)
{
    return member_number(c->online->view, "paused") >
           now_ms() + c->notices.ahead_ms;
}

void vote_note(FILE *to, const struct client *c)
{
    const json_t *vote = vote_open(c);

    if (vote == NULL)
        return;
    (void)vote_write(to, &c->online->table, vote, c->online->you, 0);
    if (vote_asked(c))
        (void)fprintf(to, _("`agree` or `disagree` answers.\n"));
    else if (vote_mine(c))
        (void)fprintf(to, _("`disagree` withdraws it.\n"));
}
