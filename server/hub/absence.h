/* absence.h -- when people are away, as they said, or as they had wished for the
 * case that they would miss a turn.
 *
 * There are so many days a year, which the operator gives; each 24 hours of an
 * absence that begin spend one, of the year in which they begin.  What is spent
 * follows from the absences that are kept, so whoever comes back early has the
 * others again. */

#ifndef SERVER_HUB_ABSENCE_H
#define SERVER_HUB_ABSENCE_H

#include "protocol/json_out.h"
#include "request.h"
#include "transaction.h"

/* Writes the members of an absence. */
void absence_write(struct json_out *o, const struct absence_row *row);
/* Has absences begin whose time has come. */
void absence_tick(struct hub *hub);
/* The absence of those in ANSWER, to ASK_AWAY, that goes on at NOW_MS, or
 * NULL. */
const struct absence_row *absence_now(const struct answer *answer,
                                      int64_t now_ms);
/* Has one of ACCOUNT's begin now instead of a miss, if they still can. */
void absence_begin(struct hub *hub, id_num account);
/* Until when one could last that begins now instead of a miss; NOW itself if they
 * have not wished for that, or nothing is left. */
int64_t absence_instead(const struct hub *hub, const struct answer *answer);

/* How many days those in ANSWER have left of this year. */
int absence_left(const struct hub *hub, const struct answer *answer);

#endif
