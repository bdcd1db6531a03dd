/* game_json_inner.h -- what the files behind game_json.h share:
 *
 *     game_moves.c    moves and events
 *     game_setup.c    options, boards, datasets
 *     game_state.c    scores, states and views, patches
 *     game_json.c     how something is refused, which all of them do */

#ifndef PROTOCOL_GAME_JSON_INNER_H
#define PROTOCOL_GAME_JSON_INNER_H

#include "game_json.h"
#include "sbuf_printf.h"

/* Fills in WHY and returns CODE; PATH is "" for the whole, or the name of a
 * member, and FORMAT what was expected there. */
__attribute__((format(printf, 4, 5))) int json_refuse(struct json_refusal *why,
                                                      int code,
                                                      const char *path,
                                                      const char *format, ...);

/* COUNT words with commas between, or where that is -1 up to a NULL. */
void sbuf_words(struct sbuf *s, const char *const *words, int count);

/* Whether VALUE is an integer that fits; numbers out of the kind's range are
 * for the caller to refuse, who can say what the range is. */
bool json_int16(const json_t *value, int16_t *ret_value);

#endif
