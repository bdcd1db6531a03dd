/* voting.h -- what players ask each other to agree on while the game goes on;
 * core/votes.h says what votes are.
 *
 *     table.propose  -> an entry that opens a vote: those who have a say are
 *                       told of it, in the page, and by a notice
 *     table.vote     -> an entry for each who says yes or no; behind the last yes
 *                       what was agreed on, in the same transaction
 *     silence        -> deadlines.h looks at the table when the time of a vote is
 *                       over in which silence agrees */

#ifndef SERVER_HUB_VOTING_H
#define SERVER_HUB_VOTING_H

#include "change.h"
#include "table.h"

/* The seats of T that have a say, as bits: who has given up, or is gone, has
 * none. */
uint16_t voting_present(const struct table *t);
/* Those that the vote that was open with T's last entry waits for; 0: none. */
uint16_t voting_waits(const struct table *t);
/* When silence will have agreed at T, or 0. */
int64_t voting_quiet(const struct table *t);

/* What C's entries make of it: who is asked, and who is no more. */
void voting_concerns(struct change *c);
/* Decides, on behalf of Q, the vote at T in which silence has agreed by AT;
 * false: there is none. */
bool voting_silence(struct hub *hub, struct table *t, struct request *q,
                    int64_t at);

#endif
