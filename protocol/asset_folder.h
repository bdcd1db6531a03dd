/* asset_folder.h -- a folder of files as the dataset that a game is set up with:
 * what `sobremesa play --tables` and the daemon's settings games.GAME_tables
 * name. */

#ifndef PROTOCOL_ASSET_FOLDER_H
#define PROTOCOL_ASSET_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/rules.h"

/* At most so much: the header of a record, which holds it twice quoted, has to
 * go into one message when it is imported. */
#define ASSET_FOLDER_MAX 24576

/* All files of DIR in the format of R's datasets (`.csv`), in the order of
 * their names, each after a line with its name, as one text that R can be set
 * up with: terminated, *RET_LEN long and the caller's to free.  NULL if there is no such, with "DIR/FILE, line N: why
 * (rule)" in the SIZE bytes at WHY. */
char *asset_folder_read(const struct rules *r, const char *dir,
                        size_t *ret_len, char *why, size_t size);

#endif
