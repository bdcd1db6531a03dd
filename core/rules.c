#include "rules.h"

#include "base.h"

_Static_assert(sizeof(struct rules_move) == 14, "a move has no padding");
_Static_assert(sizeof(struct rules_event) == 16, "an event has no padding");
_Static_assert(sizeof(struct rules_ply) == 16, "a ply has no padding");
_Static_assert(sizeof(struct rules_choice) == 20, "nor has a choice");

#define HASH_START UINT64_C(0xcbf29ce484222325) /* FNV-1a */
#define SUM_BYTES  8

static bool same_text(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b)
        a++, b++;
    return *a == *b;
}

const struct rules *rules_find(const char *name)
{
    for (size_t i = 0; rules_all[i] != NULL; i++)
        if (same_text(rules_all[i]->name, name))
            return rules_all[i];
    return NULL;
}

/* ---- setting up ------------------------------------------------------- */

static const struct rules_asset *asset_find(const struct rules *r,
                                            const char *name)
{
    for (const struct rules_asset *a = r->assets; a && a->name; a++)
        if (same_text(a->name, name))
            return a;
    return NULL;
}

/* Fills in CHOSEN and OPTIONS from SETUP; what is wrong with it, or NULL. */
static const char *resolve(const struct rules *r,
                           const struct rules_setup *setup,
                           struct rules_setup *chosen, int16_t *options,
                           struct rules_problem *why)
{
    *chosen = *setup;
    chosen->options = options;
    if (setup->seats < r->seats_min || setup->seats > r->seats_max)
        return "bad_seats";
    if (setup->revision > r->revision)
        return "newer_revision";
    for (size_t i = 0; r->options[i].name != NULL; i++) {
        const struct rules_option *o = &r->options[i];
        options[i] = setup->options ? setup->options[i] : RULES_NONE;
        why->option = o->name;
        if (options[i] != RULES_NONE &&
            (options[i] < o->min || options[i] > o->max))
            return "bad_option";
    }
    why->option = NULL;
    if (setup->asset_name == NULL && setup->asset == NULL)
        return NULL;
    if (r->assets == NULL)
        return "no_asset_wanted";
    if (setup->asset_name != NULL) {
        const struct rules_asset *a = asset_find(r, setup->asset_name);
        if (a == NULL)
            return "no_such_asset";
        chosen->asset_name = a->name;
        chosen->asset = a->text;
        chosen->asset_len = a->len;
    }
    return NULL;
}

static const char *problem_text(const char *rule)
{
    static const struct rules_reason known[] = {
        {"bad_seats", "The game is not for that number of players."},
        {"newer_revision", "Those rules are newer than this program's."},
        {"bad_option", "The option cannot have that value."},
        {"no_asset_wanted", "The game has nothing to choose here."},
        {"no_such_asset", "There is nothing built in under that name."},
        {"bad_position", "No game of that setup begins in that position."},
    };
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (same_text(known[i].name, rule))
            return known[i].text;
    return "";
}

/* Each seat's question is as old as the ply that put it. */
static void keep_asked(struct rules_state *s, uint16_t could, int mover)
{
    for (int seat = 0; seat < s->seats; seat++) {
        if (!rules_can_move(s, seat))
            s->asked[seat] = 0;
        else if (!(could & RULES_BIT(seat)) || seat == mover)
            s->asked[seat] = s->ply;
    }
}

/* Puts into S, which is set up, the POSITION that it begins in instead.  What
 * was asked before is asked anew.  False if it cannot be one of S's table. */
static bool begin_in(const struct rules *r, struct rules_state *s,
                     const struct rules_state *position)
{
    if (position->viewer != RULES_ALL || position->seats != s->seats ||
        position->revision != s->revision || rules_over(position))
        return false;
    memcpy(s, position, r->state_size);
    s->ply = 0;
    memset(s->asked, 0, sizeof(s->asked));
    return rules_valid(r, s); /* or it could not be read back */
}

int rules_setup(const struct rules *r, struct rules_state *s,
                const struct rules_setup *setup, struct rules_problem *why)
{
    int16_t options[RULES_OPTIONS_MAX] = {0};
    struct rules_problem unread;
    struct rules_setup chosen;

    if (why == NULL)
        why = &unread;
    *why = (struct rules_problem){0};
    why->rule = resolve(r, setup, &chosen, options, why);
    if (why->rule != NULL) {
        why->text = problem_text(why->rule);
        return RULES_BAD_SETUP;
    }

    memset(s, 0, r->state_size);
    s->revision = chosen.revision != 0 ? chosen.revision : r->revision;
    s->seats = (uint8_t)chosen.seats;
    s->viewer = RULES_ALL;
    int refusal = r->setup(s, &chosen, options, why);
    if (refusal == RULES_OK && r->derive != NULL)
        r->derive(s);
    if (refusal == RULES_OK && setup->position != NULL &&
        !begin_in(r, s, setup->position)) {
        why->rule = "bad_position";
        why->text = problem_text(why->rule);
        return RULES_BAD_SETUP;
    }
    return refusal;
}

void rules_options(const struct rules *r, const struct rules_state *s,
                   const struct rules_setup *setup,
                   int16_t options[RULES_OPTIONS_MAX])
{
    for (size_t i = 0; r->options[i].name != NULL; i++) {
        options[i] = setup->options ? setup->options[i] : RULES_NONE;
        if (options[i] == RULES_NONE)
            options[i] = r->options[i].default_value;
    }
    if (r->options_of != NULL)
        r->options_of(s, options);
}

const char *rules_asset_name(const struct rules *r,
                             const struct rules_state *s,
                             const struct rules_setup *setup)
{
    if (setup->asset_name != NULL || setup->asset != NULL ||
        r->asset_of == NULL)
        return setup->asset_name;
    return r->asset_of(s);
}

/* ---- the gate --------------------------------------------------------- */

/* The state on which SEAT's moves are judged: its view.  ROOM is for it. */
static const struct rules_state *gate(const struct rules *r,
                                      const struct rules_state *s, int seat,
                                      union rules_any *room)
{
    if (s->viewer != RULES_ALL || seat >= s->seats || r->redact == NULL)
        return s;
    rules_view(r, s, seat, &room->state);
    return &room->state;
}

/* Whether VALUE is one that KIND has at this table. */
static bool kind_has(const struct rules_kind *kind,
                     const struct rules_state *s, int16_t value)
{
    switch (kind->form) {
    case RULES_NUMBER: return value >= kind->min && value <= kind->max;
    case RULES_SEAT: return value >= 0 && value < s->seats;
    case RULES_FLAG: return value == 0 || value == 1;
    case RULES_PLACE: return value >= 0 && value < kind->count(s);
    case RULES_WORD:
        for (int16_t i = 0; value >= 0 && kind->words[i] != NULL; i++)
            if (i == value)
                return true;
        return false;
    }
    return false;
}

/* Whether argument I of MOVE, as it was told to the viewer of S, can have been
 * hidden from them: whether it would be, whatever it was. */
static bool can_be_hidden(const struct rules *r, const struct rules_state *s,
                          int seat, const struct rules_move *move, int i)
{
    const struct rules_arg *arg = r->verbs[move->verb].arg;
    struct rules_move tried = *move;

    if (s->viewer == RULES_ALL || s->viewer == seat || r->redact_move == NULL)
        return false;
    for (int k = 0; k < RULES_ARGS_MAX && arg[k].name != NULL; k++)
        if (tried.arg[k] == RULES_HIDDEN)
            tried.arg[k] = arg[k].kind->form == RULES_NUMBER ? arg[k].kind->min
                                                             : 0;
    r->redact_move(s, seat, s->viewer, &tried);
    return tried.arg[i] == RULES_HIDDEN;
}

static int check_arguments(const struct rules *r, const struct rules_state *s,
                           int seat, const struct rules_move *move)
{
    const struct rules_arg *arg = r->verbs[move->verb].arg;
    int i = 0;

    for (; i < RULES_ARGS_MAX && arg[i].name != NULL; i++) {
        int16_t value = move->arg[i];
        if (value == RULES_HIDDEN && can_be_hidden(r, s, seat, move, i))
            continue;
        if (value == RULES_NONE ? !arg[i].optional
                                : !kind_has(arg[i].kind, s, value))
            return RULES_BAD_ARGUMENT;
    }
    for (; i < RULES_ARGS_MAX; i++)
        if (move->arg[i] != RULES_NONE)
            return RULES_BAD_ARGUMENT;
    return RULES_OK;
}

static bool verb_exists(const struct rules *r, int verb, int seat)
{
    for (int i = 0; r->verbs[i].name != NULL; i++)
        if (i == verb)
            return r->verbs[i].nature == (seat == RULES_NATURE);
    return false;
}

static int check_who(const struct rules_state *s, int seat)
{
    if (rules_over(s))
        return RULES_GAME_OVER;
    if (seat < 0 || (seat >= s->seats && seat != RULES_NATURE) ||
        !rules_can_move(s, seat))
        return RULES_NOT_YOUR_TURN;
    return RULES_OK;
}

int rules_check(const struct rules *r, const struct rules_state *s, int seat,
                const struct rules_move *move)
{
    union rules_any view;
    int refusal = check_who(s, seat);

    if (refusal != RULES_OK)
        return refusal;
    if (!verb_exists(r, move->verb, seat))
        return RULES_UNKNOWN_VERB;
    refusal = check_arguments(r, s, seat, move);
    if (refusal != RULES_OK)
        return refusal;
    return r->check(gate(r, s, seat, &view), seat, move);
}

static void offer(struct rules_list *list, const struct rules_choice *choice)
{
    if (!rules_wants(list, choice->move.verb) ||
        list->rules->check(list->state, list->seat, &choice->move) != RULES_OK)
        return;
    if (list->count < list->cap)
        list->at[list->count] = *choice;
    list->count++;
}

void rules_offer(struct rules_list *list, const struct rules_move *move)
{
    offer(list, &(struct rules_choice){.move = *move, .ranged = -1});
}

void rules_offer_range(struct rules_list *list, const struct rules_move *move,
                       int ranged, int16_t max)
{
    int16_t min = move->arg[ranged];
    if (max == min)
        rules_offer(list, move);
    else if (max > min)
        offer(list, &(struct rules_choice){*move, (int16_t)ranged, min, max});
}

size_t rules_legal(const struct rules *r, const struct rules_state *s,
                   int seat, int verb, struct rules_choice *out, size_t cap)
{
    union rules_any view;
    struct rules_list list = {
        .rules = r,
        .seat = seat,
        .verb = verb,
        .cap = cap,
        .at = out,
    };

    if (check_who(s, seat) != RULES_OK)
        return 0;
    list.state = gate(r, s, seat, &view);
    r->propose(list.state, seat, &list);
    return list.count;
}

void rules_default_move(const struct rules *r, const struct rules_state *s,
                        int seat, struct rules_move *move)
{
    union rules_any view;
    struct rules_choice first;

    ASSERT(check_who(s, seat) == RULES_OK);
    if (r->default_move != NULL) {
        r->default_move(gate(r, s, seat, &view), seat, move);
        return;
    }
    size_t n = rules_legal(r, s, seat, -1, &first, 1);
    ASSERT(n > 0);
    *move = first.move;
}

/* ---- playing ---------------------------------------------------------- */

void rules_emit(struct rules_events *events, int kind, int seat,
                uint16_t seen_by, int a, int b, int c)
{
    ASSERT(events->count < RULES_EVENTS_MAX);
    events->at[events->count++] = (struct rules_event){
        (uint8_t)kind,
        (uint8_t)seat,
        seen_by,
        {(int16_t)a, (int16_t)b, (int16_t)c, RULES_NONE, RULES_NONE,
         RULES_NONE},
    };
}

void rules_ask(struct rules_state *s, int seat)
{
    s->asked[seat] = s->ply + 1;
}

int rules_apply(const struct rules *r, struct rules_state *s, int seat,
                const struct rules_move *move, struct rules_events *events)
{
    uint16_t could = s->acting | s->may;

    events->count = 0;
    events->flags = 0;
    int refusal = rules_check(r, s, seat, move);
    if (refusal == RULES_OK)
        refusal = r->apply(s, seat, move, events);
    if (refusal != RULES_OK) {
        ASSERT(events->count == 0);
        ASSERT(refusal != RULES_UNSEEN || s->viewer != RULES_ALL);
        return refusal;
    }
    s->ply++;
    ASSERT(s->ply <= r->plies_max);
    keep_asked(s, could, seat);
    if (seat == RULES_NATURE || (s->acting & RULES_BIT(RULES_NATURE)))
        events->flags |= RULES_DREW;
    return RULES_OK;
}

struct rules_moment rules_moment(const struct rules *r,
                                 const struct rules_state *s)
{
    struct rules_moment m = {
        .acting = s->acting,
        .turn = r->turn != NULL ? r->turn(s) : RULES_NO_TURN,
    };

    for (int seat = 0; seat < s->seats; seat++)
        if (rules_can_move(s, seat) && s->asked[seat] == s->ply)
            m.asked |= RULES_BIT(seat);
    return m;
}

bool rules_pass(const struct rules *r, const struct rules_state *s, int seat,
                struct rules_move *move)
{
    union rules_any view;

    if (r->pass == NULL || !(s->acting & RULES_BIT(seat)) ||
        !r->pass(gate(r, s, seat, &view), seat, move))
        return false;
    ASSERT(rules_check(r, s, seat, move) == RULES_OK);
    return true;
}

uint32_t rules_round(const struct rules *r, const struct rules_state *s)
{
    return r->round != NULL ? r->round(s) : RULES_NO_ROUND;
}

bool rules_harmless(const struct rules *r, const struct rules_events *events,
                    int viewer)
{
    for (size_t i = 0; i < events->count; i++) {
        const struct rules_event *e = &events->at[i];
        uint64_t harmless = e->seat == viewer
                                ? r->harmless
                                : r->harmless | r->harmless_of_others;
        if ((e->seen_by & RULES_BIT(viewer)) != 0 &&
            (e->kind >= 64 || (harmless & RULES_KIND(e->kind)) == 0))
            return false;
    }
    return true;
}

void rules_chance(const struct rules *r, const struct rules_state *s,
                  struct rng *rng, struct rules_move *move)
{
    ASSERT(s->acting == RULES_BIT(RULES_NATURE));
    ASSERT(s->viewer == RULES_ALL);
    *move = RULES_MOVE(0, RULES_NONE, RULES_NONE, RULES_NONE);
    r->chance(s, rng, move);
}

void rules_redact_move(const struct rules *r, const struct rules_state *s,
                       int seat, const struct rules_move *move, int viewer,
                       struct rules_move *redacted)
{
    ASSERT(s->viewer == RULES_ALL);
    *redacted = *move;
    if (viewer != RULES_ALL && viewer != seat && r->redact_move != NULL)
        r->redact_move(s, seat, viewer, redacted);
}

void rules_view(const struct rules *r, const struct rules_state *s, int viewer,
                struct rules_state *view)
{
    ASSERT(s->viewer == RULES_ALL || s->viewer == viewer);
    memcpy(view, s, r->state_size);
    if (s->viewer == viewer)
        return;
    view->viewer = (uint8_t)viewer;
    if (r->redact != NULL)
        r->redact(view, viewer);
}

void rules_guess(const struct rules *r, const struct rules_state *view,
                 struct rng *rng, struct rules_state *guessed)
{
    memcpy(guessed, view, r->state_size);
    guessed->viewer = RULES_ALL;
    if (r->guess != NULL && view->viewer != RULES_ALL)
        r->guess(guessed, view->viewer, rng);
}

void rules_resample(const struct rules *r, const struct rules_state *s,
                    int viewer, struct rng *rng, struct rules_state *resampled)
{
    union rules_any view;

    ASSERT(s->viewer == RULES_ALL);
    rules_view(r, s, viewer, &view.state);
    rules_guess(r, &view.state, rng, resampled);
}

int rules_replay(const struct rules *r, struct rules_state *s,
                 const struct rules_setup *setup,
                 const struct rules_ply *plies, size_t count, size_t *at)
{
    struct rules_events events;

    *at = 0;
    int refusal = rules_setup(r, s, setup, NULL);
    for (; refusal == RULES_OK && *at < count; ++*at) {
        refusal = rules_apply(r, s, plies[*at].seat, &plies[*at].move,
                              &events);
        if (refusal != RULES_OK)
            break;
    }
    return refusal;
}

/* ---- taking back ------------------------------------------------------ */

enum rules_undo rules_undo(const struct rules_done *done, size_t count,
                           int seat, size_t *at)
{
    bool others = false, drawn = false;

    for (size_t i = count; i-- > 0;) {
        const struct rules_done *d = &done[i];
        if (d->seat == RULES_NATURE) {
            drawn = true;
        } else if (d->seat != seat) {
            if (!(d->flags & RULES_INDEPENDENT))
                return RULES_UNDO_OTHERS_MOVED;
            others = true;
        } else {
            if (drawn || (d->flags & RULES_DREW))
                return RULES_UNDO_DRAWN;
            if (d->flags & RULES_REVEALED)
                return RULES_UNDO_REVEALED;
            if (d->flags & RULES_FINAL)
                return RULES_UNDO_FINAL;
            if (others && !(d->flags & RULES_INDEPENDENT))
                return RULES_UNDO_OTHERS_MOVED;
            *at = i;
            return RULES_UNDO_YES;
        }
    }
    return RULES_UNDO_NOTHING;
}

const char *rules_undo_word(enum rules_undo why)
{
    static const char *const words[] = {
        "yes", "revealed", "drawn", "final", "others_moved", "nothing",
    };
    ASSERT((size_t)why < COUNT_OF(words));
    return words[why];
}

/* ---- score ------------------------------------------------------------ */

void rules_score(const struct rules *r, const struct rules_state *s,
                 struct rules_score *score)
{
    memset(score, 0, sizeof(*score));
    r->score(s, score);
}

void rules_sum(struct rules_score *score, int seats)
{
    for (int seat = 0; seat < seats; seat++) {
        score->total[seat] = 0;
        for (int part = 0; part < RULES_PARTS_MAX; part++)
            if (score->parts & (1u << part))
                score->total[seat] += score->part[part][seat];
    }
}

void rules_rank(struct rules_score *score, int seats, const int32_t *tie)
{
    for (int seat = 0; seat < seats; seat++) {
        score->place[seat] = 1;
        for (int rival = 0; rival < seats; rival++) {
            int64_t lead = (int64_t)score->total[rival] - score->total[seat];
            if (lead == 0 && tie != NULL)
                lead = (int64_t)tie[rival] - tie[seat];
            if (lead > 0)
                score->place[seat]++;
        }
    }
}

/* ---- bytes and words -------------------------------------------------- */

static void header(const struct rules *r, struct fields *f,
                   struct rules_state *s)
{
    const struct fields_as plies = FIELDS_AS_UPTO(r->plies_max);
    const struct fields_as revision = {.min = 1, .max = r->revision};
    const struct fields_as bits = {.max = RULES_BIT(RULES_NATURE + 1) - 1};
    const struct fields_as players = {.max = RULES_BIT(RULES_SEATS_MAX) - 1};
    const struct fields_as seats = {.min = r->seats_min, .max = r->seats_max};
    const struct fields_as viewer = {.max = RULES_ALL};

    fields_u32(f, "ply", &s->ply, &plies);
    fields_u16(f, "revision", &s->revision, &revision);
    fields_u16(f, "acting", &s->acting, &bits);
    fields_u16(f, "may", &s->may, &players);
    fields_u8(f, "seats", &s->seats, &seats);
    fields_u8(f, "viewer", &s->viewer, &viewer);
    for (int i = 0; i < s->seats && !f->malformed; i++)
        fields_u32(f, "asked", &s->asked[i], &plies);
}

/* The state is written to in READ and TAKE only, and then it is the caller's
 * own to write. */
static struct rules_state *writable(const struct rules_state *s)
{
    return (struct rules_state *)(uintptr_t)s;
}

static void walk(const struct rules *r, struct fields *f,
                 const struct rules_state *s)
{
    header(r, f, writable(s));
    if (!f->malformed)
        r->fields(f, writable(s));
}

uint64_t rules_hash(const struct rules *r, const struct rules_state *s)
{
    struct fields f = {.mode = FIELDS_HASH, .hash = HASH_START};
    walk(r, &f, s);
    return f.hash;
}

/* The same FNV-1a over bytes.  Each step maps what came before one to one, so
 * a change of one byte is always noticed. */
static uint64_t check_sum(const uint8_t *buf, size_t len)
{
    uint64_t hash = HASH_START;
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ buf[i]) * UINT64_C(0x100000001b3);
    return hash;
}

size_t rules_encode(const struct rules *r, const struct rules_state *s,
                    uint8_t *buf, size_t cap)
{
    struct fields f = {.mode = FIELDS_WRITE, .at = buf, .room = cap};
    walk(r, &f, s);
    uint64_t sum = f.size <= cap ? check_sum(buf, f.size) : rules_hash(r, s);
    for (size_t i = 0; i < SUM_BYTES; i++)
        if (f.size + i < cap)
            buf[f.size + i] = (uint8_t)(sum >> (8 * i));
    return f.size + SUM_BYTES;
}

bool rules_valid(const struct rules *r, const struct rules_state *s)
{
    uint16_t players = (uint16_t)(RULES_BIT(s->seats) - 1);
    if (s->acting != RULES_BIT(RULES_NATURE) && (s->acting & ~players))
        return false; /* chance never acts beside a player */
    if ((s->may & ~players) || (s->may & s->acting))
        return false;
    if (rules_over(s) && s->may)
        return false;
    if (s->viewer >= s->seats && s->viewer < RULES_WATCHER)
        return false;
    for (int seat = 0; seat < s->seats; seat++)
        if (s->asked[seat] > s->ply)
            return false;
    return r->valid == NULL || r->valid(s);
}

static int settle(const struct rules *r, struct rules_state *s,
                  const struct fields *f)
{
    if (f->malformed)
        return RULES_MALFORMED;
    if (r->derive != NULL)
        r->derive(s);
    return rules_valid(r, s) ? RULES_OK : RULES_MALFORMED;
}

int rules_decode(const struct rules *r, struct rules_state *s,
                 const uint8_t *buf, size_t len)
{
    uint64_t sum = 0;
    if (len < SUM_BYTES)
        return RULES_MALFORMED;
    len -= SUM_BYTES;
    for (size_t i = 0; i < SUM_BYTES; i++)
        sum |= (uint64_t)buf[len + i] << (8 * i);
    if (sum != check_sum(buf, len))
        return RULES_MALFORMED;

    struct fields f = {.mode = FIELDS_READ, .in = buf, .room = len};
    memset(s, 0, r->state_size);
    walk(r, &f, s);
    if (f.room > 0)
        return RULES_MALFORMED;
    return settle(r, s, &f);
}

void rules_show(const struct rules *r, const struct rules_state *s,
                const struct fields_sink *sink)
{
    struct fields f = {.mode = FIELDS_SHOW, .sink = sink};
    r->fields(&f, writable(s));
}

/* Reads the fields, whatever they are together. */
static bool take(const struct rules *r, struct rules_state *s,
                 const struct fields_source *source, struct fields *f)
{
    struct rules_state head = *s;
    memset(s, 0, r->state_size);
    *s = head;
    if (s->seats < r->seats_min || s->seats > r->seats_max ||
        s->revision < 1 || s->revision > r->revision || s->viewer > RULES_ALL)
        return false;
    *f = (struct fields){.mode = FIELDS_TAKE, .source = source};
    r->fields(f, s);
    return true;
}

int rules_read(const struct rules *r, struct rules_state *s,
               const struct fields_source *source)
{
    struct fields f;
    return take(r, s, source, &f) ? settle(r, s, &f) : RULES_MALFORMED;
}

int rules_read_stopped(const struct rules *r, struct rules_state *s,
                       const struct fields_source *source)
{
    struct fields f;

    s->acting = 0;
    s->may = 0;
    if (!take(r, s, source, &f) || f.malformed)
        return RULES_MALFORMED;
    if (r->derive != NULL)
        r->derive(s);
    return RULES_OK;
}

void rules_diff(const struct rules *r, const struct rules_state *before,
                const struct rules_state *after,
                const struct fields_sink *sink)
{
    ASSERT(before->viewer == after->viewer && before->seats == after->seats);
    struct fields f = {
        .mode = FIELDS_DIFF,
        .sink = sink,
        .delta = (uintptr_t)after - (uintptr_t)before,
    };
    r->fields(&f, writable(before));
}

/* ---- reasons ---------------------------------------------------------- */

static const struct rules_reason *reason(const struct rules *r, int refusal)
{
    static const struct rules_reason common[] = {
        {"ok", "That is allowed."},
        {"game_over", "The game is over."},
        {"not_your_turn", "It is not your turn."},
        {"unknown_verb", "There is no such move in this game."},
        {"bad_argument", "An argument is missing, unknown or out of range."},
        {"unseen", "What would happen rests on something hidden."},
        {"bad_setup", "The game cannot be set up like that."},
        {"malformed", "These are not the bytes of a state."},
    };
    if (refusal <= RULES_GAME) {
        for (int i = 0; i <= RULES_GAME - refusal; i++)
            ASSERT(r->reasons[i].name != NULL);
        return &r->reasons[RULES_GAME - refusal];
    }
    ASSERT(refusal <= 0 && (size_t)-refusal < COUNT_OF(common));
    return &common[-refusal];
}

const char *rules_reason(const struct rules *r, int refusal)
{
    return reason(r, refusal)->name;
}

const char *rules_reason_text(const struct rules *r, int refusal)
{
    return reason(r, refusal)->text;
}
