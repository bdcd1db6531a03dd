/* test_store_time.c -- when the server was there goes into a store and comes out
 * of it, on the file and on arrays. */

#include <stdio.h>
#include <string.h>

#include "server/hub/limits.h"
#include "tests/support/contract.h"

CONTRACTS(time);

static enum transaction_result sign(int64_t at, size_t count,
                                    const struct span *outages)
{
    struct op *op = add(OP_SIGN, 0, 0);

    op->u.sign.at = at;
    op->u.sign.count = count;
    op->u.sign.outages = region_take(&u.region,
                                     (count + 1) * sizeof(*outages));
    if (count > 0)
        memcpy(op->u.sign.outages, outages, count * sizeof(*outages));
    return store();
}

static const struct answer *outages(size_t limit)
{
    struct question q = {.kind = ASK_OUTAGES, .limit = limit};
    const struct answer *a = fixture_ask(&f, &q);

    cr_assert_not(a->failed);
    return a;
}

/* A new store knows of no sign; then it is the last one, also where that is of
 * earlier. */
CONTRACT(time, sign)
{
    cr_assert(outages(5)->sign == 0 && f.answer.outage_count == 0);
    cr_assert_eq(sign(1000, 0, NULL), TRANSACTION_STORED);
    cr_assert_eq(sign(2000, 0, NULL), TRANSACTION_STORED);
    cr_assert_eq(outages(5)->sign, 2000);
    cr_assert_eq(sign(500, 0, NULL), TRANSACTION_STORED);
    cr_assert_eq(outages(5)->sign, 500);
}

/* Outages come as they began, the last ones of them; one that began when another
 * did takes its place. */
CONTRACT(time, outages)
{
    static const struct span some[] = {{300, 400},
                                       {100, 200},
                                       {500, 600},
                                       {300, 450}};

    cr_assert_eq(sign(1000, 4, some), TRANSACTION_STORED);
    const struct answer *a = outages(5);
    cr_assert(a->outage_count == 3 && !a->more);
    cr_assert(a->outages[0].from_ms == 100 && a->outages[0].to_ms == 200);
    cr_assert(a->outages[1].from_ms == 300 && a->outages[1].to_ms == 450);
    cr_assert(a->outages[2].from_ms == 500 && a->outages[2].to_ms == 600);
    a = outages(2);
    cr_assert(a->outage_count == 2 && a->more);
    cr_assert(a->outages[0].from_ms == 300 && a->outages[1].from_ms == 500);
    cr_assert_eq(outages(1)->outages[0].from_ms, 500);
}

/* With a sign those go that are over for long, and those that begin after it. */
CONTRACT(time, forgotten)
{
    static const struct span some[] = {{100, 200}, {300, 400}, {500, 600}};

    cr_assert_eq(sign(1000, 3, some), TRANSACTION_STORED);
    cr_assert_eq(sign(500, 0, NULL), TRANSACTION_STORED);
    cr_assert_eq(outages(5)->outage_count, 3);
    cr_assert_eq(sign(499, 0, NULL), TRANSACTION_STORED);
    cr_assert_eq(outages(5)->outage_count, 2);
    cr_assert_eq(sign(LIMIT_OUTAGE_KEPT_MS + 199, 0, NULL),
                 TRANSACTION_STORED);
    cr_assert_eq(outages(5)->outage_count, 2);
    cr_assert_eq(sign(LIMIT_OUTAGE_KEPT_MS + 200, 0, NULL),
                 TRANSACTION_STORED);
    const struct answer *a = outages(5);
    cr_assert(a->outage_count == 1 && a->outages[0].from_ms == 300);
}

/* ---- when people are away ---------------------------------------------------- */

static struct op *away(id_num account, int64_t changes, bool by_itself)
{
    struct op *op = add(OP_AWAY, 0, account);

    op->u.away.row = (struct away_row){by_itself, changes};
    return op;
}

static void absence(struct op *op, int64_t from, int64_t until, bool begun)
{
    struct absence_row *rows = region_take(&u.region, 8 * sizeof(*rows));

    if (op->u.away.count > 0)
        memcpy(rows, op->u.away.absences, op->u.away.count * sizeof(*rows));
    op->u.away.absences = rows;
    rows[op->u.away.count++] = (struct absence_row){
        .from_ms = from,
        .until_ms = until,
        .auto_ = from % 2 != 0,
        .begun = begun,
    };
}

static const struct answer *away_of(id_num account, size_t limit)
{
    struct question q = {.kind = ASK_AWAY,
                         .limit = limit,
                         .u.account = account};
    const struct answer *a = fixture_ask(&f, &q);

    cr_assert_not(a->failed);
    return a;
}

static void people(int n)
{
    make_people(&u, n);
    cr_assert_eq(store(), TRANSACTION_STORED);
}

/* What somebody says of being away, and all of it, comes back as it begins; one
 * that begins when another did takes its place, and one that ends there goes, as
 * do those that were over at a moment. */
CONTRACT(time, absences)
{
    people(2);
    const struct answer *a = away_of(1, 5);
    cr_assert(!a->away.auto_ && a->away.changes == 0 && a->hours == NULL &&
              a->absence_count == 0);
    struct op *op = away(1, 0, true);
    absence(op, 300, 400, false);
    absence(op, 101, 200, true);
    cr_assert_eq(store(), TRANSACTION_STORED);
    a = away_of(1, 5);
    cr_assert(a->away.auto_ && a->away.changes == 1 && a->absence_count == 2);
    const struct absence_row *row = a->absences;
    cr_assert(row->account == 1 && row->from_ms == 101 &&
              row->until_ms == 200 && row->auto_ && row->begun);
    row++;
    cr_assert(row->from_ms == 300 && row->until_ms == 400 && !row->auto_ &&
              !row->begun);
    cr_assert_eq(away_of(2, 5)->absence_count, 0);
    a = away_of(1, 1);
    cr_assert(a->absence_count == 1 && a->more);

    op = away(1, 1, false);
    absence(op, 300, 350, true);
    absence(op, 101, 101, true);
    cr_assert_eq(store(), TRANSACTION_STORED);
    a = away_of(1, 5);
    cr_assert(!a->away.auto_ && a->away.changes == 2 && a->absence_count == 1);
    cr_assert(a->absences->until_ms == 350 && a->absences->begun);
    away(1, 2, false)->u.away.before = 349;
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(away_of(1, 5)->absence_count, 1);
    away(1, 3, false)->u.away.before = 350;
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(away_of(1, 5)->absence_count, 0);
}

/* Of two who change them at once the second is a conflict; of who was deleted, or
 * is, nothing is kept. */
CONTRACT(time, absences_at_once)
{
    people(2);
    away(1, 0, true);
    cr_assert_eq(store(), TRANSACTION_STORED);
    away(1, 0, true);
    cr_assert_eq(conflict(), OP_AWAY);
    away(1, 2, true);
    cr_assert_eq(conflict(), OP_AWAY);
    absence(away(1, 1, true), 100, 200, false);
    cr_assert_eq(store(), TRANSACTION_STORED);
    add(OP_ACCOUNT_DROP, 0, 1);
    cr_assert_eq(store(), TRANSACTION_STORED);
    const struct answer *a = away_of(1, 5);
    cr_assert(a->away.changes == 0 && a->absence_count == 0);
    absence(away(1, 0, true), 100, 200, false);
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(away_of(1, 5)->absence_count, 0);
}

/* Those that tables are not told of are found as they begin, whoever's. */
CONTRACT(time, absent)
{
    struct question q = {.kind = ASK_ABSENT, .limit = 2};

    people(3);
    absence(away(1, 0, false), 500, 600, false);
    absence(away(2, 0, false), 300, 400, false);
    struct op *op = away(3, 0, false);
    absence(op, 100, 200, true);
    absence(op, 400, 450, false);
    cr_assert_eq(store(), TRANSACTION_STORED);
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert(a->absence_count == 2 && a->more);
    cr_assert(a->absences[0].account == 2 && a->absences[0].from_ms == 300);
    cr_assert(a->absences[1].account == 3 && a->absences[1].from_ms == 400);
    q.limit = 3;
    a = fixture_ask(&f, &q);
    cr_assert(a->absence_count == 3 && !a->more);
}

/* ---- what tables have to be told ---------------------------------------------- */

static size_t untold(id_num table)
{
    const struct answer *a = fixture_table(&f, table);

    cr_assert(a->untold_count == 0 || a->untold[0] == 1);
    return a->untold_count;
}

static size_t untold_tables(void)
{
    struct question q = {.kind = ASK_RENAMES, .limit = 10};
    return fixture_ask(&f, &q)->listed_count;
}

static void knows(id_num table, id_num account, int64_t hours, int64_t changes)
{
    struct op *op = add(OP_KNOWS, table, account);

    op->u.knows.hours = hours;
    op->u.knows.away = changes;
    cr_assert_eq(store(), TRANSACTION_STORED);
}

/* Three tables: one open, one running, one over; in each the first two sit. */
static void tables(void)
{
    static const int states[] = {TABLE_OPEN, TABLE_PLAYING, TABLE_FINISHED};

    people(3);
    for (id_num i = 0; i < 3; i++) {
        make_table(&u, 70 + i, TABLE_OPEN, 2, 2);
        make_plies(&u, 70 + i, -1, 1, states[i], 2, 2);
        cr_assert_eq(store(), TRANSACTION_STORED);
    }
}

/* Open and running tables have to be told of absences that have begun or ended;
 * until they know of what is so now. */
CONTRACT(time, untold)
{
    tables();
    absence(away(1, 0, false), 500, 600, false);
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert(untold(70) == 0 && untold_tables() == 0);
    away(1, 1, false)->u.away.tell = true;
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert(untold(70) == 1 && untold(71) == 1 && untold(72) == 0);
    cr_assert_eq(untold_tables(), 2);
    add(OP_REQUIRE_TOLD, 70, 0);
    cr_assert_eq(conflict(), OP_REQUIRE_TOLD);
    add(OP_REQUIRE_TOLD, 72, 0);
    cr_assert_eq(store(), TRANSACTION_STORED);

    knows(70, 1, 0, 1); /* not of the last change */
    cr_assert_eq(untold(70), 1);
    knows(70, 2, 0, 0); /* another's */
    cr_assert_eq(untold(70), 1);
    knows(70, 1, 0, 2);
    cr_assert(untold(70) == 0 && untold(71) == 1 && untold_tables() == 1);
    add(OP_REQUIRE_TOLD, 70, 0);
    cr_assert_eq(store(), TRANSACTION_STORED);
    knows(70, 1, 5, 2); /* other hours than there are */
    cr_assert_eq(untold(70), 1);
}

/* So they have of hours; and what has to be told at once with a name is one
 * table. */
CONTRACT(time, untold_hours)
{
    tables();
    struct op *op = add(OP_HOURS, 0, 1);
    op->u.hours.row = (struct hours_row){
        .hours = {540, 1320, HOURS_ALL_DAYS},
        .zone = "Etc/UTC",
        .changed = 1000,
    };
    op = add(OP_NAME, 0, 1);
    op->u.note = "somebody";
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert(untold(70) == 1 && untold(71) == 1 && untold(72) == 0);
    cr_assert_eq(untold_tables(), 2);
    const struct answer *a = away_of(1, 5);
    cr_assert(a->hours != NULL && a->hours->changed == 1000);
    cr_assert_str_eq(a->hours->zone, "Etc/UTC");
    knows(71, 1, 1000, 0);
    cr_assert(untold(71) == 0 && untold_tables() == 2);
}

/* A table that is to be looked at is told of at a start, with or without a pace,
 * and when silence will have agreed there. */
CONTRACT(time, quiet)
{
    struct question due = {.kind = ASK_DUE, .limit = 10};
    size_t found = 0;

    tables();
    make_plies(&u, 71, 0, 1, TABLE_PLAYING, 2, 2);
    u.first->u.plies.summary.quiet = INT64_C(1800000000000);
    add(OP_DUE, 71, 0);
    cr_assert_eq(store(), TRANSACTION_STORED);
    const struct answer *a = fixture_ask(&f, &due);
    for (size_t i = 0; i < a->listed_count; i++) {
        const struct table_row *t = &a->tables[i].table;
        int64_t quiet = t->id == 71 ? INT64_C(1800000000000) : 0;
        cr_assert_eq(t->summary.quiet, quiet);
        found += t->id == 71;
    }
    cr_assert_eq(found, 1);
}

/* Whom a vote waits for, and until when, is kept with the table, whether silence
 * agrees there or not. */
CONTRACT(time, asked)
{
    const struct question due = {.kind = ASK_DUE, .limit = 10};

    tables();
    for (uint32_t ply = 1; ply <= 2; ply++) {
        int64_t quiet = ply == 2 ? INT64_C(1800000000000) : 0;
        make_plies(&u, 71, ply - 1, 1, TABLE_PLAYING, 2, 2);
        struct summary *s = &u.first->u.plies.summary;
        s->asked = 0x85;
        s->asked_until = INT64_C(1900000000000) + ply;
        s->quiet = quiet;
        add(OP_DUE, 71, 0);
        cr_assert_eq(store(), TRANSACTION_STORED);
        const struct answer *a = fixture_ask(&f, &due);
        for (size_t i = 0; i < a->listed_count; i++) {
            const struct table_row *t = &a->tables[i].table;
            if (t->id != 71)
                continue;
            cr_assert_eq(t->summary.asked, 0x85);
            cr_assert_eq(t->summary.asked_until, INT64_C(1900000000000) + ply);
            cr_assert_eq(t->summary.quiet, quiet);
            cr_assert_eq(t->summary.offered, 0);
        }
    }
}

/* How far somebody was reminded of is written over, by table and person, goes when
 * the game is over, and a start is told when to look again as long as nothing has
 * happened since. */
CONTRACT(time, reminders)
{
    struct question due = {.kind = ASK_DUE, .limit = 10};
    struct question q = {.kind = ASK_STAGES, .limit = 10, .u.table.id = 71};

    tables();
    for (uint8_t stage = 1; stage <= 2; stage++)
        for (id_num who = 1; who <= 2; who++) {
            add(OP_REMINDER, 71, 0)->u.reminder = (struct reminder_row){
                .account = who,
                .turn = 7,
                .stage = stage,
                .ply = who == 1 ? 0 : 99,
                .next = 1000 * stage + (int64_t)who,
            };
            cr_assert_eq(store(), TRANSACTION_STORED);
        }
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert_eq(a->reminder_count, 2);
    cr_assert(a->reminders[0].account == 1 && a->reminders[0].turn == 7 &&
              a->reminders[0].stage == 2 && a->reminders[0].ply == 0 &&
              a->reminders[0].next == 2001);
    a = fixture_ask(&f, &due);
    for (size_t i = 0; i < a->listed_count; i++)
        cr_assert_eq(a->tables[i].at, a->tables[i].table.id == 71 ? 2001 : 0);
    add(OP_REMINDERS_DROP, 71, 0);
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(fixture_ask(&f, &q)->reminder_count, 0);
    struct op *op = add(OP_ORDER, 71, 1); /* which a pause may hold */
    op->u.order.body = "{}";
    cr_assert_eq(store(), TRANSACTION_STORED);
    a = fixture_ask(&f, &due);
    for (size_t i = 0; i < a->listed_count; i++)
        cr_assert_eq(a->tables[i].at, a->tables[i].table.id == 71 ? 1 : 0);
}

/* Of zones in which somebody has hours it is known what tables were told; of what
 * is new all tables of theirs have to be told. */
CONTRACT(time, zones)
{
    struct question q = {.kind = ASK_ZONES, .limit = 10};

    tables();
    for (id_num who = 1; who <= 2; who++) {
        struct op *op = add(OP_HOURS, 0, who);
        op->u.hours.row = (struct hours_row){
            .hours = {60, 1200, HOURS_ALL_DAYS},
            .zone = who == 1 ? "Europe/Paris" : "Asia/Tokyo",
            .changed = 5,
        };
        cr_assert_eq(store(), TRANSACTION_STORED);
        knows(70, who, 5, 0);
        knows(71, who, 5, 0);
    }
    cr_assert_eq(untold_tables(), 0);
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert(a->zone_count == 2 && a->zones[0].offsets == NULL);
    add(OP_ZONE, 0, 0)->u.zone = (struct zone_row){"Europe/Paris", "0:3600"};
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert(untold(70) == 1 && untold(71) == 1 && untold(72) == 0);
    a = fixture_ask(&f, &q);
    for (size_t i = 0; i < 2; i++)
        cr_assert((a->zones[i].offsets != NULL) ==
                  (strcmp(a->zones[i].name, "Europe/Paris") == 0));
}
