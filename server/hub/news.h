/* news.h -- several hubs on one store: what each of them hears of the others.
 *
 * What a hub has in memory of tables and people is a copy of what is stored,
 * which others may change.  So with each transaction that others may have a
 * copy of goes a line that says what to look at: that is in the store when the
 * transaction is, and all hubs read these lines in one order.
 *
 *     {"node":"...","tables":[{"table":"...","entries":7,"text":3,
 *      "removed":2,"beside":true,"late":1800000000000,"remind":0,
 *      "told":[["...","turn"]]}],
 *      "accounts":["..."],"blocks":[["who","whom"]]}
 *
 * A hub asks for what is new once a second, when the host says that there may be
 * something (hub_news()), and before it shows a table or refuses what is asked
 * of one: so nobody who goes from one to the other goes back in time.  What is
 * accepted needs no asking: the store refuses what rests on something old, and
 * then the request is tried again (pending.c).
 *
 * Lines only say where to look, so to hear one twice or late is harmless.  A hub
 * that cannot know what it missed looks at all that it has: at a table before
 * anything else is done there, at those that are watched a few in each turn of
 * the loop, at so many people at a time (look.c).
 *
 * None of it is done by a hub that has its store for itself
 * (hub_config.shared). */

#ifndef SERVER_HUB_NEWS_H
#define SERVER_HUB_NEWS_H

#include "change.h"
#include "request.h"
#include "table.h"

struct id_list {
    id_num *ids;
    size_t count, cap;
};

struct news {
    id_num node; /* what this hub is called; 0: nothing yet */
    bool begun;  /* SEEN is known */
    uint64_t seen;
    bool asking, again; /* and what is behind it is to be asked for, too */
    int64_t asked_ms;   /* when it was asked for last, ... */
    int64_t heard_ms;   /* ... and then so that the answer was all there is */
    uint32_t gaps;      /* how often nobody knew what was missed */
    uint64_t doubts;    /* accounts that were heard of so far */
    struct id_list tables, accounts; /* still to be looked at */
    size_t looking;                  /* accounts that are being looked at */
};

/* ---- news.c ---------------------------------------------------------------- */

/* C has all that is about its table: what others are to hear of that. */
void news_table(struct change *c);
/* C has all: its transaction gets its line, if it needs one. */
void news_end(struct change *c);
/* Whether Q, whose turn at T it is, has to wait until it is known what others
 * did there; it comes again then. */
bool news_first(struct hub *hub, struct table *t, struct request *q);
void news_tick(struct hub *hub);
/* A number below RANGE that is another one for each of several hubs, but for a
 * chance of one in RANGE; 0 for who is alone. */
uint64_t news_place(struct hub *hub, uint64_t range);
/* How much later than the hub that has changed a table this one looks there whose
 * time is up. */
int64_t news_patience(struct hub *hub);
/* How much older than now what is known for sure is: another hub may yet store
 * what its clock said was then. */
int64_t news_margin(const struct hub *hub);

/* ---- look.c: what is done about what was heard ----------------------------- */

/* What was heard of a table. */
struct heard {
    uint64_t entries; /* that its log has */
    uint64_t text;    /* that was said there, or 0 ... */
    uint64_t removed; /* ... or taken away */
    bool beside;      /* something that is not in its log */
    bool all;         /* or whatever it may be */
};

void id_put(struct id_list *list, id_num id);
/* Table ID, if it is in memory, is looked at before whatever waits there, but
 * after what was heard of it before; whether it is.  It does not go on by
 * itself. */
bool look_at_table(struct hub *hub, id_num id, const struct heard *heard);
/* Q waits for T, before all others but what was heard of T and is not looked at
 * yet. */
void look_before(struct table *t, struct request *q);
/* Whether T has to be looked at before Q, as something was missed. */
bool look_is_due(const struct hub *hub, const struct table *t,
                 const struct request *q);
/* T was loaded: those who watch it are told what was said meanwhile. */
void look_loaded(struct hub *hub, struct table *t);
/* Account ID may be banned, renamed or without some of its tokens. */
void look_at_account(struct hub *hub, id_num id);
/* What was missed is not known: all that is in memory is looked at. */
void look_at_all(struct hub *hub);
/* Begins with what waits to be looked at, once a second, and as much as there is
 * room for in a turn of the loop. */
void look_on(struct hub *hub);
void look_work(struct hub *hub);
bool look_works(const struct hub *hub);
void look_free(struct hub *hub);

/* ---- play.c, talk.c -------------------------------------------------------- */

/* Whether Q, a move, can be made at T as it is in memory. */
bool play_fits(const struct table *t, const struct request *q);
/* Tells those who watch T and may read it of ROW, which is stored, but who blocks
 * who asks Q (NULL: nobody). */
void talk_show(struct hub *hub, const struct table *t,
               const struct text_row *row, const struct request *q);

#endif
