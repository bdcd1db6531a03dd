/* long.c -- prints the record of a long game, for count_turns.py and
 * test_memory.py.
 *
 * usage: long GAME SEATS TURNS PLIES
 *
 * Greement's TURNS are up to 99; 0: the default.  After PLIES entries all but
 * one give up, if it is not over before. */

#include <stdio.h>
#include <stdlib.h>

#include "core/base.h"
#include "tests/support/long_game.h"

static peer_id peers[RULES_SEATS_MAX];

static void resign(struct test_client *d, int seats, const char *table)
{
    for (int i = 1; i < seats; i++)
        test_client_ask(d, peers[i], "table.resign", "{s:s}", "table", table);
}

int main(int argc, char **argv)
{
    static struct test_client d;
    char table[16], name[] = "player0";

    if (argc != 5)
        return 64;
    int seats = atoi(argv[2]);
    ASSERT(seats >= 1 && seats <= RULES_SEATS_MAX);
    test_client_open(&d, 2);
    for (int i = 0; i < seats; i++) {
        name[6] = (char)('0' + i);
        peers[i] = test_client_user(&d, name);
    }
    long_game_start(&d, argv[1], atoi(argv[3]), peers, seats, table);
    long_game_play(&d, table, strtoul(argv[4], NULL, 10));
    resign(&d, seats, table);
    char *record = test_client_record(&d, peers[0], table, NULL);
    fputs(record, stdout);
    free(record);
    test_client_close(&d);
    return 0;
}
