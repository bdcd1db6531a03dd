/* rules_json.h -- what a game is, as JSON: for rules.info and rules.schema, and
 * for `sobremesa games --json`. */

#ifndef PROTOCOL_RULES_JSON_H
#define PROTOCOL_RULES_JSON_H

#include "core/rules.h"
#include "json_out.h"

/* Everything in the tables of R: verbs, arguments, events, options, boards,
 * categories of points, reasons, and what words of the game mean;
 * and its tables of numbers, if it has some: OWN ones, which new games get in
 * place of the defaults, or the defaults if OWN is NULL.  What it says is in
 * LANG, or English if there is no such, or in all languages if that is NULL. */
void json_rules(struct json_out *o, const char *key, const struct rules *r,
                const struct rules_asset *own, const char *lang);

/* What is not certain about numbers, a list of sentences: those of ASSET, LEN
 * bytes which set a table up, or if it is NULL the defaults. */
void json_rules_notes(struct json_out *o, const char *key,
                      const struct rules *r, const char *asset, size_t len);

/* Of these what it takes to make a table. */
void json_rules_brief(struct json_out *o, const char *key,
                      const struct rules *r);

/* JSON Schema (draft-07) of the game's own state as views hold it. */
void json_rules_schema(struct json_out *o, const char *key,
                       const struct rules *r);

#endif
