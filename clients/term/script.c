/* script.c -- `sobremesa script`: plays what a file says and shows what comes.
 *
 * The file is NDJSON; README.md tells the whole format.  A header names the
 * table, each further line is a ply, an undo, or something that is expected
 * to hold.  A game record has such lines, too. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "core/base.h"
#include "offline.h"
#include "protocol/refusal.h"
#include "term.h"

#define SCRIPT_BYTES_MAX (256u << 20)

struct script {
    const char *path;
    uint64_t line; /* from 1 */
    bool open;     /* the header has been read */
    bool quiet;    /* no line per ply */
    json_t *header;
    struct offline offline;
    struct json_out out;
};

/* Says what is wrong with the line at hand. */
__attribute__((format(printf, 2, 3))) static bool fail(const struct script *x,
                                                       const char *format, ...)
{
    char text[1024];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    (void)complain("%s, line %llu: %s", x->path, (unsigned long long)x->line,
                   text);
    return false;
}

static void print_out(struct script *x)
{
    output_json(true);
    (void)fwrite(json_out_text(&x->out), 1, x->out.len, stdout);
    (void)fputc('\n', stdout);
    output_json(false);
    json_out_reset(&x->out);
}

/* ---- the document ------------------------------------------------------ */

static void put_view(struct json_out *o, const char *key,
                     const struct rules *r, const struct rules_state *s,
                     int viewer)
{
    static union rules_any view;
    rules_view(r, s, viewer, &view.state);
    json_state(o, key, r, &view.state);
}

/* All there is to know of the table. */
static void put_document(struct script *x, struct json_out *o)
{
    const struct rules *r = x->offline.table.rules;
    const struct rules_state *s = offline_state(&x->offline);
    struct rules_score score;
    char hash[17];

    rules_score(r, s, &score);
    (void)snprintf(hash, sizeof(hash), "%016llx",
                   (unsigned long long)rules_hash(r, s));
    out_object(o, NULL);
    out_string(o, "game", r->name);
    out_int(o, "ply", s->ply);
    out_bool(o, "over", rules_over(s));
    out_string(o, "hash", hash);
    json_options(o, "options", r, x->offline.options);
    json_score(o, "score", r, s, &score);
    json_places(o, "places", s, &score);
    json_state(o, "state", r, s);
    out_list(o, "views");
    for (int seat = 0; seat < s->seats; seat++)
        put_view(o, NULL, r, s, seat);
    out_end(o);
    put_view(o, "watcher", r, s, RULES_WATCHER);
    out_end(o);
}

/* ---- the header -------------------------------------------------------- */

static bool open_table(struct script *x, const json_t *header)
{
    const char *game = json_string_value(json_object_get(header, "game"));
    const json_t *seats = json_object_get(header, "seats");
    const json_t *revision = json_object_get(header, "revision");
    const json_t *seed = json_object_get(header, "seed");
    int16_t options[RULES_OPTIONS_MAX];
    char text[JSON_PATH_MAX + JSON_EXPECTED_MAX + 32];
    struct json_board board;
    struct json_refusal why;

    if (game == NULL)
        return fail(x, "the first line must be a header with a game");
    const struct rules *r = rules_find(game);
    if (r == NULL)
        return fail(x, "/game: there is no game '%s'", game);
    if (seats != NULL && !(json_is_integer(seats) &&
                           json_integer_value(seats) >= r->seats_min &&
                           json_integer_value(seats) <= r->seats_max))
        return fail(x, "/seats: expected a number from %d to %d", r->seats_min,
                    r->seats_max);
    if (revision != NULL &&
        !(json_is_integer(revision) && json_integer_value(revision) >= 1 &&
          json_integer_value(revision) <= r->revision))
        return fail(x,
                    "/revision: expected a number from 1 to %d, which is"
                    " what this program plays",
                    r->revision);
    if (seed != NULL && !json_is_string(seed) &&
        !(json_is_integer(seed) && json_integer_value(seed) >= 0))
        return fail(x, "/seed: expected a number, or the seed of a record");
    if (json_options_read(r, json_object_get(header, "options"), options,
                          &why) != RULES_OK)
        return fail(x, "%s",
                    refusal_read_text("/options", &why, text, sizeof(text)));
    const json_t *tables = json_object_get(header, "tables");
    if (tables != NULL && rules_has_dataset(r)) {
        if (json_tables_read(r, tables, &board, &why) != RULES_OK)
            return fail(x, "%s",
                        refusal_read_text("/tables", &why, text,
                                          sizeof(text)));
    } else if (json_board_read(r, json_object_get(header, "board"),
                               (uint64_t)json_integer_value(seed), &board,
                               &why) != RULES_OK) {
        return fail(x, "%s",
                    refusal_read_text("/board", &why, text, sizeof(text)));
    }
    if (!offline_open(&x->offline, r, (int)json_integer_value(revision),
                      seats != NULL ? (int)json_integer_value(seats)
                                    : r->seats_min,
                      options, &board))
        return fail(x, "the table cannot be set up");
    x->open = true;
    x->header = json_incref((json_t *)(uintptr_t)header);
    if (json_is_integer(seed))
        offline_seed(&x->offline, (uint64_t)json_integer_value(seed));
    x->offline.next_number = 1;
    return true;
}

/* ---- plies ------------------------------------------------------------- */

/* The events of the last ply, with whoever may not see them all. */
static void put_events(struct script *x)
{
    const struct rules_state *s = offline_state(&x->offline);
    const struct rules_events *events = &x->offline.table.last;

    out_list(&x->out, "events");
    for (size_t i = 0; i < events->count; i++) {
        struct json_out *o = &x->out;
        uint16_t seen_by = events->at[i].seen_by;
        bool all = (seen_by & RULES_BIT(RULES_WATCHER)) != 0;
        for (int seat = 0; seat < s->seats; seat++)
            all = all && (seen_by & RULES_BIT(seat));
        if (all) {
            json_event(o, NULL, x->offline.table.rules, s, &events->at[i]);
            continue;
        }
        out_object(o, NULL);
        out_list(o, "seen_by");
        for (int seat = 0; seat < s->seats; seat++)
            if (seen_by & RULES_BIT(seat))
                out_int(o, NULL, seat);
        if (seen_by & RULES_BIT(RULES_WATCHER))
            out_string(o, NULL, "watcher");
        out_end(o);
        json_event(o, "event", x->offline.table.rules, s, &events->at[i]);
        out_end(o);
    }
    out_end(&x->out);
}

static void show_ply(struct script *x)
{
    const struct offline *t = &x->offline;
    const struct offline_ply *p = &t->log[t->count - 1];

    if (x->quiet)
        return;
    out_object(&x->out, NULL);
    out_int(&x->out, "ply", (int64_t)p->number);
    json_seat(&x->out, "seat", p->ply.seat);
    json_move(&x->out, "move", t->table.rules, &t->table.any.state,
              &p->ply.move);
    put_events(x);
    out_end(&x->out);
    print_out(x);
}

/* Draws what the script leaves to chance. */
static void draw(struct script *x)
{
    while (x->offline.seeded &&
           offline_state(&x->offline)->acting == RULES_BIT(RULES_NATURE)) {
        (void)offline_step(&x->offline);
        show_ply(x);
    }
}

static bool read_seat(struct script *x, const json_t *value, int *seat)
{
    const json_t *given = json_object_get(value, "seat");
    int seats = x->offline.setup.seats;

    if (json_is_string(given) &&
        strcmp(json_string_value(given), "nature") == 0) {
        *seat = RULES_NATURE;
        return true;
    }
    if (json_is_integer(given) && json_integer_value(given) >= 0 &&
        json_integer_value(given) < seats) {
        *seat = (int)json_integer_value(given);
        return true;
    }
    return fail(x, "/seat: expected a number from 0 to %d or \"nature\"",
                seats - 1);
}

/* A line may number its ply, as those of a record do; they never go back. */
static bool read_number(struct script *x, const json_t *line)
{
    const json_t *number = json_object_get(line, "ply");
    uint64_t *next = &x->offline.next_number;

    if (number == NULL)
        return true;
    if (!json_is_integer(number) || json_integer_value(number) < 0 ||
        (uint64_t)json_integer_value(number) < *next)
        return fail(x, "/ply: expected a number from %" PRIu64 " on", *next);
    *next = (uint64_t)json_integer_value(number);
    return true;
}

static bool play_line(struct script *x, const json_t *line)
{
    struct offline *t = &x->offline;
    struct json_refusal why;
    struct rules_move move;
    int seat;

    if (!read_seat(x, line, &seat))
        return false;
    if (seat != RULES_NATURE)
        draw(x);
    int refusal = json_move_read(t->table.rules, &t->table.any.state,
                                 json_object_get(line, "move"), false, &move,
                                 &why);
    if (refusal != RULES_OK)
        return fail(x, "%s: /move%s: expected %s",
                    rules_reason(t->table.rules, refusal), why.path,
                    why.expected);
    if (!read_number(x, line))
        return false;
    refusal = offline_play(t, seat, &move);
    if (refusal != RULES_OK)
        return fail(x, "%s: %s", rules_reason(t->table.rules, refusal),
                    rules_reason_text(t->table.rules, refusal));
    show_ply(x);
    return true;
}

static bool undo_line(struct script *x, const json_t *line)
{
    struct offline *t = &x->offline;
    int seat;

    draw(x);
    if (!read_seat(x, line, &seat))
        return false;
    enum rules_undo why = offline_undo(t, seat);
    if (why != RULES_UNDO_YES)
        return fail(x, "undo_not_allowed (%s): %s", rules_undo_word(why),
                    undo_sentence(why));
    if (!read_number(x, line))
        return false;
    t->next_number++;
    if (!x->quiet) {
        out_object(&x->out, NULL);
        out_string(&x->out, "kind", "undo");
        out_int(&x->out, "seat", seat);
        out_int(&x->out, "plies", (int64_t)t->count);
        out_end(&x->out);
        print_out(x);
    }
    return true;
}

/* ---- expectations ------------------------------------------------------ */

struct difference {
    char path[256];
    char text[512];
};

static bool differs(struct difference *d, const json_t *wanted,
                    const json_t *found)
{
    char *w = json_dumps(wanted, JSON_ENCODE_ANY | JSON_COMPACT);
    char *f = found != NULL ? json_dumps(found, JSON_ENCODE_ANY | JSON_COMPACT)
                            : NULL;
    (void)snprintf(d->text, sizeof(d->text), "expected %.200s, found %.250s",
                   w != NULL ? w : "?", f != NULL ? f : "nothing there");
    free(w);
    free(f);
    return false;
}

/* The member NAME of an object, the item of a list, or a category of a score,
 * whose `parts` may be left out. */
static const json_t *member(const json_t *found, const char *name)
{
    uint64_t index;

    if (json_is_array(found))
        return number_read(name, SIZE_MAX, &index)
                   ? json_array_get(found, index)
                   : NULL;
    const json_t *m = json_object_get(found, name);
    const json_t *parts = json_object_get(found, "parts");
    return m == NULL && parts != NULL ? json_object_get(parts, name) : m;
}

/* Whether WANTED is a part of FOUND: objects by the members named, an object
 * against a list by its indexes, all else whole. */
static bool fits(const json_t *wanted, const json_t *found,
                 struct difference *d)
{
    size_t len = strlen(d->path), i;
    const char *name;
    json_t *w;

    if (json_is_object(wanted) &&
        (json_is_object(found) || json_is_array(found))) {
        json_object_foreach((json_t *)(uintptr_t)wanted, name, w)
        {
            (void)snprintf(d->path + len, sizeof(d->path) - len, "/%s", name);
            if (!fits(w, member(found, name), d))
                return false;
        }
        d->path[len] = '\0';
        return true;
    }
    if (json_is_array(wanted) && json_is_array(found) &&
        json_array_size(wanted) == json_array_size(found)) {
        json_array_foreach(wanted, i, w)
        {
            (void)snprintf(d->path + len, sizeof(d->path) - len, "/%zu", i);
            if (!fits(w, json_array_get(found, i), d))
                return false;
        }
        d->path[len] = '\0';
        return true;
    }
    return found != NULL && json_equal(wanted, found)
               ? true
               : differs(d, wanted, found);
}

/* The document as expectations see it: the members of the full state are at
 * the top as well. */
static json_t *document(struct script *x)
{
    struct json_out o;
    char why[JSON_EXPECTED_MAX];

    json_out_init(&o);
    put_document(x, &o);
    json_t *doc = json_parse(json_out_text(&o), o.len, why);
    json_out_done(&o);
    ASSERT(doc != NULL);
    int failed = json_object_update_missing(doc,
                                            json_object_get(doc, "state"));
    ASSERT(failed == 0);
    return doc;
}

/* {"seat": 0, "verb": "play_land", "count": 3, "moves": [...],
 * "includes": [...], "excludes": [...]} */
static bool expect_legal(struct script *x, const json_t *wanted)
{
    struct offline *t = &x->offline;
    const json_t *verb = json_object_get(wanted, "verb");
    char text[JSON_EXPECTED_MAX];
    int seat, v = -1;

    if (!read_seat(x, wanted, &seat))
        return false;
    for (int i = 0; json_is_string(verb) && t->table.rules->verbs[i].name; i++)
        if (strcmp(t->table.rules->verbs[i].name, json_string_value(verb)) ==
            0)
            v = i;
    if (verb != NULL && v < 0)
        return fail(x, "/legal/verb: there is no such verb");
    size_t n = rules_legal(t->table.rules, &t->table.any.state, seat, v,
                           t->table.choices, RULES_MOVES_MAX);
    struct json_out o;
    json_out_init(&o);
    out_object(&o, NULL);
    json_seat(&o, "seat", seat);
    if (v >= 0)
        out_string(&o, "verb", t->table.rules->verbs[v].name);
    out_int(&o, "count", (int64_t)n);
    out_list(&o, "moves");
    for (size_t i = 0; i < n; i++)
        json_move(&o, NULL, t->table.rules, &t->table.any.state,
                  &t->table.choices[i].move);
    out_end(&o);
    out_end(&o);
    json_t *found = json_parse(json_out_text(&o), o.len, text);
    json_out_done(&o);
    ASSERT(found != NULL);

    struct difference d = {.path = "/legal"};
    bool good = true;
    const char *name;
    json_t *w, *item, *legal = json_object_get(found, "moves");
    size_t i, j;
    json_object_foreach((json_t *)(uintptr_t)wanted, name, w)
    {
        bool includes = strcmp(name, "includes") == 0;
        if (!includes && strcmp(name, "excludes") != 0) {
            json_t *one = json_pack("{sO}", name, w);
            good = good && fits(one, found, &d);
            json_decref(one);
            continue;
        }
        json_array_foreach(w, i, item)
        {
            bool there = false;
            for (j = 0; j < json_array_size(legal); j++)
                there = there || json_equal(item, json_array_get(legal, j));
            if (good && there != includes) {
                char *move = json_dumps(item, JSON_COMPACT | JSON_ENCODE_ANY);
                (void)snprintf(d.text, sizeof(d.text), "%.400s is %s",
                               move != NULL ? move : "?",
                               there ? "legal" : "not legal");
                free(move);
                good = false;
            }
        }
    }
    json_decref(found);
    return good ? true : fail(x, "%s: %s", d.path, d.text);
}

static bool expect_line(struct script *x, const json_t *wanted)
{
    struct difference d = {.path = ""};

    draw(x);
    if (!json_is_object(wanted))
        return fail(x, "/expect: expected an object");
    json_t *doc = document(x);
    bool good = true;
    const char *name;
    json_t *w;
    json_object_foreach((json_t *)(uintptr_t)wanted, name, w)
    {
        if (strcmp(name, "legal") == 0) {
            good = expect_legal(x, w);
            if (!good)
                break;
            continue;
        }
        (void)snprintf(d.path, sizeof(d.path), "/%s", name);
        const json_t *found = json_object_get(doc, name);
        if (!fits(w, found, &d)) {
            good = fail(x, "%s: %s", d.path, d.text);
            break;
        }
    }
    json_decref(doc);
    return good;
}

static bool refuse_line(struct script *x, const json_t *wanted)
{
    struct offline *t = &x->offline;
    const char *rule = json_string_value(json_object_get(wanted, "rule"));
    struct json_refusal why;
    struct rules_move move;
    int seat;

    draw(x);
    if (!json_is_object(wanted))
        return fail(x, "/refuse: expected an object");
    if (!read_seat(x, wanted, &seat))
        return false;
    int refusal = json_move_read(t->table.rules, &t->table.any.state,
                                 json_object_get(wanted, "move"), false, &move,
                                 &why);
    if (refusal == RULES_OK)
        refusal = rules_check(t->table.rules, &t->table.any.state, seat,
                              &move);
    const char *found = rules_reason(t->table.rules, refusal);
    if (refusal == RULES_OK)
        return fail(x, "/refuse: the move is legal");
    if (rule != NULL && strcmp(rule, found) != 0)
        return fail(x, "/refuse/rule: expected %s, found %s", rule, found);
    return true;
}

/* {"seat": 0, "why": "final"}: the undo is refused. */
static bool refuse_undo_line(struct script *x, const json_t *wanted)
{
    struct offline *t = &x->offline;
    const char *word = json_string_value(json_object_get(wanted, "why"));
    struct rules_done *done;
    size_t at;
    int seat;

    draw(x);
    if (!json_is_object(wanted))
        return fail(x, "/refuse_undo: expected an object");
    if (!read_seat(x, wanted, &seat))
        return false;
    done = must_alloc(t->count * sizeof(*done));
    for (size_t i = 0; i < t->count; i++)
        done[i] = (struct rules_done){t->log[i].ply.seat, t->log[i].flags};
    enum rules_undo why = rules_undo(done, t->count, seat, &at);
    free(done);
    if (why == RULES_UNDO_YES)
        return fail(x, "/refuse_undo: the undo is allowed");
    if (word != NULL && strcmp(word, rules_undo_word(why)) != 0)
        return fail(x, "/refuse_undo/why: expected %s, found %s", word,
                    rules_undo_word(why));
    return true;
}

/* ---- lines ------------------------------------------------------------- */

static bool handle(struct script *x, const json_t *line)
{
    const json_t *kind = json_object_get(line, "kind");
    const char *word = json_string_value(kind);

    if (!x->open)
        return open_table(x, line);
    if (json_object_get(line, "expect") != NULL)
        return expect_line(x, json_object_get(line, "expect"));
    if (json_object_get(line, "refuse") != NULL)
        return refuse_line(x, json_object_get(line, "refuse"));
    if (json_object_get(line, "refuse_undo") != NULL)
        return refuse_undo_line(x, json_object_get(line, "refuse_undo"));
    if (json_object_get(line, "move") != NULL)
        return play_line(x, line);
    if (word != NULL && strcmp(word, "undo") == 0)
        return undo_line(x, line);
    if (word != NULL && strcmp(word, "rewind") == 0) {
        const json_t *to = json_object_get(line, "to");
        if (!json_is_integer(to) || json_integer_value(to) < 0)
            return fail(x, "/to: expected the last ply that stays");
        offline_rewind(&x->offline, (uint64_t)json_integer_value(to) + 1);
        return true;
    }
    /* Joins, nonces, the start …, and the footer: nothing of the rules. */
    if (word != NULL || json_object_get(line, "result") != NULL)
        return true;
    return fail(x, "expected a move, undo, expect or refuse");
}

static bool play_text(struct script *x, const char *text, size_t len)
{
    char why[JSON_EXPECTED_MAX];

    while (len > 0) {
        const char *newline = memchr(text, '\n', len);
        size_t n = newline != NULL ? (size_t)(newline - text) : len;
        size_t skip = strspn(text, " \t\r");

        x->line++;
        if (skip < n && text[skip] != '#') {
            json_t *line = json_parse(text, n, why);
            if (line == NULL)
                return fail(x, "no JSON: %s", why);
            bool good = json_is_object(line) ? handle(x, line)
                                             : fail(x, "expected an object");
            json_decref(line);
            if (!good)
                return false;
        }
        text += n + (newline != NULL);
        len -= n + (newline != NULL);
    }
    return x->open ? true : fail(x, "there is no header");
}

bool script_load(const char *path, struct offline *o, json_t **ret_header)
{
    static struct script x;
    size_t len;
    char *text = read_whole(path, SCRIPT_BYTES_MAX, &len);

    if (text == NULL)
        return false;
    x = (struct script){.path = path, .quiet = true};
    json_out_init(&x.out);
    bool good = play_text(&x, text, len);
    json_out_done(&x.out);
    free(text);
    if (good) {
        *o = x.offline;
        /* It points into what has moved. */
        o->setup.options = o->options;
        *ret_header = x.header;
        return true;
    }
    if (x.open)
        offline_close(&x.offline);
    json_decref(x.header);
    return false;
}

/* ---- the command ------------------------------------------------------- */

static const struct argp_option script_options[] = {
    {"quiet", 'q', NULL, 0,
     N_("no line for each ply, only what stands at the end"), 0},
    {"silent", 's', NULL, 0, N_("nothing at all: only see whether it holds"),
     0},
    {0},
};

struct script_arguments {
    const char *path;
    bool quiet, silent;
};

static error_t script_parse(int key, char *arg, struct argp_state *state)
{
    struct script_arguments *a = state->input;

    switch (key) {
    case 'q': a->quiet = true; return 0;
    case 's': a->silent = true; return 0;
    default:
        return argument_parse(key, arg, state, &a->path,
                              _("one FILE at a time"),
                              _("which FILE? `-` is the standard input"));
    }
}

int script_command(int argc, char **argv)
{
    static const struct argp argp = {
        .options = script_options,
        .parser = script_parse,
        .args_doc = "FILE",
        .doc = DOC(
            N_("Plays the script FILE (`-`: standard input) on the rules and "
               "prints what came of each ply and, at the end, everything "
               "about the table, all as JSON."),
            N_("A script has one JSON object in each line: a header "
               "{\"game\": ..., \"seats\": ...}, then plies {\"seat\": 0, "
               "\"move\": {...}} and expectations {\"expect\": {...}}, "
               "{\"refuse\": {...}}. A game record is a script, too. "
               "clients/term/README.md tells all of it.")),
    };
    struct script_arguments a = {0};
    if (command_parse(&argp, "script", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;

    size_t len;
    char *text = read_whole(a.path, SCRIPT_BYTES_MAX, &len);
    if (text == NULL)
        return STATUS_FAILED;
    static struct script x;
    x.path = strcmp(a.path, "-") == 0 ? "standard input" : a.path;
    x.quiet = a.quiet || a.silent;
    json_out_init(&x.out);
    bool good = play_text(&x, text, len);
    json_decref(x.header);
    if (good) {
        draw(&x);
        if (!a.silent) {
            put_document(&x, &x.out);
            print_out(&x);
        }
    }
    if (x.open)
        offline_close(&x.offline);
    json_out_done(&x.out);
    free(text);
    return good ? STATUS_DONE : STATUS_FAILED;
}
