/* online_json.c -- a table on a server in lines of JSON, for programs.
 *
 * Each line that is said is an object with a `type`: table, event, text,
 * position, legal, said, connection, result (README.md has their members).
 * Each line that is read is a move, as an object or in words, or one of the
 * commands. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "core/base.h"
#include "core/entries.h"
#include "online_lines.h"
#include "protocol/refusal.h"
#include "protocol/table_state.h"

static void begin(struct json_out *o, const char *type)
{
    json_out_init(o);
    out_object(o, NULL);
    out_string(o, "type", type);
}

static void end(struct json_out *o)
{
    out_end(o);
    output_json(true);
    (void)puts(json_out_text(o));
    (void)fflush(stdout);
    output_json(false);
    json_out_done(o);
}

static void put_seats(struct json_out *o, const char *key, uint16_t seats)
{
    out_list(o, key);
    for (int seat = 0; seat < RULES_SEATS_MAX; seat++)
        if (seats & RULES_BIT(seat))
            out_int(o, NULL, seat);
    out_end(o);
}

static void say_table(struct lines *l)
{
    const struct online *online = l->client->online;
    const struct table *t = &online->table;
    struct json_out o;

    begin(&o, "table");
    out_string(&o, "table", online->id);
    out_string(&o, "game", t->rules->name);
    out_list(&o, "seats");
    for (int seat = 0; seat < t->seats; seat++)
        out_string(&o, NULL, t->names[seat]);
    out_end(&o);
    if (online->you < t->seats)
        out_int(&o, "you", online->you);
    else
        out_null(&o, "you");
    if (online_again_of(online) != NULL)
        out_string(&o, "again_of", online_again_of(online));
    end(&o);
}

static void say_events(struct lines *l, const struct rules_event *events,
                       size_t count)
{
    const struct table *t = &l->client->online->table;
    char sentence[512];
    struct json_out o;

    for (size_t i = 0; i < count; i++) {
        const struct rules_event *event = &events[i];
        layout_sentence(t, event, sentence, sizeof(sentence));
        begin(&o, "event");
        if (event->kind < EVENTS_OF_TABLE) {
            json_event(&o, "event", t->rules, &t->any.state, event);
        } else {
            out_object(&o, "event");
            out_string(&o, "kind",
                       table_event_words[event->kind - EVENTS_OF_TABLE]);
            if (event->seat < RULES_SEATS_MAX)
                out_int(&o, "seat", event->seat);
            else
                out_null(&o, "seat");
            if (event->kind == EVENT_VOTED && event->arg[0] >= 0) {
                out_string(&o, "about", vote_words[event->arg[0]]);
                out_bool(&o, "yes", event->arg[1] == 1);
            }
            out_end(&o);
        }
        out_string(&o, "text", sentence);
        end(&o);
    }
}

static void say_text(struct lines *l, const struct online_text *text)
{
    struct json_out o;

    (void)l;
    begin(&o, "text");
    out_string(&o, "from", text->from);
    out_bool(&o, "spectators", text->spectators);
    out_int(&o, "at", text->at);
    out_string(&o, "body", text->body);
    end(&o);
}

/* VALUE as member KEY, or null. */
static void out_value(struct json_out *o, const char *key, const json_t *value)
{
    char *text = json_dumps(value, JSON_COMPACT);

    if (text != NULL)
        out_raw(o, key, text, strlen(text));
    else
        out_null(o, key);
    free(text);
}

static void say_position(struct lines *l)
{
    const struct online *online = l->client->online;
    struct json_out o;

    begin(&o, "position");
    out_string(&o, "state", online->started ? "playing" : "open");
    out_int(&o, "ply", online->ply);
    put_seats(&o, "acting", online->acting);
    out_bool(&o, "your_turn", online_my_turn(online));
    out_bool(&o, "may", online->decision >= 0);
    out_value(&o, "vote", json_object_get(online->view, "vote"));
    out_value(&o, "order", online->order);
    if (online->started)
        json_state(&o, "view", online->table.rules, plain_view(&l->plain));
    end(&o);
}

static void say_said(struct lines *l, bool bad, const char *text)
{
    struct json_out o;

    (void)l;
    begin(&o, "said");
    out_bool(&o, "refused", bad);
    out_string(&o, "text", text);
    end(&o);
}

static void say_connection(struct lines *l, bool lost, const char *text)
{
    struct json_out o;

    (void)l;
    begin(&o, "connection");
    out_bool(&o, "lost", lost);
    out_string(&o, "text", text);
    end(&o);
}

static void say_result(struct lines *l)
{
    const struct online *online = l->client->online;
    const struct table *t = &online->table;
    bool scored = online->state == ONLINE_FINISHED && online->started;
    struct rules_score score;
    struct json_out o;

    begin(&o, "result");
    out_string(&o, "state",
               online->state == ONLINE_FINISHED ? "finished" : "abandoned");
    if (scored) {
        table_points(t, &t->any.state, &score);
        json_score(&o, "score", t->rules, &t->any.state, &score);
        out_list(&o, "places");
        for (int seat = 0; seat < t->seats; seat++)
            out_int(&o, NULL, score.place[seat]);
        out_end(&o);
    }
    if (online->again_at[0] != '\0')
        out_string(&o, "again_at", online->again_at);
    end(&o);
}

/* ---- what is asked for -------------------------------------------------- */

/* As table.legal answers. */
static void say_legal(struct lines *l)
{
    struct table *t = &l->client->online->table;
    size_t n = rules_legal(t->rules, &t->any.state, l->plain.seat, -1,
                           t->choices, RULES_MOVES_MAX);
    struct json_out o;

    begin(&o, "legal");
    out_list(&o, "moves");
    for (size_t i = 0; i < n; i++)
        if (t->choices[i].ranged < 0)
            json_move(&o, NULL, t->rules, &t->any.state, &t->choices[i].move);
    out_end(&o);
    out_list(&o, "ranges");
    for (size_t i = 0; i < n; i++) {
        const struct rules_choice *c = &t->choices[i];
        if (c->ranged < 0)
            continue;
        out_object(&o, NULL);
        json_move(&o, "move", t->rules, &t->any.state, &c->move);
        out_string(&o, "argument",
                   t->rules->verbs[c->move.verb].arg[c->ranged].name);
        out_int(&o, "min", c->min);
        out_int(&o, "max", c->max);
        out_end(&o);
    }
    out_end(&o);
    end(&o);
}

/* A move as an object; false with a reason in WHY. */
static bool read_object(const struct table *t, const char *line,
                        struct rules_move *move, char *why, size_t cap)
{
    struct json_refusal refusal;
    json_t *value = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
    bool good = value != NULL &&
                json_move_read(t->rules, &t->any.state, value, false, move,
                               &refusal) == RULES_OK;

    if (value == NULL)
        (void)snprintf(why, cap, _("That is not JSON."));
    else if (!good)
        (void)refusal_read_text("", &refusal, why, cap);
    json_decref(value);
    return good;
}

static void answer(struct lines *l, const char *line)
{
    struct online *online = l->client->online;
    struct rules_move move;
    char why[512];

    if (lines_command(l, line) || !lines_can_play(l))
        return;
    if (strcmp(line, "legal") == 0)
        say_legal(l);
    else if (line[0] == '{'
                 ? read_object(&online->table, line, &move, why, sizeof(why))
                 : move_read(&online->table, line, &move, why, sizeof(why)) ==
                       RULES_OK)
        lines_play(l, &move);
    else
        say_said(l, true, why);
}

const struct voice json_voice = {
    .introduce = say_table,
    .events = say_events,
    .text = say_text,
    .situation = say_position,
    .said = say_said,
    .connection = say_connection,
    .result = say_result,
    .answer = answer,
};
