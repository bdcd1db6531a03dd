/* away.h -- people who are away, in a test of the hub: Anna and Bert, who play,
 * and what arrives at whom.
 *
 * Bert has mail, and those who receive messages say what the test wants.  Each
 * file of tests has all of this by itself, as a test is a process. */

#ifndef TESTS_SUPPORT_AWAY_H
#define TESTS_SUPPORT_AWAY_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "server/hub/limits.h"
#include "server/hub/outbox.h"
#include "disk_lists.h"
#include "test_client.h"

THREE_CLIENTS(away_, 1);

#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define DAY    (24 * 60 * MINUTE)

/* ---- what arrives --------------------------------------------------------- */

#define ARRIVALS 200

static struct arrival {
    int channel, form;
    id_num id;
    int64_t at_ms;
    char target[80];
    size_t items;
    int kinds[40], details[40];
    int64_t deadline_ms; /* of the last item */
    id_num tables[40];
    char names[80], game[40], unsubscribe[64];
    unsigned texts;
} arrivals[ARRIVALS];
static size_t arrived;
/* What the receivers of each channel say; all but one, who says something else. */
static struct delivery_outcome says[CHANNELS], odd_says;
static const char *odd;

static inline struct delivery_outcome arrive(struct world *w,
                                             const struct delivery *delivery)
{
    if (delivery->form == DELIVERY_ACCOUNT) /* of a log-in: test_email.c */
        return (struct delivery_outcome){DELIVERY_DONE, 0, "250 fine"};
    struct arrival *a = &arrivals[arrived++ % ARRIVALS];

    *a = (struct arrival){
        .channel = delivery->channel,
        .form = delivery->form,
        .id = delivery->id,
        .at_ms = w->now_ms,
        .items = delivery->item_count,
    };
    (void)snprintf(a->target, sizeof(a->target), "%s", delivery->target);
    if (delivery->unsubscribe != NULL)
        (void)snprintf(a->unsubscribe, sizeof(a->unsubscribe), "%s",
                       delivery->unsubscribe);
    cr_assert(delivery->channel != CHANNEL_PUSH ||
              strlen(delivery->push_secret) == 64);
    for (size_t i = 0; i < a->items && i < COUNT_OF(a->kinds); i++) {
        const struct delivery_item *item = &delivery->items[i];
        a->kinds[i] = item->kind;
        a->details[i] = item->detail;
        a->deadline_ms = item->deadline_ms;
        a->tables[i] = item->table;
        a->texts += item->texts;
        if (item->game != NULL)
            (void)snprintf(a->game, sizeof(a->game), "%s", item->game);
        for (size_t k = 0; k < item->name_count; k++)
            (void)snprintf(a->names, sizeof(a->names), "%s", item->names[k]);
    }
    return odd != NULL && strcmp(delivery->target, odd) == 0
               ? odd_says
               : says[delivery->channel];
}

static inline const struct arrival *last(void)
{
    cr_assert_gt(arrived, 0, "nothing came");
    return &arrivals[(arrived - 1) % ARRIVALS];
}

static inline void say(enum channel channel, enum delivery_result result,
                       int64_t after_ms, const char *said)
{
    says[channel] = (struct delivery_outcome){
        .result = result,
        .after_ms = after_ms,
        .said = said,
    };
}

/* From now on what is sent arrives. */
static inline void listen(void)
{
    arrived = 0;
    for (int i = 0; i < CHANNELS; i++)
        say((enum channel)i, DELIVERY_DONE, 0, "250 fine");
    d.world.arrived = arrive;
    d.world.config.mail = true;
    d.world.config.url = "https://games.example";
    hub_configure(d.world.hub, &d.world.config);
}

/* ---- people --------------------------------------------------------------- */

static inline struct account_row *row_of(const char *name)
{
    for (size_t i = 0; i < d.world.disk.account_count; i++)
        if (strcmp(d.world.disk.accounts[i].name, name) == 0)
            return &d.world.disk.accounts[i];
    ASSERT(false); /* whoever is asked for is one of them */
    return NULL;
}

/* Their address is confirmed. */
static inline void give_mail(const char *name)
{
    struct account_row *row = row_of(name);
    struct region *r = &d.world.disk.region;
    char email[80];

    (void)snprintf(email, sizeof(email), "%s@example.org", name);
    row->email = region_copy(r, email);
    row->confirmed = d.world.now_ms;
    outbox_changed(d.world.hub, row->id);
}

/* Bert has mail, and what is sent arrives. */
static inline void begin_with_mail(void)
{
    begin();
    listen();
    give_mail("bert");
}

/* So many seconds, one after the other. */
static inline void pass(int seconds)
{
    for (int i = 0; i < seconds; i++)
        test_client_wait(&d, SECOND);
}

/* A game of Anna's and Bert's, whose turn it is. */
static inline void play(char table[16])
{
    FINE(test_client_create(&d, anna, json_pack("{s:s}", "start", "full"),
                            table));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
}

static inline json_t *move(peer_id p, const char *table)
{
    return test_client_move(&d, p, table);
}

static inline void seen(peer_id p, const char *table)
{
    FINE(test_client_ask(&d, p, "table.seen", "{s:s}", "table", table));
}

/* P takes their last move back. */
static inline void undo(peer_id p, const char *table)
{
    json_t *watched = test_client_ask(&d, p, "table.watch", "{s:s}", "table",
                                      table);
    const json_t *view = test_client_member(watched, "view");

    FINE(test_client_ask(&d, p, "table.undo", "{s:s,s:O}", "table", table,
                         "ply", json_object_get(view, "undo")));
}

/* It is Bert's turn at TABLE, and what came of the start is over. */
static inline void turn_of_bert(char table[16])
{
    play(table);
    seen(bert, table);
    FINE(move(anna, table));
}

static inline size_t rows_left(void)
{
    return d.world.disk.notice_count + d.world.disk.message_count;
}

/* COUNT notices wait in the store for ACCOUNT, of tables that are no more. */
static inline void put_rows(id_num account, size_t count)
{
    struct disk *disk = &d.world.disk;

    for (size_t i = 0; i < count; i++)
        *NEXT(disk->notices, disk->notice_count) = (struct notice_row){
            .number = disk->notice_count,
            .account = account,
            .table = 1000 + i,
            .kind = NOTICE_SEATED,
            .at = d.world.now_ms,
        };
}

/* What the operator sees of WAY. */
static inline const json_t *way_of(peer_id admin, enum channel way)
{
    json_t *told = test_client_ask(&d, admin, "admin.notices", NULL);

    FINE(told);
    return json_array_get(test_client_member(told, "ways"), way);
}

static inline const char *add_webhook(peer_id p, const char *target)
{
    static char id[16];
    json_t *made = test_client_ask(&d, p, "notices.channels.add",
                                   "{s:s,s:s,s:s}", "way", "webhook", "form",
                                   "ntfy", "target", target);

    FINE(made);
    (void)snprintf(id, sizeof(id), "%s", test_client_text(made, "channel"));
    return id;
}

/* The process dies and starts again, and Anna and Bert are back at once. */
static inline void come_back(void)
{
    world_crash(&d.world);
    anna = test_client_come(&d, 0);
    FINE(test_client_ask(&d, anna, "session.login", "{s:s,s:s}", "name",
                         "anna", "password", "password"));
    bert = test_client_come(&d, 0);
    FINE(test_client_ask(&d, bert, "session.login", "{s:s,s:s}", "name",
                         "bert", "password", "password"));
}

#endif
