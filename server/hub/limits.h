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

/* Tables that are looked at as somebody's time is up, at once: each may have to
 * be loaded, and decides with one transaction.  What could not be decided is
 * tried again after so long.  And tables on a page of those that are read when
 * the server starts: a millisecond's work. */
#define LIMIT_DEADLINES         16
#define LIMIT_DEADLINE_AGAIN_MS (10 * INT64_C(1000))
#define LIMIT_DEADLINES_PAGE    2000
/* From one change of somebody's hours to the next: they are told to others by
 * deadlines, and are not to move with each move. */
#define LIMIT_HOURS_MS (7 * 24 * 3600 * INT64_C(1000))

/* A question to a bot: answered by the default move after so long, whatever is
 * the matter; within that time a process that says nothing for half of it is cut
 * off, and another one has a try.  A turn of the search takes half a second of a
 * processor. */
#define LIMIT_BOT_MS        (60 * INT64_C(1000))
#define LIMIT_BOT_SILENT_MS (30 * INT64_C(1000))
/* Times that a question is handed out; what could not be decided when it was due
 * is tried again after so long. */
#define LIMIT_BOT_TRIES    3
#define LIMIT_BOT_AGAIN_MS (10 * INT64_C(1000))
/* Moves that are not legal, of one process, which is cut off then. */
#define LIMIT_BOT_ILLEGAL 3
/* Requests of a process at once, and a second: a hundred moves a second.  It is
 * asked no more than it may answer; one that sends more is cut off. */
#define LIMIT_RATE_BOT_BURST 400
#define LIMIT_RATE_BOT       200
/* Tables with bots at which somebody sits: each has others wait for its
 * thoughts. */
#define LIMIT_BOT_TABLES 10

/* One account: tables that are open or running (a keen player has 50),
 * tokens, and people invited to one table. */
#define LIMIT_TABLES 200
#define LIMIT_TOKENS 32
/* Sessions of one account: one more ends the oldest. */
#define LIMIT_SESSIONS    50
#define LIMIT_INVITED     32
#define LIMIT_TABLE_LINKS 20
/* Tables on one page of me.watch: a kilobyte or two each. */
#define LIMIT_FOLLOWED 200
/* Tables of which one account keeps a study: each has 16 kB at most. */
#define LIMIT_STUDIES 64
/* Whom one account blocks: each stands in the way of one at lists and joins. */
#define LIMIT_BLOCKS 200
/* Undos of one seat in one game: they make the log longer than plies_max. */
#define LIMIT_UNDOS 1000

/* Accounts and guests made from one address within a day, if the configuration says
 * nothing. */
#define LIMIT_ACCOUNTS_DAY 20

/* Mails that anybody may have sent to an address, of each kind (confirm it, set
 * a password): one in an hour and three in a day, from whomever. */
#define LIMIT_MAILED_DAY      3
#define LIMIT_MAILED_DAY_MS   (24 * 3600 * INT64_C(1000))
#define LIMIT_MAILED_PAUSE_MS (3600 * INT64_C(1000))
/* And how many one may cause from one address of the network within a day. */
#define LIMIT_MAILS_DAY 20
/* Accounts that have one address: a family. */
#define LIMIT_EMAIL_ACCOUNTS 8
/* Devices of an account that are known again; and of how many new ones it is
 * told in a day: a script that keeps no token is one each time. */
#define LIMIT_DEVICES          20
#define LIMIT_DEVICE_MAILS_DAY 10
#define LIMIT_DEVICE_MAIL_MS \
    (24 * 3600 * INT64_C(1000) / LIMIT_DEVICE_MAILS_DAY)
/* Codes of a second factor that were wrong, by who knows the password: so many,
 * then one in so long.  Three in a million are right, so who guesses for a year
 * finds one in ten. */
#define LIMIT_CODES_BURST 5
#define LIMIT_CODES_MS    (15 * 60 * INT64_C(1000))

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
/* Of those that are mailed to whom is not there to ask: what sets a password, and
 * what confirms an address. */
#define LIMIT_RESET_MAIL_MS (3600 * INT64_C(1000))
#define LIMIT_CONFIRM_MS    (24 * 3600 * INT64_C(1000))

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
 * more, of its address alone: nothing should. */
#define LIMIT_STEP_NS       2000000
#define LIMIT_STEP_BYTES_US 128
/* What a new connection counts, and each piece in which something comes. */
#define LIMIT_INPUT_CONNECTION 4096
#define LIMIT_INPUT_READ       128
/* Requests of one address that are under way; further ones wait where they
 * are.  Each may have a reader of the store busy for a millisecond. */
#define LIMIT_ADDRESS_REQUESTS 4
/* Values in a message, names not counted.  200 would do; each costs the parser
 * some fifty times what a byte of text does. */
#define LIMIT_VALUES 1024

/* Work in slices, in tenths of a microsecond: so much in one turn of the loop,
 * which others wait for, and two fifths of it at a time; see hub/work.c. */
#define LIMIT_TURN_EFFORT 5000
/* What a board may cost that is made for a table; a dearer one takes another
 * write for each such piece.  One of the usual size is below it, the largest is
 * thirty. */
#define LIMIT_BOARD_EFFORT 5000
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

/* ---- what people who are away are told (outbox.h) ---- */

#define LIMIT_MINUTE_MS (60 * INT64_C(1000))
#define LIMIT_DAY_MS    (24 * 60 * LIMIT_MINUTE_MS)
/* How long a notice waits for its reader to look for themselves: usual, and at
 * the most.  What is due so soon after another goes along with it. */
#define LIMIT_NOTICE_WAIT_S   60
#define LIMIT_NOTICE_WAIT_MAX 900
/* It waits for no longer than this part of what a turn of the table may take. */
#define LIMIT_NOTICE_PART     8
#define LIMIT_NOTICE_ALONG_MS 10000
/* A question at a table without a pace that waits so long is reminded of, once;
 * tables are looked through for such so often. */
#define LIMIT_REMINDER_MS       (3 * LIMIT_DAY_MS)
#define LIMIT_REMINDER_EVERY_MS (60 * LIMIT_MINUTE_MS)
/* Of tables where a turn takes less than this nothing is mailed: seconds. */
#define LIMIT_QUICK_S 3600
/* Zones are compared with what tables were told so often; and how many at most:
 * the world has 600 names. */
#define LIMIT_ZONES_MS      (7 * LIMIT_DAY_MS)
#define LIMIT_ZONES         2000
#define LIMIT_ZONES_AT_ONCE 4
/* People who had a seat at one table that may have been reminded there. */
#define LIMIT_REMINDERS 64
/* Moves by which the order of a seat is carried out in one change. */
#define LIMIT_ORDER_MOVES 8
/* Notices kept in memory, 64 bytes each; further ones wait in the store.  And
 * people of whom is known how they want to be told, or that they do not. */
#define LIMIT_NOTICES_HELD 100000
#define LIMIT_PEOPLE_HELD  200000
/* Of these for one person, who is told no more of them anyhow: what they are
 * looked through for has to be done in one turn.  Of invitations, which strangers
 * send, fewer; and whose turn it is, or may be, is told in any case: there are no
 * more of these than seats. */
#define LIMIT_NOTICES_PERSON  300
#define LIMIT_NOTICES_INVITED 50
/* People whose notices are decided from one tick to the next, which is a second:
 * each takes a question and a transaction, and mail leaves far more slowly anyhow.
 * And at once, as players wait behind a burst of them: twenty were seen in p99. */
#define LIMIT_DECISIONS         20
#define LIMIT_DECISIONS_AT_ONCE 4
/* Messages on their way; while there are so many nothing new is decided. */
#define LIMIT_MESSAGES_HELD 20000
/* ... and to one person by one way: one that is being delivered, and one that
 * takes up all that comes meanwhile. */
#define LIMIT_MESSAGE_ITEMS 100
/* Deliveries under way at once, by each way. */
#define LIMIT_DELIVERIES 32
/* Of these to one host, which may never answer; and to a push service, behind
 * which are everybody's browsers. */
#define LIMIT_DELIVERIES_HOST    4
#define LIMIT_DELIVERIES_SERVICE 16
/* From one call to a host to the next one, and to a push service. */
#define LIMIT_HOST_MS    1000
#define LIMIT_SERVICE_MS 50
/* A host that lets us wait for so long before it fails is slow: then it is called
 * again after a second, each time twice as late, up to a minute, with one call at
 * once. */
#define LIMIT_SLOW_MS 5000
#define LIMIT_HOLD_MS 1000
#define LIMIT_HOLDS   6
/* Calls that begin in a second, to all hosts: each asks the store what is so, as
 * a decision does. */
#define LIMIT_CALL_RATE 20
/* A host's name, as DNS has it. */
#define LIMIT_HOST_BYTES 253
/* Mails a second if the operator says nothing. */
#define LIMIT_MAIL_RATE 2
/* A receiver that fails is tried for so long, at first after a minute, then each
 * time twice as late, up to six hours. */
#define LIMIT_FAILING_MS   (3 * LIMIT_DAY_MS)
#define LIMIT_RETRY_MS     LIMIT_MINUTE_MS
#define LIMIT_RETRY_MAX_MS (6 * 60 * LIMIT_MINUTE_MS)
/* If it is our own fault a way waits so long before it is tried again. */
#define LIMIT_ALARM_MS (5 * LIMIT_MINUTE_MS)
/* What is kept of what a receiver said. */
#define LIMIT_SAID_BYTES 200
/* How long is known what was sent. */
#define LIMIT_SENT_MS (30 * LIMIT_DAY_MS)
/* Who was not here for so long gets a mail a week; for so long, none. */
#define LIMIT_AWAY_MS (90 * LIMIT_DAY_MS)
#define LIMIT_GONE_MS (365 * LIMIT_DAY_MS)
/* Invitations a day that somebody is told of from people they never played
 * with. */
#define LIMIT_STRANGERS 5
/* Of one account: webhooks, browsers, tables it wants to hear nothing of. */
#define LIMIT_WEBHOOKS 3
#define LIMIT_PUSHES   10
#define LIMIT_CHANNELS (1 + LIMIT_WEBHOOKS + LIMIT_PUSHES)
#define LIMIT_MUTED    200
/* A look at a table counts so often; more often nobody has to say it. */
#define LIMIT_SEEN_MS 30000
/* A test of a channel, so often; and so many at once of everybody's, as each may
 * take as long as the slowest receiver. */
#define LIMIT_TEST_MS 10000
#define LIMIT_TESTS   16

/* ---- when the server was not there (outages.h) ---- */

/* How often a sign of life is stored: a crash credits so much too much. */
#define LIMIT_SIGN_MS 30000
/* The process stood still, or waited for the store, for so long; the clock leapt
 * so far.  Less is in nobody's way who has the shortest pace. */
#define LIMIT_STILL_MS LIMIT_MINUTE_MS
#define LIMIT_LEAP_MS  10000
/* What people get to find back, at least and at most. */
#define LIMIT_GRACE_MIN_MS (2 * LIMIT_MINUTE_MS)
#define LIMIT_GRACE_MAX_MS (60 * LIMIT_MINUTE_MS)
/* A clock that goes on so long behind the last sign is right after all. */
#define LIMIT_BEHIND_MS LIMIT_DAY_MS
/* Outages kept, 16 bytes each, and how long: there may be tables at which nobody
 * did anything since. */
#define LIMIT_OUTAGES        10000
#define LIMIT_OUTAGE_KEPT_MS (400 * LIMIT_DAY_MS)
/* ... and told in one answer. */
#define LIMIT_OUTAGES_PAGE 500

/* ---- when people are away (absence.h) ---- */

/* Absences that one has planned, and how far ahead they may begin or last. */
#define LIMIT_ABSENCES         20
#define LIMIT_ABSENCE_AHEAD_MS (366 * LIMIT_DAY_MS)
/* What began instead of a miss lasts so long, if there is as much left. */
#define LIMIT_ABSENCE_AUTO_DAYS 7
/* Absences are kept so long, as they count for all of their year; each spends a
 * day of it, so there are no more than these of anybody. */
#define LIMIT_ABSENCE_KEPT_MS (2 * LIMIT_ABSENCE_AHEAD_MS)
#define LIMIT_ABSENCES_KEPT   2000
/* Absences that begin in one tick. */
#define LIMIT_ABSENCES_STEP 20

/* ---- how well people play (results.h) ---- */

/* Who has not played a game for so long is not among its best. */
#define LIMIT_RANKED_MS (180 * LIMIT_DAY_MS)
/* Ratings of one person: two for each game that there is, and was. */
#define LIMIT_RATINGS 200
/* Games of one person that a request for results looks at, whether they are
 * wanted or not: some have played thousands, and anybody may ask. */
#define LIMIT_RESULTS_LOOK 1000

/* ---- several hubs on one store (news.h) ---- */

/* Lines in one answer: some 100 kB. */
#define LIMIT_NEWS 500
/* ... and how long they are kept: a hub that hears nothing for longer looks at
 * all that it has. */
#define LIMIT_NEWS_KEPT_MS (10 * LIMIT_MINUTE_MS)
/* By how much two hubs' clocks may differ, and a transaction be under way. */
#define LIMIT_NEWS_LATE_MS 5000
/* By how much later at least, and by less than twice that, a hub looks whose time is
 * up where another one has changed a table last. */
#define LIMIT_PATIENCE_MS 4000
/* People who are looked at at once, as somebody else may have changed them. */
#define LIMIT_LOOKS 16
/* Texts that who watches a table may have missed; after more they come again. */
#define LIMIT_TEXTS_MISSED 1000
/* Of those that they know, the last ones that may have been removed meanwhile. */
#define LIMIT_TEXTS_REMOVED 100

/* How long the result of a request with a key is known. */
#define LIMIT_KEY_MS (24 * 3600 * INT64_C(1000))

#endif
