/* view.c -- views as documents, and what changed between two of them.
 *
 * A view is a header, which is the hub's, and the game's own state as that
 * viewer may know it.  Patches come from walking both in step; no document is
 * ever compared with another. */

#include <stdlib.h>

#include "inner.h"

/* ---- headers ------------------------------------------------------------ */

bool view_is_ahead(const struct rules_score *score, int rival, int seat)
{
    if (score->place[rival] != 0)
        return score->place[rival] < score->place[seat];
    return score->total[rival] > score->total[seat];
}

/* Who resigned, or lost by the clock, is placed behind all who did not. */
static void place_last(const struct table *t, struct rules_score *score)
{
    uint8_t place[RULES_SEATS_MAX];
    uint16_t last = t->resigned;

    if (t->clocks != NULL && t->clocks->timing.end == TIMING_TIMEOUT)
        last |= RULES_BIT(t->clocks->timing.loser);
    for (int seat = 0; seat < t->seats; seat++) {
        bool resigned = (last & RULES_BIT(seat)) != 0;
        place[seat] = 1;
        for (int rival = 0; rival < t->seats; rival++)
            if (!(last & RULES_BIT(rival)) &&
                (resigned || view_is_ahead(score, rival, seat)))
                place[seat]++;
    }
    memcpy(score->place, place, t->seats);
}

static void view_clocks(const struct table *t, struct view_header *h)
{
    const struct timing *is = &t->clocks->timing;
    struct timing_shown shown;

    timing_show(is, &shown);
    h->timed = true;
    if (is->clock.paused_until_ms > is->at)
        h->paused = is->clock.paused_until_ms;
    for (int seat = 0; seat < t->seats; seat++) {
        const struct clock_seat *s = &is->clock.seat[seat];
        h->seat[seat].clock = (struct view_clock){
            .due = shown.due[seat],
            .bank = is->on ? shown.bank[seat]
                           : is->terms.pace.bank * INT64_C(1000),
            .absent = is->on ? s->absent_until_ms : is->away[seat].to_ms,
            .missed = (uint8_t)clock_missed(&is->clock, seat),
            .gone = s->gone,
            .offered = timing_offered(is, seat),
        };
    }
}

/* As it was with the last entry: nothing in a view changes without one. */
static void view_vote(const struct table *t, struct view_vote *is)
{
    const struct votes *v = &t->votes;

    if (t->state != TABLE_PLAYING || !votes_open(v, v->last))
        return;
    *is = (struct view_vote){
        .open = true,
        .about = v->about,
        .seat = v->opener,
        .to = v->to,
        .silent = v->silent,
        .asked = votes_asked(v, voting_present(t)),
        .agreed = v->agreed,
        .seconds = v->seconds,
        .ply = v->ply,
        .until = v->ends,
        .pause = v->until,
    };
}

/* The points are those that VIEW tells of, until the game is over and nothing
 * is secret any more. */
static void view_header_common(const struct table *t, int viewer,
                               const struct rules_state *s,
                               struct view_header *h)
{
    *h = (struct view_header){
        .ply = t->log.count - 1,
        .state = t->state,
        .seats = t->seats,
        .started = s != NULL,
        .you = viewer < t->seats ? viewer : -1,
        .decision = -1,
        .undo = -1,
    };
    for (int seat = 0; seat < t->seats; seat++) {
        memcpy(h->seat[seat].name, t->name[seat], sizeof(t->name[seat]));
        h->seat[seat].resigned = (t->resigned & RULES_BIT(seat)) != 0;
        h->seat[seat].bot = (t->bots & RULES_BIT(seat)) != 0;
        if (s == NULL || t->state == TABLE_ABANDONED)
            continue;
        h->seat[seat].acting = (s->acting & RULES_BIT(seat)) != 0;
        h->seat[seat].may = (s->may & RULES_BIT(seat)) != 0;
    }
    if (t->clocks != NULL)
        view_clocks(t, h);
    view_vote(t, &h->vote);
    if (s != NULL)
        rules_score(t->rules, t->state == TABLE_FINISHED ? t->rules_state : s,
                    &h->score);
}

void view_header_make(const struct table *t, int viewer,
                      const struct rules_state *view, struct view_header *h)
{
    uint32_t ply;

    view_header_common(t, viewer, view, h);
    if (t->rules_state == NULL)
        return;
    if (t->state == TABLE_FINISHED) {
        place_last(t, &h->score);
        h->result = t->result;
        for (int seat = 0; seat < t->seats; seat++)
            h->seat[seat].acting = h->seat[seat].may = false;
    } else if (t->state == TABLE_ABANDONED) {
        h->result = t->result;
    } else if (viewer < t->seats) {
        h->decision = table_decision(t, viewer);
        if (table_undoable(t, viewer, &ply) == RULES_UNDO_YES)
            h->undo = ply;
    }
}

const struct rules_state *view_of(const struct table *t,
                                  const struct rules_state *s, int viewer,
                                  union rules_any *room)
{
    if (s == NULL)
        return NULL;
    rules_view(t->rules, s, viewer, &room->state);
    return &room->state;
}

/* ---- whole views ------------------------------------------------------ */

static void write_ply(struct json_out *o, const char *key, int64_t ply)
{
    if (ply < 0)
        out_null(o, key);
    else
        out_int(o, key, ply);
}

static void write_name(struct json_out *o, const char *key, const char *name)
{
    if (name[0] == '\0')
        out_null(o, key);
    else
        out_string(o, key, name);
}

static void write_moment(struct json_out *o, const char *key, int64_t at)
{
    if (at == 0)
        out_null(o, key);
    else
        out_int(o, key, at);
}

static void write_clock(struct json_out *o, const struct view_clock *k)
{
    write_moment(o, "due", k->due);
    out_int(o, "bank", k->bank);
    out_int(o, "missed", k->missed);
    out_bool(o, "gone", k->gone);
    out_bool(o, "offered", k->offered);
    write_moment(o, "absent", k->absent);
}

static void write_seats(struct json_out *o, const char *key,
                        const struct view_header *h)
{
    out_list(o, key);
    for (int seat = 0; seat < h->seats; seat++) {
        out_object(o, NULL);
        write_name(o, "name", h->seat[seat].name);
        out_bool(o, "acting", h->seat[seat].acting);
        out_bool(o, "may", h->seat[seat].may);
        out_int(o, "score", h->score.total[seat]);
        out_bool(o, "resigned", h->seat[seat].resigned);
        if (h->seat[seat].bot)
            out_bool(o, "bot", true);
        if (h->timed)
            write_clock(o, &h->seat[seat].clock);
        out_end(o);
    }
    out_end(o);
}

static void write_score(struct json_out *o, const char *key,
                        const struct table *t, const struct view_header *h,
                        int seat)
{
    out_object(o, key);
    out_int(o, "total", h->score.total[seat]);
    out_object(o, "parts");
    for (int part = 0; t->rules->parts[part].name != NULL; part++)
        if (h->score.parts & (1u << part))
            out_int(o, t->rules->parts[part].name, h->score.part[part][seat]);
    out_end(o);
    out_end(o);
}

static void write_scores(struct json_out *o, const char *key,
                         const struct table *t, const struct view_header *h)
{
    out_list(o, key);
    for (int seat = 0; h->started && seat < h->seats; seat++)
        write_score(o, NULL, t, h, seat);
    out_end(o);
}

static void write_result(struct json_out *o, const char *key,
                         const struct view_header *h)
{
    if (h->result == NULL) {
        out_null(o, key);
        return;
    }
    out_object(o, key);
    out_string(o, "reason", h->result);
    out_list(o, "places"); /* none at a table that was abandoned */
    for (int seat = 0; h->state == TABLE_FINISHED && seat < h->seats; seat++)
        out_int(o, NULL, h->score.place[seat]);
    out_end(o);
    out_end(o);
}

static void write_bits(struct json_out *o, const char *key, uint16_t seats)
{
    out_list(o, key);
    for (int seat = 0; seat < RULES_SEATS_MAX; seat++)
        if ((seats & RULES_BIT(seat)) != 0)
            out_int(o, NULL, seat);
    out_end(o);
}

static void write_vote(struct json_out *o, const char *key,
                       const struct view_vote *v)
{
    if (!v->open) {
        out_null(o, key);
        return;
    }
    out_object(o, key);
    out_int(o, "ply", v->ply);
    out_string(o, "about", vote_words[v->about]);
    out_int(o, "seat", v->seat);
    if (v->about == VOTE_GIVE || v->about == VOTE_REPLACE)
        out_int(o, "to", v->to);
    if (v->about == VOTE_GIVE)
        out_int(o, "seconds", v->seconds);
    if (v->about == VOTE_PAUSE)
        out_int(o, "pause_until", v->pause);
    out_int(o, "until", v->until);
    write_bits(o, "asked", v->asked);
    write_bits(o, "agreed", v->agreed);
    out_bool(o, "silent", v->silent);
    out_end(o);
}

static bool same_vote(const struct view_vote *a, const struct view_vote *b)
{
    if (!a->open || !b->open)
        return a->open == b->open;
    return a->ply == b->ply && a->asked == b->asked && a->agreed == b->agreed;
}

static void write_state(struct json_out *o, const char *key,
                        const struct table *t, const struct rules_state *state)
{
    if (state == NULL)
        out_null(o, key);
    else
        json_game_state(o, key, t->rules, state);
}

void view_write(struct json_out *o, const char *key, const struct table *t,
                const struct view_header *header,
                const struct rules_state *state)
{
    char id[ID_SIZE];

    id_write(t->id, id);
    out_object(o, key);
    out_string(o, "table", id);
    out_string(o, "game", t->rules->name);
    out_int(o, "ply", header->ply);
    out_string(o, "state", table_state_word(header->state));
    write_seats(o, "seats", header);
    write_ply(o, "you", header->you);
    write_ply(o, "decision", header->decision);
    write_ply(o, "undo", header->undo);
    if (header->timed)
        write_moment(o, "paused", header->paused);
    write_vote(o, "vote", &header->vote);
    write_state(o, "game_state", t, state);
    write_scores(o, "score_now", t, header);
    write_result(o, "result", header);
    out_end(o);
}

void view_hash(const char *view, size_t len, char hex[2 * SHA256_SIZE + 1])
{
    char why[JSON_EXPECTED_MAX];
    uint8_t hash[SHA256_SIZE];
    json_t *value = json_parse(view, len, why);

    ASSERT(value != NULL);
    char *text = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS);
    ASSERT(text != NULL);
    sha256(text, strlen(text), hash);
    free(text);
    json_decref(value);
    hex_write(hex, hash, SHA256_SIZE);
    hex[2 * SHA256_SIZE] = '\0';
}

/* ---- differences ------------------------------------------------------ */

/* Begins an operation; its value comes next. */
static void replace(struct json_out *o, const char *path)
{
    out_replace(o, path, NULL, 0);
}

/* ... on what NAME says of SEAT in LIST. */
static void replace_of(struct json_out *o, const char *list, int seat,
                       const char *name)
{
    const struct fields_step path[] = {
        {.index = (size_t)seat},
        {.name = name},
    };
    out_replace(o, list, path, COUNT_OF(path));
}

static void diff_flag(struct json_out *o, int seat, const char *name, bool was,
                      bool is)
{
    if (was == is)
        return;
    replace_of(o, "/seats", seat, name);
    out_bool(o, "value", is);
    out_end(o);
}

static void diff_moment(struct json_out *o, int seat, const char *name,
                        int64_t was, int64_t is)
{
    if (was == is)
        return;
    replace_of(o, "/seats", seat, name);
    write_moment(o, "value", is);
    out_end(o);
}

static void diff_clock(struct json_out *o, const struct view_clock *a,
                       const struct view_clock *b, int seat)
{
    diff_moment(o, seat, "due", a->due, b->due);
    if (a->bank != b->bank) {
        replace_of(o, "/seats", seat, "bank");
        out_int(o, "value", b->bank);
        out_end(o);
    }
    if (a->missed != b->missed) {
        replace_of(o, "/seats", seat, "missed");
        out_int(o, "value", b->missed);
        out_end(o);
    }
    diff_flag(o, seat, "gone", a->gone, b->gone);
    diff_flag(o, seat, "offered", a->offered, b->offered);
    diff_moment(o, seat, "absent", a->absent, b->absent);
}

static void diff_seat(struct json_out *o, const struct view_header *a,
                      const struct view_header *b, int seat)
{
    if (strcmp(a->seat[seat].name, b->seat[seat].name) != 0) {
        replace_of(o, "/seats", seat, "name");
        write_name(o, "value", b->seat[seat].name);
        out_end(o);
    }
    diff_flag(o, seat, "acting", a->seat[seat].acting, b->seat[seat].acting);
    diff_flag(o, seat, "may", a->seat[seat].may, b->seat[seat].may);
    diff_flag(o, seat, "resigned", a->seat[seat].resigned,
              b->seat[seat].resigned);
    if (b->timed)
        diff_clock(o, &a->seat[seat].clock, &b->seat[seat].clock, seat);
    if (a->score.total[seat] != b->score.total[seat]) {
        replace_of(o, "/seats", seat, "score");
        out_int(o, "value", b->score.total[seat]);
        out_end(o);
    }
}

static void diff_number(struct json_out *o, const char *path, int64_t was,
                        int64_t is)
{
    if (was == is)
        return;
    replace(o, path);
    write_ply(o, "value", is);
    out_end(o);
}

static void diff_score(struct json_out *o, const struct table *t,
                       const struct view_header *a,
                       const struct view_header *b, int seat)
{
    if (a->score.total[seat] != b->score.total[seat]) {
        replace_of(o, "/score_now", seat, "total");
        out_int(o, "value", b->score.total[seat]);
        out_end(o);
    }
    for (int part = 0; t->rules->parts[part].name != NULL; part++) {
        if (!(b->score.parts & (1u << part)) ||
            a->score.part[part][seat] == b->score.part[part][seat])
            continue;
        const struct fields_step path[] = {
            {.index = (size_t)seat},
            {.name = "parts"},
            {.name = t->rules->parts[part].name},
        };
        out_replace(o, "/score_now", path, COUNT_OF(path));
        out_int(o, "value", b->score.part[part][seat]);
        out_end(o);
    }
}

static void diff_scores(struct json_out *o, const struct table *t,
                        const struct view_header *a,
                        const struct view_header *b)
{
    if (a->started == b->started && a->seats == b->seats &&
        a->score.parts == b->score.parts) {
        for (int seat = 0; b->started && seat < b->seats; seat++)
            diff_score(o, t, a, b, seat);
        return;
    }
    replace(o, "/score_now");
    write_scores(o, "value", t, b);
    out_end(o);
}

/* Whether seats of A and B have the same members. */
static bool seats_alike(const struct view_header *a,
                        const struct view_header *b)
{
    bool alike = a->seats == b->seats; /* empty ones go at the start */

    for (int seat = 0; alike && seat < a->seats; seat++)
        alike = a->seat[seat].bot == b->seat[seat].bot;
    return alike;
}

void view_diff(struct json_out *o, const struct table *t,
               const struct view_header *before, const struct rules_state *was,
               const struct view_header *after, const struct rules_state *is)
{
    diff_number(o, "/ply", before->ply, after->ply);
    if (before->state != after->state) {
        replace(o, "/state");
        out_string(o, "value", table_state_word(after->state));
        out_end(o);
    }
    bool alike = seats_alike(before, after);
    if (!alike) {
        replace(o, "/seats");
        write_seats(o, "value", after);
        out_end(o);
    }
    for (int seat = 0; alike && seat < after->seats; seat++)
        diff_seat(o, before, after, seat);
    diff_number(o, "/you", before->you, after->you);
    diff_number(o, "/decision", before->decision, after->decision);
    diff_number(o, "/undo", before->undo, after->undo);
    if (before->paused != after->paused) {
        replace(o, "/paused");
        write_moment(o, "value", after->paused);
        out_end(o);
    }
    if (!same_vote(&before->vote, &after->vote)) {
        replace(o, "/vote");
        write_vote(o, "value", &after->vote);
        out_end(o);
    }
    /* Who took a seat, or lost it, sees all with other eyes. */
    if (was != NULL && is != NULL && was->viewer == is->viewer) {
        json_diff(o, "/game_state", t->rules, was, is);
    } else if (is != NULL) {
        replace(o, "/game_state");
        write_state(o, "value", t, is);
        out_end(o);
    }
    diff_scores(o, t, before, after);
    if (before->result != after->result) {
        replace(o, "/result");
        write_result(o, "value", after);
        out_end(o);
    }
}
