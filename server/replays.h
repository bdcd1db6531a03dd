/* replays.h -- whether a newer program replays stored tables as an older one
 * does: before it is given the store.
 *
 *     OLD --print-replays PATH | NEW --check-replays PATH
 *
 * PATH is a store's file or the directory of a server, which may be running:
 * it is only read.  Both replay every table; the old program prints what each
 * comes to after each entry, and the new one compares, table by table as the
 * lines come. */

#ifndef SERVER_REPLAYS_H
#define SERVER_REPLAYS_H

#include <stdio.h>

/* Writes to OUT, a line each, with the newline:
 *
 *     sobremesa-replays 1 VERSION
 *     names GAME NAME...             of members; before the first table that
 *                                    has them
 *     table NUMBER ID GAME ENTRIES DIGESTS [TEXT]
 *     end TABLES
 *
 * DIGESTS are, for each entry, eight hex digits for each digest_part, or `-` if
 * there is none.  TEXT says why the next entry could not be replayed.  Returns
 * 0, or 1 after saying on stderr why not. */
int replays_print(const char *path, FILE *out);

/* Replays PATH's tables and compares with what replays_print() wrote, IN; with
 * nothing but the log itself and who lists had waited for if IN is empty.  Writes to OUT a line of JSON for
 * each table that is replayed otherwise,
 *
 *     {"game":G,"ply":N,"table":ID,"what":[WORD...],"why":TEXT or null}
 *
 * the first PLY of it and what is different there: digest_words, or "log" if
 * the log cannot be replayed from there on; each second or so how far it is,
 * {"done":N,"total":N}; and at the end {"compared":with IN,"different":N,
 * "plies":N,"tables":N}.  Returns 0 if all went well, whatever it found, or 1
 * after saying on stderr why not. */
int replays_check(const char *path, FILE *in, FILE *out);

#endif
