/* test_keys.c -- requests with one key that are under way at once: one is worked
 * on at a time, and none waits for ever. */

#include <criterion/criterion.h>
#include <string.h>

#include "server/hub/limits.h"
#include "tests/support/test_client.h"

THREE_CLIENTS(keys, 11);

static int create(peer_id p, const char *game)
{
    return test_client_send(&d, p, "table.create",
                            json_pack("{s:s,s:i,s:s}", "game", game, "seats",
                                      2, "key", "k"));
}

static int chat(peer_id p, const char *table)
{
    return test_client_send(&d, p, "table.chat",
                            json_pack("{s:s,s:s,s:s}", "table", table, "text",
                                      "hello", "key", "k"));
}

/* However many there are, all but the first are answered with what became of
 * that, and none finds its key taken when it is stored. */
Test(keys, first_counts)
{
    int ids[LIMIT_PEER_REQUESTS];

    for (int i = 0; i < LIMIT_PEER_REQUESTS; i++)
        ids[i] = create(anna, "tictactoe");
    uint64_t before = d.world.transactions_stored;
    test_client_settle(&d);
    for (int i = 0; i < LIMIT_PEER_REQUESTS; i++) {
        const json_t *answer = test_client_answer(&d, ids[i]);
        FINE(answer);
        cr_assert_eq(test_client_member(answer, "duplicate") != NULL, i > 0);
    }
    cr_assert_eq(d.world.disk.table_count, 1);
    cr_assert_gt(d.world.transactions_stored, before);
}

/* At two tables, too: neither waits for the other, and one text is there. */
Test(keys, two_tables)
{
    char tables[2][16];
    int ids[2];
    size_t texts = 0;

    for (int i = 0; i < 2; i++)
        FINE(test_client_create(&d, anna, NULL, tables[i]));
    for (int i = 0; i < 2; i++)
        ids[i] = chat(anna, tables[i]);
    test_client_settle(&d);
    for (int i = 0; i < 2; i++) {
        FINE(test_client_answer(&d, ids[i]));
        texts += d.world.disk.tables[i]->text_count;
    }
    cr_assert_eq(texts, 1);
}

/* Nobody waits for another's, or for another method's. */
Test(keys, of_others)
{
    char table[16];

    FINE(test_client_create(&d, bert, NULL, table));
    d.world.hashes_wait = true;
    int held = test_client_send(&d, anna, "table.create",
                                json_pack("{s:s,s:i,s:s,s:s}", "game",
                                          "tictactoe", "seats", 2, "password",
                                          "sesame", "key", "k"));
    int same = create(anna, "tictactoe");
    int another = create(bert, "tictactoe");
    int text = chat(bert, table);
    test_client_settle(&d);
    cr_assert_null(test_client_answer(&d, held));
    cr_assert_null(test_client_answer(&d, same));
    FINE(test_client_answer(&d, another));
    FINE(test_client_answer(&d, text));
    d.world.hashes_wait = false;
    test_client_settle(&d);
    FINE(test_client_answer(&d, same));
}

/* If the first is refused, or fails, the next is done in its place. */
Test(keys, first_refused)
{
    int bad = create(anna, "chess"), good = create(anna, "tictactoe");

    test_client_settle(&d);
    cr_assert_str_neq(test_client_reason(test_client_answer(&d, bad)), "");
    FINE(test_client_answer(&d, good));
    cr_assert_null(
        test_client_member(test_client_answer(&d, good), "duplicate"));
    d.world.now_ms += LIMIT_KEY_MS + 1000;
    FINE(test_client_ask(&d, anna, "me.tables", NULL));
    test_client_settle(&d);
    d.world.fail_at = d.world.handled + 1; /* the question for the key */
    bad = create(anna, "tictactoe");
    good = create(anna, "tictactoe");
    test_client_settle(&d);
    REASON(test_client_answer(&d, bad), "storage_unavailable");
    FINE(test_client_answer(&d, good));
    cr_assert_eq(d.world.disk.table_count, 2);
}

/* Whoever goes while theirs wait has them done once; and a server that ends
 * meanwhile lets go of all. */
Test(keys, gone)
{
    for (int i = 0; i < 3; i++)
        create(anna, "tictactoe");
    hub_close(d.world.hub, anna, d.world.now_ms);
    test_client_settle(&d);
    cr_assert(hub_idle(d.world.hub));
    cr_assert_eq(d.world.disk.table_count, 1);
    for (int i = 0; i < 3; i++)
        create(bert, "tictactoe");
    world_crash(&d.world);
    test_client_settle(&d);
    cr_assert(hub_idle(d.world.hub));
}
