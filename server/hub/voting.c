/* voting.c -- votes at tables; see voting.h. */

#include "voting.h"

#include "inner.h"

/* ---- who -------------------------------------------------------------------- */

uint16_t voting_present(const struct table *t)
{
    uint16_t away = t->resigned;

    if (t->clocks != NULL)
        away |= timing_gone(&t->clocks->timing);
    return (uint16_t)((RULES_BIT(t->seats) - 1) & ~away);
}

uint16_t voting_waits(const struct table *t)
{
    const struct votes *v = &t->votes;

    if (t->state != TABLE_PLAYING || !votes_open(v, v->last))
        return 0;
    return (uint16_t)(votes_asked(v, voting_present(t)) & ~v->agreed);
}

int64_t voting_quiet(const struct table *t)
{
    const struct votes *v = &t->votes;

    return t->state == TABLE_PLAYING && v->open && v->silent ? v->ends : 0;
}

void voting_concerns(struct change *c)
{
    const struct table *t = c->table;
    uint16_t was = c->asked, is = voting_waits(t);

    for (int seat = 0; seat < t->seats; seat++) {
        uint16_t bit = RULES_BIT(seat);
        bool another = c->vote != t->votes.ply;
        if ((was & bit) != 0 && ((is & bit) == 0 || another))
            change_concerns(c, t->seat[seat], "vote_over");
        if ((is & bit) != 0 && ((was & bit) == 0 || another))
            change_concerns(c, t->seat[seat], "vote");
    }
}

/* ---- what may be taken back -------------------------------------------------- */

/* The last move that somebody made themselves, to RET, if nothing was shown to
 * anybody since, and chance had no say; or why there is none. */
static const char *last_move(const struct table *t, struct played *ret)
{
    struct entry e;

    for (size_t i = t->played_count; i-- > 0;) {
        const struct played *p = &t->played[i];
        if (p->seat == RULES_NATURE ||
            (p->flags & (RULES_REVEALED | RULES_DREW)) != 0)
            return "revealed";
        log_at(&t->log, p->ply, &e);
        if (e.more.made == MADE_BY_SEAT &&
            (t->resigned & RULES_BIT(p->seat)) == 0) {
            *ret = *p;
            return NULL;
        }
    }
    return "nothing";
}

/* Whether somebody who has given up did so behind PLY. */
static bool gave_up_since(const struct table *t, uint32_t ply)
{
    struct log_reader r;
    struct entry e;

    log_reader_at(&r, &t->log, ply + 1);
    while (log_read(&r, &e))
        if (entry_resigns(&e) && !e.undone &&
            (t->resigned & RULES_BIT(e.seat)) != 0)
            return true;
    return false;
}

/* Why all together could not take back the last move, or NULL: then it is
 * RET. */
static const char *not_back(const struct table *t, struct played *ret)
{
    const char *why = last_move(t, ret);

    if (why == NULL &&
        (gave_up_since(t, ret->ply) || clocks_fixed(t, ret->seat, ret->ply)))
        why = "fixed";
    return why;
}

/* ---- what is voted for --------------------------------------------------------- */

static int64_t time_now(const struct hub *hub, const struct table *t)
{
    int64_t changed = table_changed(t);

    return hub->now_ms > changed ? hub->now_ms : changed;
}

/* What was agreed on comes behind the last yes. */
static void put_effect(struct change *c)
{
    struct table *t = c->table;
    struct entry e = {.seat = ENTRY_NOBODY};
    struct played last;

    if (!t->votes.owed)
        return;
    e.kind = (uint8_t)votes_effect(&t->votes, &e.more);
    if (e.kind == ENTRY_REWIND) {
        const char *why = not_back(t, &last);
        ASSERT(why == NULL); /* nothing has happened since it was looked at */
        e.to = last.ply - 1;
        for (int seat = 0; seat < t->seats; seat++)
            change_concerns(c, t->seat[seat], "rewound");
    }
    change_put(c, &e);
}

static void ply_stored(struct hub *hub, struct request *q)
{
    struct json_out *o = result_begin(hub, q);

    out_int(o, "ply", q->ply);
    if (q->kept != NULL)
        out_bool(o, "passed", true);
    result_end(hub, q);
}

/* What SEAT, or nobody, says to the vote that is open. */
static struct entry answer_of(const struct votes *v, int seat, bool yes)
{
    return (struct entry){
        .kind = ENTRY_VOTE,
        .seat = (uint16_t)seat,
        .more =
            {
                .about = v->about,
                .yes = yes,
                .to = v->to,
                .seconds = v->seconds,
                .until = v->until,
            },
    };
}

/* Bots agree to whatever their opponents agree on; whether the vote passes by
 * that. */
static bool bots_agree(struct change *c)
{
    struct table *t = c->table;
    bool passes = false;

    for (int seat = 0; seat < t->seats && !passes; seat++) {
        if ((voting_waits(t) & t->bots & RULES_BIT(seat)) == 0)
            continue;
        struct entry yes = answer_of(&t->votes, seat, true);
        passes = votes_passes(&t->votes, seat, voting_present(t));
        yes.more.passed = passes;
        change_put(c, &yes);
    }
    return passes;
}

/* E, whose PASSED is still to be said, and all that comes of it. */
static void say(struct hub *hub, struct table *t, struct request *q,
                struct entry *e, bool passes, stored_cb then)
{
    struct change *c = change_begin(hub, q, t);

    e->more.passed = passes;
    q->ply = t->log.count;
    change_put(c, e);
    passes = passes || bots_agree(c);
    q->kept = passes ? q : NULL;
    if (e->more.silent && !passes)
        change_op(c, OP_DUE);
    put_effect(c);
    change_follow(c);
    change_submit(c, then);
}

/* ---- opening one ----------------------------------------------------------------- */

static void refuse_why(struct hub *hub, struct request *q, const char *why)
{
    struct json_out *o = refuse_begin(hub, q, ERR_NOT_VOTABLE);

    out_string(o, "why", why);
    refuse_end(hub, q);
}

static void refuse_open(struct hub *hub, const struct table *t,
                        struct request *q)
{
    struct json_out *o = refuse_begin(hub, q, ERR_VOTE_OPEN);

    out_int(o, "vote", t->votes.ply);
    refuse_end(hub, q);
}

/* The asker's seat, of a game that goes on and in which they have a say; answers
 * and returns -1 if that is not so. */
static int seat_of(struct hub *hub, struct table *t, struct request *q)
{
    int seat = table_viewer(t, q->account);
    enum error e = table_may_see(t, q);

    if (e == ERR_NONE && t->state != TABLE_PLAYING)
        e = t->state == TABLE_OPEN ? ERR_NOT_STARTED : ERR_GAME_OVER;
    if (e == ERR_NONE && seat == RULES_WATCHER)
        e = ERR_NOT_SEATED;
    if (e == ERR_NONE && (voting_present(t) & RULES_BIT(seat)) == 0)
        e = ERR_NOT_ASKED;
    if (e == ERR_NONE)
        return seat;
    refuse(hub, q, e);
    return -1;
}

/* In a game that sleeps silence agrees. */
static bool sleeps(const struct hub *hub, const struct table *t)
{
    int64_t days = hub->config.silence_days;

    if (time_now(hub, t) < t->votes.moved + days * LIMIT_DAY_MS)
        return false;
    for (int seat = 0; t->clocks != NULL && seat < t->seats; seat++)
        if (clock_due(&t->clocks->timing.clock, seat) != 0)
            return false;
    return true;
}

static struct entry proposal(const struct hub *hub, const struct table *t,
                             const struct request *q, int seat)
{
    int about = word_find(vote_words, param_text(q, "about"));
    bool whom = about == VOTE_GIVE || about == VOTE_REPLACE;
    bool goes = about == VOTE_CANCEL || about == VOTE_BACK;

    return (struct entry){
        .kind = ENTRY_VOTE,
        .seat = (uint16_t)seat,
        .more =
            {
                .about = (uint8_t)about,
                .yes = true,
                .silent = goes && sleeps(hub, t),
                .to = whom ? (uint8_t)param_int(q, "to", RULES_SEATS_MAX) : 0,
                .seconds = about == VOTE_GIVE
                               ? (int32_t)param_int(q, "seconds", 0)
                               : 0,
                .until = about == VOTE_PAUSE ? param_int(q, "until", 0) : 0,
            },
    };
}

/* Whether one alone would take a rated game of two from the other, who is rated as
 * having left it, before they are gone. */
static bool is_robbed(const struct table *t, const struct entry *e)
{
    return e->more.about == VOTE_REPLACE && t->row.rated && t->seats == 2 &&
           (timing_gone(&t->clocks->timing) & RULES_BIT(e->more.to)) == 0;
}

/* Why a seat is not to be replaced, of those in which clocks have a say. */
static const char *not_replaced(const struct table *t, int seat)
{
    const struct timing *is = &t->clocks->timing;

    if ((t->resigned & RULES_BIT(seat)) != 0 || !timing_is_missing(is, seat))
        return "not_missed";
    return timing_offered(is, seat) ? "offered" : "substitutes";
}

/* Answers, and says so, if E is about what could not be. */
static bool refused_subject(struct hub *hub, struct table *t,
                            struct request *q, const struct entry *e)
{
    const struct entry_more *m = &e->more;
    bool whom = m->about == VOTE_GIVE || m->about == VOTE_REPLACE;
    struct played last;
    const char *why;

    if (m->about == VOTE_CANCEL)
        return false;
    if (m->about == VOTE_BACK) {
        why = not_back(t, &last);
        if (why != NULL)
            refuse_why(hub, q, why);
        return why != NULL;
    }
    if (t->clocks == NULL)
        refuse(hub, q, ERR_NO_PACE);
    else if (whom && m->to >= t->seats)
        refuse(hub, q, ERR_NO_SUCH_SEAT);
    else if (m->about == VOTE_REPLACE && m->to == e->seat)
        refuse_why(hub, q, "own");
    else if (m->about == VOTE_GIVE && t->seats == 2)
        refuse_why(hub, q, "two");
    else if (clocks_may_say(hub, t, e) && is_robbed(t, e))
        refuse_why(hub, q, "rated");
    else if (clocks_may_say(hub, t, e))
        return false;
    else if (m->about == VOTE_PAUSE)
        refuse_param(hub, q, "/until", "a moment within 30 days");
    else if (m->about == VOTE_GIVE)
        refuse(hub, q, ERR_GIVEN_ENOUGH);
    else
        refuse_why(hub, q,
                   m->about == VOTE_REPLACE ? not_replaced(t, m->to)
                                            : "nothing");
    return true;
}

/* Whether Q opens the vote once more that is open. */
static bool same_proposal(const struct votes *v, const struct entry *e)
{
    return v->opener == e->seat && v->about == e->more.about &&
           v->to == e->more.to && v->seconds == e->more.seconds &&
           v->until == e->more.until;
}

static void answer_duplicate(struct hub *hub, struct request *q, uint32_t ply)
{
    struct json_out *o = result_begin(hub, q);

    out_int(o, "ply", ply);
    out_bool(o, "duplicate", true);
    result_end(hub, q);
}

void handle_table_propose(struct hub *hub, struct table *t, struct request *q)
{
    int seat = seat_of(hub, t, q);
    const struct votes *v = &t->votes;

    if (seat < 0)
        return;
    struct entry e = proposal(hub, t, q, seat);
    if (votes_open(v, time_now(hub, t))) {
        if (same_proposal(v, &e))
            answer_duplicate(hub, q, v->ply);
        else
            refuse_open(hub, t, q);
        return;
    }
    if (refused_subject(hub, t, q, &e))
        return;
    enum votes_why why = votes_may_open(v, seat, time_now(hub, t));
    if (why != VOTES_YES) {
        refuse(hub, q,
               why == VOTES_ENOUGH ? ERR_TOO_MANY_VOTES : ERR_VOTE_TOO_SOON);
        return;
    }
    /* Nobody else may have a say. */
    const struct votes alone = {
        .about = e.more.about,
        .to = e.more.to,
        .agreed = RULES_BIT(seat),
    };
    say(hub, t, q, &e, votes_passes(&alone, seat, voting_present(t)),
        ply_stored);
}

/* ---- answering one ----------------------------------------------------------------- */

/* The entry by which SEAT said that in the last vote, or 0. */
static uint32_t said_before(const struct table *t, int seat, bool yes)
{
    struct log_reader r;
    struct entry e;

    log_reader_at(&r, &t->log, t->votes.ply);
    while (log_read(&r, &e))
        if (e.kind == ENTRY_VOTE && e.seat == seat && e.more.yes == yes)
            return r.ply - 1;
    return 0;
}

/* Answers if what Q says was said before, or there is no such vote. */
static bool is_answered(struct hub *hub, struct table *t, struct request *q,
                        int seat, bool yes)
{
    const struct votes *v = &t->votes;
    bool last = v->ply != 0 && param_int(q, "vote", 0) == v->ply;
    uint32_t before = last ? said_before(t, seat, yes) : 0;

    if (before != 0)
        answer_duplicate(hub, q, before);
    else if (!last || !votes_open(v, time_now(hub, t)))
        refuse(hub, q, ERR_NO_SUCH_VOTE);
    else
        return false;
    return true;
}

void handle_table_vote(struct hub *hub, struct table *t, struct request *q)
{
    const struct votes *v = &t->votes;
    bool yes = param_bool(q, "yes", false);
    int viewer = table_viewer(t, q->account);
    struct played last;

    /* What all agreed on may have ended the game. */
    if (table_may_see(t, q) == ERR_NONE && viewer != RULES_WATCHER &&
        t->state > TABLE_PLAYING && is_answered(hub, t, q, viewer, yes))
        return;
    int seat = seat_of(hub, t, q);
    if (seat < 0 || is_answered(hub, t, q, seat, yes))
        return;
    struct entry e = answer_of(v, seat, yes);
    if ((votes_asked(v, voting_present(t)) & RULES_BIT(seat)) == 0)
        refuse(hub, q, ERR_NOT_ASKED);
    else if (yes && v->about == VOTE_BACK && not_back(t, &last) != NULL)
        refuse_why(hub, q, not_back(t, &last));
    else if (t->clocks != NULL && !clocks_may_say(hub, t, &e))
        refuse_why(hub, q, "nothing");
    else
        say(hub, t, q, &e, yes && votes_passes(v, seat, voting_present(t)),
            ply_stored);
}

/* ---- silence ------------------------------------------------------------------------ */

static void agreed(struct hub *hub, struct request *q)
{
    result_empty(hub, q);
}

bool voting_silence(struct hub *hub, struct table *t, struct request *q,
                    int64_t at)
{
    int64_t quiet = voting_quiet(t);
    struct played last;

    if (quiet == 0 || at < quiet ||
        (t->votes.about == VOTE_BACK && not_back(t, &last) != NULL))
        return false;
    struct entry e = answer_of(&t->votes, ENTRY_NOBODY, true);
    say(hub, t, q, &e, true, agreed);
    return true;
}
