/* lobby.c -- tables before their game: joined, left, started. */

#include <stdio.h>
#include <stdlib.h>

#include "inner.h"

/* ---- seats -------------------------------------------------------------- */

void lobby_seat_for(struct change *c, int seat, id_num account,
                    const char *name)
{
    change_call(c, account, name);
    change_add(c, &(struct entry){
                      .kind = ENTRY_JOIN,
                      .seat = (uint16_t)seat,
                      .u.account = account,
                  });
}

void lobby_seat(struct change *c, int seat)
{
    const struct request *q = c->request;
    const struct account *a = map_get(&c->hub->accounts, q->account);

    lobby_seat_for(c, seat, q->account, a != NULL ? a->name : q->name);
}

int lobby_free_seat(const struct table *t)
{
    for (int seat = 0; seat < t->seats; seat++)
        if (t->seat[seat] == 0)
            return seat;
    return -1;
}

/* The seat that is kept for ACCOUNT at T, or -1. */
static int kept_for(const struct table *t, id_num account)
{
    for (size_t i = 0; i < t->invited_count; i++)
        if (t->invited[i].account == account)
            return t->invited[i].seat - 1;
    return -1;
}

/* The seats that are kept for somebody. */
static unsigned kept_seats(const struct table *t)
{
    unsigned kept = 0;

    for (size_t i = 0; i < t->invited_count; i++)
        if (t->invited[i].seat > 0)
            kept |= RULES_BIT(t->invited[i].seat - 1);
    return kept;
}

int lobby_seat_of(const struct table *t, id_num account)
{
    int own = kept_for(t, account);
    unsigned kept = kept_seats(t);

    if (own >= 0 && own < t->seats && t->seat[own] == 0)
        return own;
    for (int seat = 0; seat < t->seats; seat++)
        if (t->seat[seat] == 0 && (kept & RULES_BIT(seat)) == 0)
            return seat;
    return lobby_free_seat(t);
}

/* The start with the seats KEPT. */
static void start(struct change *c, uint32_t kept)
{
    change_add(c, &(struct entry){
                      .kind = ENTRY_START,
                      .seat = ENTRY_NOBODY,
                      .kept = kept,
                  });
}

void lobby_start_if_full(struct change *c)
{
    const struct table *t = c->table;

    if (t->row.start_full && lobby_free_seat(t) < 0)
        start(c, (1u << t->seats) - 1);
}

void lobby_nonce(struct change *c, int seat, const char *nonce)
{
    change_add(c, &(struct entry){
                      .kind = ENTRY_NONCE,
                      .seat = (uint16_t)seat,
                      .u.nonce = nonce,
                  });
}

/* Asks for the tables that count against the account's limit. */
void lobby_count(struct hub *hub, struct request *q, answered_cb then)
{
    seats_ask(hub, q, q->account, LIMIT_TABLES, then);
}

/* The answer, with the last ply so far. */
static void keep_ply(struct change *c, int64_t seat)
{
    struct json_out o;

    json_out_init(&o);
    out_object(&o, NULL);
    if (seat >= 0)
        out_int(&o, "seat", seat);
    out_int(&o, "ply", (int64_t)c->table->log.count - 1);
    out_end(&o);
    key_keep(c, &o);
    json_out_done(&o);
}

/* ---- who may join ------------------------------------------------------- */

/* Whether they need no password: made it, are invited or sit there. */
bool lobby_welcome(const struct table *t, id_num account)
{
    return access_belongs(table_access(t, account));
}

/* What became of the password or the link of a table.join. */
struct join_attempt {
    enum error unfit; /* how it is refused if it does not fit */
    bool fits;
    id_num link; /* by which they come in, or 0 */
};

static bool attempt_fits(const struct request *q)
{
    const struct join_attempt *k = q->kept;
    return k != NULL && k->fits;
}

/* Whether Q, a table.join, gets in as things stand. */
static bool may_enter(const struct table *t, const struct request *q)
{
    return lobby_welcome(t, q->account) || attempt_fits(q) ||
           (t->row.join_password == NULL && !t->row.private_);
}

/* Why nobody may sit down in SEAT (-1: none is free), or ERR_NONE. */
static enum error not_free(const struct table *t, int seat)
{
    if (t->state != TABLE_OPEN)
        return ERR_ALREADY_STARTED;
    if (seat < 0)
        return ERR_TABLE_FULL;
    if (seat >= t->seats)
        return ERR_NO_SUCH_SEAT;
    if (t->seat[seat] != 0)
        return ERR_SEAT_TAKEN;
    return t->log.count >= LIMIT_LOBBY_PLIES ? ERR_TOO_MANY_PLIES : ERR_NONE;
}

/* Why Q may not take SEAT (-1: none is free), or ERR_NONE. */
static enum error may_join(const struct table *t, const struct request *q,
                           int seat)
{
    if (!may_enter(t, q))
        return t->row.private_ ? ERR_NO_SUCH_TABLE : ERR_WRONG_PASSWORD;
    if (table_viewer(t, q->account) != RULES_WATCHER)
        return ERR_ALREADY_SEATED;
    if (blocks_there(t, q, -1))
        return ERR_BLOCKED;
    return not_free(t, seat);
}

/* Q, for whom there is a seat, takes it.  Of who is to have a clock ANSWER says
 * when they are there, as the game may start with this; else it is NULL. */
static void take_seat(struct hub *hub, struct request *q,
                      const struct answer *answer)
{
    struct table *t = q->table;
    int seat = (int)param_int(q, "seat", lobby_seat_of(t, q->account));
    blocks_hide(t, q);
    struct change *c = change_begin(hub, q, t);

    const struct join_attempt *k = q->kept;

    blocks_require(c, -1);
    if (k != NULL && k->link != 0) {
        link_use(c, k->link);
        q->conflict = ERR_LINK_USED;
    }
    lobby_seat(c, seat);
    if (answer != NULL)
        presence_add(c, q->account, answer);
    if (param(q, "nonce") != NULL)
        lobby_nonce(c, seat, param_text(q, "nonce"));
    keep_ply(c, seat);
    lobby_start_if_full(c);
    change_submit(c, key_answer);
}

static void join_counted(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    struct table *t = q->table;
    int seat = (int)param_int(q, "seat", lobby_seat_of(t, q->account));
    enum error e = may_join(t, q, seat);

    if (e == ERR_NONE && answer->listed_count >= LIMIT_TABLES)
        e = ERR_TOO_MANY_TABLES;
    if (e != ERR_NONE) {
        refuse(hub, q, e);
        return;
    }
    if (t->clocks != NULL)
        presence_ask(hub, q, q->account, take_seat);
    else
        take_seat(hub, q, NULL);
}

static void join_admitted(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    (void)answer;
    lobby_count(hub, q, join_counted);
}

/* ---- passwords ---------------------------------------------------------- */

/* By what the guesses of an account are counted, along with failed log-ins but
 * apart from those as its name, which cannot look so. */
static const char *guesser(const struct request *q, char text[ID_SIZE + 1])
{
    text[0] = ':';
    id_write(q->account, text + 1);
    return text;
}

static void join_password_compared(struct hub *hub, struct request *q,
                                   const char *hash, bool fits)
{
    struct join_attempt *k = q->kept;
    char text[ID_SIZE + 1];

    (void)hash;
    if (!fits) {
        journal(hub, q, LOG_INFO, "table_password_failed",
                log_text("user", q->name));
        refuse(hub, q, k->unfit);
        return;
    }
    login_forgiven(hub, q, guesser(q, text));
    k->fits = true;
    table_request(hub, q); /* which may be full or have started by now */
}

/* Compares the password of Q, a table.join, with JOIN_PASSWORD, or with NULL
 * does the same work for nothing; if it does not fit Q is refused with UNFIT.
 * The table does not wait for it. */
static void check_join_password(struct hub *hub, struct request *q,
                                const char *join_password, enum error unfit)
{
    struct join_attempt *k = q->kept = region_take(&q->region, sizeof(*k));
    char text[ID_SIZE + 1];

    *k = (struct join_attempt){.unfit = unfit};
    q->table = NULL;
    if (!login_refuse(hub, q, guesser(q, text)))
        hash_or_refuse(hub, q, HASH_TABLE, join_password ? "password" : NULL,
                       join_password, join_password_compared);
}

void lobby_unknown(struct hub *hub, struct request *q)
{
    if (q->method == M_TABLE_JOIN && param(q, "password") != NULL)
        check_join_password(hub, q, NULL, ERR_NO_SUCH_TABLE);
    else
        refuse(hub, q, ERR_NO_SUCH_TABLE);
}

/* ---- joining and leaving ------------------------------------------------ */

/* Q, a table.join, knows whether its link fits, or has none. */
static void join_tried(struct hub *hub, struct request *q)
{
    const struct table *t = q->table;
    enum error e = may_join(t, q,
                            (int)param_int(q, "seat",
                                           lobby_seat_of(t, q->account)));

    if (!may_enter(t, q) && param(q, "password") != NULL)
        check_join_password(hub, q, t->row.join_password, e);
    else if (e != ERR_NONE)
        refuse(hub, q, e);
    else
        results_admit(hub, q, t->row.rated, join_admitted);
}

/* One that is for nothing here tells no more of the table than none does. */
static void join_link_found(struct hub *hub, struct request *q,
                            const struct answer *answer)
{
    struct join_attempt *k = q->kept = region_take(&q->region, sizeof(*k));
    enum error e = link_judge(hub, answer, LINK_TABLE);

    if (e == ERR_NONE && answer->links->table != q->table->id)
        e = ERR_NO_SUCH_LINK;
    if (e != ERR_NONE) {
        refuse(hub, q,
               e == ERR_NO_SUCH_LINK && q->table->row.private_
                   ? ERR_NO_SUCH_TABLE
                   : e);
        return;
    }
    login_forgiven(hub, q, NULL);
    *k = (struct join_attempt){.fits = true, .link = answer->links->id};
    join_tried(hub, q);
}

static void join_keyed(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    if (key_answered(hub, q, answer))
        return;
    if (may_enter(q->table, q) || param(q, "link") == NULL)
        join_tried(hub, q);
    else if (!login_refuse(hub, q, NULL))
        link_find(hub, q, param_text(q, "link"), join_link_found);
}

void handle_table_join(struct hub *hub, struct table *t, struct request *q)
{
    (void)t;
    key_ask(hub, q, join_keyed);
}

/* ---- bots ---------------------------------------------------------------- */

/* Why no bot may take SEAT (-1: none is free) by Q, or ERR_NONE. */
static enum error may_seat_bot(const struct hub *hub, const struct request *q,
                               int seat)
{
    const struct table *t = q->table;
    enum error e = table_may_see(t, q);

    if (e != ERR_NONE)
        return e;
    /* Who does not sit there has no share in how many games bots play. */
    if (q->account != t->owner || t->row.rated ||
        table_viewer(t, q->account) == RULES_WATCHER)
        return ERR_FORBIDDEN;
    e = not_free(t, seat);
    if (e != ERR_NONE)
        return e;
    int level = word_find(mind_level_words, param_text(q, "level"));
    return bots_there(hub) && bots_free(hub, t, level) ? ERR_NONE
                                                       : ERR_NO_BOTS;
}

static void bot_counted(struct hub *hub, struct request *q,
                        const struct answer *answer)
{
    const struct table *t = q->table;
    int seat = (int)param_int(q, "seat", lobby_seat_of(t, q->account));
    enum error e = may_seat_bot(hub, q, seat);

    if (e == ERR_NONE && t->bots == 0 &&
        bots_tables(hub, answer) >= LIMIT_BOT_TABLES)
        e = ERR_TOO_MANY_BOT_TABLES;
    if (e != ERR_NONE) {
        refuse(hub, q, e);
        return;
    }
    struct change *c = change_begin(hub, q, q->table);
    bots_seat(c, seat,
              (enum mind_level)word_find(mind_level_words,
                                         param_text(q, "level")));
    keep_ply(c, seat);
    lobby_start_if_full(c);
    change_submit(c, key_answer);
}

static void bot_keyed(struct hub *hub, struct request *q,
                      const struct answer *answer)
{
    if (!key_answered(hub, q, answer))
        lobby_count(hub, q, bot_counted);
}

void handle_table_bot(struct hub *hub, struct table *t, struct request *q)
{
    (void)t;
    key_ask(hub, q, bot_keyed);
}

int lobby_own_seat(struct hub *hub, struct table *t, struct request *q)
{
    int seat = table_viewer(t, q->account);
    enum error e = table_may_see(t, q);

    if (e == ERR_NONE && seat == RULES_WATCHER)
        e = ERR_NOT_SEATED;
    if (e == ERR_NONE && t->state != TABLE_OPEN)
        e = ERR_ALREADY_STARTED;
    if (e == ERR_NONE)
        return seat;
    refuse(hub, q, e);
    return -1;
}

void lobby_leave(struct change *c, int seat)
{
    const struct table *t = c->table;
    bool empty = true;

    change_add(c,
               &(struct entry){.kind = ENTRY_LEAVE, .seat = (uint16_t)seat});
    for (int i = 0; i < t->seats; i++)
        empty = empty && (t->seat[i] == 0 || (t->bots & RULES_BIT(i)) != 0);
    if (empty)
        change_add(c, &(struct entry){.kind = ENTRY_ABANDON,
                                      .seat = ENTRY_NOBODY});
}

void handle_table_leave(struct hub *hub, struct table *t, struct request *q)
{
    int seat = lobby_own_seat(hub, t, q);

    if (seat < 0)
        return;
    struct change *c = change_begin(hub, q, t);
    lobby_leave(c, seat);
    keep_ply(c, -1);
    change_submit(c, key_answer);
}

void handle_table_nonce(struct hub *hub, struct table *t, struct request *q)
{
    const char *nonce = param_text(q, "nonce");
    int seat = lobby_own_seat(hub, t, q);

    if (seat < 0)
        return;
    if (strcmp(t->nonce[seat], nonce) == 0) { /* said again */
        struct json_out *o = result_begin(hub, q);
        out_int(o, "ply", (int64_t)t->log.count - 1);
        out_bool(o, "duplicate", true);
        result_end(hub, q);
        return;
    }
    if (t->nonce[seat][0] != '\0') {
        refuse(hub, q, ERR_NONCE_GIVEN);
        return;
    }
    struct change *c = change_begin(hub, q, t);
    lobby_nonce(c, seat, nonce);
    keep_ply(c, -1);
    change_submit(c, key_answer);
}

void handle_table_start(struct hub *hub, struct table *t, struct request *q)
{
    uint32_t kept = 0;
    int count = 0;
    enum error e = table_may_see(t, q);

    for (int seat = 0; seat < t->seats; seat++) {
        kept |= t->seat[seat] != 0 ? 1u << seat : 0;
        count += t->seat[seat] != 0;
    }
    if (e == ERR_NONE && q->account != t->owner)
        e = ERR_FORBIDDEN;
    if (e == ERR_NONE && t->state != TABLE_OPEN)
        e = ERR_ALREADY_STARTED;
    if (e == ERR_NONE && !table_playable_by(t, count))
        e = ERR_TOO_FEW_SEATED;
    if (e != ERR_NONE) {
        refuse(hub, q, e);
        return;
    }
    struct change *c = change_begin(hub, q, t);
    start(c, kept);
    keep_ply(c, -1);
    change_submit(c, key_answer);
}
