/* test_year.c -- a year of people who have hours and zones, go away, forget, give
 * each other time, leave their seats and come back, at tables of all games and
 * policies, while the server is away, restarts, dies between any two steps and its
 * disk fails: every deadline is decided once, at its time, by what the table had
 * agreed on.  That is judged by clocks told once more (support/clock_model.h), from
 * what is in the logs.
 *
 * So are votes of games that all have let go (support/silence.h).
 *
 *     SEED=n build/test/sim/test_year    that year alone
 *     RUNS=n build/test/sim/test_year    n percent of the usual
 *     YEAR=n build/test/sim/test_year    years of n people, 365 days and six
 *                                        tables each, until a million deadlines
 *                                        are decided; with SEED that one alone,
 *                                        as make deadlines lives them
 *     SHOW=1                             the log of the table that is wrong */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "server/hub/inner.h"
#include "tests/support/games/all.h"
#include "tests/support/scale.h"
#include "tests/support/silence.h"
#include "tests/support/year.h"

/* What may pass until a deadline is decided while the disk fails. */
#define SLACK (3 * MINUTE)

static _Noreturn void broken(const struct year *y, const char *what,
                             const char *table, uint32_t ply)
{
    fprintf(stderr, "SEED=%llu, step %llu: %s: %s, ply %u\n",
            (unsigned long long)y->seed, (unsigned long long)y->world.steps,
            what, table, ply);
    abort();
}

/* ---- what is stored ------------------------------------------------------- */

static void read_logs(struct year *y)
{
    if (!ledger_read(&y->ledger, &y->world.disk))
        broken(y, y->ledger.fault.why, "a log", (uint32_t)y->ledger.fault.ply);
}

static void show(const struct disk_table *t)
{
    fprintf(stderr, "%s\n", t->row.header);
    for (size_t i = 0; i < t->ply_count; i++)
        fprintf(stderr, "%s\n", t->plies[i].line);
}

/* Table I as it was at AT_MS: what nobody has judged yet. */
static void judge(struct year *y, size_t i, int64_t at_ms)
{
    struct ledger_page *page = &y->ledger.pages[i];
    const struct audit *a = &page->record->audit;
    const struct clock_facts facts = {
        .now_ms = at_ms,
        .slack_ms = SLACK,
        .outages = y->world.disk.outages,
        .outage_count = y->world.disk.outage_count,
    };
    uint32_t ply = 0;

    if (!a->timed)
        return;
    const char *wrong = clock_model_judge(a, page->judged, &facts,
                                          &y->verdicts, &ply);
    page->judged = a->log_count;
    if (wrong != NULL && getenv("SHOW") != NULL)
        show(y->world.disk.tables[i]);
    if (wrong != NULL)
        broken(y, wrong, page->record->table, ply);
    y->over += a->state > AUDIT_PLAYING;
}

/* Before something of table I is taken back it is judged. */
static void judge_before(void *arg, size_t i, int64_t at_ms)
{
    judge(arg, i, at_ms);
}

/* ---- time ------------------------------------------------------------------- */

static int64_t first_of(const struct due_queue *queue, int64_t at_ms)
{
    return queue->count > 0 && queue->items[0]->at_ms < at_ms
               ? queue->items[0]->at_ms
               : at_ms;
}

/* When something happens by itself. */
static int64_t next_by_itself(const struct year *y)
{
    const struct hub *hub = y->world.hub;
    int64_t at = first_of(&hub->deadlines.queue, hub->absences_ms);

    return first_of(&hub->bots.due, at);
}

static void tick(struct year *y)
{
    hub_tick(y->world.hub, y->world.now_ms);
    year_settle(y);
    year_think(y);
}

/* The process stands still, or there is maintenance, for a while. */
static void outage(struct year *y)
{
    int64_t from = y->world.now_ms;

    y->world.now_ms += MINUTE + year_dice(y, 7 * 60) * MINUTE;
    hub_stood_still(y->world.hub, from, y->world.now_ms);
    tick(y);
}

static struct year_person *who_is_next(struct year *y)
{
    struct year_person *next = &y->people[0];

    for (int i = 1; i < y->size.people; i++)
        if (y->people[i].next_ms < next->next_ms)
            next = &y->people[i];
    return next;
}

/* Tables that are over need no looking at any more. */
static void judge_some(struct year *y)
{
    read_logs(y);
    for (size_t i = y->judged; i < y->ledger.count; i++)
        if (!y->ledger.pages[i].closed &&
            y->ledger.pages[i].record->audit.state > AUDIT_PLAYING) {
            judge(y, i, y->world.now_ms);
            ledger_close(&y->ledger, i);
        }
    while (y->judged < y->ledger.count && y->ledger.pages[y->judged].closed)
        y->judged++;
}

/* On a BAD one the disk fails now and then. */
static void bad_day(struct year *y, bool bad)
{
    y->world.fail_per_1000 = y->world.deaf_per_1000 = bad ? 5 : 0;
}

static void live(struct year *y)
{
    int64_t end = y->world.now_ms + y->size.days * DAY, judged = 0;

    while (y->world.now_ms < end) {
        struct year_person *p = who_is_next(y);
        int64_t at = next_by_itself(y);
        bool person = p->next_ms <= at;
        if (person)
            at = p->next_ms;
        if (at > y->world.now_ms)
            y->world.now_ms = at;
        else if (!person)
            y->world.now_ms += 1000; /* the next tick */
        tick(y);
        if (person)
            year_act(y, p);
        if (person && year_dice(y, 60) == 0)
            year_reign(y);
        if (year_dice(y, 20000) == 0)
            outage(y);
        if (y->world.now_ms >= judged + DAY) {
            judge_some(y);
            judged = y->world.now_ms;
            bad_day(y, year_dice(y, 20) == 0);
        }
    }
}

/* In the end nothing fails, and whatever was due is decided. */
static void finish(struct year *y)
{
    bad_day(y, false);
    y->crash_ms = INT64_MAX;
    year_settle(y);
    if (y->world.now_ms < y->world.disk.sign)
        y->world.now_ms = y->world.disk.sign;
    for (int i = 0; i < 30; i++) {
        y->world.now_ms += 10000;
        tick(y);
    }
    read_logs(y);
    for (size_t i = y->judged; i < y->ledger.count; i++)
        if (!y->ledger.pages[i].closed)
            judge(y, i, y->world.now_ms);
}

/* Every vote of a game that sleeps ended as it should. */
static void judge_silence(struct year *y, struct silence_verdicts *v)
{
    const struct disk *d = &y->world.disk;
    const struct silence_facts facts = {
        .now_ms = y->world.now_ms,
        .asleep_ms = YEAR_SLEEP_DAYS * DAY,
        .slack_ms = SLACK,
        .outages = d->outages,
        .outage_count = d->outage_count,
    };

    for (size_t i = 0; i < d->table_count; i++) {
        const struct disk_table *t = d->tables[i];
        uint32_t ply = 0;
        char id[ID_SIZE];
        const char *wrong = silence_judge(t, &facts, v, &ply);
        if (wrong != NULL && getenv("SHOW") != NULL)
            show(t);
        id_write(t->row.id, id);
        if (wrong != NULL)
            broken(y, wrong, id, ply);
    }
}

static size_t decided(const struct clock_verdicts *v)
{
    size_t n = v->moved;

    for (int then = 0; then < MISS_THENS; then++)
        n += v->missed[then];
    return n;
}

static void print_year(const struct year *y, size_t all)
{
    const struct clock_verdicts *v = &y->verdicts;

    fprintf(stderr,
            "# year %llu: %d people, %d days, %zu tables (%zu over), %zu"
            " deadlines: %zu kept; missed: %zu excused, %zu mild, %zu bot, %zu"
            " open, %zu out, %zu end; %zu changes of hours, %zu absences, %zu"
            " gifts, %zu pauses, %zu rewinds, %zu undos, %zu came back, %zu"
            " took over, %zu outages told, %zu crashes; moves: %zu mild, %zu"
            " by bots; votes: %zu to cancel, %zu pause, %zu give, %zu replace,"
            " %zu take back, %zu resume\n",
            (unsigned long long)y->seed, y->size.people, y->size.days, y->made,
            y->over, all, v->moved, v->missed[MISS_EXCUSED],
            v->missed[MISS_MILD], v->missed[MISS_BOT], v->missed[MISS_OPEN],
            v->missed[MISS_OUT], v->missed[MISS_END], v->hours, v->absent,
            v->gifts, v->pauses, v->rewinds, v->undos, v->returns, v->taken,
            v->outages, y->crashes, v->made[MADE_MILD], v->made[MADE_BY_BOT],
            v->votes[VOTE_CANCEL], v->votes[VOTE_PAUSE], v->votes[VOTE_GIVE],
            v->votes[VOTE_REPLACE], v->votes[VOTE_BACK],
            v->votes[VOTE_RESUME]);
}

static size_t run(uint64_t seed, const struct year_size *size,
                  struct clock_verdicts *total)
{
    struct year *y = calloc(1, sizeof(*y));

    ASSERT(y != NULL);
    year_init(y, seed, size);
    y->ledger.back = judge_before;
    y->ledger.arg = y;
    live(y);
    finish(y);
    const struct clock_verdicts *v = &y->verdicts;
    size_t all = decided(v);
    print_year(y, all);
    for (size_t k = 0; k < sizeof(*v) / sizeof(size_t); k++)
        ((size_t *)total)[k] += ((const size_t *)v)[k];
    year_done(y);
    free(y);
    return all;
}

/* Years that are lived, of which make test, at 30 in a hundred, has four. */
#define SAMPLE scaled(14, 9)

/* One bound for all: a test of its own one leaks in Criterion. */
TestSuite(year, .timeout = 14400);

Test(year, deadlines)
{
    struct year_size whole = {0, 365, 6, false}, sample = {10, 120, 3, false};
    const char *one = getenv("SEED");
    const char *people = getenv("YEAR");
    bool all = people != NULL;
    whole.people = all ? atoi(people) : 0;
    const struct year_size *size = all ? &whole : &sample;
    size_t runs = all ? 100 : SAMPLE, sum = 0;
    struct clock_verdicts v = {0};

    if (one != NULL) {
        (void)run(strtoull(one, NULL, 10), size, &v);
        return;
    }
    for (uint64_t i = 0; i < runs && (!all || sum < 1000000); i++)
        sum += run(i, size, &v);
    fprintf(stderr, "# %zu deadlines decided\n", sum);
    for (int then = 0; then < MISS_THENS && runs >= 4; then++)
        cr_assert_gt(v.missed[then], 0, "%s", miss_words[then]);
    for (int about = 0; about < VOTES && runs >= 4; about++)
        cr_assert((about == VOTE_REPLACE && !all) || v.votes[about] > 0, "%s",
                  vote_words[about]);
    cr_assert(runs < 4 ||
              (v.returns + v.taken > 0 && v.gifts > 0 && v.absent > 0 &&
               v.outages > 0 && v.rewinds > 0 && v.made[MADE_BY_BOT] > 0));
}

/* Games without a pace that all have let go: where nothing has happened for long,
 * who says nothing to a vote has agreed to it two weeks later, whatever became of
 * the process meanwhile; and who says or does anything has not. */
Test(year, silence)
{
    const struct year_size size = {10, 240, 3, true};
    const char *one = getenv("SEED");
    uint64_t first = one != NULL ? strtoull(one, NULL, 10) : 0;
    size_t runs = one != NULL ? 1 : SAMPLE;
    struct silence_verdicts v = {0};

    for (uint64_t i = first; i < first + runs; i++) {
        struct year *y = calloc(1, sizeof(*y));
        ASSERT(y != NULL);
        year_init(y, i, &size);
        live(y);
        finish(y);
        judge_silence(y, &v);
        year_done(y);
        free(y);
    }
    fprintf(stderr,
            "# silent votes: %zu; nobody answered: %zu cancelled, %zu taken"
            " back; %zu agreed, %zu refused, %zu moved\n",
            v.opened, v.cancelled, v.taken_back, v.agreed, v.refused,
            v.broken);
    cr_assert(runs < 4 || (v.cancelled > 0 && v.taken_back > 0 &&
                           v.agreed + v.refused > 0 && v.broken > 0));
}
