/* bots.c -- the accounts that bots have; see bots.h.
 *
 * They are found by their kind when the server starts, and made if there are
 * too few.  An account has no password, no address and no token, so nothing
 * lets anybody in as it; its name tells its level and is not changed. */

#include "bots.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/ascii.h"
#include "inner.h"

#define PREFIX    "bot-"
#define AGAIN_MS  10000 /* until what failed is tried again */
#define TRIES_MAX 50    /* names that somebody had before there were bots */

/* ---- who is one ------------------------------------------------------------- */

const struct bot *bot_of(const struct hub *hub, id_num account)
{
    const struct bots *b = &hub->bots;

    for (size_t i = 0; account != 0 && i < b->count; i++)
        if (b->bot[i].account == account)
            return &b->bot[i];
    return NULL;
}

uint16_t bots_at(const struct hub *hub, const struct table *t)
{
    uint16_t seats = 0;

    for (int seat = 0; seat < t->seats; seat++)
        if (bot_of(hub, t->seat[seat]) != NULL)
            seats |= RULES_BIT(seat);
    return seats;
}

int bots_of_level(const struct hub *hub, int level)
{
    int count = 0;

    for (size_t i = 0; i < hub->bots.count; i++)
        count += hub->bots.bot[i].level == level;
    return count;
}

bool bots_free(const struct hub *hub, const struct table *t, int level)
{
    for (size_t i = 0; i < hub->bots.count; i++)
        if (hub->bots.bot[i].level == level &&
            table_viewer(t, hub->bots.bot[i].account) == RULES_WATCHER)
            return true;
    return false;
}

size_t bots_tables(const struct hub *hub, const struct answer *answer)
{
    size_t count = 0;

    for (size_t i = 0; i < answer->listed_count; i++) {
        const struct summary *s = &answer->tables[i].table.summary;
        bool any = false;
        for (int seat = 0; seat < s->seats; seat++)
            any = any || bot_of(hub, s->seat[seat]) != NULL;
        count += any;
    }
    return count;
}

bool bots_alone(const struct table *t)
{
    if (t->state != TABLE_PLAYING || t->bots == 0)
        return false;
    for (int seat = 0; seat < t->seats; seat++)
        if (((t->bots | t->resigned) & RULES_BIT(seat)) == 0 &&
            !clocks_gone(t, seat))
            return false;
    return true;
}

bool bots_there(const struct hub *hub)
{
    const struct bots *b = &hub->bots;

    return hub->config.bots > 0 && b->made && b->count > 0 && bots_think(hub);
}

bool bots_name(const char *name)
{
    return ascii_compare_n(name, PREFIX, strlen(PREFIX)) == 0;
}

bool bots_refuse(struct hub *hub, struct request *q,
                 const struct answer *answer)
{
    bool bot = answer->account_count == 1 &&
               answer->accounts->kind == ACCOUNT_BOT;

    if (bot)
        refuse(hub, q, ERR_IS_A_BOT);
    return bot;
}

void bots_write(struct json_out *o, const struct hub *hub)
{
    out_list(o, "bots");
    for (int i = 0; bots_there(hub) && i < MIND_LEVELS; i++)
        if (bots_of_level(hub, i) > 0)
            out_string(o, NULL, mind_level_words[i]);
    out_end(o);
}

void bots_seat(struct change *c, int seat, enum mind_level level)
{
    const struct bots *b = &c->hub->bots;

    for (size_t i = 0; i < b->count; i++) {
        const struct bot *bot = &b->bot[i];
        if (bot->level != level ||
            table_viewer(c->table, bot->account) != RULES_WATCHER)
            continue;
        lobby_seat_for(c, seat, bot->account, bot->name);
        return;
    }
    ASSERT(false); /* who asks knows how many there are */
}

/* ---- where they are waited for ---------------------------------------------- */

/* Whatever is to be done was, when the table came. */
static void found(struct hub *hub, struct table *t, struct request *q)
{
    if (t->readable)
        bots_look(hub, t);
    result_empty(hub, q);
}

static void look_at(struct hub *hub, id_num table)
{
    struct request *job = job_new(hub);

    job->job = found;
    table_job(hub, job, table);
}

void bots_found(struct hub *hub, const struct table_row *t)
{
    const struct summary *s = &t->summary;

    for (int seat = 0; seat < s->seats; seat++)
        if (s->state == TABLE_PLAYING && s->due[seat] == 0 &&
            (s->acting & RULES_BIT(seat)) != 0) {
            look_at(hub, t->id);
            return;
        }
}

/* Who lacks is made under other names at once if it was their names that somebody
 * had, and tried again later if it was anything else. */
static void asked(struct request *q)
{
    struct bots *b = q->kept;

    b->asking = false;
    if (q->error != ERR_NAME_TAKEN)
        return;
    b->tries++;
    b->again_ms = 0;
}

static struct request *bots_job(struct hub *hub)
{
    struct request *job = job_new(hub);

    hub->bots.asking = true;
    hub->bots.again_ms = hub->now_ms + AGAIN_MS;
    job->kept = &hub->bots;
    job->done = asked;
    return job;
}

/* Where the list goes on. */
struct page {
    id_num after;
    int64_t at;
    uint8_t waits;
};

static void ask_page(struct hub *hub, struct request *q, const struct page *p);

static void page_found(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    size_t n = answer->listed_count;
    id_num account = hub->bots.bot[hub->bots.looked].account;

    for (size_t i = 0; i < n; i++) {
        const struct listed *l = &answer->tables[i];
        for (int seat = 0; seat < l->table.summary.seats; seat++)
            if (l->table.summary.seat[seat] == account &&
                (l->table.summary.acting & RULES_BIT(seat)) != 0)
                look_at(hub, l->table.id);
    }
    /* Those that wait come first. */
    if (answer->more && n > 0 && answer->tables[n - 1].waits != LISTED_CALM) {
        const struct listed *last = &answer->tables[n - 1];
        const struct page next = {last->table.id, last->at, last->waits};
        ask_page(hub, q, &next);
        return;
    }
    hub->bots.looked++;
    hub->bots.again_ms = hub->now_ms;
    result_empty(hub, q);
}

static void ask_page(struct hub *hub, struct request *q, const struct page *p)
{
    struct question ask = {
        .kind = ASK_MINE,
        .limit = LIMIT_FOLLOWED,
        .u.mine =
            {
                .account = hub->bots.bot[hub->bots.looked].account,
                .state = TABLE_PLAYING,
            },
    };

    if (p != NULL) {
        ask.u.mine.after = p->after;
        ask.u.mine.after_at = p->at;
        ask.u.mine.after_waits = p->waits;
    }
    hub_ask(hub, q, &ask, page_found);
}

/* All are known: who is here plays on. */
static void begin(struct hub *hub)
{
    struct table *t;

    hub->bots.known = true;
    hub->bots.made = hub->config.bots > 0;
    hub->bots.again_ms = hub->now_ms;
    for (size_t at = 0; (t = map_next(&hub->tables, &at)) != NULL;) {
        t->bots = bots_at(hub, t);
        if (t->readable && t->busy == 0)
            bots_look(hub, t);
    }
}

/* ---- accounts --------------------------------------------------------------- */

static void add(struct hub *hub, id_num account, const char *name, int level)
{
    struct bots *b = &hub->bots;

    if (b->count == BOTS_MAX)
        return;
    struct bot *bot = &b->bot[b->count++];
    bot->account = account;
    bot->level = (uint8_t)level;
    snprintf(bot->name, sizeof(bot->name), "%s", name);
}

/* The level that NAME tells, "bot-greedy-2", or -1. */
static int level_of(const char *name)
{
    for (int i = 0; bots_name(name) && i < MIND_LEVELS; i++) {
        size_t len = strlen(mind_level_words[i]);
        const char *rest = name + strlen(PREFIX) + len;
        if (ascii_compare_n(name + strlen(PREFIX), mind_level_words[i], len) ==
                0 &&
            (*rest == '\0' || *rest == '-'))
            return i;
    }
    return -1;
}

/* How many of a level there may be at a table. */
static int wanted(void)
{
    int most = 2;

    for (size_t i = 0; rules_all[i] != NULL; i++)
        if (rules_all[i]->seats_max > most)
            most = rules_all[i]->seats_max;
    return most - 1;
}

static int lacking(const struct hub *hub, int level)
{
    return wanted() - bots_of_level(hub, level);
}

static void ask_accounts(struct hub *hub, struct request *q);

/* They are found like those that there were. */
static void made(struct hub *hub, struct request *q)
{
    hub->bots.tries = 0;
    ask_accounts(hub, q);
}

/* A name that is most likely free; another one at each try. */
static void name_of(const struct hub *hub, int level, int number,
                    char name[25])
{
    number += hub->bots.tries * 100;
    if (number == 1)
        snprintf(name, 25, PREFIX "%s", mind_level_words[level]);
    else
        snprintf(name, 25, PREFIX "%s-%d", mind_level_words[level], number);
}

/* Puts those that lack into C; whether there are any. */
static void make(struct hub *hub, struct request *q)
{
    struct change *c = change_begin(hub, q, NULL);
    char name[25];

    for (int level = 0; level < MIND_LEVELS; level++)
        for (int n = lacking(hub, level); n > 0; n--) {
            name_of(hub, level, wanted() - n + 1, name);
            account_put(c, &(struct account_row){
                               .id = random_id(hub),
                               .kind = ACCOUNT_BOT,
                               .name = name,
                               .created = hub->now_ms,
                               .seen = hub->now_ms,
                           });
        }
    q->conflict = ERR_NAME_TAKEN;
    change_submit(c, made);
}

/* There are as many as there are. */
static void give_in(struct hub *hub)
{
    struct host *host = hub->host;

    host->log(host, LOG_ERROR,
              LOG_FIELDS(log_event("bots_failed"),
                         log_text("text", "others have the names of bots")));
}

static void accounts_found(struct hub *hub, struct request *q,
                           const struct answer *answer)
{
    bool lacks = false;

    hub->bots.count = 0;
    for (size_t i = 0; i < answer->account_count; i++)
        if (level_of(answer->accounts[i].name) >= 0)
            add(hub, answer->accounts[i].id, answer->accounts[i].name,
                level_of(answer->accounts[i].name));
    for (int level = 0; level < MIND_LEVELS; level++)
        lacks = lacks || lacking(hub, level) > 0;
    lacks = lacks && hub->config.bots > 0;
    if (lacks && hub->bots.tries < TRIES_MAX) {
        make(hub, q);
        return;
    }
    if (lacks)
        give_in(hub);
    begin(hub);
    result_empty(hub, q);
}

static void ask_accounts(struct hub *hub, struct request *q)
{
    struct question ask = {
        .kind = ASK_ACCOUNTS,
        .limit = BOTS_MAX,
        .u.accounts = {.kind = ACCOUNT_BOT},
    };
    hub_ask(hub, q, &ask, accounts_found);
}

/* ---- time -------------------------------------------------------------------- */

void bots_begin(struct hub *hub)
{
    thinking_begin(hub);
    if (hub->config.bots > 0)
        ask_accounts(hub, bots_job(hub));
}

void bots_done(struct hub *hub)
{
    thinking_done(hub);
}

void bots_tick(struct hub *hub)
{
    struct bots *b = &hub->bots;

    thinking_tick(hub);
    if (b->asking || hub->closing || hub->restoring > 0 ||
        hub->now_ms < b->again_ms)
        return;
    /* None may have been wanted so far. */
    if (!b->known || (hub->config.bots > 0 && !b->made))
        ask_accounts(hub, bots_job(hub));
    else if (b->looked < b->count)
        ask_page(hub, bots_job(hub), NULL);
}
