/* disk_answer.c -- what a store of arrays answers; see disk_outbox.c. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ascii.h"
#include "core/base.h"
#include "disk_lists.h"
#include "server/hub/access.h"
#include "server/hub/limits.h"

static const char *name_by_id(const struct disk *d, id_num id)
{
    const struct account_row *row = disk_account(d, id);
    return row != NULL ? row->name : NULL;
}

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
            ascii_compare(d->accounts[i].name, name) == 0)
            return &d->accounts[i];
    return NULL;
}

static const struct account_row *proxied(const struct disk *d,
                                         const char *user)
{
    for (size_t i = 0; i < d->proxied_count; i++)
        if (strcmp(d->proxied[i].user, user) == 0)
            return disk_account(d, d->proxied[i].account);
    return NULL;
}

static void answer_accounts(const struct disk *d, const struct question *q,
                            struct answer *a)
{
    size_t n = 1;

    while (q->kind == ASK_ACCOUNTS_NAME && q->u.names[n - 1] != NULL)
        n++;
    a->accounts = ROOM(a, n, struct account_row);
    if (q->kind == ASK_ACCOUNT)
        add_account(a, disk_account(d, q->u.account));
    else if (q->kind == ASK_ACCOUNT_NAME)
        add_account(a, called(d, q->u.name));
    else if (q->kind == ASK_PROXIED)
        add_account(a, proxied(d, q->u.name));
    else
        for (size_t i = 0; q->u.names[i] != NULL; i++)
            add_account(a, called(d, q->u.names[i]));
}

static int by_name(const void *a, const void *b)
{
    return ascii_compare(((const struct account_row *)a)->name,
                         ((const struct account_row *)b)->name);
}

void cut(size_t *count, size_t limit, struct answer *a)
{
    a->more = *count > limit;
    if (a->more)
        *count = limit;
}

static void answer_people(const struct disk *d, const struct question *q,
                          struct answer *a)
{
    const char *after = q->u.accounts.after;

    a->accounts = ROOM(a, d->account_count, struct account_row);
    for (size_t i = 0; i < d->account_count; i++) {
        const struct account_row *row = &d->accounts[i];
        if (row->kind != ACCOUNT_DELETED &&
            ascii_compare(row->name, after != NULL ? after : "") > 0 &&
            (q->u.accounts.kind < 0 || row->kind == q->u.accounts.kind) &&
            (q->u.accounts.banned == 0 ||
             row->banned_until > q->u.accounts.banned))
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
    struct account_row last = {.id = q->u.guests.after,
                               .seen = q->u.guests.after_seen};

    a->accounts = ROOM(a, d->account_count, struct account_row);
    for (size_t i = 0; i < d->account_count; i++)
        if (d->accounts[i].kind == ACCOUNT_GUEST &&
            d->accounts[i].seen <= q->u.guests.until &&
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

static bool token_wanted(const struct question *q, const struct token_row *t)
{
    if (q->kind == ASK_TOKEN)
        return memcmp(t->hash, q->u.hash, sizeof(t->hash)) == 0;
    if (q->kind == ASK_TOKENS)
        return t->account == q->u.account;
    return t->id > q->u.sessions.after &&
           (q->u.sessions.account == 0 || t->account == q->u.sessions.account);
}

static void answer_tokens(const struct disk *d, const struct question *q,
                          struct answer *a)
{
    a->tokens = ROOM(a, d->token_count, struct token_row);
    a->accounts = ROOM(a, d->token_count, struct account_row);
    for (size_t i = 0; i < d->token_count; i++) {
        const struct token_row *t = &d->tokens[i];
        if (token_wanted(q, t))
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
                ? memcmp(l->hash, q->u.hash, sizeof(l->hash)) == 0
                : l->purpose == q->u.links.purpose &&
                      l->id > q->u.links.after &&
                      (q->u.links.table == 0 || l->table == q->u.links.table))
            a->links[a->link_count++] = *l;
    }
    if (q->kind == ASK_LINKS) {
        qsort(a->links, a->link_count, sizeof(*a->links), link_by_id);
        cut(&a->link_count, q->limit, a);
    } else if (a->link_count > 0 && a->links->account != 0) {
        add_account(a, disk_account(d, a->links->account));
    } else if (a->link_count > 0 && a->links->purpose == LINK_RESET) {
        disk_of_email(d, a->links->email, true, a);
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
        if (!is_in(t->sat, t->sat_count, id) && !disk_invited(t, id) &&
            t->row.owner != id)
            continue;
        struct account_row *row = &a->names[a->name_count++];
        *row = d->accounts[i];
        row->password = row->email = row->pending = NULL;
    }
}

/* An answer is looked at for long; what it was taken from may be gone then, but
 * for texts. */
static void *kept(struct answer *a, const void *list, size_t count,
                  size_t size)
{
    void *copy = region_take(&a->region, (count + 1) * size);

    if (count > 0)
        memcpy(copy, list, count * size);
    return copy;
}

static void answer_table(const struct disk *d, const struct question *q,
                         struct answer *a)
{
    struct disk_table *t = disk_table(d, q->u.table.id);

    if (t == NULL)
        return;
    a->table = kept(a, &t->row, 1, sizeof(t->row));
    size_t from = q->u.table.from < t->ply_count ? q->u.table.from
                                                 : t->ply_count;
    size_t until = q->u.table.until > 0 && q->u.table.until < t->ply_count
                       ? q->u.table.until
                       : t->ply_count;
    a->log_count = t->ply_count;
    a->ply_count = until > from ? until - from : 0;
    a->plies = kept(a, t->plies + from, a->ply_count, sizeof(*a->plies));
    add_names(d, t, a);
    a->invited_count = t->invited_count;
    a->invited = kept(a, t->invited, a->invited_count, sizeof(*a->invited));
    a->rename_count = t->rename_count;
    a->renames = kept(a, t->renames, a->rename_count, sizeof(*a->renames));
    disk_time_table(d, q->u.table.id, a);
    a->texts_last = t->text_count;
}

static void answer_texts(const struct disk *d, const struct question *q,
                         struct answer *a)
{
    struct disk_table *t = disk_table(d, q->u.texts.table);
    const struct disk_note *n = disk_note(d, q->u.texts.account,
                                          q->u.texts.table);

    a->texts = ROOM(a, q->limit, struct text_row);
    for (size_t i = t != NULL ? t->text_count : 0; i-- > 0 && !a->more;) {
        const struct text_row *row = &t->texts[i];
        if ((q->u.texts.room != ROOM_ANY && row->room != q->u.texts.room) ||
            (q->u.texts.before > 0 && row->number >= q->u.texts.before) ||
            disk_blocks(d, q->u.texts.account, row->from))
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

static struct access access_in(const struct disk *d,
                               const struct disk_table *t, id_num account)
{
    struct access s = access_of(account, t->row.owner, t->row.summary.seat,
                                t->row.summary.seats,
                                disk_invited(t, account));
    s.shut = disk_shut(d, t, account);
    return s;
}

static bool state_wanted(const struct summary *s, int state)
{
    return state >= 0 ? s->state == state : s->state != TABLE_ARCHIVED;
}

static bool table_wanted(const struct disk *d, const struct disk_table *t,
                         const struct question *q)
{
    struct access who = access_in(d, t, q->u.tables.account);
    const char *game = q->u.tables.game;

    if (q->u.tables.mine && !who.sits && !who.invited)
        return false;
    if (q->u.tables.offered &&
        (t->row.summary.offered == 0 || t->row.private_ || who.shut))
        return false;
    if (!q->u.tables.all && !access_sees(who, &t->row))
        return false;
    return state_wanted(&t->row.summary, q->u.tables.state) &&
           (game == NULL || strcmp(game, t->row.game) == 0);
}

static bool mine_wanted(const struct disk *d, const struct disk_table *t,
                        const struct question *q)
{
    const struct summary *s = &t->row.summary;
    struct access who = access_in(d, t, q->u.mine.account);
    bool over = s->state > TABLE_PLAYING;
    bool invited = !q->u.mine.seated && who.invited &&
                   s->state == TABLE_OPEN && !who.shut;

    if ((!who.sits && !invited) || s->state == TABLE_ARCHIVED)
        return false;
    if (over && (q->u.mine.running ||
                 (q->u.mine.newer != 0 && s->changed <= q->u.mine.newer)))
        return false;
    return state_wanted(s, q->u.mine.state);
}

/* Whether T waits for ACCOUNT; and when it is due, since when it waits, or when
 * it changed. */
static enum listed_waits waits(const struct disk_table *t, id_num account,
                               int64_t *ret_at)
{
    const struct summary *s = &t->row.summary;

    *ret_at = s->changed;
    for (int seat = 0; seat < s->seats; seat++)
        if (s->seat[seat] == account && s->state == TABLE_PLAYING &&
            (s->acting >> seat & 1) != 0) {
            bool due = s->due[seat] != 0;
            *ret_at = due ? s->due[seat] : s->since[seat];
            return due ? LISTED_DUE : LISTED_WAITS;
        }
    return LISTED_CALM;
}

/* Below 0 if A comes before B in one's own list. */
static int urgency(const struct listed *a, const struct listed *b)
{
    if (a->waits != b->waits)
        return a->waits > b->waits ? -1 : 1;
    if (a->at != b->at)
        return (a->at < b->at) == (a->waits != LISTED_CALM) ? -1 : 1;
    return a->table.id > b->table.id ? -1 : a->table.id < b->table.id;
}

static int by_urgency(const void *a, const void *b)
{
    return urgency(a, b);
}

static uint64_t unread(const struct disk *d, const struct disk_table *t,
                       id_num account)
{
    struct access who = access_in(d, t, account);
    const struct disk_note *note = disk_note(d, account, t->row.id);
    uint64_t mark = note != NULL ? note->mark : 0, n = 0;

    if (!who.sits && (note == NULL || !note->marked))
        return 0;
    for (size_t i = 0; i < t->text_count; i++)
        n += t->texts[i].number > mark && t->texts[i].from != account &&
             !disk_blocks(d, account, t->texts[i].from) &&
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
    if (q->kind == ASK_OUTBOX) {
        l->unread = unread(d, t, q->u.outbox.account);
        l->invited = access_in(d, t, q->u.outbox.account).invited;
        l->shut = disk_shut(d, t, q->u.outbox.account);
    }
    if (q->kind != ASK_MINE)
        return;
    l->unread = unread(d, t, q->u.mine.account);
    l->waits = (uint8_t)waits(t, q->u.mine.account, &l->at);
}

/* Where the list goes on; its end if it is behind what is not there. */
static size_t behind(const struct question *q, const struct listed *list,
                     size_t n)
{
    size_t i = 0;

    if (q->u.tables.after == 0)
        return 0;
    while (i < n && list[i].table.id != q->u.tables.after)
        i++;
    return i < n ? i + 1 : n;
}

static size_t behind_mine(const struct question *q, const struct listed *list,
                          size_t n)
{
    struct listed last = {
        .waits = q->u.mine.after_waits,
        .at = q->u.mine.after_at,
        .table.id = q->u.mine.after,
    };
    size_t i = 0;

    while (last.table.id != 0 && i < n && urgency(&list[i], &last) <= 0)
        i++;
    return i;
}

static void answer_tables(const struct disk *d, const struct question *q,
                          struct answer *a)
{
    struct listed *list = ROOM(a, d->table_count, struct listed);
    bool mine = q->kind == ASK_MINE;
    size_t n = 0;

    for (size_t i = d->table_count; i-- > 0;) /* the newest first */
        if (mine ? mine_wanted(d, d->tables[i], q)
                 : table_wanted(d, d->tables[i], q))
            list_one(d, d->tables[i], q, &list[n++]);
    if (mine)
        qsort(list, n, sizeof(*list), by_urgency);
    size_t from = mine ? behind_mine(q, list, n) : behind(q, list, n);
    a->tables = list + from;
    a->listed_count = n - from;
    cut(&a->listed_count, q->limit, a);
}

void disk_these(const struct disk *d, const struct question *q,
                struct answer *a)
{
    id_num account = q->u.outbox.account;

    a->tables = ROOM(a, q->u.outbox.table_count, struct listed);
    for (size_t i = 0; i < q->u.outbox.table_count; i++) {
        const struct disk_table *t = disk_table(d, q->u.outbox.tables[i]);
        if (t != NULL && access_sees(access_in(d, t, account), &t->row))
            list_one(d, t, q, &a->tables[a->listed_count++]);
    }
    cut(&a->listed_count, q->limit, a);
}

static bool is_untold(const struct disk *d, id_num table)
{
    for (size_t i = 0; i < d->untold_count; i++)
        if (d->untold[i].table == table)
            return true;
    return false;
}

static void answer_renames(const struct disk *d, const struct question *q,
                           struct answer *a)
{
    a->tables = ROOM(a, d->table_count, struct listed);
    for (size_t i = 0; i < d->table_count && a->listed_count < q->limit; i++)
        if (d->tables[i]->rename_count > 0 ||
            is_untold(d, d->tables[i]->row.id))
            a->tables[a->listed_count++].table.id = d->tables[i]->row.id;
    a->more = a->listed_count == q->limit;
}

static void answer_due(const struct disk *d, const struct question *q,
                       struct answer *a)
{
    bool behind = q->u.behind == 0;

    a->tables = ROOM(a, d->table_count, struct listed);
    for (size_t i = 0; i < d->table_count && a->listed_count < q->limit; i++) {
        const struct table_row *row = &d->tables[i]->row;
        if (behind && (row->terms != NULL || d->tables[i]->due) &&
            row->summary.state == TABLE_PLAYING)
            a->tables[a->listed_count++] = (struct listed){
                .table = *row,
                .at = disk_time_remind(d, row),
            };
        behind = behind || row->id == q->u.behind;
    }
    a->more = a->listed_count == q->limit;
}

/* ---- for the operator ------------------------------------------------------- */

static struct person_row *next_part(struct answer *a)
{
    return &a->parts[a->part_count++];
}

/* T as a row of those that ACCOUNT sits at, made or is invited to. */
static void part_is_table(const struct disk_table *t, id_num account,
                          struct answer *a)
{
    struct person_row *row = next_part(a);

    row->u.table.table = t->row.id;
    row->u.table.game = t->row.game;
    row->u.table.state = t->row.summary.state;
    row->u.table.created = t->row.created;
    row->u.table.seat = -1;
    for (size_t i = 0; i < t->result_count; i++)
        if (t->results[i].row.account == account) {
            row->u.table.place = t->results[i].row.place;
            row->u.table.points = t->results[i].row.points;
            row->u.table.rated = t->results[i].rated;
            row->u.table.rating = t->results[i].rating;
        }
    for (int seat = 0; seat < RULES_SEATS_MAX; seat++)
        if (t->row.summary.seat[seat] == account)
            row->u.table.seat = seat;
}

static void part_of_texts(const struct disk_table *t, id_num account,
                          struct answer *a)
{
    for (size_t i = 0; i < t->text_count; i++) {
        if (t->texts[i].from != account)
            continue;
        struct text_row *text = &next_part(a)->u.text;
        *text = t->texts[i];
        text->table = t->row.id;
    }
}

static void part_of_table(const struct disk *d, const struct disk_table *t,
                          enum person_part part, id_num account,
                          struct answer *a)
{
    const struct disk_note *note = disk_note(d, account, t->row.id);
    struct person_row *row;

    if ((part == PERSON_SEATS && is_in(t->sat, t->sat_count, account)) ||
        (part == PERSON_OWNED && t->row.owner == account) ||
        (part == PERSON_INVITES && disk_invited(t, account)))
        part_is_table(t, account, a);
    if (part == PERSON_TEXTS)
        part_of_texts(t, account, a);
    if (part == PERSON_NOTES && note != NULL && note->note != NULL) {
        row = next_part(a);
        row->u.note.table = t->row.id;
        row->u.note.text = note->note;
    }
    if (part == PERSON_STUDIES && note != NULL && note->study != NULL) {
        row = next_part(a);
        row->u.note.table = t->row.id;
        row->u.note.text = note->study;
    }
    if (part == PERSON_MARKS && note != NULL && note->marked) {
        row = next_part(a);
        row->u.mark.table = t->row.id;
        row->u.mark.number = note->mark;
    }
}

static int by_key_at(const void *a, const void *b)
{
    int64_t x = ((const struct person_row *)a)->u.key.at;
    int64_t y = ((const struct person_row *)b)->u.key.at;

    return x < y ? -1 : x > y;
}

static int by_link_made(const void *a, const void *b)
{
    int64_t x = ((const struct person_row *)a)->u.link.made;
    int64_t y = ((const struct person_row *)b)->u.link.made;

    return x < y ? -1 : x > y;
}

static int by_used(const void *a, const void *b)
{
    int64_t x = ((const struct person_row *)a)->u.used;
    int64_t y = ((const struct person_row *)b)->u.used;

    return x < y ? -1 : x > y;
}

static void part_of_keys(const struct disk *d, id_num account,
                         struct answer *a)
{
    for (size_t i = 0; i < d->key_count; i++) {
        if (d->keys[i].account != account)
            continue;
        struct person_row *row = next_part(a);
        row->u.key.method = d->keys[i].method;
        row->u.key.key = d->keys[i].key;
        row->u.key.at = d->keys[i].at;
    }
    qsort(a->parts, a->part_count, sizeof(*a->parts), by_key_at);
}

static void part_of_links(const struct disk *d, id_num account,
                          struct answer *a)
{
    for (size_t i = 0; i < d->link_count; i++)
        if (d->links[i].account == account || d->links[i].maker == account)
            next_part(a)->u.link = d->links[i];
    qsort(a->parts, a->part_count, sizeof(*a->parts), by_link_made);
}

static void part_of_devices(const struct disk *d, id_num account,
                            struct answer *a)
{
    for (size_t i = 0; i < d->device_count; i++)
        if (d->devices[i].account == account)
            next_part(a)->u.used = d->devices[i].used;
    qsort(a->parts, a->part_count, sizeof(*a->parts), by_used);
}

static void part_of_ratings(const struct disk *d, id_num account,
                            struct answer *a)
{
    struct rating_row *rows = ROOM(a, d->rating_count, struct rating_row);
    size_t n;

    disk_ratings_of(d, account, rows, &n);
    for (size_t i = 0; i < n; i++)
        next_part(a)->u.rating = rows[i];
}

static void part_of_totp(const struct disk *d, id_num account,
                         struct answer *a)
{
    for (size_t i = 0; i < d->totp_count; i++) {
        const struct totp_row *t = &d->totps[i].row;
        if (t->account != account || t->removed != 0)
            continue;
        struct person_row *row = next_part(a);
        row->u.totp.made = t->made;
        row->u.totp.confirmed = t->confirmed;
        for (size_t k = 0; k < d->recovery_count; k++)
            row->u.totp.recovery += d->recovery[k].account == account;
    }
}

static void answer_person(const struct disk *d, const struct question *q,
                          struct answer *a)
{
    size_t most = d->table_count + d->key_count + d->link_count +
                  d->hours_count + d->device_count + d->totp_count +
                  d->proxied_count + d->absence_count + d->away_count +
                  d->rating_count + d->block_count;
    enum person_part part = q->u.person.part;

    for (size_t i = 0; i < d->table_count; i++)
        most += d->tables[i]->text_count;
    a->parts = ROOM(a, most, struct person_row);
    for (size_t i = 0; i < d->table_count; i++)
        part_of_table(d, d->tables[i], part, q->u.person.account, a);
    if (part == PERSON_KEYS)
        part_of_keys(d, q->u.person.account, a);
    if (part == PERSON_HOURS && disk_hours(d, q->u.person.account) != NULL)
        next_part(a)->u.hours = *disk_hours(d, q->u.person.account);
    for (size_t i = 0; i < d->proxied_count; i++)
        if (part == PERSON_PROXIED &&
            d->proxied[i].account == q->u.person.account)
            next_part(a)->u.user = d->proxied[i].user;
    for (size_t i = 0; i < d->absence_count; i++)
        if (part == PERSON_ABSENCES &&
            d->absences[i].account == q->u.person.account)
            next_part(a)->u.absence = d->absences[i];
    for (size_t i = 0; i < d->away_count; i++)
        if (part == PERSON_AWAY && d->away[i].account == q->u.person.account)
            next_part(a)->u.auto_ = d->away[i].row.auto_;
    for (size_t i = 0; i < d->block_count; i++)
        if (part == PERSON_BLOCKS &&
            d->blocks[i].account == q->u.person.account) {
            struct block_row *b = &next_part(a)->u.block;
            *b = d->blocks[i];
            b->name = name_by_id(d, b->other);
        }
    if (part == PERSON_RATINGS)
        part_of_ratings(d, q->u.person.account, a);
    if (part == PERSON_DEVICES)
        part_of_devices(d, q->u.person.account, a);
    if (part == PERSON_TOTP)
        part_of_totp(d, q->u.person.account, a);
    if (part == PERSON_LINKS)
        part_of_links(d, q->u.person.account, a);
    size_t from = q->u.person.from < a->part_count ? q->u.person.from
                                                   : a->part_count;
    a->parts += from;
    a->part_count -= from;
    cut(&a->part_count, q->limit, a);
}

/* The last first. */
static void answer_audit(const struct disk *d, const struct question *q,
                         struct answer *a)
{
    a->audits = ROOM(a, d->audit_count, struct audit_row);
    for (size_t i = d->audit_count; i-- > 0;) {
        const struct audit_row *row = &d->audits[i];
        if ((q->u.audit.before > 0 && row->number >= q->u.audit.before) ||
            (q->u.audit.table != 0 && row->table != q->u.audit.table) ||
            (q->u.audit.account != 0 && row->account != q->u.audit.account))
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
                                   d->tokens[i].expires <= q->u.prune_at;
    for (size_t i = 0; i < d->key_count; i++)
        a->counts[PRUNE_KEYS] += d->keys[i].at <= q->u.prune_at - LIMIT_KEY_MS;
}

static void answer_news(const struct disk *d, const struct question *q,
                        struct answer *a)
{
    a->news_last = d->news_last;
    a->news_lost = q->u.after < d->news_from;
    a->news = ROOM(a, d->news_count, struct news_row);
    for (size_t i = 0; i < d->news_count; i++)
        if (d->news[i].number > q->u.after)
            a->news[a->news_count++] = d->news[i];
    cut(&a->news_count, q->limit, a);
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
    if (disk_outbox_answer(d, q, a) || disk_time_answer(d, q, a) ||
        disk_block_answer(d, q, a) || disk_results_answer(d, q, a))
        return;
    switch (q->kind) {
    case ASK_ACCOUNT:
    case ASK_ACCOUNT_NAME:
    case ASK_PROXIED:
    case ASK_ACCOUNTS_NAME: answer_accounts(d, q, a); break;
    case ASK_TOKEN:
    case ASK_TOKENS:
    case ASK_SESSIONS: answer_tokens(d, q, a); break;
    case ASK_LINK:
    case ASK_LINKS: answer_links(d, q, a); break;
    case ASK_GUESTS: answer_guests(d, q, a); break;
    case ASK_RENAMES: answer_renames(d, q, a); break;
    case ASK_REMATCH:
        a->rematch = disk_rematch(d, disk_table(d, q->u.table.id));
        break;
    case ASK_DUE: answer_due(d, q, a); break;
    case ASK_TABLE: answer_table(d, q, a); break;
    case ASK_TABLES:
    case ASK_MINE: answer_tables(d, q, a); break;
    case ASK_KEY:
        key = disk_key(d, q->u.key.account, q->u.key.method, q->u.key.key,
                       q->u.key.newer);
        a->text = key != NULL ? key->answer : NULL;
        break;
    case ASK_TEXTS: answer_texts(d, q, a); break;
    case ASK_NOTE:
        note = disk_note(d, q->u.note.account, q->u.note.table);
        a->text = note != NULL ? note->note : NULL;
        break;
    case ASK_STUDY:
        note = disk_note(d, q->u.note.account, q->u.note.table);
        a->text = note != NULL ? note->study : NULL;
        break;
    case ASK_ACCOUNTS: answer_people(d, q, a); break;
    case ASK_PERSON: answer_person(d, q, a); break;
    case ASK_AUDIT: answer_audit(d, q, a); break;
    case ASK_PRUNE: answer_prune(d, q, a); break;
    case ASK_SIZES: answer_sizes(d, a); break;
    case ASK_NEWS: answer_news(d, q, a); break;
    case ASK_EMAIL:
    case ASK_SECRET:
    case ASK_STOPPED:
    case ASK_FACTORS: disk_account_answer(d, q, a); break;
    default: break;
    }
}
