/* table_state.h -- how far a table is, in the order that the store keeps. */

#ifndef PROTOCOL_TABLE_STATE_H
#define PROTOCOL_TABLE_STATE_H

enum table_state {
    TABLE_OPEN,
    TABLE_PLAYING,
    TABLE_FINISHED,
    TABLE_ABANDONED,
    TABLE_ARCHIVED /* only in the store: it was finished, its log is elsewhere */
};

/* The words of the wire, in that order: of a table that can be looked at, and
 * of any. */
#define TABLE_STATES_READABLE "open", "playing", "finished", "abandoned"
#define TABLE_STATES          TABLE_STATES_READABLE, "archived"

/* The word for STATE, an enum table_state as a file had it: "archived", which
 * nobody can look at, for any that there is not. */
const char *table_state_word(int state);
/* The enum table_state that WORD stands for, or -1. */
int table_state_read(const char *word);

#endif
