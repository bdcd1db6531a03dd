/* votes.c -- what players agree on; see votes.h. */

#include "votes.h"

#include "base.h"

#define DAY_MS (24 * 3600 * INT64_C(1000))

bool votes_open(const struct votes *v, int64_t at)
{
    /* Silence has agreed only when an entry says so: until then there may still
     * be a no. */
    return v->open && (v->silent || at < v->ends);
}

static uint16_t bit_of(int seat)
{
    return (uint16_t)(seat < RULES_SEATS_MAX ? RULES_BIT(seat) : 0);
}

uint16_t votes_asked(const struct votes *v, uint16_t present)
{
    return v->about == VOTE_REPLACE ? (uint16_t)(present & ~bit_of(v->to))
                                    : present;
}

bool votes_passes(const struct votes *v, int seat, uint16_t present)
{
    return (votes_asked(v, present) & ~(v->agreed | bit_of(seat))) == 0;
}

enum votes_why votes_may_open(const struct votes *v, int seat, int64_t at)
{
    if (v->opened[seat] >= VOTES_MAX)
        return VOTES_ENOUGH;
    return at < v->waits[seat] ? VOTES_TOO_SOON : VOTES_YES;
}

/* ---- what may be said ------------------------------------------------------ */

/* The vote that E opens. */
static struct votes opened_by(const struct votes *v,
                              const struct timing_entry *e)
{
    const struct entry_more *m = &e->more;
    struct votes is = *v;

    is.open = true;
    is.silent = m->silent;
    is.about = m->about;
    is.opener = (uint8_t)e->seat;
    is.to = m->to;
    is.agreed = bit_of(e->seat);
    is.seconds = m->seconds;
    is.ply = e->ply;
    is.until = m->until;
    is.ends = e->at + (m->silent ? QUIET_DAYS : VOTE_DAYS) * DAY_MS;
    if (m->about == VOTE_PAUSE && m->until < is.ends)
        is.ends = m->until;
    is.opened[e->seat]++;
    return is;
}

static const char *check_passed(bool told, bool passes)
{
    if (told == passes)
        return NULL;
    return passes ? "all had agreed, and it does not say so"
                  : "not all had agreed";
}

static const char *check_opening(const struct votes *v,
                                 const struct timing_entry *e,
                                 uint16_t present)
{
    if ((present & bit_of(e->seat)) == 0)
        return "that seat had no say";
    if (!e->more.yes || e->more.about >= VOTES)
        return "no vote was open";
    if (votes_may_open(v, e->seat, e->at) != VOTES_YES)
        return "that seat had opened enough votes";
    if (e->more.about == VOTE_REPLACE && e->more.to == e->seat)
        return "nobody has their own seat voted on";
    if (e->more.silent && e->more.about != VOTE_CANCEL &&
        e->more.about != VOTE_BACK)
        return "silence does not agree to that";
    if (e->more.silent && e->at < v->moved + ASLEEP_DAYS_MIN * DAY_MS)
        return "silence agrees only where nothing has happened for long";
    struct votes is = opened_by(v, e);
    return check_passed(e->more.passed,
                        votes_passes(&is, ENTRY_NOBODY, present));
}

static bool same_vote(const struct votes *v, const struct entry_more *m)
{
    return m->about == v->about && m->to == v->to &&
           m->seconds == v->seconds && m->until == v->until && !m->silent;
}

static const char *check_answer(const struct votes *v,
                                const struct timing_entry *e, uint16_t present)
{
    const struct entry_more *m = &e->more;
    uint16_t bit = bit_of(e->seat);

    if (!same_vote(v, m))
        return "another vote was open";
    if (e->seat == ENTRY_NOBODY)
        return v->silent && e->at >= v->ends && m->yes && m->passed
                   ? NULL
                   : "silence had not agreed yet";
    if ((votes_asked(v, present) & bit) == 0)
        return "that seat had no say";
    if (m->yes && (v->agreed & bit) != 0)
        return "that seat had agreed already";
    return check_passed(m->passed,
                        m->yes && votes_passes(v, e->seat, present));
}

enum entry_kind votes_effect(const struct votes *v, struct entry_more *more)
{
    *more = (struct entry_more){.why = WHY_VOTE};
    switch (v->about) {
    case VOTE_CANCEL: return ENTRY_ABANDON;
    case VOTE_PAUSE: more->until = v->until; return ENTRY_PAUSE;
    case VOTE_RESUME: return ENTRY_RESUME;
    case VOTE_GIVE:
        more->to = v->to;
        more->seconds = v->seconds;
        return ENTRY_GIVE;
    default: return ENTRY_REWIND;
    }
}

/* Whether that is what M, of an entry of KIND, says. */
static bool is_effect(const struct votes *v, int kind,
                      const struct entry_more *m)
{
    struct entry_more more;

    if (kind != (int)votes_effect(v, &more) || m->why != more.why)
        return false;
    if (kind == ENTRY_GIVE)
        return m->to == more.to && m->seconds == more.seconds;
    return kind != ENTRY_PAUSE || m->until == more.until;
}

const char *votes_check(const struct votes *v, const struct timing_entry *e,
                        uint16_t present)
{
    if (v->owed)
        return is_effect(v, e->kind, &e->more) && e->seat == ENTRY_NOBODY &&
                       e->at == v->at
                   ? NULL
                   : "what all had agreed on was to come first";
    if (e->kind != ENTRY_VOTE)
        return e->more.why == WHY_VOTE && e->kind != ENTRY_REPLACED
                   ? "nobody had voted for it"
                   : NULL;
    return votes_open(v, e->at) ? check_answer(v, e, present)
                                : check_opening(v, e, present);
}

/* ---- what comes of it ------------------------------------------------------ */

static void take_vote(struct votes *v, const struct timing_entry *e)
{
    const struct entry_more *m = &e->more;

    if (!votes_open(v, e->at) && e->seat < RULES_SEATS_MAX)
        *v = opened_by(v, e);
    v->agreed |= m->yes ? bit_of(e->seat) : 0;
    v->open = m->yes && !m->passed;
    v->owed = m->passed && m->about != VOTE_REPLACE;
    v->at = e->at;
    if (!m->yes)
        v->waits[v->opener] = e->at + VOTE_DAYS * DAY_MS;
}

/* Somebody else has SEAT, and nothing to do with what was before. */
static void begin_anew(struct votes *v, int seat)
{
    v->opened[seat] = 0;
    v->waits[seat] = 0;
}

void votes_take(struct votes *v, const struct timing_entry *e)
{
    v->owed = false;
    v->last = e->at;
    switch (e->kind) {
    case ENTRY_VOTE: take_vote(v, e); return;
    case ENTRY_MOVE:
        memset(v->waits, 0, sizeof(v->waits));
        v->open = false;
        break;
    case ENTRY_REPLACED:
        if (e->more.why != WHY_SELF)
            begin_anew(v, e->seat);
        v->open = false;
        break;
    case ENTRY_MISS:
        /* Who is excused has their turn still before them, but what lies before
         * a miss stays. */
        if (e->more.then != MISS_EXCUSED || v->about == VOTE_BACK)
            v->open = false;
        break;
    case ENTRY_START:
    case ENTRY_UNDO:
    case ENTRY_RESIGN:
    case ENTRY_ABANDON:
    case ENTRY_REWIND: v->open = false; break;
    case ENTRY_PAUSE:
    case ENTRY_RESUME:
        if (v->about == VOTE_PAUSE || v->about == VOTE_RESUME)
            v->open = false;
        break;
    case ENTRY_GIVE: break;
    default: return; /* nothing of the game */
    }
    v->moved = e->at;
}
