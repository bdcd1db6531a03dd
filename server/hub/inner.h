/* inner.h -- what the files of the hub share among themselves: the hub itself,
 * and a header for each subject; see hub.h. */

#ifndef SERVER_HUB_INNER_H
#define SERVER_HUB_INNER_H

#include <string.h>

#include "absence.h"
#include "account.h"
#include "admin.h"
#include "audience.h"
#include "bots.h"
#include "change.h"
#include "blocks.h"
#include "clocks.h"
#include "answer.h"
#include "maintenance.h"
#include "commands.h"
#include "core/audit.h"
#include "deadlines.h"
#include "core/base.h"
#include "email.h"
#include "entry.h"
#include "factors.h"
#include "history.h"
#include "hours.h"
#include "hub.h"
#include "journal.h"
#include "keys.h"
#include "limits.h"
#include "lists.h"
#include "invitations.h"
#include "lobby.h"
#include "map.h"
#include "news.h"
#include "notices.h"
#include "orders.h"
#include "outages.h"
#include "peer.h"
#include "presence.h"
#include "pending.h"
#include "play.h"
#include "protocol/game_json.h"
#include "proxied.h"
#include "reopen.h"
#include "replay.h"
#include "request.h"
#include "results.h"
#include "secrets.h"
#include "table.h"
#include "totp.h"
#include "view.h"
#include "voting.h"
#include "watch.h"
#include "work.h"
#include "zones.h"

#define REMARK_MAX 500 /* bytes of what the operator says */

/* What was said at run time, "" for nothing, or was not: then the configuration
 * says it. */
struct said {
    bool set;
    char text[REMARK_MAX + 1];
};

struct hub {
    struct host *host;
    struct hub_config config;
    int64_t now_ms;
    uint64_t last;         /* of the numbers of transactions and asks */
    transaction_id stored; /* the last transaction handed over */
    struct map peers, accounts, tables, sources, pending;
    struct map failed; /* buckets of names that log-ins failed for */
    struct map codes;  /* the same of accounts, for their second factors */
    struct map told;   /* and for mails of new devices */
    struct map keyed;  /* keys that are held, by a hash of what they are of */
    struct queue next; /* holders of keys that are to be dispatched */
    bool dispatching;  /* these */
    struct known_secret secrets[SECRETS];
    struct {
        uint64_t source;
        char name[25];
    } known[LIMIT_KNOWN]; /* who came in from where; later ones take places */
    struct json_out out;  /* the message being written */
    struct json_out line; /* a log line being written */
    struct change *spare; /* room for the next change, or NULL */
    int64_t seq;          /* of the last me.event */
    /* When to look again for tables open for too long, guests whose time is
     * over, names that tables do not know. */
    int64_t sweep_ms, guests_ms, renames_ms, invites_ms;
    int64_t zones_ms;    /* when to compare zones with what tables know */
    int64_t absences_ms; /* when the next absence begins, or to look again */
    id_num guests_after; /* the last guest looked at, ... */
    int64_t guests_at;   /* ... and when they were seen; 0: begin anew */
    uint64_t revoked;    /* tokens, and whole accounts of them */
    int64_t started_ms;
    int64_t ends_ms; /* the end that was announced; 0: none */
    const char *ends_text;
    struct region ends_region;
    struct said motd, maintenance;
    char told_motd[REMARK_MAX + 1], told_maintenance[REMARK_MAX + 1];
    int reminded;     /* how often people were told of it */
    size_t restoring; /* tables that lack their `restored`, and the search
                          * for them */
    bool closing;
    uint64_t effort; /* of slices in this turn of the loop */
    struct table_list lists[TABLE_LISTS];
    size_t tables_bytes;      /* that they take */
    struct fair_queue slices; /* slices to be done */
    struct fair_queue loads;  /* tables to be asked for */
    size_t loading; /* tables that were asked for and are not there yet */
    struct hub_counts counts;
    struct rules_choice *choices; /* RULES_MOVES_MAX of them */
    struct import *import;        /* a record on its way in, or NULL */
    struct rebuild *rebuild;      /* ratings being made anew, or NULL */
    struct outbox *outbox;        /* what people who are away are told */
    struct outages outages;       /* of this server */
    struct deadlines deadlines;
    struct bots bots;
    struct news news; /* of other hubs on this store */
};

#endif
