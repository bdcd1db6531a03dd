/* time.c -- what a record says of time, as the page gives it. */

#include "core/base.h"
#include "core/fields.h"
#include "given.h"

/* The longest log that is looked at here, and what its entries point to. */
enum { ENTRIES = 24000, HOURS = 256, OUTAGES = 4096 };

static struct timing_entry entries[ENTRIES];
static struct clock_hours hours[HOURS];
static struct span outages[OUTAGES];
static uint32_t hours_used, outages_used;
static int64_t due[RULES_SEATS_MAX], bank[RULES_SEATS_MAX];

static int64_t number_of(const char *name, size_t index)
{
    return give_value(name, index) == FIELDS_NUMBER ? (int64_t)given.number
                                                    : -1;
}

static int64_t number(const char *name)
{
    return number_of(name, 0);
}

static bool flag(const char *name)
{
    return give_value(name, 0) == FIELDS_BOOL && given.number != 0;
}

/* Which of WORDS the member NAME is, or OTHERWISE if it is none. */
static uint8_t word(const char *name, const char *const *words, int otherwise)
{
    char text[sizeof(given.word) + 1];

    if (give_value(name, 0) != FIELDS_WORD || given.len >= sizeof(text))
        return (uint8_t)otherwise;
    memcpy(text, given.word, given.len);
    text[given.len] = '\0';
    int found = word_find(words, text);
    return (uint8_t)(found >= 0 ? found : otherwise);
}

bool give_terms(struct terms *t)
{
    *t = (struct terms){.hours = flag("hours"), .absence = flag("absence")};
    bool timed = give_open("pace", 0, 0) >= 0;
    t->pace = (struct pace){
        .free = (int32_t)number("free"),
        .bank = (int32_t)number("bank"),
        .add = (int32_t)number("add"),
        .cap = (int32_t)number("cap"),
    };
    give_close();
    give_open("misses", 0, 0);
    t->excused = (uint8_t)number("excused");
    t->policy = word("then", policy_words, POLICIES);
    give_close();
    return timed;
}

void give_time_begin(struct audit *a, const struct terms *terms)
{
    hours_used = outages_used = 0;
    audit_time(a, terms, entries, ENTRIES);
}

/* Item INDEX of a list, a pair. */
static void pair(size_t index, int64_t *a, int64_t *b)
{
    give_open(NULL, index, 1);
    *a = number_of(NULL, 0);
    *b = give_value(NULL, 1) == FIELDS_NUMBER ? (int64_t)given.number : 0;
    give_close();
}

static bool give_outages(struct entry_more *more)
{
    int n = give_open("outages", 0, 1);
    bool fits = n < 0 || outages_used + (uint32_t)n <= OUTAGES;

    more->outages = &outages[outages_used];
    for (int i = 0; fits && i < n; i++) {
        struct span *o = &outages[outages_used++];
        pair((size_t)i, &o->from_ms, &o->to_ms);
        more->outage_count++;
    }
    give_close();
    return fits;
}

static bool give_hours(struct entry_more *more)
{
    struct clock_hours *h = &hours[hours_used];
    int64_t seconds;

    if (number("opens") < 0)
        return true; /* they have none any more */
    if (hours_used == HOURS)
        return false;
    hours_used++;
    *h = (struct clock_hours){
        .hours = {.opens = (int16_t)number("opens"),
                  .closes = (int16_t)number("closes")},
    };
    int n = give_open("days", 0, 1);
    for (int i = 0; i < n && i < 7; i++)
        h->hours.days |= (uint8_t)(1u << (number_of(NULL, (size_t)i) - 1));
    give_close();
    n = give_open("offsets", 0, 1);
    for (int i = 0; i < n && i < HOURS_OFFSETS_MAX; i++) {
        pair((size_t)i, &h->offsets.at[i].since_ms, &seconds);
        h->offsets.at[i].seconds = (int32_t)seconds;
        h->offsets.count++;
    }
    give_close();
    more->hours = h;
    return true;
}

static void give_shown(const char *name, int64_t *numbers, const int64_t **ret,
                       uint32_t *ret_count)
{
    int n = give_open(name, 0, 1);

    for (int i = 0; i < n && i < RULES_SEATS_MAX; i++)
        numbers[i] = give_value(NULL, (size_t)i) == FIELDS_NULL
                         ? 0
                         : number_of(NULL, (size_t)i);
    give_close();
    *ret = n >= 0 ? numbers : NULL;
    *ret_count = n >= 0 ? (uint32_t)n : 0;
}

void give_vote(struct audit_entry *e)
{
    struct entry_more *more = &e->more;

    e->at = number("at");
    more->why = word("why", why_words, WHY_UNTOLD);
    more->about = word("about", vote_words, VOTES);
    more->yes = flag("yes");
    more->passed = flag("passed");
    more->silent = flag("silent");
    more->to = (uint8_t)number("to");
    more->seconds = (int32_t)number("seconds");
    more->until = number("until");
}

bool give_time(struct audit_entry *e)
{
    struct entry_more *more = &e->more;

    give_shown("due", due, &e->due, &e->due_count);
    give_shown("bank", bank, &e->bank, &e->bank_count);
    more->then = word("then", miss_words, MISS_THENS);
    more->made = word("for", made_words, MADE_BY_SEAT);
    more->by_itself = flag("auto");
    more->from = number("from");
    return give_outages(more) && (e->kind != ENTRY_HOURS || give_hours(more));
}
