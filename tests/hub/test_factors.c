/* test_factors.c -- second factors: begun and confirmed, asked for at each
 * log-in, good once, hard to guess, recovered from and taken away. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "server/hub/base32.h"
#include "server/hub/limits.h"
#include "server/hub/totp.h"
#include "tests/support/test_client.h"

static struct test_client d;
static peer_id ana, admin;
static uint8_t key[TOTP_KEY_BYTES];
static char recovery[RECOVERY_CODES][32];

static void begin(void)
{
    struct peer_info info = {.source = 1, .direct = true, .admin = true};

    test_client_open(&d, 77);
    ana = test_client_user(&d, "ana");
    admin = ++d.peers;
    hub_open(d.world.hub, admin, &info, d.world.now_ms);
}

static void end(void)
{
    test_client_close(&d);
}

TestSuite(factors, .init = begin, .fini = end, .timeout = 600);

static json_t *ask_begin(peer_id p, const char *password)
{
    json_t *answer = test_client_ask(&d, p, "account.totp.begin", "{s:s}",
                                     "password", password);
    char text[64] = "";
    const char *given = test_client_text(answer, "key");

    for (size_t i = 0; given[i] != '\0' && i < sizeof(text) - 1; i++)
        text[i] = (char)(given[i] | 0x20);
    if (text[0] == '\0')
        return answer;
    /* Digits have that bit already. */
    cr_assert_eq(base32_read(key, sizeof(key), text), TOTP_KEY_BYTES);
    return answer;
}

/* The code of so many half minutes from now. */
static const char *code_at(int64_t steps)
{
    static char code[8];
    uint64_t now = (uint64_t)d.world.now_ms / TOTP_STEP_MS;

    snprintf(code, sizeof(code), "%06u",
             totp_code(key, now + (uint64_t)steps));
    return code;
}

static void keep_recovery(const json_t *answer)
{
    const json_t *codes = test_client_member(answer, "recovery");

    cr_assert_eq(json_array_size(codes), RECOVERY_CODES);
    for (size_t i = 0; i < RECOVERY_CODES; i++)
        snprintf(recovery[i], sizeof(recovery[i]), "%s",
                 json_string_value(json_array_get(codes, i)));
}

static json_t *confirm(peer_id p, const char *code)
{
    return test_client_ask(&d, p, "account.totp.confirm", "{s:s}", "code",
                           code);
}

/* Ana's is on; its first code was used. */
static void turn_on(void)
{
    FINE(ask_begin(ana, "password"));
    json_t *answer = confirm(ana, code_at(0));
    FINE(answer);
    keep_recovery(answer);
    test_client_wait(&d, TOTP_STEP_MS);
}

static json_t *log_in_from(uint64_t source, const char *password,
                           const char *code)
{
    json_t *params = json_pack("{s:s,s:s}", "name", "ana", "password",
                               password);
    if (code != NULL)
        json_object_set_new(params, "code", json_string(code));
    return test_client_ask_json(&d, test_client_come(&d, source),
                                "session.login", params);
}

static json_t *log_in(const char *password, const char *code)
{
    return log_in_from(0, password, code);
}

static json_t *state(void)
{
    return test_client_member(test_client_ask(&d, ana, "account.get", NULL),
                              "totp");
}

static bool is_on(void)
{
    return json_is_true(json_object_get(state(), "on"));
}

/* It is on when a code of it was right, not before; from then on a log-in needs
 * one, besides the password, which is looked at first. */
Test(factors, on)
{
    REASON(confirm(ana, "123456"), "totp_off");
    REASON(ask_begin(ana, "not that"), "bad_credentials");
    json_t *answer = ask_begin(ana, "password");
    FINE(answer);
    cr_assert_not_null(strstr(test_client_text(answer, "uri"),
                              test_client_text(answer, "key")));
    cr_assert_eq(strncmp(test_client_text(answer, "uri"),
                         "otpauth://totp/sim:ana?secret=", 30),
                 0);
    FINE(log_in("password", NULL));
    cr_assert_not(is_on());
    REASON(confirm(ana, code_at(5)), "bad_code");
    answer = confirm(ana, code_at(0));
    FINE(answer);
    keep_recovery(answer);
    cr_assert(is_on());
    REASON(ask_begin(ana, "password"), "totp_on");
    REASON(confirm(ana, code_at(1)), "totp_on");
    test_client_wait(&d, TOTP_STEP_MS);
    REASON(log_in("password", NULL), "code_required");
    REASON(log_in("not that", NULL), "bad_credentials");
    REASON(log_in("not that", code_at(0)), "bad_credentials");
    REASON(log_in("password", "nonsense"), "bad_code");
    FINE(log_in("password", code_at(0)));
}

/* A session that is there goes on, and a token resumes it without a code. */
Test(factors, sessions_go_on)
{
    turn_on();
    json_t *answer = log_in("password", code_at(0));
    FINE(answer);
    FINE(test_client_ask(&d, test_client_come(&d, 0), "session.resume",
                         "{s:s}", "token", test_client_text(answer, "token")));
}

/* A code is good once, also for two who come together with it, and none from
 * before it is good any more. */
Test(factors, once)
{
    int asked[2], in = 0;
    char now[8], before[8];

    turn_on();
    test_client_wait(&d, TOTP_STEP_MS);
    snprintf(now, sizeof(now), "%s", code_at(0));
    snprintf(before, sizeof(before), "%s", code_at(-1));
    for (int i = 0; i < 2; i++)
        asked[i] =
            test_client_send(&d, test_client_come(&d, 0), "session.login",
                             json_pack("{s:s,s:s,s:s}", "name", "ana",
                                       "password", "password", "code", now));
    test_client_settle(&d);
    for (int i = 0; i < 2; i++) {
        const char *reason = test_client_reason(
            test_client_answer(&d, asked[i]));
        in += reason[0] == '\0';
        cr_assert(reason[0] == '\0' || strcmp(reason, "bad_code") == 0);
    }
    cr_assert_eq(in, 1);
    REASON(log_in("password", now), "bad_code");
    REASON(log_in("password", before), "bad_code");
    FINE(log_in("password", code_at(1)));
}

/* Codes are guessed no faster than the limit, from wherever, by who knows the
 * password; who is right meanwhile is slowed with them, and let in after. */
Test(factors, guesses)
{
    int tried = 0;

    turn_on();
    for (int i = 0; i < 3 * LIMIT_CODES_BURST; i++) {
        json_t *answer = log_in_from(100 + (uint64_t)i, "password", "000000");
        tried += strcmp(test_client_reason(answer), "bad_code") == 0;
    }
    cr_assert_eq(tried, LIMIT_CODES_BURST);
    REASON(log_in("password", code_at(0)), "rate_limited");
    test_client_wait(&d, LIMIT_CODES_MS);
    FINE(log_in("password", code_at(0)));
    REASON(log_in("not that", "000000"), "bad_credentials");
    /* What was right takes nothing. */
    for (int i = 0; i < 3 * LIMIT_CODES_BURST; i++) {
        test_client_wait(&d, TOTP_STEP_MS);
        FINE(log_in("password", code_at(0)));
    }
}

/* A right password counts for nothing, however often it is asked for. */
Test(factors, right_passwords_take_nothing)
{
    peer_id p = test_client_come(&d, 4711);

    FINE(test_client_ask(&d, p, "session.login", "{s:s,s:s}", "name", "ana",
                         "password", "password"));
    for (int i = 0; i < 3 * LIMIT_FAILED_BURST; i++) {
        FINE(ask_begin(p, "password"));
        test_client_wait(&d, LIMIT_FAILED_NAME_MS);
    }
}

/* Who has no device any more comes in by a code for recovery, each good once,
 * typed as they like; only hashes of them are stored. */
Test(factors, recovery)
{
    char shouted[32];

    turn_on();
    cr_assert_eq(strlen(recovery[0]), 19);
    for (size_t i = 0; recovery[1][i] != '\0'; i++)
        shouted[i] = (char)(recovery[1][i] >= 'a' ? recovery[1][i] & ~0x20
                                                  : recovery[1][i]);
    shouted[19] = '\0';
    FINE(log_in("password", recovery[0]));
    REASON(log_in("password", recovery[0]), "bad_code");
    FINE(log_in("password", shouted));
    cr_assert_eq(json_integer_value(json_object_get(state(), "recovery")),
                 RECOVERY_CODES - 2);
    for (size_t i = 0; i < d.world.disk.recovery_count; i++)
        cr_assert_neq(memcmp(d.world.disk.recovery[i].hash, recovery[2], 4),
                      0);
    /* New ones take their place. */
    char old[32];
    snprintf(old, sizeof(old), "%s", recovery[3]);
    json_t *answer = test_client_ask(&d, ana, "account.totp.recovery",
                                     "{s:s,s:s}", "password", "password",
                                     "code", recovery[2]);
    FINE(answer);
    keep_recovery(answer);
    REASON(log_in("password", old), "bad_code");
    FINE(log_in("password", recovery[3]));
}

/* It takes the password and a code to be rid of it. */
Test(factors, off)
{
    static const char *const methods[] = {"account.totp.recovery",
                                          "account.totp.remove"};

    turn_on();
    for (int i = 0; i < 2; i++) {
        REASON(test_client_ask(&d, ana, methods[i], "{s:s,s:s}", "password",
                               "not that", "code", code_at(0)),
               "bad_credentials");
        REASON(test_client_ask(&d, ana, methods[i], "{s:s,s:s}", "password",
                               "password", "code", "000000"),
               "bad_code");
    }
    cr_assert(is_on());
    FINE(test_client_ask(&d, ana, "account.totp.remove", "{s:s,s:s}",
                         "password", "password", "code", code_at(0)));
    cr_assert_not(is_on());
    REASON(test_client_ask(&d, ana, "account.totp.remove", "{s:s,s:s}",
                           "password", "password", "code", code_at(1)),
           "totp_off");
    FINE(log_in("password", NULL));
    cr_assert_eq(d.world.disk.recovery_count, 0);
    cr_assert_eq(d.world.disk.totp_count, 0);
}

/* The operator can take it away, who is told, at once and whenever they look; what
 * it was is good for nothing, and they may have another. */
Test(factors, taken_away)
{
    size_t heard;

    REASON(test_client_ask(&d, admin, "admin.users.totp.remove", "{s:s}",
                           "user", "ana"),
           "totp_off");
    turn_on();
    json_t *answer = test_client_ask(&d, admin, "admin.user", "{s:s}", "user",
                                     "ana");
    cr_assert(json_is_true(test_client_member(answer, "totp")));
    FINE(test_client_ask(&d, admin, "admin.users.totp.remove", "{s:s}", "user",
                         "ana"));
    cr_assert_not_null(test_client_heard(&d, ana, "server.notice", &heard));
    cr_assert_eq(heard, 1);
    cr_assert_not(is_on());
    cr_assert(json_is_integer(json_object_get(state(), "removed")));
    REASON(confirm(ana, code_at(0)), "totp_off");
    FINE(log_in("password", NULL));
    for (size_t i = 0; i < d.world.disk.totp_count; i++)
        for (size_t k = 0; k < TOTP_KEY_BYTES; k++)
            cr_assert_eq(d.world.disk.totps[i].row.key[k], 0);
    turn_on();
    cr_assert(is_on());
    cr_assert(json_is_null(json_object_get(state(), "removed")));
    REASON(log_in("password", NULL), "code_required");
}

/* A guest, who has no password, has no second factor. */
Test(factors, guests)
{
    peer_id guest = test_client_come(&d, 0);

    FINE(test_client_ask(&d, guest, "account.guest", NULL));
    REASON(ask_begin(guest, "password"), "is_a_guest");
    REASON(confirm(guest, "123456"), "totp_off");
}

/* A link that sets the password does not take the second factor away. */
Test(factors, reset)
{
    turn_on();
    json_t *answer = test_client_ask(&d, admin, "admin.links.create",
                                     "{s:s,s:s}", "purpose", "reset", "user",
                                     "ana");
    FINE(test_client_ask(&d, test_client_come(&d, 0), "account.reset",
                         "{s:s,s:s}", "code", test_client_text(answer, "code"),
                         "password", "drowssap"));
    REASON(log_in("drowssap", NULL), "code_required");
    FINE(log_in("drowssap", code_at(0)));
}
