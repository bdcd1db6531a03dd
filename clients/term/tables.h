/* tables.h -- tables as lists show them. */

#ifndef TERM_TABLES_H
#define TERM_TABLES_H

#include "session.h"

/* Of a summary, as table.list tells it: who sits there, `*` who is waited for,
 * and how many seats are free; the options that are not the defaults. */
void summary_players(const json_t *table, char *buf, size_t cap);
void summary_options(const json_t *table, char *buf, size_t cap);
/* When the first of those is late whom it waits for, you yourself if it is your
 * turn; 0: nobody is. */
int64_t summary_due(const json_t *table);
/* Puts those of one's own tables that wait for others in the order in which
 * these are due; those that wait for you stay before them, as they are. */
void tables_by_due(json_t *tables);
/* Whether somebody's seat is offered to others. */
bool summary_offered(const json_t *table);
/* Whether there is a seat for NAME, who has none there. */
bool summary_joinable(const json_t *table, const char *name);

/* Of one's own, as me.tables tells it: whether one has no seat there yet; whether
 * a vote waits for one. */
bool summary_invited(const json_t *table);
bool summary_asked(const json_t *table);

/* What table.create takes for bots: those in LEVELS, with commas between, or COUNT
 * of the only one. */
json_t *bots_json(const char *levels, int count);
/* Options chosen, as table.create wants them. */
json_t *options_json(const struct rules *r,
                     const int16_t options[RULES_OPTIONS_MAX]);

/* The lobby in lines: your tables, open ones, those being played, or those that
 * are FINISHED; of GAME if that is not NULL. */
int lobby_plain(struct session *s, const char *game, bool finished);
/* The same for programs: an object of the lists, as the protocol has them. */
int lobby_json(struct session *s, const char *game, bool finished);

/* Your own tables, those that wait first; all that are FINISHED, or that are
 * not; in lines, or as a list for programs. */
int tables_print(struct session *s, const char *game, bool finished,
                 bool json);

#endif
