#include "year.h"

#include <string.h>

#include "core/base.h"
#include "core/entries.h"

/* ---- making tables, and sitting down ---------------------------------------- */

static json_t *table_of(const struct disk_table *t)
{
    char id[ID_SIZE];

    id_write(t->row.id, id);
    return json_pack("{s:s}", "table", id);
}

static int seat_of(const struct disk_table *t, id_num account)
{
    const struct summary *s = &t->row.summary;

    for (int i = 0; i < s->seats; i++)
        if (s->seat[i] == account)
            return i;
    return -1;
}

static json_t *some_pace(struct year *y)
{
    static const int days[] = {1, 1, 2, 3};
    int span = days[year_dice(y, COUNT_OF(days))] * 86400;

    switch (year_dice(y, 5)) {
    case 0: return json_pack("{s:i}", "bank", 5 * span);
    case 1:
        return json_pack("{s:i,s:i,s:i,s:i}", "free", span, "bank", span,
                         "add", 3600, "cap", 2 * span);
    case 2: /* a game of hours, which honours no hours and no absence */
        return json_pack("{s:i,s:i}", "free", 3600, "bank", 4 * 3600);
    default: return json_pack("{s:i}", "free", span);
    }
}

static void make(struct year *y, struct year_person *p)
{
    static const char *const thens[] = {"mild", "bot", "open", "out", "end"};
    static const char *const games[] = {"tictactoe", "tictactoe", "kuhn",
                                        "roshambo",  "haggle",    "hadara",
                                        "hacienda",  "greement"};
    const struct rules *r = rules_find(games[year_dice(y, COUNT_OF(games))]);
    json_t *how = json_pack(
        "{s:s,s:i,s:s,s:o,s:{s:i,s:s}}", "game", r->name, "seats",
        r->seats_min + (int)year_dice(y, r->seats_max > r->seats_min ? 2 : 1),
        "start", "full", "pace", some_pace(y), "misses", "excused",
        (int)year_dice(y, 3), "then", thens[year_dice(y, COUNT_OF(thens))]);

    if (y->size.sleepy) {
        json_object_del(how, "pace");
        json_object_del(how, "misses");
    }
    if (strcmp(r->name, "hacienda") == 0)
        json_object_set_new(how, "board",
                            json_pack("{s:{s:i,s:i,s:i,s:i}}", "generate",
                                      "columns", 7, "rows", 13, "markets", 3,
                                      "waters", 1));
    y->made += year_ask(y, p, "table.create", how) != NULL;
}

/* An open table, or one at which a seat is offered: they sit down. */
static void sit_down(struct year *y, struct year_person *p)
{
    const struct disk *d = &y->world.disk;

    for (size_t i = d->table_count, n = 0; i-- > 0 && n < 200; n++) {
        const struct disk_table *t = d->tables[i];
        const struct summary *s = &t->row.summary;
        if (seat_of(t, p->account) >= 0)
            continue;
        if (s->state == TABLE_OPEN) {
            (void)year_ask(y, p, "table.join", table_of(t));
            return;
        }
        if (s->state == TABLE_PLAYING && s->offered != 0) {
            json_t *how = table_of(t);
            json_object_set_new(how, "seat",
                                json_integer(__builtin_ctz(s->offered)));
            (void)year_ask(y, p, "table.take", how);
            return;
        }
    }
    make(y, p);
}

static void set_hours(struct year *y, struct year_person *p)
{
    int opens = (int)year_dice(y, 24) * 60;
    int closes = (opens + 240 + (int)year_dice(y, 14) * 60) % 1440;
    json_t *days = json_array();
    int off = (int)year_dice(y, 3);

    for (int day = 1; day <= 7 - off; day++)
        json_array_append_new(days, json_integer(day));
    (void)year_ask(y, p, "account.hours.set",
                   json_pack("{s:{s:i,s:i,s:o,s:s}}", "hours", "opens", opens,
                             "closes", closes, "days", days, "zone",
                             year_dice(y, 3) > 0 ? "Europe/Paris"
                                                 : "Etc/UTC"));
}

static void go_away(struct year *y, struct year_person *p)
{
    int64_t now = y->world.now_ms;
    int64_t from = year_dice(y, 2) == 0 ? now
                                        : now + year_dice(y, 10) * DAY + 1;
    int64_t until = from + HOUR + year_dice(y, 5 * 24) * HOUR;

    (void)year_ask(y, p, "account.absence.add",
                   json_pack("{s:I,s:I}", "from", (json_int_t)from, "until",
                             (json_int_t)until));
}

/* Whatever concerns time besides moves. */
static void wander(struct year *y, struct year_person *p)
{
    switch (year_dice(y, 8)) {
    case 0:
    case 1: set_hours(y, p); break;
    case 2:
        (void)year_ask(y, p, "account.hours.set", json_pack("{s:n}", "hours"));
        break;
    case 3:
    case 4: go_away(y, p); break;
    case 5: (void)year_ask(y, p, "account.absence.end", json_object()); break;
    default:
        (void)year_ask(y, p, "account.absence.auto",
                       json_pack("{s:b}", "auto", (int)year_dice(y, 2)));
    }
}

/* One of LIST, the first of a range. */
static json_t *some_move(struct year *y, const json_t *legal)
{
    const json_t *moves = json_object_get(legal, "moves");
    const json_t *ranges = json_object_get(legal, "ranges");
    size_t n = json_array_size(moves), k = json_array_size(ranges);

    if (n + k == 0)
        return NULL;
    size_t i = year_dice(y, (uint32_t)(n + k));
    if (i < n)
        return json_deep_copy(json_array_get(moves, i));
    const json_t *range = json_array_get(ranges, i - n);
    json_t *one = json_deep_copy(json_object_get(range, "move"));
    json_object_set(one, json_string_value(json_object_get(range, "arg")),
                    json_object_get(range, "min"));
    return one;
}

static void move_at(struct year *y, struct year_person *p,
                    const struct disk_table *t)
{
    json_t *legal = year_ask(y, p, "table.legal", table_of(t));
    json_t *one = some_move(y, legal);

    if (one == NULL || p->peer == 0) {
        json_decref(one);
        return;
    }
    json_t *how = table_of(t);
    json_object_set(how, "decision", json_object_get(legal, "decision"));
    json_object_set_new(how, "move", one);
    const json_t *done = year_ask(y, p, "table.move", how);
    if (done == NULL || p->peer == 0 || year_dice(y, 40) != 0)
        return;
    how = table_of(t);
    json_object_set(how, "ply", json_object_get(done, "ply"));
    (void)year_ask(y, p, "table.undo", how);
}

/* ---- votes ----------------------------------------------------------------- */

/* The vote that people know of at T, or where there is room for one. */
static struct year_vote *vote_at(struct year *y, const struct disk_table *t)
{
    struct year_vote *v = &y->votes[t->row.id % YEAR_VOTES];

    if (v->table != t->row.id)
        *v = (struct year_vote){.table = t->row.id};
    return v;
}

static int some_subject(struct year *y)
{
    int about = (int)year_dice(y, VOTES);

    if (y->size.sleepy)
        return year_dice(y, 2) == 0 ? VOTE_CANCEL : VOTE_BACK;
    return about == VOTE_CANCEL && year_dice(y, 4) != 0 ? VOTE_PAUSE : about;
}

static void propose(struct year *y, struct year_person *p,
                    const struct disk_table *t, int seat)
{
    int about = some_subject(y);
    json_t *how = table_of(t);

    json_object_set_new(how, "about", json_string(vote_words[about]));
    if (about == VOTE_PAUSE)
        json_object_set_new(how, "until",
                            json_integer(y->world.now_ms + HOUR +
                                         year_dice(y, 200) * HOUR));
    if (about == VOTE_GIVE)
        json_object_set_new(how, "seconds",
                            json_integer(60 + year_dice(y, 3600)));
    if (about == VOTE_GIVE || about == VOTE_REPLACE)
        json_object_set_new(how, "to",
                            json_integer(
                                year_dice(y, (uint32_t)t->row.summary.seats)));
    const json_t *done = year_ask(y, p, "table.propose", how);
    if (done != NULL && json_object_get(done, "passed") == NULL)
        *vote_at(y, t) = (struct year_vote){
            t->row.id,
            (uint32_t)json_integer_value(json_object_get(done, "ply")),
            seat,
        };
}

/* P has heard of a vote at T, and mostly agrees; whether they have. */
static bool vote(struct year *y, struct year_person *p,
                 const struct disk_table *t, int seat)
{
    struct year_vote *v = vote_at(y, t);
    json_t *how = table_of(t);

    if (v->ply == 0 || v->opener == seat) {
        json_decref(how);
        return v->ply != 0 && year_dice(y, 4) != 0; /* they wait */
    }
    json_object_set_new(how, "vote", json_integer(v->ply));
    json_object_set_new(how, "yes", json_boolean(year_dice(y, 8) != 0));
    const json_t *done = year_ask(y, p, "table.vote", how);
    if (json_object_get(done, "passed") != NULL || year_dice(y, 4) == 0)
        v->ply = 0;
    return done != NULL;
}

/* ---- all of it ------------------------------------------------------------- */

/* In a game that all have let go somebody proposes something now and then, and
 * who is asked says hardly ever anything; nor do they move.  Whether it is one. */
static bool asleep(struct year *y, struct year_person *p,
                   const struct disk_table *t, int seat)
{
    const struct year_vote *v = vote_at(y, t);

    if (!y->size.sleepy || t->ply_count < 6 + t->row.id % 5)
        return false;
    uint32_t what = year_dice(y, 100);
    if (what < 2 && v->ply != 0 && v->opener != seat)
        (void)vote(y, p, t, seat);
    else if (what >= 2 && what < 10)
        propose(y, p, t, seat);
    return what != 99;
}

static void at_table(struct year *y, struct year_person *p,
                     const struct disk_table *t)
{
    int seat = seat_of(t, p->account);
    if (asleep(y, p, t, seat) || vote(y, p, t, seat) || p->peer == 0)
        return;
    json_t *how = table_of(t);
    switch (year_dice(y, 40)) {
    case 0:
        json_object_set_new(how, "seconds", json_integer(3600));
        (void)year_ask(y, p, "table.give", how);
        return;
    case 1:
        if (year_dice(y, 8) == 0) {
            (void)year_ask(y, p, "table.resign", how);
            return;
        }
        break;
    case 2:
    case 3:
        json_decref(how);
        propose(y, p, t, seat);
        return;
    default: break;
    }
    bool asked = (t->row.summary.acting & RULES_BIT(seat)) != 0;
    if (!asked && year_dice(y, 4) == 0)
        (void)year_ask(y, p, "table.return", how);
    else
        json_decref(how);
    if (asked && p->peer != 0)
        move_at(y, p, t);
}

void year_act(struct year *y, struct year_person *p)
{
    const struct disk *d = &y->world.disk;
    int running = 0;

    p->next_ms = y->world.now_ms + p->every_ms / 4 +
                 year_dice(y, (uint32_t)(p->every_ms / MINUTE) + 1) * MINUTE;
    if (year_dice(y, 60) == 0) /* and then not for a while, whatever waits */
        p->next_ms += year_dice(y, 12) * DAY;
    if (p->peer == 0)
        year_come(y, p);
    for (size_t i = y->judged; i < d->table_count && p->peer != 0; i++) {
        const struct disk_table *t = d->tables[i];
        if (t->row.summary.state > TABLE_PLAYING || seat_of(t, p->account) < 0)
            continue;
        running++;
        if (t->row.summary.state == TABLE_PLAYING && year_dice(y, 6) != 0)
            at_table(y, p, t);
        else if (t->row.summary.state == TABLE_OPEN && year_dice(y, 6) == 0)
            (void)year_ask(y, p, "table.leave", table_of(t));
    }
    if (p->peer != 0 && year_dice(y, 15) == 0)
        wander(y, p);
    for (; running < y->size.tables && p->peer != 0; running++)
        sit_down(y, p);
}

/* ---- whoever runs the server ------------------------------------------------ */

/* One that goes on, or NULL. */
static const struct disk_table *some_game(struct year *y)
{
    const struct disk *d = &y->world.disk;
    size_t count = d->table_count - y->judged;

    for (int i = 0; i < 50 && count > 0; i++) {
        const struct disk_table *t =
            d->tables[y->judged + year_dice(y, (uint32_t)count)];
        if (t->row.summary.state == TABLE_PLAYING)
            return t;
    }
    return NULL;
}

void year_reign(struct year *y)
{
    const struct disk_table *t = some_game(y);

    if (t == NULL)
        return;
    uint32_t seats = (uint32_t)t->row.summary.seats;
    uint32_t plies = (uint32_t)t->ply_count;
    json_t *how = table_of(t);
    switch (year_dice(y, 6)) {
    case 0:
        json_object_set_new(how, "seat", json_integer(year_dice(y, seats)));
        json_object_set_new(how, "seconds",
                            json_integer(60 + year_dice(y, 90000)));
        (void)year_operate(y, "admin.extend", how);
        return;
    case 1:
        json_object_set_new(how, "until",
                            year_dice(y, 3) == 0
                                ? json_null()
                                : json_integer(y->world.now_ms + HOUR +
                                               year_dice(y, 200) * HOUR));
        (void)year_operate(y, "admin.pause", how);
        return;
    case 2:
        json_object_set_new(how, "seat", json_integer(year_dice(y, seats)));
        json_object_set_new(
            how, "user",
            json_string(
                y->people[year_dice(y, (uint32_t)y->size.people)].name));
        (void)year_operate(y, "admin.replace", how);
        return;
    default:
        json_object_set_new(
            how, "ply",
            json_integer(plies - 1 - year_dice(y, plies < 16 ? plies : 16)));
        (void)year_operate(y, "admin.rewind", how);
    }
}
