/* test_audit.c -- a log that is not right is called wrong, for the reason that it
 * is: each sentence of the audit, and what has to hold beside it. */

#include <criterion/criterion.h>
#include <string.h>

#include "core/audit.h"
#include "core/base.h"
#include "core/rng.h"
#include "tests/support/games/toys.h"

#define SEED  "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define NONCE "0123456789abcdef0123456789abcdef"

enum { ROCK, PAPER, SCISSORS };
enum { ROOM = 64 };

static struct audit a;
static struct audit_ply plies[ROOM];
static int16_t options[RULES_OPTIONS_MAX];
static int refusal;

static void begin(const struct rules *r, int seats)
{
    struct rules_setup setup = {.seats = seats, .options = options};

    for (size_t i = 0; i < RULES_OPTIONS_MAX; i++)
        options[i] = RULES_NONE;
    cr_assert_eq(audit_init(&a, r, &setup, SEED, plies, ROOM, NULL), RULES_OK);
}

static const char *step(struct audit_entry e)
{
    return audit_step(&a, &e, &refusal);
}

/* An entry of KIND with a number. */
static const char *entry(int kind, int seat, uint64_t number)
{
    return step((struct audit_entry){.kind = (uint8_t)kind,
                                     .seat = (uint16_t)seat,
                                     .number = number});
}

static const char *nonce(int seat, const char *text)
{
    return step((struct audit_entry){.kind = ENTRY_NONCE,
                                     .seat = (uint16_t)seat,
                                     .nonce = text});
}

/* SEAT chooses HAND, which answers DECISION. */
static const char *choose(int seat, int hand, uint64_t decision)
{
    return step((struct audit_entry){
        .kind = ENTRY_MOVE,
        .seat = (uint16_t)seat,
        .decision = decision,
        .move = RULES_MOVE(0, hand, RULES_NONE, RULES_NONE),
    });
}

#define RIGHT(said)       cr_assert_null(said)
#define WRONG(said, text) cr_assert_str_eq(said, text)

/* A game of rock, paper, scissors by SEATS players that has just started: the
 * start is ply SEATS + 1. */
static void play(int seats)
{
    begin(&roshambo_rules, seats);
    RIGHT(entry(ENTRY_CREATE, ENTRY_NOBODY, 0));
    for (int seat = 0; seat < seats; seat++)
        RIGHT(entry(ENTRY_JOIN, seat, 0));
    RIGHT(entry(ENTRY_START, ENTRY_NOBODY, (UINT64_C(1) << seats) - 1));
    cr_assert_eq(a.state, AUDIT_PLAYING);
}

/* ---- before the start --------------------------------------------------- */

/* The first entry creates the table, and nothing is played before the start, or
 * prepared after it. */
Test(audit, order)
{
    begin(&roshambo_rules, 2);
    WRONG(entry(ENTRY_JOIN, 0, 0),
          "the first ply creates the table, and no other does");
    begin(&roshambo_rules, 2);
    RIGHT(entry(ENTRY_CREATE, ENTRY_NOBODY, 0));
    WRONG(entry(ENTRY_CREATE, ENTRY_NOBODY, 0),
          "the first ply creates the table, and no other does");
    static const int playing[] = {ENTRY_MOVE, ENTRY_UNDO, ENTRY_RESIGN,
                                  ENTRY_REWIND, ENTRY_REPLACED};
    for (size_t i = 0; i < COUNT_OF(playing); i++) {
        begin(&roshambo_rules, 2);
        RIGHT(entry(ENTRY_CREATE, ENTRY_NOBODY, 0));
        WRONG(entry(playing[i], 0, 0), "the game had not started");
    }
    static const int open[] = {ENTRY_JOIN, ENTRY_LEAVE, ENTRY_NONCE,
                               ENTRY_START};
    for (size_t i = 0; i < COUNT_OF(open); i++) {
        play(2);
        WRONG(entry(open[i], 0, 0), "the game had started");
    }
}

/* Only a seat that there is is taken, given up or named, only an empty one
 * taken, only a taken one left. */
Test(audit, seats)
{
    static const int kinds[] = {ENTRY_JOIN, ENTRY_LEAVE, ENTRY_NONCE};

    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        begin(&roshambo_rules, 2);
        RIGHT(entry(ENTRY_CREATE, ENTRY_NOBODY, 0));
        WRONG(entry(kinds[i], 2, 0), "there is no such seat");
    }
    static const int playing[] = {ENTRY_MOVE, ENTRY_UNDO, ENTRY_RESIGN,
                                  ENTRY_REPLACED};
    for (size_t i = 0; i < COUNT_OF(playing); i++) {
        play(2);
        WRONG(entry(playing[i], 2, 0), "there is no such seat");
    }
    begin(&roshambo_rules, 2);
    RIGHT(entry(ENTRY_CREATE, ENTRY_NOBODY, 0));
    RIGHT(entry(ENTRY_JOIN, 1, 0));
    RIGHT(entry(ENTRY_LEAVE, 1, 0));
    RIGHT(entry(ENTRY_JOIN, 1, 0));
    WRONG(entry(ENTRY_JOIN, 1, 0), "the seat was taken");
    WRONG(entry(ENTRY_LEAVE, 0, 0), "nobody sat there");
}

/* A seat gives a nonce once, unless it was left meanwhile: 32 to 64 hex
 * digits. */
Test(audit, nonces)
{
    begin(&roshambo_rules, 2);
    RIGHT(entry(ENTRY_CREATE, ENTRY_NOBODY, 0));
    RIGHT(entry(ENTRY_JOIN, 0, 0));
    RIGHT(nonce(0, NONCE));
    WRONG(nonce(0, NONCE), "the seat had given a nonce already");
    RIGHT(entry(ENTRY_LEAVE, 0, 0));
    WRONG(nonce(0, NONCE), "nobody sat there");
    RIGHT(entry(ENTRY_JOIN, 0, 0));
    WRONG(nonce(0, "0123456789abcdef0123456789abcdex"),
          "a nonce is 32 to 64 hex digits");
    WRONG(nonce(0, NULL), "a nonce is 32 to 64 hex digits");
    RIGHT(nonce(0, NONCE NONCE));
    cr_assert_str_eq(a.nonce[0], NONCE NONCE);
}

/* The game starts with those who are there, as many as the rules want; seats
 * that stayed empty go, the others close up, and nonces go with them. */
Test(audit, start)
{
    struct audit two;

    play(2);
    a.nonce[1][0] = '\0';
    begin(&roshambo_rules, 2);
    RIGHT(entry(ENTRY_CREATE, ENTRY_NOBODY, 0));
    RIGHT(entry(ENTRY_JOIN, 0, 0));
    RIGHT(entry(ENTRY_JOIN, 1, 0));
    RIGHT(nonce(1, NONCE));
    RIGHT(entry(ENTRY_START, ENTRY_NOBODY, 3));
    two = a;
    begin(&roshambo_rules, 4);
    RIGHT(entry(ENTRY_CREATE, ENTRY_NOBODY, 0));
    RIGHT(entry(ENTRY_JOIN, 1, 0));
    struct audit one = a;
    WRONG(entry(ENTRY_START, ENTRY_NOBODY, 2),
          "the game is not for so many players");
    a = one;
    RIGHT(entry(ENTRY_JOIN, 3, 0));
    RIGHT(nonce(3, NONCE));
    struct audit open = a;
    WRONG(entry(ENTRY_START, ENTRY_NOBODY, 3),
          "the game starts with the seats that are taken, all of them");
    a = open;
    RIGHT(entry(ENTRY_START, ENTRY_NOBODY, 1 << 1 | 1 << 3));
    cr_assert(a.seats == 2 && a.taken == 3 && a.state == AUDIT_PLAYING);
    cr_assert(a.from[0] == 1 && a.from[1] == 3);
    cr_assert_eq(memcmp(a.key, two.key, sizeof(a.key)), 0);
    RIGHT(choose(0, ROCK, 4));
    RIGHT(choose(1, ROCK, 4));
}

/* ---- play ---------------------------------------------------------------- */

/* A move is of who may move, answers what was asked, and is by the rules, which
 * say why if not; when it is over nothing follows. */
Test(audit, moves)
{
    play(2);
    WRONG(choose(0, ROCK, 4),
          "it answers another question than the one that was put");
    play(2);
    RIGHT(choose(0, ROCK, 3));
    cr_assert_eq(refusal, RULES_OK);
    WRONG(choose(0, ROCK, 4), "the rules do not allow that move");
    cr_assert_eq(refusal, RULES_GAME - 1); /* the same hand */
    begin(&roshambo_rules, 2);
    options[1] = 0; /* nobody changes their mind */
    RIGHT(entry(ENTRY_CREATE, ENTRY_NOBODY, 0));
    RIGHT(entry(ENTRY_JOIN, 0, 0));
    RIGHT(entry(ENTRY_JOIN, 1, 0));
    RIGHT(entry(ENTRY_START, ENTRY_NOBODY, 3));
    RIGHT(choose(0, ROCK, 3));
    WRONG(choose(0, PAPER, 3), "it was not that seat's turn");
    play(2);
    RIGHT(choose(0, ROCK, 3));
    RIGHT(choose(1, PAPER, 3));
    WRONG(choose(0, ROCK, 3),
          "it answers another question than the one that was put");
    play(2);
    RIGHT(choose(0, ROCK, 3));
    RIGHT(choose(1, PAPER, 3));
    RIGHT(choose(0, ROCK, 5));
    RIGHT(choose(1, PAPER, 5));
    cr_assert_eq(a.state, AUDIT_FINISHED);
    struct audit over = a;
    for (int kind = ENTRY_JOIN; kind < ENTRY_KINDS; kind++) {
        a = over;
        WRONG(entry(kind, 0, 5), "it was over");
    }
}

/* There is room for as many moves as the rules have at most. */
Test(audit, room)
{
    play(2);
    a.cap = 1;
    RIGHT(choose(0, ROCK, 3));
    WRONG(choose(1, ROCK, 3), "no game is so long");
}

/* What was given up in the middle is neither finished nor has it places. */
Test(audit, abandoned)
{
    play(2);
    RIGHT(entry(ENTRY_ABANDON, ENTRY_NOBODY, 0));
    cr_assert_eq(a.state, AUDIT_ABANDONED);
    WRONG(choose(0, ROCK, 3), "it was over");
}

/* A seat takes back what it may, and that only; then its question is put
 * anew, and nobody else's. */
Test(audit, undo)
{
    play(3);
    WRONG(entry(ENTRY_UNDO, 0, 4), "that seat could take nothing back");
    play(3);
    RIGHT(choose(0, ROCK, 4));
    RIGHT(choose(1, ROCK, 4));
    struct audit before = a;
    WRONG(entry(ENTRY_UNDO, 0, 6), "that seat could take another ply back");
    a = before;
    WRONG(entry(ENTRY_UNDO, 2, 6), "that seat could take nothing back");
    a = before;
    RIGHT(entry(ENTRY_UNDO, 0, 5));
    cr_assert(a.count == 1 && a.at[0].seat == 1);
    struct audit undone = a;
    WRONG(choose(0, PAPER, 4),
          "it answers another question than the one that was put");
    a = undone;
    RIGHT(choose(2, PAPER, 4));
    RIGHT(choose(0, PAPER, 7));
    cr_assert_eq(a.any.state.acting, 7, "a round was played");
    WRONG(entry(ENTRY_UNDO, 0, 9), "that seat could take nothing back");
}

/* Who has given up is played on for by the default move, first of all; who has
 * given up does not do so again, and when one is left it is over. */
Test(audit, resigned)
{
    struct rules_move mild;

    play(3);
    RIGHT(entry(ENTRY_RESIGN, 1, 0));
    WRONG(audit_end(&a), "a seat that has given up was to move first");
    rules_default_move(&roshambo_rules, &a.any.state, 1, &mild);
    struct audit due = a;
    WRONG(choose(0, ROCK, 4), "a seat that has given up was to move first");
    a = due;
    WRONG(entry(ENTRY_RESIGN, 2, 0),
          "a seat that has given up was to move first");
    a = due;
    WRONG(choose(1, (mild.arg[0] + 1) % 3, 4),
          "it is not the default move of a seat that has given up");
    a = due;
    RIGHT(choose(1, mild.arg[0], 4));
    RIGHT(audit_end(&a));
    struct audit on = a;
    WRONG(entry(ENTRY_RESIGN, 1, 0), "the seat had given up already");
    a = on;
    RIGHT(entry(ENTRY_RESIGN, 0, 0));
    cr_assert_eq(a.state, AUDIT_RESIGNED);
    RIGHT(audit_end(&a));
}

/* Who gave up comes behind who did not, whatever the points; places are there
 * once it is over, points at any time. */
Test(audit, score)
{
    struct rules_score score;

    play(3);
    RIGHT(choose(0, PAPER, 4));
    RIGHT(choose(1, ROCK, 4));
    RIGHT(choose(2, ROCK, 4));
    audit_score(&a, &score);
    cr_assert(score.total[0] == 2 && score.total[1] == 0);
    cr_assert(score.place[0] == 0 && score.place[1] == 0);
    RIGHT(entry(ENTRY_RESIGN, 0, 0));
    struct rules_move mild;
    rules_default_move(&roshambo_rules, &a.any.state, 0, &mild);
    RIGHT(choose(0, mild.arg[0], 7));
    RIGHT(choose(1, (mild.arg[0] + 1) % 3, 7));
    RIGHT(choose(2, mild.arg[0], 7));
    cr_assert_eq(a.state, AUDIT_FINISHED);
    audit_score(&a, &score);
    cr_assert_eq(score.place[1], 1);
    cr_assert_eq(score.place[2], 2);
    cr_assert_eq(score.place[0], 3);
    play(2);
    RIGHT(entry(ENTRY_RESIGN, 0, 0));
    audit_score(&a, &score);
    cr_assert(score.place[0] == 2 && score.place[1] == 1);
}

/* ---- mended --------------------------------------------------------------- */

/* The game goes back to a ply of its own, if that takes anything back: moves, or
 * that somebody gave up; all questions are put anew then. */
Test(audit, rewind)
{
    static const struct {
        uint64_t to;
        const char *said;
    } cases[] = {
        {2, "there is no such ply of the game to go back to"},
        {3, NULL},
        {4, NULL},
        {5, "there was nothing to take back"},
        {6, "there is no such ply of the game to go back to"},
    };

    play(2);
    RIGHT(choose(0, ROCK, 3));
    RIGHT(choose(1, PAPER, 3));
    struct audit before = a;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        a = before;
        const char *said = entry(ENTRY_REWIND, ENTRY_NOBODY, cases[i].to);
        if (cases[i].said != NULL) {
            WRONG(said, cases[i].said);
            continue;
        }
        RIGHT(said);
        cr_assert_eq(a.count, cases[i].to - 3);
        WRONG(choose(1, ROCK, 3),
              "it answers another question than the one that was put");
    }
    a = before;
    RIGHT(entry(ENTRY_REWIND, ENTRY_NOBODY, 3));
    RIGHT(choose(1, ROCK, 6));
    RIGHT(choose(0, ROCK, 6));
}

/* Who gave up behind that ply plays again, who gave up before it does not. */
Test(audit, rewind_resigned)
{
    struct rules_move mild;

    play(4);
    RIGHT(entry(ENTRY_RESIGN, 0, 0)); /* ply 6 */
    rules_default_move(&roshambo_rules, &a.any.state, 0, &mild);
    RIGHT(choose(0, mild.arg[0], 5));
    RIGHT(entry(ENTRY_RESIGN, 1, 0)); /* ply 8 */
    RIGHT(choose(1, mild.arg[0], 5));
    struct audit before = a;
    RIGHT(entry(ENTRY_REWIND, ENTRY_NOBODY, 7));
    cr_assert_eq(a.resigned, 1);
    a = before;
    RIGHT(entry(ENTRY_REWIND, ENTRY_NOBODY, 8));
    cr_assert_eq(a.resigned, 3);
    WRONG(audit_end(&a), "a seat that has given up was to move first");
    RIGHT(choose(1, mild.arg[0], 10));
    a = before;
    RIGHT(entry(ENTRY_REWIND, ENTRY_NOBODY, 5));
    cr_assert_eq(a.resigned, 0);
    RIGHT(choose(0, ROCK, 10));
}

/* Another player takes the seat, plays again if it was given up, and answers
 * the question that was put to them. */
Test(audit, replaced)
{
    play(3);
    RIGHT(entry(ENTRY_RESIGN, 1, 0));
    struct rules_move mild;
    rules_default_move(&roshambo_rules, &a.any.state, 1, &mild);
    RIGHT(choose(1, mild.arg[0], 4));
    RIGHT(entry(ENTRY_REPLACED, 1, 0)); /* ply 7 */
    cr_assert_eq(a.resigned, 0);
    RIGHT(entry(ENTRY_RESIGN, 1, 0));
    RIGHT(entry(ENTRY_REPLACED, 1, 0)); /* ply 9 */
    struct audit before = a;
    WRONG(choose(1, (mild.arg[0] + 1) % 3, 4),
          "it answers another question than the one that was put");
    a = before;
    RIGHT(choose(1, (mild.arg[0] + 1) % 3, 9));
    RIGHT(choose(0, ROCK, 4));
}

/* ---- nature ---------------------------------------------------------------- */

static void begin_kuhn(void)
{
    begin(&kuhn_rules, 2);
    RIGHT(entry(ENTRY_CREATE, ENTRY_NOBODY, 0));
    RIGHT(entry(ENTRY_JOIN, 0, 0));
    RIGHT(entry(ENTRY_JOIN, 1, 0));
    RIGHT(entry(ENTRY_START, ENTRY_NOBODY, 3));
}

static const char *move(int seat, const struct rules_move *m)
{
    return step((struct audit_entry){.kind = ENTRY_MOVE,
                                     .seat = (uint16_t)seat,
                                     .decision = 0,
                                     .move = *m});
}

/* What nature draws next. */
static struct rules_move drawn(uint64_t draws)
{
    struct rules_move m;
    struct rng rng;

    rng_init(&rng, a.key, draws);
    rules_chance(&kuhn_rules, &a.any.state, &rng, &m);
    return m;
}

/* A draw comes when it is due, before anything else, and is the one that the key
 * has at that number; after a restore the numbers go on far behind. */
Test(audit, draws)
{
    begin_kuhn();
    WRONG(audit_end(&a), "a draw of nature was to come first");
    struct audit before = a;
    WRONG(move(0, &RULES_MOVE(0, RULES_NONE, RULES_NONE, RULES_NONE)),
          "a draw of nature was to come first");
    a = before;
    struct rules_move m = drawn(0);
    m.arg[1] = (int16_t)((m.arg[1] + 1) % 3);
    WRONG(move(RULES_NATURE, &m), "it is not what the key draws here");
    a = before;
    for (uint64_t i = 0; i < 2; i++) {
        m = drawn(i);
        RIGHT(move(RULES_NATURE, &m));
        cr_assert_eq(a.draws, i + 1);
    }
    RIGHT(audit_end(&a));
    WRONG(move(RULES_NATURE, &m), "nature had nothing to draw");
    int others = 0;
    for (uint8_t digit = 0; digit < 8; digit++) {
        a = before;
        a.key[0] = digit;
        struct rules_move early = drawn(0), late = drawn(UINT64_C(1) << 32);
        if (early.arg[1] == late.arg[1])
            continue;
        others++;
        a.draws += UINT64_C(1) << 32;
        struct audit restored = a;
        WRONG(move(RULES_NATURE, &early), "it is not what the key draws here");
        a = restored;
        RIGHT(move(RULES_NATURE, &late));
    }
    cr_assert_gt(others, 0);
}

/* A restore moves the draws on, in the middle of a game as before it. */
Test(audit, restored)
{
    play(2);
    RIGHT(entry(ENTRY_RESTORED, ENTRY_NOBODY, 0));
    cr_assert_eq(a.draws, UINT64_C(1) << 32);
    RIGHT(entry(ENTRY_RESTORED, ENTRY_NOBODY, 0));
    cr_assert_eq(a.draws, UINT64_C(2) << 32);
    RIGHT(choose(0, ROCK, 3));
}
