#include "silence.h"

#include <jansson.h>
#include <string.h>

#include "core/base.h"

#define DAY_MS    (24 * 3600 * INT64_C(1000))
#define OPEN_MS   (7 * DAY_MS)
#define SILENT_MS (14 * DAY_MS)

/* A log as far as it was read. */
struct reading {
    const struct silence_facts *facts;
    struct silence_verdicts *v;
    int64_t moved_ms;  /* when anything last happened in the game */
    int64_t opened_ms; /* the vote that is open; 0: none is */
    bool silent;       /* it is so */
    const char *owed;  /* what has to come next, by all who said nothing */
    int64_t agreed_ms;
};

static const char *word(const json_t *line, const char *name)
{
    const char *is = json_string_value(json_object_get(line, name));
    return is != NULL ? is : "";
}

static bool is(const json_t *line, const char *kind)
{
    return strcmp(word(line, "kind"), kind) == 0;
}

static bool says(const json_t *line, const char *name)
{
    return json_is_true(json_object_get(line, name));
}

static int64_t when(const json_t *line)
{
    return json_integer_value(json_object_get(line, "at"));
}

/* Whether LINE is of what happens in the game, which ends each vote. */
static bool goes_on(const json_t *line)
{
    static const char *const kinds[] = {"start",   "move",    "undo",
                                        "resign",  "abandon", "rewind",
                                        "replaced"};

    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (is(line, kinds[i]))
            return true;
    return false;
}

/* Whether silence should have agreed by AT, and nothing stood still since. */
static bool overdue(const struct reading *r, int64_t at)
{
    const struct silence_facts *f = r->facts;
    int64_t due = r->opened_ms + SILENT_MS;

    if (r->opened_ms == 0 || !r->silent || at <= due + f->slack_ms)
        return false;
    for (size_t i = 0; i < f->outage_count; i++)
        if (f->outages[i].from_ms <= at && f->outages[i].to_ms >= due)
            return false;
    return true;
}

/* LINE opens a vote. */
static const char *opens(struct reading *r, const json_t *line)
{
    const char *about = word(line, "about");
    bool ends = strcmp(about, "cancel") == 0 ||
                strcmp(about, "take_back") == 0;
    bool asleep = when(line) >= r->moved_ms + r->facts->asleep_ms;

    r->opened_ms = when(line);
    r->silent = says(line, "silent");
    r->v->opened += r->silent;
    return r->silent == (ends && asleep)
               ? NULL
               : "silence agrees, or does not, where it should not";
}

/* Who said nothing has agreed by LINE. */
static const char *silence(struct reading *r, const json_t *line)
{
    bool cancels = strcmp(word(line, "about"), "cancel") == 0;

    if (!r->silent || r->opened_ms == 0)
        return "nobody agreed to a vote that was not silent";
    if (when(line) < r->opened_ms + SILENT_MS)
        return "silence agreed too soon";
    if (!says(line, "yes") || !says(line, "passed"))
        return "silence did not agree";
    r->v->cancelled += cancels;
    r->v->taken_back += !cancels;
    r->owed = cancels ? "abandon" : "rewind";
    r->agreed_ms = when(line);
    r->opened_ms = 0;
    return NULL;
}

static const char *vote(struct reading *r, const json_t *line)
{
    if (!json_is_integer(json_object_get(line, "seat")))
        return silence(r, line);
    if (r->opened_ms == 0 ||
        (!r->silent && when(line) >= r->opened_ms + OPEN_MS)) {
        r->opened_ms = 0;
        const char *wrong = opens(r, line);
        if (wrong != NULL)
            return wrong;
    }
    if (says(line, "yes") && !says(line, "passed"))
        return NULL;
    r->v->agreed += r->silent && says(line, "yes");
    r->v->refused += r->silent && !says(line, "yes");
    r->opened_ms = 0;
    return NULL;
}

static const char *judge(struct reading *r, const json_t *line)
{
    const char *wrong = NULL, *owed = r->owed;

    r->owed = NULL;
    if (owed != NULL && (!is(line, owed) || when(line) != r->agreed_ms ||
                         strcmp(word(line, "why"), "vote") != 0))
        return "what silence agreed to did not come";
    if (overdue(r, when(line)))
        return "a vote that nobody answered, decided late";
    if (is(line, "vote"))
        wrong = vote(r, line);
    if (!goes_on(line))
        return wrong;
    r->v->broken += r->opened_ms != 0 && r->silent;
    r->opened_ms = 0;
    r->moved_ms = when(line);
    return wrong;
}

const char *silence_judge(const struct disk_table *t,
                          const struct silence_facts *facts,
                          struct silence_verdicts *v, uint32_t *ret_ply)
{
    struct reading r = {.facts = facts, .v = v};
    const char *wrong = NULL;

    for (uint32_t i = 0; i < t->ply_count && wrong == NULL; i++) {
        json_t *line = json_loads(t->plies[i].line, 0, NULL);
        ASSERT(line != NULL);
        *ret_ply = i;
        wrong = judge(&r, line);
        json_decref(line);
    }
    if (wrong == NULL && r.owed != NULL)
        wrong = "what silence agreed to did not come";
    if (wrong == NULL && t->row.summary.state == TABLE_PLAYING &&
        overdue(&r, facts->now_ms))
        wrong = "a vote that nobody answered, and nobody decided";
    return wrong;
}
