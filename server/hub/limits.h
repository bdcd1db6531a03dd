/* limits.h -- everything a stranger can make grow, how far, and why. */

#ifndef SERVER_HUB_LIMITS_H
#define SERVER_HUB_LIMITS_H

/* Messages: PROTOCOL.  A move is 300 bytes, an uploaded board below 20 kB. */
#define LIMIT_MESSAGE_BYTES 65536
#define LIMIT_DEPTH         32
#define LIMIT_ANSWER_BYTES  (1 << 20)

/* Requests of one connection that are not answered yet: pipelining is meant,
 * hoarding is not. */
#define LIMIT_PEER_REQUESTS 64
/* Requests that wait for one table to load or to be stored: each seat and some
 * watchers once, with room. */
#define LIMIT_TABLE_REQUESTS 128
/* How often a request is tried if what it is about has changed in the store
 * since it was looked at: another writer would have to be faster each time. */
#define LIMIT_TRIES 4
/* Tables watched by one connection: a lobby of thumbnails. */
#define LIMIT_WATCHED 64
/* Connections watching one table: each costs a copy of every update. */
#define LIMIT_WATCHERS 500

/* One account: tables that are open or running (a keen player has 50),
 * tokens, and people invited to one table. */
#define LIMIT_TABLES 200
#define LIMIT_TOKENS 32
/* Sessions of one account: one more ends the oldest. */
#define LIMIT_SESSIONS 50
#define LIMIT_INVITED  32
/* Tables on one page of me.watch: a kilobyte or two each. */
#define LIMIT_FOLLOWED 200
/* Undos of one seat in one game: they make the log longer than plies_max. */
#define LIMIT_UNDOS 1000

/* Accounts and guests made from one address within a day. */
#define LIMIT_ACCOUNTS_DAY 20

/* Rates, per connection (a bot keeps 20 moves a second going) and, three
 * times that, per address: so many at once, and so many a second after. */
#define LIMIT_RATE_CHEAP_BURST 200
#define LIMIT_RATE_CHEAP       50
#define LIMIT_RATE_READ_BURST  100
#define LIMIT_RATE_READ        20
#define LIMIT_RATE_WRITE_BURST 30
#define LIMIT_RATE_WRITE       2
#define LIMIT_RATE_MOVE_BURST  60
#define LIMIT_RATE_MOVE        20
/* Log-ins: argon2 costs 20 ms and 19 MiB each. */
#define LIMIT_RATE_LOGIN_BURST  10
#define LIMIT_RATE_LOGIN_MINUTE 6
/* Failed log-ins: for one address, and for one name from wherever, so many,
 * then one in so long.  The name's comes back faster, so that its owner is
 * slowed but not locked out by a stranger. */
#define LIMIT_FAILED_BURST     10
#define LIMIT_FAILED_SOURCE_MS 60000
#define LIMIT_FAILED_NAME_MS   10000
/* Names that are kept in mind for that; further ones share a place. */
#define LIMIT_FAILED_NAMES 4096
/* Who came in, and from where, is kept in mind that often: there the failures
 * of others with the name do not count.  48 bytes each. */
#define LIMIT_KNOWN 1024

/* How long a one-time link that is used up or expired is known as such, so that
 * who comes late is told why; then it is gone. */
#define LIMIT_LINK_KEPT_MS (30 * 24 * 3600 * INT64_C(1000))
/* How long they are good if nobody says: an invitation, and what sets a password,
 * which is worth more to a thief. */
#define LIMIT_INVITATION_MS (14 * 24 * 3600 * INT64_C(1000))
#define LIMIT_RESET_MS      (24 * 3600 * INT64_C(1000))

/* Input that is worked on, of one connection and, three times that, of an
 * address: bytes at once, and bytes in each millisecond after.  What is
 * compressed counts as it came and as it was inflated; a message counts so much
 * besides, whatever its length, and what is answered a sixteenth, or half if it
 * is compressed for it; notifications, which others cause, count nothing.  Who
 * is in debt is so by no more than what there is at once: 4 s.  A bot's 20 moves
 * a second are 17 kB.  Who is over it is not read for a while; nothing of theirs
 * is lost. */
#define LIMIT_INPUT_BURST    (256 * 1024)
#define LIMIT_INPUT_BYTES_MS 64
#define LIMIT_INPUT_MESSAGE  512
/* A message that takes longer than this counts so much for each microsecond
 * more, of its address alone: nothing but making the largest boards does. */
#define LIMIT_STEP_NS       2000000
#define LIMIT_STEP_BYTES_US 128
/* What a new connection counts, and each piece in which something comes. */
#define LIMIT_INPUT_CONNECTION 4096
#define LIMIT_INPUT_READ       128
/* Requests of one address that are under way; further ones wait where they
 * are.  Each may have a reader of the store busy for a millisecond. */
#define LIMIT_ADDRESS_REQUESTS 4
/* What all connections together have waiting in memory: messages and requests
 * that have begun and not ended, two thousand of the longest, and answers that
 * are not taken.  Beyond it those are cut for whose address most waits. */
#define LIMIT_HELD (128 << 20)
/* Values in a message, names not counted.  200 would do; each costs the parser
 * some fifty times what a byte of text does. */
#define LIMIT_VALUES 1024

/* Work in slices, in tenths of a microsecond: so much in one turn of the loop,
 * which others wait for, and two fifths of it at a time; see hub/work.c. */
#define LIMIT_TURN_EFFORT 10000
/* What one read may cost; a dearer one takes more from the rate.  To load a game
 * of 400 plies is one. */
#define LIMIT_READ_EFFORT 20000
/* What the store's readers do counts, too, as they are few and share the
 * processors: a table of a list, and a ply of a record's log.  A page of 100
 * tables takes four reads more. */
#define LIMIT_LISTED_EFFORT 800
#define LIMIT_PLY_EFFORT    20
/* Tables being read from the store at once: the lines of a long game take ten
 * megabytes until they are played. */
#define LIMIT_LOADS 16
/* An answer in pages ends one here: to write, to compress and to send so much
 * takes a millisecond. */
#define LIMIT_PAGE_BYTES (96 * 1024)

/* Plies that one update leads over for who comes back; who was away longer gets
 * a fresh view, which is shorter then. */
#define LIMIT_MISSED_PLIES 256
/* Plies of a table before its start: people who join and leave in turns. */
#define LIMIT_LOBBY_PLIES 500

/* How long the result of a request with a key is known. */
#define LIMIT_KEY_MS (24 * 3600 * INT64_C(1000))

#endif
