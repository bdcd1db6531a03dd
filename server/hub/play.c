/* play.c -- moving, taking back, giving up, and asking what one may do.
 *
 * A move is judged in this order: table, seat, duplicate, whether the game is
 * on, turn, decision, rules (PROTOCOL, Errors).  The decision it answers is
 * what makes a retry harmless: the same move of the same seat for the same
 * decision is never played twice. */

#include <stdio.h>
#include <stdlib.h>

#include "inner.h"
#include "protocol/pointer.h"

int play_seat(struct hub *hub, struct table *t, struct request *q)
{
    int seat = table_viewer(t, q->account);
    enum error e = table_may_see(t, q);

    if (e == ERR_NONE && seat == RULES_WATCHER)
        e = ERR_NOT_SEATED;
    if (e == ERR_NONE)
        return seat;
    refuse(hub, q, e);
    return -1;
}

enum error play_not_on(const struct table *t)
{
    if (t->state == TABLE_PLAYING)
        return ERR_NONE;
    return t->state == TABLE_OPEN ? ERR_NOT_STARTED : ERR_GAME_OVER;
}

static void answer_ply(struct hub *hub, struct request *q, uint32_t ply,
                       bool duplicate, bool undone)
{
    struct json_out *o = result_begin(hub, q);

    out_int(o, "ply", ply);
    if (duplicate)
        out_bool(o, "duplicate", true);
    if (undone)
        out_bool(o, "undone", true);
    result_end(hub, q);
}

static void answer_stored(struct hub *hub, struct request *q)
{
    answer_ply(hub, q, q->ply, false, false);
}

/* E is what Q does, which is answered with its ply. */
static void play(struct hub *hub, struct table *t, struct request *q,
                 const struct entry *e)
{
    struct change *c = change_begin(hub, q, t);

    q->ply = t->log.count;
    change_add(c, e);
    change_submit(c, answer_stored);
}

/* ---- moves ------------------------------------------------------------- */

void play_refuse(struct hub *hub, struct table *t, struct request *q,
                 int refusal, const char *where, struct json_refusal *why)
{
    struct json_out *o = refuse_begin(hub, q, ERR_ILLEGAL_MOVE);

    out_string(o, "rule", rules_reason(t->rules, refusal));
    out_string(o, "sentence", rules_reason_text(t->rules, refusal));
    if (why->expected[0] != '\0') {
        pointer_within(why->path, sizeof(why->path), where);
        out_string(o, "path", why->path);
        out_string(o, "expected", why->expected);
    }
    refuse_end(hub, q);
}

/* The ply at which SEAT answered DECISION with MOVE, or 0. */
static uint32_t played_before(const struct table *t, int seat,
                              int64_t decision, const struct rules_move *move)
{
    uint32_t last = 0;
    struct log_reader r;
    struct entry e;

    if (decision < 0 || decision >= t->log.count)
        return 0;
    log_reader_at(&r, &t->log, (uint32_t)decision + 1);
    while (log_read(&r, &e))
        if (e.kind == ENTRY_MOVE && e.seat == seat && e.decision == decision &&
            memcmp(&e.u.move, move, sizeof(*move)) == 0)
            last = r.ply - 1;
    return last;
}

/* Whether SEAT may play MOVE, which was read with REFUSAL and WHY; else Q is
 * refused. */
static bool may_play(struct hub *hub, struct table *t, struct request *q,
                     int seat, int refusal, const struct rules_move *move,
                     struct json_refusal *why)
{
    if (refusal == RULES_OK)
        refusal = rules_check(t->rules, t->rules_state, seat, move);
    else if (refusal == RULES_MALFORMED)
        refusal = RULES_BAD_ARGUMENT;
    if (refusal != RULES_OK)
        play_refuse(hub, t, q, refusal, "/move", why);
    return refusal == RULES_OK;
}

bool play_fits(const struct table *t, const struct request *q)
{
    int seat = table_viewer(t, q->account);
    int64_t decision = param_int(q, "decision", -1);
    struct json_refusal why = {0};
    struct rules_move move;

    return t->readable && seat != RULES_WATCHER && t->rules_state != NULL &&
           decision >= 0 && decision == table_decision(t, seat) &&
           json_move_read(t->rules, t->rules_state, param(q, "move"), false,
                          &move, &why) == RULES_OK &&
           rules_check(t->rules, t->rules_state, seat, &move) == RULES_OK;
}

void handle_table_move(struct hub *hub, struct table *t, struct request *q)
{
    int64_t decision = param_int(q, "decision", -1);
    int seat = play_seat(hub, t, q);
    struct json_refusal why = {0};
    struct rules_move move;

    if (seat < 0)
        return;
    if (t->rules_state == NULL) {
        refuse(hub, q, play_not_on(t));
        return;
    }
    int refusal = json_move_read(t->rules, t->rules_state, param(q, "move"),
                                 false, &move, &why);
    uint32_t before = refusal == RULES_OK
                          ? played_before(t, seat, decision, &move)
                          : 0;
    if (before != 0) {
        struct entry e;
        log_at(&t->log, before, &e);
        answer_ply(hub, q, before, true, e.undone);
        return;
    }
    if (play_not_on(t) != ERR_NONE) {
        refuse(hub, q, play_not_on(t));
        return;
    }
    int64_t current = table_decision(t, seat);
    if (current < 0) {
        refuse(hub, q, ERR_NOT_YOUR_TURN);
        return;
    }
    if (decision != current) {
        struct json_out *o = refuse_begin(hub, q, ERR_STALE_DECISION);
        out_int(o, "decision", current);
        refuse_end(hub, q);
        return;
    }
    if (may_play(hub, t, q, seat, refusal, &move, &why))
        play(hub, t, q,
             &(struct entry){
                 .kind = ENTRY_MOVE,
                 .seat = (uint16_t)seat,
                 .u.move = move,
             });
}

bool play_for(struct hub *hub, struct table *t, struct request *q, int seat,
              enum made_by made)
{
    struct json_refusal why = {0};
    struct rules_move move;
    int refusal = json_move_read(t->rules, t->rules_state, param(q, "move"),
                                 false, &move, &why);

    if (!may_play(hub, t, q, seat, refusal, &move, &why))
        return false;
    hub->counts.bots_moves++;
    play(hub, t, q,
         &(struct entry){
             .kind = ENTRY_MOVE,
             .seat = (uint16_t)seat,
             .u.move = move,
             .more.made = (uint8_t)made,
         });
    return true;
}

/* ---- taking back -------------------------------------------------------- */

/* The UNDO entry of SEAT that took back PLY, or 0. */
static uint32_t undone_before(const struct table *t, int seat, uint32_t ply)
{
    struct log_reader r;
    struct entry e;

    log_reader_at(&r, &t->log, ply + 1);
    while (log_read(&r, &e))
        if (e.kind == ENTRY_UNDO && e.seat == seat && e.undoes == ply)
            return r.ply - 1;
    return 0;
}

static void refuse_undo(struct hub *hub, struct request *q, const char *why)
{
    struct json_out *o = refuse_begin(hub, q, ERR_UNDO_NOT_ALLOWED);
    out_string(o, "why", why);
    refuse_end(hub, q);
}

void handle_table_undo(struct hub *hub, struct table *t, struct request *q)
{
    int64_t ply = param_int(q, "ply", -1);
    int seat = play_seat(hub, t, q);
    struct entry e = {.kind = ENTRY_CREATE};
    uint32_t mine;

    if (seat < 0)
        return;
    if (ply >= 0 && ply < t->log.count)
        log_at(&t->log, (uint32_t)ply, &e);
    if (e.kind != ENTRY_MOVE || e.seat != seat) {
        refuse(hub, q,
               t->state == TABLE_OPEN ? ERR_NOT_STARTED : ERR_NO_SUCH_PLY);
        return;
    }
    if (e.undone) {
        uint32_t undo = undone_before(t, seat, (uint32_t)ply);
        if (undo != 0)
            answer_ply(hub, q, undo, true, false);
        else /* a rewind has taken it back, and not they */
            refuse_undo(hub, q, "nothing");
        return;
    }
    if (t->state != TABLE_PLAYING) {
        refuse_undo(hub, q, "final");
        return;
    }
    enum rules_undo why = table_undoable(t, seat, &mine);
    if (why != RULES_UNDO_YES) {
        refuse_undo(hub, q, rules_undo_word(why));
        return;
    }
    if (mine != ply) {
        refuse_undo(hub, q, "others_moved");
        return;
    }
    if (!clocks_may_undo(hub, t, seat, mine)) {
        refuse_undo(hub, q, "too_late");
        return;
    }
    if (t->undos[seat] >= LIMIT_UNDOS) {
        refuse(hub, q, ERR_TOO_MANY_UNDOS);
        return;
    }
    play(hub, t, q,
         &(struct entry){
             .kind = ENTRY_UNDO,
             .seat = (uint16_t)seat,
             .undoes = mine,
         });
}

/* ---- giving up ---------------------------------------------------------- */

/* The entry by which SEAT, which has, gave up, or 0. */
static uint32_t resigned_before(const struct table *t, int seat)
{
    struct log_reader r;
    struct entry e;

    log_reader_at(&r, &t->log, 0);
    while (log_read(&r, &e))
        if (entry_resigns(&e) && e.seat == seat && !e.undone)
            return r.ply - 1;
    return 0;
}

void handle_table_resign(struct hub *hub, struct table *t, struct request *q)
{
    int seat = play_seat(hub, t, q);

    if (seat < 0)
        return;
    uint32_t before = t->resigned & RULES_BIT(seat) ? resigned_before(t, seat)
                                                    : 0;
    if (before != 0) {
        answer_ply(hub, q, before, true, false);
        return;
    }
    if (play_not_on(t) != ERR_NONE) {
        refuse(hub, q, play_not_on(t));
        return;
    }
    play(hub, t, q,
         &(struct entry){.kind = ENTRY_RESIGN, .seat = (uint16_t)seat});
}

/* A ranged choice, the longest, takes less than this. */
#define RANGED_BYTES 300

/* ---- what one may do ---------------------------------------------------- */

/* Choices FROM to before N, as many as an answer holds; plain ones first, then
 * those with a range.  Returns how many were written or passed over. */
static size_t write_choices(struct hub *hub, struct json_out *o,
                            const struct table *t, size_t from, size_t n)
{
    size_t ranged = 0, to = n;

    out_list(o, "moves");
    for (size_t i = from; i < to; i++) {
        if (o->len + ranged * RANGED_BYTES > LIMIT_PAGE_BYTES)
            to = i;
        else if (hub->choices[i].ranged >= 0)
            ranged++;
        else
            json_move(o, NULL, t->rules, t->rules_state,
                      &hub->choices[i].move);
    }
    out_end(o);
    out_list(o, "ranges");
    for (size_t i = from; i < to; i++) {
        const struct rules_choice *c = &hub->choices[i];
        if (c->ranged < 0)
            continue;
        out_object(o, NULL);
        json_move(o, "move", t->rules, t->rules_state, &c->move);
        out_string(o, "arg",
                   t->rules->verbs[c->move.verb].arg[c->ranged].name);
        out_int(o, "min", c->min);
        out_int(o, "max", c->max);
        out_end(o);
    }
    out_end(o);
    return to;
}

static int verb_of(const struct table *t, const char *name)
{
    for (int i = 0; t->rules->verbs[i].name != NULL; i++)
        if (!t->rules->verbs[i].nature &&
            strcmp(t->rules->verbs[i].name, name) == 0)
            return i;
    return -1;
}

void handle_table_legal(struct hub *hub, struct table *t, struct request *q)
{
    size_t from = (size_t)param_int(q, "from", 0), n = 0;
    int seat = play_seat(hub, t, q), verb = -1;

    if (seat < 0)
        return;
    if (param(q, "verb") != NULL) {
        verb = verb_of(t, param_text(q, "verb"));
        if (verb < 0) {
            refuse_param(hub, q, "/verb", "a verb of the game");
            return;
        }
    }
    int64_t decision = t->rules_state != NULL ? table_decision(t, seat) : -1;
    if (decision >= 0)
        n = rules_legal(t->rules, t->rules_state, seat, verb, hub->choices,
                        RULES_MOVES_MAX);
    ASSERT(n <= RULES_MOVES_MAX);
    struct json_out *o = result_begin(hub, q);
    if (decision < 0)
        out_null(o, "decision");
    else
        out_int(o, "decision", decision);
    size_t to = write_choices(hub, o, t, from < n ? from : n, n);
    if (to < n)
        out_int(o, "next", (int64_t)to);
    result_end(hub, q);
}

/* ---- previews ------------------------------------------------------------ */

/* The view after moves that are only thought: the head of the table with what
 * the thought state says. */
static void write_thought(struct json_out *o, const struct table *t, int seat,
                          const struct rules_state *view)
{
    struct view_header head;

    view_header_make(t, seat, view, &head);
    for (int i = 0; i < t->seats; i++) {
        head.seat[i].acting = (view->acting & RULES_BIT(i)) != 0;
        head.seat[i].may = (view->may & RULES_BIT(i)) != 0;
    }
    view_write(o, "view", t, &head, view);
}

void handle_table_preview(struct hub *hub, struct table *t, struct request *q)
{
    const json_t *moves = param(q, "moves");
    int seat = play_seat(hub, t, q), refusal = RULES_OK;
    struct json_refusal why = {0};
    struct rules_move move;
    struct rules_events events;
    union rules_any view;
    size_t played = 0;

    if (seat < 0)
        return;
    if (play_not_on(t) != ERR_NONE || table_decision(t, seat) < 0) {
        refuse(hub, q,
               play_not_on(t) != ERR_NONE ? play_not_on(t)
                                          : ERR_NOT_YOUR_TURN);
        return;
    }
    rules_view(t->rules, t->rules_state, seat, &view.state);
    while (played < json_array_size(moves) && refusal == RULES_OK) {
        refusal = json_move_read(t->rules, &view.state,
                                 json_array_get(moves, played), false, &move,
                                 &why);
        if (refusal == RULES_MALFORMED)
            refusal = RULES_BAD_ARGUMENT;
        if (refusal == RULES_OK)
            refusal = rules_apply(t->rules, &view.state, seat, &move, &events);
        played += refusal == RULES_OK;
        if (view.state.acting & RULES_BIT(RULES_NATURE))
            break; /* chance would have to show something */
    }
    bool unseen = refusal == RULES_UNSEEN ||
                  (view.state.acting & RULES_BIT(RULES_NATURE)) != 0;
    if (refusal != RULES_OK && refusal != RULES_UNSEEN) {
        char where[32] = "/moves";
        (void)pointer_index(where, sizeof(where), played);
        play_refuse(hub, t, q, refusal, where, &why);
        return;
    }
    struct json_out *o = result_begin(hub, q);
    write_thought(o, t, seat, &view.state);
    out_int(o, "played", (int64_t)played);
    if (unseen)
        out_string(o, "stopped", "unseen");
    result_end(hub, q);
}
