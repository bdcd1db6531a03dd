#include "world.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base.h"
#include "server/hub/access.h"
#include "server/io/log.h"

#define DAY_MS (24 * 3600 * INT64_C(1000))

uint32_t world_dice(struct world *w, uint32_t n)
{
    return rng_below(&w->rng, n);
}

/* ---- the disk: writing ------------------------------------------------ */

static void *grown(void *list, size_t count, size_t size)
{
    if ((count & (count - 1)) != 0 && count != 0)
        return list;
    list = realloc(list, (count ? 2 * count : 1) * size);
    ASSERT(list != NULL);
    return list;
}

static const char *copied(struct region *r, const char *text)
{
    return text != NULL ? region_text(r, text, strlen(text)) : NULL;
}

struct disk_table *disk_table(const struct disk *d, id_num id)
{
    for (size_t i = 0; i < d->table_count; i++)
        if (d->tables[i]->row.id == id)
            return d->tables[i];
    return NULL;
}

static bool name_taken(const struct disk *d, const struct account_row *row)
{
    for (size_t i = 0; i < d->account_count; i++)
        if (d->accounts[i].id != row->id &&
            d->accounts[i].kind != ACCOUNT_DELETED &&
            strcasecmp(d->accounts[i].name, row->name) == 0)
            return true;
    return false;
}

static bool sits(const struct disk_table *t, id_num account)
{
    for (int seat = 0; seat < t->row.now.seats; seat++)
        if (t->row.now.seat[seat] == account)
            return true;
    return false;
}

/* T is to be told that ACCOUNT is called WAS no more. */
static void put_due(struct disk_table *t, id_num account, const char *was)
{
    t->renames = grown(t->renames, t->rename_count, sizeof(*t->renames));
    t->renames[t->rename_count++] = (struct account_row){
        .id = account,
        .name = was,
    };
}

/* Tables that are not over are to be told of another name. */
static void put_renames(struct disk *d, const struct account_row *was)
{
    for (size_t i = 0; i < d->table_count; i++) {
        struct disk_table *t = d->tables[i];
        bool due = sits(t, was->id) && t->row.now.state <= TABLE_PLAYING;
        for (size_t k = 0; k < t->rename_count; k++)
            due = due && t->renames[k].id != was->id;
        if (due)
            put_due(t, was->id, was->name);
    }
}

static void put_account(struct disk *d, const struct account_row *row)
{
    size_t i = 0;
    while (i < d->account_count && d->accounts[i].id != row->id)
        i++;
    if (i < d->account_count && strcmp(d->accounts[i].name, row->name) != 0)
        put_renames(d, &d->accounts[i]);
    if (i == d->account_count) {
        d->accounts = grown(d->accounts, d->account_count,
                            sizeof(*d->accounts));
        d->accounts[d->account_count++] = (struct account_row){0};
    }
    struct account_row was = d->accounts[i];
    d->accounts[i] = *row;
    d->accounts[i].banned_until = was.banned_until;
    d->accounts[i].banned_reason = was.banned_reason;
    d->accounts[i].name = copied(&d->region, row->name);
    d->accounts[i].password = copied(&d->region, row->password);
    d->accounts[i].email = copied(&d->region, row->email);
}

static struct account_row *account_row(struct disk *d, id_num id)
{
    for (size_t i = 0; i < d->account_count; i++)
        if (d->accounts[i].id == id)
            return &d->accounts[i];
    return NULL;
}

static bool still(struct disk *d, const struct account_row *row)
{
    const struct account_row *is = account_row(d, row->id);
    const char *a = row->password, *b = is != NULL ? is->password : NULL;

    return is != NULL && is->kind == row->kind &&
           is->banned_until == row->banned_until &&
           (a == NULL || b == NULL ? a == b : strcmp(a, b) == 0);
}

static bool token_still(const struct disk *d, const struct token_row *token)
{
    for (size_t i = 0; i < d->token_count; i++)
        if (d->tokens[i].id == token->id &&
            d->tokens[i].account == token->account)
            return true;
    return false;
}

static bool sits_at(const struct disk *d, id_num account, uint8_t state_max,
                    uint8_t state_min)
{
    for (size_t i = 0; i < d->table_count; i++)
        if (d->tables[i]->row.now.state <= state_max &&
            d->tables[i]->row.now.state >= state_min &&
            sits(d->tables[i], account))
            return true;
    return false;
}

static bool guest_gone(struct disk *d, id_num id, int64_t seen)
{
    const struct account_row *row = account_row(d, id);
    return row != NULL && row->kind == ACCOUNT_GUEST && row->seen <= seen &&
           !sits_at(d, id, TABLE_PLAYING, TABLE_OPEN);
}

static bool link_good(const struct disk *d, const struct link_row *used)
{
    for (size_t i = 0; i < d->link_count; i++)
        if (d->links[i].id == used->id)
            return d->links[i].uses > 0 && (d->links[i].expires == 0 ||
                                            d->links[i].expires > used->used);
    return false;
}

static void use_link(struct disk *d, const struct link_row *used)
{
    for (size_t i = 0; i < d->link_count; i++) {
        if (d->links[i].id != used->id)
            continue;
        d->links[i].uses--;
        d->links[i].used = used->used;
    }
}

/* Those that ONE says: by id, or all for its account but that. */
static void drop_links(struct disk *d, const struct link_row *one, bool all)
{
    size_t to = 0;

    for (size_t i = 0; i < d->link_count; i++) {
        const struct link_row *l = &d->links[i];
        bool gone = all ? l->account == one->account && l->id != one->id &&
                              l->purpose == one->purpose
                        : l->id == one->id;
        if (!gone)
            d->links[to++] = *l;
    }
    d->link_count = to;
}

static void change_account(struct disk *d, const struct op *op)
{
    struct account_row *a = account_row(d, op->account);

    if (a == NULL)
        return;
    if (op->kind == OP_BAN) {
        a->banned_until = op->u.ban.until;
        a->banned_reason = copied(&d->region, op->u.ban.reason);
    } else if (op->kind == OP_PASSWORD) {
        a->password = copied(&d->region, op->u.note);
    } else if (op->kind == OP_NAME) {
        struct account_row named = *a;
        named.name = op->u.note;
        put_account(d, &named);
    } else {
        *a = (struct account_row){
            .id = a->id,
            .kind = ACCOUNT_DELETED,
            .name = "",
            .created = a->created,
            .seen = a->seen,
        };
    }
}

static void drop_tokens(struct disk *d, id_num account, id_num id,
                        bool all_but)
{
    size_t to = 0;
    for (size_t i = 0; i < d->token_count; i++)
        if (d->tokens[i].account != account ||
            (d->tokens[i].id == id) == all_but)
            d->tokens[to++] = d->tokens[i];
    d->token_count = to;
}

static void put_table(struct disk *d, const struct table_row *row)
{
    struct disk_table *t = calloc(1, sizeof(*t));

    ASSERT(t != NULL && disk_table(d, row->id) == NULL);
    t->row = *row;
    t->row.game = copied(&t->region, row->game);
    t->row.door = copied(&t->region, row->door);
    t->row.seed = copied(&t->region, row->seed);
    t->row.header = copied(&t->region, row->header);
    t->row.options = copied(&t->region, row->options);
    t->row.board = copied(&t->region, row->board);
    t->row.asset = row->asset != NULL
                       ? region_text(&t->region, row->asset, row->asset_len)
                       : NULL;
    d->tables = grown(d->tables, d->table_count, sizeof(*d->tables));
    d->tables[d->table_count++] = t;
}

static void put_plies(struct disk *d, const struct op *op)
{
    struct disk_table *t = disk_table(d, op->table);

    ASSERT(t != NULL);
    ASSERT((int64_t)t->ply_count - 1 == op->u.plies.expect);
    for (size_t i = 0; i < op->u.plies.count; i++) {
        const struct ply_row *row = &op->u.plies.rows[i];
        t->plies = grown(t->plies, t->ply_count, sizeof(*t->plies));
        ASSERT(row->ply == t->ply_count && strlen(row->line) == row->len);
        t->plies[t->ply_count] = *row;
        t->plies[t->ply_count++].line = copied(&t->region, row->line);
    }
    t->row.now = op->u.plies.now;
    ASSERT(t->row.now.ply == t->ply_count - 1);
}

static struct disk_note *note_of(struct disk *d, id_num account, id_num table)
{
    for (size_t i = 0; i < d->note_count; i++)
        if (d->notes[i].account == account && d->notes[i].table == table)
            return &d->notes[i];
    d->notes = grown(d->notes, d->note_count, sizeof(*d->notes));
    d->notes[d->note_count] = (struct disk_note){account, table, 0, NULL};
    return &d->notes[d->note_count++];
}

static struct text_row *text_there(const struct disk *d,
                                   const struct text_row *row)
{
    struct disk_table *t = disk_table(d, row->table);

    for (size_t i = 0; t != NULL && i < t->text_count; i++)
        if (t->texts[i].number == row->number && t->texts[i].body != NULL)
            return &t->texts[i];
    return NULL;
}

static void put_text(struct disk *d, const struct text_row *row)
{
    struct disk_table *t = disk_table(d, row->table);

    ASSERT(t != NULL && row->number == t->text_count + 1);
    t->texts = grown(t->texts, t->text_count, sizeof(*t->texts));
    t->texts[t->text_count] = *row;
    t->texts[t->text_count++].body = copied(&t->region, row->body);
}

static void put_key(struct disk *d, const struct op *op)
{
    d->keys = grown(d->keys, d->key_count, sizeof(*d->keys));
    d->keys[d->key_count++] = (struct disk_key){
        op->account,
        region_text(&d->region, op->u.key.method, strlen(op->u.key.method)),
        region_text(&d->region, op->u.key.key, strlen(op->u.key.key)),
        region_text(&d->region, op->u.key.answer, strlen(op->u.key.answer)),
        op->u.key.at,
    };
}

static const struct disk_key *find_key(const struct disk *d, id_num account,
                                       const char *method, const char *key,
                                       int64_t newer)
{
    for (size_t i = d->key_count; i-- > 0;)
        if (d->keys[i].account == account && d->keys[i].at > newer &&
            strcmp(d->keys[i].method, method) == 0 &&
            strcmp(d->keys[i].key, key) == 0)
            return &d->keys[i];
    return NULL;
}

static void drop_guest(struct disk *d, id_num id)
{
    struct account_row *row = account_row(d, id);

    drop_tokens(d, id, 0, true);
    *row = (struct account_row){.id = id, .kind = ACCOUNT_DELETED, .name = ""};
}

static void put_renamed(struct disk_table *t, id_num account)
{
    size_t to = 0;
    for (size_t i = 0; i < t->rename_count; i++)
        if (t->renames[i].id != account)
            t->renames[to++] = t->renames[i];
    t->rename_count = to;
}

static void put(struct disk *d, const struct op *op)
{
    struct disk_table *t = disk_table(d, op->table);
    struct account_row *a = account_row(d, op->account);

    switch (op->kind) {
    case OP_ACCOUNT: put_account(d, &op->u.account_row); break;
    case OP_STILL:
    case OP_TOKEN_STILL: break; /* judged before */
    case OP_SEEN:
        if (a != NULL && a->seen < op->u.at)
            a->seen = op->u.at;
        break;
    case OP_GUEST_DROP: drop_guest(d, op->account); break;
    case OP_RENAMED: put_renamed(t, op->account); break;
    case OP_NAMED:
        put_renamed(t, op->account);
        if (a != NULL && strcmp(a->name, op->u.note) != 0)
            put_due(t, op->account, copied(&t->region, op->u.note));
        break;
    case OP_BAN:
    case OP_PASSWORD:
    case OP_NAME:
    case OP_ACCOUNT_DROP: change_account(d, op); break;
    case OP_AUDIT: /* nobody here reads them */
    case OP_PRUNE: break;
    case OP_TOKEN:
        d->tokens = grown(d->tokens, d->token_count, sizeof(*d->tokens));
        d->tokens[d->token_count] = op->u.token;
        d->tokens[d->token_count++].label = copied(&d->region,
                                                   op->u.token.label);
        break;
    case OP_TOKEN_DROP:
        drop_tokens(d, op->u.token.account, op->u.token.id, false);
        break;
    case OP_TOKENS_DROP:
        drop_tokens(d, op->u.token.account, op->u.token.id, true);
        break;
    case OP_LINK:
        d->links = grown(d->links, d->link_count, sizeof(*d->links));
        d->links[d->link_count++] = op->u.link;
        break;
    case OP_LINK_USE: use_link(d, &op->u.link); break;
    case OP_LINK_DROP: drop_links(d, &op->u.link, false); break;
    case OP_LINKS_DROP: drop_links(d, &op->u.link, true); break;
    case OP_TABLE: put_table(d, &op->u.table_row); break;
    case OP_PLIES: put_plies(d, op); break;
    case OP_ARCHIVE:
        t->ply_count = 0;
        t->row.now.state = TABLE_ARCHIVED;
        break;
    case OP_RETURN: break;
    case OP_INVITE:
        ASSERT(t != NULL && t->invited_count < COUNT_OF(t->invited));
        t->invited[t->invited_count++] = op->account;
        break;
    case OP_KEY: put_key(d, op); break;
    case OP_TEXT: put_text(d, &op->u.text); break;
    case OP_TEXT_DROP: text_there(d, &op->u.text)->body = NULL; break;
    case OP_MARK:
        note_of(d, op->account, op->table)->mark = op->u.number;
        break;
    case OP_NOTE:
        note_of(d, op->account, op->table)->note =
            region_text(&d->region, op->u.note, strlen(op->u.note));
        break;
    }
}

enum unit_result disk_store(struct disk *d, const struct unit *unit)
{
    for (const struct op *op = unit->first; op != NULL; op = op->next)
        if ((op->kind == OP_ACCOUNT && name_taken(d, &op->u.account_row)) ||
            (op->kind == OP_STILL && !still(d, &op->u.account_row)) ||
            (op->kind == OP_NAME && name_taken(d,
                                               &(struct account_row){
                                                   .id = op->account,
                                                   .name = op->u.note,
                                               })) ||
            (op->kind == OP_TEXT_DROP && text_there(d, &op->u.text) == NULL) ||
            (op->kind == OP_LINK_USE && !link_good(d, &op->u.link)) ||
            (op->kind == OP_TOKEN_STILL && !token_still(d, &op->u.token)) ||
            (op->kind == OP_GUEST_DROP &&
             !guest_gone(d, op->account, op->u.at)) ||
            (op->kind == OP_KEY &&
             find_key(d, op->account, op->u.key.method, op->u.key.key,
                      op->u.key.at - DAY_MS) != NULL))
            return UNIT_CONFLICT;
    for (const struct op *op = unit->first; op != NULL; op = op->next)
        put(d, op);
    return UNIT_STORED;
}

void disk_done(struct disk *d)
{
    for (size_t i = 0; i < d->table_count; i++) {
        region_done(&d->tables[i]->region);
        free(d->tables[i]->plies);
        free(d->tables[i]->texts);
        free(d->tables[i]->renames);
        free(d->tables[i]);
    }
    free(d->tables);
    free(d->accounts);
    free(d->tokens);
    free(d->links);
    free(d->keys);
    free(d->notes);
    region_done(&d->region);
    *d = (struct disk){0};
}

/* A copy with room as grown() counts on it. */
static void *list_copy(const void *list, size_t count, size_t size)
{
    size_t room = 1;
    while (room < count)
        room *= 2;
    void *copy = malloc(room * size);
    ASSERT(copy != NULL);
    if (count > 0)
        memcpy(copy, list, count * size);
    return copy;
}

static struct disk_table *table_copy(const struct disk_table *from)
{
    struct disk_table *t = list_copy(from, 1, sizeof(*t));

    t->region = (struct region){0};
    t->plies = list_copy(t->plies, t->ply_count, sizeof(*t->plies));
    t->texts = list_copy(t->texts, t->text_count, sizeof(*t->texts));
    t->renames = list_copy(t->renames, t->rename_count, sizeof(*t->renames));
    return t;
}

void disk_copy(struct disk *to, const struct disk *from)
{
    *to = *from;
    to->region = (struct region){0};
    to->accounts = list_copy(to->accounts, to->account_count,
                             sizeof(*to->accounts));
    to->tokens = list_copy(to->tokens, to->token_count, sizeof(*to->tokens));
    to->links = list_copy(to->links, to->link_count, sizeof(*to->links));
    to->tables = list_copy(to->tables, to->table_count, sizeof(*to->tables));
    to->keys = list_copy(to->keys, to->key_count, sizeof(*to->keys));
    to->notes = list_copy(to->notes, to->note_count, sizeof(*to->notes));
    for (size_t i = 0; i < to->table_count; i++)
        to->tables[i] = table_copy(to->tables[i]);
}

/* ---- the disk: reading ------------------------------------------------ */

static const struct account_row *account_by_id(const struct disk *d, id_num id)
{
    for (size_t i = 0; i < d->account_count; i++)
        if (d->accounts[i].id == id)
            return &d->accounts[i];
    return NULL;
}

static const char *name_by_id(const struct disk *d, id_num id)
{
    const struct account_row *row = account_by_id(d, id);
    return row != NULL ? row->name : NULL;
}

static void add_account(struct answer *a, const struct account_row *row)
{
    if (a->accounts == NULL)
        a->accounts = region_take(&a->region, 64 * sizeof(*row));
    ASSERT(a->account_count < 64);
    a->accounts[a->account_count++] = *row;
}

static void answer_accounts(const struct disk *d, const struct question *q,
                            struct answer *a)
{
    for (size_t i = 0; i < d->account_count; i++) {
        const struct account_row *row = &d->accounts[i];
        bool wanted = q->kind == ASK_ACCOUNT && row->id == q->account;
        if (q->kind == ASK_ACCOUNT_NAME)
            wanted = strcasecmp(row->name, q->text) == 0 &&
                     row->kind != ACCOUNT_DELETED;
        for (size_t k = 0; q->kind == ASK_ACCOUNTS_NAME && q->texts[k]; k++)
            wanted = wanted || strcasecmp(row->name, q->texts[k]) == 0;
        if (wanted)
            add_account(a, row);
    }
}

static void answer_tokens(const struct disk *d, const struct question *q,
                          struct answer *a)
{
    a->tokens = region_take(&a->region,
                            (d->token_count + 1) * sizeof(*a->tokens));
    for (size_t i = 0; i < d->token_count; i++) {
        const struct token_row *row = &d->tokens[i];
        if (q->kind == ASK_TOKEN
                ? memcmp(row->hash, q->hash, sizeof(row->hash)) != 0
                : row->account != q->account)
            continue;
        a->tokens[a->token_count++] = *row;
        if (q->kind == ASK_TOKEN && account_by_id(d, row->account) != NULL)
            add_account(a, account_by_id(d, row->account));
    }
}

static void answer_links(const struct disk *d, const struct question *q,
                         struct answer *a)
{
    a->links = region_take(&a->region,
                           (d->link_count + 1) * sizeof(*a->links));
    for (size_t i = 0; i < d->link_count; i++) {
        const struct link_row *l = &d->links[i];
        if (q->kind == ASK_LINK
                ? memcmp(l->hash, q->hash, sizeof(l->hash)) != 0
                : l->purpose != q->purpose || l->id <= q->after)
            continue;
        a->links[a->link_count++] = *l;
        if (q->kind == ASK_LINK && account_by_id(d, l->account) != NULL)
            add_account(a, account_by_id(d, l->account));
    }
}

static void answer_table(const struct disk *d, const struct question *q,
                         struct answer *a)
{
    struct disk_table *t = disk_table(d, q->table);

    if (t == NULL)
        return;
    a->table = &t->row;
    a->plies = t->plies;
    a->ply_count = t->ply_count;
    a->names = d->accounts;
    a->name_count = d->account_count;
    a->invited = t->invited;
    a->invited_count = t->invited_count;
    a->renames = t->renames;
    a->rename_count = t->rename_count;
    a->texts_last = t->text_count;
}

static bool invited(const struct disk_table *t, id_num account)
{
    for (size_t i = 0; i < t->invited_count; i++)
        if (t->invited[i] == account)
            return true;
    return false;
}

static struct access access_in(const struct disk_table *t, id_num account)
{
    return access_of(account, t->row.owner, t->row.now.seat, t->row.now.seats,
                     invited(t, account));
}

static bool wanted(const struct disk_table *t, const struct question *q)
{
    const struct summary *s = &t->row.now;
    struct access who = access_in(t, q->account);
    bool mine = who.sits || who.invited;

    if (q->kind == ASK_MINE)
        mine = who.sits ||
               (!q->seated && who.invited && s->state == TABLE_OPEN);
    if ((q->mine || q->kind == ASK_MINE) && !mine)
        return false;
    if (q->kind == ASK_TABLES && !q->all && !access_sees(who, &t->row))
        return false;
    if (q->state >= 0 && s->state != q->state)
        return false;
    if (q->state < 0 && s->state == TABLE_ARCHIVED)
        return false;
    if (q->running && s->state > TABLE_PLAYING)
        return false;
    if (q->game != NULL && strcmp(q->game, t->row.game) != 0)
        return false;
    return s->state <= TABLE_PLAYING || s->changed > q->newer || q->newer == 0;
}

/* Whether T waits for ACCOUNT; and since when, or when it changed. */
static bool waits(const struct disk_table *t, id_num account, int64_t *ret_at)
{
    *ret_at = t->row.now.changed;
    for (int seat = 0; seat < t->row.now.seats; seat++)
        if (t->row.now.seat[seat] == account && t->row.now.since[seat] != 0) {
            *ret_at = t->row.now.since[seat];
            return true;
        }
    return false;
}

/* Below 0 if A comes before B in one's own list. */
static int urgency(const struct listed *a, const struct listed *b)
{
    if (a->waits != b->waits)
        return a->waits ? -1 : 1;
    if (a->at != b->at)
        return (a->at < b->at) == a->waits ? -1 : 1;
    return a->table.id > b->table.id ? -1 : a->table.id < b->table.id;
}

static int by_urgency(const void *a, const void *b)
{
    return urgency(a, b);
}

static uint64_t unread(const struct disk *d, const struct disk_table *t,
                       id_num account)
{
    struct access who = access_in(t, account);
    uint64_t mark = 0, n = 0;
    bool marked = false;

    for (size_t i = 0; i < d->note_count; i++)
        if (d->notes[i].account == account && d->notes[i].table == t->row.id) {
            mark = d->notes[i].mark;
            marked = mark > 0;
        }
    if (!who.sits && !marked)
        return 0;
    for (size_t i = 0; i < t->text_count; i++)
        n += t->texts[i].number > mark && t->texts[i].from != account &&
             access_reads(who, t->row.now.state, t->texts[i].room);
    return n;
}

static void answer_tables(const struct disk *d, const struct question *q,
                          struct answer *a)
{
    struct listed *list = region_take(&a->region,
                                      (d->table_count + 1) * sizeof(*list));
    struct listed last = {
        .waits = q->after_waits,
        .at = q->after_at,
        .table.id = q->after,
    };
    size_t n = 0, from = 0;

    for (size_t i = d->table_count; i-- > 0;) { /* the newest first */
        const struct disk_table *t = d->tables[i];
        struct listed *l = &list[n];
        if (!wanted(t, q))
            continue;
        n++;
        l->table = t->row;
        if (q->kind == ASK_MINE)
            l->unread = unread(d, t, q->account);
        l->waits = waits(t, q->account, &l->at);
        for (int seat = 0; seat < l->table.now.seats; seat++)
            l->name[seat] = name_by_id(d, l->table.now.seat[seat]);
    }
    if (q->kind == ASK_MINE)
        qsort(list, n, sizeof(*list), by_urgency);
    for (size_t i = 0; q->after != 0 && i < n; i++)
        if (q->kind == ASK_MINE ? urgency(&list[i], &last) <= 0
                                : list[i].table.id == q->after)
            from = i + 1;
    a->tables = list + from;
    a->listed_count = n - from < q->limit ? n - from : q->limit;
    a->more = n - from > q->limit;
}

static void answer_renames(const struct disk *d, const struct question *q,
                           struct answer *a)
{
    a->tables = region_take(&a->region, (q->limit + 1) * sizeof(*a->tables));
    for (size_t i = 0; i < d->table_count && a->listed_count < q->limit; i++)
        if (d->tables[i]->rename_count > 0)
            a->tables[a->listed_count++].table.id = d->tables[i]->row.id;
    a->more = a->listed_count == q->limit;
}

/* The longest away first. */
static int by_seen(const void *a, const void *b)
{
    const struct account_row *x = a, *y = b;

    if (x->seen != y->seen)
        return x->seen < y->seen ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static void answer_guests(const struct disk *d, const struct question *q,
                          struct answer *a)
{
    struct account_row *list = region_take(&a->region, (d->account_count + 1) *
                                                           sizeof(*list));
    struct account_row last = {.id = q->after, .seen = q->after_at};
    size_t n = 0;

    for (size_t i = 0; i < d->account_count; i++)
        if (d->accounts[i].kind == ACCOUNT_GUEST &&
            d->accounts[i].seen <= q->newer &&
            by_seen(&d->accounts[i], &last) > 0 &&
            !sits_at(d, d->accounts[i].id, TABLE_PLAYING, TABLE_PLAYING))
            list[n++] = d->accounts[i];
    qsort(list, n, sizeof(*list), by_seen);
    a->accounts = list;
    a->account_count = n < q->limit ? n : q->limit;
}

static void answer_texts(const struct disk *d, const struct question *q,
                         struct answer *a)
{
    struct disk_table *t = disk_table(d, q->table);
    size_t n = t != NULL ? t->text_count : 0;

    a->texts = region_take(&a->region, (q->limit + 1) * sizeof(*a->texts));
    for (size_t i = n; i-- > 0;) {
        const struct text_row *row = &t->texts[i];
        if ((q->room != ROOM_ANY && row->room != q->room) ||
            (q->before && row->number >= q->before))
            continue;
        if (a->text_count == q->limit) {
            a->more = true;
            break;
        }
        memmove(a->texts + 1, a->texts, a->text_count * sizeof(*a->texts));
        a->texts[0] = *row;
        a->texts[0].name = name_by_id(d, row->from);
        a->text_count++;
    }
    for (size_t i = 0; i < d->note_count; i++)
        if (d->notes[i].account == q->account && d->notes[i].table == q->table)
            a->mark = d->notes[i].mark;
}

void disk_answer(const struct disk *d, const struct question *q,
                 struct answer *a)
{
    const struct disk_key *key;

    answer_init(a);
    switch (q->kind) {
    case ASK_ACCOUNT:
    case ASK_ACCOUNT_NAME:
    case ASK_ACCOUNTS_NAME: answer_accounts(d, q, a); break;
    case ASK_TOKEN:
    case ASK_TOKENS: answer_tokens(d, q, a); break;
    case ASK_LINK:
    case ASK_LINKS: answer_links(d, q, a); break;
    case ASK_GUESTS: answer_guests(d, q, a); break;
    case ASK_RENAMES: answer_renames(d, q, a); break;
    case ASK_TABLE: answer_table(d, q, a); break;
    case ASK_TABLES:
    case ASK_MINE: answer_tables(d, q, a); break;
    case ASK_KEY:
        key = find_key(d, q->account, q->text, q->key, q->newer);
        a->text = key != NULL ? key->answer : NULL;
        break;
    case ASK_TEXTS: answer_texts(d, q, a); break;
    case ASK_NOTE:
        for (size_t i = 0; i < d->note_count; i++)
            if (d->notes[i].account == q->account &&
                d->notes[i].table == q->table)
                a->text = d->notes[i].note;
        break;
    case ASK_ACCOUNTS:
    case ASK_SESSIONS:
    case ASK_PERSON:
    case ASK_AUDIT:
    case ASK_PRUNE:
    case ASK_SIZES: break; /* lists for the operator: the store's affair */
    }
}

/* ---- the host --------------------------------------------------------- */

enum task_kind { TASK_UNIT, TASK_ASK, TASK_HASH, TASK_LETTER, TASK_OPERATION };

struct task {
    struct task *next;
    enum task_kind kind;
    uint64_t id;
    uint64_t after; /* units handed over before it */
    struct unit unit;
    struct question question;
    enum operation_kind operation;
    struct region region;
    char *hash, *against; /* of the password that was given */
    peer_id peer;
    struct parcel *parcel;
};

static struct world *world_of(struct host *host)
{
    return (struct world *)host;
}

static struct task *add_task(struct task **list, enum task_kind kind,
                             uint64_t id)
{
    struct task *t = calloc(1, sizeof(*t));
    ASSERT(t != NULL);
    t->kind = kind;
    t->id = id;
    while (*list != NULL)
        list = &(*list)->next;
    *list = t;
    return t;
}

static void free_task(struct task *t)
{
    unit_done(&t->unit);
    region_done(&t->region);
    free(t->hash);
    free(t->against);
    parcel_unref(t->parcel);
    free(t);
}

static void host_send(struct host *host, peer_id peer, struct parcel *parcel,
                      unit_id unit)
{
    static const char answer[] = "{\"jsonrpc\":\"2.0\",\"id\":";
    struct world *w = world_of(host);

    ASSERT(parcel->answer ==
           (strncmp(parcel->text, answer, strlen(answer)) == 0));
    if (unit == 0) {
        w->heard(w, peer, parcel->text, parcel->len);
        return;
    }
    struct task *t = add_task(&w->letters, TASK_LETTER, unit);
    t->peer = peer;
    t->parcel = parcel_ref(parcel);
}

static void host_drop(struct host *host, peer_id peer, enum drop_reason why)
{
    struct world *w = world_of(host);
    (void)why;
    w->dropped(w, peer);
}

static void host_random(struct host *host, void *buf, size_t len)
{
    unsigned char *bytes = buf;
    for (size_t i = 0; i < len; i++)
        bytes[i] = (unsigned char)world_dice(world_of(host), 256);
}

static uint64_t last_unit(const struct world *w)
{
    uint64_t last = w->units_stored;
    for (const struct task *t = w->tasks; t != NULL; t = t->next)
        if (t->kind == TASK_UNIT)
            last = t->id;
    return last;
}

static void host_store(struct host *host, unit_id id, struct unit *unit)
{
    struct task *t = add_task(&world_of(host)->tasks, TASK_UNIT, id);
    t->unit = *unit;
    if (unit->first == NULL)
        unit_init(&t->unit);
}

static void host_ask(struct host *host, ask_id id, const struct question *q)
{
    struct world *w = world_of(host);
    uint64_t after = last_unit(w);
    struct task *t = add_task(&w->tasks, TASK_ASK, id);
    struct region *r = &t->region;

    t->after = after;
    t->question = *q;
    t->question.text = copied(r, q->text);
    t->question.key = copied(r, q->key);
    t->question.game = copied(r, q->game);
    if (q->texts != NULL) {
        const char **texts = region_take(r, 65 * sizeof(*texts));
        for (size_t i = 0; q->texts[i] != NULL && i < 64; i++)
            texts[i] = copied(r, q->texts[i]);
        t->question.texts = texts;
    }
}

/* A hash that can be read: a NUL as %00. */
static char *hashed(const char *password, size_t len)
{
    char *hash = malloc(7 + 3 * len), *at = hash + 6;

    ASSERT(hash != NULL);
    memcpy(hash, "plain:", 6);
    for (size_t i = 0; i < len; i++) {
        if (password[i] != '\0' && password[i] != '%')
            *at++ = password[i];
        else
            at += sprintf(at, "%%%02x", (unsigned char)password[i]);
    }
    *at = '\0';
    return hash;
}

static bool host_hash(struct host *host, ask_id id, enum hash_lane lane,
                      uint64_t source, const char *password, size_t len,
                      const char *against)
{
    struct world *w = world_of(host);

    (void)lane, (void)source;
    if (w->hashes_full)
        return false;
    struct task *t = add_task(&w->tasks, TASK_HASH, id);
    t->hash = password != NULL ? hashed(password, len) : NULL;
    t->against = against != NULL ? strdup(against) : NULL;
    return true;
}

static void host_operate(struct host *host, ask_id id,
                         enum operation_kind kind, const char *text)
{
    (void)text;
    if (kind == OPERATION_END)
        return;
    struct task *t = add_task(&world_of(host)->tasks, TASK_OPERATION, id);
    t->operation = kind;
}

static void host_log(struct host *host, enum host_level level,
                     const struct log_field *fields, size_t count)
{
    static const struct log_options as_json = {LOG_DEBUG, LOG_AS_JSON, true};
    char line[LOG_LINE_MAX];

    (void)host;
    if (level == LOG_DEBUG)
        return; /* too many */
    log_compose(&as_json, level, 0, fields, count, line);
    json_t *value = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
    ASSERT(value != NULL);
    json_decref(value);
}

/* ---- steps ------------------------------------------------------------ */

static void deliver(struct world *w, uint64_t unit, bool stored)
{
    struct task **at = &w->letters;
    while (*at != NULL) {
        struct task *t = *at;
        if (t->id != unit) {
            at = &t->next;
            continue;
        }
        *at = t->next;
        if (stored)
            w->heard(w, t->peer, t->parcel->text, t->parcel->len);
        free_task(t);
        at = &w->letters;
    }
}

/* Whether the next unit or question fails. */
static bool fails(struct world *w, unsigned per_1000)
{
    bool so = world_dice(w, 1000) < per_1000 || w->handled + 1 == w->fail_at;
    w->handled++;
    w->failures += so;
    return so;
}

static void do_unit(struct world *w, struct task *t)
{
    enum unit_result result;

    if (fails(w, w->fail_per_1000)) {
        if (world_dice(w, 1000) < w->limbo_per_1000)
            disk_store(&w->disk, &t->unit);
        result = UNIT_FAILED;
    } else {
        result = disk_store(&w->disk, &t->unit);
    }
    w->units_stored = t->id;
    deliver(w, t->id, result == UNIT_STORED);
    hub_stored(w->hub, t->id, result, w->now);
}

static void do_hash(struct world *w, struct task *t)
{
    if (t->against == NULL && t->hash != NULL) {
        hub_hashed(w->hub, t->id, t->hash, false, w->now);
        return;
    }
    bool fits = t->against != NULL && t->hash != NULL &&
                strcmp(t->against, t->hash) == 0;
    hub_hashed(w->hub, t->id, NULL, fits, w->now);
}

static void do_ask(struct world *w, struct task *t)
{
    struct answer answer;

    w->loads += t->question.kind == ASK_TABLE;
    if (fails(w, w->deaf_per_1000)) {
        answer_init(&answer);
        answer.failed = true;
    } else {
        disk_answer(&w->disk, &t->question, &answer);
    }
    hub_answered(w->hub, t->id, &answer, w->now);
    answer_done(&answer);
}

static void do_operation(struct world *w, const struct task *t)
{
    static const char *const results[] = {
        [OPERATION_BACKUP] = "{\"bytes\":4096}",
        [OPERATION_VACUUM] = "{\"before\":8192,\"after\":4096}",
        [OPERATION_STORE] =
            "{\"bytes\":8192,\"free\":0,\"wal\":0,\"writable\":true,"
            "\"damage\":null,\"check\":{\"state\":\"never\",\"at\":null},"
            "\"backup\":null}",
        [OPERATION_CONFIG] = "{\"settings\":[]}",
        [OPERATION_LOG_LEVEL] = "{\"level\":\"info\"}",
    };
    bool failed = world_dice(w, 1000) < w->fail_per_1000;

    hub_operated(w->hub, t->id, false, failed ? "the disk is full" : NULL,
                 failed ? NULL : results[t->operation], w->now);
}

static bool ready(const struct world *w, const struct task *t)
{
    if (t->kind == TASK_ASK)
        return t->after <= w->units_stored;
    if (t->kind == TASK_HASH)
        return !w->hashes_wait;
    if (t->kind == TASK_UNIT)
        for (const struct task *u = w->tasks; u != t; u = u->next)
            if (u->kind == TASK_UNIT)
                return false;
    return true;
}

bool world_step(struct world *w)
{
    struct task **at, *t;
    uint32_t n = 0;

    w->steps++;
    w->now += world_dice(w, 20);
    if (w->jumps_per_100000 > 0 && world_dice(w, 100000) < w->jumps_per_100000)
        w->now -= world_dice(w, 3600 * 1000);
    bool works = hub_works(w->hub);
    hub_work(w->hub, w->now); /* as in each turn of the daemon's loop */
    for (t = w->tasks; t != NULL; t = t->next)
        n += ready(w, t);
    if (n == 0)
        return works;
    uint32_t which = world_dice(w, n);
    for (at = &w->tasks;; at = &(*at)->next)
        if (ready(w, *at) && which-- == 0)
            break;
    t = *at;
    *at = t->next;
    switch (t->kind) {
    case TASK_UNIT: do_unit(w, t); break;
    case TASK_ASK: do_ask(w, t); break;
    case TASK_HASH: do_hash(w, t); break;
    case TASK_LETTER: break;
    case TASK_OPERATION: do_operation(w, t); break;
    }
    free_task(t);
    return true;
}

/* ---- living and dying ------------------------------------------------- */

static void start(struct world *w)
{
    w->hub = hub_new(&w->host, &w->config, w->now);
    ASSERT(w->hub != NULL);
    w->units_stored = 0;
}

static void forget(struct task **list)
{
    while (*list != NULL) {
        struct task *t = *list;
        *list = t->next;
        free_task(t);
    }
}

void world_init(struct world *w, uint64_t seed, heard_cb heard,
                dropped_cb dropped, void *arg)
{
    /* From one line of a log at a time to the usual. */
    static const uint64_t efforts[] = {0, 50, 500, 150, 1500};
    static const size_t snapshots[] = {0, 3, 40};
    static const size_t budgets[] = {0, 60000, 0, 0, 5000, 0, 0};
    uint8_t key[RNG_SEED_SIZE] = {0};

    *w = (struct world){
        .host =
            {
                .send = host_send,
                .drop = host_drop,
                .random = host_random,
                .store = host_store,
                .ask = host_ask,
                .hash = host_hash,
                .operate = host_operate,
                .log = host_log,
            },
        .config =
            {
                .version = "0",
                .server_name = "sim",
                .guests = true,
                .session_ms = INT64_C(30) * 24 * 3600 * 1000,
                .idle_table_ms = 2000,
                .turn_effort = efforts[seed % COUNT_OF(efforts)],
                .snapshot_every = snapshots[seed % COUNT_OF(snapshots)],
                .tables_bytes = budgets[seed % COUNT_OF(budgets)],
            },
        .now = INT64_C(1800000000000),
        .heard = heard,
        .dropped = dropped,
        .arg = arg,
    };
    memcpy(key, &seed, sizeof(seed));
    rng_init(&w->rng, key, 0);
    start(w);
}

void world_crash(struct world *w)
{
    while (w->tasks != NULL && world_dice(w, 2) == 0) {
        struct task *t = w->tasks;
        w->tasks = t->next;
        if (t->kind == TASK_UNIT)
            disk_store(&w->disk, &t->unit);
        free_task(t);
    }
    forget(&w->tasks);
    forget(&w->letters);
    hub_free(w->hub);
    forget(&w->tasks); /* what it asked for while it died */
    forget(&w->letters);
    start(w);
}

void world_done(struct world *w)
{
    hub_free(w->hub);
    forget(&w->tasks);
    forget(&w->letters);
    disk_done(&w->disk);
}
