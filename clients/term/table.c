#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "term.h"

const char *const table_event_words[] = {
    [EVENT_JOINED - EVENTS_OF_TABLE] = "joined",
    [EVENT_LEFT - EVENTS_OF_TABLE] = "left",
    [EVENT_NONCE - EVENTS_OF_TABLE] = "nonce",
    [EVENT_STARTED - EVENTS_OF_TABLE] = "started",
    [EVENT_UNDONE - EVENTS_OF_TABLE] = "undone",
    [EVENT_RESIGNED - EVENTS_OF_TABLE] = "resigned",
    [EVENT_ABANDONED - EVENTS_OF_TABLE] = "abandoned",
    [EVENT_RENAMED - EVENTS_OF_TABLE] = "renamed",
    [EVENT_RESTORED - EVENTS_OF_TABLE] = "restored",
    [EVENT_REWOUND - EVENTS_OF_TABLE] = "rewound",
    [EVENT_REPLACED - EVENTS_OF_TABLE] = "replaced",
    [EVENT_MISSED - EVENTS_OF_TABLE] = "missed",
    [EVENT_MADE - EVENTS_OF_TABLE] = "made",
    [EVENT_ABSENT - EVENTS_OF_TABLE] = "absent",
    [EVENT_BACK - EVENTS_OF_TABLE] = "back",
    [EVENT_GIVEN - EVENTS_OF_TABLE] = "given",
    [EVENT_PAUSED - EVENTS_OF_TABLE] = "paused",
    [EVENT_RESUMED - EVENTS_OF_TABLE] = "resumed",
    [EVENT_VOTED - EVENTS_OF_TABLE] = "voted",
    [EVENT_OTHER - EVENTS_OF_TABLE] = "other",
};

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
