/* hub.h -- everything that is decided about people and tables.
 *
 * One hub per process, on one thread.  It is told of connections, requests,
 * answers of the store and the time, and acts through struct host alone: so
 * the same code runs in the daemon and, thousands of games at a time with
 * crashes between any two steps, in the simulator.
 *
 *     hub.c      who is connected; the hub's own life
 *     request.c  a request's way in: envelope, guards, dispatch, queues
 *     commands.c which function does which of the methods there are
 *     answer.c   the way out: results, refusals, notices
 *     pending.c  what the host was asked for, and going on when it is there
 *     rates.c    how much of what a connection and its address may do
 *     journal.c  what the operator reads of all that: the log, the counts
 *     account.c  accounts: register, guest, keep, password
 *     session.c  who is logged in where; log-ins and how they are slowed
 *     proxied.c  people of whom a proxy says who they are
 *     token.c    tokens of sessions and bots
 *     hours.c    when people are there
 *     absence.c  when they are not; presence.c, tables are told of both
 *     email.c    addresses: given, confirmed, written to or never again
 *     links.c    one-time links, and the passwords that are set by them
 *     totp.c     second factors by time; factors.c how people have one
 *     secrets.c  what keyed hashes are keyed with
 *     keys.c     requests that must not count twice
 *     table.c    a table in memory, and changing it
 *     load.c     a table comes into memory
 *     clocks.c   its clocks; deadlines.c, whose time is up
 *     log.c      its log, packed
 *     entry.c    what the entries of a log make of a table
 *     history.c  states of the past
 *     work.c     what is done in slices, and whose turn it is
 *     memory.c   which tables stay in memory
 *     line.c     a log entry as a line
 *     create.c   table.create
 *     lobby.c    join, invite, nonce, leave, start
 *     lists.c    tables in lists, table.get, me.tables, me.watch
 *     results.c  what became of people at a table that is over; ratings.c, how
 *                others see that
 *     play.c     move, undo, resign, legal, preview
 *     orders.c   what people have played for them as soon as they are asked
 *     replay.c   replay, view at a ply, record
 *     view.c     views and what changed between two
 *     watch.c    who watches what; updates, me.event
 *     talk.c     texts, marks, notes
 *     info.c     hello, rules, discover
 *     delivery.h what people who are away are told, and what became of it;
 *                notice_text.c, how it reads; notice_words.def, in which words
 *     bots.c     accounts that no person has; thinking.c, what is asked of them
 *     url.c      where URLs lead, and links to the server
 *     news.c     what other hubs on the same store have done
 *     look.c     ... and what is done about it
 *     notices.c  what the operator says to everybody; maintenance
 *     outages.c  when the server was not there for people
 *     admin.c    what only the administrator may ask: the server itself,
 *                the list of what was changed; admin_tables.c,
 *                admin_record.c, admin_users.c, admin_user.c,
 *                admin_sessions.c
 *     delete.c, export.c  somebody goes; all that is kept of them
 *     maintenance.c  what nobody asks for: tables given up, names changed
 *
 * Every request gets exactly one answer, refused ones change nothing, and what
 * concerns one table is answered as it happened. */

#ifndef SERVER_HUB_HUB_H
#define SERVER_HUB_HUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/rules.h"
#include "host.h"
#include "protocol/errors.h"

struct hub;

enum registration {
    REGISTRATION_OPEN,
    REGISTRATION_INVITE,
    REGISTRATION_CLOSED
};

/* An operator's own tables of numbers for new tables of a game, which are known
 * to be good. */
struct dataset {
    const char *game;
    struct rules_asset asset;
};

/* What the operator decides; see the sample configuration. */
struct hub_config {
    const char *version;
    const char *server_name;
    const char *url; /* where people find it, for links; or NULL */
    bool mail;       /* can be sent: then URL is there */
    /* Each may be NULL or "": none. */
    const char *motd;        /* what people read when they come */
    const char *maintenance; /* why the server is read only */
    const char *rules_url, *privacy_url, *contact; /* links */
    enum registration registration;
    const char *invitation; /* what opens REGISTRATION_INVITE */
    bool guests;
    bool
        limits_local; /* rate limits for direct peers, too, but the administrator */
    int64_t guest_ms;   /* an unseated guest's life after their last request */
    int64_t session_ms; /* a session token's life */
    int64_t open_table_ms; /* an open table's life after its last change */
    int absence_days;      /* that one may be away, of a year */
    int bots;              /* processes that think; 0: nobody plays bots */
    int silence_days;      /* nothing has happened in a game for so long, and
                            * silence agrees to a vote */
    const struct dataset *datasets; /* ends with a NULL game; or NULL */
    int64_t mail_rate;              /* mails a second; 0: LIMIT_MAIL_RATE */
    int64_t accounts_day;  /* from one address; 0: LIMIT_ACCOUNTS_DAY */
    bool shared;           /* other hubs have this store, too; for good */
    int64_t idle_table_ms; /* a table without watchers leaves memory */
    size_t tables_bytes;   /* what tables may take in memory; 0: no matter */
    /* Less than usual, for tests; 0: as usual. */
    uint64_t turn_effort;  /* of hub_work(): LIMIT_TURN_EFFORT */
    size_t snapshot_every; /* moves from one state kept to the next */
};

#define PROXIED_SIZE 65 /* of what a proxy calls somebody, and a NUL */
#define ADDRESS_SIZE 46 /* of an IPv6 address in words */

/* How a connection came. */
struct peer_info {
    uint64_t source; /* tells addresses apart; for IPv6 by /64 */
    bool direct;     /* loopback or Unix socket, nothing in between */
    bool admin;      /* on the administrator's socket */
    bool bots;       /* a process that thinks, and does nothing else */
    uint32_t uid;    /* of the process, on a Unix socket */
    bool notices;    /* can be told things later; false for POST /rpc */
    char user[PROXIED_SIZE];    /* what a proxy says that they are, which is
                              * trusted with that; or "" */
    char address[ADDRESS_SIZE]; /* for the log alone; "" on a Unix socket */
};

/* The hub, or NULL if memory ran out.  HOST and what CONFIG points to must
 * outlive it. */
struct hub *hub_new(struct host *host, const struct hub_config *config,
                    int64_t now_ms);
void hub_free(struct hub *hub);
/* Takes what may change while it runs. */
void hub_configure(struct hub *hub, const struct hub_config *config);

/* A connection is there; PEER is new. */
void hub_open(struct hub *hub, peer_id peer, const struct peer_info *info,
              int64_t now_ms);
/* A message of PEER: TEXT, LEN bytes of UTF-8, which need not be anything. */
void hub_message(struct hub *hub, peer_id peer, const char *text, size_t len,
                 int64_t now_ms);
/* The same for one that begins a session, whose token is to be kept from who
 * asks: the answer is the result alone, without it, and the message has it. */
void hub_session(struct hub *hub, peer_id peer, const char *text, size_t len,
                 int64_t now_ms);
/* PEER asks for a page of the record of the table called TABLE, from line FROM
 * on, as by table.record; the answer is no JSON but these lines, each with its
 * line feed, and tells where the next page begins. */
void hub_record(struct hub *hub, peer_id peer, const char *table, int64_t from,
                int64_t now_ms);
/* The connection is gone; nothing more is sent to it. */
void hub_close(struct hub *hub, peer_id peer, int64_t now_ms);

/* How many requests of PEER are not answered yet. */
size_t hub_owes(const struct hub *hub, peer_id peer);

/* What the host owes.  ANSWER stays the caller's, but what is in it may have
 * been taken out of it.  HASH is the new hash, or
 * NULL; FITS whether the password did. */
void hub_stored(struct hub *hub, transaction_id transaction,
                const struct transaction_outcome *o, int64_t now_ms);
/* On whose behalf the host was asked: 0 if on nobody's. */
peer_id hub_asker(const struct hub *hub, ask_id ask);
void hub_answered(struct hub *hub, ask_id ask, struct answer *answer,
                  int64_t now_ms);
void hub_hashed(struct hub *hub, ask_id ask, const char *hash, bool fits,
                int64_t now_ms);

/* What became of a delivery; O and what it says stays the caller's. */
void hub_delivered(struct hub *hub, ask_id ask,
                   const struct delivery_outcome *o, int64_t now_ms);

/* An operation is done: BUSY if one like it was under way, else ERROR why it
 * failed, or NULL; RESULT is JSON, or NULL. */
void hub_operated(struct hub *hub, ask_id ask, bool busy, const char *error,
                  const char *result, int64_t now_ms);

/* The store is a backup's copy: gives every table that goes on a ply that moves
 * its draws on, as people may know what the lost plies drew.  It is done when
 * hub_idle(); whether it was done to all hub_restored() says. */
void hub_restore(struct hub *hub, int64_t now_ms);
bool hub_restored(const struct hub *hub);

/* Does a bounded amount of what is too long for one turn of the loop; to be
 * called once in each.  Whether anything is left, so that the next turn should
 * not wait for anything else to happen. */
bool hub_work(struct hub *hub, int64_t now_ms);
bool hub_works(const struct hub *hub); /* anything is left */

/* Other hubs may have stored something. */
void hub_news(struct hub *hub, int64_t now_ms);

/* Runs what time brings about.  Returns when it next wants to be called. */
int64_t hub_tick(struct hub *hub, int64_t now_ms);
/* The host may say other things of zones from now on. */
void hub_zones(struct hub *hub);
/* From FROM_MS until now nobody could do anything here: the process stood still,
 * or the clock has leapt over that time. */
void hub_stood_still(struct hub *hub, int64_t from_ms, int64_t now_ms);

/* No new requests: they get shutting_down.  Transactions under way are waited
 * for; peers are told why and when. */
void hub_shutdown(struct hub *hub, int64_t now_ms);
/* Nothing is under way any more. */
bool hub_idle(const struct hub *hub);

#define LATENCY_CLASSES 5  /* as many as rate classes of methods */
#define LATENCY_BUCKETS 16 /* up to 1, 2, 4 ... 16384 ms, and above */

struct latency {
    uint64_t buckets[LATENCY_BUCKETS];
    uint64_t sum_ms;
};

/* How tries to log in ended. */
enum login_result { LOGIN_GOOD, LOGIN_FAILED, LOGIN_BANNED, LOGIN_RESULTS };

/* For /metrics: counted since the start, or as it is now. */
struct hub_counts {
    uint64_t requests, refused, moves, plies, updates, transactions,
        transactions_failed;
    uint64_t peers, tables, accounts; /* in memory now */
    uint64_t tables_bytes;            /* that the tables take */
    uint64_t refusals[ERRORS];        /* by reason */
    uint64_t logins[LOGIN_RESULTS];   /* with a password */
    uint64_t registered, guests;      /* accounts made */
    uint64_t bots_there;              /* processes that think */
    uint64_t bots_asked;              /* questions that wait for them */
    uint64_t bots_moves, bots_mild;   /* moves of bots; without any thought */
    /* Deliveries by their way, and what became of them. */
    uint64_t delivered[CHANNELS][DELIVERY_RESULTS];
    /* From a request to its answer, by the rate class of its method; moves by
     * themselves, to what is on the disk. */
    struct latency answers[LATENCY_CLASSES], moves_stored;
};
void hub_counts(const struct hub *hub, struct hub_counts *counts);

/* What waits to be told to people who are away. */
struct outbox_way_counts {
    uint64_t waiting, busy;      /* messages; of them being delivered */
    int64_t oldest, alarm_since; /* or 0 */
};
struct outbox_counts {
    uint64_t waiting; /* notices */
    int64_t oldest;
    struct outbox_way_counts ways[CHANNELS];
};
void hub_outbox(const struct hub *hub, struct outbox_counts *counts);

#endif
