/* tables.h -- tables as lists show them. */

#ifndef TERM_TABLES_H
#define TERM_TABLES_H

#include "session.h"

/* Of a summary, as table.list tells it: who sits there, `*` who is waited for,
 * and how many seats are free; the options that are not the defaults. */
void summary_players(const json_t *table, char *buf, size_t cap);
void summary_options(const json_t *table, char *buf, size_t cap);
/* Whether there is a seat for NAME, who has none there. */
bool summary_joinable(const json_t *table, const char *name);

/* Of one's own, as me.tables tells it: whether one has no seat there yet. */
bool summary_invited(const json_t *table);

/* Options chosen, as table.create wants them. */
json_t *options_json(const struct rules *r,
                     const int16_t options[RULES_OPTIONS_MAX]);

/* The lobby in lines: your tables, open ones, those being played; of GAME if
 * that is not NULL; those finished if STATE is "finished". */
int lobby_plain(struct session *s, const char *game, const char *state);

#endif
