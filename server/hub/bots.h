/* bots.h -- seats that no person plays, and who thinks for them.
 *
 *     bots.c      the accounts that bots have: made here, nobody logs in as one
 *     thinking.c  what they are asked, and what becomes of it
 *
 * The hub does not think.  A process of its own does, sobremesa-bot, which the
 * host starts and which comes as a peer; it asks for a question, gets the view
 * that the seat has and nothing else, and answers with a move:
 *
 *     a table is stored, or loaded   bots_look(): does a bot have to move?
 *     bots.next                      waits; gets the next question when there is
 *                                    one: the owners of tables take turns
 *     bots.play                      the move, judged like anybody's
 *
 * A question that nobody answers for LIMIT_BOT_MS is answered by the default
 * move, so that no table depends on a process.  Who thinks for too long, floods
 * or plays what is not legal is cut off; the host starts another one.
 *
 * Bots play the seats of their own accounts, and those of people that are gone
 * at a table where that was agreed on (POLICY_BOT). */

#ifndef SERVER_HUB_BOTS_H
#define SERVER_HUB_BOTS_H

#include <sys/queue.h>

#include "change.h"
#include "core/mind.h"
#include "due.h"
#include "map.h"
#include "peer.h"
#include "request.h"
#include "table.h"

/* Each level has as many accounts as there may be of it at a table. */
#define BOTS_MAX (MIND_LEVELS * (RULES_SEATS_MAX - 1))
/* Of seats that bots play for people. */
#define BOTS_SUBSTITUTE MIND_GREEDY

struct bot {
    id_num account;
    char name[25];
    uint8_t level; /* enum mind_level */
};

/* A process that thinks. */
struct thinker {
    peer_id peer;
    id_num table;     /* that it thinks about, or 0 */
    int64_t since_ms; /* when it was last heard of; 0: it waits for us */
    int illegal;      /* moves */
    bool asks;        /* has asked for a question: it can think */
};
#define THINKERS_MAX 64

struct thought;
struct asker;

struct bots {
    /* read-only */
    struct bot bot[BOTS_MAX];
    size_t count;
    bool known; /* all that there are */
    bool made;  /* ... and as many as are wanted, or can be had */
    /* private: bots.c */
    bool asking;
    int64_t again_ms; /* when to ask again */
    int tries;        /* to make some, as names were taken */
    size_t looked;    /* of how many it is known where they are waited for */
    /* private: thinking.c */
    struct map tables; /* struct thought */
    struct map owners; /* struct asker: of tables that wait */
    TAILQ_HEAD(askers, asker) askers;
    struct due_queue due;
    size_t ready;
    struct queue idle; /* bots.next */
    struct thinker thinker[THINKERS_MAX];
    size_t thinkers;
    int64_t seen_ms;  /* when one that asked was there last */
    int64_t still_ms; /* since when nothing can be decided, or 0 */
};

/* ---- bots.c --------------------------------------------------------------- */

void bots_begin(struct hub *hub);
void bots_done(struct hub *hub);
/* Makes accounts that lack; looks after processes and questions. */
void bots_tick(struct hub *hub);

/* Whose account ACCOUNT is, or NULL: no bot's. */
const struct bot *bot_of(const struct hub *hub, id_num account);
/* The seats of T that are bots', as bits. */
uint16_t bots_at(const struct hub *hub, const struct table *t);
/* How many bots of LEVEL there are. */
int bots_of_level(const struct hub *hub, int level);
/* Whether there is a bot of LEVEL that does not sit at T. */
bool bots_free(const struct hub *hub, const struct table *t, int level);
/* At how many of the tables in ANSWER bots sit. */
size_t bots_tables(const struct hub *hub, const struct answer *answer);
/* Whether T goes on and all its people have given up or are gone: only bots are
 * left. */
bool bots_alone(const struct table *t);
/* Whether somebody may sit down to play against bots. */
bool bots_there(const struct hub *hub);
/* Whether NAME, in any case, is one that only bots have. */
bool bots_name(const char *name);
/* Refuses Q if ANSWER, to a question for an account, is a bot's. */
bool bots_refuse(struct hub *hub, struct request *q,
                 const struct answer *answer);
/* The member `bots`: the levels there are. */
void bots_write(struct json_out *o, const struct hub *hub);
/* Adds to C, whose table is open: a bot of LEVEL takes SEAT.  There is one that
 * does not sit there. */
void bots_seat(struct change *c, int seat, enum mind_level level);
/* Has T, whose row tells that somebody is waited for whose clock does not run,
 * looked at: a bot may play there for somebody. */
void bots_found(struct hub *hub, const struct table_row *t);

/* ---- play.c ---------------------------------------------------------------- */

/* SEAT plays the move of Q, for whom MADE says, if that is legal; else Q is
 * refused. */
bool play_for(struct hub *hub, struct table *t, struct request *q, int seat,
              enum made_by made);

/* ---- thinking.c ------------------------------------------------------------ */

/* T is stored as it is: what it asks of bots is asked, or no more. */
void bots_look(struct hub *hub, struct table *t);
/* Hands questions to those that wait for them; whether there is anything to be
 * handed over. */
void bots_work(struct hub *hub);
bool bots_works(const struct hub *hub);
void bots_came(struct hub *hub, peer_id peer);
void bots_left(struct hub *hub, peer_id peer);
void thinking_begin(struct hub *hub);
void thinking_done(struct hub *hub);
void thinking_tick(struct hub *hub);
/* Nobody could do anything for MS. */
void thinking_stood_still(struct hub *hub, int64_t ms);
/* Whether a process thinks, or did a short while ago: one that only comes and
 * goes does not. */
bool bots_think(const struct hub *hub);

#endif
