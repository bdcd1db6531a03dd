#include "year.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot_answer.h"
#include "core/base.h"
#include "server/hub/inner.h"

uint32_t year_dice(struct year *y, uint32_t n)
{
    return world_dice(&y->world, n);
}

/* ---- hearing -------------------------------------------------------------- */

static void hear(struct world *w, peer_id peer, const char *text, size_t len)
{
    struct year *y = w->arg;
    json_t *said = json_loadb(text, len, 0, NULL);
    int64_t id = json_integer_value(json_object_get(said, "id"));

    if (peer == y->thinker && y->asked != 0 && id == y->asked) {
        y->asked = 0;
        json_decref(y->question);
        y->question = json_incref(json_object_get(said, "result"));
    } else if (id == y->ids) {
        json_decref(y->heard);
        y->heard = json_incref(said);
    }
    json_decref(said);
}

static void forget_thinker(struct year *y)
{
    y->thinker = 0;
    y->asked = 0;
    json_decref(y->question);
    y->question = NULL;
}

static void dropped(struct world *w, peer_id peer)
{
    struct year *y = w->arg;

    for (int i = 0; i < y->size.people; i++)
        if (y->people[i].peer == peer)
            y->people[i].peer = 0;
    if (peer == y->admin)
        y->admin = 0;
    if (peer == y->thinker)
        forget_thinker(y);
}

/* ---- living and dying ----------------------------------------------------- */

void year_init(struct year *y, uint64_t seed, const struct year_size *size)
{
    ASSERT(size->people <= YEAR_PEOPLE_MAX);
    y->seed = seed;
    y->size = *size;
    world_init(&y->world, seed, hear, dropped, y);
    while (world_step(&y->world))
        continue;
    y->world.limbo_per_1000 = 500;
    y->world.config.open_table_ms = 30 * DAY;
    y->world.config.absence_days = 40;
    y->world.config.bots = 1;
    if (size->sleepy)
        y->world.config.silence_days = YEAR_SLEEP_DAYS;
    if (seed % 4 != 0) /* else tables are read from the disk all the time */
        y->world.config.idle_table_ms = 2 * DAY;
    hub_configure(y->world.hub, &y->world.config);
    y->crash_ms = y->world.now_ms + DAY;
    for (int i = 0; i < size->people; i++) {
        struct year_person *p = &y->people[i];
        (void)snprintf(p->name, sizeof(p->name), "person%d", i);
        p->every_ms = HOUR + year_dice(y, 30) * HOUR;
        p->next_ms = y->world.now_ms + year_dice(y, 3600000);
    }
}

void year_done(struct year *y)
{
    json_decref(y->heard);
    json_decref(y->question);
    ledger_done(&y->ledger);
    world_done(&y->world);
}

/* The process dies, and whoever starts it again takes a while. */
static void crash(struct year *y)
{
    y->world.now_ms += year_dice(y, 4) == 0 ? year_dice(y, 5) * HOUR
                                            : year_dice(y, 60000);
    world_crash(&y->world);
    for (int i = 0; i < y->size.people; i++)
        y->people[i].peer = 0;
    y->admin = 0;
    forget_thinker(y);
    y->crashes++;
}

void year_settle(struct year *y)
{
    bool may = y->crash_ms <= y->world.now_ms;

    while (world_step(&y->world)) {
        if (!may || year_dice(y, 8) != 0)
            continue;
        crash(y);
        y->crash_ms = y->world.now_ms + DAY + year_dice(y, 10) * DAY;
        may = false;
    }
}

/* ---- talking -------------------------------------------------------------- */

static int send(struct year *y, peer_id peer, const char *method,
                json_t *params)
{
    json_t *request = json_pack("{s:s,s:i,s:s,s:o}", "jsonrpc", "2.0", "id",
                                ++y->ids, "method", method, "params", params);
    char *text = json_dumps(request, JSON_COMPACT);
    int id = y->ids;

    json_decref(y->heard);
    y->heard = NULL;
    hub_message(y->world.hub, peer, text, strlen(text), y->world.now_ms);
    free(text);
    json_decref(request);
    return id;
}

static json_t *ask(struct year *y, peer_id peer, const char *method,
                   json_t *params)
{
    (void)send(y, peer, method, params);
    year_settle(y);
    return json_object_get(y->heard, "result");
}

json_t *year_ask(struct year *y, struct year_person *p, const char *method,
                 json_t *params)
{
    return ask(y, p->peer, method, params);
}

static peer_id arrive(struct year *y, const struct peer_info *info)
{
    hub_open(y->world.hub, ++y->peers, info, y->world.now_ms);
    return y->peers;
}

void year_come(struct year *y, struct year_person *p)
{
    p->peer = arrive(y, &(struct peer_info){
                            .source = 1 + (uint64_t)(p - y->people),
                            .direct = true,
                        });
    (void)year_ask(y, p,
                   p->account != 0 ? "session.login" : "account.register",
                   json_pack("{s:s,s:s}", "name", p->name, "password",
                             "correct horse"));
    for (size_t i = 0; i < y->world.disk.account_count; i++)
        if (strcmp(y->world.disk.accounts[i].name, p->name) == 0)
            p->account = y->world.disk.accounts[i].id;
}

json_t *year_operate(struct year *y, const char *method, json_t *params)
{
    if (y->admin == 0)
        y->admin = arrive(y, &(struct peer_info){
                                 .source = 1 + YEAR_PEOPLE_MAX,
                                 .direct = true,
                                 .admin = true,
                             });
    return ask(y, y->admin, method, params);
}

/* ---- bots ----------------------------------------------------------------- */

/* It is there for days, and then not for hours. */
static void come_and_go(struct year *y)
{
    if (y->world.now_ms < y->thinker_ms)
        return;
    if (y->thinker == 0) {
        y->thinker = arrive(y,
                            &(struct peer_info){.direct = true, .bots = true});
        y->thinker_ms = y->world.now_ms + year_dice(y, 6) * DAY + DAY;
    } else {
        hub_close(y->world.hub, y->thinker, y->world.now_ms);
        forget_thinker(y);
        y->thinker_ms = y->world.now_ms + year_dice(y, 8) * HOUR;
    }
}

void year_think(struct year *y)
{
    come_and_go(y);
    for (int i = 0; i < 100 && y->thinker != 0; i++) {
        if (y->question != NULL) {
            json_t *answer = bot_answer(y->question, MIND_RANDOM);
            json_decref(y->question);
            y->question = NULL;
            (void)ask(y, y->thinker, "bots.play", answer);
        }
        if (y->thinker != 0 && y->asked == 0) {
            y->asked = y->ids + 1;
            (void)send(y, y->thinker, "bots.next", json_object());
            year_settle(y);
        }
        if (y->question == NULL)
            return;
    }
}
