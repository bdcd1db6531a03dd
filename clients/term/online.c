#include "online.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/lang.h"
#include "core/entries.h"
#include "core/base.h"
#include "core/sha256.h"
#include "layout.h"
#include "protocol/canonical.h"
#include "protocol/patch.h"
#include "protocol/table_state.h"

#define PAST_PLIES 400 /* of the log are asked for when a table is opened */
#define BAD_MAX    3   /* patches in a row that do not fit */

/* ---- reading what the server sends -------------------------------------- */

static bool read_head(struct table *t, const json_t *view,
                      struct rules_state *s)
{
    const json_t *seats = json_object_get(view, "seats");
    const json_t *places = json_object_get(json_object_get(view, "result"),
                                           "places");
    bool playing = strcmp(member_text(view, "state", ""), "playing") == 0;
    size_t count = json_array_size(seats);

    if (count == 0 || count > RULES_SEATS_MAX)
        return false;
    t->seats = (int)count;
    t->resigned = t->bots = 0;
    s->seats = (uint8_t)count;
    for (int i = 0; i < t->seats; i++) {
        const json_t *seat = json_array_get(seats, (size_t)i);
        (void)snprintf(t->names[i], sizeof(t->names[i]), "%s",
                       member_text(seat, "name", _("(free)")));
        if (member_true(seat, "resigned"))
            t->resigned |= RULES_BIT(i);
        if (member_true(seat, "bot"))
            t->bots |= RULES_BIT(i);
        if (playing && member_true(seat, "acting"))
            s->acting |= RULES_BIT(i);
        if (playing && member_true(seat, "may"))
            s->may |= RULES_BIT(i);
    }
    memset(t->places, 0, sizeof(t->places));
    for (size_t i = 0; i < json_array_size(places) && i < count; i++)
        t->places[i] = (uint8_t)json_integer_value(json_array_get(places, i));
    return true;
}

bool view_read(struct table *table, const json_t *view, uint16_t revision,
               bool *ret_started)
{
    static union rules_any made;
    const json_t *you = json_object_get(view, "you");
    const json_t *fields = json_object_get(view, "game_state");
    struct json_reader reader;

    memset(&made, 0, sizeof(made));
    if (strcmp(member_text(view, "game", ""), table->rules->name) != 0 ||
        !read_head(table, view, &made.state))
        return false;
    *ret_started = json_is_object(fields);
    if (!*ret_started)
        return true;
    made.state.revision = revision;
    made.state.viewer = json_is_integer(you) ? (uint8_t)json_integer_value(you)
                                             : RULES_WATCHER;
    json_reader_init(&reader, fields);
    struct fields_source source = json_source(&reader);
    bool stopped = json_is_object(json_object_get(view, "result")) ||
                   made.state.acting == 0;
    if ((stopped ? rules_read_stopped : rules_read)(table->rules, &made.state,
                                                    &source) != RULES_OK)
        return false;
    memcpy(&table->any, &made, table->rules->state_size);
    return true;
}

void event_read(const struct table *table, const json_t *value,
                struct rules_event *ret_event)
{
    const char *kind = member_text(value, "kind", "");
    const json_t *seat = json_object_get(value, "seat");
    struct rules_event event = {
        .kind = EVENT_OTHER,
        .seat = RULES_NATURE,
        .seen_by = RULES_EVERYONE,
    };

    for (int i = 0; i < RULES_ARGS_MAX; i++)
        event.arg[i] = RULES_NONE;
    if (table->any.state.seats > 0 &&
        json_event_read(table->rules, &table->any.state, value, ret_event))
        return;
    if (json_is_integer(seat) && json_integer_value(seat) < RULES_SEATS_MAX)
        event.seat = (uint8_t)json_integer_value(seat);
    for (size_t i = 0; i < COUNT_OF(table_event_words); i++)
        if (strcmp(table_event_words[i], kind) == 0)
            event.kind = (uint8_t)(EVENT_JOINED + i);
    if (event.kind == EVENT_MISSED)
        event.arg[0] = (int16_t)word_find(miss_words,
                                          member_text(value, "then", ""));
    if (event.kind == EVENT_GIVEN)
        event.seat = (uint8_t)member_number(value, "to");
    if (event.kind == EVENT_VOTED) {
        event.arg[0] = (int16_t)word_find(vote_words,
                                          member_text(value, "about", ""));
        event.arg[1] = member_true(value, "yes");
        event.arg[2] = (int16_t)member_number(value, "to");
    }
    *ret_event = event;
}

static void add_events(struct table *table, const json_t *events)
{
    for (size_t i = 0; i < json_array_size(events); i++) {
        struct rules_event event;
        event_read(table, json_array_get(events, i), &event);
        table_event_add(table, &event);
    }
}

/* ... one of KIND, with what PLY says besides. */
static void add_event_of(struct table *table, const json_t *ply,
                         const char *kind)
{
    json_t *value = json_copy((json_t *)ply);
    struct rules_event event;

    (void)json_object_set_new(value, "kind", json_string(kind));
    event_read(table, value, &event);
    table_event_add(table, &event);
    json_decref(value);
}

void ply_read(struct table *table, const json_t *ply)
{
    static const char *const kinds[][2] = {
        {"join", "joined"},      {"leave", "left"},
        {"start", "started"},    {"resign", "resigned"},
        {"rename", "renamed"},   {"abandon", "abandoned"},
        {"rewind", "rewound"},   {"restored", "restored"},
        {"replace", "replaced"}, {"replaced", "replaced"},
        {"miss", "missed"},      {"absent", "absent"},
        {"back", "back"},        {"give", "given"},
        {"pause", "paused"},     {"resume", "resumed"},
        {"vote", "voted"},
    };
    const char *kind = member_text(ply, "kind", "");

    if (member_true(ply, "undone"))
        return;
    if (member_text(ply, "for", NULL) != NULL)
        add_event_of(table, ply, "made");
    if (json_array_size(json_object_get(ply, "events")) > 0) {
        add_events(table, json_object_get(ply, "events"));
        return;
    }
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (strcmp(kinds[i][0], kind) == 0)
            add_event_of(table, ply, kinds[i][1]);
}

/* ---- telling the owner -------------------------------------------------- */

static void changed(struct online *o, size_t first)
{
    if (o->owner.changed != NULL)
        o->owner.changed(o->owner.context, o, first);
}

static void say(struct online *o, bool bad, const char *text)
{
    if (o->owner.said != NULL)
        o->owner.said(o->owner.context, o, bad, text);
}

/* ---- the view ----------------------------------------------------------- */

static void ask_view(struct online *o, bool anew);

/* What the server tells ABOUT the table, which is kept. */
static void take_about(struct online *o, const json_t *about)
{
    json_decref(o->about);
    o->about = json_deep_copy(about);
    (void)snprintf(o->again_at, sizeof(o->again_at), "%s",
                   member_text(about, "again_at", ""));
}

static void on_again_at(void *context, const json_t *result,
                        const struct link_error *error)
{
    struct online *o = context;

    o->busy--;
    if (error == NULL)
        take_about(o, json_object_get(result, "table"));
    changed(o, o->table.event_count);
}

/* Asks where the game, which has just ended, is played again: a first turn that is
 * missed opens another table at once. */
static void ask_again_at(struct online *o)
{
    o->busy++;
    link_call(o->link, "table.get", json_pack("{ss}", "table", o->id),
              on_again_at, o);
}

/* Takes over VIEW; false if it makes no sense. */
static bool take_view(struct online *o, json_t *view)
{
    int state = table_state_read(member_text(view, "state", ""));
    const json_t *you = json_object_get(view, "you");
    const json_t *decision = json_object_get(view, "decision");
    const json_t *undo = json_object_get(view, "undo");
    bool was_playing = o->state == ONLINE_PLAYING;

    if (!view_read(&o->table, view, o->revision, &o->started)) {
        json_decref(view);
        return false;
    }
    json_decref(o->view);
    o->view = view;
    o->views++;
    if (state >= TABLE_OPEN && state <= TABLE_ABANDONED)
        o->state = (enum online_state)(ONLINE_OPEN + state);
    o->you = json_is_integer(you) ? (int)json_integer_value(you)
                                  : RULES_WATCHER;
    o->ply = member_number(view, "ply");
    o->decision = json_is_integer(decision) ? json_integer_value(decision)
                                            : -1;
    o->undo = json_is_integer(undo) ? json_integer_value(undo) : -1;
    o->acting = 0;
    for (int i = 0; i < o->table.seats; i++)
        if (member_true(json_array_get(json_object_get(view, "seats"),
                                       (size_t)i),
                        "acting"))
            o->acting |= RULES_BIT(i);
    if (was_playing && online_over(o))
        ask_again_at(o);
    return true;
}

static bool hash_fits(const json_t *view, const char *hash)
{
    struct json_out out;
    uint8_t bytes[SHA256_SIZE];
    char hex[2 * SHA256_SIZE + 1] = "";

    json_out_init(&out);
    bool good = canonical_write(&out, view, NULL);
    sha256(json_out_text(&out), out.len, bytes);
    json_out_done(&out);
    hex_write(hex, bytes, SHA256_SIZE);
    return good && strcmp(hex, hash) == 0;
}

/* Applies an update; false if it does not follow what is here. */
static bool take_update(struct online *o, const json_t *update)
{
    const char *hash = member_text(update, "view_hash", NULL);
    char why[PATCH_WHY_MAX];

    if (o->view == NULL || member_number(update, "from") != o->ply)
        return false;
    json_t *view = patch_apply(o->view, json_object_get(update, "patch"), why);
    if (view == NULL)
        return false;
    if (member_number(view, "ply") != member_number(update, "ply") ||
        (hash != NULL && !hash_fits(view, hash))) {
        json_decref(view);
        return false;
    }
    if (!take_view(o, view))
        return false;
    add_events(&o->table, json_object_get(update, "events"));
    (void)snprintf(o->chain, sizeof(o->chain), "%s",
                   member_text(update, "chain", ""));
    o->bad = 0;
    return true;
}

static void refuse(struct online *o, const char *why)
{
    o->state = ONLINE_REFUSED;
    (void)snprintf(o->why, sizeof(o->why), "%s", why);
    changed(o, o->table.event_count);
}

/* An update does not fit: all anew, unless that has not helped before. */
static void start_anew(struct online *o)
{
    if (++o->bad > BAD_MAX)
        refuse(o, _("What the server sends about this table cannot be "
                    "understood; a newer client might."));
    else
        ask_view(o, true);
}

/* ---- what has happened before ------------------------------------------- */

static void on_past(void *context, const json_t *result,
                    const struct link_error *error)
{
    struct online *o = context;
    const json_t *plies = json_object_get(result, "plies");
    struct table *t = &o->table;

    o->asking_past = false;
    if (error != NULL)
        return; /* one can do without */
    /* What has come meanwhile stands behind. */
    struct rules_event *new = t->events;
    size_t new_count = t->event_count;
    t->events = NULL;
    t->event_count = t->event_cap = 0;
    size_t since = SIZE_MAX;
    for (size_t i = 0; i < json_array_size(plies); i++) {
        const json_t *ply = json_array_get(plies, i);
        const json_t *seat = json_object_get(ply, "seat");
        if (member_number(ply, "ply") > o->ply)
            break;
        if (strcmp(member_text(ply, "kind", ""), "move") == 0 &&
            json_is_integer(seat) && json_integer_value(seat) == o->you &&
            !member_true(ply, "undone"))
            since = t->event_count;
        ply_read(t, ply);
    }
    size_t old_count = t->event_count;
    if (new_count > 0 && since == SIZE_MAX && o->since > 0)
        since = old_count + o->since;
    for (size_t i = 0; i < new_count; i++)
        table_event_add(t, &new[i]);
    free(new);
    o->since = since != SIZE_MAX         ? since
               : o->you < o->table.seats ? 0
                                         : old_count;
    changed(o, o->since);
}

/* What was said, or that it is removed. */
static char *body_of(const json_t *value)
{
    const char *body = member_text(value, "body",
                                   _("(removed by the administrator)"));
    return must_copy(body, strlen(body));
}

static void add_text(struct online *o, const json_t *value)
{
    json_int_t number = member_number(value, "text");
    bool spectators = strcmp(member_text(value, "room", ""), "spectators") ==
                      0;

    for (size_t i = 0; i < o->text_count; i++)
        if (o->texts[i].number == number &&
            o->texts[i].spectators == spectators) {
            free(o->texts[i].body);
            o->texts[i].body = body_of(value);
            return;
        }
    o->texts = must_grow(o->texts, o->text_count, &o->text_cap,
                         sizeof(*o->texts));
    struct online_text *text = &o->texts[o->text_count++];
    *text = (struct online_text){
        .number = number,
        .at = member_number(value, "at"),
        .spectators = spectators,
        .body = body_of(value),
    };
    (void)snprintf(text->from, sizeof(text->from), "%s",
                   member_text(value, "from", "?"));
}

static void on_texts(void *context, const json_t *result,
                     const struct link_error *error)
{
    struct online *o = context;
    const json_t *texts = json_object_get(result, "texts");

    if (error != NULL)
        return; /* not everybody may read all */
    if (member_number(result, "read") > o->read)
        o->read = member_number(result, "read");
    for (size_t i = 0; i < json_array_size(texts); i++)
        add_text(o, json_array_get(texts, i));
    changed(o, o->table.event_count);
}

static void ask_texts(struct online *o)
{
    link_call(o->link, "table.texts",
              json_pack("{ss ss si}", "table", o->id, "room",
                        o->you < o->table.seats ? "table" : "spectators",
                        "limit", 100),
              on_texts, o);
}

static void ask_past(struct online *o)
{
    json_int_t from = o->ply > PAST_PLIES ? o->ply - PAST_PLIES : 0;

    o->told = true;
    o->asking_past = true;
    link_call(o->link, "table.replay",
              json_pack("{ss sI sI}", "table", o->id, "from", from, "to",
                        o->ply),
              on_past, o);
}

/* ---- watching ----------------------------------------------------------- */

static void on_watch(void *context, const json_t *result,
                     const struct link_error *error)
{
    struct online *o = context;
    const json_t *updates = json_object_get(result, "updates");
    json_t *view = json_object_get(result, "view");
    size_t first = o->table.event_count;

    if (o->state == ONLINE_REFUSED)
        return;
    if (error != NULL) {
        refuse(o, error->text);
        return;
    }
    if (view != NULL) {
        json_int_t had = o->view != NULL ? o->ply : -1;
        if (!take_view(o, json_deep_copy(view))) {
            refuse(o, _("What the server says about this table cannot be "
                        "understood; a newer client might."));
            return;
        }
        if (had >= 0 && had != o->ply)
            o->told = false; /* what happened in between */
    }
    for (size_t i = 0; i < json_array_size(updates); i++) {
        if (!take_update(o, json_array_get(updates, i))) {
            start_anew(o);
            return;
        }
    }
    (void)snprintf(o->chain, sizeof(o->chain), "%s",
                   member_text(result, "chain", ""));
    online_order_take(o, json_object_get(result, "order"));
    if (!o->told) {
        table_done(&(struct table){.events = o->table.events});
        o->table.events = NULL;
        o->table.event_count = o->table.event_cap = first = 0;
        ask_past(o);
    }
    ask_texts(o);
    changed(o, first);
}

static void ask_view(struct online *o, bool anew)
{
    json_t *params = json_pack("{ss sb}", "table", o->id, "check", 1);

    if (!anew && o->view != NULL && o->chain[0] != '\0') {
        (void)json_object_set_new(params, "since", json_integer(o->ply));
        (void)json_object_set_new(params, "chain", json_string(o->chain));
    }
    link_call(o->link, "table.watch", params, on_watch, o);
}

static void on_about(void *context, const json_t *result,
                     const struct link_error *error)
{
    struct online *o = context;
    const json_t *about = json_object_get(result, "table");

    if (error != NULL) {
        refuse(o, error->text);
        return;
    }
    const char *game = member_text(about, "game", "");
    o->table.rules = rules_find(game);
    if (o->table.rules == NULL) {
        char why[LINK_WHY_MAX];
        (void)snprintf(why, sizeof(why),
                       _("This client does not know the game %.40s."), game);
        refuse(o, why);
        return;
    }
    take_about(o, about);
    o->revision = (uint16_t)member_number(about, "revision");
    o->manual = strcmp(member_text(about, "start", ""), "manual") == 0;
    o->made_it = member_true(about, "mine");
    ask_view(o, o->view == NULL);
}

void online_ready(struct online *o)
{
    if (o->state == ONLINE_REFUSED)
        return;
    if (o->about == NULL)
        link_call(o->link, "table.get", json_pack("{ss}", "table", o->id),
                  on_about, o);
    else
        ask_view(o, false);
}

void online_told(struct online *o, const char *method, const json_t *params)
{
    size_t first = o->table.event_count;

    if (strcmp(member_text(params, "table", ""), o->id) != 0)
        return;
    if (strcmp(method, "me.event") == 0) {
        if (strcmp(member_text(params, "kind", ""), "order") == 0)
            online_order_news(o);
    } else if (strcmp(method, "table.chat") == 0) {
        add_text(o, params);
        changed(o, first);
    } else if (strcmp(method, "table.update") == 0) {
        if (member_number(params, "ply") <= o->ply && o->view != NULL)
            return; /* known from the answer to table.watch */
        if (o->view == NULL)
            return; /* that answer is still to come */
        if (o->moving)
            o->since = first;
        if (take_update(o, params))
            changed(o, o->asking_past ? o->table.event_count : first);
        else
            start_anew(o);
    }
}

/* ---- asking for things -------------------------------------------------- */

/* Why the rules refuse a move, by the word of the wire. */
static const char *reason_of(const struct rules *r, const char *rule,
                             const char *english)
{
    for (int i = 0; r->reasons[i].name != NULL; i++)
        if (strcmp(r->reasons[i].name, rule) == 0)
            return layout_reason(r, RULES_GAME - i);
    return english;
}

static void on_moved(void *context, const json_t *result,
                     const struct link_error *error)
{
    struct online *o = context;
    char text[LINK_WHY_MAX + 32];

    o->busy--;
    o->moving = false;
    if (error == NULL) {
        if (member_true(result, "undone"))
            say(o, false, _("That move had been played and taken back."));
        changed(o, o->table.event_count);
        return;
    }
    if (strcmp(error->reason, "stale_decision") == 0)
        say(o, true, _("The position has changed meanwhile: look again."));
    else if (strcmp(error->reason, "illegal_move") == 0) {
        const char *rule = member_text(error->data, "rule", "?");
        (void)snprintf(text, sizeof(text), "%s (%s)",
                       reason_of(o->table.rules, rule, error->text), rule);
        say(o, true, text);
    } else
        say(o, true, error->text);
    changed(o, o->table.event_count);
}

void online_move(struct online *o, const struct rules_move *move)
{
    struct json_out out;
    char why[JSON_EXPECTED_MAX];

    json_out_init(&out);
    json_move(&out, NULL, o->table.rules, &o->table.any.state, move);
    json_t *value = json_parse(json_out_text(&out), out.len, why);
    json_out_done(&out);
    ASSERT(value != NULL);
    o->busy++;
    o->moving = true;
    link_call(o->link, "table.move",
              json_pack("{ss sI so}", "table", o->id, "decision", o->decision,
                        "move", value),
              on_moved, o);
}

static void on_done(void *context, const json_t *result,
                    const struct link_error *error)
{
    struct online *o = context;
    const char *why = member_text(error != NULL ? error->data : NULL, "why",
                                  NULL);
    bool said = error != NULL && strcmp(error->reason, "not_votable") == 0;
    char text[LINK_WHY_MAX + 64];

    (void)result;
    o->busy--;
    if (error == NULL) {
        changed(o, o->table.event_count);
        return;
    }
    if (said)
        why = NULL; /* in a sentence */
    (void)snprintf(text, sizeof(text), "%s%s%s%s", error->text,
                   why != NULL ? " (" : "", why != NULL ? why : "",
                   why != NULL ? ")" : "");
    say(o, true, text);
    changed(o, o->table.event_count);
}

void online_undo(struct online *o)
{
    if (o->undo < 0) {
        say(o, true, _("There is nothing of yours that can be taken back."));
        return;
    }
    o->busy++;
    link_call(o->link, "table.undo",
              json_pack("{ss sI}", "table", o->id, "ply", o->undo), on_done,
              o);
}

void online_say(struct online *o, const char *text)
{
    char key[LINK_KEY_SIZE];
    json_t *body = json_string(text);

    if (body == NULL) {
        say(o, true, _("That is no text."));
        return;
    }
    link_key(key);
    o->busy++;
    link_call(o->link, "table.chat",
              json_pack("{ss so ss ss}", "table", o->id, "text", body, "room",
                        o->you < o->table.seats ? "table" : "spectators",
                        "key", key),
              on_done, o);
}

static void ask_plainly(struct online *o, const char *method)
{
    o->busy++;
    link_call(o->link, method, json_pack("{ss}", "table", o->id), on_done, o);
}

void online_resign(struct online *o)
{
    ask_plainly(o, "table.resign");
}

void online_take_over(struct online *o, int seat)
{
    o->busy++;
    link_call(o->link, "table.take",
              json_pack("{ss si}", "table", o->id, "seat", seat), on_done, o);
}

void online_return(struct online *o)
{
    ask_plainly(o, "table.return");
}

void online_give(struct online *o, int64_t seconds)
{
    o->busy++;
    link_call(o->link, "table.give",
              json_pack("{ss sI}", "table", o->id, "seconds",
                        (json_int_t)seconds),
              on_done, o);
}

void online_propose(struct online *o, json_t *params)
{
    (void)json_object_set_new(params, "table", json_string(o->id));
    o->busy++;
    link_call(o->link, "table.propose", params, on_done, o);
}

void online_vote(struct online *o, bool yes)
{
    const json_t *vote = json_object_get(o->view, "vote");

    if (!json_is_object(vote)) {
        say(o, true, _("No vote is open."));
        return;
    }
    o->busy++;
    link_call(o->link, "table.vote",
              json_pack("{ss sI sb}", "table", o->id, "vote",
                        member_number(vote, "ply"), "yes", yes),
              on_done, o);
}

void online_start(struct online *o)
{
    ask_plainly(o, "table.start");
}

void online_leave(struct online *o)
{
    ask_plainly(o, "table.leave");
}

static void on_sat_down(void *context, const json_t *result,
                        const struct link_error *error)
{
    struct online *o = context;

    (void)result;
    o->busy--;
    if (error == NULL || strcmp(error->reason, "already_seated") == 0)
        (void)snprintf(o->go_to, sizeof(o->go_to), "%s", o->again_at);
    else
        say(o, true, error->text);
    changed(o, o->table.event_count);
}

/* Sits down where the game is played again, if somebody else has begun that. */
static void on_again(void *context, const json_t *result,
                     const struct link_error *error)
{
    struct online *o = context;
    char key[LINK_KEY_SIZE], nonce[LINK_KEY_SIZE];

    if (error != NULL) {
        on_done(o, result, error);
        return;
    }
    (void)snprintf(o->again_at, sizeof(o->again_at), "%s",
                   member_text(result, "table", ""));
    if (member_true(result, "made")) {
        on_sat_down(o, result, NULL);
        return;
    }
    link_key(key);
    link_key(nonce);
    link_call(o->link, "table.join",
              json_pack("{ss ss ss}", "table", o->again_at, "key", key,
                        "nonce", nonce),
              on_sat_down, o);
}

void online_again(struct online *o)
{
    char nonce[LINK_KEY_SIZE];

    if (!online_over(o))
        say(o, true, _("The game is not over."));
    else if (o->you < o->table.seats) {
        o->busy++;
        link_key(nonce);
        link_call(o->link, "table.rematch",
                  json_pack("{ss ss}", "table", o->id, "nonce", nonce),
                  on_again, o);
    } else if (o->again_at[0] != '\0') {
        (void)snprintf(o->go_to, sizeof(o->go_to), "%s", o->again_at);
        changed(o, o->table.event_count);
    } else
        say(o, true, _("It is not played again."));
}

const char *online_again_of(const struct online *o)
{
    return member_text(o->about, "again_of", NULL);
}

void online_invite(struct online *o, const char *name)
{
    json_t *value = json_string(name);
    if (value == NULL)
        return;
    o->busy++;
    link_call(o->link, "table.invite",
              json_pack("{ss so}", "table", o->id, "name", value), on_done, o);
}

void online_bot(struct online *o, const char *level)
{
    char key[LINK_KEY_SIZE];
    json_t *value = json_string(level);

    if (value == NULL)
        return;
    link_key(key);
    o->busy++;
    link_call(o->link, "table.bot",
              json_pack("{ss so ss}", "table", o->id, "level", value, "key",
                        key),
              on_done, o);
}

static void on_note(void *context, const json_t *result,
                    const struct link_error *error)
{
    struct online *o = context;
    const char *note = member_text(result, "text", "");

    o->busy--;
    (void)snprintf(o->note, sizeof(o->note), "%s", note);
    say(o, error != NULL,
        error != NULL     ? error->text
        : note[0] == '\0' ? _("You have no note about this table.")
                          : o->note);
}

void online_note(struct online *o, const char *text)
{
    json_t *value = text != NULL ? json_string(text) : NULL;

    o->busy++;
    link_call(o->link, "table.note",
              json_pack("{ss so*}", "table", o->id, "text", value), on_note,
              o);
}

void online_read(struct online *o)
{
    json_int_t last = o->text_count > 0 ? o->texts[o->text_count - 1].number
                                        : 0;

    if (last <= o->read || o->you >= o->table.seats)
        return;
    o->read = last;
    link_call(o->link, "table.read",
              json_pack("{ss sI}", "table", o->id, "text", last), NULL, NULL);
}

int online_unread(const struct online *o)
{
    int n = 0;
    for (size_t i = 0; i < o->text_count; i++)
        n += o->texts[i].number > o->read &&
             strcmp(o->texts[i].from, link_user(o->link)) != 0;
    return n;
}

/* ---- the whole ---------------------------------------------------------- */

bool online_my_turn(const struct online *o)
{
    return o->state == ONLINE_PLAYING && o->you < o->table.seats &&
           (o->acting & RULES_BIT(o->you)) != 0;
}

bool online_over(const struct online *o)
{
    return o->state >= ONLINE_FINISHED;
}

struct online *online_new(struct link *link, const char *id,
                          const struct online_owner *owner)
{
    struct online *o = must_alloc(sizeof(*o));

    o->link = link;
    o->owner = *owner;
    o->you = RULES_WATCHER;
    o->decision = o->undo = -1;
    o->table.choices = must_alloc(RULES_MOVES_MAX * sizeof(*o->table.choices));
    (void)snprintf(o->id, sizeof(o->id), "%s", id);
    if (link_state(link) == LINK_READY)
        online_ready(o);
    return o;
}

void online_free(struct online *o)
{
    if (o == NULL)
        return;
    table_done(&o->table);
    for (size_t i = 0; i < o->text_count; i++)
        free(o->texts[i].body);
    free(o->texts);
    json_decref(o->view);
    json_decref(o->about);
    json_decref(o->order);
    json_decref(o->ordered);
    free(o);
}
