/* test_timing_check.c -- what an entry may say of clocks, sentence by sentence: each
 * is said from the first moment, seat or second on for which it is true, and not
 * before. */

#include <criterion/criterion.h>
#include <string.h>

#include "core/base.h"
#include "core/timing.h"

#define SECOND INT64_C(1000)
#define DAY    (86400 * SECOND)
#define START  (20780 * DAY)
#define NOW    (START + 5000 * SECOND) /* the last entry */

enum { FREE = 3600, BANK = 600, TURN = 4 };

static struct timing t;
static struct timing_entry e;

/* A game of SEATS, begun at START, in which seat 0 is waited for since NOW; and in E
 * an entry of KIND by seat 0, made a minute later. */
static void begin(int seats, enum policy policy)
{
    const struct terms terms = {
        .pace = {FREE, BANK, 0, BANK},
        .policy = (uint8_t)policy,
        .hours = true,
        .absence = true,
    };
    struct timing_entry start = {
        .kind = ENTRY_START,
        .seat = ENTRY_NOBODY,
        .kept = (uint32_t)(RULES_BIT(seats) - 1),
        .at = START,
        .now = {.acting = 1, .asked = 1, .turn = TURN},
    };

    timing_begin(&t, &terms);
    timing_take(&t, &start);
    t.at = NOW;
}

/* The same table before it starts. */
static void unbegun(void)
{
    const struct terms terms = t.terms;

    timing_begin(&t, &terms);
}

static void say(enum entry_kind kind, uint16_t seat)
{
    e = (struct timing_entry){
        .kind = (uint8_t)kind,
        .seat = seat,
        .at = NOW + 60 * SECOND,
    };
}

/* The audit says SENTENCE of E, nothing if that is NULL. */
#define SAID(sentence) \
    do { \
        const char *said_ = timing_check(&t, &e), *want_ = (sentence); \
        cr_assert_str_eq(said_ != NULL ? said_ : "", \
                         want_ != NULL ? want_ : ""); \
    } while (0)
#define FINE() SAID(NULL)

/* ---- any entry ---------------------------------------------------------------- */

/* An entry is of the moment of the last one, or later; and of a seat that there is,
 * if it is about one. */
Test(timing_check, when_and_whose)
{
    static const uint8_t kinds[] = {ENTRY_HOURS, ENTRY_ABSENT, ENTRY_BACK,
                                    ENTRY_MISS, ENTRY_REPLACED};

    begin(3, POLICY_MILD);
    say(ENTRY_RESIGN, 0);
    e.at = NOW;
    FINE();
    e.at = NOW - 1;
    SAID("it was made before the entry before it");
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        say(kinds[i], 3);
        SAID("there is no such seat");
        e.seat = ENTRY_NOBODY;
        SAID("there is no such seat");
    }
    say(ENTRY_VOTE, 3);
    SAID("there is no such seat");
    e.seat = ENTRY_NOBODY;
    FINE();
    unbegun();
    say(ENTRY_HOURS, 3);
    FINE(); /* who will sit there nobody knows */
    e.seat = RULES_SEATS_MAX;
    SAID("there is no such seat");
}

/* Before the game nobody misses, gives, pauses or votes. */
Test(timing_check, not_started)
{
    static const uint8_t kinds[] = {ENTRY_MISS, ENTRY_GIVE, ENTRY_PAUSE,
                                    ENTRY_RESUME, ENTRY_VOTE};

    begin(2, POLICY_MILD);
    unbegun();
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        say(kinds[i], 0);
        SAID("the game had not started");
    }
}

/* Outages are told once, rising, as soon as they have begun, and if any of them was
 * since the game started. */
Test(timing_check, outages)
{
    static const char no[] = "it is no outage that was still to be told";
    struct span two[2];

    begin(2, POLICY_MILD);
    say(ENTRY_RESIGN, 0);
    e.more.outages = two;
    e.more.outage_count = 1;
    two[0] = (struct span){e.at, e.at + 1};
    FINE();
    two[0].from_ms = e.at + 1;
    two[0].to_ms = e.at + 2;
    SAID(no);
    two[0] = (struct span){NOW, NOW};
    SAID(no);
    two[0] = (struct span){START - 9, START};
    SAID(no);
    two[0].to_ms = START + 1;
    FINE();
    t.outage_from = START - 9;
    SAID(no);
    t.outage_from = START - 10;
    FINE();
    e.more.outage_count = 2;
    two[1] = (struct span){START - 9, NOW};
    SAID(no);
    two[1].from_ms = START - 8;
    FINE();
    unbegun();
    SAID("no clock ran that an outage could concern");
    say(ENTRY_START, ENTRY_NOBODY);
    e.more.outages = two;
    e.more.outage_count = 1;
    two[0] = (struct span){NOW, e.at};
    SAID(no);
    two[0].to_ms = e.at + 1;
    FINE();
}

/* ---- misses ------------------------------------------------------------------- */

/* A turn is missed two seconds after its time was up, not a millisecond before, by
 * the seat whose clock runs, once; and then what the table agreed on comes of it. */
Test(timing_check, miss)
{
    begin(2, POLICY_MILD);
    int64_t due = timing_due(&t, 0, NOW, NULL, 0);

    cr_assert_eq(due, START + (FREE + BANK) * SECOND);
    say(ENTRY_MISS, 0);
    e.more.then = MISS_END;
    e.at = due + MISS_AFTER_MS;
    t.at = START;
    FINE();
    e.at--;
    SAID("that seat's time was not up");
    e.at++;
    e.more.then = MISS_MILD;
    SAID("something else comes of this miss");
    t.clock.seat[0].turns = 1;
    FINE();
    e.seat = 1;
    SAID("no clock of that seat ran");
    e.seat = 0;
    t.resigned = RULES_BIT(0);
    SAID("no clock of that seat ran");
    t.resigned = RULES_BIT(1);
    FINE();
    t.clock.seat[0].late = true;
    SAID("no clock of that seat ran");
}

/* Nobody misses a turn before all has followed that was to follow, but for others
 * who miss theirs in the same moment. */
Test(timing_check, miss_in_between)
{
    static const char no[] = "something else was to follow first";

    begin(2, POLICY_MILD);
    say(ENTRY_MISS, 0);
    e.more.then = MISS_END;
    e.at = t.at = START + (FREE + BANK) * SECOND + MISS_AFTER_MS;
    t.settled = false;
    SAID(no);
    t.last = ENTRY_MISS;
    FINE();
    t.at--;
    SAID(no);
    t.settled = true;
    FINE();
}

/* What comes of a miss: nothing while some are excused; the end of the game, of a
 * first turn; else what the table agreed on. */
Test(timing_check, what_comes_of_a_miss)
{
    static const uint8_t thens[POLICIES] = {
        [POLICY_MILD] = MISS_MILD, [POLICY_BOT] = MISS_BOT,
        [POLICY_OPEN] = MISS_OPEN, [POLICY_OUT] = MISS_OUT,
        [POLICY_END] = MISS_END,
    };

    for (int policy = 0; policy < POLICIES; policy++) {
        begin(2, (enum policy)policy);
        cr_assert_eq(timing_then(&t, 0), MISS_END);
        t.clock.seat[0].turns = 1;
        cr_assert_eq(timing_then(&t, 0), thens[policy]);
        t.clock.excuses = 2;
        t.clock.seat[0].excused = 1;
        cr_assert_eq(timing_then(&t, 0), MISS_EXCUSED);
        t.clock.seat[0].excused = 2;
        cr_assert_eq(timing_then(&t, 0), thens[policy]);
    }
}

/* ---- hours and absence -------------------------------------------------------- */

/* Hours are those that somebody can have, in a zone that there can be. */
Test(timing_check, hours)
{
    static const char no[] = "no zone has such offsets";
    struct clock_hours h = {
        .hours = {60, 1200, 0x7f},
        .offsets = {2, {{5, 86399}, {6, -86399}}},
    };

    begin(2, POLICY_MILD);
    say(ENTRY_HOURS, 0);
    FINE();
    e.more.hours = &h;
    FINE();
    h.offsets.at[0].seconds = 86400;
    SAID(no);
    h.offsets.at[0].seconds = 0;
    h.offsets.at[1].seconds = -86400;
    SAID(no);
    h.offsets.at[1].seconds = 0;
    h.offsets.at[1].since_ms = 5;
    SAID(no);
    h.offsets.count = 1;
    FINE();
    h.offsets.count = 0;
    SAID("nobody can have such hours");
    h.offsets.count = HOURS_OFFSETS_MAX + 1;
    SAID("nobody can have such hours");
    for (int i = 0; i < HOURS_OFFSETS_MAX; i++)
        h.offsets.at[i].since_ms = i;
    h.offsets.count = HOURS_OFFSETS_MAX;
    FINE();
    h.hours.opens = 1440;
    SAID("nobody can have such hours");
    t.terms.hours = false;
    SAID("this table honours no hours");
    e.more.hours = NULL;
    SAID("this table honours no hours");
}

/* An absence has begun by then and ends later; who comes back was away. */
Test(timing_check, absence)
{
    static const char no[] = "it does not begin by then and end later";

    begin(2, POLICY_MILD);
    say(ENTRY_ABSENT, 1);
    e.more.from = e.at;
    e.more.until = e.at + 1;
    FINE();
    e.more.from++;
    SAID(no);
    e.more.from = START;
    FINE();
    e.more.until = e.at;
    SAID(no);
    t.terms.absence = false;
    SAID("this table honours no absence");
    say(ENTRY_BACK, 1);
    SAID("nobody was away");
    t.clock.seat[1].absent_until_ms = e.at;
    SAID("nobody was away");
    t.clock.seat[1].absent_until_ms++;
    FINE();
    e.seat = 0;
    SAID("nobody was away");
    unbegun();
    t.away[0].to_ms = e.at;
    SAID("nobody was away");
    t.away[0].to_ms++;
    FINE();
}

/* ---- what one may agree on ---------------------------------------------------- */

/* Of two, each gives the other as much as a turn and the bank are, three times; of
 * more, all together do; the operator does as they like. */
Test(timing_check, gifts)
{
    static const char nothing[] = "there is nobody, or nothing, to be given "
                                  "that";

    begin(2, POLICY_MILD);
    say(ENTRY_GIVE, 0);
    e.more.to = 1;
    e.more.seconds = FREE + BANK;
    FINE();
    e.more.seconds++;
    SAID("nobody is given so much");
    e.more.seconds = 0;
    SAID(nothing);
    e.more.seconds = 1;
    FINE();
    t.given[1] = 2;
    FINE();
    t.given[1] = 3;
    SAID("nobody is given so much");
    e.more.to = 2;
    SAID(nothing);
    e.more.to = 0;
    SAID("time is given by the opponent of two");
    e.seat = ENTRY_NOBODY;
    e.more.to = 1;
    e.more.seconds = 100 * FREE;
    FINE();
    e.more.why = WHY_VOTE;
    SAID("nobody is given so much");
    begin(3, POLICY_MILD);
    e.more.seconds = 1;
    FINE();
    e.seat = 0;
    SAID("time is given by the opponent of two");
}

/* A pause is agreed on, for up to thirty days; it ends once. */
Test(timing_check, pauses)
{
    static const char no[] = "a pause is for up to 30 days";

    begin(2, POLICY_MILD);
    say(ENTRY_PAUSE, ENTRY_NOBODY);
    e.more.until = e.at;
    SAID(no);
    e.more.until++;
    FINE();
    e.more.until = e.at + 30 * DAY;
    FINE();
    e.more.until++;
    SAID(no);
    e.seat = 0;
    SAID("nobody pauses a game alone");
    say(ENTRY_RESUME, ENTRY_NOBODY);
    t.clock.paused_until_ms = e.at;
    SAID("there was no pause");
    t.clock.paused_until_ms++;
    FINE();
    e.seat = 1;
    SAID("nobody pauses a game alone");
}

/* ---- whose seat it is --------------------------------------------------------- */

/* The operator puts in whom they like; everybody else says why, and is right. */
Test(timing_check, replaced)
{
    begin(2, POLICY_MILD);
    say(ENTRY_REPLACED, 0);
    e.more.why = WHY_OPERATOR;
    FINE();
    e.more.why = UINT8_MAX;
    SAID("nothing says why");
    e.more.why = WHY_SELF;
    SAID("that seat was not gone");
    t.clock.seat[0].gone = true;
    FINE();
    t.returns[0] = 2;
    FINE();
    t.returns[0] = 3;
    SAID("nobody comes back so often");
}

/* Somebody who came back from a miss has, once the game is set back to before it,
 * the bank that they had then, and a turn that begins anew. */
Test(timing_check, back_from_what_was_taken_back)
{
    begin(2, POLICY_BOT);
    say(ENTRY_MISS, 0);
    e.at = START + 2 * FREE * SECOND;
    e.more.then = MISS_BOT;
    e.undone = true;
    timing_take(&t, &e);
    say(ENTRY_REPLACED, 0);
    e.at = START + 3 * FREE * SECOND;
    e.more.why = WHY_SELF;
    timing_take(&t, &e);
    cr_assert_eq(t.returns[0], 1, "it counts, or the game never ends");
    say(ENTRY_REWIND, ENTRY_NOBODY);
    e.at = START + 4 * FREE * SECOND;
    timing_take(&t, &e);
    cr_assert_eq(clock_bank(&t.clock, 0), BANK * SECOND);
    cr_assert_eq(clock_due(&t.clock, 0), e.at + (FREE + BANK) * SECOND);
}

/* A seat is offered by a miss where the table has it so, or once it is gone there,
 * while the game goes on, to three others. */
Test(timing_check, offered)
{
    static const char no[] = "that seat was not offered";
    struct clock_seat *s = &t.clock.seat[1];

    begin(2, POLICY_OPEN);
    say(ENTRY_REPLACED, 1);
    e.more.why = WHY_OPEN;
    SAID(no);
    s->gone = true;
    FINE();
    cr_assert(timing_offered(&t, 1) && !timing_offered(&t, 0));
    t.terms.policy = POLICY_MILD;
    SAID(no);
    s->gone = false;
    s->offered = true;
    SAID(no);
    s->runs = true; /* while its turn goes on */
    FINE();
    s->substitutes = 2;
    FINE();
    s->substitutes = 3;
    SAID(no);
    s->substitutes = 0;
    t.end = TIMING_VOID;
    SAID(no);
}

/* By a vote it is offered to whoever comes, while it misses turns, or is gone, and has
 * not given up; a seat that is offered anyway needs no vote. */
Test(timing_check, offered_by_vote)
{
    static const char no[] = "nobody had voted to offer that seat";
    struct clock_seat *s = &t.clock.seat[1];

    begin(2, POLICY_MILD);
    say(ENTRY_REPLACED, 1);
    e.more.why = WHY_VOTE;
    s->missed = 1;
    SAID(no);
    t.opened = RULES_BIT(1);
    FINE();
    cr_assert(timing_offered(&t, 1) && timing_offered_by_vote(&t, 1));
    t.resigned = RULES_BIT(1);
    SAID(no);
    t.resigned = RULES_BIT(0);
    FINE();
    s->missed = 0;
    SAID(no);
    s->gone = true;
    FINE();
    s->substitutes = 3;
    SAID(no);
    s->substitutes = 0;
    t.terms.policy = POLICY_OPEN;
    SAID(no);
    e.more.why = WHY_OPEN;
    FINE();
    cr_assert_eq(timing_gone(&t), RULES_BIT(1));
    cr_assert(timing_is_missing(&t, 1) && !timing_is_missing(&t, 0));
}

/* ---- votes -------------------------------------------------------------------- */

/* What nothing could come of nobody agrees to; who says no need not care. */
Test(timing_check, votes)
{
    begin(3, POLICY_MILD);
    say(ENTRY_VOTE, 0);
    e.more.yes = true;
    e.more.about = VOTE_CANCEL;
    FINE();
    e.more.about = VOTE_PAUSE;
    SAID("a pause is for up to 30 days");
    e.more.until = e.at + DAY;
    FINE();
    e.more.about = VOTE_RESUME;
    SAID("there was no pause");
    t.clock.paused_until_ms = e.at + 1;
    FINE();
    e.more.about = VOTE_GIVE;
    e.more.to = 0;
    SAID("there is nobody, or nothing, to be given that");
    e.more.seconds = 1;
    FINE();
    t.given[0] = 3;
    SAID("nobody is given so much");
    e.more.yes = false;
    FINE();
    begin(2, POLICY_MILD);
    FINE();
    e.more.yes = true;
    SAID("of two, the opponent gives time");
}

/* Silence agrees only while nobody's clock runs. */
Test(timing_check, silence)
{
    begin(3, POLICY_MILD);
    say(ENTRY_VOTE, 0);
    e.more.yes = e.more.silent = true;
    e.more.about = VOTE_CANCEL;
    SAID("silence agrees to nothing while a clock runs");
    t.clock.seat[0].runs = false;
    FINE();
    t.clock.seat[2] = (struct clock_seat){.runs = true, .since_ms = NOW};
    SAID("silence agrees to nothing while a clock runs");
    e.more.silent = false;
    FINE();
}

/* Replaced is who misses turns, has not given up and is not offered anyway, as long
 * as the seat may have another. */
Test(timing_check, vote_to_replace)
{
    static const char nobody[] = "nobody is to be replaced there";
    struct clock_seat *s = &t.clock.seat[1];

    begin(3, POLICY_MILD);
    say(ENTRY_VOTE, 0);
    e.more.yes = true;
    e.more.about = VOTE_REPLACE;
    e.more.to = 1;
    SAID("that seat had missed nothing, or had come back");
    s->missed = 1;
    FINE();
    s->substitutes = 3;
    SAID("as many had that seat as may have it");
    s->substitutes = 2;
    FINE();
    t.opened = RULES_BIT(1);
    SAID("that seat was offered already");
    t.opened = 0;
    t.resigned = RULES_BIT(1);
    SAID(nobody);
    t.resigned = RULES_BIT(0);
    e.more.to = 3;
    SAID(nobody);
}

/* ---- moves -------------------------------------------------------------------- */

/* Who is gone is played for: by a bot where the table has it so, or by default moves;
 * and nobody else is. */
Test(timing_check, who_moves)
{
    begin(2, POLICY_MILD);
    say(ENTRY_MOVE, 0);
    e.more.made = MADE_BY_SEAT;
    FINE();
    e.more.made = MADE_MILD;
    SAID("that seat is not played for");
    e.more.made = UINT8_MAX;
    SAID("nobody makes such moves");
    t.clock.seat[0].gone = true;
    e.more.made = MADE_BY_BOT;
    SAID("no bot plays for that seat");
    e.more.made = MADE_BY_SEAT;
    SAID("that seat is played for");
    e.more.made = MADE_MILD;
    FINE();
    t.terms.policy = POLICY_BOT;
    FINE();
    e.more.made = MADE_BY_BOT;
    FINE();
    e.more.made = MADE_BY_SEAT;
    SAID("that seat is played for");
    t.resigned = RULES_BIT(0);
    FINE(); /* what a seat that gave up plays is its own */
    e.more.made = MADE_BY_BOT;
    SAID("no bot plays for that seat");
    e.more.made = MADE_MILD;
    SAID("that seat is not played for");
    e.seat = RULES_NATURE;
    e.more.made = MADE_BY_SEAT;
    FINE();
}
