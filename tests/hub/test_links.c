/* test_links.c -- one-time links: made by the administrator, used once by who
 * has the text, for a password or an account; what is told of one that is over,
 * and how often one may guess. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "server/hub/limits.h"
#include "tests/support/test_client.h"

static struct test_client d;
static peer_id anna, admin;
static char code[64], id[16];

static void begin(void)
{
    test_client_open(&d, 52);
    anna = test_client_user(&d, "anna");
    admin = test_client_admin(&d);
}

static void end(void)
{
    test_client_close(&d);
}

TestSuite(links, .init = begin, .fini = end, .timeout = 600);

/* The administrator makes one; its text is in CODE, its id in ID. */
static json_t *make(json_t *params)
{
    json_t *answer = test_client_ask_json(&d, admin, "admin.links.create",
                                          params);
    json_t *link = test_client_member(answer, "link");

    snprintf(code, sizeof(code), "%s", test_client_text(answer, "code"));
    snprintf(id, sizeof(id), "%s",
             link ? json_string_value(json_object_get(link, "id")) : "");
    return answer;
}

static void registration(enum registration kind)
{
    d.world.config.registration = kind;
    hub_configure(d.world.hub, &d.world.config);
}

static json_t *make_reset(void)
{
    return make(json_pack("{s:s,s:s}", "purpose", "reset", "user", "anna"));
}

static json_t *make_invitation(int uses)
{
    return make(json_pack("{s:s,s:i}", "purpose", "register", "uses", uses));
}

static json_t *reset(peer_id p, const char *text, const char *password)
{
    return test_client_ask(&d, p, "account.reset", "{s:s,s:s}", "code", text,
                           "password", password);
}

static json_t *come_as(const char *name, const char *invite)
{
    return test_client_ask(&d, test_client_come(&d, 0), "account.register",
                           "{s:s,s:s,s:s}", "name", name, "password",
                           "password", "invite", invite);
}

static json_t *log_in(const char *password)
{
    return test_client_ask(&d, test_client_come(&d, 0), "session.login",
                           "{s:s,s:s}", "name", "anna", "password", password);
}

/* Only a hash of the text is stored, and by the text the password is another:
 * sessions, those that are there among them, end. */
Test(links, reset)
{
    FINE(make_reset());
    cr_assert_eq(strlen(code), 32);
    uint8_t hash[SHA256_SIZE];
    sha256(code, strlen(code), hash);
    cr_assert_eq(d.world.disk.link_count, 1);
    cr_assert_arr_eq(d.world.disk.links[0].hash, hash, sizeof(hash));
    json_t *answer = reset(test_client_come(&d, 0), code, "drowssap");
    FINE(answer);
    cr_assert_str_eq(json_string_value(
                         json_object_get(test_client_member(answer, "user"),
                                         "name")),
                     "anna");
    cr_assert(d.cut[anna]);
    cr_assert_eq(d.world.disk.token_count, 0);
    REASON(log_in("password"), "bad_credentials");
    FINE(log_in("drowssap"));
    REASON(reset(test_client_come(&d, 0), code, "password"), "link_used");
    FINE(log_in("drowssap"));
}

/* Who uses it on a connection that is logged in as that user has the answer
 * before the connection ends. */
Test(links, reset_of_oneself)
{
    FINE(make_reset());
    FINE(reset(anna, code, "drowssap"));
    cr_assert(d.cut[anna]);
}

/* Of two who come together one is first, and the other changes nothing. */
Test(links, reset_by_two)
{
    int asked[2];

    FINE(make_reset());
    d.world.hashes_wait = true;
    for (int i = 0; i < 2; i++)
        asked[i] =
            test_client_send(&d, test_client_come(&d, 0), "account.reset",
                             json_pack("{s:s,s:s}", "code", code, "password",
                                       i == 0 ? "first one" : "second one"));
    test_client_settle(&d);
    d.world.hashes_wait = false;
    test_client_settle(&d);
    bool first = test_client_reason(test_client_answer(&d, asked[0]))[0] ==
                 '\0';
    REASON(test_client_answer(&d, asked[first ? 1 : 0]), "link_used");
    FINE(log_in(first ? "first one" : "second one"));
}

/* Time is over, a newer one was made, it was taken back, it is for something
 * else: none of that sets a password. */
Test(links, reset_too_late)
{
    char old[64];

    FINE(make_reset());
    snprintf(old, sizeof(old), "%s", code);
    FINE(make_reset());
    REASON(reset(test_client_come(&d, 0), old, "drowssap"), "no_such_link");
    FINE(test_client_ask(&d, admin, "admin.links.revoke", "{s:s,s:s}",
                         "purpose", "reset", "link", id));
    REASON(reset(test_client_come(&d, 0), code, "drowssap"), "no_such_link");
    FINE(make_invitation(1));
    REASON(reset(test_client_come(&d, 0), code, "drowssap"), "no_such_link");
    FINE(make_reset());
    test_client_wait(&d, LIMIT_RESET_MS);
    REASON(reset(test_client_come(&d, 0), code, "drowssap"), "link_expired");
    FINE(log_in("password"));
}

/* An invitation lets in so many, by a connection or as a guest who stays, and
 * what fails for another reason uses none up. */
Test(links, invitations)
{
    peer_id guest = test_client_come(&d, 0);

    registration(REGISTRATION_INVITE);
    FINE(test_client_ask(&d, guest, "account.guest", NULL));
    FINE(make_invitation(2));
    REASON(come_as("anna", code), "name_taken");
    FINE(come_as("bert", code));
    FINE(test_client_ask(&d, guest, "account.keep", "{s:s,s:s,s:s}", "name",
                         "carl", "password", "password", "invite", code));
    REASON(come_as("dora", code), "link_used");
    FINE(make_reset());
    REASON(come_as("dora", code), "not_invited");
    FINE(make_invitation(1));
    test_client_wait(&d, LIMIT_INVITATION_MS);
    REASON(come_as("dora", code), "link_expired");
    registration(REGISTRATION_CLOSED);
    FINE(make_invitation(1));
    REASON(come_as("dora", code), "registration_closed");
    registration(REGISTRATION_INVITE);
    FINE(come_as("dora", code));
}

/* The last use lets one of four in; the others hear what it was, and have no account. */
Test(links, invitation_for_four)
{
    static const char *const names[] = {"bert", "carl", "dora", "emil"};
    int asked[COUNT_OF(names)], in = 0;

    registration(REGISTRATION_INVITE);
    FINE(make_invitation(1));
    d.world.hashes_wait = true;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        asked[i] = test_client_send(&d, test_client_come(&d, 0),
                                    "account.register",
                                    json_pack("{s:s,s:s,s:s}", "name",
                                              names[i], "password", "password",
                                              "invite", code));
    test_client_settle(&d);
    d.world.hashes_wait = false;
    test_client_settle(&d);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const json_t *answer = test_client_answer(&d, asked[i]);
        if (test_client_reason(answer)[0] == '\0')
            in++;
        else
            REASON(answer, "link_used");
    }
    cr_assert_eq(in, 1);
    cr_assert_eq(d.world.disk.account_count, 2);
}

/* Guessing is as slow as guessing passwords; one that fits gives back. */
Test(links, guesses)
{
    FINE(make_reset());
    peer_id same = test_client_come(&d, 4711);
    for (int i = 0; i < LIMIT_FAILED_BURST; i++)
        (void)reset(same, "guessed", "drowssap");
    REASON(reset(same, code, "drowssap"), "rate_limited");
    FINE(reset(test_client_come(&d, 4712), code, "drowssap"));
}

/* What makes no sense is refused with its place, and nothing is made. */
Test(links, refusals)
{
    static const struct {
        const char *params, *path;
    } wrong[] = {
        {"{\"purpose\":\"reset\"}", "/user"},
        {"{\"purpose\":\"register\",\"user\":\"anna\"}", "/user"},
        {"{\"purpose\":\"reset\",\"user\":\"anna\",\"uses\":2}", "/uses"},
        {"{\"purpose\":\"register\",\"uses\":0}", "/uses"},
        {"{\"purpose\":\"register\",\"until\":1}", "/until"},
        {"{\"purpose\":\"tea\"}", "/purpose"},
    };

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        json_t *answer = make(json_loads(wrong[i].params, 0, NULL));
        REASON(answer, "invalid_params");
        const json_t *data = json_object_get(json_object_get(answer, "error"),
                                             "data");
        cr_assert_str_eq(json_string_value(json_object_get(data, "path")),
                         wrong[i].path);
    }
    REASON(make(json_pack("{s:s,s:s}", "purpose", "reset", "user", "nobody")),
           "no_such_user");
    json_t *guest = test_client_ask(&d, test_client_come(&d, 0),
                                    "account.guest", NULL);
    REASON(make(json_pack("{s:s,s:O}", "purpose", "reset", "user",
                          json_object_get(test_client_member(guest, "user"),
                                          "name"))),
           "is_a_guest");
    REASON(test_client_ask(&d, admin, "admin.links.revoke", "{s:s,s:s}",
                           "purpose", "register", "link", "x"),
           "no_such_link");
    REASON(test_client_ask(&d, admin, "admin.links.revoke", "{s:s,s:s}",
                           "purpose", "register", "link", "aaaaaaaaaaaac"),
           "no_such_link");
    REASON(test_client_ask(&d, anna, "admin.links", "{s:s}", "purpose",
                           "reset"),
           "forbidden");
    cr_assert_eq(d.world.disk.link_count, 0);
}

/* The list tells what is left, never a text. */
Test(links, listed)
{
    FINE(make_invitation(3));
    json_t *answer = test_client_ask(&d, admin, "admin.links", "{s:s}",
                                     "purpose", "register");
    json_t *first = json_array_get(test_client_member(answer, "links"), 0);
    cr_assert_eq(json_array_size(test_client_member(answer, "links")), 1);
    cr_assert_str_eq(json_string_value(json_object_get(first, "id")), id);
    cr_assert_eq(json_integer_value(json_object_get(first, "uses")), 3);
    char *text = json_dumps(answer, 0);
    cr_assert_null(strstr(text, code));
    free(text);
}
