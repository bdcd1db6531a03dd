/* line.c -- a log entry as the line that is stored, chained and published.
 *
 * Lines are in RFC 8785 form, which for what stands in them means: members in
 * the order of their names, no spaces.  Names of people are never in them. */

#include "core/text.h"
#include "inner.h"

const struct entry_form entry_forms[ENTRY_KINDS] = {
    [ENTRY_JOIN] = {.event = "joined", .seat = true, .account = true},
    [ENTRY_LEAVE] = {.event = "left", .seat = true},
    [ENTRY_NONCE] = {.event = "nonce", .seat = true, .nonce = true},
    [ENTRY_START] = {.event = "started"},
    [ENTRY_UNDO] = {.event = "undone", .seat = true, .number = "undoes"},
    [ENTRY_RESIGN] = {.event = "resigned", .seat = true},
    [ENTRY_ABANDON] = {.event = "abandoned"},
    [ENTRY_RENAME] = {.event = "renamed"},
    [ENTRY_RESTORED] = {.event = "restored"},
    [ENTRY_REWIND] = {.event = "rewound", .number = "to"},
    [ENTRY_REPLACED] = {.event = "replaced", .seat = true, .account = true},
    [ENTRY_HOURS] = {.seat = true, .timed = true},
    [ENTRY_ABSENT] = {.event = "absent", .seat = true, .timed = true},
    [ENTRY_BACK] = {.event = "back", .seat = true, .timed = true},
    [ENTRY_MISS] = {.event = "missed", .seat = true, .timed = true},
    [ENTRY_GIVE] = {.event = "given", .timed = true},
    [ENTRY_PAUSE] = {.event = "paused", .timed = true},
    [ENTRY_RESUME] = {.event = "resumed", .timed = true},
    [ENTRY_VOTE] = {.event = "voted"},
};

/* ---- writing ---------------------------------------------------------- */

static void write_value(struct json_out *o, const struct table *t,
                        const struct rules_arg *arg, int16_t value)
{
    char word[64];

    switch (arg->kind->form) {
    case RULES_NUMBER:
    case RULES_SEAT: out_int(o, arg->name, value); break;
    case RULES_FLAG: out_bool(o, arg->name, value != 0); break;
    case RULES_WORD:
    case RULES_PLACE:
        out_string_n(o, arg->name, word,
                     text_word(arg->kind, t->rules_state, value, word,
                               sizeof(word)));
        break;
    }
}

/* The members of a move in the order of their names, the verb among them. */
static void write_move(struct json_out *o, const struct table *t,
                       const struct rules_move *move)
{
    const struct rules_word *verb = &t->rules->verbs[move->verb];
    bool done[RULES_ARGS_MAX + 1] = {false}; /* the last is the verb's name */

    out_object(o, "move");
    for (;;) {
        const char *least = NULL;
        int which = 0;
        for (int i = 0; i <= RULES_ARGS_MAX; i++) {
            bool is_verb = i == RULES_ARGS_MAX;
            if (done[i] || (!is_verb && (verb->arg[i].name == NULL ||
                                         move->arg[i] == RULES_NONE)))
                continue;
            const char *name = is_verb ? "verb" : verb->arg[i].name;
            if (least == NULL || strcmp(name, least) < 0) {
                least = name;
                which = i;
            }
        }
        if (least == NULL)
            break;
        done[which] = true;
        if (which == RULES_ARGS_MAX)
            out_string(o, "verb", verb->name);
        else
            write_value(o, t, &verb->arg[which], move->arg[which]);
    }
    out_end(o);
}

static void write_seats(struct json_out *o, uint32_t kept)
{
    out_list(o, "seats");
    for (int seat = 0; seat < RULES_SEATS_MAX; seat++)
        if (kept & (1u << seat))
            out_int(o, NULL, seat);
    out_end(o);
}

/* What tables with a pace say, in the order of its names: up to `hours`, from
 * there to `ply`, and what is behind it. */

static void write_early(struct json_out *o, const struct table *t,
                        const struct entry *e)
{
    const struct entry_more *more = &e->more;

    if (e->kind == ENTRY_ABSENT)
        out_bool(o, "auto", more->by_itself);
    if (e->bank != NULL)
        json_shown(o, "bank", e->bank, t->seats, false);
    if (more->hours != NULL) {
        out_int(o, "closes", more->hours->hours.closes);
        json_days(o, "days", &more->hours->hours);
    }
}

static void write_middle(struct json_out *o, const struct table *t,
                         const struct entry *e)
{
    const struct entry_more *more = &e->more;

    if (e->due != NULL)
        json_shown(o, "due", e->due, t->seats, true);
    if (more->made != MADE_BY_SEAT)
        out_string(o, "for", made_words[more->made]);
    if (e->kind == ENTRY_ABSENT)
        out_int(o, "from", more->from);
}

static void write_late(struct json_out *o, const struct entry *e)
{
    const struct entry_more *more = &e->more;

    if (more->hours != NULL) {
        json_offsets(o, "offsets", &more->hours->offsets);
        out_int(o, "opens", more->hours->hours.opens);
    }
    if (more->outage_count > 0)
        json_outages(o, "outages", more->outages, more->outage_count);
    if (more->passed)
        out_bool(o, "passed", true);
}

static bool about(const struct entry *e, enum vote_about what)
{
    return e->kind == ENTRY_VOTE && e->more.about == what;
}

static void write_last(struct json_out *o, const struct entry *e)
{
    const struct entry_more *more = &e->more;
    bool gift = e->kind == ENTRY_GIVE || about(e, VOTE_GIVE);

    if (gift)
        out_int(o, "seconds", more->seconds);
    if (more->silent)
        out_bool(o, "silent", true);
    if (e->kind == ENTRY_MISS)
        out_string(o, "then", miss_words[more->then]);
    if (gift || about(e, VOTE_REPLACE))
        out_int(o, "to", more->to);
    if (entry_forms[e->kind].number != NULL)
        out_int(o, entry_forms[e->kind].number, e->number);
    if (e->kind == ENTRY_ABSENT || e->kind == ENTRY_PAUSE ||
        about(e, VOTE_PAUSE))
        out_int(o, "until", more->until);
    if (more->why != WHY_UNTOLD)
        out_string(o, "why", why_words[more->why]);
    if (e->kind == ENTRY_VOTE)
        out_bool(o, "yes", more->yes);
}

void line_write(struct json_out *o, const struct table *t, uint32_t ply,
                const struct entry *e)
{
    const struct entry_form *form = &entry_forms[e->kind];

    out_object(o, NULL);
    if (e->kind == ENTRY_VOTE)
        out_string(o, "about", vote_words[e->more.about]);
    if (form->account)
        write_id(o, "account", e->u.account);
    out_int(o, "at", e->at);
    write_early(o, t, e);
    if (e->kind == ENTRY_MOVE && e->seat != RULES_NATURE)
        out_int(o, "decision", e->decision);
    write_middle(o, t, e);
    out_string(o, "kind", entry_words[e->kind]);
    if (e->kind == ENTRY_MOVE)
        write_move(o, t, &e->u.move);
    if (form->nonce)
        out_string(o, "nonce", e->u.nonce);
    write_late(o, e);
    out_int(o, "ply", ply);
    if (e->seat != ENTRY_NOBODY)
        json_seat(o, "seat", e->seat);
    if (e->kind == ENTRY_START)
        write_seats(o, e->kept);
    write_last(o, e);
    out_end(o);
}

/* ---- reading ---------------------------------------------------------- */

static uint16_t read_seat(const json_t *value)
{
    if (json_is_integer(value) && json_integer_value(value) >= 0 &&
        json_integer_value(value) < RULES_SEATS_MAX)
        return (uint16_t)json_integer_value(value);
    return json_is_string(value) ? RULES_NATURE : ENTRY_NOBODY;
}

static bool read_nonce(const json_t *value, struct entry *e, char *nonce)
{
    const char *from = json_string_value(value);
    if (from == NULL || strlen(from) >= NONCE_SIZE)
        return false;
    e->u.nonce = memcpy(nonce, from, strlen(from) + 1);
    return true;
}

static bool read_account(const json_t *value, struct entry *e)
{
    const char *id = json_string_value(value);
    return id != NULL && id_read(id, &e->u.account);
}

static bool read_move(const struct table *t, const json_t *line,
                      const struct rules_state *s, struct entry *e)
{
    struct json_refusal why;

    e->decision = (uint32_t)json_integer_value(
        json_object_get(line, "decision"));
    return s != NULL && e->seat != ENTRY_NOBODY &&
           json_move_read(t->rules, s, json_object_get(line, "move"), false,
                          &e->u.move, &why) == RULES_OK;
}

static bool read_seats(const json_t *list, struct entry *e)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        e->kept |= 1u << read_seat(json_array_get(list, i)) % RULES_SEATS_MAX;
    return e->kept != 0;
}

static bool read_more(const struct table *t, const json_t *line,
                      const struct rules_state *s, struct entry *e,
                      struct line_room *room)
{
    const struct entry_form *form = &entry_forms[e->kind];

    if ((t->clocks != NULL
             ? json_more_read(line, e->kind, &e->more, &room->more)
             : json_vote_read(line, e->kind, &e->more)) != NULL)
        return false;
    if (form->account && !read_account(json_object_get(line, "account"), e))
        return false;
    if (form->nonce &&
        !read_nonce(json_object_get(line, "nonce"), e, room->nonce))
        return false;
    if (form->number != NULL)
        e->number = (uint32_t)json_integer_value(
            json_object_get(line, form->number));
    if (e->kind == ENTRY_MOVE)
        return read_move(t, line, s, e);
    return e->kind != ENTRY_START ||
           read_seats(json_object_get(line, "seats"), e);
}

bool line_read(const struct table *t, const json_t *line,
               const struct rules_state *s, struct entry *e,
               struct line_room *room)
{
    const char *word = json_string_value(json_object_get(line, "kind"));
    int kind = word != NULL ? word_find(entry_words, word) : -1;

    *e = (struct entry){.seat = ENTRY_NOBODY};
    if (kind < 0)
        return false;
    e->kind = (uint8_t)kind;
    e->at = json_integer_value(json_object_get(line, "at"));
    e->seat = read_seat(json_object_get(line, "seat"));
    return read_more(t, line, s, e, room);
}

void entry_tell_more(struct json_out *o, const struct entry *e)
{
    const struct entry_more *more = &e->more;

    if (e->kind == ENTRY_VOTE)
        out_string(o, "about", vote_words[more->about]);
    if (more->made != MADE_BY_SEAT)
        out_string(o, "for", made_words[more->made]);
    if (more->passed)
        out_bool(o, "passed", true);
    write_last(o, e);
}

bool entry_is_told(const struct entry *e)
{
    return entry_forms[e->kind].event != NULL || e->more.made != MADE_BY_SEAT;
}

/* Of a move it is told who made it, if that is not who sits there: what it was
 * the game tells. */
void entry_tell(struct json_out *o, const struct entry *e)
{
    const char *event = entry_forms[e->kind].event;

    out_object(o, NULL);
    out_string(o, "kind", event != NULL ? event : "made");
    if (e->seat == ENTRY_NOBODY)
        out_null(o, "seat");
    else
        out_int(o, "seat", e->seat);
    if (entry_forms[e->kind].timed || e->kind == ENTRY_VOTE ||
        e->more.made != MADE_BY_SEAT || e->more.why != WHY_UNTOLD)
        entry_tell_more(o, e);
    out_end(o);
}
