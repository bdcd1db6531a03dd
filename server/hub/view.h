/* view.h -- what one viewer sees of a table. */

#ifndef SERVER_HUB_VIEW_H
#define SERVER_HUB_VIEW_H

#include "core/rules.h"
#include "protocol/game_json.h"
#include "table.h"

/* What a view tells of a seat's clock. */
struct view_clock {
    int64_t due, bank, absent; /* 0: it does not run, or nobody is away */
    uint8_t missed;
    bool gone, offered;
};

/* The vote that is open. */
struct view_vote {
    bool open;
    uint8_t about, seat, to;
    bool silent;
    uint16_t asked, agreed; /* seats, as bits */
    int32_t seconds;
    uint32_t ply;
    int64_t until, pause; /* when it lapses; of a pause: until when that is */
};

/* All of a view but the game's own state. */
struct view_header {
    uint32_t ply;
    uint8_t state, seats;
    bool started;
    struct {
        char name[25];
        bool acting, may, resigned, bot;
        struct view_clock clock; /* if TIMED */
    } seat[RULES_SEATS_MAX];
    bool timed;     /* the table has a pace */
    int64_t paused; /* until then, or 0 */
    struct view_vote vote;
    int64_t you, decision, undo; /* -1: none */
    struct rules_score score;
    const char *result; /* its reason, or NULL */
};

/* Whether RIVAL, who did not resign, ends before SEAT: by place if the rules
 * gave places, else by points. */
bool view_is_ahead(const struct rules_score *score, int rival, int seat);
/* VIEW is the viewer's, or NULL before the start. */
void view_header_make(const struct table *t, int viewer,
                      const struct rules_state *view, struct view_header *h);
/* A whole view, as a member.  STATE is the viewer's view, or NULL. */
void view_write(struct json_out *o, const char *key, const struct table *t,
                const struct view_header *header,
                const struct rules_state *state);
/* What changed, as operations of a patch in the innermost list. */
void view_diff(struct json_out *o, const struct table *t,
               const struct view_header *before, const struct rules_state *was,
               const struct view_header *after, const struct rules_state *is);
/* SHA-256 of the RFC 8785 form of a view that was written, in hex. */
void view_hash(const char *view, size_t len, char hex[2 * SHA256_SIZE + 1]);

/* The viewer's view of T's state, in ROOM, or NULL before the start. */
const struct rules_state *view_of(const struct table *t,
                                  const struct rules_state *s, int viewer,
                                  union rules_any *room);

#endif
