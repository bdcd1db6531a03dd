/* glue.h -- what glue.c shares with ahead.c and guide.c: one game, one state, one
 * text, and how things are told. */

#ifndef CLIENTS_WEB_WASM_GLUE_H
#define CLIENTS_WEB_WASM_GLUE_H

#include "core/rules.h"

#define EXPORT(name) __attribute__((export_name(name)))

/* The buffer for texts from the page, and what fits in it. */
char *glue_text(void);
size_t glue_text_bytes(void);

/* The game that was chosen. */
const struct rules *glue_rules(void);
/* What was read or set up last and what came of it: show(), legal() and score()
 * speak of it. */
struct rules_state *glue_now(void);
/* The move that stands in the first LEN bytes of the text, as of S. */
int glue_move(const struct rules_state *s, size_t len,
              struct rules_move *move);
/* Tell, under NAME if that is not NULL: the beginning of a list or of an object,
 * its end; a word, or null; a number. */
void glue_open(const char *name, bool list);
void glue_close(void);
void glue_say_text(const char *name, const char *word);
void glue_say_number(const char *name, double number);
/* Tell, under NAME if that is not NULL, a move; the events that VIEWER sees. */
void glue_say_move(const char *name, const struct rules_move *move);
void glue_say_events(const char *name, const struct rules_events *e,
                     int viewer, int seats);

#endif
