/* long_game.h -- games that go on and on, made in a moment.
 *
 * Greement with two players and 99 turns is some 10 000 plies, with eight eighty
 * thousand; nothing else has games of that length.  The moves are played at random and past all requests, as the
 * hub itself would play them, so that everything about the table is true: its
 * draws, its chain, its record. */

#ifndef TESTS_SUPPORT_LONG_GAME_H
#define TESTS_SUPPORT_LONG_GAME_H

#include "tests/support/test_client.h"

/* Makes a table of GAME for the users behind the SEATS peers of D, and writes its
 * id.  TURNS is Greement's option; 0: the default. */
void long_game_start(struct test_client *d, const char *game, int turns,
                     const peer_id *peers, int seats, char table[16]);
/* Plays on until TABLE's log has PLIES entries or the game is over; how many
 * it has. */
size_t long_game_play(struct test_client *d, const char *table, size_t plies);

#endif
