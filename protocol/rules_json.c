#include "rules_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/says.h"
#include "core/sha256.h"
#include "game_json.h"

/* ---- what a game is ---------------------------------------------------- */

static void put_kind(struct json_out *o, const struct rules_kind *kind)
{
    static const char *const forms[] = {
        "number", "seat", "flag", "word", "place",
    };
    out_string(o, "kind", kind->name);
    out_string(o, "form", forms[kind->form]);
    if (kind->form == RULES_NUMBER) {
        out_int(o, "min", kind->min);
        out_int(o, "max", kind->max);
    } else if (kind->form == RULES_WORD) {
        out_list(o, "words");
        for (int i = 0; kind->words[i] != NULL; i++)
            out_string(o, NULL, kind->words[i]);
        out_end(o);
    }
}

static void put_words(struct json_out *o, const char *key,
                      const struct rules_word *words, bool verbs)
{
    out_list(o, key);
    for (int i = 0; words[i].name != NULL; i++) {
        out_object(o, NULL);
        out_string(o, "name", words[i].name);
        if (verbs)
            out_bool(o, "nature", words[i].nature);
        out_string(o, "text", words[i].text);
        out_list(o, "arguments");
        for (int a = 0; a < RULES_ARGS_MAX && words[i].arg[a].name; a++) {
            out_object(o, NULL);
            out_string(o, "name", words[i].arg[a].name);
            out_bool(o, "optional", words[i].arg[a].optional);
            put_kind(o, words[i].arg[a].kind);
            out_end(o);
        }
        out_end(o);
        out_end(o);
    }
    out_end(o);
}

static void put_options(struct json_out *o, const struct rules *r)
{
    out_list(o, "options");
    for (int i = 0; r->options[i].name != NULL; i++) {
        const struct rules_option *option = &r->options[i];
        out_object(o, NULL);
        out_string(o, "name", option->name);
        out_string(o, "type",
                   option->flag            ? "flag"
                   : option->words != NULL ? "word"
                                           : "number");
        if (option->flag) {
            out_bool(o, "default", option->default_value != 0);
        } else if (option->words != NULL) {
            out_list(o, "words");
            for (int v = 0; v <= option->max - option->min; v++)
                out_string(o, NULL, option->words[v]);
            out_end(o);
            out_string(o, "default",
                       option->words[option->default_value - option->min]);
        } else {
            out_int(o, "min", option->min);
            out_int(o, "max", option->max);
            out_int(o, "default", option->default_value);
        }
        out_string(o, "text", option->text);
        out_end(o);
    }
    out_end(o);
}

/* Name, seats, options, boards or what else a table may be set up with: what
 * it takes to make one. */
static void put_brief(struct json_out *o, const struct rules *r)
{
    out_string(o, "name", r->name);
    out_string(o, "title", r->title);
    out_int(o, "revision", r->revision);
    out_int(o, "seats_min", r->seats_min);
    out_int(o, "seats_max", r->seats_max);
    put_options(o, r);
    out_list(o, "boards");
    for (const struct rules_asset *a = r->assets;
         rules_has_boards(r) && a->name; a++)
        out_string(o, NULL, a->name);
    out_end(o);
    if (r->asset_kind != NULL)
        out_string(o, "asset_kind", r->asset_kind->name);
    else
        out_null(o, "asset_kind");
}

void json_rules_brief(struct json_out *o, const char *key,
                      const struct rules *r)
{
    out_object(o, key);
    put_brief(o, r);
    out_end(o);
}

/* ---- what is not certain ------------------------------------------------ */

/* Rows of one section with the same doubt; the words are the asset's. */
struct doubts {
    struct {
        const char *section, *doubt;
        size_t doubt_len;
        FILE *line; /* the sentence, into */
        char *text;
        size_t len;
    } at[16];
    size_t count;
    const char *format;
};

static void take_doubt(void *arg, const char *section, const char *row,
                       size_t row_len, const char *doubt, size_t doubt_len)
{
    struct doubts *d = arg;
    size_t i = 0;

    while (i < d->count &&
           (d->at[i].section != section || d->at[i].doubt_len != doubt_len ||
            memcmp(d->at[i].doubt, doubt, doubt_len) != 0))
        i++;
    if (i == COUNT_OF(d->at))
        return; /* nobody has so many kinds of doubt */
    if (i == d->count) {
        d->at[i].section = section;
        d->at[i].doubt = doubt;
        d->at[i].doubt_len = doubt_len;
        d->at[i].line = open_memstream(&d->at[i].text, &d->at[i].len);
        ASSERT(d->at[i].line != NULL);
        fprintf(d->at[i].line, "%s.%s: %.*s: ", section, d->format,
                (int)doubt_len, doubt);
        d->count++;
    } else {
        fputs(", ", d->at[i].line);
    }
    fprintf(d->at[i].line, "%.*s", (int)row_len, row);
}

void json_rules_notes(struct json_out *o, const char *key,
                      const struct rules *r, const char *asset, size_t len)
{
    struct doubts d = {.format = ""};

    out_list(o, key);
    for (int i = 0; asset == NULL && r->notes != NULL && r->notes[i] != NULL;
         i++)
        out_string(o, NULL, r->notes[i]);
    if (r->asset_kind != NULL)
        d.format = r->asset_kind->format;
    if (asset != NULL && r->doubts != NULL)
        r->doubts(asset, len, &d, take_doubt);
    for (size_t i = 0; i < d.count; i++) {
        fputc('.', d.at[i].line);
        int failed = fclose(d.at[i].line);
        ASSERT(failed == 0);
        out_string_n(o, NULL, d.at[i].text, d.at[i].len);
        free(d.at[i].text);
    }
    out_end(o);
}

/* The tables of numbers that new games are played with. */
static void put_tables(struct json_out *o, const struct rules *r,
                       const struct rules_asset *own)
{
    const struct rules_asset *a = own != NULL ? own : r->assets;
    uint8_t hash[SHA256_SIZE];
    char hex[2 * SHA256_SIZE + 1] = "";

    if (!rules_has_dataset(r)) {
        out_null(o, "tables");
        return;
    }
    sha256(a->text, a->len, hash);
    hex_write(hex, hash, SHA256_SIZE);
    out_object(o, "tables");
    if (own != NULL)
        out_null(o, "name");
    else
        out_string(o, "name", a->name);
    out_string(o, "hash", hex);
    out_string_n(o, r->asset_kind->format, a->text, a->len);
    out_end(o);
}

/* ---- a whole game -------------------------------------------------------- */

static void put_glossary(struct json_out *o, const struct rules *r)
{
    out_list(o, "glossary");
    for (const struct rules_glossary *g = r->glossary; g && g->kind; g++) {
        out_object(o, NULL);
        out_string(o, "kind", g->kind);
        out_list(o, "words");
        for (int i = 0; g->words[i] != NULL; i++) {
            out_object(o, NULL);
            out_string(o, "name", g->words[i]);
            out_string(o, "text", g->texts[i]);
            out_end(o);
        }
        out_end(o);
        out_end(o);
    }
    out_end(o);
}

static void put_says_kinds(struct json_out *o, const struct rules *r,
                           const struct says *says)
{
    out_object(o, "kinds");
    for (const struct says_kind *k = says->kinds; k && k->kind; k++) {
        out_list(o, k->kind);
        for (int i = 0; k->texts[i] != NULL; i++)
            out_string(o, NULL, k->texts[i]);
        out_end(o);
    }
    for (const struct rules_glossary *g = r->glossary; g && g->kind; g++) {
        const struct says_kind *k = says->kinds;
        while (k != NULL && k->kind != NULL && strcmp(k->kind, g->kind) != 0)
            k++;
        if (k != NULL && k->kind != NULL)
            continue;
        out_list(o, g->kind);
        for (int i = 0; g->words[i] != NULL; i++)
            out_string(o, NULL, g->texts[i]);
        out_end(o);
    }
    out_end(o);
}

static void put_names(struct json_out *o, const struct says *says)
{
    out_object(o, "names");
    for (const struct says_name *n = says->names; n && n->word; n++)
        out_string(o, n->word, n->text);
    out_end(o);
}

/* By language, as lists in the order of those above. */
static void put_says(struct json_out *o, const struct rules *r,
                     const char *lang)
{
    const struct says *wanted = lang != NULL ? says_find(r, lang) : NULL;

    out_object(o, "says");
    for (const struct says *says = r->says; says && says->lang; says++) {
        if (wanted != NULL && says != wanted)
            continue;
        out_object(o, says->lang);
        out_list(o, "events");
        for (int i = 0; r->events[i].name != NULL; i++)
            out_string(o, NULL, says->events[i]);
        out_end(o);
        put_says_kinds(o, r, says);
        out_list(o, "reasons");
        for (int i = 0; r->reasons[i].name != NULL; i++)
            out_string(o, NULL,
                       says->reasons != NULL ? says->reasons[i]
                                             : r->reasons[i].text);
        out_end(o);
        out_list(o, "options");
        for (int i = 0; r->options[i].name != NULL; i++)
            out_string(o, NULL,
                       says->options != NULL ? says->options[i]
                                             : r->options[i].text);
        out_end(o);
        out_list(o, "parts");
        for (int i = 0; r->parts[i].name != NULL; i++)
            out_string(o, NULL,
                       says->parts != NULL ? says->parts[i]
                                           : r->parts[i].text);
        out_end(o);
        put_names(o, says);
        out_end(o);
    }
    out_end(o);
}

void json_rules(struct json_out *o, const char *key, const struct rules *r,
                const struct rules_asset *own, const char *lang)
{
    out_object(o, key);
    put_brief(o, r);
    out_int(o, "plies_max", r->plies_max);
    put_tables(o, r, own);
    json_rules_notes(o, "notes", r, own != NULL ? own->text : NULL,
                     own != NULL ? own->len : 0);
    put_words(o, "verbs", r->verbs, true);
    put_words(o, "events", r->events, false);
    out_list(o, "parts");
    for (int i = 0; r->parts[i].name != NULL; i++) {
        out_object(o, NULL);
        out_string(o, "name", r->parts[i].name);
        out_string(o, "text", r->parts[i].text);
        out_end(o);
    }
    out_end(o);
    put_glossary(o, r);
    out_list(o, "reasons");
    for (int i = 0; r->reasons[i].name != NULL; i++) {
        out_object(o, NULL);
        out_string(o, "name", r->reasons[i].name);
        out_string(o, "text", r->reasons[i].text);
        out_end(o);
    }
    out_end(o);
    put_says(o, r, lang);
    out_end(o);
}

/* ---- the schema of its states ------------------------------------------ */

/* Makes a schema of what it is shown: of a list only the first item counts,
 * as all are alike. */
struct schema_sink {
    struct json_out *o;
    unsigned depth;
    unsigned skip;           /* depth of a further item of a list; 0: none */
    struct json_out *always; /* names of the state's members that all are
                              * shown: first collected, then required */
    bool collect;
    struct {
        bool list;
        size_t items;
        struct json_out names; /* of an object's members */
    } at[FIELDS_DEPTH_MAX + 1];
};

/* Whether what comes next is a further item; NAME is its key. */
static bool schema_next(struct schema_sink *s, const char *name,
                        const char **ret_key)
{
    *ret_key = name;
    if (s->skip != 0)
        return false;
    if (s->depth == 0)
        return true;
    if (s->at[s->depth].list) {
        *ret_key = "items";
        return s->at[s->depth].items++ == 0;
    }
    out_string(&s->at[s->depth].names, NULL, name);
    return true;
}

static void schema_enter(struct schema_sink *s, const char *key, bool list)
{
    out_object(s->o, key);
    out_string(s->o, "type", list ? "array" : "object");
    if (!list)
        out_object(s->o, "properties");
    s->depth++;
    s->at[s->depth].list = list;
    s->at[s->depth].items = 0;
    json_out_init(&s->at[s->depth].names);
    out_list(&s->at[s->depth].names, NULL);
}

static void schema_leave(struct schema_sink *s)
{
    struct json_out *names = &s->at[s->depth].names;

    out_end(names);
    if (!s->at[s->depth].list) {
        out_end(s->o);
        if (s->depth == 1 && s->collect)
            out_raw(s->always, NULL, json_out_text(names), names->len);
        if (s->depth == 1)
            names = s->always;
        out_raw(s->o, "required", json_out_text(names), names->len);
        out_bool(s->o, "additionalProperties", false);
    }
    json_out_done(&s->at[s->depth].names);
    out_end(s->o);
    s->depth--;
}

static void schema_open(void *arg, const char *name, bool list)
{
    struct schema_sink *s = arg;
    const char *key;

    if (s->skip != 0) {
        s->skip++;
    } else if (schema_next(s, name, &key)) {
        schema_enter(s, key, list);
    } else {
        s->skip = 1;
    }
}

static void schema_close(void *arg, bool list)
{
    struct schema_sink *s = arg;

    (void)list;
    if (s->skip != 0)
        s->skip--;
    else
        schema_leave(s);
}

static void schema_type(struct json_out *o, const char *type, bool null)
{
    if (!null) {
        out_string(o, "type", type);
        return;
    }
    out_list(o, "type");
    out_string(o, NULL, type);
    out_string(o, NULL, "null");
    out_end(o);
}

static void schema_value(void *arg, const char *name,
                         const struct fields_value *v)
{
    struct schema_sink *s = arg;
    const struct fields_as *as = v->as;
    const char *key;

    if (!schema_next(s, name, &key))
        return;
    out_object(s->o, key);
    if (as->flag) {
        schema_type(s->o, "boolean", as->null);
    } else if (as->words != NULL) {
        out_list(s->o, "enum");
        for (int64_t i = as->min; i <= as->max; i++)
            out_string(s->o, NULL, as->words[i]);
        if (as->null)
            out_null(s->o, NULL);
        out_end(s->o);
    } else {
        schema_type(s->o, "integer", as->null);
        out_int(s->o, "minimum", as->min);
        out_int(s->o, "maximum", as->max);
    }
    out_end(s->o);
}

/* What VIEWER is shown of a table just set up. */
static void schema_of(struct schema_sink *s, const char *key,
                      const struct rules *r, int viewer)
{
    struct rules_setup setup = {.seats = r->seats_min};
    struct fields_sink sink = {
        .open = schema_open,
        .close = schema_close,
        .value = schema_value,
        .arg = s,
    };
    union rules_any state, view;

    int refusal = rules_setup(r, &state.state, &setup, NULL);
    ASSERT(refusal == RULES_OK);
    rules_view(r, &state.state, viewer, &view.state);
    schema_enter(s, key, false);
    rules_show(r, &view.state, &sink);
    schema_leave(s);
}

void json_rules_schema(struct json_out *o, const char *key,
                       const struct rules *r)
{
    struct json_out scratch, always;
    struct schema_sink all = {
        .o = &scratch,
        .always = &always,
        .collect = true,
    };
    struct schema_sink s = {.o = o, .always = &always};

    /* A seat is shown all that a watcher is, and perhaps more. */
    json_out_init(&scratch);
    json_out_init(&always);
    schema_of(&all, NULL, r, RULES_WATCHER);
    schema_of(&s, key, r, 0);
    json_out_done(&scratch);
    json_out_done(&always);
}
