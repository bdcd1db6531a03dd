/* test_kept_token.c -- a session's token that is kept from who begins it, as
 * pages' cookies are. */

#include <criterion/criterion.h>
#include <string.h>

#include "protocol/game_json.h"
#include "tests/support/test_client.h"

THREE_CLIENTS(kept_token, 77);

/* What P is answered to a log-in by METHOD with PARAMS, which become the
 * client's. */
static json_t *begin_session(peer_id p, const char *method, json_t *params)
{
    json_t *message = json_pack("{s:s,s:i,s:s,s:o}", "jsonrpc", "2.0", "id", 1,
                                "method", method, "params", params);
    char *text = json_dumps(message, JSON_COMPACT);

    json_decref(message);
    d.world.token[0] = '\0';
    hub_session(d.world.hub, p, text, strlen(text), d.world.now_ms);
    free(text);
    test_client_settle(&d);
    cr_assert_eq(d.messages[d.count - 1].peer, p);
    return d.messages[d.count - 1].text;
}

static bool is_user(const json_t *result, const char *name)
{
    const json_t *user = json_object_get(result, "user");
    return json_object_get(result, "token") == NULL &&
           json_object_get(result, "jsonrpc") == NULL &&
           json_text_is(json_object_get(user, "name"), name);
}

/* The answer is the result by itself, with what tells of the device but without
 * the token; that comes beside it, and is good. */
Test(kept_token, login)
{
    peer_id p = test_client_come(&d, 0);
    json_t *result = begin_session(p, "session.login",
                                   json_pack("{s:s,s:s}", "name", "anna",
                                             "password", "password"));

    cr_assert(is_user(result, "anna"));
    cr_assert_eq(json_string_length(json_object_get(result, "device")), 32);
    cr_assert_eq(strlen(d.world.token), 32);
    FINE(test_client_ask(&d, test_client_come(&d, 0), "session.resume",
                         "{s:s}", "token", d.world.token));
}

/* So it is with a guest's, and with one that is gone on with. */
Test(kept_token, guest_who_comes_back)
{
    json_t *result = begin_session(test_client_come(&d, 0), "account.guest",
                                   json_object());
    const json_t *name = json_object_get(json_object_get(result, "user"),
                                         "name");
    char token[64];

    memcpy(token, d.world.token, sizeof(token));
    cr_assert_eq(strlen(token), 32);
    cr_assert(is_user(result, json_string_value(name)));
    result = begin_session(test_client_come(&d, 0), "session.resume",
                           json_pack("{s:s}", "token", token));
    cr_assert(is_user(result, json_string_value(name)));
    cr_assert_str_eq(d.world.token, token);
}

/* A refusal is a message as always, and there is no token. */
Test(kept_token, refused)
{
    json_t *answer = begin_session(test_client_come(&d, 0), "session.login",
                                   json_pack("{s:s,s:s}", "name", "anna",
                                             "password", "another one"));

    REASON(answer, "bad_credentials");
    cr_assert_str_eq(d.world.token, "");
}
