/* results.h -- what became of people at tables that are over, what that makes of
 * their ratings, and how others see it. */

#ifndef SERVER_HUB_RESULTS_H
#define SERVER_HUB_RESULTS_H

#include "change.h"
#include "core/rating.h"
#include "request.h"

/* What became of who played at T, which is over: a row for each who has a seat,
 * then for each who had one, at most RESULTS_MAX; how many. */
size_t results_judge(const struct table *t, struct result_row *rows);

/* C's table is over with what C has for it: that goes along with it, and what it
 * makes of ratings. */
void results_derive(struct change *c);

/* Goes on with THEN, unless Q's table is RATED and who asks Q is a guest: then Q
 * is refused.  What THEN is given says nothing. */
void results_admit(struct hub *hub, struct request *q, bool rated,
                   answered_cb then);

/* Whether ACCOUNT began the game at T in another seat than SEAT, and has not got
 * that any more: in a second seat they would come in twice. */
bool results_began_elsewhere(const struct table *t, id_num account, int seat);

/* Of how many it is, as a word: "two" or "more". */
const char *rating_seats(const struct rating_row *row);
/* A rating, as members. */
void rating_write(struct json_out *o, const struct rating_row *row);
/* What somebody was rated at after a game, as members. */
void rating_write_after(struct json_out *o, const struct rating *rating);

#endif
