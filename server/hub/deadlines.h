/* deadlines.h -- when to look whose time is up, and what comes of it.
 *
 *     a change       what a table's clocks show is in its summary, and so in the
 *                    store; here is when the first of them ends
 *     then           the table is loaded, if it is not there, and its clocks say
 *                    who has missed a turn: by its log, not by this list
 *     a start        the list is read from what is stored of tables, without
 *                    their logs
 *
 * On the way there people are reminded, at half of a turn's time and at four
 * fifths, each at most once a turn: which was said is stored with the notice, and
 * asked for before another is made.
 *
 * Of several hubs on one store the one that changed a table looks there first, and
 * each other one some seconds later, by its own measure: who is gone is missed by
 * nobody, and who is there is not disturbed.
 *
 * So nothing here is ever more than a hint: a deadline that moved meanwhile, by
 * an outage, is put into the list again, and one that is here twice is decided
 * once. */

#ifndef SERVER_HUB_DEADLINES_H
#define SERVER_HUB_DEADLINES_H

#include "due.h"
#include "map.h"
#include "table.h"

struct hub;

struct deadlines {
    struct due_queue queue;
    struct map tables; /* struct deadline, by table */
    size_t looking;    /* at tables, now */
    bool read;         /* all that is stored */
    bool reading;      /* it is being read */
    bool outdated;     /* ... and is to be read from the beginning */
    id_num behind;     /* what was read so far ends with this table */
};

/* T was changed: what its clocks show from now on is S. */
void deadlines_change(struct hub *hub, const struct table *t,
                      const struct summary *s);
/* Another hub on this store says so: of TABLE the first is late, and to be reminded,
 * at these times; INT64_MAX is never. */
void deadlines_heard(struct hub *hub, id_num table, int64_t late_ms,
                     int64_t remind_ms);
/* When that is, of T with S. */
void deadlines_of(const struct hub *hub, const struct table *t,
                  const struct summary *s, int64_t *ret_late,
                  int64_t *ret_remind);
/* Nobody knows what was not heard of: all that is stored is read again. */
void deadlines_again(struct hub *hub);
/* T is there now, with its clocks. */
void deadlines_loaded(struct hub *hub, const struct table *t);
/* It is not known what is stored of TABLE: it is looked at soon. */
void deadlines_lost(struct hub *hub, id_num table);
/* There is no TABLE: nobody looks for it any more. */
void deadlines_drop(struct hub *hub, id_num table);
/* Reads what is stored, page after page. */
void deadlines_begin(struct hub *hub);
/* Looks at tables whose time has come, a few at a time. */
void deadlines_tick(struct hub *hub);
void deadlines_done(struct deadlines *d);

/* A table, and when somebody there will have missed a turn. */
struct due_table {
    id_num table;
    int64_t at_ms;
};
/* All of them, COUNT, in no order; the caller's to free. */
struct due_table *deadlines_all(const struct hub *hub, size_t *ret_count);

#endif
