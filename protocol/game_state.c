#include "game_json_inner.h"

#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "pointer.h"

/* ---- scores ----------------------------------------------------------- */

void json_score(struct json_out *o, const char *key, const struct rules *r,
                const struct rules_state *s, const struct rules_score *score)
{
    out_list(o, key);
    for (int seat = 0; seat < s->seats; seat++) {
        out_object(o, NULL);
        out_int(o, "total", score->total[seat]);
        out_object(o, "parts");
        for (int p = 0; p < RULES_PARTS_MAX && r->parts[p].name != NULL; p++)
            if (score->parts & (1u << p))
                out_int(o, r->parts[p].name, score->part[p][seat]);
        out_end(o);
        out_end(o);
    }
    out_end(o);
}

void json_places(struct json_out *o, const char *key,
                 const struct rules_state *s, const struct rules_score *score)
{
    if (!rules_over(s)) {
        out_null(o, key);
        return;
    }
    out_list(o, key);
    for (int seat = 0; seat < s->seats; seat++)
        out_int(o, NULL, score->place[seat]);
    out_end(o);
}

/* ---- states ----------------------------------------------------------- */

void json_game_state(struct json_out *o, const char *key,
                     const struct rules *r, const struct rules_state *s)
{
    struct fields_sink sink = json_sink(o);
    out_object(o, key);
    rules_show(r, s, &sink);
    out_end(o);
}

static void write_seats(struct json_out *o, const char *key, uint16_t bits)
{
    out_list(o, key);
    for (int seat = 0; seat <= RULES_NATURE; seat++)
        if (bits & RULES_BIT(seat))
            json_seat(o, NULL, seat);
    out_end(o);
}

void json_state(struct json_out *o, const char *key, const struct rules *r,
                const struct rules_state *s)
{
    out_object(o, key);
    out_string(o, "game", r->name);
    out_int(o, "revision", s->revision);
    out_int(o, "ply", s->ply);
    out_int(o, "seats", s->seats);
    if (s->viewer < s->seats)
        out_int(o, "viewer", s->viewer);
    else
        out_string(o, "viewer", s->viewer == RULES_ALL ? "all" : "watcher");
    write_seats(o, "acting", s->acting);
    write_seats(o, "may", s->may);
    out_list(o, "asked");
    for (int seat = 0; seat < s->seats; seat++)
        out_int(o, NULL, s->asked[seat]);
    out_end(o);
    json_game_state(o, "game_state", r, s);
    out_end(o);
}

void json_reader_init(struct json_reader *reader, const json_t *object)
{
    *reader = (struct json_reader){.at = {object}};
}

/* Writes down where the first thing is that was not there, or what was asked
 * for last as long as all were. */
static void note_path(struct json_reader *reader,
                      const struct fields_step *last, bool there)
{
    struct sbuf p = sbuf_in(reader->path, sizeof(reader->path));

    if (reader->missing)
        return;
    for (size_t i = 1; i <= reader->depth + 1; i++) {
        const struct fields_step *step = i <= reader->depth ? &reader->step[i]
                                                            : last;
        if (step->name != NULL)
            sbuf_printf(&p, "/%s", step->name);
        else
            sbuf_printf(&p, "/%zu", step->index);
    }
    reader->missing = !there;
}

static const json_t *go_to(struct json_reader *reader,
                           const struct fields_step *step)
{
    const json_t *in = reader->at[reader->depth];
    return step->name != NULL ? json_object_get(in, step->name)
                              : json_array_get(in, step->index);
}

static bool source_open(void *arg, const struct fields_step *step, bool list,
                        size_t *count)
{
    struct json_reader *reader = arg;
    const json_t *to = go_to(reader, step);

    ASSERT(reader->depth < FIELDS_DEPTH_MAX);
    if (to != NULL && (list ? !json_is_array(to) : !json_is_object(to)))
        to = NULL;
    note_path(reader, step, to != NULL);
    reader->depth++;
    reader->at[reader->depth] = to;
    reader->step[reader->depth] = *step;
    *count = list ? json_array_size(to) : 0;
    return to != NULL;
}

static void source_close(void *arg)
{
    struct json_reader *reader = arg;
    ASSERT(reader->depth > 0);
    reader->depth--;
}

static bool source_value(void *arg, const struct fields_step *step,
                         struct fields_value *v)
{
    struct json_reader *reader = arg;
    const json_t *value = go_to(reader, step);
    bool there = true;

    if (json_is_integer(value)) {
        v->type = FIELDS_NUMBER;
        v->number = json_integer_value(value);
    } else if (json_is_string(value)) {
        v->type = FIELDS_WORD;
        v->word = json_string_value(value);
        v->word_len = json_string_length(value);
    } else if (json_is_boolean(value)) {
        v->type = FIELDS_BOOL;
        v->number = json_is_true(value);
    } else if (json_is_null(value)) {
        v->type = FIELDS_NULL;
    } else {
        there = false;
    }
    note_path(reader, step, there);
    return there;
}

struct fields_source json_source(struct json_reader *reader)
{
    return (struct fields_source){
        .open = source_open,
        .close = source_close,
        .value = source_value,
        .arg = reader,
    };
}

static bool read_number(const json_t *value, const char *name, json_int_t max,
                        json_int_t *ret_number)
{
    const json_t *given = json_object_get(value, name);
    *ret_number = json_integer_value(given);
    return json_is_integer(given) && *ret_number >= 0 && *ret_number <= max;
}

static bool read_seats(const json_t *value, const char *name, uint16_t *bits)
{
    const json_t *given = json_object_get(value, name);
    const json_t *seat;
    size_t i;

    *bits = 0;
    if (!json_is_array(given))
        return false;
    json_array_foreach(given, i, seat)
    {
        json_int_t n = json_integer_value(seat);
        if (json_text_is(seat, "nature"))
            n = RULES_NATURE;
        else if (!json_is_integer(seat) || n < 0 || n >= RULES_SEATS_MAX)
            return false;
        *bits |= RULES_BIT(n);
    }
    return true;
}

static bool read_viewer(const json_t *value, const struct rules_state *s,
                        uint8_t *viewer)
{
    const json_t *given = json_object_get(value, "viewer");
    if (json_is_integer(given)) {
        *viewer = (uint8_t)json_integer_value(given);
        return json_integer_value(given) >= 0 &&
               json_integer_value(given) < s->seats;
    }
    *viewer = json_text_is(given, "all") ? RULES_ALL : RULES_WATCHER;
    return json_text_is(given, "all") || json_text_is(given, "watcher");
}

static int read_header(const struct rules *r, const json_t *value,
                       struct rules_state *s, struct json_refusal *why)
{
    json_int_t revision, ply, seats;

    if (!json_is_object(value))
        return json_refuse(why, RULES_MALFORMED, "", "an object");
    if (!json_text_is(json_object_get(value, "game"), r->name))
        return json_refuse(why, RULES_MALFORMED, "game", "\"%s\"", r->name);
    if (!read_number(value, "revision", r->revision, &revision) ||
        revision < 1)
        return json_refuse(why, RULES_MALFORMED, "revision",
                           "a number from 1 to %d", r->revision);
    if (!read_number(value, "ply", r->plies_max, &ply))
        return json_refuse(why, RULES_MALFORMED, "ply",
                           "a number from 0 to %lu",
                           (unsigned long)r->plies_max);
    if (!read_number(value, "seats", r->seats_max, &seats) ||
        seats < r->seats_min)
        return json_refuse(why, RULES_MALFORMED, "seats",
                           "a number from %d to %d", r->seats_min,
                           r->seats_max);
    s->revision = (uint16_t)revision;
    s->ply = (uint32_t)ply;
    s->seats = (uint8_t)seats;
    if (!read_viewer(value, s, &s->viewer))
        return json_refuse(why, RULES_MALFORMED, "viewer",
                           "a seat, \"watcher\" or \"all\"");
    if (!read_seats(value, "acting", &s->acting))
        return json_refuse(why, RULES_MALFORMED, "acting", "a list of seats");
    if (!read_seats(value, "may", &s->may))
        return json_refuse(why, RULES_MALFORMED, "may", "a list of seats");

    const json_t *asked = json_object_get(value, "asked");
    if (json_array_size(asked) != s->seats)
        return json_refuse(why, RULES_MALFORMED, "asked",
                           "a ply for each seat");
    for (size_t i = 0; i < s->seats; i++) {
        const json_t *at = json_array_get(asked, i);
        if (!json_is_integer(at) || json_integer_value(at) < 0 ||
            json_integer_value(at) > ply)
            return json_refuse(why, RULES_MALFORMED, "asked",
                               "a ply for each seat");
        s->asked[i] = (uint32_t)json_integer_value(at);
    }
    return RULES_OK;
}

int json_state_read(const struct rules *r, const json_t *value,
                    struct rules_state *s, struct json_refusal *why)
{
    struct json_reader reader;

    *why = (struct json_refusal){0};
    memset(s, 0, sizeof(*s));
    int refusal = read_header(r, value, s, why);
    if (refusal != RULES_OK)
        return refusal;
    const json_t *fields = json_object_get(value, "game_state");
    if (!json_is_object(fields))
        return json_refuse(why, RULES_MALFORMED, "game_state", "an object");
    json_reader_init(&reader, fields);
    struct fields_source source = json_source(&reader);
    refusal = rules_read(r, s, &source);
    if (refusal != RULES_OK) {
        if (reader.missing)
            (void)snprintf(why->path, sizeof(why->path), "%s", reader.path);
        pointer_within(why->path, sizeof(why->path), "/game_state");
        return json_refuse(why, RULES_MALFORMED, "",
                           reader.missing
                               ? "something of another kind"
                               : "fields that make a possible state");
    }
    return RULES_OK;
}

size_t json_diff(struct json_out *o, const char *prefix, const struct rules *r,
                 const struct rules_state *before,
                 const struct rules_state *after)
{
    struct json_patch patch;
    json_patch_init(&patch, o, prefix);
    struct fields_sink sink = json_patch_sink(&patch);
    rules_diff(r, before, after, &sink);
    return patch.count;
}
