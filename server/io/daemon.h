/* daemon.h -- the process: one loop, one hub, one store, and who is connected.
 *
 *     daemon.c    its turns, its life and its end
 *     host.c      the hub's host: send queue, store, passwords
 *     listen.c    listeners of all kinds, SO_PEERCRED
 *     system.c    the system manager: readiness, watchdog, socket activation
 *     conn.c      a connection: conn_in.c, bytes in; conn_out.c, messages out
 *     fair.c      whose turn it is, and who has had enough for now
 *     serve.c     what HTTP requests get; serve_who.c, from whom they are;
 *                 serve_call.c, those that need the hub
 *     metrics.c   /metrics; metrics_text.c, its form
 *     log.c       lines for the operator
 *     network.c   addresses and networks
 *     sender.c    a thread that writes to sockets when there are many to write to
 *     courier.c   a thread that carries what people who are away are told
 *     turns.c     how long the turns of the loop are
 *     tzdata.c    the time zones of the system; zones.c, zone.c: their files
 *     operate.c   backups and what else the operator wants of the process
 *
 * A message waits in the send queue for its transaction.  When the store says
 * the transaction is on the disk, its messages go to their connections, then
 * the hub hears of it and answers; each connection that has something to say
 * writes it in one go at the end of the loop's turn. */

#ifndef SERVER_IO_DAEMON_H
#define SERVER_IO_DAEMON_H

#include <stdio.h>
#include <sys/types.h>
#include <uv.h>

#include "protocol/http.h"
#include "protocol/json_out.h"
#include "protocol/lines.h"
#include "protocol/ws.h"
#include "server/config.h"
#include "server/hub/hub.h"
#include "server/hub/map.h"
#include "courier.h"
#include "fair.h"
#include "hasher.h"
#include "sender.h"
#include "zones.h"
#include "store_postgresql.h"
#include "turns.h"

struct daemon;
struct conn;
struct operation;

/* ---- connections ------------------------------------------------------ */

enum conn_kind { CONN_LINES, CONN_HTTP, CONN_WS, CONN_ECHO };
enum conn_state { CONN_OPEN, CONN_DRAINING, CONN_CLOSED };

/* What an HTTP request waits for from the hub. */
enum call_kind {
    CALL_NONE,
    CALL_RPC,
    CALL_SESSION,
    CALL_LOGOUT,
    CALL_RECORD,
    CALL_UNSUBSCRIBE
};

TAILQ_HEAD(conns, conn);

struct conn {
    union {
        uv_handle_t handle;
        uv_stream_t stream;
        uv_tcp_t tcp;
        uv_pipe_t pipe;
    } uv;
    struct daemon *daemon;
    struct conn *next, *before;   /* all of them */
    TAILQ_ENTRY(conn) dirty_next; /* those with something to write */
    unsigned dirty_level;
    bool dirty, reading, writing;
    bool readable;  /* there is something to be read, or the end */
    bool lent;      /* the sender writes: the socket has to stay open */
    bool heard_all; /* they will say no more, but may listen */
    bool shut;      /* we will say no more, and wait for them to go */
    enum conn_kind kind;
    enum conn_state state;
    struct peer_info info; /* as the connection itself tells */
    struct flow *counted;  /* among the connections of info.source, or NULL */
    bool proxy;            /* HTTP from one of http.proxies, whoever's */
    peer_id peer;          /* in the hub, or 0 */
    /* All by the loop's clock. */
    int64_t since_ms; /* of what it has to hurry with */
    int64_t heard_ms;
    int64_t readable_ms; /* since when there is something to be worked on */
    int64_t taken_ms;    /* when it last took some of its output */
    size_t queued;       /* output then */
    size_t passed_over;  /* bytes that came after the end */
    uint64_t read_turn;  /* when something was passed over */
    bool pinged;
    int dropped; /* 1 + enum drop_reason: the hub wants it gone */

    struct lines lines;
    struct http http;
    struct ws ws;
    struct member member; /* where it stands in line */
    struct bytes_in in;   /* read, but not worked on yet ... */
    uint8_t *in_room;     /* in this */
    size_t in_cap;
    bool requested; /* a request is read, and waits for its step */

    enum call_kind call;
    unsigned to_come; /* answers of the hub before the one */
    bool keep_alive, head_only;
    char *wanted; /* the table of a record */
    bool secure;
    bool record_begun;
    int64_t record_next; /* where the record goes on, or 0 */

    struct out *outs;
    size_t out_count, out_cap, out_bytes;
    uv_write_t write;
    uv_shutdown_t shutdown;
    struct out *written; /* what is being written */
    size_t written_count, written_bytes;
    struct socket_write socket_write;
};

struct conn *conn_new(struct daemon *d, enum conn_kind kind);
/* Begins to read; the conn is now the loop's. */
void conn_start(struct conn *c);
/* Queues bytes, copied, or an outgoing message's frame. */
void conn_write(struct conn *c, const void *data, size_t len);
void conn_send(struct conn *c, struct message *message);
/* Lets out what is queued, then closes; at once if FLUSH is false.  May be
 * called twice. */
void conn_close(struct conn *c, bool flush);
/* The hub wants it gone. */
void conn_drop(struct conn *c, enum drop_reason reason);
/* Has C looked at when this turn of the loop ends. */
void conn_wait(struct conn *c);
/* Works on a step of C's input: it is the next in line. */
void conn_step(struct conn *c);
/* C's next step is done for SOURCE, in its line and at its cost ... */
void conn_stand(struct conn *c, uint64_t source, bool direct);
/* ... or for nobody who is known yet. */
void conn_stand_alone(struct conn *c);
/* Charges C for BYTES of work besides what it sent. */
void conn_charge(struct conn *c, size_t bytes);
/* Writes what is queued, or has it written. */
void conn_flush(struct conn *c);
/* The sender has written what is queued, or some of it, or could not. */
void conn_sent(struct socket_write *s);
/* Once a second. */
void conn_tick(struct conn *c, int64_t now_ms);
/* Opens a peer in the hub for C. */
void conn_join(struct conn *c, const struct peer_info *info);
/* C's peer hears no more; the hub is told when this turn ends. */
void conn_leave(struct conn *c);
/* Whether SOURCE has no more connections than one may.  Counts C under SOURCE
 * from now on. */
bool conn_count(struct conn *c, uint64_t source, bool direct);

/* ---- HTTP ------------------------------------------------------------- */

/* Puts C in line with those who the request comes from that it has read. */
void serve_whose(struct conn *c);
/* Answers, or begins to answer, the request that C has read. */
void serve_request(struct conn *c);
/* Refuses what could not be read. */
void serve_refusal(struct conn *c, int status);
/* The hub's answer to a call. */
void serve_heard(struct conn *c, struct message *message);

/* Asks for more of a record, if there is room for it. */
void serve_more(struct conn *c);

/* Writes all that Prometheus wants. */
void metrics_write(struct daemon *d, FILE *f);

/* ---- listeners --------------------------------------------------------- */

struct listener {
    union {
        uv_handle_t handle;
        uv_stream_t stream;
        uv_tcp_t tcp;
        uv_pipe_t pipe;
    } uv;
    struct daemon *daemon;
    enum conn_kind kind;
    bool open, unix_socket, admin;
    bool waits;      /* somebody is there, and comes in next turn */
    char where[512]; /* as it is told: address:port, or a path */
    char path[512];  /* to be removed, if there is still this file: */
    dev_t device;
    ino_t inode;
};

enum { LISTEN_HTTP, LISTEN_LINES, LISTEN_LINES_UNIX, LISTEN_ADMIN, LISTENERS };

/* Opens all that the configuration wants; 0, or -1 with WHY. */
int listen_all(struct daemon *d, char *why, size_t size);
/* Takes in who had to wait for the next turn. */
void listen_more(struct daemon *d);
void listen_stop(struct daemon *d);
/* A number for an address in words, the same as if it had come from there; and
 * what to call it in the log. */
uint64_t listen_source(const char *text, size_t len,
                       char address[static ADDRESS_SIZE]);

/* ---- the daemon -------------------------------------------------------- */

/* A process that thinks for bots; see thinkers.c. */
struct thinker_process {
    struct daemon *daemon;
    uv_process_t process;
    peer_id peer;       /* its connection, while there is one */
    bool runs, closing; /* CLOSING: its handle is the loop's */
    int64_t started_ms, again_ms, wait_ms; /* by the loop's clock */
};
#define THINKER_PROCESSES_MAX 16

/* Starts those that lack, ends those that are of no use; once a second. */
void thinkers_tick(struct daemon *d);
/* Ends all. */
void thinkers_end(struct daemon *d);

/* A message that waits for its transaction. */
struct queued_message {
    struct queued_message *next;
    transaction_id transaction;
    peer_id peer;
    struct message *message;
};

struct daemon {
    struct host host; /* first */
    struct config config;
    struct hub_config hub_config;
    struct dataset datasets[CONFIG_DATASETS_MAX + 1]; /* what it points to */
    uv_loop_t loop;
    struct hub *hub;
    struct store *store;
    struct hasher *hasher;
    struct courier *courier;
    struct sender *sender;
    struct ws_kit kit;
    struct listener listeners[LISTENERS];
    struct conn *conns;
    struct conns dirty[FAIR_LEVELS]; /* as they were when they came there */
    size_t dirty_count;
    bool many; /* of them: the sender writes */
    size_t conn_count;
    size_t proxied;   /* of them: those with PROXY */
    struct map peers; /* peer -> conn */
    struct fair fair;
    uint64_t last_peer;
    peer_id *leaving; /* what the hub has to be told */
    size_t leaving_count, leaving_cap;
    struct queued_message *send_queue, **send_queue_end;
    unsigned unsubmitted; /* not known to the store yet */
    size_t questions;     /* that the store has not answered yet */
    int64_t answered_ms;  /* when it last answered one, by the loop's clock */
    unsigned under_way;   /* not stored yet, these included */
    uv_async_t woken;
    uv_timer_t tick;
    uv_prepare_t turn;
    uv_idle_t more;   /* runs while somebody is in line */
    uv_timer_t rest;  /* until somebody has rested */
    unsigned accepts; /* this turn */
    struct turns turns;
    uint64_t turn_number;
    int64_t polled_ns;  /* since when the store's answers are dealt with */
    int64_t started_ms; /* when, by the wall's clock */
    int64_t ticked_ms, ticked_wall_ms; /* last, by the loop's clock and the
                                        * wall's */
    /* What there is in the store, and when to count again by the loop's clock;
     * INT64_MAX while it is being counted. */
    int64_t sizes[SIZE_COUNTS], sizes_ms;
    int64_t look_ms; /* when the store's files are looked at next */
    struct zones *zones;
    int64_t zones_ms; /* when to read them anew, by the loop's clock */
    uv_signal_t term, interrupt, hangup;
    struct thinker_process thinkers[THINKER_PROCESSES_MAX];
    struct operation *operations; /* done, the hub is to be told */
    int64_t ends_ms;              /* by the loop's clock */
    bool ending, end_wanted;
    bool watched;     /* the system manager wants to hear that we live */
    bool in_terminal; /* the log was shown in one at the start */
    uint64_t accepted, turned_away, cut, crowded_out;
};

/* Has D be the hub's host. */
void host_init(struct daemon *d);
/* The messages of transactions up to TRANSACTION leave, or, if they were not
 * STORED, never do.  Transactions are dealt with in their order, and so are
 * their messages. */
void host_release(struct daemon *d, transaction_id transaction, bool stored);

/* Reads the time zones; reads them anew, soon; looks whether it is time to. */
void tzdata_begin(struct daemon *d);
void tzdata_again(struct daemon *d);
void tzdata_tick(struct daemon *d);

/* Does what the operator wants; operate_poll() tells the hub. */
void operate(struct daemon *d, ask_id id, enum operation_kind kind,
             const char *text);
void operate_poll(struct daemon *d);

/* Has the log be as the configuration wants it now. */
void daemon_log(const struct daemon *d);
int64_t daemon_now(void);
/* Milliseconds that never go back, for how long something takes. */
int64_t daemon_clock(const struct daemon *d);
/* Whether nobody is here but those who are near and trusted.  Who is behind a
 * proxy may be anybody, between two requests, too. */
bool daemon_all_near(const struct daemon *d);
/* Runs until it is told to end; the status to exit with. */
int daemon_run(const struct config *config);

#endif
