/* test_store_outbox.c -- what people are told goes into a store and comes out of
 * it, on the file and on arrays. */

#include <stdio.h>
#include <string.h>

#include "protocol/notice_kinds.h"
#include "server/hub/limits.h"
#include "tests/support/contract.h"

CONTRACTS(outbox);

static void put_notices(uint64_t first, size_t count, uint64_t drop)
{
    struct op *op = add(OP_NOTICES, 0, 0);
    struct notice_row *rows = region_take(&u.region, count * sizeof(*rows));

    for (size_t i = 0; i < count; i++)
        rows[i] = (struct notice_row){
            .number = first + i,
            .account = 1,
            .table = 77,
            .maker = 2,
            .ply = 3,
            .kind = NOTICE_CHAT,
            .detail = 4,
            .at = 1000,
        };
    op->u.notices.rows = rows;
    op->u.notices.count = count;
    op->u.notices.drop = region_take(&u.region, sizeof(uint64_t));
    op->u.notices.drop[0] = drop;
    op->u.notices.drop_count = drop != 0;
    cr_assert_eq(store(), TRANSACTION_STORED);
}

/* Notices come back by number, in pages; one that is dropped does not, and to
 * drop what is not there is fine. */
CONTRACT(outbox, notices)
{
    put_notices(10, 5, 0);
    put_notices(20, 1, 12);
    put_notices(21, 1, 999);
    struct question q = {.kind = ASK_NOTICES, .limit = 3, .u.after = 10};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert(a->notice_count == 3 && a->more);
    cr_assert(a->notices[0].number == 11 && a->notices[1].number == 13 &&
              a->notices[2].number == 14);
    const struct notice_row *n = a->notices;
    cr_assert(n->account == 1 && n->table == 77 && n->maker == 2 &&
              n->ply == 3 && n->kind == NOTICE_CHAT && n->detail == 4 &&
              n->at == 1000);
    q.u.after = 14;
    a = fixture_ask(&f, &q);
    cr_assert(a->notice_count == 2 && !a->more);
}

/* A move and its notices are stored together, or not at all. */
CONTRACT(outbox, with_a_move)
{
    make_people(&u, 2);
    cr_assert_eq(store(), TRANSACTION_STORED);
    make_table(&u, 77, TABLE_OPEN, 2, 2);
    make_plies(&u, 77, -1, 1, TABLE_PLAYING, 2, 2);
    cr_assert_eq(store(), TRANSACTION_STORED);
    make_plies(&u, 77, 5, 1, TABLE_PLAYING, 2,
               2); /* behind what is not there */
    struct op *op = add(OP_NOTICES, 0, 0);
    op->u.notices.rows = region_take(&u.region, sizeof(struct notice_row));
    op->u.notices.rows->number = 1;
    op->u.notices.count = 1;
    cr_assert_neq(store(), TRANSACTION_STORED);
    struct question q = {.kind = ASK_NOTICES, .limit = 3};
    cr_assert_eq(fixture_ask(&f, &q)->notice_count, 0);
    make_plies(&u, 77, 0, 1, TABLE_PLAYING, 2, 2);
    op = add(OP_NOTICES, 0, 0);
    op->u.notices.rows = region_take(&u.region, sizeof(struct notice_row));
    op->u.notices.rows->number = 1;
    op->u.notices.count = 1;
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(fixture_ask(&f, &q)->notice_count, 1);
}

static void put_message(id_num id, id_num channel, const char *body)
{
    add(OP_MESSAGE, 0, 1)->u.message = (struct message_row){
        .id = id,
        .account = 1,
        .channel = channel,
        .way = CHANNEL_PUSH,
        .made = 5,
        .due = 6,
        .failing = 7,
        .tries = 8,
        .body = body,
    };
}

static size_t messages(void)
{
    struct question q = {.kind = ASK_MESSAGES, .limit = 10};
    return fixture_ask(&f, &q)->message_count;
}

/* A message can be put again, and goes by its id. */
CONTRACT(outbox, messages)
{
    put_message(3, 9, "{}");
    put_message(2, 9, "{}");
    put_message(3, 9, "{\"a\":1}");
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(messages(), 2);
    const struct message_row *m = &f.answer.messages[1];
    cr_assert(m->id == 3 && m->account == 1 && m->channel == 9 &&
              m->way == CHANNEL_PUSH && m->made == 5 && m->due == 6 &&
              m->failing == 7 && m->tries == 8);
    cr_assert_str_eq(m->body, "{\"a\":1}");
    struct question q = {.kind = ASK_MESSAGES, .limit = 1, .u.after = 2};
    cr_assert_eq(fixture_ask(&f, &q)->messages->id, 3);
    add(OP_MESSAGE_DROP, 0, 0)->u.message.id = 3;
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(messages(), 1);
}

static void put_channel(id_num id, id_num account, const char *target)
{
    add(OP_CHANNEL, 0, account)->u.channel = (struct channel_row){
        .id = id,
        .account = account,
        .way = CHANNEL_WEBHOOK,
        .form = WEBHOOK_SLACK,
        .state = CHANNEL_OFF,
        .kinds = 5,
        .made = 6,
        .changed = 7,
        .label = "mine",
        .target = target,
        .secret = "s",
        .why = "gone",
    };
}

static const struct answer *ask(id_num account)
{
    struct question q = {
        .kind = ASK_OUTBOX,
        .limit = 5,
        .u.outbox = {.account = account},
    };
    return fixture_ask(&f, &q);
}

/* Channels are somebody's: another can neither see nor drop them.  What is on
 * its way goes with one. */
CONTRACT(outbox, channels)
{
    make_people(&u, 2);
    put_channel(9, 1, "https://a");
    put_channel(8, 1, "https://b");
    put_channel(7, 2, "https://c");
    put_message(3, 9, "{}");
    put_message(4, 8, "{}");
    cr_assert_eq(store(), TRANSACTION_STORED);
    const struct answer *a = ask(1);
    cr_assert_eq(a->channel_count, 2);
    const struct channel_row *c = &a->channels[1];
    cr_assert(c->id == 9 && c->account == 1 && c->way == CHANNEL_WEBHOOK &&
              c->form == WEBHOOK_SLACK && c->state == CHANNEL_OFF &&
              c->kinds == 5 && c->made == 6 && c->changed == 7);
    cr_assert_str_eq(c->target, "https://a");
    cr_assert_str_eq(c->label, "mine");
    cr_assert_str_eq(c->secret, "s");
    cr_assert_str_eq(c->why, "gone");
    struct op *op = add(OP_CHANNEL_DROP, 0, 0);
    op->u.channel.id = 9;
    op->u.channel.account = 2;
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(ask(1)->channel_count, 2);
    op = add(OP_CHANNEL_DROP, 0, 0);
    op->u.channel.id = 9;
    op->u.channel.account = 1;
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(ask(1)->channel_count, 1);
    cr_assert_eq(messages(), 1);
}

static void put_wishes(id_num account, int64_t digest_at)
{
    add(OP_WISHES, 0, account)->u.wishes = (struct wishes_row){
        .account = account,
        .wait_s = 30,
        .at_once = true,
        .digest = 7,
        .digest_at = digest_at,
        .language = "fr",
        .day = 4,
        .strangers = 3,
    };
}

/* Wishes come back; and who is due for a digest, the longest due first. */
CONTRACT(outbox, wishes)
{
    make_people(&u, 4);
    put_wishes(1, 300);
    put_wishes(2, 200);
    put_wishes(3, 0);
    put_wishes(4, 400);
    cr_assert_eq(store(), TRANSACTION_STORED);
    const struct answer *a = ask(1);
    cr_assert_not_null(a->wishes);
    cr_assert(a->wishes->wait_s == 30 && a->wishes->at_once &&
              a->wishes->digest == 7 && a->wishes->digest_at == 300 &&
              a->wishes->day == 4 && a->wishes->strangers == 3);
    cr_assert_str_eq(a->wishes->language, "fr");
    struct question q = {.kind = ASK_DIGESTS, .limit = 9, .u.until = 300};
    a = fixture_ask(&f, &q);
    cr_assert(a->place_count == 2 && a->places[0].account == 2 &&
              a->places[1].account == 1);
}

/* What somebody has a mail about, and what they want to hear nothing of. */
CONTRACT(outbox, told_and_muted)
{
    make_people(&u, 2);
    for (id_num table = 70; table < 73; table++) {
        add(OP_TOLD, table, 1);
        add(OP_TOLD, table, 1);
        add(OP_MUTE, table, 2);
    }
    add(OP_LOOKED, 71, 1);
    add(OP_LOOKED, 71, 2);
    add(OP_MUTE, 70, 2)->u.on = true;
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert(ask(1)->told_count == 2 && f.answer.muted_count == 0);
    cr_assert(ask(2)->told_count == 0 && f.answer.muted_count == 2);
    struct question q = {.kind = ASK_TOLD, .limit = 1};
    cr_assert(fixture_ask(&f, &q)->more);
    q.u.told.account = f.answer.places->account;
    q.u.told.table = f.answer.places->table;
    cr_assert_eq(fixture_ask(&f, &q)->places->table, 72);
}

/* What was sent is one's own, the last first, for thirty days; a bounce finds it
 * by its message. */
CONTRACT(outbox, sent)
{
    for (int i = 0; i < 4; i++)
        add(OP_SENT, 0, 1)->u.sent = (struct sent_row){
            .account = i == 3 ? 2 : 1,
            .channel = 9,
            .message = 100 + (id_num)i,
            .way = CHANNEL_MAIL,
            .result = 2,
            .at = 1000 + i,
            .body = "{}",
            .said = "550 gone",
        };
    cr_assert_eq(store(), TRANSACTION_STORED);
    struct question q = {
        .kind = ASK_SENT,
        .limit = 2,
        .u.sent.account = 1,
    };
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert(a->sent_count == 2 && a->more && a->sent[0].at == 1002 &&
              a->sent[0].message == 102 && a->sent[0].result == 2 &&
              a->sent[0].channel == 9 && a->sent[0].account == 1 &&
              a->sent[0].way == CHANNEL_MAIL &&
              a->sent[0].number > a->sent[1].number);
    cr_assert_str_eq(a->sent[0].body, "{}");
    cr_assert_str_eq(a->sent[0].said, "550 gone");
    q.u.sent.before = a->sent[1].number;
    cr_assert_eq(fixture_ask(&f, &q)->sent[0].at, 1000);
    q = (struct question){.kind = ASK_BOUNCED, .u.after = 103};
    cr_assert(fixture_ask(&f, &q)->sent_count == 1 &&
              f.answer.sent->account == 2);
    make_people(&u, 1);
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(ask(1)->mailed, 1002);
    add(OP_SENT, 0, 1)->u.sent = (struct sent_row){
        .account = 1,
        .at = 1001 + LIMIT_SENT_MS,
        .body = "{}",
        .said = "",
    };
    cr_assert_eq(store(), TRANSACTION_STORED);
    q = (struct question){.kind = ASK_SENT, .limit = 9, .u.sent.account = 1};
    cr_assert_eq(fixture_ask(&f, &q)->sent_count, 2);
}

/* Who others are to somebody; and the tables that are asked about, if they may
 * see them. */
CONTRACT(outbox, others)
{
    make_people(&u, 5);
    cr_assert_eq(store(), TRANSACTION_STORED);
    make_table(&u, 77, TABLE_OPEN, 2, 2); /* of 1 and 2 */
    make_plies(&u, 77, -1, 1, TABLE_PLAYING, 2, 2);
    cr_assert_eq(store(), TRANSACTION_STORED);
    make_table(&u, 78, TABLE_OPEN, 2, 1); /* of 1 */
    u.first->u.table_row.private_ = true;
    make_plies(&u, 78, -1, 1, TABLE_OPEN, 2, 1);
    add(OP_INVITE, 78, 2);
    cr_assert_eq(store(), TRANSACTION_STORED);
    const id_num tables[] = {77, 78, 79}, others[] = {1, 5, 99};
    struct question q = {
        .kind = ASK_OUTBOX,
        .limit = 9,
        .u.outbox = {2, tables, 3, others, 3},
    };
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert_eq(a->other_count, 2);
    cr_assert(a->others[0].account == 1 && a->others[0].met &&
              a->others[1].account == 5 && !a->others[1].met);
    cr_assert_str_eq(a->others[0].name, "user1");
    cr_assert_str_eq(a->others[1].name, "user5");
    cr_assert(a->others[0].kind == ACCOUNT_USER && a->others[0].away_ms == 0);
    cr_assert_eq(a->listed_count, 2);
    for (size_t i = 0; i < 2; i++)
        cr_assert_eq(a->tables[i].invited, a->tables[i].table.id == 78);
    q.u.outbox.account = 5;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 1);
}

static void put_away(id_num who, int64_t until, bool begun)
{
    struct op *op = add(OP_AWAY, 0, who);
    struct absence_row *row = region_take(&u.region, sizeof(*row));

    *row = (struct absence_row){.account = who,
                                .from_ms = 100,
                                .until_ms = until,
                                .auto_ = true,
                                .begun = begun};
    op->u.away.absences = row;
    op->u.away.count = 1;
}

/* What decides when somebody is told: who they are, their hours and absences, not
 * those of others; and until when others are or were away, once that has begun. */
CONTRACT(outbox, when_told)
{
    make_people(&u, 4);
    for (id_num who = 1; who <= 2; who++)
        add(OP_HOURS, 0, who)->u.hours.row = (struct hours_row){
            .hours = {(int16_t)(60 * who), 1200, 0x1f},
            .zone = who == 1 ? "Europe/Paris" : "Asia/Tokyo",
            .changed = 70 + (int64_t)who,
        };
    put_away(1, 300, true);
    put_away(2, 400, true);
    put_away(3, 500, false);
    cr_assert_eq(store(), TRANSACTION_STORED);
    const struct answer *a = ask(2);
    cr_assert(a->account_count == 1 && a->accounts->id == 2);
    cr_assert_not_null(a->hours);
    cr_assert(a->hours->hours.opens == 120 && a->hours->hours.closes == 1200 &&
              a->hours->hours.days == 0x1f && a->hours->changed == 72);
    cr_assert_str_eq(a->hours->zone, "Asia/Tokyo");
    cr_assert(a->absence_count == 1 && a->absences->from_ms == 100 &&
              a->absences->until_ms == 400 && a->absences->auto_ &&
              a->absences->begun);
    cr_assert(ask(3)->hours == NULL && f.answer.absence_count == 1 &&
              !f.answer.absences->begun);
    cr_assert(ask(4)->hours == NULL && f.answer.absence_count == 0);
    const id_num others[] = {1, 2, 3, 4};
    struct question q = {
        .kind = ASK_OUTBOX,
        .limit = 9,
        .u.outbox = {4, NULL, 0, others, 4},
    };
    a = fixture_ask(&f, &q);
    cr_assert_eq(a->other_count, 4);
    cr_assert(a->others[0].away_ms == 300 && a->others[1].away_ms == 400 &&
              a->others[2].away_ms == 0 && a->others[3].away_ms == 0);
}

/* A backup's copy tells nothing and lets nobody in; who goes takes all with
 * them. */
CONTRACT(outbox, emptied)
{
    make_people(&u, 2);
    put_notices(10, 2, 0);
    put_message(3, 9, "{}");
    add(OP_TOLD, 77, 1);
    add(OP_LINK, 0, 1)->u.link = (struct link_row){
        .id = 4,
        .hash = {4},
        .account = 1,
        .uses = 1,
    };
    put_channel(9, 1, "https://a");
    put_wishes(1, 300);
    add(OP_MUTE, 77, 1);
    add(OP_REMINDED, 0, 0)->u.reminded = (struct reminded_row){1, 2, 3};
    add(OP_OUTBOX_EMPTY, 0, 0);
    cr_assert_eq(store(), TRANSACTION_STORED);
    struct question q = {.kind = ASK_NOTICES, .limit = 9};
    cr_assert_eq(fixture_ask(&f, &q)->notice_count, 0);
    cr_assert_eq(messages(), 0);
    q = (struct question){.kind = ASK_LINK, .u.hash = {4}};
    cr_assert_eq(fixture_ask(&f, &q)->link_count, 0);
    q = (struct question){.kind = ASK_REMINDED};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert(a->reminded.since == 1 && a->reminded.until == 2 &&
              a->reminded.after == 3);
    a = ask(1);
    cr_assert(a->told_count == 0 && a->channel_count == 1 &&
              a->wishes != NULL && a->muted_count == 1);
    add(OP_ACCOUNT_DROP, 0, 1);
    cr_assert_eq(store(), TRANSACTION_STORED);
    a = ask(1);
    cr_assert(a->channel_count == 0 && a->wishes == NULL &&
              a->muted_count == 0);
}
