/* outbox_change.c -- what a change has to be told of, as rows of its
 * transaction; and what it makes needless. */

#include "outbox_inner.h"

/* What there may be of one change: a row for each concern, and of each seat what
 * no concern says. */
#define ROWS_MAX (CONCERNS_MAX + 2 * RULES_SEATS_MAX)

struct notes {
    struct change *change;
    id_num maker; /* who asked for the change, and needs no telling */
    struct notice_row rows[ROWS_MAX];
    size_t count;
    uint64_t drop[ROWS_MAX * 2];
    size_t drop_count;
};

/* The notice that a concern is, or NOTICE_KINDS. */
static enum notice_kind kind_of(const char *word)
{
    static const struct {
        const char *word;
        enum notice_kind kind;
    } kinds[] = {
        {"turn", NOTICE_TURN},         {"started", NOTICE_STARTED},
        {"finished", NOTICE_FINISHED}, {"abandoned", NOTICE_FINISHED},
        {"invited", NOTICE_INVITED},   {"chat", NOTICE_CHAT},
        {"seated", NOTICE_SEATED},     {"unseated", NOTICE_UNSEATED},
        {"rewound", NOTICE_REWOUND},   {"missed", NOTICE_MISS},
        {"vote", NOTICE_VOTE},         {"declined", NOTICE_UNSEATED},
        {"expired", NOTICE_UNSEATED},
    };

    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (strcmp(kinds[i].word, word) == 0)
            return kinds[i].kind;
    return NOTICE_KINDS;
}

/* What else a concern of KIND says by WORD in C. */
static enum notice_detail detail_of(const struct change *c,
                                    enum notice_kind kind, const char *word)
{
    if (strcmp(word, "declined") == 0)
        return NOTICE_DECLINED;
    if (strcmp(word, "expired") == 0)
        return NOTICE_EXPIRED;
    return kind == NOTICE_SEATED && c->first != NULL ? NOTICE_AGAIN
                                                     : NOTICE_PLAIN;
}

/* The number of a new row for P, who may be NULL: that of one that goes, if there
 * is one, as to write over a row costs half of what it takes to drop one and add
 * another.  But not while rows are read, or those of P are being decided, where
 * it would be taken for the old one. */
static uint64_t number_of(struct notes *n, const struct outbox_person *p)
{
    struct hub *hub = n->change->hub;
    const struct outbox *o = hub->outbox;

    if (n->drop_count > 0 && o->rest == 0 && !o->reading &&
        (p == NULL || p->jobs == 0))
        return n->drop[--n->drop_count];
    return outbox_number(hub);
}

/* How long what happens at T may wait for who is to be told. */
static int64_t most_ms(const struct table *t)
{
    return t->clocks != NULL ? outbox_most_ms(&t->clocks->timing.terms)
                             : INT64_MAX;
}

static void add_more(struct notes *n, id_num account, enum notice_kind kind,
                     enum notice_detail detail)
{
    struct hub *hub = n->change->hub;
    id_num table = n->change->table->id;
    const struct outbox_person *p = outbox_find(hub, account);

    if (account == 0 || account == n->maker || bot_of(hub, account) != NULL ||
        n->count == ROWS_MAX || !outbox_has_room(hub, p, kind))
        return;
    for (size_t i = 0; p != NULL && i < p->row_count; i++)
        if (p->rows[i].table == table && p->rows[i].kind == kind)
            return; /* that says it */
    struct notice_row *row = &n->rows[n->count++];
    *row = (struct notice_row){
        .number = number_of(n, p),
        .account = account,
        .table = table,
        .maker = n->maker,
        .ply = n->change->table->log.count - 1,
        .kind = (uint8_t)kind,
        .detail = (uint8_t)detail,
        .at = hub->now_ms,
        .most_ms = most_ms(n->change->table),
    };
    outbox_add(hub, row);
}

static void add(struct notes *n, id_num account, enum notice_kind kind)
{
    add_more(n, account, kind, NOTICE_PLAIN);
}

/* What became of an invitation stays so, whoever comes. */
static bool is_answer(const struct notice_row *row)
{
    return row->detail == NOTICE_DECLINED || row->detail == NOTICE_EXPIRED;
}

/* What waits for ACCOUNT here of one of KINDS is so no more. */
static void drop(struct notes *n, id_num account, unsigned kinds)
{
    struct hub *hub = n->change->hub;
    struct outbox_person *p = outbox_find(hub, account);

    for (size_t i = p != NULL ? p->row_count : 0; i-- > 0;) {
        if (p->rows[i].table != n->change->table->id ||
            (OF_KIND(p->rows[i].kind) & kinds) == 0 ||
            is_answer(&p->rows[i]) || n->drop_count == COUNT_OF(n->drop))
            continue;
        n->drop[n->drop_count++] = p->rows[i].number;
        outbox_take(hub, p, i);
    }
}

static void note_concerns(struct notes *n)
{
    const struct change *c = n->change;
    id_num maker = n->maker;

    for (size_t i = 0; i < c->concern_count; i++) {
        const struct concern *about = &c->concerns[i];
        enum notice_kind kind = kind_of(about->kind);
        n->maker = about->anew ? 0 : maker;
        if (strcmp(about->kind, "turn_over") == 0)
            drop(n, about->account,
                 OF_KIND(NOTICE_TURN) | OF_KIND(NOTICE_REMINDER));
        else if (strcmp(about->kind, "vote_over") == 0)
            drop(n, about->account, OF_KIND(NOTICE_VOTE));
        else if (kind != NOTICE_KINDS &&
                 (c->before.state == TABLE_PLAYING ||
                  strcmp(about->kind, "abandoned") != 0))
            add_more(n, about->account, kind, detail_of(c, kind, about->kind));
    }
    n->maker = maker;
}

/* Who may move without being waited for, and could not before; or no more. */
static void note_offers(struct notes *n)
{
    const struct change *c = n->change;
    const struct table *t = c->table;
    bool on = t->state == TABLE_PLAYING;
    unsigned may = on ? t->rules_state->may : 0;

    for (int seat = 0; seat < t->seats && (may | c->may) != 0; seat++) {
        bool before = (c->may & RULES_BIT(seat)) != 0;
        bool after = (may & RULES_BIT(seat)) != 0;
        if (before && !after)
            drop(n, t->seat[seat], OF_KIND(NOTICE_ANSWER));
        else if (after && !before)
            add(n, t->seat[seat], NOTICE_ANSWER);
    }
}

/* Who made an open table is told who comes and who leaves. */
static void note_seats(struct notes *n)
{
    const struct change *c = n->change;

    if (c->before.state != TABLE_OPEN || c->after.state != TABLE_OPEN)
        return;
    for (int seat = 0; seat < c->after.seats; seat++) {
        if (c->before.seat[seat] == c->after.seat[seat])
            continue;
        bool taken = c->after.seat[seat] != 0;
        drop(n, c->table->owner,
             OF_KIND(taken ? NOTICE_UNSEATED : NOTICE_SEATED));
        add(n, c->table->owner, taken ? NOTICE_SEATED : NOTICE_UNSEATED);
    }
}

static void put(struct notes *n)
{
    struct change *c = n->change;

    if (n->count + n->drop_count == 0)
        return;
    struct op *op = outbox_op(c, n->count, n->drop_count);
    memcpy(op->u.notices.rows, n->rows, n->count * sizeof(n->rows[0]));
    memcpy(op->u.notices.drop, n->drop, n->drop_count * sizeof(n->drop[0]));
    op->u.notices.count = n->count;
    op->u.notices.drop_count = n->drop_count;
}

static bool waits(const struct notes *n, id_num account, enum notice_kind kind)
{
    const struct outbox_person *p = outbox_find(n->change->hub, account);

    for (size_t i = 0; p != NULL && i < p->row_count; i++)
        if (p->rows[i].table == n->change->table->id &&
            p->rows[i].kind == kind)
            return true;
    return false;
}

/* Who is still to be told of their turn needs no reminder; but what is told last
 * says it all. */
void outbox_reminder(struct change *c, id_num account, bool last)
{
    struct notes n;

    n.change = c;
    n.maker = 0;
    n.count = n.drop_count = 0;
    if (last)
        drop(&n, account, OF_KIND(NOTICE_TURN) | OF_KIND(NOTICE_REMINDER));
    if (last || !waits(&n, account, NOTICE_TURN))
        add_more(&n, account, NOTICE_REMINDER,
                 last ? NOTICE_LAST : NOTICE_PLAIN);
    put(&n);
}

/* ---- absences ------------------------------------------------------------- */

/* Puts COUNT ROWS into C, and has DROPPED go. */
static void tell_absence(struct change *c, const struct notice_row *rows,
                         size_t count, const uint64_t *drop, size_t dropped)
{
    if (count + dropped == 0)
        return;
    struct op *op = outbox_op(c, count, dropped);
    if (count > 0)
        memcpy(op->u.notices.rows, rows, count * sizeof(*rows));
    if (dropped > 0)
        memcpy(op->u.notices.drop, drop, dropped * sizeof(*drop));
    op->u.notices.count = count;
    op->u.notices.drop_count = dropped;
    for (size_t i = 0; i < count; i++)
        outbox_add(c->hub, &rows[i]);
}

/* Takes out of memory what ACCOUNT was to be told of absences of MAKER's at TABLE,
 * up to two; their numbers go into DROP.  *RET_BEGUN: one was that it began. */
static size_t take_absences(struct hub *hub, id_num account, id_num table,
                            id_num maker, uint64_t drop[2], bool *ret_begun)
{
    struct outbox_person *p = outbox_find(hub, account);
    size_t n = 0;

    *ret_begun = false;
    for (size_t i = p != NULL ? p->row_count : 0; i-- > 0 && n < 2;) {
        const struct notice_row *row = &p->rows[i];
        if (row->kind != NOTICE_ABSENCE || row->table != table ||
            row->maker != maker)
            continue;
        *ret_begun = *ret_begun || row->detail == NOTICE_PLAIN;
        drop[n++] = row->number;
        outbox_take(hub, p, i);
    }
    return n;
}

static struct notice_row absence_row_of(struct hub *hub, id_num account,
                                        enum notice_detail detail, int64_t at)
{
    return (struct notice_row){
        .number = outbox_number(hub),
        .account = account,
        .kind = NOTICE_ABSENCE,
        .detail = (uint8_t)detail,
        .at = at,
    };
}

/* Of who is back nobody is told who was not told that they had gone. */
void outbox_absence(struct change *c, id_num account, id_num other, bool back)
{
    struct hub *hub = c->hub;
    bool untold;
    uint64_t drop[2];
    size_t n = take_absences(hub, account, c->table->id, other, drop, &untold);
    struct notice_row row = absence_row_of(hub, account,
                                           back ? NOTICE_BACK : NOTICE_PLAIN,
                                           hub->now_ms);

    row.table = c->table->id;
    row.maker = other;
    row.ply = c->table->log.count - 1;
    row.most_ms = most_ms(c->table);
    bool tell = !(back && untold) &&
                outbox_has_room(hub, outbox_find(hub, account),
                                NOTICE_ABSENCE);
    tell_absence(c, &row, tell, drop, n);
}

void outbox_away(struct change *c, id_num account,
                 const struct absence_row *row)
{
    struct hub *hub = c->hub;
    bool untold, over = row->until_ms <= hub->now_ms;
    uint64_t drop[2];
    size_t n = take_absences(hub, account, 0, 0, drop, &untold);
    struct notice_row rows[2] = {
        absence_row_of(hub, account, NOTICE_BACK, row->until_ms),
        absence_row_of(hub, account, NOTICE_PLAIN, hub->now_ms),
    };

    if (over ||
        !outbox_has_room(hub, outbox_find(hub, account), NOTICE_ABSENCE))
        tell_absence(c, NULL, 0, drop, n);
    else
        tell_absence(c, rows, row->auto_ ? 2 : 1, drop, n);
}

/* ---- a change ------------------------------------------------------------- */

void outbox_change(struct change *c)
{
    struct notes n; /* large, and nearly always nearly empty */

    if (c->table == NULL || (c->row_count == 0 && c->concern_count == 0))
        return;
    n.change = c;
    n.maker = c->request != NULL ? c->request->account : 0;
    n.count = n.drop_count = 0;
    bool there = n.maker != 0 && c->request->job == NULL;
    if (there) {
        drop(&n, n.maker, ~0u);
        outbox_looked(c, n.maker, c->table->id);
    }
    note_concerns(&n);
    if (c->row_count > 0 && c->before.state <= TABLE_PLAYING) {
        note_offers(&n);
        note_seats(&n);
    }
    put(&n);
}
