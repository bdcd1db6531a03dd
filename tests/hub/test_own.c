/* test_own.c -- what is kept of somebody is theirs: they may have all of it, and
 * have it gone. */

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/methods.h"
#include "server/hub/limits.h"
#include "tests/support/disk_lists.h"
#include "tests/support/test_client.h"

static struct test_client d;
static peer_id anna, bert;
static char table[16], other[16];

static json_t *at(peer_id p, const char *method, const char *id)
{
    return test_client_ask(&d, p, method, "{s:s}", "table", id);
}

/* Anna plays with Bert, said something, and waits at another table. */
static void begin(void)
{
    test_client_open(&d, 1);
    anna = test_client_user(&d, "anna");
    bert = test_client_user(&d, "bert");
    FINE(test_client_create(&d, anna, NULL, table));
    FINE(at(bert, "table.join", table));
    FINE(test_client_create(&d, anna, NULL, other));
    FINE(test_client_ask(&d, anna, "table.chat", "{s:s,s:s}", "table", table,
                         "text", "hello"));
    FINE(test_client_ask(&d, anna, "table.note", "{s:s,s:s}", "table", table,
                         "text", "mine"));
    FINE(test_client_ask(&d, anna, "table.study", "{s:s,s:s}", "table", table,
                         "text", "tried"));
    FINE(test_client_ask(&d, anna, "account.hours.set",
                         "{s:{s:i,s:i,s:[i,i,i,i,i],s:s}}", "hours", "opens",
                         540, "closes", 1200, "days", 1, 2, 3, 4, 5, "zone",
                         "Etc/UTC"));
}

static void end(void)
{
    test_client_close(&d);
}

TestSuite(own, .init = begin, .fini = end, .timeout = 600);

static json_t *rows(peer_id p, const char *part)
{
    json_t *answer = part == NULL
                         ? test_client_ask(&d, p, "account.export", NULL)
                         : test_client_ask(&d, p, "account.export", "{s:s}",
                                           "part", part);

    FINE(answer);
    return test_client_member(answer, "rows");
}

static const char *text_in(const json_t *list, const char *name)
{
    return json_string_value(json_object_get(json_array_get(list, 0), name));
}

/* Each part is told, to its owner alone, and nothing that would let anybody in;
 * it goes on where a page ended. */
Test(own, exported)
{
    cr_assert_str_eq(text_in(rows(anna, NULL), "name"), "anna");
    cr_assert_str_eq(text_in(rows(bert, NULL), "name"), "bert");
    for (int i = 0; person_parts[i] != NULL; i++) {
        char *text = json_dumps(rows(anna, person_parts[i]), 0);
        cr_assert_null(strstr(text, "plain:"), "no password");
        free(text);
    }
    cr_assert_eq(json_array_size(rows(anna, "seats")), 2);
    cr_assert_str_eq(text_in(rows(anna, "texts"), "text"), "hello");
    cr_assert_str_eq(text_in(rows(anna, "notes"), "text"), "mine");
    cr_assert_str_eq(text_in(rows(anna, "studies"), "text"), "tried");
    cr_assert_eq(json_array_size(rows(anna, "hours")), 1);
    cr_assert_eq(json_array_size(rows(anna, "notices")), 1);
    cr_assert_eq(json_array_size(rows(anna, "sent")), 0);
    cr_assert_eq(json_array_size(rows(bert, "seats")), 1);
    cr_assert_eq(json_array_size(rows(bert, "texts")), 0);
    cr_assert_eq(json_array_size(rows(bert, "notes")), 0);
    cr_assert_eq(json_array_size(rows(bert, "studies")), 0);
    cr_assert_eq(json_array_size(rows(bert, "hours")), 0);
    json_t *rest = test_client_ask(&d, anna, "account.export", "{s:s,s:i}",
                                   "part", "seats", "from", 1);
    cr_assert_eq(json_array_size(test_client_member(rest, "rows")), 1);
    REASON(test_client_ask(&d, test_client_come(&d, 0), "account.export",
                           NULL),
           "not_authenticated");
}

/* Anna's PART is these rows, and nothing besides. */
#define ROWS(part, expected, ...) \
    do { \
        json_t *want_ = json_pack(expected, __VA_ARGS__); \
        json_t *got_ = rows(anna, part); \
        char *text_ = json_dumps(got_, JSON_COMPACT); \
        cr_assert(json_equal(got_, want_), "%s: %s", part, text_); \
        free(text_); \
        json_decref(want_); \
    } while (0)

static id_num id_of(const char *name)
{
    const struct disk *disk = &d.world.disk;
    size_t i = 0;

    while (strcmp(disk->accounts[i].name, name) != 0)
        i++;
    return disk->accounts[i].id;
}

/* Their hours, absences, devices, second factor and ratings are told column by
 * column, and not those of others. */
Test(own, exported_columns)
{
    struct disk *disk = &d.world.disk;
    id_num a = id_of("anna"), b = id_of("bert");

    *NEXT(disk->absences,
          disk->absence_count) = (struct absence_row){a, 10, 20, true, false};
    *NEXT(disk->absences,
          disk->absence_count) = (struct absence_row){b, 30, 40, false, false};
    *NEXT(disk->away, disk->away_count) =
        (struct disk_away){a, {.auto_ = true, .changes = 1}};
    disk->devices[0].used = 55; /* where she registered */
    *NEXT(disk->totps, disk->totp_count) = (struct disk_totp){
        .row = {.account = a, .made = 66, .confirmed = 77},
    };
    for (int i = 0; i < 3; i++)
        *NEXT(disk->recovery, disk->recovery_count) = (struct disk_recovery){
            .account = i < 2 ? a : b};
    *NEXT(disk->ratings, disk->rating_count) = (struct rating_row){
        .account = a,
        .game = "tictactoe",
        .rating = {.mean = 1523400, .variance = INT64_C(90000) * 1000000},
        .games = 4,
        .met = 3,
        .at = 88,
    };
    ROWS("hours", "[{s:{s:i,s:i,s:[i,i,i,i,i],s:s},s:I}]", "hours", "opens",
         540, "closes", 1200, "days", 1, 2, 3, 4, 5, "zone", "Etc/UTC",
         "changed", (json_int_t)disk->hours[0].row.changed);
    ROWS("absences", "[{s:i,s:i,s:b}]", "from", 10, "until", 20, "auto", 1);
    ROWS("away", "[{s:b}]", "auto", 1);
    ROWS("devices", "[{s:i}]", "used", 55);
    ROWS("second_factor", "[{s:i,s:i,s:i}]", "made", 66, "confirmed", 77,
         "recovery_codes", 2);
    ROWS("studies", "[{s:s,s:s}]", "table", table, "text", "tried");
    ROWS("ratings", "[{s:s,s:s,s:i,s:i,s:b,s:i,s:i}]", "game", "tictactoe",
         "seats", "two", "rating", 1523, "deviation", 300, "provisional", 1,
         "games", 4, "played", 88);
    disk->ratings[0].many = true;
    cr_assert_str_eq(text_in(rows(anna, "ratings"), "seats"), "more");
}

/* What was sent to them is told, the last first, and goes on behind the last row of
 * a page. */
Test(own, exported_sent)
{
    enum { SENT = 450 };
    struct disk *disk = &d.world.disk;
    static char body[1000];
    json_int_t before = 0, number = SENT;

    memset(body, ' ', sizeof(body) - 1);
    memcpy(body, "{}", 2);
    for (int i = 0; i < SENT; i++)
        *NEXT(disk->sent, disk->sent_count) = (struct sent_row){
            .number = (uint64_t)i + 1,
            .account = id_of("anna"),
            .channel = 9,
            .way = CHANNEL_MAIL,
            .result = DELIVERY_GONE,
            .at = 100 + i,
            .body = body,
            .said = i + 1 == SENT ? "550 gone" : "",
        };
    for (bool more = true; more;) {
        json_t *page = test_client_ask(&d, anna, "account.export", "{s:s,s:I}",
                                       "part", "sent", "from", before);
        FINE(page);
        const json_t *list = test_client_member(page, "rows");
        cr_assert_geq(json_array_size(list), 1);
        for (size_t i = 0; i < json_array_size(list); i++, number--) {
            const json_t *row = json_array_get(list, i);
            cr_assert_eq(json_integer_value(json_object_get(row, "at")),
                         99 + number);
            const char *said = json_string_value(json_object_get(row, "said"));
            cr_assert(number == SENT ? strcmp(said, "550 gone") == 0
                                     : said == NULL);
        }
        const json_t *first = json_array_get(list, 0);
        cr_assert_str_eq(json_string_value(json_object_get(first, "result")),
                         "gone");
        cr_assert_str_eq(json_string_value(json_object_get(first, "way")),
                         "mail");
        more = test_client_member(page, "next") != NULL;
        before = test_client_number(page, "next");
        cr_assert(!more || before == number + 1);
    }
    cr_assert_eq(number, 0);
}

static json_t *drop(peer_id p, const char *what, const char *is)
{
    return test_client_ask(&d, p, "account.delete", "{s:s}", what, is);
}

static void is_there(const char *name)
{
    FINE(test_client_ask(&d, bert, "account.get", "{s:s}", "name", name));
}

/* Only who says the password again is deleted; a token is no password, and
 * guesses are counted as those of a log-in. */
Test(own, not_deleted)
{
    json_t *made = test_client_ask(&d, anna, "account.tokens.create",
                                   "{s:s,s:[s]}", "label", "bot", "scopes",
                                   "account");
    char token[64];

    FINE(made);
    strcpy(token, test_client_text(made, "token"));
    REASON(test_client_ask(&d, anna, "account.delete", NULL),
           "bad_credentials");
    REASON(drop(anna, "password", "not this one"), "bad_credentials");
    REASON(drop(anna, "token", token), "bad_credentials");
    is_there("anna");
    FINE(at(anna, "table.get", table));
    REASON(test_client_ask(&d, test_client_come(&d, 0), "account.delete",
                           NULL),
           "not_authenticated");
    peer_id far = test_client_come(&d, 7);
    FINE(test_client_ask(&d, far, "session.login", "{s:s,s:s}", "name", "bert",
                         "password", "password"));
    const char *last = "";
    for (int i = 0; i <= LIMIT_FAILED_BURST; i++)
        last = test_client_reason(drop(far, "password", "not this one"));
    cr_assert_str_eq(last, "rate_limited");
    is_there("bert");
}

/* Who was deleted hears so and is nobody; their other connections are cut, games
 * that go on are resigned, seats given back, their name is free, and what is
 * kept of them is what others have, without it. */
Test(own, deleted)
{
    peer_id second = test_client_come(&d, 0);
    size_t count;

    FINE(test_client_ask(&d, second, "session.login", "{s:s,s:s}", "name",
                         "anna", "password", "password"));
    FINE(at(bert, "table.watch", table));
    json_t *answer = drop(anna, "password", "password");
    FINE(answer);
    cr_assert_eq(test_client_number(answer, "ended"), 1);
    cr_assert_eq(test_client_number(answer, "resigned"), 1);
    cr_assert_eq(test_client_number(answer, "left"), 1);
    cr_assert(d.cut[second] && !d.cut[anna]);
    cr_assert_not_null(test_client_heard(&d, second, "server.notice", &count));
    REASON(test_client_ask(&d, anna, "me.tables", NULL), "not_authenticated");
    REASON(test_client_ask(&d, bert, "account.get", "{s:s}", "name", "anna"),
           "no_such_user");
    answer = at(bert, "table.get", table);
    cr_assert_str_eq(json_string_value(
                         json_object_get(test_client_member(answer, "table"),
                                         "state")),
                     "finished");
    answer = at(bert, "table.texts", table);
    const json_t *said = json_array_get(test_client_member(answer, "texts"),
                                        0);
    cr_assert_str_eq(json_string_value(json_object_get(said, "body")),
                     "hello");
    cr_assert(json_is_null(json_object_get(said, "from")));
    const struct disk *disk = &d.world.disk;
    cr_assert_eq(disk->hours_count, 0);
    cr_assert_eq(disk->token_count, 1, "Bert's");
    cr_assert_eq(disk->note_count, 0);
    peer_id again = test_client_user(&d, "anna");
    cr_assert_eq(json_array_size(rows(again, "seats")), 0);
}

/* Who has no password says a token of theirs, not somebody else's; or nothing, as a
 * page does that does not know it, but not as a program that may do less. */
Test(own, guests)
{
    char token[3][64];
    peer_id guest[3];

    for (int i = 0; i < 3; i++) {
        guest[i] = test_client_come(&d, 0);
        json_t *answer = test_client_ask(&d, guest[i], "account.guest", NULL);
        strcpy(token[i], test_client_text(answer, "token"));
    }
    REASON(drop(guest[0], "token", token[1]), "bad_credentials");
    REASON(drop(guest[0], "token", "none"), "bad_credentials");
    REASON(drop(guest[0], "password", token[0]), "bad_credentials");
    FINE(drop(guest[0], "token", token[0]));
    REASON(test_client_ask(&d, guest[0], "session.resume", "{s:s}", "token",
                           token[0]),
           "token_expired");
    FINE(test_client_ask(&d, guest[1], "me.tables", NULL));
    json_t *made = test_client_ask(&d, guest[1], "account.tokens.create",
                                   "{s:s,s:[s]}", "label", "bot", "scopes",
                                   "account");
    peer_id bot = test_client_come(&d, 0);
    FINE(test_client_ask(&d, bot, "session.resume", "{s:s}", "token",
                         test_client_text(made, "token")));
    REASON(test_client_ask(&d, bot, "account.delete", NULL),
           "bad_credentials");
    FINE(test_client_ask(&d, guest[1], "account.delete", NULL));
    REASON(test_client_ask(&d, guest[1], "me.tables", NULL),
           "not_authenticated");
    FINE(test_client_ask(&d, guest[2], "me.tables", NULL));
}

/* A new password is changed to while somebody deletes the account by the old
 * one: one of the two happened, whatever the order. */
Test(own, deleted_or_changed)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        test_client_close(&d);
        test_client_open(&d, seed);
        peer_id p = test_client_user(&d, "carl"), q = test_client_come(&d, 0);
        FINE(test_client_ask(&d, q, "session.login", "{s:s,s:s}", "name",
                             "carl", "password", "password"));
        int change = test_client_send(&d, p, "account.password",
                                      json_pack("{s:s,s:s}", "old", "password",
                                                "new", "passwore"));
        int gone = test_client_send(&d, q, "account.delete",
                                    json_pack("{s:s}", "password",
                                              "password"));
        test_client_settle(&d);
        const json_t *a = test_client_answer(&d, change);
        const json_t *b = test_client_answer(&d, gone);
        bool changed = a != NULL && test_client_reason(a)[0] == '\0';
        bool deleted = b != NULL && test_client_reason(b)[0] == '\0';
        cr_assert_neq(changed, deleted, "seed %d", (int)seed);
        peer_id r = test_client_come(&d, 0);
        const char *password = changed ? "passwore" : "password";
        const char *why = test_client_reason(
            test_client_ask(&d, r, "session.login", "{s:s,s:s}", "name",
                            "carl", "password", password));
        cr_assert_str_eq(why, deleted ? "bad_credentials" : "");
    }
}
