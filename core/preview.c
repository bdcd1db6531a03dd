#include "preview.h"

#include "base.h"

const struct rules_figure *preview_figures(const struct rules *r)
{
    static const struct rules_figure points[] = {
        {"points", SAYS("points")},
        {0},
    };

    return r->figures != NULL ? r->figures : points;
}

static void count(const struct rules *r, const struct rules_state *s, int seat,
                  int64_t figure[RULES_FIGURES_MAX])
{
    struct rules_score score;

    if (r->count != NULL) {
        r->count(s, seat, figure);
        return;
    }
    rules_score(r, s, &score);
    figure[0] = score.total[seat];
}

int preview_move(const struct rules *r, const struct rules_state *view,
                 int seat, const struct rules_move *move,
                 struct preview_room *room, struct preview *ret)
{
    *ret = (struct preview){.count = 0};
    while (preview_figures(r)[ret->count].name != NULL)
        ret->count++;
    ASSERT(ret->count <= RULES_FIGURES_MAX);
    count(r, view, seat, ret->before);
    memcpy(ret->after, ret->before, sizeof(ret->after));
    memcpy(&room->after, view, r->state_size);
    int refusal = rules_apply(r, &room->after.state, seat, move,
                              &room->events);
    if (refusal == RULES_UNSEEN) {
        ret->final = ret->unseen = true;
    } else if (refusal != RULES_OK) {
        return refusal;
    } else {
        ret->final = (room->events.flags & ~RULES_REVEALED) != 0;
        count(r, &room->after.state, seat, ret->after);
    }
    if (r->foresee != NULL && r->foresee(view, seat, move, ret->after))
        ret->unseen = false;
    return RULES_OK;
}
