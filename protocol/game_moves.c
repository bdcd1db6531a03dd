#include "game_json_inner.h"

#include <string.h>

#include "core/base.h"
#include "core/text.h"

#define WORD_MAX 64 /* bytes of a word of a kind */

/* ---- writing ---------------------------------------------------------- */

static void write_argument(struct json_out *o, const struct rules_arg *arg,
                           const struct rules_state *s, int16_t value)
{
    char word[WORD_MAX];

    if (value == RULES_HIDDEN) {
        out_null(o, arg->name);
    } else if (arg->kind->form == RULES_FLAG) {
        out_bool(o, arg->name, value != 0);
    } else if (arg->kind->form == RULES_NUMBER ||
               arg->kind->form == RULES_SEAT) {
        out_int(o, arg->name, value);
    } else {
        size_t n = text_word(arg->kind, s, value, word, sizeof(word));
        ASSERT(n <= sizeof(word));
        out_string_n(o, arg->name, word, n);
    }
}

static void write_arguments(struct json_out *o, const struct rules_word *word,
                            const struct rules_state *s, const int16_t *arg)
{
    for (int i = 0; i < RULES_ARGS_MAX && word->arg[i].name != NULL; i++)
        if (arg[i] != RULES_NONE)
            write_argument(o, &word->arg[i], s, arg[i]);
}

void json_move(struct json_out *o, const char *key, const struct rules *r,
               const struct rules_state *s, const struct rules_move *move)
{
    out_object(o, key);
    out_string(o, "verb", r->verbs[move->verb].name);
    write_arguments(o, &r->verbs[move->verb], s, move->arg);
    out_end(o);
}

void json_seat(struct json_out *o, const char *key, int seat)
{
    if (seat == RULES_NATURE)
        out_string(o, key, "nature");
    else
        out_int(o, key, seat);
}

void json_event(struct json_out *o, const char *key, const struct rules *r,
                const struct rules_state *s, const struct rules_event *event)
{
    out_object(o, key);
    out_string(o, "kind", r->events[event->kind].name);
    if (event->seat == RULES_NATURE)
        out_null(o, "seat");
    else
        out_int(o, "seat", event->seat);
    write_arguments(o, &r->events[event->kind], s, event->arg);
    out_end(o);
}

void json_events(struct json_out *o, const char *key, const struct rules *r,
                 const struct rules_state *s,
                 const struct rules_events *events, int viewer)
{
    out_list(o, key);
    for (size_t i = 0; i < events->count; i++)
        if (events->at[i].seen_by & RULES_BIT(viewer))
            json_event(o, NULL, r, s, &events->at[i]);
    out_end(o);
}

/* ---- reading ---------------------------------------------------------- */

static void say_kind(struct sbuf *p, const struct rules_kind *kind,
                     const struct rules_state *s)
{
    char first[WORD_MAX], last[WORD_MAX];
    int16_t count;

    switch (kind->form) {
    case RULES_NUMBER:
        sbuf_printf(p, "a number from %d to %d", kind->min, kind->max);
        break;
    case RULES_SEAT:
        sbuf_printf(p, "a seat, from 0 to %d", s->seats - 1);
        break;
    case RULES_FLAG: sbuf_puts(p, "true or false"); break;
    case RULES_WORD:
        sbuf_printf(p, "a %s: ", kind->name);
        sbuf_words(p, kind->words, -1);
        break;
    case RULES_PLACE:
        count = kind->count(s);
        if (count <= 0) {
            sbuf_printf(p, "a %s of this table", kind->name);
            break;
        }
        size_t n = kind->write(s, 0, first, sizeof(first));
        size_t m = kind->write(s, (int16_t)(count - 1), last, sizeof(last));
        sbuf_printf(p, "a %s of this table, from %.*s to %.*s", kind->name,
                    (int)n, first, (int)m, last);
        break;
    }
}

static bool read_argument(const struct rules_kind *kind,
                          const struct rules_state *s, const json_t *value,
                          int16_t *ret_value)
{
    switch (kind->form) {
    case RULES_NUMBER:
        return json_int16(value, ret_value) && *ret_value >= kind->min &&
               *ret_value <= kind->max;
    case RULES_SEAT:
        return json_int16(value, ret_value) && *ret_value >= 0 &&
               *ret_value < s->seats;
    case RULES_FLAG:
        *ret_value = json_is_true(value);
        return json_is_boolean(value);
    case RULES_WORD:
    case RULES_PLACE:
        return json_is_string(value) &&
               text_word_read(kind, s, json_string_value(value),
                              json_string_length(value), ret_value);
    }
    return false;
}

static int refuse_argument(struct json_refusal *why,
                           const struct rules_arg *arg,
                           const struct rules_state *s)
{
    struct sbuf p = sbuf_in(why->expected, sizeof(why->expected));

    (void)json_refuse(why, RULES_BAD_ARGUMENT, arg->name, "%s", "");
    say_kind(&p, arg->kind, s);
    return RULES_BAD_ARGUMENT;
}

static int refuse_verb(const struct rules *r, struct json_refusal *why,
                       int code)
{
    struct sbuf p = sbuf_in(why->expected, sizeof(why->expected));

    (void)json_refuse(why, code, "verb", "%s", "");
    sbuf_puts(&p, "a verb: ");
    for (int i = 0, n = 0; r->verbs[i].name != NULL; i++)
        if (!r->verbs[i].nature)
            sbuf_printf(&p, "%s%s", n++ > 0 ? ", " : "", r->verbs[i].name);
    return code;
}

static int refuse_unknown(const struct rules_word *verb,
                          struct json_refusal *why, const char *name)
{
    struct sbuf p = sbuf_in(why->expected, sizeof(why->expected));

    (void)json_refuse(why, RULES_BAD_ARGUMENT, name, "%s", "");
    if (verb->arg[0].name == NULL) {
        sbuf_printf(&p, "no argument: %s has none", verb->name);
        return RULES_BAD_ARGUMENT;
    }
    sbuf_printf(&p, "only the arguments of %s: ", verb->name);
    for (int i = 0; i < RULES_ARGS_MAX && verb->arg[i].name != NULL; i++)
        sbuf_printf(&p, "%s%s", i > 0 ? ", " : "", verb->arg[i].name);
    return RULES_BAD_ARGUMENT;
}

static int find_argument(const struct rules_word *verb, const char *name)
{
    for (int i = 0; i < RULES_ARGS_MAX && verb->arg[i].name != NULL; i++)
        if (strcmp(verb->arg[i].name, name) == 0)
            return i;
    return -1;
}

int json_move_read(const struct rules *r, const struct rules_state *s,
                   const json_t *value, bool told, struct rules_move *ret_move,
                   struct json_refusal *why)
{
    struct rules_move move = RULES_MOVE(0, RULES_NONE, RULES_NONE, RULES_NONE);
    const char *name;
    json_t *given;

    *why = (struct json_refusal){0};
    if (!json_is_object(value))
        return json_refuse(why, RULES_MALFORMED, "",
                           "an object with a verb and its arguments");
    const json_t *verb = json_object_get(value, "verb");
    if (!json_is_string(verb))
        return refuse_verb(r, why, RULES_UNKNOWN_VERB);
    int v = text_find(r->verbs, json_string_value(verb),
                      json_string_length(verb));
    if (v < 0)
        return refuse_verb(r, why, RULES_UNKNOWN_VERB);
    move.verb = (uint16_t)v;

    const struct rules_word *word = &r->verbs[v];
    json_object_foreach((json_t *)(uintptr_t)value, name, given)
    {
        if (strcmp(name, "verb") == 0)
            continue;
        int i = find_argument(word, name);
        if (i < 0)
            return refuse_unknown(word, why, name);
        if (told && json_is_null(given))
            move.arg[i] = RULES_HIDDEN;
        else if (!read_argument(word->arg[i].kind, s, given, &move.arg[i]))
            return refuse_argument(why, &word->arg[i], s);
    }
    for (int i = 0; i < RULES_ARGS_MAX && word->arg[i].name != NULL; i++)
        if (move.arg[i] == RULES_NONE && !word->arg[i].optional)
            return refuse_argument(why, &word->arg[i], s);
    *ret_move = move;
    return RULES_OK;
}

bool json_event_read(const struct rules *r, const struct rules_state *s,
                     const json_t *value, struct rules_event *ret_event)
{
    const char *kind = json_string_value(json_object_get(value, "kind"));
    const json_t *seat = json_object_get(value, "seat");
    int k = kind != NULL ? text_find(r->events, kind, strlen(kind)) : -1;
    struct rules_event event = {
        .kind = (uint8_t)k,
        .seat = RULES_NATURE,
        .seen_by = RULES_EVERYONE,
    };
    int16_t number;

    if (k < 0)
        return false;
    if (json_is_integer(seat)) {
        if (!json_int16(seat, &number) || number < 0 || number >= s->seats)
            return false;
        event.seat = (uint8_t)number;
    }
    const struct rules_word *word = &r->events[k];
    for (int i = 0; i < RULES_ARGS_MAX; i++)
        event.arg[i] = RULES_NONE;
    for (int i = 0; i < RULES_ARGS_MAX && word->arg[i].name != NULL; i++) {
        const struct rules_arg *arg = &word->arg[i];
        const json_t *given = json_object_get(value, arg->name);
        if (given == NULL)
            continue;
        if (json_is_null(given))
            event.arg[i] = RULES_HIDDEN;
        /* What came of a move may be more than a move may say. */
        else if (!(arg->kind->form == RULES_NUMBER
                       ? json_int16(given, &event.arg[i])
                       : read_argument(arg->kind, s, given, &event.arg[i])))
            return false;
    }
    *ret_event = event;
    return true;
}
