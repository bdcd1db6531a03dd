#include "digest.h"

#include <string.h>

#include "core/base.h"

const char *const digest_words[DIGEST_PARTS] = {
    [DIGEST_TURN] = "turn",
    [DIGEST_STATE] = "state",
    [DIGEST_POINTS] = "points",
    [DIGEST_UNDO] = "undo",
};

/* ---- numbers ---------------------------------------------------------- */

/* The end of splitmix64: every bit of X stirs all others. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static uint64_t join(uint64_t a, uint64_t b)
{
    return mix(a + UINT64_C(0x9e3779b97f4a7c15) + mix(b));
}

/* FNV-1a; never 0. */
static uint64_t of_text(const char *text, size_t len)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (uint8_t)text[i]) * UINT64_C(0x100000001b3);
    return hash | 1;
}

/* ---- names ------------------------------------------------------------ */

static uint64_t *slot_of(struct vocabulary *v, uint64_t hash)
{
    size_t at = (size_t)(hash >> 1) % COUNT_OF(v->slot);

    while (v->slot[at] != 0 && v->slot[at] != hash)
        at = (at + 1) % COUNT_OF(v->slot);
    return &v->slot[at];
}

static bool add(struct vocabulary *v, const char *name, uint64_t hash)
{
    uint64_t *slot = slot_of(v, hash);

    if (*slot != 0)
        return true;
    if (v->count == VOCABULARY_MAX)
        return false;
    *slot = hash;
    v->name[v->count++] = name;
    return true;
}

void vocabulary_add(struct vocabulary *v, const char *name, size_t len)
{
    (void)add(v, NULL, of_text(name, len));
}

/* ---- a state ------------------------------------------------------------ */

/* A walk over what is shown.  Members are summed up, so that their order does
 * not matter; items of a list are told apart by their place. */
struct walk {
    struct vocabulary *vocabulary;
    uint64_t sum;
    size_t depth, unknown; /* how deep in a member whose name is not known */
    struct {
        uint64_t hash; /* of the way there */
        uint64_t items;
    } at[FIELDS_DEPTH_MAX + 1];
};

/* The way to what is visited next, or 0 if its name is not known. */
static uint64_t way_to(struct walk *w, const char *name)
{
    uint64_t hash = name != NULL ? of_text(name, strlen(name))
                                 : ++w->at[w->depth].items;

    if (name != NULL && *slot_of(w->vocabulary, hash) == 0 &&
        !(w->vocabulary->learns && add(w->vocabulary, name, hash)))
        return 0;
    return join(w->at[w->depth].hash, hash) | 1;
}

static void open_one(void *arg, const char *name, bool list)
{
    struct walk *w = arg;

    (void)list;
    uint64_t way = w->unknown > 0 ? 0 : way_to(w, name);
    if (way == 0) {
        w->unknown++;
        return;
    }
    ASSERT(w->depth < FIELDS_DEPTH_MAX);
    w->depth++;
    w->at[w->depth].hash = way;
    w->at[w->depth].items = 0;
}

/* How long a list is counts, too: that of an empty one. */
static void close_one(void *arg, bool list)
{
    struct walk *w = arg;

    if (w->unknown > 0) {
        w->unknown--;
        return;
    }
    if (list)
        w->sum += join(w->at[w->depth].hash, w->at[w->depth].items);
    w->depth--;
}

static void take_value(void *arg, const char *name,
                       const struct fields_value *v)
{
    struct walk *w = arg;
    uint64_t way = w->unknown > 0 ? 0 : way_to(w, name);

    if (way == 0)
        return;
    uint64_t value = v->type == FIELDS_WORD   ? of_text(v->word, v->word_len)
                     : v->type == FIELDS_NULL ? 0
                                              : (uint64_t)v->number;
    w->sum += join(way, join(v->type, value));
}

static uint32_t state_of(const struct audit *a, struct vocabulary *v)
{
    struct walk w = {.vocabulary = v};
    const struct fields_sink sink = {
        .open = open_one,
        .close = close_one,
        .value = take_value,
        .arg = &w,
    };

    rules_show(a->rules, &a->any.state, &sink);
    return (uint32_t)(w.sum >> 32);
}

/* ---- the rest ----------------------------------------------------------- */

static uint32_t turn_of(const struct audit *a)
{
    const struct rules_state *s = &a->any.state;
    uint64_t hash = join(a->state, join(s->acting, s->may));

    for (int seat = 0; seat < a->seats; seat++)
        hash = join(hash, s->asked[seat]);
    return (uint32_t)(hash >> 32);
}

static uint32_t points_of(const struct audit *a)
{
    struct rules_score score;
    uint64_t hash = 0;

    rules_score(a->rules, &a->any.state, &score);
    for (int seat = 0; seat < a->seats; seat++)
        hash = join(hash,
                    join((uint64_t)score.total[seat], score.place[seat]));
    return (uint32_t)(hash >> 32);
}

void digest_take(const struct audit *a, struct vocabulary *v,
                 uint32_t digest[DIGEST_PARTS])
{
    memset(digest, 0, DIGEST_PARTS * sizeof(digest[0]));
    if (a->state == AUDIT_OPEN || (a->state == AUDIT_ABANDONED && !a->start))
        return;
    digest[DIGEST_TURN] = turn_of(a);
    digest[DIGEST_STATE] = state_of(a, v);
    digest[DIGEST_POINTS] = points_of(a);
    digest[DIGEST_UNDO] = a->count > 0 ? a->at[a->count - 1].flags : 0;
}
