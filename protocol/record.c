/* record.c -- game records, line by line; see record.h.  What a line says at a
 * table with a pace is read by record_time.c. */

#include "record.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "canonical.h"
#include "core/base.h"
#include "record_time.h"
#include "refusal.h"

__attribute__((format(printf, 3, 4))) static bool
fail(const struct record *r, struct record_fault *f, const char *format, ...)
{
    va_list args;

    *f = (struct record_fault){
        .line = r->lines,
        .place = r->next,
        .ply = r->audit.ply,
    };
    va_start(args, format);
    (void)vsnprintf(f->why, sizeof(f->why), format, args);
    va_end(args);
    return false;
}

/* Of WITHIN, which could not be read. */
static bool refuse(const struct record *r, struct record_fault *f,
                   const char *within, const struct json_refusal *why)
{
    char text[JSON_PATH_MAX + JSON_EXPECTED_MAX + 32];

    return fail(r, f, "%s",
                refusal_read_text(within, why, text, sizeof(text)));
}

void record_fault_text(const struct record_fault *f, char *buf, size_t cap)
{
    unsigned long long line = f->line, ply = f->ply;

    if (f->place == RECORD_PLY)
        (void)snprintf(buf, cap, "line %llu, ply %llu: %s", line, ply, f->why);
    else
        (void)snprintf(buf, cap, "line %llu, the %s: %s", line,
                       f->place == RECORD_HEADER ? "header" : "footer",
                       f->why);
}

struct record *record_new(void)
{
    struct record *r = calloc(1, sizeof(*r));

    ASSERT(r != NULL);
    json_out_init(&r->text);
    json_out_init(&r->head);
    return r;
}

void record_free(struct record *r)
{
    if (r == NULL)
        return;
    json_out_done(&r->text);
    json_out_done(&r->head);
    json_board_done(&r->board);
    json_decref(r->header);
    json_decref(r->line);
    record_time_free(r->time);
    free(r->plies);
    free(r);
}

/* ---- members ---------------------------------------------------------- */

/* The string NAME of OBJECT, no longer than MAX and without a NUL in it. */
static const char *text_of(const json_t *object, const char *name, size_t max)
{
    const json_t *value = json_object_get(object, name);
    const char *text = json_string_value(value);

    if (text == NULL || json_string_length(value) > max ||
        strlen(text) != json_string_length(value))
        return NULL;
    return text;
}

/* The integer NAME of OBJECT, MIN to MAX; or -1. */
static int64_t number_of(const json_t *object, const char *name, int64_t min,
                         int64_t max)
{
    const json_t *value = json_object_get(object, name);

    if (!json_is_integer(value) || json_integer_value(value) < min ||
        json_integer_value(value) > max)
        return -1;
    return json_integer_value(value);
}

static bool is_id(const char *text)
{
    for (; text != NULL && *text != '\0'; text++)
        if (strchr("abcdefghijklmnopqrstuvwxyz"
                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-",
                   *text) == NULL)
            return false;
    return text != NULL;
}

/* Whether the member NAME is HASH in lower-case hex. */
static bool is_hash(const json_t *object, const char *name,
                    const uint8_t hash[SHA256_SIZE])
{
    char hex[2 * SHA256_SIZE + 1] = "";
    const char *text = text_of(object, name, 2 * SHA256_SIZE);

    hex_write(hex, hash, SHA256_SIZE);
    return text != NULL && strcmp(text, hex) == 0;
}

/* ---- the header ------------------------------------------------------- */

/* Who it is about: format, table, game. */
static bool read_names(struct record *r, struct record_fault *f)
{
    const json_t *h = r->header;
    const char *format = text_of(h, "format", 64);
    const char *game = text_of(h, "game", 64);

    if (format == NULL || (strcmp(format, RECORD_FORMAT) != 0 &&
                           strcmp(format, RECORD_FORMAT_TIMED) != 0))
        return fail(r, f, "/format: expected \"%s\" or \"%s\"", RECORD_FORMAT,
                    RECORD_FORMAT_TIMED);
    r->table = text_of(h, "table", 32);
    if (!is_id(r->table) || r->table[0] == '\0')
        return fail(r, f, "/table: expected an id");
    if (game == NULL)
        return fail(r, f, "/game: expected a game's name");
    r->rules = rules_find(game);
    if (r->rules == NULL)
        return fail(r, f, "/game: there is no game '%s' here", game);
    if (!json_is_array(json_object_get(h, "players")))
        return fail(r, f, "/players: expected a list");
    return true;
}

static bool read_setup(struct record *r, struct rules_setup *setup,
                       struct record_fault *f)
{
    const json_t *h = r->header;
    struct json_refusal why;
    int64_t revision = number_of(h, "revision", 1, r->rules->revision);
    int64_t seats = number_of(h, "seats", 1, RULES_SEATS_MAX);
    const json_t *board = json_object_get(h, "board");
    const json_t *tables = json_object_get(h, "tables");
    const json_t *position = json_object_get(h, "position");

    if (revision < 0)
        return fail(r, f,
                    "/revision: expected 1 to %d, which is what this"
                    " program plays",
                    r->rules->revision);
    if (seats < 0)
        return fail(r, f, "/seats: expected 1 to %d", RULES_SEATS_MAX);
    if (json_options_read(r->rules, json_object_get(h, "options"), r->options,
                          &why) != RULES_OK)
        return refuse(r, f, "/options", &why);
    if (json_object_get(board, "generate") != NULL)
        return fail(r, f, "/board: expected the board itself");
    if (json_board_read(r->rules, board, 0, &r->board, &why) != RULES_OK)
        return refuse(r, f, "/board", &why);
    if (tables != NULL &&
        json_tables_read(r->rules, tables, &r->board, &why) != RULES_OK)
        return refuse(r, f, "/tables", &why);
    if (position != NULL &&
        json_state_read(r->rules, position, &r->position.state, &why) !=
            RULES_OK)
        return refuse(r, f, "/position", &why);
    *setup = (struct rules_setup){
        .seats = (int)seats,
        .revision = (uint16_t)revision,
        .options = r->options,
        .asset_name = r->board.name,
        .asset = r->board.text,
        .asset_len = r->board.len,
        .position = position != NULL ? &r->position.state : NULL,
    };
    return true;
}

/* What the header says of time, if it is of a table with a pace. */
static bool begin_time(struct record *r, struct record_fault *f)
{
    const char *format = text_of(r->header, "format", 64);
    struct terms terms;

    if (strcmp(format, RECORD_FORMAT_TIMED) != 0)
        return json_object_get(r->header, "pace") == NULL ||
               fail(r, f, "/pace: expected none in this format");
    if (!json_terms_read(r->header, &terms))
        return fail(r, f, "/pace: expected what a table can agree on");
    r->time = record_time_new(&r->audit, &terms);
    return true;
}

static bool take_header(struct record *r, struct record_fault *f)
{
    const char *seed = text_of(r->header, "seed", FAIR_SEED_DIGITS);
    struct rules_setup setup;
    struct rules_problem why = {0};
    uint8_t hash[SHA256_SIZE];

    if (!read_names(r, f) || !read_setup(r, &setup, f))
        return false;
    if (seed == NULL || !fair_seed_ok(seed))
        return fail(r, f, "/seed: expected 64 hex digits");
    fair_commitment(r->table, r->rules->name, setup.revision, seed, hash);
    if (!is_hash(r->header, "commitment", hash))
        return fail(r, f, "/commitment: it does not commit to the seed");
    r->plies = calloc(r->rules->plies_max, sizeof(*r->plies));
    ASSERT(r->plies != NULL);
    if (audit_init(&r->audit, r->rules, &setup, seed, r->plies,
                   r->rules->plies_max, &why) != RULES_OK)
        return fail(r, f, "the game cannot be set up like that: %s",
                    why.text != NULL ? why.text : "it is too much");
    if (!begin_time(r, f))
        return false;
    if (!canonical_write(&r->head, r->header, "players"))
        return fail(r, f, "it has a number that is no whole one");
    json_out_reset(&r->text);
    out_raw(&r->text, NULL, json_out_text(&r->head), r->head.len);
    return true;
}

/* ---- plies ------------------------------------------------------------ */

static uint16_t read_seat(const json_t *line)
{
    const char *word = text_of(line, "seat", 8);
    int64_t seat = number_of(line, "seat", 0, RULES_SEATS_MAX - 1);

    if (seat >= 0)
        return (uint16_t)seat;
    return word != NULL && strcmp(word, "nature") == 0 ? RULES_NATURE
                                                       : ENTRY_NOBODY;
}

static int read_kind(const json_t *line)
{
    const char *word = text_of(line, "kind", 64);

    for (int kind = 0; word != NULL && kind < ENTRY_KINDS; kind++)
        if (strcmp(word, entry_words[kind]) == 0)
            return kind;
    return -1;
}

static bool read_kept(struct record *r, struct record_fault *f)
{
    const json_t *list = json_object_get(r->line, "seats");
    int64_t last = -1;

    if (json_array_size(list) == 0)
        return fail(r, f, "/seats: expected a list of seats");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        int64_t seat = json_is_integer(item) ? json_integer_value(item) : -1;
        if (seat <= last || seat >= RULES_SEATS_MAX)
            return fail(r, f, "/seats: expected seats in order");
        r->entry.kept |= UINT64_C(1) << seat;
        last = seat;
    }
    return true;
}

static bool read_move(struct record *r, struct record_fault *f)
{
    struct json_refusal why;
    int64_t decision = number_of(r->line, "decision", 0, INT64_MAX);

    if (r->audit.state != AUDIT_PLAYING)
        return fail(r, f,
                    r->audit.state == AUDIT_OPEN ? "the game had not started"
                                                 : "it was over");
    if (r->entry.seat != RULES_NATURE && decision < 0)
        return fail(r, f, "/decision: expected the ply that it answers");
    r->entry.decision = decision < 0 ? 0 : (uint64_t)decision;
    if (json_move_read(r->rules, &r->audit.any.state,
                       json_object_get(r->line, "move"), false, &r->entry.move,
                       &why) != RULES_OK)
        return refuse(r, f, "/move", &why);
    return true;
}

/* What the entry says, as its kind asks for. */
static bool read_entry(struct record *r, struct record_fault *f)
{
    int kind = read_kind(r->line);
    int64_t undoes = number_of(r->line, "undoes", 0, INT64_MAX);
    int64_t to = number_of(r->line, "to", 0, INT64_MAX);

    r->entry = (struct audit_entry){.seat = read_seat(r->line)};
    r->account = NULL;
    if (kind < 0)
        return fail(r, f, "/kind: this program does not know it");
    r->entry.kind = (uint8_t)kind;
    r->entry.at = number_of(r->line, "at", 0, INT64_MAX);
    if (r->entry.at < 0)
        return fail(r, f, "/at: expected a time");
    const char *wrong = r->time != NULL
                            ? record_time_read(r->time, &r->audit, r->line,
                                               &r->entry)
                            : json_vote_read(r->line, kind, &r->entry.more);
    if (wrong != NULL)
        return fail(r, f, "/%s: it cannot be that", wrong);
    switch (kind) {
    case ENTRY_MOVE: return read_move(r, f);
    case ENTRY_START: return read_kept(r, f);
    case ENTRY_UNDO: r->entry.undoes = (uint64_t)undoes; break;
    case ENTRY_NONCE: r->entry.nonce = text_of(r->line, "nonce", 64); break;
    case ENTRY_REWIND: r->entry.to = (uint64_t)to; break;
    case ENTRY_JOIN:
    case ENTRY_REPLACED:
        r->account = text_of(r->line, "account", 32);
        if (!is_id(r->account))
            return fail(r, f, "/account: expected an id");
        break;
    default: break;
    }
    if (kind == ENTRY_UNDO && undoes < 0)
        return fail(r, f, "/undoes: expected a ply");
    if (kind == ENTRY_REWIND && to < 0)
        return fail(r, f, "/to: expected a ply");
    return true;
}

static bool check_chain(struct record *r, struct record_fault *f)
{
    uint8_t salt[SHA256_SIZE];

    json_out_reset(&r->text);
    if (!canonical_write(&r->text, r->line, "chain"))
        return fail(r, f, "it has a number that is no whole one");
    if (r->audit.ply == 0) {
        fair_chain_start(json_out_text(&r->head), r->head.len, r->chain);
    } else {
        fair_salt(r->audit.seed, r->audit.ply, salt);
        fair_chain_next(r->chain, salt, json_out_text(&r->text), r->text.len,
                        r->chain);
    }
    if (!is_hash(r->line, "chain", r->chain))
        return fail(r, f, "/chain: it is not the hash of what came before");
    return true;
}

/* Ply 0 is the header over again: it has the same chain, and nothing else in
 * it is hashed. */
static bool check_first(struct record *r, struct record_fault *f)
{
    char wanted[96];
    int64_t created = number_of(r->header, "created", 0, INT64_MAX);

    (void)snprintf(wanted, sizeof(wanted),
                   "{\"at\":%lld,\"kind\":\"create\",\"ply\":0}",
                   (long long)created);
    if (strcmp(json_out_text(&r->text), wanted) != 0)
        return fail(r, f, "expected %s and a chain", wanted);
    return true;
}

/* For the players in the header, which no hash vouches for. */
static void note_account(struct record *r)
{
    if (r->entry.seat >= RULES_SEATS_MAX)
        return;
    bool replaced = r->entry.kind == ENTRY_REPLACED;
    char *joined =
        r->joined[replaced ? r->audit.from[r->entry.seat] : r->entry.seat];
    if (r->entry.kind == ENTRY_JOIN || replaced)
        (void)snprintf(joined, sizeof(r->joined[0]), "%s", r->account);
    else if (r->entry.kind == ENTRY_LEAVE)
        joined[0] = '\0';
}

/* Whether the entry, which is chained, could come. */
static bool take_ply(struct record *r, struct record_fault *f)
{
    int64_t ply = number_of(r->line, "ply", 0, INT64_MAX);
    int refusal;

    if (ply < 0 || (uint64_t)ply != r->audit.ply)
        return fail(r, f, "/ply: expected %llu",
                    (unsigned long long)r->audit.ply);
    if (!read_entry(r, f) || !check_chain(r, f) ||
        (ply == 0 && !check_first(r, f)))
        return false;
    note_account(r);
    const char *wrong = audit_step(&r->audit, &r->entry, &refusal);
    if (wrong == NULL)
        return true;
    r->audit.ply--; /* it is this one that is wrong */
    if (refusal == RULES_OK)
        return fail(r, f, "%s", wrong);
    return fail(r, f, "%s: %s, %s", wrong, rules_reason(r->rules, refusal),
                rules_reason_text(r->rules, refusal));
}

/* ---- the footer ------------------------------------------------------- */

void record_result(const struct record *r, struct json_out *o, const char *key)
{
    const struct audit *a = &r->audit;
    struct rules_score score;

    if (!audit_has_result(a->state)) {
        out_null(o, key);
        return;
    }
    audit_score(a, &score);
    out_object(o, key);
    out_list(o, "places");
    for (int seat = 0; seat < a->seats; seat++)
        out_int(o, NULL, score.place[seat]);
    out_end(o);
    out_string(o, "reason",
               a->state == AUDIT_RESIGNED  ? "resigned"
               : a->state == AUDIT_TIMEOUT ? "timeout"
                                           : "finished");
    out_list(o, "totals");
    for (int seat = 0; seat < a->seats; seat++)
        out_int(o, NULL, score.total[seat]);
    out_end(o);
    out_end(o);
}

static bool check_players(struct record *r, struct record_fault *f)
{
    const json_t *players = json_object_get(r->header, "players");

    if (json_array_size(players) != r->audit.seats)
        return fail(r, f, "/players of the header: expected %d",
                    r->audit.seats);
    for (int seat = 0; seat < r->audit.seats; seat++) {
        const json_t *player = json_array_get(players, (size_t)seat);
        const char *account = text_of(player, "account", 32);
        const char *joined = r->joined[r->audit.from[seat]];
        if (strcmp(account != NULL ? account : "", joined) != 0)
            return fail(r, f,
                        "/players/%d of the header: another account"
                        " sat there",
                        seat);
        const json_t *name = json_object_get(player, "name");
        if (name != NULL && !json_is_null(name) &&
            !is_id(text_of(player, "name", 24)))
            return fail(r, f, "/players/%d/name of the header: it is no name",
                        seat);
    }
    return true;
}

static bool take_footer(struct record *r, struct record_fault *f)
{
    const json_t *told = json_object_get(r->line, "result");
    struct json_out is, wanted;
    const char *wrong = audit_end(&r->audit);

    if (wrong != NULL)
        return fail(r, f, "%s", wrong);
    if (r->audit.ply == 0)
        return fail(r, f, "there are no plies");
    if (!is_hash(r->line, "chain", r->chain))
        return fail(r, f, "/chain: it is not that of the last ply");
    json_out_init(&is);
    json_out_init(&wanted);
    bool good = canonical_write(&is, told, NULL);
    record_result(r, &wanted, NULL);
    good = good && strcmp(json_out_text(&is), json_out_text(&wanted)) == 0;
    if (!good)
        (void)fail(r, f, "/result: expected %.300s", json_out_text(&wanted));
    json_out_done(&is);
    json_out_done(&wanted);
    return good && check_players(r, f);
}

/* ---- lines ------------------------------------------------------------ */

bool record_line(struct record *r, const char *text, size_t len,
                 struct record_fault *fault)
{
    char why[JSON_EXPECTED_MAX];
    json_t *line = json_parse(text, len, why);
    bool good;

    r->lines++;
    if (r->next == RECORD_FOOTER) {
        json_decref(line);
        return fail(r, fault, "there is more behind it");
    }
    if (line == NULL)
        return fail(r, fault, "no JSON: %.300s", why);
    if (!json_is_object(line)) {
        json_decref(line);
        return fail(r, fault, "expected an object");
    }
    if (r->next == RECORD_HEADER) {
        r->header = line;
        good = take_header(r, fault);
        r->next = RECORD_PLY;
        return good;
    }
    json_decref(r->line);
    r->line = line;
    if (json_object_get(line, "ply") != NULL ||
        json_object_get(line, "result") == NULL)
        return take_ply(r, fault);
    r->next = RECORD_FOOTER;
    return take_footer(r, fault);
}

bool record_end(struct record *r, struct record_fault *fault)
{
    if (r->next == RECORD_FOOTER)
        return true;
    r->lines++;
    return fail(r, fault, "%s",
                r->next == RECORD_HEADER ? "there is none"
                                         : "the record ends without a footer");
}

bool record_verify(const char *text, size_t len, struct record_fault *fault)
{
    struct record *r = record_new();
    bool good = true;

    while (len > 0 && (text[len - 1] == '\n' || text[len - 1] == '\r'))
        len--;
    while (good && len > 0) {
        const char *newline = memchr(text, '\n', len);
        size_t n = newline != NULL ? (size_t)(newline - text) : len;
        good = record_line(r, text, n, fault);
        text += n + (newline != NULL);
        len -= n + (newline != NULL);
    }
    good = good && record_end(r, fault);
    record_free(r);
    return good;
}
