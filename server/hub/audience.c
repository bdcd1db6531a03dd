/* audience.c -- what those who watch a table are told of a change.
 *
 * A change is told to each kind of viewer once: one patch from the view they
 * have to the view they are to have, written straight from the two states, and
 * shared by all who have the same.  A peer's viewer may change on the way, by
 * taking or leaving a seat, or when seats close up at the start; their patch
 * leads from the one view to the other. */

#include <stdlib.h>

#include "inner.h"

void audience_init(struct audience *a)
{
    for (int i = 0; i < VIEWERS; i++)
        json_out_init(&a->told[i]);
}

void audience_done(struct audience *a)
{
    for (int i = 0; i < VIEWERS; i++)
        json_out_done(&a->told[i]);
}

/* ---- before -------------------------------------------------------------- */

/* Seats may have other people or numbers now. */
static void find_hearers(struct audience *a, const struct table *t)
{
    a->hearing = 0;
    for (const struct watched *w = t->watchers; w != NULL;
         w = w->next_at_table)
        a->hearing |= 1u << viewer_index(table_viewer(t, watched_account(w)));
}

/* The header that VIEWER has of T: that of the last update, as nothing in a
 * view changes without a ply. */
static void view_header_before(const struct table *t, int viewer,
                               const struct rules_state *view,
                               struct view_header *h)
{
    const struct view_header *last = t->headers[viewer_index(viewer)];

    if (last != NULL && (size_t)last->ply + 1 == t->log.count)
        *h = *last;
    else
        view_header_make(t, viewer, view, h);
}

void audience_begin(struct audience *a, const struct table *t)
{
    unsigned seen = 0;

    a->ply = t->log.count > 0 ? t->log.count - 1 : 0;
    a->started = t->rules_state != NULL;
    for (int i = 0; i < VIEWERS; i++)
        json_out_reset(&a->told[i]);
    for (const struct watched *w = t->watchers; w != NULL;
         w = w->next_at_table) {
        int i = viewer_index(w->viewer);
        if (seen & (1u << i))
            continue;
        seen |= 1u << i;
        view_header_before(t, w->viewer,
                           view_of(t, t->rules_state, w->viewer, &a->views[i]),
                           &a->headers[i]);
    }
    find_hearers(a, t);
}

/* ---- meanwhile ----------------------------------------------------------- */

static void told_begin(struct json_out *o)
{
    if (o->len == 0)
        out_list(o, NULL);
}

static void tell_events(struct json_out *o, const struct table *t, int viewer,
                        const struct rules_events *events)
{
    for (size_t i = 0; i < events->count; i++)
        if (events->at[i].seen_by & RULES_BIT(viewer))
            json_event(o, NULL, t->rules, t->rules_state, &events->at[i]);
}

void audience_hear(struct audience *a, const struct table *t,
                   const struct entry *e, const struct rules_events *events)
{
    if (e->kind != ENTRY_MOVE)
        find_hearers(a, t);
    for (int i = 0; i < VIEWERS; i++) {
        if (!(a->hearing & (1u << i)))
            continue;
        told_begin(&a->told[i]);
        if (entry_is_told(e))
            entry_tell(&a->told[i], e);
        tell_events(&a->told[i], t, i == RULES_SEATS_MAX ? RULES_WATCHER : i,
                    events);
    }
}

/* ---- after --------------------------------------------------------------- */

/* The header that VIEWER has of T now, kept for the next update. */
static const struct view_header *
view_header_after(struct table *t, int viewer, const struct rules_state *view)
{
    struct view_header **h = &t->headers[viewer_index(viewer)];

    if (*h == NULL)
        *h = malloc(sizeof(**h));
    ASSERT(*h != NULL);
    view_header_make(t, viewer, view, *h);
    return *h;
}

/* The list of events told to a viewer; "[]" if there were none. */
static void write_told(struct json_out *o, struct json_out *told)
{

    if (told->len == 0) {
        out_list(o, "events");
        out_end(o);
        return;
    }
    if (told->depth > 0)
        out_end(told);
    out_raw(o, "events", json_out_text(told), told->len);
}

static void write_check(struct hub *hub, struct json_out *o,
                        const struct table *t,
                        const struct view_header *header,
                        const struct rules_state *view)
{
    char hex[2 * SHA256_SIZE + 1];

    json_out_reset(&hub->line);
    view_write(&hub->line, NULL, t, header, view);
    view_hash(json_out_text(&hub->line), hub->line.len, hex);
    out_string(o, "view_hash", hex);
    hex_write(hex, t->chain, SHA256_SIZE);
    out_string(o, "chain", hex);
}

/* The update from the view of viewer WAS to that of viewer IS. */
static struct message *make_update(struct hub *hub, struct audience *a,
                                   struct table *t, int was, int is,
                                   bool check)
{
    struct json_out *o = &hub->out;
    union rules_any room;
    char id[ID_SIZE];
    const struct rules_state *view = view_of(t, t->rules_state, is, &room);
    const struct view_header *after = view_header_after(t, is, view);
    const struct rules_state *before = a->started
                                           ? &a->views[viewer_index(was)].state
                                           : NULL;

    id_write(t->id, id);
    notify_begin(o, N_TABLE_UPDATE);
    out_object(o, "params");
    out_string(o, "table", id);
    out_int(o, "from", a->ply);
    out_int(o, "ply", after->ply);
    out_list(o, "patch");
    view_diff(o, t, &a->headers[viewer_index(was)], before, after, view);
    out_end(o);
    write_told(o, &a->told[viewer_index(is)]);
    if (check)
        write_check(hub, o, t, after, view);
    out_end(o);
    hub->counts.updates++;
    return notify_end(o);
}

/* One message for all who have the same before and after. */
struct made {
    int was, is;
    bool check;
    struct message *message;
};
/* Everybody keeps their seat or has got one, or lost it: with check or not */
#define MADE_MAX (6 * VIEWERS)

/* Sends W the step to what it is to see, made once for all alike. */
static void step(struct hub *hub, struct audience *a, struct watched *w,
                 struct made *made, size_t *count, transaction_id transaction)
{
    struct table *t = w->table;
    int is = table_viewer(t, watched_account(w));
    size_t i = 0;

    while (i < *count && (made[i].was != w->viewer || made[i].is != is ||
                          made[i].check != w->check))
        i++;
    if (i == *count) {
        ASSERT(i < MADE_MAX);
        made[(*count)++] = (struct made){
            w->viewer,
            is,
            w->check,
            make_update(hub, a, t, w->viewer, is, w->check),
        };
    }
    hub->host->send(hub->host, w->peer->id, made[i].message, transaction);
    w->was_viewer = w->viewer;
    w->was_ply = w->ply;
    w->viewer = is;
    w->ply = t->log.count - 1;
}

/* Who gave up their seat may have no business here any more; nobody else loses
 * theirs. */
static bool may_stay(const struct watched *w)
{
    struct request who = {.account = watched_account(w)};
    return w->viewer == w->was_viewer ||
           table_may_watch(w->table, &who) == ERR_NONE;
}

void audience_update(struct hub *hub, struct audience *a, struct table *t,
                     transaction_id transaction)
{
    struct made made[MADE_MAX];
    struct watched *next;
    size_t count = 0;

    for (struct watched *w = t->watchers; w != NULL; w = next) {
        next = w->next_at_table;
        step(hub, a, w, made, &count, transaction);
        if (!may_stay(w))
            watched_free(w);
    }
    for (size_t i = 0; i < count; i++)
        message_unref(made[i].message);
}
