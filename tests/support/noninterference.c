#include "noninterference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "test_client.h"
#include "protocol/game_json.h"
#include "setup_json.h"

enum { SEATS_MAX = 5, ENTRIES_MAX = 20000, LIVE_MAX = 40, TRIES = 40 };

/* An entry of a log, as far as the rules have to do with it. */
struct line {
    bool is_move, undone;
    uint16_t seat;
    struct rules_move move;
};

/* One of the two runs. */
struct side {
    struct rng draws; /* what its hub draws: alike, whatever else befalls it */
    struct test_client client;
    peer_id peer[SEATS_MAX + 1]; /* the last one has no seat */
    char table[16];
    struct line *lines;
    size_t count;
    union rules_any s;           /* after them, by the law */
    size_t heard;                /* messages dealt with */
    struct rules_move *redacted; /* of the new lines, to the viewer */
};

struct noninterference {
    const struct rules *law;
    const struct play_setup *setup;
    uint64_t number;
    int seats, who, viewer;
    bool blind; /* nothing is hidden: the sides have other seeds */
    struct rng rng;
    struct side side[2];
    struct rules_choice *choices;
    struct rules_events events[2];
    enum noninterference_tamper tamper;
    struct noninterference_count *count;
    char *why;
    bool forked; /* and the forks were not the same */
};

static uint32_t dice(struct noninterference *w, uint32_t n)
{
    return rng_below(&w->rng, n);
}

static struct disk_table *table_of(struct side *s)
{
    return s->client.world.disk.tables[0];
}

/* ---- sitting down --------------------------------------------------------- */

static void sit_down(struct noninterference *w, struct side *s)
{
    static const uint8_t key[RNG_SEED_SIZE] = "draws";
    char name[8] = "user0";

    test_client_open(&s->client, w->number + 1);
    rng_init(&s->draws, key, w->number);
    s->client.world.draws = &s->draws;
    for (int i = 0; i <= w->seats; i++, name[4]++)
        s->peer[i] = test_client_user(&s->client, name);
    json_t *made = test_client_ask_json(&s->client, s->peer[0], "table.create",
                                        setup_json(w->setup));
    ASSERT(test_client_reason(made)[0] == '\0');
    snprintf(s->table, sizeof(s->table), "%s",
             test_client_text(made, "table"));
    for (int i = 1; i < w->seats; i++)
        test_client_ask(&s->client, s->peer[i], "table.join", "{s:s}", "table",
                        s->table);
    s->lines = calloc(ENTRIES_MAX, sizeof(*s->lines));
    s->redacted = calloc(ENTRIES_MAX, sizeof(*s->redacted));
    ASSERT(s->lines != NULL && s->redacted != NULL);
}

static void come_back(struct noninterference *w, struct side *s)
{
    char name[8] = "user0";

    world_crash(&s->client.world);
    for (int i = 0; i <= w->seats; i++, name[4]++) {
        s->peer[i] = test_client_come(&s->client, 0);
        json_t *answer = test_client_ask(&s->client, s->peer[i],
                                         "session.login", "{s:s,s:s}", "name",
                                         name, "password", "password");
        ASSERT(test_client_reason(answer)[0] == '\0');
    }
}

/* ---- reading a log ---------------------------------------------------------- */

static void setup_state(const struct noninterference *w, struct rules_state *s)
{
    int refusal = rules_setup(w->law, s, &w->setup->setup, NULL);
    ASSERT(refusal == RULES_OK);
}

/* Plays the lines that count, as they are now. */
static void replay(struct noninterference *w, struct side *s)
{
    setup_state(w, &s->s.state);
    for (size_t i = 0; i < s->count; i++) {
        if (!s->lines[i].is_move || s->lines[i].undone)
            continue;
        int refusal = rules_apply(w->law, &s->s.state, s->lines[i].seat,
                                  &s->lines[i].move, &w->events[0]);
        ASSERT(refusal == RULES_OK);
    }
}

/* Reads the next line of the disk into S, whose state is before it. */
static void read_line(struct noninterference *w, struct side *s)
{
    const struct ply_row *row = &table_of(s)->plies[s->count];
    json_t *text = json_loads(row->line, 0, NULL);
    json_t *move = json_object_get(text, "move");
    const json_t *who = json_object_get(text, "seat");
    const json_t *undoes = json_object_get(text, "undoes");
    struct json_refusal why;

    ASSERT(text != NULL && s->count < ENTRIES_MAX);
    struct line *line = &s->lines[s->count];
    *line = (struct line){.is_move = move != NULL};
    line->seat = json_is_string(who) ? RULES_NATURE
                                     : (uint16_t)json_integer_value(who);
    if (move != NULL) {
        int refusal = json_move_read(w->law, &s->s.state, move, false,
                                     &line->move, &why);
        ASSERT(refusal == RULES_OK);
    }
    if (undoes != NULL)
        s->lines[json_integer_value(undoes)].undone = true;
    s->count++;
    json_decref(text);
}

static bool same_move(const struct rules_move *a, const struct rules_move *b)
{
    return memcmp(a, b, sizeof(*a)) == 0;
}

/* Whether VIEWER was told the same: events that they may not hear of do not
 * count. */
static bool same_events(const struct rules_events *a,
                        const struct rules_events *b, int viewer)
{
    size_t i = 0, k = 0;

    for (;; i++, k++) {
        while (i < a->count && !(a->at[i].seen_by & RULES_BIT(viewer)))
            i++;
        while (k < b->count && !(b->at[k].seen_by & RULES_BIT(viewer)))
            k++;
        if (i == a->count || k == b->count)
            return i == a->count && k == b->count;
        if (a->at[i].kind != b->at[k].kind || a->at[i].seat != b->at[k].seat ||
            memcmp(a->at[i].arg, b->at[k].arg, sizeof(a->at[i].arg)) != 0)
            return false;
    }
}

/* Takes up what is new on both disks.  False when the viewer is rightly told
 * of a difference, or the game is over and all is told. */
static bool go_on(struct noninterference *w)
{
    struct side *a = &w->side[0], *b = &w->side[1];
    size_t more[2] = {table_of(a)->ply_count, table_of(b)->ply_count};

    while (a->count < more[0] && b->count < more[1]) {
        struct rules_move redacted[2];
        size_t at = a->count;
        for (int i = 0; i < 2; i++)
            read_line(w, &w->side[i]);
        const struct line *one = &a->lines[at], *two = &b->lines[at];
        if (one->is_move != two->is_move || one->seat != two->seat)
            return false;
        if (!one->is_move) { /* perhaps an undo */
            replay(w, a);
            replay(w, b);
            continue;
        }
        for (int i = 0; i < 2; i++) {
            struct side *s = &w->side[i];
            rules_redact_move(w->law, &s->s.state, s->lines[at].seat,
                              &s->lines[at].move, w->viewer, &redacted[i]);
            int refusal = rules_apply(w->law, &s->s.state, s->lines[at].seat,
                                      &s->lines[at].move, &w->events[i]);
            ASSERT(refusal == RULES_OK);
        }
        if (!same_move(&redacted[0], &redacted[1]) ||
            !same_events(&w->events[0], &w->events[1], w->viewer))
            return false;
        w->count->live++;
        w->count->hidden += !same_move(&one->move, &two->move);
    }
    /* One of them longer, all else alike, would be a difference: it is heard
     * in the number of the ply. */
    return !rules_over(&a->s.state) && !rules_over(&b->s.state) &&
           table_of(a)->row.summary.state == TABLE_PLAYING &&
           table_of(b)->row.summary.state == TABLE_PLAYING;
}

/* ---- another log ------------------------------------------------------------ */

static bool is_hidden(const struct rules_move *redacted)
{
    for (int i = 0; i < RULES_ARGS_MAX; i++)
        if (redacted->arg[i] == RULES_HIDDEN)
            return true;
    return false;
}

/* Another move of SEAT in S that VIEWER is told as REDACTED, into MOVE. */
static bool other_move(struct noninterference *w, const struct rules_state *s,
                       int seat, const struct rules_move *redacted,
                       struct rules_move *move)
{
    struct rules_move as_redacted;
    size_t n = 0;

    if (!is_hidden(redacted))
        return false;
    if (seat != RULES_NATURE)
        n = rules_legal(w->law, s, seat, redacted->verb, w->choices,
                        RULES_MOVES_MAX);
    if (seat != RULES_NATURE && n == 0)
        return false;
    for (int i = 0; i < 8; i++) {
        if (seat == RULES_NATURE)
            rules_chance(w->law, s, &w->rng, move);
        else
            *move = play_choose(&w->choices[dice(w, (uint32_t)n)], &w->rng);
        rules_redact_move(w->law, s, seat, move, w->viewer, &as_redacted);
        if (same_move(&as_redacted, redacted))
            return true;
    }
    return false;
}

/* The log of the first side but with another entry AT; later hidden ones that
 * do not fit any more are others, too.  Whether VIEWER was told the same all
 * the while; OUT then has it. */
static bool try_log(struct noninterference *w, const struct line *was,
                    size_t count, size_t at, struct line *out)
{
    static union rules_any a, b;
    struct rules_move redacted, as_redacted;

    setup_state(w, &a.state);
    b = a;
    for (size_t i = 0; i < count; i++) {
        const struct line *line = &w->side[0].lines[i];
        out[i] = was[i];
        if (!line->is_move)
            continue;
        rules_redact_move(w->law, &a.state, line->seat, &line->move, w->viewer,
                          &redacted);
        bool fine = i != at && rules_check(w->law, &b.state, line->seat,
                                           &out[i].move) == RULES_OK;
        if (fine) {
            rules_redact_move(w->law, &b.state, line->seat, &out[i].move,
                              w->viewer, &as_redacted);
            fine = same_move(&redacted, &as_redacted);
        }
        if (!fine &&
            !other_move(w, &b.state, line->seat, &redacted, &out[i].move))
            return false;
        int one = rules_apply(w->law, &a.state, line->seat, &line->move,
                              &w->events[0]);
        int two = rules_apply(w->law, &b.state, line->seat, &out[i].move,
                              &w->events[1]);
        ASSERT(one == RULES_OK);
        if (two != RULES_OK ||
            !same_events(&w->events[0], &w->events[1], w->viewer))
            return false;
    }
    return rules_over(&a.state) == rules_over(&b.state);
}

static void write_line(struct side *s, size_t ply, const struct rules *r,
                       const struct rules_state *before)
{
    struct disk_table *t = table_of(s);
    json_t *line = json_loads(t->plies[ply].line, 0, NULL);
    struct json_out o;
    char why[JSON_EXPECTED_MAX];

    json_out_init(&o);
    json_move(&o, NULL, r, before, &s->lines[ply].move);
    json_object_set_new(line, "move",
                        json_parse(json_out_text(&o), o.len, why));
    json_out_done(&o);
    char *text = json_dumps(line, JSON_COMPACT | JSON_SORT_KEYS);
    t->plies[ply].len = strlen(text);
    t->plies[ply].line = region_text(&t->region, text, strlen(text));
    free(text);
    json_decref(line);
}

/* Changes the second side's log to another that the viewer was told the same
 * of, entry by entry.  Returns how many are others. */
static size_t change_log(struct noninterference *w)
{
    struct side *a = &w->side[0], *b = &w->side[1];
    struct line *trial = calloc(ENTRIES_MAX, sizeof(*trial));
    size_t changed = 0;

    ASSERT(trial != NULL && a->count == b->count);
    for (int tries = 0; tries < TRIES; tries++) {
        /* The last ones are most of what is still hidden. */
        size_t back = dice(w, 2) && a->count > 30 ? 30 : a->count;
        size_t at = a->count - 1 - dice(w, (uint32_t)back);
        if (a->lines[at].is_move && try_log(w, b->lines, b->count, at, trial))
            memcpy(b->lines, trial, a->count * sizeof(*trial));
    }
    free(trial);
    setup_state(w, &b->s.state);
    for (size_t i = 0; i < b->count; i++) {
        if (!b->lines[i].is_move)
            continue;
        if (!same_move(&a->lines[i].move, &b->lines[i].move)) {
            changed++;
            write_line(b, i, w->law, &b->s.state);
        }
        rules_apply(w->law, &b->s.state, b->lines[i].seat, &b->lines[i].move,
                    &w->events[1]);
    }
    return changed;
}

/* What will be drawn is another thing then; its commitment, which is told,
 * stays that of the first. */
static void change_seed(struct side *s)
{
    struct disk_table *t = table_of(s);
    char *seed = region_text(&t->region, t->row.seed, strlen(t->row.seed));

    seed[0] = seed[0] == '0' ? '1' : '0';
    t->row.seed = seed;
}

/* ---- comparing --------------------------------------------------------------- */

/* Chain heads and times, which may differ. */
static void strip(json_t *value)
{
    static const char *const names[] = {
        "chain", "at", "since", "changed", "created", "seq",
    };
    const char *name;
    size_t i;
    json_t *item;

    if (json_is_object(value)) {
        for (i = 0; i < COUNT_OF(names); i++)
            json_object_del(value, names[i]);
        json_object_foreach(value, name, item) strip(item);
    }
    json_array_foreach(value, i, item) strip(item);
}

/* Appends to WHY where two values differ first. */
static void differ(const json_t *a, const json_t *b, char *why)
{
    const char *name;
    json_t *item;
    size_t i, len = strlen(why);

    if (json_is_object(a) && json_is_object(b)) {
        json_object_foreach((json_t *)(uintptr_t)a, name, item)
        {
            if (json_equal(item, json_object_get(b, name)))
                continue;
            snprintf(why + len, NONINTERFERENCE_WHY - len, "/%s", name);
            differ(item, json_object_get(b, name), why);
            return;
        }
    } else if (json_is_array(a) && json_is_array(b)) {
        json_array_foreach(a, i, item)
        {
            if (json_equal(item, json_array_get(b, i)))
                continue;
            snprintf(why + len, NONINTERFERENCE_WHY - len, "/%zu", i);
            differ(item, json_array_get(b, i), why);
            return;
        }
    }
    char *one = json_dumps(a, JSON_COMPACT | JSON_ENCODE_ANY);
    char *two = json_dumps(b, JSON_COMPACT | JSON_ENCODE_ANY);
    snprintf(why + len, NONINTERFERENCE_WHY - len, ": %.150s / %.150s", one,
             two);
    free(one);
    free(two);
}

/* The next message to the viewer, or NULL. */
static struct test_client_message *next_message(struct noninterference *w,
                                                struct side *s)
{
    while (s->heard < s->client.count &&
           s->client.messages[s->heard].peer != s->peer[w->who])
        s->heard++;
    return s->heard < s->client.count ? &s->client.messages[s->heard++] : NULL;
}

/* Spoils what the second side's viewer is about to hear, where there is
 * something to spoil. */
static void tamper(struct noninterference *w)
{
    struct side *s = &w->side[1];
    size_t at[2], n = 0;

    for (size_t i = s->heard; i < s->client.count && n < 2; i++)
        if (s->client.messages[i].peer == s->peer[w->who])
            at[n++] = i;
    if (n < 2)
        return;
    struct test_client_message held = s->client.messages[at[0]];
    switch (w->tamper) {
    case TAMPER_NOT: return;
    case TAMPER_DROP: s->client.messages[at[0]].peer = 0; break;
    case TAMPER_SWAP:
        s->client.messages[at[0]] = s->client.messages[at[1]];
        s->client.messages[at[1]] = held;
        break;
    case TAMPER_TWICE:
        s->client.messages = realloc(s->client.messages,
                                     (s->client.count + 1) * sizeof(held));
        ASSERT(s->client.messages != NULL);
        held.text = json_incref(held.text);
        s->client.messages[s->client.count++] = held;
        break;
    }
    w->tamper = TAMPER_NOT;
}

/* Everything heard since the last time is the same. */
static bool same_letters(struct noninterference *w)
{
    if (w->forked)
        return false;
    tamper(w);
    for (;;) {
        struct test_client_message *a = next_message(w, &w->side[0]);
        struct test_client_message *b = next_message(w, &w->side[1]);
        if (a == NULL && b == NULL)
            return true;
        snprintf(w->why, NONINTERFERENCE_WHY,
                 "%s, pair %llu, viewer %d, ply %zu: ", w->setup->label,
                 (unsigned long long)w->number, w->viewer, w->side[0].count);
        if (a == NULL || b == NULL) {
            differ(a != NULL ? a->text : NULL, b != NULL ? b->text : NULL,
                   w->why);
            return false;
        }
        strip(a->text);
        strip(b->text);
        char *one = json_dumps(a->text, JSON_COMPACT);
        char *two = json_dumps(b->text, JSON_COMPACT);
        bool same = strcmp(one, two) == 0;
        w->count->messages++;
        w->count->bytes += strlen(one);
        free(one);
        free(two);
        if (!same) {
            differ(a->text, b->text, w->why);
            return false;
        }
    }
}

/* ---- asking ------------------------------------------------------------------ */

static json_t *ask(struct side *s, int who, const char *method, json_t *params)
{
    json_object_set_new(params, "table", json_string(s->table));
    return test_client_ask_json(&s->client, s->peer[who], method, params);
}

static json_t *move_json(const struct rules *r, const struct rules_state *s,
                         const struct rules_move *move)
{
    struct json_out o;
    char why[JSON_EXPECTED_MAX];

    json_out_init(&o);
    json_move(&o, NULL, r, s, move);
    json_t *value = json_parse(json_out_text(&o), o.len, why);
    json_out_done(&o);
    ASSERT(value != NULL);
    return value;
}

/* Has the viewer ask on both sides alike; the answer of the first. */
static json_t *both(struct noninterference *w, const char *method,
                    json_t *params)
{
    json_t *copy = json_deep_copy(params);
    json_t *answer = ask(&w->side[0], w->who, method, params);
    ask(&w->side[1], w->who, method, copy);
    return answer;
}

static void both_me(struct noninterference *w, const char *method)
{
    for (int i = 0; i < 2; i++)
        test_client_ask(&w->side[i].client, w->side[i].peer[w->who], method,
                        NULL);
}

/* Moves that are refused, by the law on what they see, so that asking does not
 * play: any sort of nonsense, in turn and out of it. */
static void ask_wrong(struct noninterference *w, int64_t decision,
                      const json_t *legal)
{
    union rules_any view;

    if (w->who == w->seats)
        return;
    rules_view(w->law, &w->side[0].s.state, w->viewer, &view.state);
    for (int i = 0; i < 12; i++) {
        struct rules_move move = play_nonsense(w->law, &view.state, &w->rng);
        size_t n = json_array_size(legal);
        struct json_refusal why;
        if (n > 0 && dice(w, 2) &&
            json_move_read(w->law, &view.state,
                           json_array_get(legal, dice(w, (uint32_t)n)), false,
                           &move, &why) == RULES_OK)
            move = play_spoiled(w->law, &view.state, &move, &w->rng);
        bool worded = move.verb < play_verbs(w->law);
        for (int k = 0; k < RULES_ARGS_MAX && worded; k++) {
            const struct rules_arg *arg = &w->law->verbs[move.verb].arg[k];
            worded = move.arg[k] == RULES_NONE ||
                     (arg->name != NULL && arg->kind->form == RULES_NUMBER) ||
                     (arg->name != NULL && move.arg[k] >= 0 &&
                      move.arg[k] < 2);
        }
        if (!worded ||
            rules_check(w->law, &view.state, w->who, &move) == RULES_OK)
            continue;
        json_t *value = move_json(w->law, &view.state, &move);
        both(w, "table.move",
             json_pack("{s:I,s:O}", "decision",
                       (json_int_t)(decision >= 0 ? decision : 0), "move",
                       value));
        both(w, "table.preview", json_pack("{s:[o]}", "moves", value));
    }
}

/* The last fork that was made on a side, as the store has it: where it begins is
 * in its header. */
static json_t *header_of(struct side *s)
{
    const struct disk *disk = &s->client.world.disk;
    const struct disk_table *t = disk->tables[disk->table_count - 1];
    json_t *header = json_loads(t->row.header, 0, NULL);

    ASSERT(header != NULL);
    strip(header);
    return header;
}

/* A fork is the same on both sides, and not only what the viewer hears of it: so
 * nobody who plays it can find out what they may not know. */
static void fork(struct noninterference *w, int64_t ply)
{
    if (w->who == w->seats && dice(w, 2))
        return;
    json_t *made = both(w, "table.fork",
                        json_pack("{s:I}", "ply", (json_int_t)ply));
    if (test_client_reason(made)[0] != '\0')
        return;
    json_t *one = header_of(&w->side[0]), *two = header_of(&w->side[1]);
    w->count->forks++;
    if (!json_equal(one, two)) {
        snprintf(w->why, NONINTERFERENCE_WHY,
                 "%s, pair %llu, viewer %d: ", w->setup->label,
                 (unsigned long long)w->number, w->viewer);
        differ(one, two, w->why);
        w->forked = true;
    }
    json_decref(one);
    json_decref(two);
}

/* What changed since a ply of which they had the view: its chain is each
 * side's own. */
static void ask_since(struct noninterference *w, int64_t since)
{
    for (int i = 0; i < 2; i++) {
        char hex[2 * SHA256_SIZE + 1] = "";
        struct side *s = &w->side[i];
        hex_write(hex, table_of(s)->plies[since].chain, SHA256_SIZE);
        ask(s, w->who, "table.watch",
            json_pack("{s:I,s:s,s:b}", "since", (json_int_t)since, "chain",
                      hex, "check", 1));
    }
}

/* All that can be asked. */
static void interrogate(struct noninterference *w, bool briefly)
{
    int64_t last = (int64_t)w->side[0].count - 1;
    json_t *view = test_client_member(both(w, "table.watch",
                                           json_pack("{s:b}", "check", 1)),
                                      "view");
    const json_t *put = json_object_get(view, "decision");
    int64_t decision = json_is_integer(put) ? json_integer_value(put) : -1;

    json_t *answer = both(w, "table.legal", json_object());
    json_t *moves = test_client_member(answer, "moves");
    size_t n = json_array_size(moves);
    for (size_t i = 0; i < n && i < (briefly ? 6 : 30); i++)
        both(w, "table.preview",
             json_pack("{s:[OO]}", "moves",
                       json_array_get(moves, dice(w, (uint32_t)n)),
                       json_array_get(moves, dice(w, (uint32_t)n))));
    ask_wrong(w, decision, moves);
    both(w, "table.replay",
         json_pack("{s:I}", "from",
                   (json_int_t)(briefly && last > 20 ? last - 20 : 0)));
    both(w, "table.get", json_object());
    both_me(w, "me.tables");
    both_me(w, "me.next");
    both_me(w, "table.list");
    for (int64_t ply = last; ply >= 0 && ply > last - (briefly ? 2 : 12);
         ply--) {
        both(w, "table.at", json_pack("{s:I}", "ply", (json_int_t)ply));
        ask_since(w, ply);
    }
    if (briefly)
        return;
    /* What cannot be taken back, and why; what can is left alone. */
    for (int64_t ply = last; ply >= 0 && ply > last - 4; ply--)
        if (json_integer_value(json_object_get(view, "undo")) != ply)
            both(w, "table.undo", json_pack("{s:I}", "ply", (json_int_t)ply));
    for (int i = 0; w->law->verbs[i].name != NULL; i++) {
        both(w, "table.legal",
             json_pack("{s:s}", "verb", w->law->verbs[i].name));
        both(w, "table.move",
             json_pack("{s:I,s:{s:s}}", "decision", (json_int_t)(last + 1),
                       "move", "verb", w->law->verbs[i].name));
    }
    both(w, "table.record", json_object());
    both(w, "table.texts", json_object());
    for (int64_t ply = last; ply >= 0 && ply > last - 3; ply--)
        fork(w, ply);
    both(w, "table.replay", json_pack("{s:s}", "as", "all"));
    both(w, "table.at", json_pack("{s:i,s:s}", "ply", 1, "as", "watcher"));
}

/* ---- playing ------------------------------------------------------------------ */

/* One of the moves SEAT has by the law: a verb first. */
static bool pick(struct noninterference *w, const struct rules_state *s,
                 int seat, struct rules_move *move)
{
    size_t n = rules_legal(w->law, s, seat, -1, w->choices, RULES_MOVES_MAX);
    size_t first[64], verbs = 0;

    for (size_t i = 0; i < n && verbs < COUNT_OF(first); i++)
        if (i == 0 || w->choices[i].move.verb != w->choices[i - 1].move.verb)
            first[verbs++] = i;
    if (verbs == 0)
        return false;
    size_t v = dice(w, (uint32_t)verbs);
    size_t end = v + 1 < verbs ? first[v + 1] : n;
    *move = play_choose(
        &w->choices[first[v] + dice(w, (uint32_t)(end - first[v]))], &w->rng);
    return true;
}

/* Whether it was played: what the hub is asked by the law it may refuse. */
static bool send_move(struct noninterference *w, struct side *s, int seat,
                      const struct rules_move *move)
{
    json_t *view =
        test_client_member(ask(s, seat, "table.watch", json_object()), "view");
    json_t *decision = json_object_get(view, "decision");
    ask(s, seat, "table.unwatch", json_object());
    if (!json_is_integer(decision))
        return false;
    json_t *answer = ask(s, seat, "table.move",
                         json_pack("{s:O,s:o}", "decision", decision, "move",
                                   move_json(w->law, &s->s.state, move)));
    return test_client_reason(answer)[0] == '\0';
}

/* Before they part: the same on both sides. */
static bool play_alike(struct noninterference *w)
{
    struct side *a = &w->side[0], *b = &w->side[1];
    int first = (int)dice(w, (uint32_t)w->seats);
    struct rules_move move;

    for (int i = 0; i < w->seats; i++) {
        int seat = (first + i) % w->seats;
        if (!rules_can_move(&a->s.state, seat) ||
            !pick(w, &a->s.state, seat, &move))
            continue;
        return send_move(w, a, seat, &move) && send_move(w, b, seat, &move) &&
               go_on(w);
    }
    return false;
}

/* SEAT moves on both sides, told to the viewer alike; perhaps not the same
 * move.  False if there is no such. */
static bool play_apart(struct noninterference *w, int seat)
{
    struct side *a = &w->side[0], *b = &w->side[1];
    struct rules_move one, two, redacted, as_redacted;

    for (int tries = 0; tries < 8; tries++) {
        if (!rules_can_move(&a->s.state, seat) ||
            !rules_can_move(&b->s.state, seat) ||
            !pick(w, &a->s.state, seat, &one))
            return false;
        rules_redact_move(w->law, &a->s.state, seat, &one, w->viewer,
                          &redacted);
        two = one;
        if (seat != w->who && dice(w, 4) != 0 &&
            !other_move(w, &b->s.state, seat, &redacted, &two))
            two = one;
        if (rules_check(w->law, &b->s.state, seat, &two) != RULES_OK)
            continue;
        rules_redact_move(w->law, &b->s.state, seat, &two, w->viewer,
                          &as_redacted);
        if (!same_move(&redacted, &as_redacted))
            continue;
        bool played = send_move(w, a, seat, &one);
        return send_move(w, b, seat, &two) && played;
    }
    return false;
}

/* SEAT takes back what both sides say it may. */
static bool take_back(struct noninterference *w, int seat)
{
    int64_t ply[2] = {-1, -1};

    for (int i = 0; i < 2; i++) {
        struct side *s = &w->side[i];
        json_t *view = test_client_member(ask(s, seat, "table.watch",
                                              json_object()),
                                          "view");
        json_t *undo = json_object_get(view, "undo");
        if (seat != w->who)
            ask(s, seat, "table.unwatch", json_object());
        if (json_is_integer(undo))
            ply[i] = json_integer_value(undo);
    }
    if (ply[0] < 0 || ply[0] != ply[1])
        return false;
    for (int i = 0; i < 2; i++)
        ask(&w->side[i], seat, "table.undo",
            json_pack("{s:I}", "ply", (json_int_t)ply[0]));
    return true;
}

static void say(struct noninterference *w, int seat)
{
    for (int i = 0; i < 2; i++)
        ask(&w->side[i], seat, "table.chat", json_pack("{s:s}", "text", "so"));
}

/* Where more was stored more has befallen the world: from here on the same does on
 * both sides. */
static void befall_alike(struct noninterference *w)
{
    static const uint8_t key[RNG_SEED_SIZE] = "alike";
    uint64_t stream = dice(w, UINT32_MAX);

    for (int i = 0; i < 2; i++) {
        test_client_settle(&w->side[i].client);
        rng_init(&w->side[i].client.world.rng, key, stream);
    }
}

/* SEAT, which is not the viewer's and is not asked, passes ahead on one side: the
 * viewer, who looks, sees the same as on the other, where nothing stands.  It is
 * taken back before anybody moves. */
static void order_apart(struct noninterference *w, int seat)
{
    int one = (int)dice(w, 2);

    if (seat == w->who)
        return;
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < 2; i++) {
            struct side *s = &w->side[i];
            json_t *got = ask(s, seat, "table.get", json_object());
            json_t *ply = json_object_get(test_client_member(got, "table"),
                                          "ply");
            json_t *order = turn == 0 && i == one
                                ? json_pack("{s:s,s:O}", "pass", "round",
                                            "after", ply)
                                : json_null();
            json_t *said = ask(s, seat, "table.order",
                               json_pack("{s:o}", "order", order));
            w->count->orders += json_is_object(
                test_client_member(said, "order"));
        }
        befall_alike(w);
        both(w, "table.get", json_object());
        both_me(w, "me.tables");
        both_me(w, "table.list");
    }
}

/* Somebody does something on both sides; whether anybody could. */
static bool act(struct noninterference *w)
{
    int first = (int)dice(w, (uint32_t)w->seats);

    if (dice(w, 12) == 0)
        say(w, first);
    if (dice(w, 8) == 0)
        order_apart(w, first);
    if (w->seats > 2 && first != w->who && dice(w, 30) == 0) {
        for (int i = 0; i < 2; i++)
            ask(&w->side[i], first, "table.resign", json_object());
        return true;
    }
    if (dice(w, 6) == 0 && take_back(w, first))
        return true;
    for (int i = 0; i < w->seats; i++)
        if (play_apart(w, (first + i) % w->seats))
            return true;
    return false;
}

/* The viewer listens all the while. */
static void listen(struct noninterference *w)
{
    for (int i = 0; i < 2; i++) {
        struct side *s = &w->side[i];
        s->heard = s->client.count;
        test_client_ask(&s->client, s->peer[w->who], "me.watch", NULL);
    }
}

static void settle(struct noninterference *w)
{
    for (int i = 0; i < 2; i++)
        test_client_settle(&w->side[i].client);
}

static bool compare(struct noninterference *w)
{
    come_back(w, &w->side[0]);
    come_back(w, &w->side[1]);
    w->count->pairs++;
    listen(w);
    interrogate(w, false);
    if (!same_letters(w))
        return false;
    for (int i = 0; i < LIVE_MAX; i++) {
        /* Who moves is asked nothing of, and the viewer's own answers are
         * heard; the last things said may be of a difference. */
        if (!act(w))
            return same_letters(w);
        settle(w);
        if (!go_on(w))
            return true;
        if (!same_letters(w))
            return false;
        interrogate(w, i % 8 != 7);
        if (!same_letters(w))
            return false;
    }
    return true;
}

/* How far they play before they part: into every part of a game. */
static size_t moves_before(struct noninterference *w)
{
    static const uint32_t most[] = {4, 12, 40, 150, 400};
    uint32_t n = most[w->number % COUNT_OF(most)];

    if (n > w->law->plies_max / 3)
        n = 1 + w->law->plies_max / 3;
    return dice(w, n);
}

static const struct play_setup *setup_of(const struct rules *r,
                                         uint64_t number)
{
    for (size_t i = (size_t)number;; i++) {
        const struct play_setup *setup = play_setup(r, i);
        if (setup->setup.seats >= 2 && setup->setup.seats <= SEATS_MAX)
            return setup;
    }
}

bool noninterference_run(const struct rules *played, const struct rules *law,
                         uint64_t number, enum noninterference_tamper tampered,
                         struct noninterference_count *count,
                         char why[NONINTERFERENCE_WHY])
{
    static const uint8_t key[RNG_SEED_SIZE] = "twins";
    struct noninterference *w = calloc(1, sizeof(*w));
    size_t others = 0;
    bool same = true, on = true;

    ASSERT(w != NULL && strcmp(played->name, law->name) == 0);
    *w = (struct noninterference){
        .law = law,
        .setup = setup_of(played, number),
        .number = number,
        .tamper = tampered,
        .count = count,
        .why = why,
        .choices = calloc(RULES_MOVES_MAX, sizeof(*w->choices)),
    };
    ASSERT(w->choices != NULL);
    w->seats = w->setup->setup.seats;
    rng_init(&w->rng, key, number);
    w->who = (int)dice(w, (uint32_t)w->seats + 1);
    w->viewer = w->who == w->seats ? RULES_WATCHER : w->who;
    struct noninterference_count before = *count;
    for (int i = 0; i < 2; i++) {
        sit_down(w, &w->side[i]);
        setup_state(w, &w->side[i].s.state);
    }
    on = go_on(w);
    for (size_t n = moves_before(w); on && n > 0; n--)
        on = play_alike(w);
    settle(w);
    *count = before; /* so far they were alike */
    if (on) {
        others = change_log(w);
        if (others == 0 || number % 4 == 0)
            change_seed(&w->side[1]);
        count->others += others;
        same = compare(w);
        if (w->side[0].count > count->longest)
            count->longest = w->side[0].count;
    }
    for (int i = 0; i < 2; i++) {
        test_client_close(&w->side[i].client);
        free(w->side[i].lines);
        free(w->side[i].redacted);
    }
    free(w->choices);
    free(w);
    return same;
}
