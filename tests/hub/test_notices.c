/* test_notices.c -- what the operator says to everybody, and maintenance. */

#include <criterion/criterion.h>
#include <string.h>

#include "tests/support/test_client.h"

static struct test_client d;
static peer_id anna, bert, admin;

static void begin(void)
{
    test_client_open(&d, 41);
    anna = test_client_user(&d, "anna");
    bert = test_client_user(&d, "bert");
    admin = test_client_admin(&d);
}

static void end(void)
{
    test_client_close(&d);
}

TestSuite(notices, .init = begin, .fini = end, .timeout = 600);

static json_t *hello(void)
{
    return test_client_ask(&d, test_client_come(&d, 0), "server.hello", NULL);
}

/* What is said of KEY to who comes now, "" for nothing. */
static const char *said(const char *key)
{
    const char *text = json_string_value(test_client_member(hello(), key));
    return text != NULL ? text : "";
}

/* What P was told last: the kind, then the text. */
static const char *told(peer_id p)
{
    static char text[600];
    size_t count;
    const json_t *n = test_client_heard(&d, p, "server.notice", &count);
    const char *what = json_string_value(json_object_get(n, "text"));

    snprintf(text, sizeof(text), "%s%s%s",
             json_string_value(json_object_get(n, "kind")),
             what != NULL ? ": " : "", what != NULL ? what : "");
    return text;
}

/* Who is there is told of the message of the day, who comes later reads it, and
 * what was said at run time beats the configuration. */
Test(notices, motd)
{
    cr_assert_str_eq(said("motd"), "");
    FINE(test_client_ask(&d, admin, "admin.motd", "{s:s}", "text", "Cake!"));
    cr_assert_str_eq(told(anna), "motd: Cake!");
    cr_assert_str_eq(said("motd"), "Cake!");
    d.world.config.motd = "Tea.";
    hub_configure(d.world.hub, &d.world.config);
    cr_assert_str_eq(said("motd"), "Cake!");
    FINE(test_client_ask(&d, admin, "admin.motd.end", NULL));
    cr_assert_str_eq(told(bert), "motd_over");
    cr_assert_str_eq(said("motd"), "");
    REASON(test_client_ask(&d, anna, "admin.motd", "{s:s}", "text", "Me!"),
           "forbidden");
}

/* A configuration that is read again tells those who are there, once. */
Test(notices, configured)
{
    size_t before, after;

    d.world.config.motd = "Tea.";
    d.world.config.contact = "mailto:ops@games.example";
    hub_configure(d.world.hub, &d.world.config);
    cr_assert_str_eq(told(anna), "motd: Tea.");
    cr_assert_str_eq(said("motd"), "Tea.");
    test_client_heard(&d, anna, "server.notice", &before);
    hub_configure(d.world.hub, &d.world.config);
    test_client_heard(&d, anna, "server.notice", &after);
    cr_assert_eq(before, after);
    const json_t *links = test_client_member(hello(), "links");
    cr_assert_eq(json_object_size(links), 1);
    cr_assert_str_eq(json_string_value(json_object_get(links, "contact")),
                     "mailto:ops@games.example");
}

/* During maintenance one can come and look; whatever changes something is
 * refused with the operator's sentence; the operator works on. */
Test(notices, maintenance)
{
    json_t *made = test_client_ask(&d, anna, "table.create", "{s:s,s:i}",
                                   "game", "tictactoe", "seats", 2);
    FINE(made);
    const char *table = test_client_text(made, "table");
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));

    FINE(test_client_ask(&d, admin, "admin.maintenance", "{s:s}", "text",
                         "To five"));
    cr_assert_str_eq(told(anna), "maintenance: To five");
    cr_assert_str_eq(said("maintenance"), "To five");
    json_t *answer = test_client_ask(&d, anna, "table.move",
                                     "{s:s,s:i,s:{s:s,s:i}}", "table", table,
                                     "decision", 0, "move", "verb", "mark",
                                     "cell", 0);
    REASON(answer, "maintenance");
    cr_assert_str_eq(json_string_value(json_object_get(
                         json_object_get(json_object_get(answer, "error"),
                                         "data"),
                         "text")),
                     "To five");
    REASON(test_client_ask(&d, test_client_come(&d, 0), "account.guest", NULL),
           "maintenance");
    REASON(test_client_ask(&d, anna, "table.chat", "{s:s,s:s}", "table", table,
                           "text", "hm"),
           "maintenance");
    FINE(test_client_ask(&d, anna, "table.watch", "{s:s}", "table", table));
    FINE(test_client_ask(&d, anna, "table.legal", "{s:s}", "table", table));
    FINE(test_client_ask(&d, anna, "me.tables", NULL));
    FINE(test_client_ask(&d, test_client_come(&d, 0), "session.login",
                         "{s:s,s:s}", "name", "anna", "password", "password"));
    FINE(test_client_ask(&d, admin, "admin.abandon", "{s:s}", "table", table));

    FINE(test_client_ask(&d, admin, "admin.maintenance.end", NULL));
    cr_assert_str_eq(told(bert), "maintenance_over");
    cr_assert_str_eq(said("maintenance"), "");
    FINE(test_client_ask(&d, anna, "table.create", "{s:s,s:i}", "game",
                         "tictactoe", "seats", 2));
}

/* What may be done without parameters: looking may, changing may not. */
Test(notices, maintenance_methods)
{
    static const char *const refused[] = {"account.guest"};
    static const char *const fine[] = {"account.get", "account.tokens.list",
                                       "me.tables",   "me.watch",
                                       "table.list",  "session.logout"};

    FINE(test_client_ask(&d, admin, "admin.maintenance", NULL));
    cr_assert_gt(strlen(said("maintenance")), 0);
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
        REASON(test_client_ask(&d, test_client_come(&d, 0), refused[i], NULL),
               "maintenance");
    for (size_t i = 0; i < sizeof(fine) / sizeof(fine[0]); i++)
        FINE(test_client_ask(&d, anna, fine[i], NULL));
}

/* The end that was announced is told to who comes later, too, and to nobody
 * when it was called off. */
Test(notices, shutdown)
{
    FINE(test_client_ask(&d, admin, "admin.shutdown", "{s:i,s:s}", "seconds",
                         900, "text", "A new version"));
    cr_assert_str_eq(told(anna), "shutdown: A new version");
    json_t *answer = hello();
    const json_t *end = test_client_member(answer, "shutdown");
    cr_assert_eq(json_integer_value(json_object_get(end, "at")) -
                     test_client_number(answer, "now"),
                 900 * 1000);
    cr_assert_str_eq(json_string_value(json_object_get(end, "text")),
                     "A new version");
    FINE(test_client_ask(&d, admin, "admin.shutdown", "{s:b}", "cancel", 1));
    cr_assert_str_eq(told(anna), "shutdown_cancelled");
    cr_assert_null(test_client_member(hello(), "shutdown"));
}
