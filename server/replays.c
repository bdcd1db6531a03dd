#include "replays.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base.h"
#include "digest.h"
#include "io/store_replay.h"
#include "protocol/version.h"

#define FIRST_LINE    "sobremesa-replays 1 "
#define GAMES_MAX     64
#define DIGEST_DIGITS (8 * DIGEST_PARTS)

static int complain(const char *why)
{
    fprintf(stderr, "sobremesad: %s\n", why);
    return 1;
}

/* ---- names, by game ------------------------------------------------------ */

struct game {
    char name[64];
    struct vocabulary vocabulary;
    size_t told; /* names that were printed */
};

struct games {
    struct game *at[GAMES_MAX];
    size_t count;
};

/* That of LEN bytes of NAME; NULL if there are too many games. */
static struct game *game_of(struct games *games, const char *name, size_t len)
{
    for (size_t i = 0; i < games->count; i++)
        if (strlen(games->at[i]->name) == len &&
            memcmp(games->at[i]->name, name, len) == 0)
            return games->at[i];
    if (games->count == GAMES_MAX || len >= sizeof(games->at[0]->name))
        return NULL;
    struct game *g = calloc(1, sizeof(*g));
    ASSERT(g != NULL);
    memcpy(g->name, name, len);
    games->at[games->count++] = g;
    return g;
}

static void games_free(struct games *games)
{
    for (size_t i = 0; i < games->count; i++)
        free(games->at[i]);
}

/* ---- whose file it is ------------------------------------------------------ */

/* Root reads as whoever has the file: what SQLite may have to make beside it
 * must be the server's. */
static int open_as_owner(const char *path, struct store_walk **ret_walk)
{
    char error[512];
    struct stat is;

    if (stat(path, &is) != 0) {
        fprintf(stderr, "sobremesad: cannot read %s: %s\n", path,
                strerror(errno));
        return 1;
    }
    if (geteuid() == 0 && (setegid(is.st_gid) != 0 || seteuid(is.st_uid) != 0))
        return complain("cannot become the owner of the data");
    if (store_walk_open(path, ret_walk, error, sizeof(error)) != 0)
        return complain(error);
    return 0;
}

/* ---- printing --------------------------------------------------------------- */

/* The names that were learnt since the last time. */
static void print_names(struct game *g, FILE *out)
{
    const struct vocabulary *v = &g->vocabulary;

    if (g->told == v->count)
        return;
    fprintf(out, "names %s", g->name);
    while (g->told < v->count)
        fprintf(out, " %s", v->name[g->told++]);
    fputc('\n', out);
}

static void print_table(struct replay *r, struct games *games, FILE *out)
{
    const struct walked_table *t = r->table;
    struct game *g = game_of(games, t->game, strlen(t->game));
    char id[ID_SIZE], *digests = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&digests, &len);

    ASSERT(to != NULL);
    while (replay_next(r)) {
        uint32_t digest[DIGEST_PARTS] = {0};
        if (g != NULL) {
            g->vocabulary.learns = true;
            digest_take(&r->record->audit, &g->vocabulary, digest);
        }
        for (int i = 0; i < DIGEST_PARTS; i++)
            fprintf(to, "%08x", digest[i]);
    }
    ASSERT(fclose(to) == 0);
    if (g != NULL)
        print_names(g, out);
    id_write(t->id, id);
    fprintf(out, "table %lld %s %s %zu %s", (long long)t->number, id, t->game,
            r->at, r->at > 0 ? digests : "-");
    if (r->failed)
        fprintf(out, " %s", r->fault.why);
    fputc('\n', out);
    free(digests);
}

int replays_print(const char *path, FILE *out)
{
    struct games games = {0};
    struct store_walk *walk;
    struct walked_table table;
    struct replay r;
    char error[512];
    long long tables = 0;
    int more;

    if (open_as_owner(path, &walk) != 0)
        return 1;
    replay_init(&r);
    fprintf(out, FIRST_LINE "%s\n", SOBREMESA_VERSION);
    while ((more = store_walk_next(walk, &table, error, sizeof(error))) > 0) {
        replay_begin(&r, &table);
        print_table(&r, &games, out);
        tables++;
    }
    if (more == 0)
        fprintf(out, "end %lld\n", tables);
    replay_done(&r);
    store_walk_close(walk);
    games_free(&games);
    if (more < 0)
        return complain(error);
    return fflush(out) == 0 ? 0 : complain("cannot write the output");
}

/* ---- what the other program said ------------------------------------------- */

struct told {
    FILE *in;
    char *line;
    size_t cap;
    bool any, ended;     /* it said something; all */
    int64_t number;      /* of the table it tells of; 0: none yet */
    struct game *game;   /* of that */
    size_t entries;      /* that it could replay */
    const char *digests; /* of these */
    bool failed;         /* ... and not the next one */
};

/* NAMES of a game. */
static bool take_names(struct games *games, char *names)
{
    char *rest = names, *word = strsep(&rest, " ");
    struct game *g = game_of(games, word, strlen(word));

    while (g != NULL && (word = strsep(&rest, " ")) != NULL)
        vocabulary_add(&g->vocabulary, word, strlen(word));
    return g != NULL;
}

/* "NUMBER ID GAME ENTRIES DIGESTS [TEXT]" */
static bool take_table(struct told *told, struct games *games, char *text)
{
    char *word[5], *rest = text, *end;

    for (size_t i = 0; i < COUNT_OF(word); i++)
        if ((word[i] = strsep(&rest, " ")) == NULL)
            return false;
    told->number = strtoll(word[0], &end, 10);
    if (*end != '\0' || told->number <= 0)
        return false;
    told->game = game_of(games, word[2], strlen(word[2]));
    told->entries = strtoull(word[3], &end, 10);
    told->digests = word[4];
    told->failed = rest != NULL;
    return *end == '\0' &&
           (told->entries == 0 ||
            (told->entries < SIZE_MAX / DIGEST_DIGITS &&
             strlen(word[4]) == told->entries * DIGEST_DIGITS));
}

/* The next line; false if it cannot be understood, or there is none although
 * more was to come. */
static bool take_told(struct told *told, struct games *games)
{
    ssize_t n = getline(&told->line, &told->cap, told->in);

    if (n <= 0)
        return !told->any;
    if (told->line[n - 1] == '\n')
        told->line[n - 1] = '\0';
    bool first = !told->any;
    told->any = true;
    if (first)
        return strncmp(told->line, FIRST_LINE, strlen(FIRST_LINE)) == 0;
    if (strncmp(told->line, "names ", 6) == 0)
        return take_names(games, told->line + 6);
    if (strncmp(told->line, "table ", 6) == 0)
        return take_table(told, games, told->line + 6);
    told->ended = strncmp(told->line, "end ", 4) == 0;
    return told->ended;
}

/* Goes on to what is told of table NUMBER, or of one behind it. */
static bool go_to(struct told *told, struct games *games, int64_t number)
{
    while (told->any && !told->ended && told->number < number)
        if (!take_told(told, games))
            return false;
    return true;
}

/* ---- comparing --------------------------------------------------------------- */

#define WHAT_LOG (1u << DIGEST_PARTS)

struct finding {
    unsigned what; /* bits of digest_part, or WHAT_LOG; 0: the same */
    uint64_t ply;
    const char *why; /* or NULL */
};

/* As told of entry AT. */
static uint32_t told_digest(const struct told *told, size_t at, int part)
{
    char digits[9] = "";

    memcpy(digits, told->digests + at * DIGEST_DIGITS + 8 * (size_t)part, 8);
    return (uint32_t)strtoul(digits, NULL, 16);
}

static void compare(const struct replay *r, const struct told *told,
                    struct finding *f)
{
    uint32_t digest[DIGEST_PARTS];

    f->ply = r->at - 1;
    if (r->at > told->entries) {
        if (told->failed) {
            f->what = WHAT_LOG;
            f->why = "the older program cannot replay this entry";
        }
        return; /* it came after the other program had looked */
    }
    digest_take(&r->record->audit, &told->game->vocabulary, digest);
    for (int part = 0; part < DIGEST_PARTS; part++)
        if (digest[part] != told_digest(told, r->at - 1, part))
            f->what |= 1u << part;
}

/* The same with nothing but what the store showed in lists: who was waited for
 * when the entry was stored. */
static void compare_acting(const struct replay *r, struct finding *f)
{
    const struct audit *a = &r->record->audit;
    uint16_t shown = r->table->acting[r->at - 1];
    uint16_t acting = a->state == AUDIT_PLAYING ? a->any.state.acting : 0;

    f->ply = r->at - 1;
    if (shown != ACTING_UNTOLD && shown != acting)
        f->what = 1u << DIGEST_TURN;
}

/* Whether the log comes to the state that the store has for the table. */
static bool ends_well(const struct replay *r)
{
    switch (r->record->audit.state) {
    case AUDIT_OPEN: return r->table->state == TABLE_OPEN;
    case AUDIT_PLAYING: return r->table->state == TABLE_PLAYING;
    case AUDIT_ABANDONED: return r->table->state == TABLE_ABANDONED;
    default: return r->table->state == TABLE_FINISHED;
    }
}

/* Replays R's table and compares it with TOLD, or NULL. */
static void check_table(struct replay *r, const struct told *told,
                        struct finding *f)
{
    *f = (struct finding){0};
    while (f->what == 0 && replay_next(r))
        if (told != NULL)
            compare(r, told, f);
        else
            compare_acting(r, f);
    if (f->what != 0)
        return;
    f->ply = r->at;
    if (r->failed &&
        !(told != NULL && told->failed && told->entries == r->at)) {
        f->what = WHAT_LOG;
        f->why = r->fault.why;
    } else if (!r->failed && told == NULL && !ends_well(r)) {
        f->what = WHAT_LOG;
        f->why = "the log comes to another end than the store has for it";
    }
}

/* ---- saying it ----------------------------------------------------------------- */

static void say(struct json_out *o, FILE *out)
{
    out_end(o);
    fprintf(out, "%s\n", json_out_text(o));
    json_out_reset(o);
}

static void say_finding(struct json_out *o, const struct walked_table *t,
                        const struct finding *f, FILE *out)
{
    char id[ID_SIZE];

    id_write(t->id, id);
    out_object(o, NULL);
    out_string(o, "game", t->game);
    out_int(o, "ply", (int64_t)f->ply);
    out_string(o, "table", id);
    out_list(o, "what");
    for (int part = 0; part < DIGEST_PARTS; part++)
        if (f->what & (1u << part))
            out_string(o, NULL, digest_words[part]);
    if (f->what & WHAT_LOG)
        out_string(o, NULL, "log");
    out_end(o);
    if (f->why != NULL)
        out_string(o, "why", f->why);
    else
        out_null(o, "why");
    say(o, out);
}

static void say_progress(struct json_out *o, int64_t done, int64_t total,
                         FILE *out)
{
    static time_t said;
    time_t now = time(NULL);

    if (now == said)
        return;
    said = now;
    out_object(o, NULL);
    out_int(o, "done", done);
    out_int(o, "total", total);
    say(o, out);
    fflush(out);
}

/* All tables of WALK; false after saying why not. */
static bool check_all(struct store_walk *walk, struct told *told,
                      struct games *games, FILE *out)
{
    int64_t tables = 0, plies = 0, different = 0;
    struct walked_table table;
    struct finding found;
    struct json_out o;
    struct replay r;
    char error[512];
    int more;

    if (!take_told(told, games)) {
        complain("the older program says nothing that could be understood");
        return false;
    }
    json_out_init(&o);
    replay_init(&r);
    while ((more = store_walk_next(walk, &table, error, sizeof(error))) > 0) {
        if (!go_to(told, games, table.number)) {
            snprintf(error, sizeof(error),
                     "the older program did not say all there is");
            more = -1;
            break;
        }
        bool same = told->any && told->number == table.number &&
                    told->game != NULL;
        replay_begin(&r, &table);
        check_table(&r, same ? told : NULL, &found);
        if (found.what != 0)
            say_finding(&o, &table, &found, out);
        different += found.what != 0;
        plies += (int64_t)r.at;
        say_progress(&o, ++tables, store_walk_total(walk), out);
    }
    if (more == 0) {
        out_object(&o, NULL);
        out_bool(&o, "compared", told->any);
        out_int(&o, "different", different);
        out_int(&o, "plies", plies);
        out_int(&o, "tables", tables);
        say(&o, out);
    } else {
        complain(error);
    }
    replay_done(&r);
    json_out_done(&o);
    return more == 0;
}

int replays_check(const char *path, FILE *in, FILE *out)
{
    struct told told = {.in = in};
    struct games games = {0};
    struct store_walk *walk;

    if (open_as_owner(path, &walk) != 0)
        return 1;
    bool fine = check_all(walk, &told, &games, out);
    store_walk_close(walk);
    games_free(&games);
    free(told.line);
    if (!fine)
        return 1;
    return fflush(out) == 0 ? 0 : complain("cannot write the output");
}
