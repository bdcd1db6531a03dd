/* bot_answer.h -- what a process that thinks answers: bots.next to bots.play. */

#ifndef TESTS_SUPPORT_BOT_ANSWER_H
#define TESTS_SUPPORT_BOT_ANSWER_H

#include <jansson.h>

#include "core/mind.h"

/* The parameters of bots.play by which QUESTION, a result of bots.next, is
 * answered as LEVEL would; the caller owns them.  They name no move where none
 * is left to choose. */
json_t *bot_answer(const json_t *question, enum mind_level level);

#endif
