/* test_log.c -- a packed log against a plain array: whatever is put in is what is
 * read, from any entry on, also after it was cut and grew again. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "core/rng.h"
#include "server/hub/entry.h"

enum { ENTRIES = 300, RUNS = 60 };

struct kept {
    struct entry entry;
    char nonce[NONCE_SIZE];
    struct clock_hours hours;
    struct span outages[3];
};

static struct kept kept[ENTRIES];
static struct rng rng;

static uint32_t dice(uint32_t n)
{
    return rng_below(&rng, n);
}

/* Often 0, often small, at times as large as there is. */
static int64_t number(int64_t most)
{
    switch (dice(4)) {
    case 0: return 0;
    case 1: return dice(3);
    case 2: return dice(100000) % (most + 1);
    default: return most - dice(2);
    }
}

static bool is_player(const struct entry *e)
{
    return e->kind == ENTRY_MOVE && e->seat != RULES_NATURE;
}

static void draw_move(struct entry *e)
{
    if (dice(3) == 0)
        e->seat = RULES_NATURE;
    e->u.move.verb = (uint16_t)dice(256);
    for (int i = 0; i < RULES_ARGS_MAX; i++)
        e->u.move.arg[i] = dice(3) == 0
                               ? RULES_NONE
                               : (int16_t)(number(INT16_MAX) -
                                           (dice(2) ? number(INT16_MAX) : 0));
}

static void draw_nonce(struct kept *k)
{
    size_t size = dice(2) ? NONCE_SIZE - 1 : dice(NONCE_SIZE);

    memset(k->nonce, 'a' + (int)dice(26), size);
    k->nonce[size] = '\0';
    k->entry.u.nonce = k->nonce;
}

/* The word that entries of its kind have. */
static void draw_word(struct entry *e)
{
    uint8_t word = (uint8_t)dice(7);

    switch (e->kind) {
    case ENTRY_MISS: e->more.then = word; break;
    case ENTRY_REPLACED:
    case ENTRY_ABANDON:
    case ENTRY_REWIND:
    case ENTRY_GIVE:
    case ENTRY_PAUSE:
    case ENTRY_RESUME: e->more.why = word; break;
    case ENTRY_VOTE: e->more.about = word; break;
    default: e->more.made = word;
    }
}

/* A moment that is none, that of the entry itself, or any near it. */
static int64_t moment(int64_t at)
{
    switch (dice(4)) {
    case 0: return 0;
    case 1: return at;
    case 2: return at - dice(1000000);
    default: return at + 1 + dice(1u << 31);
    }
}

static void draw_more(struct kept *k)
{
    struct entry *e = &k->entry;

    draw_word(e);
    e->more.yes = dice(2);
    e->more.passed = dice(2);
    e->more.silent = dice(2);
    e->more.by_itself = dice(2);
    e->more.to = (uint8_t)dice(RULES_SEATS_MAX);
    e->more.seconds = (int32_t)number(INT32_MAX);
    e->more.from = moment(e->at);
    e->more.until = moment(e->at);
    if (dice(3) == 0) {
        memset(&k->hours, (int)dice(256), sizeof(k->hours));
        e->more.hours = &k->hours;
    }
    e->more.outage_count = dice(3) == 0 ? 1 + dice(COUNT_OF(k->outages)) : 0;
    for (uint32_t i = 0; i < e->more.outage_count; i++)
        k->outages[i] = (struct span){e->at + i, e->at + i + dice(9)};
    if (e->more.outage_count > 0)
        e->more.outages = k->outages;
}

/* Any entry that could be number PLY, in K. */
static void draw(struct kept *k, uint32_t ply, int64_t at)
{
    struct entry *e = &k->entry;

    memset(k, 0, sizeof(*k));
    e->kind = (uint8_t)dice(ENTRY_KINDS);
    e->undone = dice(4) == 0;
    e->seat = dice(4) == 0 ? ENTRY_NOBODY : (uint16_t)dice(RULES_SEATS_MAX);
    e->check = rng_next(&rng);
    e->at = at;
    if (e->kind == ENTRY_MOVE)
        draw_move(e);
    else if (entry_forms[e->kind].account)
        e->u.account = (id_num)rng_next(&rng) << 32 | rng_next(&rng);
    else if (entry_forms[e->kind].nonce)
        draw_nonce(k);
    e->number = is_player(e) ? dice(ply + 1) : (uint32_t)number(UINT32_MAX);
    if (dice(2) == 0)
        draw_more(k);
}

static void same_more(const struct entry_more *a, const struct entry_more *b)
{
    cr_assert_eq(a->then, b->then);
    cr_assert_eq(a->made, b->made);
    cr_assert_eq(a->why, b->why);
    cr_assert_eq(a->about, b->about);
    cr_assert_eq(a->yes, b->yes);
    cr_assert_eq(a->passed, b->passed);
    cr_assert_eq(a->silent, b->silent);
    cr_assert_eq(a->by_itself, b->by_itself);
    cr_assert_eq(a->to, b->to);
    cr_assert_eq(a->seconds, b->seconds);
    cr_assert_eq(a->from, b->from);
    cr_assert_eq(a->until, b->until);
    cr_assert_eq(a->hours == NULL, b->hours == NULL);
    if (a->hours != NULL)
        cr_assert_arr_eq(a->hours, b->hours, sizeof(*a->hours));
    cr_assert_eq(a->outage_count, b->outage_count);
    for (uint32_t i = 0; i < a->outage_count; i++) {
        cr_assert_eq(a->outages[i].from_ms, b->outages[i].from_ms);
        cr_assert_eq(a->outages[i].to_ms, b->outages[i].to_ms);
    }
}

static void same(const struct entry *a, const struct entry *b)
{
    cr_assert_eq(a->kind, b->kind);
    cr_assert_eq(a->undone, b->undone);
    cr_assert_eq(a->seat, b->seat);
    cr_assert_eq(a->check, b->check);
    cr_assert_eq(a->at, b->at);
    cr_assert_eq(a->number, b->number);
    if (a->kind == ENTRY_MOVE) {
        cr_assert_eq(a->u.move.verb, b->u.move.verb);
        cr_assert_arr_eq(a->u.move.arg, b->u.move.arg, sizeof(a->u.move.arg));
    } else if (entry_forms[a->kind].account) {
        cr_assert_eq(a->u.account, b->u.account);
    } else if (entry_forms[a->kind].nonce) {
        cr_assert_str_eq(a->u.nonce, b->u.nonce);
    }
    same_more(&a->more, &b->more);
}

static void as_kept(const struct log *log, uint32_t count)
{
    struct log_reader r;
    struct entry e;
    uint32_t from = dice(count + 1);

    cr_assert_eq(log->count, count);
    log_reader_at(&r, log, from);
    for (uint32_t i = from; i < count; i++) {
        cr_assert(log_read(&r, &e));
        same(&e, &kept[i].entry);
    }
    cr_assert_not(log_read(&r, &e));
    if (count > 0) {
        log_at(log, from % count, &e);
        same(&e, &kept[from % count].entry);
        log_at(log, count - 1, &e);
        same(&e, &kept[count - 1].entry);
    }
}

/* What is noted of one of COUNT entries, or that there are fewer; how many are
 * left. */
static uint32_t change(struct log *log, uint32_t count)
{
    uint32_t at = dice(count);
    struct entry *e = &kept[at].entry;

    switch (dice(20)) {
    case 0: log_undone(log, at, e->undone = dice(2)); break;
    case 1: log_check(log, at, e->check = rng_next(&rng)); break;
    case 2: log_fit(log); break;
    case 3: log_cut(log, at + 1); return at + 1;
    default: break;
    }
    return count;
}

Test(log, is_what_was_put_in)
{
    static const uint8_t seed[RNG_SEED_SIZE] = "a packed log";

    for (int run = 0; run < RUNS; run++) {
        struct log log = {0};
        uint32_t count = 0;
        int64_t at = (int64_t)1 << 40;
        rng_init(&rng, seed, (uint64_t)run);
        for (int step = 0; step < ENTRIES; step++) {
            at += dice(9) == 0 ? -(int64_t)dice(5000)
                               : (int64_t)dice(1u << 30);
            draw(&kept[count], count, at);
            log_append(&log, &kept[count].entry);
            count = change(&log, count + 1);
            if (dice(8) == 0)
                as_kept(&log, count);
        }
        as_kept(&log, count);
        cr_assert_geq(log_bytes(&log), log.used);
        log_done(&log);
    }
}
