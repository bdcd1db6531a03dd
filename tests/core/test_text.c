/* test_text.c -- moves and events in words, and moves back from words. */

#include <criterion/criterion.h>
#include <string.h>

#include "core/base.h"
#include "core/text.h"
#include "tests/support/games/toys.h"
#include "tests/support/play.h"

/* verbs and events of haggle.c, which has every form of argument */
enum { OFFER, WITHDRAW, RESERVE, MOVE, TUNE, ACCEPT, END_TURN };
enum { OFFERED, SOLD, SET };

static union rules_any table;

static const struct rules_state *haggle(void)
{
    rules_setup(&haggle_rules, &table.state, &(struct rules_setup){.seats = 3},
                NULL);
    return &table.state;
}

static struct rules_move move(int verb, int a, int b, int c)
{
    return RULES_MOVE(verb, a, b, c);
}

/* ---- words from moves -------------------------------------------------- */

static void written(struct rules_move m, const char *expected)
{
    char text[RULES_TEXT_MAX];
    size_t n = text_move(&haggle_rules, haggle(), &m, text, sizeof(text));
    cr_assert_str_eq(text, expected);
    cr_assert_eq(n, strlen(expected));
}

/* The verb, then name=value for what is there, each form in its own way. */
Test(text, move_in_words)
{
    written(move(OFFER, 2, 17, 1), "offer to=2 amount=17 firm=true");
    written(move(OFFER, RULES_NONE, 5, 0), "offer amount=5 firm=false");
    written(move(OFFER, RULES_NONE, 5, RULES_NONE), "offer amount=5");
    written(move(MOVE, 1, RULES_NONE, RULES_NONE), "move stall=south");
    written(move(MOVE, RULES_NONE, RULES_NONE, RULES_NONE), "move");
    written(move(TUNE, -5, RULES_NONE, RULES_NONE), "tune by=-5");
    written(move(TUNE, 0, RULES_NONE, RULES_NONE), "tune by=0");
    written(move(RESERVE, RULES_HIDDEN, RULES_NONE, RULES_NONE),
            "reserve amount=?");
    written(move(END_TURN, RULES_NONE, RULES_NONE, RULES_NONE), "end_turn");
}

/* An event is its kind and arguments; whom it is about stands elsewhere. */
Test(text, event_in_words)
{
    struct rules_events events = {0};
    char text[RULES_TEXT_MAX];

    rules_emit(&events, OFFERED, 1, RULES_EVERYONE, RULES_NONE, 9, 0);
    rules_emit(&events, SET, 1, RULES_EVERYONE, RULES_HIDDEN, RULES_NONE,
               RULES_NONE);
    size_t n = text_event(&haggle_rules, haggle(), &events.at[0], text,
                          sizeof(text));
    cr_assert_str_eq(text, "offered amount=9 firm=false");
    cr_assert_eq(n, strlen(text));
    text_event(&haggle_rules, haggle(), &events.at[1], text, sizeof(text));
    cr_assert_str_eq(text, "set amount=?");
}

/* A buffer too short gets the beginning and a NUL; the length is the whole. */
Test(text, short_buffers)
{
    static const char whole[] = "offer to=2 amount=17 firm=true";
    struct rules_move m = move(OFFER, 2, 17, 1);

    for (size_t cap = 0; cap <= sizeof(whole); cap++) {
        char text[64];
        memset(text, '#', sizeof(text));
        size_t n = text_move(&haggle_rules, haggle(), &m, text, cap);
        cr_assert_eq(n, sizeof(whole) - 1);
        size_t kept = cap == 0 ? 0 : cap - 1 < n ? cap - 1 : n;
        cr_assert(memcmp(text, whole, kept) == 0);
        if (cap > 0)
            cr_assert_eq(text[kept], '\0');
        cr_assert_eq(text[cap], '#');
    }
}

/* ---- moves from words -------------------------------------------------- */

static void read_as(const char *text, struct rules_move expected)
{
    struct rules_move m;
    size_t at;
    cr_assert_eq(text_move_read(&haggle_rules, haggle(), text, strlen(text),
                                &m, &at),
                 RULES_OK, "%s", text);
    cr_assert(memcmp(&m, &expected, sizeof(m)) == 0, "%s", text);
}

/* Arguments in any order, spaces as many as there are. */
Test(text, listinto_moves)
{
    read_as("offer to=2 amount=17 firm=true", move(OFFER, 2, 17, 1));
    read_as("offer firm=false amount=17 to=0", move(OFFER, 0, 17, 0));
    read_as("  offer   amount=5  ", move(OFFER, RULES_NONE, 5, RULES_NONE));
    read_as("move", move(MOVE, RULES_NONE, RULES_NONE, RULES_NONE));
    read_as("move stall=west", move(MOVE, 3, RULES_NONE, RULES_NONE));
    read_as("tune by=-5", move(TUNE, -5, RULES_NONE, RULES_NONE));
    read_as("tune by=32767", move(TUNE, INT16_MAX, RULES_NONE, RULES_NONE));
    read_as("tune by=-32766", move(TUNE, -32766, RULES_NONE, RULES_NONE));
}

static void misread(const char *text, int refusal, size_t position)
{
    struct rules_move m = move(ACCEPT, 3, 2, 1), before = m;
    size_t at = 999;
    cr_assert_eq(text_move_read(&haggle_rules, haggle(), text, strlen(text),
                                &m, &at),
                 refusal, "%s", text);
    cr_assert_eq(at, position, "%s: %zu", text, at);
    cr_assert(memcmp(&m, &before, sizeof(m)) == 0, "%s", text);
}

/* What cannot be read says where the trouble begins, and gives no move. */
Test(text, listthat_are_none)
{
    misread("", RULES_UNKNOWN_VERB, 0);
    misread("   ", RULES_UNKNOWN_VERB, 3);
    misread(" sing", RULES_UNKNOWN_VERB, 1);
    misread("offe amount=5", RULES_UNKNOWN_VERB, 0);
    misread("offering", RULES_UNKNOWN_VERB, 0);
    misread("Offer amount=5", RULES_UNKNOWN_VERB, 0);
    misread("offer\tamount=5", RULES_UNKNOWN_VERB, 0);
    misread("offer amount", RULES_BAD_ARGUMENT, 6);
    misread("offer amount=", RULES_BAD_ARGUMENT, 6);
    misread("offer =5", RULES_BAD_ARGUMENT, 6);
    misread("offer amoun=5", RULES_BAD_ARGUMENT, 6);
    misread("offer amounts=5", RULES_BAD_ARGUMENT, 6);
    misread("offer amount=5 amount=5", RULES_BAD_ARGUMENT, 15);
    misread("offer to=1 firm=yes", RULES_BAD_ARGUMENT, 11);
    misread("offer to=1 firm=1", RULES_BAD_ARGUMENT, 11);
    misread("offer amount=5x", RULES_BAD_ARGUMENT, 6);
    misread("offer amount=+5", RULES_BAD_ARGUMENT, 6);
    misread("offer amount=-", RULES_BAD_ARGUMENT, 6);
    misread("offer amount=?", RULES_BAD_ARGUMENT, 6);
    misread("move stall=nowhere", RULES_BAD_ARGUMENT, 5);
    misread("move stall=nort", RULES_BAD_ARGUMENT, 5);
    misread("move stall=", RULES_BAD_ARGUMENT, 5);
    misread("end_turn offer=1", RULES_BAD_ARGUMENT, 9);
}

/* No text is read as one of the values that mean "absent" or "hidden", or as
 * a number of more than sixteen bits. */
Test(text, numbers_that_are_none)
{
    misread("tune by=-32767", RULES_BAD_ARGUMENT, 5);
    misread("tune by=-32768", RULES_BAD_ARGUMENT, 5);
    misread("tune by=32768", RULES_BAD_ARGUMENT, 5);
    misread("tune by=65536", RULES_BAD_ARGUMENT, 5);
    misread("tune by=4294967296", RULES_BAD_ARGUMENT, 5);
    misread("tune by=99999999999999999999", RULES_BAD_ARGUMENT, 5);
}

/* The text ends where it is said to end, NUL or not. */
Test(text, length_counts)
{
    static const char text[] = {'m', 'o', 'v', 'e', '\0', 'x'};
    struct rules_move m;
    size_t at;
    cr_assert_eq(text_move_read(&haggle_rules, haggle(), text, 4, &m, &at),
                 RULES_OK);
    cr_assert_eq(text_move_read(&haggle_rules, haggle(), text, 5, &m, &at),
                 RULES_UNKNOWN_VERB);
    cr_assert_eq(text_move_read(&haggle_rules, haggle(), text, 3, &m, &at),
                 RULES_UNKNOWN_VERB);
}

/* ---- values ------------------------------------------------------------ */

/* Words and places have a word for each value; numbers have none. */
Test(text, listof_values)
{
    const struct rules_kind *stall = haggle_rules.verbs[MOVE].arg[0].kind;
    const struct rules_kind *amount = haggle_rules.verbs[RESERVE].arg[0].kind;
    const struct rules_kind *hand = roshambo_rules.verbs[0].arg[0].kind;
    char word[16];
    int16_t value = 77;

    cr_assert_eq(text_word(stall, haggle(), 2, word, sizeof(word)), 4);
    cr_assert(memcmp(word, "east", 4) == 0);
    cr_assert_eq(text_word(hand, haggle(), 2, word, 3), 8);
    cr_assert(memcmp(word, "sci", 3) == 0);
    cr_assert_eq(text_word(amount, haggle(), 2, word, sizeof(word)), 0);
    cr_assert(text_word_read(hand, haggle(), "paper", 5, &value));
    cr_assert_eq(value, 1);
    cr_assert_not(text_word_read(hand, haggle(), "pape", 4, &value));
    cr_assert_not(text_word_read(hand, haggle(), "papers", 6, &value));
    cr_assert_not(text_word_read(hand, haggle(), "", 0, &value));
    cr_assert_not(text_word_read(amount, haggle(), "2", 1, &value));
    cr_assert(text_word_read(stall, haggle(), "east", 4, &value));
    cr_assert_eq(value, 2);
}

Test(text, find)
{
    cr_assert_eq(text_find(haggle_rules.verbs, "tune", 4), TUNE);
    cr_assert_eq(text_find(haggle_rules.verbs, "tuned", 4), TUNE);
    cr_assert_eq(text_find(haggle_rules.verbs, "tuned", 5), -1);
    cr_assert_eq(text_find(haggle_rules.verbs, "tun", 3), -1);
    cr_assert_eq(text_find(haggle_rules.verbs, "", 0), -1);
    cr_assert_eq(text_find(haggle_rules.events, "sold", 4), SOLD);
}

/* ---- every game -------------------------------------------------------- */

static void there_and_back(struct play *p, const struct rules_move *m)
{
    char text[RULES_TEXT_MAX];
    struct rules_move back;
    size_t at;
    size_t n = text_move(p->r, &p->s.state, m, text, sizeof(text));

    MUST(p, n < sizeof(text) && strlen(text) == n);
    for (size_t i = 0; i < n; i++)
        MUST(p, text[i] >= ' ' && text[i] <= '~' && text[i] != '"' &&
                    text[i] != '\\');
    MUST(p,
         text_move_read(p->r, &p->s.state, text, n, &back, &at) == RULES_OK);
    MUST(p, memcmp(m, &back, sizeof(back)) == 0);
}

static void all_moves(struct play *p, const struct rules_ply *ply)
{
    static struct rules_choice legal[RULES_MOVES_MAX];
    (void)ply;
    for (int seat = 0; p->look && seat < p->s.state.seats; seat++) {
        size_t n = rules_legal(p->r, &p->s.state, seat, -1, legal,
                               RULES_MOVES_MAX);
        for (size_t i = 0; i < n; i++)
            there_and_back(p, &legal[i].move);
    }
}

static void all_events(struct play *p, const struct rules_ply *ply)
{
    char text[RULES_TEXT_MAX];
    there_and_back(p, &ply->move);
    for (size_t i = 0; i < p->events.count; i++)
        MUST(p, text_event(p->r, &p->s.state, &p->events.at[i], text,
                           sizeof(text)) < sizeof(text));
}

static const struct play_suite words = {.before = all_moves,
                                        .after = all_events};

/* Every legal move of any game goes into words and comes back. */
Test(text, all_games)
{
    static const char *const names[] = {
        "hacienda", "tictactoe", "kuhn", "roshambo", "haggle", NULL,
    };
    for (size_t i = 0; i < COUNT_OF(names); i++)
        play_run(&words, names[i], 100, 20);
}

/* Whether an argument of one of WORDS has a name that is taken. */
static bool named(const struct rules_word *list, const char *taken)
{
    for (; list->name != NULL; list++)
        for (int i = 0; i < RULES_ARGS_MAX && list->arg[i].name; i++)
            if (strcmp(list->arg[i].name, taken) == 0)
                return true;
    return false;
}

/* As JSON a move has the member `verb` and an event has `kind` and `seat`
 * beside their arguments: no game may call an argument so. */
Test(text, taken_names)
{
    for (size_t i = 0; rules_all[i] != NULL; i++) {
        const char *game = rules_all[i]->name;
        cr_assert(!named(rules_all[i]->verbs, "verb"), "%s", game);
        cr_assert(!named(rules_all[i]->events, "kind"), "%s", game);
        cr_assert(!named(rules_all[i]->events, "seat"), "%s", game);
    }
}
