/* disk_answer.c -- what a store of arrays answers. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base.h"
#include "disk.h"
#include "server/hub/access.h"
#include "server/hub/limits.h"

static const char *name_by_id(const struct disk *d, id_num id)
{
    const struct account_row *row = disk_account(d, id);
    return row != NULL ? row->name : NULL;
}

/* Room for what there may be, all of it. */
#define ROOM(a, count, type) \
    region_take(&(a)->region, ((count) + 1) * sizeof(type))

/* ---- accounts, tokens, links ---------------------------------------------- */

static void add_account(struct answer *a, const struct account_row *row)
{
    if (row != NULL)
        a->accounts[a->account_count++] = *row;
}

static const struct account_row *called(const struct disk *d, const char *name)
{
    for (size_t i = 0; i < d->account_count; i++)
        if (d->accounts[i].kind != ACCOUNT_DELETED &&
            strcasecmp(d->accounts[i].name, name) == 0)
            return &d->accounts[i];
    return NULL;
}

static void answer_accounts(const struct disk *d, const struct question *q,
                            struct answer *a)
{
    size_t n = 1;

    while (q->kind == ASK_ACCOUNTS_NAME && q->texts[n - 1] != NULL)
        n++;
    a->accounts = ROOM(a, n, struct account_row);
    if (q->kind == ASK_ACCOUNT)
        add_account(a, disk_account(d, q->account));
    else if (q->kind == ASK_ACCOUNT_NAME)
        add_account(a, called(d, q->text));
    else
        for (size_t i = 0; q->texts[i] != NULL; i++)
            add_account(a, called(d, q->texts[i]));
}

static int by_name(const void *a, const void *b)
{
    return strcasecmp(((const struct account_row *)a)->name,
                      ((const struct account_row *)b)->name);
}

static void cut(size_t *count, size_t limit, struct answer *a)
{
    a->more = *count > limit;
    if (a->more)
        *count = limit;
}

static void answer_people(const struct disk *d, const struct question *q,
                          struct answer *a)
{
    a->accounts = ROOM(a, d->account_count, struct account_row);
    for (size_t i = 0; i < d->account_count; i++) {
        const struct account_row *row = &d->accounts[i];
        if (row->kind != ACCOUNT_DELETED &&
            strcasecmp(row->name, q->text != NULL ? q->text : "") > 0 &&
            (q->account_kind < 0 || row->kind == q->account_kind) &&
            (q->newer == 0 || row->banned_until > q->newer))
            add_account(a, row);
    }
    qsort(a->accounts, a->account_count, sizeof(*a->accounts), by_name);
    cut(&a->account_count, q->limit, a);
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
    struct account_row last = {.id = q->after, .seen = q->after_at};

    a->accounts = ROOM(a, d->account_count, struct account_row);
    for (size_t i = 0; i < d->account_count; i++)
        if (d->accounts[i].kind == ACCOUNT_GUEST &&
            d->accounts[i].seen <= q->newer &&
            by_seen(&d->accounts[i], &last) > 0 &&
            !disk_plays(d, d->accounts[i].id, 1u << TABLE_PLAYING))
            add_account(a, &d->accounts[i]);
    qsort(a->accounts, a->account_count, sizeof(*a->accounts), by_seen);
    if (a->account_count > q->limit)
        a->account_count = q->limit;
}

static int by_making(const void *a, const void *b)
{
    const struct token_row *x = a, *y = b;

    if (x->created != y->created)
        return x->created < y->created ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static int token_by_id(const void *a, const void *b)
{
    id_num x = ((const struct token_row *)a)->id;
    id_num y = ((const struct token_row *)b)->id;

    return x < y ? -1 : x > y;
}

static void answer_tokens(const struct disk *d, const struct question *q,
                          struct answer *a)
{
    a->tokens = ROOM(a, d->token_count, struct token_row);
    a->accounts = ROOM(a, d->token_count, struct account_row);
    for (size_t i = 0; i < d->token_count; i++) {
        const struct token_row *t = &d->tokens[i];
        bool wanted = q->account == t->account;
        if (q->kind == ASK_TOKEN)
            wanted = memcmp(t->hash, q->hash, sizeof(t->hash)) == 0;
        if (q->kind == ASK_SESSIONS)
            wanted = t->id > q->after && (q->account == 0 || wanted);
        if (wanted)
            a->tokens[a->token_count++] = *t;
    }
    qsort(a->tokens, a->token_count, sizeof(*a->tokens),
          q->kind == ASK_SESSIONS ? token_by_id : by_making);
    if (q->kind == ASK_SESSIONS)
        cut(&a->token_count, q->limit, a);
    for (size_t i = 0; q->kind != ASK_TOKENS && i < a->token_count; i++)
        add_account(a, disk_account(d, a->tokens[i].account));
}

static int link_by_id(const void *a, const void *b)
{
    id_num x = ((const struct link_row *)a)->id;
    id_num y = ((const struct link_row *)b)->id;

    return x < y ? -1 : x > y;
}

static void answer_links(const struct disk *d, const struct question *q,
                         struct answer *a)
{
    a->links = ROOM(a, d->link_count, struct link_row);
    a->accounts = ROOM(a, 1, struct account_row);
    for (size_t i = 0; i < d->link_count; i++) {
        const struct link_row *l = &d->links[i];
        if (q->kind == ASK_LINK
                ? memcmp(l->hash, q->hash, sizeof(l->hash)) == 0
                : l->purpose == q->purpose && l->id > q->after)
            a->links[a->link_count++] = *l;
    }
    if (q->kind == ASK_LINKS) {
        qsort(a->links, a->link_count, sizeof(*a->links), link_by_id);
        cut(&a->link_count, q->limit, a);
    } else if (a->link_count > 0 && a->links->account != 0) {
        add_account(a, disk_account(d, a->links->account));
    }
}

/* ---- one table ------------------------------------------------------------ */

static bool is_in(const id_num *list, size_t count, id_num id)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == id)
            return true;
    return false;
}

/* Of accounts that there are: who ever sat there, is invited, made it. */
static void add_names(const struct disk *d, const struct disk_table *t,
                      struct answer *a)
{
    a->names = ROOM(a, d->account_count, struct account_row);
    for (size_t i = 0; i < d->account_count; i++) {
        id_num id = d->accounts[i].id;
        if (!is_in(t->sat, t->sat_count, id) &&
            !is_in(t->invited, t->invited_count, id) && t->row.owner != id)
            continue;
        struct account_row *row = &a->names[a->name_count++];
        *row = d->accounts[i];
        row->password = row->email = NULL;
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
    add_names(d, t, a);
    a->invited = t->invited;
    a->invited_count = t->invited_count;
    a->renames = t->renames;
    a->rename_count = t->rename_count;
    a->texts_last = t->text_count;
}

static void answer_texts(const struct disk *d, const struct question *q,
                         struct answer *a)
{
    struct disk_table *t = disk_table(d, q->table);
    const struct disk_note *n = disk_note(d, q->account, q->table);

    a->texts = ROOM(a, q->limit, struct text_row);
    for (size_t i = t != NULL ? t->text_count : 0; i-- > 0 && !a->more;) {
        const struct text_row *row = &t->texts[i];
        if ((q->room != ROOM_ANY && row->room != q->room) ||
            (q->before > 0 && row->number >= q->before))
            continue;
        a->more = a->text_count == q->limit;
        if (a->more)
            break;
        memmove(a->texts + 1, a->texts, a->text_count * sizeof(*a->texts));
        a->texts[0] = *row;
        a->texts[0].name = name_by_id(d, row->from);
        if (a->texts[0].name == NULL)
            a->texts[0].name = "";
        a->text_count++;
    }
    a->mark = n != NULL ? n->mark : 0;
}

/* ---- lists ---------------------------------------------------------------- */

static struct access access_in(const struct disk_table *t, id_num account)
{
    return access_of(account, t->row.owner, t->row.summary.seat,
                     t->row.summary.seats,
                     is_in(t->invited, t->invited_count, account));
}

static bool wanted(const struct disk_table *t, const struct question *q)
{
    const struct summary *s = &t->row.summary;
    struct access who = access_in(t, q->account);
    bool mine = who.sits || who.invited;

    if (q->kind == ASK_MINE)
        mine = who.sits ||
               (!q->seated && who.invited && s->state == TABLE_OPEN);
    if ((q->mine || q->kind == ASK_MINE) && !mine)
        return false;
    if (q->kind == ASK_TABLES && !q->all && !access_sees(who, &t->row))
        return false;
    if (s->state == TABLE_ARCHIVED &&
        (q->kind == ASK_MINE || q->state != TABLE_ARCHIVED))
        return false;
    if (q->state >= 0 && s->state != q->state)
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
    const struct summary *s = &t->row.summary;

    *ret_at = s->changed;
    for (int seat = 0; seat < s->seats; seat++)
        if (s->seat[seat] == account && s->state == TABLE_PLAYING &&
            (s->acting >> seat & 1) != 0) {
            *ret_at = s->since[seat];
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
    const struct disk_note *note = disk_note(d, account, t->row.id);
    uint64_t mark = note != NULL ? note->mark : 0, n = 0;

    if (!who.sits && (note == NULL || !note->marked))
        return 0;
    for (size_t i = 0; i < t->text_count; i++)
        n += t->texts[i].number > mark && t->texts[i].from != account &&
             access_reads(who, t->row.summary.state, t->texts[i].room);
    return n;
}

static void list_one(const struct disk *d, const struct disk_table *t,
                     const struct question *q, struct listed *l)
{
    l->table = t->row;
    l->table.seed = l->table.header = l->table.asset = NULL;
    l->table.asset_len = 0;
    for (int seat = 0; seat < RULES_SEATS_MAX; seat++)
        if (l->table.summary.seat[seat] != 0)
            l->name[seat] = name_by_id(d, l->table.summary.seat[seat]);
    if (q->kind != ASK_MINE)
        return;
    l->unread = unread(d, t, q->account);
    l->waits = waits(t, q->account, &l->at);
}

/* Where the list goes on; its end if it is behind what is not there. */
static size_t go_on_at(const struct question *q, const struct listed *list,
                       size_t n)
{
    struct listed last = {
        .waits = q->after_waits,
        .at = q->after_at,
        .table.id = q->after,
    };
    size_t i = 0;

    if (q->after == 0)
        return 0;
    if (q->kind == ASK_MINE) {
        while (i < n && urgency(&list[i], &last) <= 0)
            i++;
        return i;
    }
    while (i < n && list[i].table.id != q->after)
        i++;
    return i < n ? i + 1 : n;
}

static void answer_tables(const struct disk *d, const struct question *q,
                          struct answer *a)
{
    struct listed *list = ROOM(a, d->table_count, struct listed);
    size_t n = 0;

    for (size_t i = d->table_count; i-- > 0;) /* the newest first */
        if (wanted(d->tables[i], q))
            list_one(d, d->tables[i], q, &list[n++]);
    if (q->kind == ASK_MINE)
        qsort(list, n, sizeof(*list), by_urgency);
    size_t from = go_on_at(q, list, n);
    a->tables = list + from;
    a->listed_count = n - from;
    cut(&a->listed_count, q->limit, a);
}

static void answer_renames(const struct disk *d, const struct question *q,
                           struct answer *a)
{
    a->tables = ROOM(a, d->table_count, struct listed);
    for (size_t i = 0; i < d->table_count && a->listed_count < q->limit; i++)
        if (d->tables[i]->rename_count > 0)
            a->tables[a->listed_count++].table.id = d->tables[i]->row.id;
    a->more = a->listed_count == q->limit;
}

/* ---- for the operator ------------------------------------------------------- */

/* A row of ASK_PERSON; see enum person_part. */
static void part_row(struct answer *a, id_num table, uint64_t number,
                     uint8_t room, int64_t at, const char *name,
                     const char *body)
{
    a->texts[a->text_count++] = (struct text_row){
        .table = table,
        .number = number,
        .room = room,
        .at = at,
        .name = name,
        .body = body,
    };
}

static void part_of_table(const struct disk *d, const struct disk_table *t,
                          const struct question *q, struct answer *a)
{
    const struct table_row *row = &t->row;
    const struct disk_note *note = disk_note(d, q->account, row->id);
    uint64_t seat = 0;

    for (int i = 0; i < RULES_SEATS_MAX; i++)
        if (row->summary.seat[i] == q->account)
            seat = (uint64_t)i + 1;
    if ((q->part == PERSON_SEATS && is_in(t->sat, t->sat_count, q->account)) ||
        (q->part == PERSON_OWNED && row->owner == q->account) ||
        (q->part == PERSON_INVITES &&
         is_in(t->invited, t->invited_count, q->account)))
        part_row(a, row->id, q->part == PERSON_SEATS ? seat : 0,
                 row->summary.state, row->created, "", row->game);
    if (q->part == PERSON_NOTES && note != NULL && note->note != NULL)
        part_row(a, row->id, 0, 0, 0, "", note->note);
    if (q->part == PERSON_MARKS && note != NULL && note->marked)
        part_row(a, row->id, note->mark, 0, 0, "", "");
    for (size_t i = 0; q->part == PERSON_TEXTS && i < t->text_count; i++)
        if (t->texts[i].from == q->account)
            part_row(a, row->id, t->texts[i].number, t->texts[i].room,
                     t->texts[i].at, "",
                     t->texts[i].body != NULL ? t->texts[i].body : "");
}

static int by_moment(const void *a, const void *b)
{
    int64_t x = ((const struct text_row *)a)->at;
    int64_t y = ((const struct text_row *)b)->at;

    return x < y ? -1 : x > y;
}

static void answer_person(const struct disk *d, const struct question *q,
                          struct answer *a)
{
    size_t most = d->table_count + d->key_count + d->link_count;

    for (size_t i = 0; i < d->table_count; i++)
        most += d->tables[i]->text_count;
    a->texts = ROOM(a, most, struct text_row);
    for (size_t i = 0; i < d->table_count; i++)
        part_of_table(d, d->tables[i], q, a);
    for (size_t i = 0; q->part == PERSON_KEYS && i < d->key_count; i++)
        if (d->keys[i].account == q->account)
            part_row(a, 0, 0, 0, d->keys[i].at, d->keys[i].method,
                     d->keys[i].key);
    for (size_t i = 0; q->part == PERSON_LINKS && i < d->link_count; i++) {
        const struct link_row *l = &d->links[i];
        char *expires = region_take(&a->region, 24);
        snprintf(expires, 24, "%lld", (long long)l->expires);
        if (l->account == q->account)
            part_row(a, 0, (uint64_t)l->uses, l->purpose, l->made, "",
                     expires);
    }
    if (q->part == PERSON_KEYS || q->part == PERSON_LINKS)
        qsort(a->texts, a->text_count, sizeof(*a->texts), by_moment);
    size_t from = q->before < a->text_count ? q->before : a->text_count;
    a->texts += from;
    a->text_count -= from;
    cut(&a->text_count, q->limit, a);
}

/* The last first. */
static void answer_audit(const struct disk *d, const struct question *q,
                         struct answer *a)
{
    a->audits = ROOM(a, d->audit_count, struct audit_row);
    for (size_t i = d->audit_count; i-- > 0;) {
        const struct audit_row *row = &d->audits[i];
        if ((q->before > 0 && row->number >= q->before) ||
            (q->table != 0 && row->table != q->table) ||
            (q->account != 0 && row->account != q->account))
            continue;
        struct audit_row *to = &a->audits[a->audit_count++];
        *to = *row;
        to->name = name_by_id(d, row->account);
        if (to->name != NULL && to->name[0] == '\0')
            to->name = NULL;
    }
    cut(&a->audit_count, q->limit, a);
}

static void answer_prune(const struct disk *d, const struct question *q,
                         struct answer *a)
{
    for (size_t i = 0; i < d->token_count; i++)
        a->counts[PRUNE_TOKENS] += d->tokens[i].expires != 0 &&
                                   d->tokens[i].expires <= q->newer;
    for (size_t i = 0; i < d->key_count; i++)
        a->counts[PRUNE_KEYS] += d->keys[i].at <= q->newer - LIMIT_KEY_MS;
}

static void answer_sizes(const struct disk *d, struct answer *a)
{
    for (size_t i = 0; i < d->table_count; i++)
        if (d->tables[i]->row.summary.state <= TABLE_ABANDONED)
            a->counts[SIZE_TABLES + d->tables[i]->row.summary.state]++;
    for (size_t i = 0; i < d->account_count; i++) {
        a->counts[SIZE_USERS] += d->accounts[i].kind == ACCOUNT_USER;
        a->counts[SIZE_GUESTS] += d->accounts[i].kind == ACCOUNT_GUEST;
    }
}

void disk_answer(const struct disk *d, const struct question *asked,
                 struct answer *a)
{
    struct question limited = *asked;
    const struct question *q = &limited;
    const struct disk_key *key;
    const struct disk_note *note;

    if (limited.limit == 0)
        limited.limit = 100;
    answer_init(a);
    switch (q->kind) {
    case ASK_ACCOUNT:
    case ASK_ACCOUNT_NAME:
    case ASK_ACCOUNTS_NAME: answer_accounts(d, q, a); break;
    case ASK_TOKEN:
    case ASK_TOKENS:
    case ASK_SESSIONS: answer_tokens(d, q, a); break;
    case ASK_LINK:
    case ASK_LINKS: answer_links(d, q, a); break;
    case ASK_GUESTS: answer_guests(d, q, a); break;
    case ASK_RENAMES: answer_renames(d, q, a); break;
    case ASK_TABLE: answer_table(d, q, a); break;
    case ASK_TABLES:
    case ASK_MINE: answer_tables(d, q, a); break;
    case ASK_KEY:
        key = disk_key(d, q->account, q->text, q->key, q->newer);
        a->text = key != NULL ? key->answer : NULL;
        break;
    case ASK_TEXTS: answer_texts(d, q, a); break;
    case ASK_NOTE:
        note = disk_note(d, q->account, q->table);
        a->text = note != NULL ? note->note : NULL;
        break;
    case ASK_ACCOUNTS: answer_people(d, q, a); break;
    case ASK_PERSON: answer_person(d, q, a); break;
    case ASK_AUDIT: answer_audit(d, q, a); break;
    case ASK_PRUNE: answer_prune(d, q, a); break;
    case ASK_SIZES: answer_sizes(d, a); break;
    }
}
