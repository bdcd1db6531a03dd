/* disk.c -- what is kept, and what transactions do to it; see
 * disk_answer.c. */

#include "core/ascii.h"
#include "disk_lists.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "disk_lists.h"
#include "server/hub/limits.h"

/* ---- arrays ----------------------------------------------------------- */

void *grown(void *list, size_t count, size_t size)
{
    if ((count & (count - 1)) != 0 && count != 0)
        return list;
    list = realloc(list, (count ? 2 * count : 1) * size);
    ASSERT(list != NULL);
    return list;
}

void *list_copy(const void *list, size_t count, size_t size)
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

static const char *copied(struct region *r, const char *text)
{
    return text != NULL ? region_text(r, text, strlen(text)) : NULL;
}

/* ---- what is there ------------------------------------------------------ */

struct disk_table *disk_table(const struct disk *d, id_num id)
{
    for (size_t i = d->table_count; i-- > 0;) /* mostly it is a new one */
        if (d->tables[i]->row.id == id)
            return d->tables[i];
    return NULL;
}

struct account_row *disk_account_row(struct disk *d, id_num id)
{
    for (size_t i = 0; i < d->account_count; i++)
        if (d->accounts[i].id == id)
            return &d->accounts[i];
    return NULL;
}

const struct account_row *disk_account(const struct disk *d, id_num id)
{
    return disk_account_row((struct disk *)d, id);
}

bool disk_sits(const struct disk_table *t, id_num account)
{
    for (int seat = 0; seat < RULES_SEATS_MAX; seat++)
        if (account != 0 && t->row.summary.seat[seat] == account)
            return true;
    return false;
}

bool disk_plays(const struct disk *d, id_num account, unsigned states)
{
    for (size_t i = 0; i < d->table_count; i++)
        if ((states >> d->tables[i]->row.summary.state & 1) != 0 &&
            disk_sits(d->tables[i], account))
            return true;
    return false;
}

const struct disk_key *disk_key(const struct disk *d, id_num account,
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

const struct disk_note *disk_note(const struct disk *d, id_num account,
                                  id_num table)
{
    for (size_t i = 0; i < d->note_count; i++)
        if (d->notes[i].account == account && d->notes[i].table == table)
            return &d->notes[i];
    return NULL;
}

const struct hours_row *disk_hours(const struct disk *d, id_num account)
{
    for (size_t i = 0; i < d->hours_count; i++)
        if (d->hours[i].account == account)
            return &d->hours[i].row;
    return NULL;
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

static bool is_in(const id_num *list, size_t count, id_num id)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == id)
            return true;
    return false;
}

bool disk_sat(const struct disk_table *t, id_num account)
{
    return is_in(t->sat, t->sat_count, account);
}

bool disk_invited(const struct disk_table *t, id_num account)
{
    for (size_t i = 0; i < t->invited_count; i++)
        if (t->invited[i].account == account)
            return true;
    return false;
}

id_num disk_rematch(const struct disk *d, const struct disk_table *t)
{
    for (; t != NULL && t->rematch != 0;) {
        t = disk_table(d, t->rematch);
        if (t != NULL && t->row.summary.state != TABLE_ABANDONED)
            return t->row.id;
    }
    return 0;
}

static const uint8_t *last_chain(const struct disk_table *t)
{
    return t->ply_count > 0 ? t->plies[t->ply_count - 1].chain : NULL;
}

static bool same_chain(const uint8_t *a, const uint8_t *b)
{
    return a == NULL || b == NULL ? a == b : memcmp(a, b, SHA256_SIZE) == 0;
}

/* ---- whether an op holds -------------------------------------------------- */

static bool name_taken(const struct disk *d, id_num id, const char *name)
{
    for (size_t i = 0; i < d->account_count; i++)
        if (d->accounts[i].id != id &&
            d->accounts[i].kind != ACCOUNT_DELETED &&
            ascii_compare(d->accounts[i].name, name) == 0)
            return true;
    return false;
}

/* Whether a study is one of at most so many, of somebody who is not deleted. */
static bool may_study(const struct disk *d, const struct op *op)
{
    const struct account_row *a = disk_account(d, op->account);
    size_t others = 0;

    if (op->u.note[0] != '\0' && (a == NULL || a->kind == ACCOUNT_DELETED))
        return false;
    for (size_t i = 0; i < d->note_count; i++)
        others += d->notes[i].account == op->account &&
                  d->notes[i].table != op->table && d->notes[i].study != NULL;
    return op->u.note[0] == '\0' || others < LIMIT_STUDIES;
}

/* Who was deleted is called nothing. */
static bool may_be_called(const struct disk *d, id_num id, const char *name,
                          bool new_)
{
    const struct account_row *is = disk_account(d, id);

    if (is == NULL ? !new_ : is->kind == ACCOUNT_DELETED)
        return true;
    return !name_taken(d, id, name);
}

static bool still(const struct disk *d, const struct account_row *row)
{
    const struct account_row *is = disk_account(d, row->id);
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

static bool guest_gone(const struct disk *d, id_num id, int64_t seen)
{
    const struct account_row *row = disk_account(d, id);

    return row != NULL && row->kind == ACCOUNT_GUEST && row->seen <= seen &&
           !disk_plays(d, id, 1u << TABLE_OPEN | 1u << TABLE_PLAYING);
}

static bool is_proxied(const struct disk *d, const char *user)
{
    for (size_t i = 0; i < d->proxied_count; i++)
        if (user != NULL && strcmp(d->proxied[i].user, user) == 0)
            return true;
    return false;
}

static bool hours_still(const struct disk *d, const struct op *op)
{
    const struct account_row *who = disk_account(d, op->account);
    const struct hours_row *is = disk_hours(d, op->account);

    return who == NULL || who->kind == ACCOUNT_DELETED ||
           (is != NULL ? is->changed : 0) == op->u.hours.was;
}

/* Of one that is about a table: which must be there. */
static bool holds_at(const struct disk_table *t, const struct op *op)
{
    const uint8_t *archived = op->u.archive.chain;

    switch (op->kind) {
    case OP_PLIES: return same_chain(last_chain(t), op->u.plies.expect);
    case OP_ARCHIVE:
        return t->row.summary.state == TABLE_FINISHED &&
               same_chain(last_chain(t), archived);
    case OP_RETURN:
        return t->row.summary.state == TABLE_ARCHIVED &&
               same_chain(t->archived, archived);
    case OP_TEXT: return op->u.text.number == t->text_count + 1;
    default: return true;
    }
}

static bool holds(const struct disk *d, const struct op *op,
                  const struct disk_table *t)
{
    switch (op->kind) {
    case OP_ACCOUNT:
        return op->u.account_row.kind == ACCOUNT_DELETED ||
               may_be_called(d, op->u.account_row.id, op->u.account_row.name,
                             true);
    case OP_NAME: return may_be_called(d, op->account, op->u.note, false);
    case OP_STUDY: return may_study(d, op);
    case OP_REMATCH: return disk_rematch(d, t) == 0;
    case OP_INVITE_DROP: return disk_invited(t, op->account);
    case OP_REQUIRE_ACCOUNT: return still(d, &op->u.account_row);
    case OP_REQUIRE_TOKEN: return token_still(d, &op->u.token);
    case OP_GUEST_DROP: return guest_gone(d, op->account, op->u.at);
    case OP_HOURS: return hours_still(d, op);
    case OP_PROXIED:
        return !op->u.proxied.is_new || !is_proxied(d, op->u.proxied.user);
    case OP_TABLE: return disk_table(d, op->u.table_row.id) == NULL;
    case OP_TEXT_DROP: return text_there(d, &op->u.text) != NULL;
    case OP_RATINGS_ANEW: return disk_ratings_hold(d, op);
    case OP_ARCHIVE:
    case OP_RETURN: return t != NULL && holds_at(t, op);
    case OP_KEY:
        return disk_key(d, op->account, op->u.key.method, op->u.key.key,
                        op->u.key.at - LIMIT_KEY_MS) == NULL;
    default:
        return (t == NULL || holds_at(t, op)) && disk_account_holds(d, op) &&
               disk_time_holds(d, op) && disk_block_holds(d, op);
    }
}

/* Whether it asks for something that can be. */
static bool possible(const struct op *op, const struct disk_table *t)
{
    switch (op->kind) {
    case OP_PLIES:
        if (t == NULL || op->u.plies.count == 0)
            return false;
        for (size_t i = 0; i < op->u.plies.count; i++)
            if (op->u.plies.rows[i].ply != t->ply_count + i ||
                op->u.plies.rows[i].line == NULL)
                return false;
        return true;
    case OP_RESULTS: return t != NULL && op->u.results.count <= RESULTS_MAX;
    case OP_INVITE:
    case OP_INVITE_DROP:
    case OP_REMATCH:
    case OP_RENAMED:
    case OP_NAMED:
    case OP_TEXT:
    case OP_TEXT_DROP:
    case OP_MARK:
    case OP_NOTE:
    case OP_STUDY:
    case OP_KNOWS:
    case OP_DUE:
    case OP_REQUIRE_TOLD:
    case OP_ORDER:
    case OP_ORDERS_DROP:
    case OP_REMINDER:
    case OP_REMINDERS_DROP: return t != NULL;
    default: return true;
    }
}

/* ---- accounts ----------------------------------------------------------- */

/* T is to be told that ACCOUNT is called WAS no more. */
static void put_due(struct disk_table *t, id_num account, const char *was)
{
    for (size_t i = 0; i < t->rename_count; i++)
        if (t->renames[i].id == account)
            return;
    *NEXT(t->renames, t->rename_count) = (struct account_row){
        .id = account,
        .name = was,
    };
}

/* Tables that are not over are to be told of another name than WAS has. */
static void put_renames(struct disk *d, const struct account_row *was,
                        const char *name)
{
    if (was->kind == ACCOUNT_DELETED || strcmp(was->name, name) == 0)
        return;
    for (size_t i = 0; i < d->table_count; i++)
        if (disk_sits(d->tables[i], was->id) &&
            d->tables[i]->row.summary.state <= TABLE_PLAYING)
            put_due(d->tables[i], was->id, was->name);
}

static void put_account(struct disk *d, const struct account_row *row)
{
    struct account_row *a = disk_account_row(d, row->id);
    struct account_row was = {0};

    if (a == NULL)
        a = NEXT(d->accounts, d->account_count);
    else if (a->kind == ACCOUNT_DELETED)
        return;
    else {
        put_renames(d, a, row->name);
        was = *a;
    }
    *a = *row;
    a->banned_until = was.banned_until;
    a->banned_reason = was.banned_reason;
    a->name = copied(&d->region, row->name);
    a->password = copied(&d->region, row->password);
    a->email = copied(&d->region, row->email);
    a->confirmed = 0;
    a->pending = NULL;
    if (was.email != NULL && row->email != NULL &&
        strcmp(was.email, row->email) == 0) {
        a->confirmed = was.confirmed;
        a->pending = was.pending;
    }
}

/* Nothing of it is left but that it was there. */
static void empty_account(struct account_row *a)
{
    *a = (struct account_row){
        .id = a->id,
        .kind = ACCOUNT_DELETED,
        .name = "",
        .created = a->created,
        .seen = a->seen,
    };
}

static void drop_tokens(struct disk *d, const struct token_row *one,
                        bool all_but)
{
    DROP(struct token_row, d->tokens, d->token_count, t,
         t->account == one->account && (t->id == one->id) != all_but);
}

/* What is ACCOUNT's own. */
static void drop_own(struct disk *d, id_num account)
{
    drop_tokens(d, &(struct token_row){.account = account}, true);
    disk_account_forget(d, account);
    disk_outbox_forget(d, account);
    disk_time_forget(d, account);
    disk_results_forget(d, account);
    disk_block_forget(d, account);
    DROP(struct disk_key, d->keys, d->key_count, k, k->account == account);
    DROP(struct disk_note, d->notes, d->note_count, n, n->account == account);
    DROP(struct disk_hours, d->hours, d->hours_count, h,
         h->account == account);
    DROP(struct disk_proxied, d->proxied, d->proxied_count, p,
         p->account == account);
    for (size_t i = 0; i < d->table_count; i++) {
        struct disk_table *t = d->tables[i];
        DROP(struct invitation, t->invited, t->invited_count, who,
             who->account == account);
    }
}

static void drop_account(struct disk *d, id_num id)
{
    struct account_row *a = disk_account_row(d, id);

    if (a == NULL)
        return;
    put_renames(d, a, "");
    drop_own(d, id);
    empty_account(a);
}

/* Whether a game or a text names them. */
static bool named(const struct disk *d, id_num account)
{
    for (size_t i = 0; i < d->table_count; i++) {
        const struct disk_table *t = d->tables[i];
        if (is_in(t->sat, t->sat_count, account))
            return true;
        for (size_t k = 0; k < t->text_count; k++)
            if (t->texts[k].from == account)
                return true;
    }
    return false;
}

static void drop_guest(struct disk *d, id_num id)
{
    drop_own(d, id);
    for (size_t i = 0; i < d->table_count; i++) {
        struct disk_table *t = d->tables[i];
        DROP(struct account_row, t->renames, t->rename_count, r, r->id == id);
    }
    DROP(struct place, d->untold, d->untold_count, p, p->account == id);
    if (named(d, id))
        empty_account(disk_account_row(d, id));
    else
        DROP(struct account_row, d->accounts, d->account_count, a,
             a->id == id);
}

static void put_proxied(struct disk *d, const struct op *op)
{
    const struct account_row *who = disk_account(d, op->account);
    const char *user = op->u.proxied.user;

    DROP(struct disk_proxied, d->proxied, d->proxied_count, p,
         p->account == op->account ||
             (user != NULL && strcmp(p->user, user) == 0));
    if (user == NULL || who == NULL || who->kind != ACCOUNT_USER)
        return;
    struct disk_proxied *p = NEXT(d->proxied, d->proxied_count);
    *p = (struct disk_proxied){op->account, copied(&d->region, user)};
}

static void put_hours(struct disk *d, const struct op *op)
{
    const struct account_row *who = disk_account(d, op->account);

    if (who == NULL || who->kind == ACCOUNT_DELETED)
        return;
    DROP(struct disk_hours, d->hours, d->hours_count, h,
         h->account == op->account);
    struct disk_hours *h = NEXT(d->hours, d->hours_count);
    *h = (struct disk_hours){op->account, op->u.hours.row};
    h->row.zone = copied(&d->region, op->u.hours.row.zone);
    disk_time_untold(d, op->account);
}

static void change_account(struct disk *d, const struct op *op)
{
    struct account_row *a = disk_account_row(d, op->account);

    if (a == NULL || a->kind == ACCOUNT_DELETED)
        return;
    if (op->kind == OP_SEEN && a->seen < op->u.at)
        a->seen = op->u.at;
    if (op->kind == OP_BAN) {
        a->banned_until = op->u.ban.until;
        a->banned_reason = copied(&d->region, op->u.ban.reason);
    }
    if (op->kind == OP_PASSWORD && a->kind == ACCOUNT_USER)
        a->password = copied(&d->region, op->u.note);
    if (op->kind == OP_NAME) {
        put_renames(d, a, op->u.note);
        a->name = copied(&d->region, op->u.note);
    }
}

/* ---- tokens, links, keys -------------------------------------------------- */

static void put_token(struct disk *d, const struct token_row *token)
{
    DROP(struct token_row, d->tokens, d->token_count, t,
         t->id == token->id ||
             (t->account == token->account && t->expires != 0 &&
              t->expires <= token->created));
    struct token_row *t = NEXT(d->tokens, d->token_count);
    *t = *token;
    t->label = copied(&d->region, token->label);
}

static void put_key(struct disk *d, const struct op *op)
{
    struct disk_key *k;

    DROP(struct disk_key, d->keys, d->key_count, old,
         old->at <= op->u.key.at - LIMIT_KEY_MS);
    k = NEXT(d->keys, d->key_count);
    *k = (struct disk_key){
        op->account,
        region_copy(&d->region, op->u.key.method),
        region_copy(&d->region, op->u.key.key),
        region_copy(&d->region, op->u.key.answer),
        op->u.key.at,
    };
}

static void prune(struct disk *d, int64_t now)
{
    DROP(struct token_row, d->tokens, d->token_count, t,
         t->expires != 0 && t->expires <= now);
    DROP(struct disk_key, d->keys, d->key_count, k,
         k->at <= now - LIMIT_KEY_MS);
}

static void put_audit(struct disk *d, const struct audit_row *row)
{
    struct audit_row *a = NEXT(d->audits, d->audit_count);

    *a = *row;
    a->number = d->audit_count;
    a->name = NULL;
    a->method = copied(&d->region, row->method);
    a->what = copied(&d->region, row->what);
}

/* ---- tables --------------------------------------------------------------- */

static void put_summary(struct disk_table *t, const struct summary *now)
{
    t->row.summary = *now;
    for (int seat = 0; seat < RULES_SEATS_MAX; seat++) {
        if (now->seat[seat] == 0 ||
            is_in(t->sat, t->sat_count, now->seat[seat]))
            continue;
        ASSERT(t->sat_count < DISK_PEOPLE);
        t->sat[t->sat_count++] = now->seat[seat];
    }
}

static void put_table(struct disk *d, const struct table_row *row)
{
    struct disk_table *t = calloc(1, sizeof(*t));
    struct region *r = &t->region;

    ASSERT(t != NULL);
    t->row = *row;
    t->row.game = copied(r, row->game);
    t->row.join_password = copied(r, row->join_password);
    t->row.seed = copied(r, row->seed);
    t->row.header = copied(r, row->header);
    t->row.options = copied(r, row->options);
    t->row.board = copied(r, row->board);
    t->row.terms = copied(r, row->terms);
    t->row.asset = row->asset != NULL
                       ? region_text(r, row->asset, row->asset_len)
                       : NULL;
    put_summary(t, &row->summary);
    *NEXT(d->tables, d->table_count) = t;
}

static void put_plies(struct disk_table *t, const struct op *op)
{
    for (size_t i = 0; i < op->u.plies.count; i++) {
        const struct ply_row *row = &op->u.plies.rows[i];
        struct ply_row *kept = NEXT(t->plies, t->ply_count);
        ASSERT(strlen(row->line) == row->len);
        *kept = *row;
        kept->line = copied(&t->region, row->line);
    }
    put_summary(t, &op->u.plies.summary);
    t->row.summary.ply = (uint32_t)(t->ply_count - 1);
}

static void archive(struct disk_table *t, const struct op *op)
{
    memcpy(t->archived, op->u.archive.chain, SHA256_SIZE);
    t->ply_count = 0;
    t->row.summary.state = TABLE_ARCHIVED;
    t->row.summary.ply = 0;
}

static void put_text(struct disk_table *t, const struct text_row *row)
{
    struct text_row *x = NEXT(t->texts, t->text_count);

    *x = *row;
    x->body = copied(&t->region, row->body);
}

static void put_renamed(struct disk_table *t, id_num account)
{
    DROP(struct account_row, t->renames, t->rename_count, r, r->id == account);
}

static void put_named(struct disk *d, struct disk_table *t,
                      const struct op *op)
{
    const struct account_row *a = disk_account(d, op->account);

    put_renamed(t, op->account);
    if (a != NULL && strcmp(a->name, op->u.note) != 0)
        put_due(t, op->account, copied(&t->region, op->u.note));
}

static void put_note(struct disk *d, const struct op *op)
{
    struct disk_note *n = (struct disk_note *)disk_note(d, op->account,
                                                        op->table);
    if (n == NULL) {
        n = NEXT(d->notes, d->note_count);
        n->account = op->account;
        n->table = op->table;
    }
    if (op->kind == OP_MARK) {
        n->marked = true;
        if (n->mark < op->u.number)
            n->mark = op->u.number;
    } else {
        const char *text = op->u.note[0] != '\0'
                               ? copied(&d->region, op->u.note)
                               : NULL;
        if (op->kind == OP_NOTE)
            n->note = text;
        else
            n->study = text;
    }
}

static void put_invite(struct disk_table *t, const struct op *op)
{
    if (disk_invited(t, op->account))
        return;
    ASSERT(t->invited_count < DISK_PEOPLE);
    t->invited[t->invited_count] = op->u.invite;
    t->invited[t->invited_count++].account = op->account;
}

static void drop_invite(struct disk_table *t, id_num account)
{
    DROP(struct invitation, t->invited, t->invited_count, who,
         who->account == account);
}

/* ---- transactions ------------------------------------------------------- */

static void put(struct disk *d, const struct op *op, struct disk_table *t)
{
    if (disk_outbox_op(d, op) || disk_time_op(d, op) || disk_block_op(d, op))
        return;
    switch (op->kind) {
    case OP_ACCOUNT: put_account(d, &op->u.account_row); break;
    case OP_REQUIRE_ACCOUNT:
    case OP_REQUIRE_TOKEN: break; /* they held */
    case OP_SEEN:
    case OP_BAN:
    case OP_PASSWORD:
    case OP_NAME: change_account(d, op); break;
    case OP_GUEST_DROP: drop_guest(d, op->account); break;
    case OP_ACCOUNT_DROP: drop_account(d, op->account); break;
    case OP_HOURS: put_hours(d, op); break;
    case OP_PROXIED: put_proxied(d, op); break;
    case OP_AUDIT: put_audit(d, &op->u.audit); break;
    case OP_PRUNE: prune(d, op->u.at); break;
    case OP_TOKEN: put_token(d, &op->u.token); break;
    case OP_TOKEN_DROP: drop_tokens(d, &op->u.token, false); break;
    case OP_TOKENS_DROP: drop_tokens(d, &op->u.token, true); break;
    case OP_TABLE: put_table(d, &op->u.table_row); break;
    case OP_PLIES: put_plies(t, op); break;
    case OP_ARCHIVE: archive(t, op); break;
    case OP_RETURN: break; /* its plies follow */
    case OP_RESULTS: disk_put_results(d, t, op); break;
    case OP_RATINGS_ANEW:
    case OP_RATINGS_GONE: disk_put_ratings(d, op); break;
    case OP_INVITE: put_invite(t, op); break;
    case OP_INVITE_DROP: drop_invite(t, op->account); break;
    case OP_REMATCH: t->rematch = op->u.rematch; break;
    case OP_RENAMED: put_renamed(t, op->account); break;
    case OP_NAMED: put_named(d, t, op); break;
    case OP_KEY: put_key(d, op); break;
    case OP_TEXT: put_text(t, &op->u.text); break;
    case OP_TEXT_DROP: text_there(d, &op->u.text)->body = NULL; break;
    case OP_MARK:
    case OP_NOTE:
    case OP_STUDY: put_note(d, op); break;
    default: disk_account_op(d, op); break;
    }
}

static id_num table_of(const struct op *op)
{
    if (op->kind == OP_TABLE)
        return op->u.table_row.id;
    if (op->kind == OP_TEXT || op->kind == OP_TEXT_DROP)
        return op->u.text.table;
    return op->table;
}

static void table_free(struct disk_table *t)
{
    region_done(&t->region);
    free(t->plies);
    free(t->texts);
    free(t->renames);
    free(t);
}

static void lists_free(struct disk *d)
{
    for (size_t i = 0; i < d->table_count; i++)
        if (d->tables[i] != NULL)
            table_free(d->tables[i]);
    free(d->tables);
    free(d->accounts);
    free(d->tokens);
    free(d->links);
    disk_account_free(d);
    free(d->keys);
    free(d->notes);
    free(d->hours);
    free(d->proxied);
    free(d->audits);
    free(d->news);
    free(d->blocks);
    disk_outbox_free(d);
    disk_time_free(d);
    disk_results_free(d);
}

void disk_done(struct disk *d)
{
    lists_free(d);
    region_done(&d->region);
    *d = (struct disk){0};
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

/* Whether OP may change what is kept with tables other than its own. */
static bool reaches_far(const struct op *op)
{
    switch (op->kind) {
    case OP_REQUIRE_ACCOUNT:
    case OP_SEEN:
    case OP_HOURS:
    case OP_AWAY:
    case OP_KNOWS:
    case OP_REQUIRE_TOLD:
    case OP_ORDER:
    case OP_ORDERS_DROP:
    case OP_REMINDER:
    case OP_REMINDERS_DROP:
    case OP_AUDIT:
    case OP_PRUNE:
    case OP_TOKEN:
    case OP_REQUIRE_TOKEN:
    case OP_REQUIRE_APART:
    case OP_BLOCK:
    case OP_BLOCK_DROP:
    case OP_TOKEN_DROP:
    case OP_TOKENS_DROP:
    case OP_DEVICE:
    case OP_TABLE:
    case OP_PLIES:
    case OP_RESULTS:
    case OP_INVITE:
    case OP_INVITE_DROP:
    case OP_NAMED:
    case OP_KEY:
    case OP_NOTICES:
    case OP_LOOKED:
    case OP_TOLD:
    case OP_MESSAGE:
    case OP_MESSAGE_DROP:
    case OP_SENT:
    case OP_REMINDED:
    case OP_SIGN: return false;
    default: return true;
    }
}

/* Whether T is to be copied for TRANSACTION, as it may change it; NULL may change
 * all. */
static bool touches(const struct transaction *transaction, id_num t)
{
    if (transaction == NULL)
        return true;
    for (const struct op *op = transaction->first; op != NULL; op = op->next)
        if (reaches_far(op) || table_of(op) == t)
            return true;
    return false;
}

static void copy_for(struct disk *to, const struct disk *from,
                     const struct transaction *transaction)
{
    *to = *from;
    to->region = (struct region){0};
    to->accounts = list_copy(to->accounts, to->account_count,
                             sizeof(*to->accounts));
    to->tokens = list_copy(to->tokens, to->token_count, sizeof(*to->tokens));
    to->blocks = list_copy(to->blocks, to->block_count, sizeof(*to->blocks));
    to->links = list_copy(to->links, to->link_count, sizeof(*to->links));
    disk_account_copy(to);
    to->tables = list_copy(to->tables, to->table_count, sizeof(*to->tables));
    to->keys = list_copy(to->keys, to->key_count, sizeof(*to->keys));
    to->notes = list_copy(to->notes, to->note_count, sizeof(*to->notes));
    to->hours = list_copy(to->hours, to->hours_count, sizeof(*to->hours));
    to->proxied = list_copy(to->proxied, to->proxied_count,
                            sizeof(*to->proxied));
    to->audits = list_copy(to->audits, to->audit_count, sizeof(*to->audits));
    to->news = list_copy(to->news, to->news_count, sizeof(*to->news));
    disk_outbox_copy(to);
    disk_time_copy(to);
    disk_results_copy(to);
    for (size_t i = 0; i < to->table_count; i++)
        to->tables[i] = touches(transaction, to->tables[i]->row.id)
                            ? table_copy(to->tables[i])
                            : NULL;
}

void disk_copy(struct disk *to, const struct disk *from)
{
    copy_for(to, from, NULL);
}

/* Makes D what BEFORE is, a copy of it, whose texts are D's, but for tables that
 * are the same. */
static void go_back(struct disk *d, struct disk *before)
{
    before->region = d->region;
    for (size_t i = 0; i < before->table_count; i++) {
        if (before->tables[i] == NULL) {
            before->tables[i] = d->tables[i];
            d->tables[i] = NULL;
            continue;
        }
        before->tables[i]->region = d->tables[i]->region;
        d->tables[i]->region = (struct region){0};
    }
    lists_free(d);
    *d = *before;
}

static void put_news(struct disk *d, const char *text)
{
    struct news_row *row = NEXT(d->news, d->news_count);

    row->number = ++d->news_last;
    row->text = copied(&d->region, text);
}

struct transaction_outcome disk_store(struct disk *d,
                                      const struct transaction *transaction)
{
    struct transaction_outcome outcome = {TRANSACTION_STORED, 0, 0};
    bool many = transaction->first != NULL && transaction->first->next != NULL;
    struct disk before = {0};

    if (many)
        copy_for(&before, d, transaction);
    for (const struct op *op = transaction->first; op != NULL; op = op->next) {
        struct disk_table *t = disk_table(d, table_of(op));
        if (!holds(d, op, t))
            outcome = (struct transaction_outcome){TRANSACTION_CONFLICT,
                                                   op->kind, table_of(op)};
        else if (!possible(op, t))
            outcome.result = TRANSACTION_FAILED;
        if (outcome.result != TRANSACTION_STORED)
            break;
        put(d, op, t);
    }
    if (many && outcome.result != TRANSACTION_STORED)
        go_back(d, &before);
    else
        lists_free(&before);
    if (transaction->news != NULL && outcome.result == TRANSACTION_STORED)
        put_news(d, transaction->news);
    return outcome;
}
