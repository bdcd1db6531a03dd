/* utf8.h -- the one reader of UTF-8, and which characters may be shown.
 *
 * Every text that comes from outside is read by these functions, wherever that
 * is: frames of a WebSocket, strings of JSON, boards, what a terminal is about
 * to print. */

#ifndef CORE_UTF8_H
#define CORE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Between characters, or what may follow: that many continuation bytes, or,
 * after four certain bytes, first one of a narrower range, so that there are
 * no overlong forms, no surrogates and nothing over 10FFFF. */
enum utf8 {
    UTF8_OK,
    UTF8_1,
    UTF8_2,
    UTF8_3,
    UTF8_E0,
    UTF8_ED,
    UTF8_F0,
    UTF8_F4,
    UTF8_BAD,
};

/* STATE after LEN more bytes of a text that comes in pieces.  It begins with
 * UTF8_OK, must end with it, and UTF8_BAD stays. */
enum utf8 utf8_walk(enum utf8 state, const void *data, size_t len);

/* Whether all of it is UTF-8, and no character is cut off. */
bool utf8_valid(const void *data, size_t len);

/* The length of the character that begins at TEXT, at most LEN bytes long, and
 * its number in *RET_CODE, which may be NULL; 0 if there is none. */
size_t utf8_read(const void *text, size_t len, uint32_t *ret_code);

/* How much of the first LEN bytes of TEXT, which goes on behind them or ends with
 * a NUL there, to take so as to cut no character apart. */
size_t utf8_cut(const char *text, size_t len);

/* Whether a character shows itself, and does nothing else to what is around
 * it.  Refused are controls (C0 with line feed and tab, DEL, C1), which command
 * terminals and break lines; U+2028 and U+2029, which break lines elsewhere;
 * what turns the direction of its surroundings (all of Unicode's Bidi_Control
 * and the older U+206A to U+206F); tags and annotations, which carry text that
 * nobody sees; and noncharacters.  Whatever joins letters or emoji stays. */
bool utf8_printable(uint32_t code);

/* How many bytes at the beginning of TEXT are printable characters, whole ones;
 * line feeds pass if LINES. */
size_t utf8_printable_len(const char *text, size_t len, bool lines);

#endif
