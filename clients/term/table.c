#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "term.h"

void table_event_add(struct table *t, const struct rules_event *event)
{
    t->events = must_grow(t->events, t->event_count, &t->event_cap,
                          sizeof(*t->events));
    t->events[t->event_count++] = *event;
}

bool table_event_is(const struct table *t, const struct rules_event *event,
                    const char *name)
{
    return event->kind < EVENTS_OF_TABLE &&
           strcmp(t->rules->events[event->kind].name, name) == 0;
}

void table_points(const struct table *t, const struct rules_state *s,
                  struct rules_score *score)
{
    rules_score(t->rules, s, score);
    if (t->places[0] != 0)
        memcpy(score->place, t->places, sizeof(score->place));
}

void table_done(struct table *t)
{
    free(t->events);
    free(t->choices);
    t->events = NULL;
    t->choices = NULL;
    t->event_count = t->event_cap = 0;
}
