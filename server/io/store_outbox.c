/* store_outbox.c -- what people who are away are told: the ops and questions of
 * the outbox. */

#include "core/base.h"
#include "server/hub/limits.h"
#include "store_inner.h"

/* ---- ops ---------------------------------------------------------------- */

/* Nothing of this can fail but by the file: it may stand behind a lone append,
 * which has no savepoint. */
static enum outcome put_notices(struct writer *w, const struct op *op)
{
    int rc = SQLITE_OK;

    for (size_t i = 0; i < op->u.notices.drop_count && rc == SQLITE_OK; i++)
        rc = sql_run(&w->sql, W_NOTICE_DROP,
                     ARGS(INT_(op->u.notices.drop[i])));
    for (size_t i = 0; i < op->u.notices.count && rc == SQLITE_OK; i++) {
        const struct notice_row *n = &op->u.notices.rows[i];
        rc = sql_run(&w->sql, W_NOTICE,
                     ARGS(INT_(n->number), INT_(n->account), INT_(n->kind),
                          INT_(n->table), INT_(n->ply), INT_(n->maker),
                          INT_(n->at), INT_(n->detail)));
    }
    return writer_judge(w, rc, BUG);
}

static int put_message(struct writer *w, const struct message_row *m)
{
    return sql_run(&w->sql, W_MESSAGE,
                   ARGS(INT_(m->id), INT_(m->account), INT_(m->channel),
                        INT_(m->way), INT_(m->made), INT_(m->due),
                        INT_(m->failing), INT_(m->tries), TEXT_(m->body)));
}

static int put_sent(struct writer *w, const struct sent_row *s)
{
    int rc = sql_run(&w->sql, W_SENT_OLD, ARGS(INT_(s->at - LIMIT_SENT_MS)));

    if (rc == SQLITE_OK)
        rc = sql_run(&w->sql, W_SENT,
                     ARGS(INT_(s->account), INT_(s->message), INT_(s->channel),
                          INT_(s->way), INT_(s->at), INT_(s->result),
                          TEXT_(s->body), TEXT_(s->said)));
    return rc;
}

static int put_wishes(struct writer *w, const struct wishes_row *s)
{
    return sql_run(&w->sql, W_WISHES,
                   ARGS(INT_(s->account), INT_(s->wait_s), INT_(s->at_once),
                        INT_(s->digest), INT_(s->digest_at),
                        TEXT_(s->language), INT_(s->day), INT_(s->strangers)));
}

static int put_channel(struct writer *w, const struct channel_row *c)
{
    return sql_run(&w->sql, W_CHANNEL,
                   ARGS(INT_(c->id), INT_(c->account), INT_(c->way),
                        INT_(c->form), INT_(c->state), INT_(c->kinds),
                        INT_(c->made), INT_(c->changed), TEXT_(c->label),
                        TEXT_(c->target), TEXT_(c->secret), TEXT_(c->why)));
}

static int drop_channel(struct writer *w, const struct channel_row *c)
{
    int rc = sql_run(&w->sql, W_CHANNEL_MESSAGES,
                     ARGS(INT_(c->account), INT_(c->id)));

    if (rc == SQLITE_OK)
        rc = sql_run(&w->sql, W_CHANNEL_DROP,
                     ARGS(INT_(c->id), INT_(c->account)));
    return rc;
}

static int empty(struct writer *w)
{
    int rc = SQLITE_OK;

    for (int i = W_EMPTY_NOTICES; i <= W_EMPTY_LINKS && rc == SQLITE_OK; i++)
        rc = sql_run(&w->sql, (enum writer_statement)i, NO_ARGS);
    return rc;
}

enum outcome writer_outbox_op(struct store *s, const struct op *op)
{
    struct writer *w = &s->writer;
    const struct sql_arg place[] = {INT_(op->account), INT_(op->table)};
    int rc;

    switch (op->kind) {
    case OP_NOTICES: return put_notices(w, op);
    case OP_TOLD: rc = sql_run(&w->sql, W_TOLD, place, 2); break;
    case OP_LOOKED: rc = sql_run(&w->sql, W_LOOKED, place, 2); break;
    case OP_MESSAGE: rc = put_message(w, &op->u.message); break;
    case OP_MESSAGE_DROP:
        rc = sql_run(&w->sql, W_MESSAGE_DROP, ARGS(INT_(op->u.message.id)));
        break;
    case OP_SENT: rc = put_sent(w, &op->u.sent); break;
    case OP_WISHES: rc = put_wishes(w, &op->u.wishes); break;
    case OP_CHANNEL: rc = put_channel(w, &op->u.channel); break;
    case OP_CHANNEL_DROP: rc = drop_channel(w, &op->u.channel); break;
    case OP_MUTE:
        rc = sql_run(&w->sql, op->u.on ? W_UNMUTED : W_MUTED, place, 2);
        break;
    case OP_REMINDED:
        rc = sql_run(&w->sql, W_REMINDED,
                     ARGS(INT_(op->u.reminded.since),
                          INT_(op->u.reminded.until),
                          INT_(op->u.reminded.after)));
        break;
    case OP_OUTBOX_EMPTY: rc = empty(w); break;
    default: return BUG;
    }
    return writer_judge(w, rc, BUG);
}

int writer_outbox_forget(struct writer *w, id_num account)
{
    int rc = SQLITE_OK;

    for (int i = W_FORGET_MESSAGES; i <= W_FORGET_MUTED && rc == SQLITE_OK;
         i++)
        rc = sql_run(&w->sql, (enum writer_statement)i, ARGS(INT_(account)));
    return rc;
}

/* ---- rows --------------------------------------------------------------- */

static void take_notice(struct reader *r, struct sql_stmt *stmt)
{
    struct answer *a = &r->ask->answer;

    a->notices[a->notice_count++] = (struct notice_row){
        .number = (uint64_t)sql_int64(stmt, 0),
        .account = column_id(stmt, 1),
        .kind = (uint8_t)sql_int(stmt, 2),
        .table = column_id(stmt, 3),
        .ply = (uint32_t)sql_int64(stmt, 4),
        .maker = column_id(stmt, 5),
        .at = sql_int64(stmt, 6),
        .detail = (uint8_t)sql_int(stmt, 7),
    };
}

static void take_message(struct reader *r, struct sql_stmt *stmt)
{
    struct answer *a = &r->ask->answer;

    a->messages[a->message_count++] = (struct message_row){
        .id = column_id(stmt, 0),
        .account = column_id(stmt, 1),
        .channel = column_id(stmt, 2),
        .way = (uint8_t)sql_int(stmt, 3),
        .made = sql_int64(stmt, 4),
        .due = sql_int64(stmt, 5),
        .failing = sql_int64(stmt, 6),
        .tries = sql_int(stmt, 7),
        .body = column_word(r, stmt, 8),
    };
}

static void take_place(struct reader *r, struct sql_stmt *stmt)
{
    struct answer *a = &r->ask->answer;

    a->places[a->place_count++] = (struct place){
        column_id(stmt, 0),
        column_id(stmt, 1),
    };
}

static void take_sent(struct reader *r, struct sql_stmt *stmt)
{
    struct answer *a = &r->ask->answer;

    a->sent[a->sent_count++] = (struct sent_row){
        .number = (uint64_t)sql_int64(stmt, 0),
        .account = column_id(stmt, 1),
        .message = column_id(stmt, 2),
        .channel = column_id(stmt, 3),
        .way = (uint8_t)sql_int(stmt, 4),
        .at = sql_int64(stmt, 5),
        .result = (uint8_t)sql_int(stmt, 6),
        .body = column_word(r, stmt, 7),
        .said = column_word(r, stmt, 8),
    };
}

static void column_channel(struct reader *r, struct sql_stmt *stmt,
                           struct channel_row *c)
{
    *c = (struct channel_row){
        .id = column_id(stmt, 0),
        .account = column_id(stmt, 1),
        .way = (uint8_t)sql_int(stmt, 2),
        .form = (uint8_t)sql_int(stmt, 3),
        .state = (uint8_t)sql_int(stmt, 4),
        .kinds = (uint32_t)sql_int64(stmt, 5),
        .made = sql_int64(stmt, 6),
        .changed = sql_int64(stmt, 7),
        .label = column_word(r, stmt, 8),
        .target = column_word(r, stmt, 9),
        .secret = column_text(r, stmt, 10),
        .why = column_text(r, stmt, 11),
    };
}

static void take_channel(struct reader *r, struct sql_stmt *stmt)
{
    struct answer *a = &r->ask->answer;
    column_channel(r, stmt, &a->channels[a->channel_count++]);
}

static void take_wishes(struct reader *r, struct sql_stmt *stmt)
{
    struct answer *a = &r->ask->answer;

    a->wishes = region_take(r->region, sizeof(*a->wishes));
    *a->wishes = (struct wishes_row){
        .account = column_id(stmt, 0),
        .wait_s = sql_int(stmt, 1),
        .at_once = sql_int(stmt, 2) != 0,
        .digest = sql_int(stmt, 3),
        .digest_at = sql_int64(stmt, 4),
        .language = column_word(r, stmt, 5),
        .day = sql_int64(stmt, 6),
        .strangers = sql_int(stmt, 7),
    };
}

static void take_hours(struct reader *r, struct sql_stmt *stmt)
{
    struct answer *a = &r->ask->answer;

    a->hours = region_take(r->region, sizeof(*a->hours));
    column_hours(r, stmt, a->hours);
}

static void take_muted(struct reader *r, struct sql_stmt *stmt)
{
    struct answer *a = &r->ask->answer;
    a->muted[a->muted_count++] = column_id(stmt, 0);
}

static void take_told(struct reader *r, struct sql_stmt *stmt)
{
    struct answer *a = &r->ask->answer;
    a->told[a->told_count++] = column_id(stmt, 0);
}

static void take_person(struct reader *r, struct sql_stmt *stmt)
{
    struct answer *a = &r->ask->answer;
    column_account(r, stmt, 0, &a->accounts[a->account_count++]);
}

static void take_other(struct reader *r, struct sql_stmt *stmt)
{
    struct answer *a = &r->ask->answer;

    a->others[a->other_count++] = (struct other){
        .account = column_id(stmt, 0),
        .kind = (uint8_t)sql_int(stmt, 1),
        .name = column_word(r, stmt, 2),
        .met = sql_int(stmt, 3) != 0,
        .away_ms = sql_int64(stmt, 4),
    };
}

static void take_reminded(struct reader *r, struct sql_stmt *stmt)
{
    r->ask->answer.reminded = (struct reminded_row){
        .since = sql_int64(stmt, 0),
        .until = sql_int64(stmt, 1),
        .after = column_id(stmt, 2),
    };
}

/* ---- questions ------------------------------------------------------------ */

/* Room in the answer for so many, and what finds them: one more is asked for
 * than fits. */
#define ROOM(list, most) \
    ((list) = region_take(r->region, ((most) + 1) * sizeof(*(list))))

#define CHANNELS_MOST (LIMIT_WEBHOOKS + LIMIT_PUSHES + 8)
#define TOLD_MOST     1000

static int ask_others(struct reader *r)
{
    const struct question *q = &r->ask->question;
    int rc = SQLITE_OK;

    ROOM(r->ask->answer.others, q->u.outbox.other_count);
    for (size_t i = 0; i < q->u.outbox.other_count && rc == SQLITE_OK; i++)
        rc = reader_each(r,
                         sql_begin(r->sql, R_OTHER,
                                   ARGS(INT_(q->u.outbox.others[i]),
                                        INT_(q->u.outbox.account))),
                         1, take_other);
    return rc;
}

static int ask_outbox(struct reader *r)
{
    const struct question *q = &r->ask->question;
    struct answer *a = &r->ask->answer;
    const struct sql_arg account[] = {INT_(q->u.outbox.account)};

    ROOM(a->accounts, 1);
    ROOM(a->channels, CHANNELS_MOST);
    ROOM(a->muted, LIMIT_MUTED);
    ROOM(a->told, TOLD_MOST);
    int rc = reader_each(r, sql_begin(r->sql, R_ACCOUNT, account, 1), 1,
                         take_person);
    if (rc == SQLITE_OK)
        rc = reader_each(r, sql_begin(r->sql, R_WISHES, account, 1), 1,
                         take_wishes);
    if (rc == SQLITE_OK)
        rc = reader_each(r,
                         sql_begin(r->sql, R_PERSON + PERSON_HOURS,
                                   ARGS(INT_(q->u.outbox.account), INT_(1),
                                        INT_(0))),
                         1, take_hours);
    if (rc == SQLITE_OK)
        rc = reader_absences(r, q->u.outbox.account, LIMIT_ABSENCES_KEPT);
    if (rc == SQLITE_OK)
        rc = reader_each(r, sql_begin(r->sql, R_CHANNELS, account, 1),
                         CHANNELS_MOST, take_channel);
    if (rc == SQLITE_OK)
        rc = reader_each(r, sql_begin(r->sql, R_MUTED, account, 1),
                         LIMIT_MUTED, take_muted);
    if (rc == SQLITE_OK)
        rc = reader_each(r, sql_begin(r->sql, R_TOLD_OF, account, 1),
                         TOLD_MOST, take_told);
    if (rc == SQLITE_OK)
        rc = sql_number(r->sql, R_MAILED, account, 1, 0, &a->mailed);
    if (rc == SQLITE_OK)
        rc = ask_others(r);
    return rc == SQLITE_OK ? reader_these(r) : rc;
}

int reader_outbox(struct reader *r)
{
    const struct question *q = &r->ask->question;
    struct answer *a = &r->ask->answer;
    size_t limit = q->limit > 0 ? q->limit : 100;
    struct sql_arg most = INT_(limit + 1);

    switch (q->kind) {
    case ASK_NOTICES:
        ROOM(a->notices, limit);
        return reader_each(r,
                           sql_begin(r->sql, R_NOTICES,
                                     ARGS(INT_(q->u.after), most)),
                           limit, take_notice);
    case ASK_MESSAGES:
        ROOM(a->messages, limit);
        return reader_each(r,
                           sql_begin(r->sql, R_MESSAGES,
                                     ARGS(INT_(q->u.after), most)),
                           limit, take_message);
    case ASK_TOLD:
        ROOM(a->places, limit);
        return reader_each(r,
                           sql_begin(r->sql, R_TOLD,
                                     ARGS(INT_(q->u.told.account),
                                          INT_(q->u.told.table), most)),
                           limit, take_place);
    case ASK_OUTBOX: return ask_outbox(r);
    case ASK_SENT:
        ROOM(a->sent, limit);
        return reader_each(r,
                           sql_begin(r->sql, R_SENT,
                                     ARGS(INT_(q->u.sent.account),
                                          INT_(q->u.sent.before > 0
                                                   ? q->u.sent.before
                                                   : INT64_MAX),
                                          most)),
                           limit, take_sent);
    case ASK_BOUNCED:
        ROOM(a->sent, 1);
        return reader_each(r,
                           sql_begin(r->sql, R_BOUNCED,
                                     ARGS(INT_(q->u.after))),
                           1, take_sent);
    case ASK_DIGESTS:
        ROOM(a->places, limit);
        return reader_each(r,
                           sql_begin(r->sql, R_DIGESTS,
                                     ARGS(INT_(q->u.until), most)),
                           limit, take_place);
    case ASK_INVITES:
        ROOM(a->places, limit);
        return reader_each(r,
                           sql_begin(r->sql, R_INVITES,
                                     ARGS(INT_(q->u.until), most)),
                           limit, take_place);
    case ASK_REMINDED:
        return reader_each(r, sql_begin(r->sql, R_REMINDED, NO_ARGS), 1,
                           take_reminded);
    default: return SQLITE_MISUSE;
    }
}
