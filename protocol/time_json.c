/* time_json.c -- what tables say of time; see time_json.h. */

#include "time_json.h"

#include <string.h>

/* ---- numbers ---------------------------------------------------------------- */

#define SAFE_MAX ((INT64_C(1) << 53) - 1)

static bool read_number(const json_t *value, int64_t min, int64_t max,
                        int64_t *ret)
{
    if (!json_is_integer(value) || json_integer_value(value) < min ||
        json_integer_value(value) > max)
        return false;
    *ret = json_integer_value(value);
    return true;
}

/* The member NAME of OBJECT; a moment. */
static bool read_moment(const json_t *object, const char *name, int64_t *ret)
{
    return read_number(json_object_get(object, name), 0, SAFE_MAX, ret);
}

static bool read_seconds(const json_t *object, const char *name, int32_t *ret)
{
    int64_t n;

    if (!read_number(json_object_get(object, name), 0, INT32_MAX, &n))
        return false;
    *ret = (int32_t)n;
    return true;
}

static bool read_word(const json_t *object, const char *name,
                      const char *const *words, uint8_t *ret)
{
    const json_t *value = json_object_get(object, name);
    int word = json_is_string(value)
                   ? word_find(words, json_string_value(value))
                   : -1;

    if (word < 0)
        return false;
    *ret = (uint8_t)word;
    return true;
}

/* ---- what a table agreed on --------------------------------------------- */

void json_terms(struct json_out *o, const struct terms *terms)
{
    out_bool(o, "absence", terms->absence);
    out_bool(o, "hours", terms->hours);
    out_object(o, "misses");
    out_int(o, "excused", terms->excused);
    out_string(o, "then", policy_words[terms->policy]);
    out_end(o);
    out_object(o, "pace");
    out_int(o, "add", terms->pace.add);
    out_int(o, "bank", terms->pace.bank);
    out_int(o, "cap", terms->pace.cap);
    out_int(o, "free", terms->pace.free);
    out_end(o);
}

bool json_terms_read(const json_t *object, struct terms *terms)
{
    const json_t *pace = json_object_get(object, "pace");
    const json_t *misses = json_object_get(object, "misses");
    int64_t excused;

    *terms = (struct terms){
        .hours = json_is_true(json_object_get(object, "hours")),
        .absence = json_is_true(json_object_get(object, "absence")),
    };
    if (!read_seconds(pace, "free", &terms->pace.free) ||
        !read_seconds(pace, "bank", &terms->pace.bank) ||
        !read_seconds(pace, "add", &terms->pace.add) ||
        !read_seconds(pace, "cap", &terms->pace.cap) ||
        !read_number(json_object_get(misses, "excused"), 0, EXCUSED_MAX,
                     &excused) ||
        !read_word(misses, "then", policy_words, &terms->policy))
        return false;
    terms->excused = (uint8_t)excused;
    return terms_valid(terms);
}

/* ---- reading lines ---------------------------------------------------------- */

/* A pair of numbers. */
static bool read_pair(const json_t *value, int64_t *a, int64_t *b)
{
    return json_array_size(value) == 2 &&
           read_number(json_array_get(value, 0), -SAFE_MAX, SAFE_MAX, a) &&
           read_number(json_array_get(value, 1), -SAFE_MAX, SAFE_MAX, b);
}

static bool read_days(const json_t *list, uint8_t *days)
{
    int64_t day;

    *days = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (!read_number(json_array_get(list, i), 1, 7, &day))
            return false;
        *days |= (uint8_t)(1u << (day - 1));
    }
    return *days != 0;
}

static bool read_offsets(const json_t *list, struct hours_offsets *o)
{
    int64_t seconds;

    o->count = 0;
    if (json_array_size(list) > HOURS_OFFSETS_MAX)
        return false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct hours_offset *at = &o->at[o->count++];
        if (!read_pair(json_array_get(list, i), &at->since_ms, &seconds) ||
            seconds < -86400 || seconds > 86400)
            return false;
        at->seconds = (int32_t)seconds;
    }
    return o->count > 0;
}

/* None of these members: there are none any more. */
static const char *read_hours(const json_t *line, struct entry_more *more,
                              struct more_room *room)
{
    struct clock_hours *h = &room->hours;
    int64_t opens, closes;

    if (json_object_get(line, "opens") == NULL)
        return NULL;
    if (!read_number(json_object_get(line, "opens"), 0, HOURS_MINUTES - 1,
                     &opens))
        return "opens";
    if (!read_number(json_object_get(line, "closes"), 0, HOURS_MINUTES - 1,
                     &closes))
        return "closes";
    *h = (struct clock_hours){
        .hours = {.opens = (int16_t)opens, .closes = (int16_t)closes},
    };
    if (!read_days(json_object_get(line, "days"), &h->hours.days))
        return "days";
    if (!read_offsets(json_object_get(line, "offsets"), &h->offsets))
        return "offsets";
    more->hours = h;
    return NULL;
}

static const char *read_outages(const json_t *line, struct entry_more *more,
                                struct more_room *room)
{
    const json_t *list = json_object_get(line, "outages");

    if (json_array_size(list) > OUTAGES_TOLD_MAX)
        return "outages";
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!read_pair(json_array_get(list, i), &room->outages[i].from_ms,
                       &room->outages[i].to_ms))
            return "outages";
    more->outages = room->outages;
    more->outage_count = (uint32_t)json_array_size(list);
    return NULL;
}

static bool read_to(const json_t *line, struct entry_more *more)
{
    int64_t to;

    if (!read_number(json_object_get(line, "to"), 0, RULES_SEATS_MAX - 1, &to))
        return false;
    more->to = (uint8_t)to;
    return true;
}

static const char *read_gift(const json_t *line, struct entry_more *more)
{
    if (!read_to(line, more))
        return "to";
    return read_seconds(line, "seconds", &more->seconds) ? NULL : "seconds";
}

static const char *read_vote(const json_t *line, struct entry_more *more)
{
    if (!read_word(line, "about", vote_words, &more->about))
        return "about";
    if (!json_is_boolean(json_object_get(line, "yes")))
        return "yes";
    more->yes = json_is_true(json_object_get(line, "yes"));
    more->passed = json_is_true(json_object_get(line, "passed"));
    more->silent = json_is_true(json_object_get(line, "silent"));
    switch (more->about) {
    case VOTE_PAUSE:
        return read_moment(line, "until", &more->until) ? NULL : "until";
    case VOTE_GIVE: return read_gift(line, more);
    case VOTE_REPLACE: return read_to(line, more) ? NULL : "to";
    default: return NULL;
    }
}

/* Whether what happens was voted for. */
static const char *read_voted(const json_t *line, struct entry_more *more)
{
    if (json_object_get(line, "why") == NULL)
        return NULL;
    return read_word(line, "why", why_words, &more->why) &&
                   more->why == WHY_VOTE
               ? NULL
               : "why";
}

const char *json_vote_read(const json_t *line, int kind,
                           struct entry_more *more)
{
    switch (kind) {
    case ENTRY_VOTE: return read_vote(line, more);
    case ENTRY_ABANDON:
    case ENTRY_REWIND:
    case ENTRY_GIVE:
    case ENTRY_PAUSE:
    case ENTRY_RESUME: return read_voted(line, more);
    default: return NULL;
    }
}

static const char *read_absent(const json_t *line, struct entry_more *more)
{
    more->by_itself = json_is_true(json_object_get(line, "auto"));
    if (!read_moment(line, "from", &more->from))
        return "from";
    return read_moment(line, "until", &more->until) ? NULL : "until";
}

const char *json_more_read(const json_t *line, int kind,
                           struct entry_more *more, struct more_room *room)
{
    const char *wrong;

    *more = (struct entry_more){0};
    wrong = read_outages(line, more, room);
    if (wrong == NULL)
        wrong = json_vote_read(line, kind, more);
    if (wrong != NULL)
        return wrong;
    switch (kind) {
    case ENTRY_MOVE:
        return json_object_get(line, "for") == NULL ||
                       read_word(line, "for", made_words, &more->made)
                   ? NULL
                   : "for";
    case ENTRY_REPLACED:
        return read_word(line, "why", why_words, &more->why) ? NULL : "why";
    case ENTRY_HOURS: return read_hours(line, more, room);
    case ENTRY_ABSENT: return read_absent(line, more);
    case ENTRY_MISS:
        return read_word(line, "then", miss_words, &more->then) ? NULL
                                                                : "then";
    case ENTRY_GIVE: return read_gift(line, more);
    case ENTRY_PAUSE:
        return read_moment(line, "until", &more->until) ? NULL : "until";
    default: return NULL;
    }
}

int json_shown_read(const json_t *line, const char *name,
                    int64_t numbers[RULES_SEATS_MAX])
{
    const json_t *list = json_object_get(line, name);
    size_t n = json_array_size(list);

    if (list == NULL)
        return -1;
    for (size_t i = 0; i < n && i < RULES_SEATS_MAX; i++)
        if (!read_number(json_array_get(list, i), 0, SAFE_MAX, &numbers[i]))
            numbers[i] = json_is_null(json_array_get(list, i)) ? 0 : -1;
    return n <= RULES_SEATS_MAX ? (int)n : 0;
}

/* ---- writing ------------------------------------------------------------------ */

void json_shown(struct json_out *o, const char *name, const int64_t *numbers,
                int count, bool none)
{
    out_list(o, name);
    for (int i = 0; i < count; i++) {
        if (none && numbers[i] == 0)
            out_null(o, NULL);
        else
            out_int(o, NULL, numbers[i]);
    }
    out_end(o);
}

static void write_pair(struct json_out *o, int64_t a, int64_t b)
{
    out_list(o, NULL);
    out_int(o, NULL, a);
    out_int(o, NULL, b);
    out_end(o);
}

void json_outages(struct json_out *o, const char *name,
                  const struct span *outages, size_t count)
{
    out_list(o, name);
    for (size_t i = 0; i < count; i++)
        write_pair(o, outages[i].from_ms, outages[i].to_ms);
    out_end(o);
}

void json_offsets(struct json_out *o, const char *name,
                  const struct hours_offsets *offsets)
{
    out_list(o, name);
    for (int i = 0; i < offsets->count; i++)
        write_pair(o, offsets->at[i].since_ms, offsets->at[i].seconds);
    out_end(o);
}

void json_days(struct json_out *o, const char *name, const struct hours *h)
{
    out_list(o, name);
    for (int day = 0; day < 7; day++)
        if (h->days >> day & 1)
            out_int(o, NULL, day + 1);
    out_end(o);
}
