/* record_time.c -- what records say of time; see record_time.h. */

#include "record_time.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

/* What an entry points to, as long as there is the record. */
struct kept {
    struct kept *next;
    struct clock_hours hours;
    struct span outages[];
};

struct record_time {
    struct timing_entry *log;
    uint32_t cap;
    struct kept *kept;
    struct more_room room; /* of the line that is read */
    int64_t due[RULES_SEATS_MAX], bank[RULES_SEATS_MAX]; /* it tells */
};

static void grow(struct record_time *t, struct audit *a)
{
    t->cap = t->cap > 0 ? 2 * t->cap : 128;
    t->log = reallocarray(t->log, t->cap, sizeof(*t->log));
    ASSERT(t->log != NULL);
    audit_room(a, t->log, t->cap);
}

struct record_time *record_time_new(struct audit *a, const struct terms *terms)
{
    struct record_time *t = calloc(1, sizeof(*t));

    ASSERT(t != NULL);
    audit_time(a, terms, NULL, 0);
    return t;
}

void record_time_free(struct record_time *t)
{
    if (t == NULL)
        return;
    while (t->kept != NULL) {
        struct kept *k = t->kept;
        t->kept = k->next;
        free(k);
    }
    free(t->log);
    free(t);
}

/* What MORE points to is the line's until here. */
static void keep(struct record_time *t, struct entry_more *more)
{
    size_t bytes = more->outage_count * sizeof(*more->outages);

    if (more->hours == NULL && bytes == 0)
        return;
    struct kept *k = malloc(sizeof(*k) + bytes);
    ASSERT(k != NULL);
    k->next = t->kept;
    t->kept = k;
    if (more->hours != NULL) {
        k->hours = *more->hours;
        more->hours = &k->hours;
    }
    memcpy(k->outages, more->outages, bytes);
    more->outages = k->outages;
}

static void read_shown(const json_t *line, const char *name, int64_t *numbers,
                       const int64_t **ret, uint32_t *ret_count)
{
    int n = json_shown_read(line, name, numbers);

    *ret = n >= 0 ? numbers : NULL;
    *ret_count = n >= 0 ? (uint32_t)n : 0;
}

const char *record_time_read(struct record_time *t, struct audit *a,
                             const json_t *line, struct audit_entry *e)
{
    const char *wrong = json_more_read(line, e->kind, &e->more, &t->room);

    if (wrong != NULL)
        return wrong;
    keep(t, &e->more);
    read_shown(line, "due", t->due, &e->due, &e->due_count);
    read_shown(line, "bank", t->bank, &e->bank, &e->bank_count);
    e->at = json_integer_value(json_object_get(line, "at"));
    if (a->log_count == a->log_cap)
        grow(t, a);
    return NULL;
}
