/* store_read.c -- the threads that answer questions, each with a connection.
 *
 * A question is answered within one read transaction, so from one moment.
 * What `tables` does not know yet the writer does: where a table's log ends is
 * asked of it before the transaction begins (the log is then there at least as
 * far as that), what lists show after it (and if cached tables were forgotten
 * in between, the list is made again). */

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "store_inner.h"

/* Lists, by number.  A statement takes the states that are wanted as a mask, ?3,
 * and has an arm for each, which begins in an index where the page begins: one
 * that is not wanted costs nothing.  What is found is a candidate; whether the
 * asker may see it access.h says. */
#define UNION "UNION "
#define ARM(from, state) \
    "SELECT t.number FROM tables t INDEXED BY " from " AND t.state = " state \
    " AND (?3 >> " state " & 1) <> 0 AND t.number < ?1 "
#define ARMS(from) \
    ARM(from, "0") \
    UNION ARM(from, "1") UNION ARM(from, "2") UNION ARM(from, "3") UNION ARM( \
        from, "4")
/* Of any game, and of ?5. */
#define ANY(private) ARMS("tables_state WHERE t.private = " private)
#define GAME(private) \
    ARMS("tables_game WHERE t.game = ?5 AND t.private = " private)
/* The private ones that ?2 made; where they sit, and where they are invited to.
 * Those that are over stand in players_state by when they ended. */
#define OWN(more) \
    ARMS("tables_private WHERE t.owner = ?2 AND t.private = 1 " more)
#define SITS(from, which, more) \
    "SELECT p.number FROM players p INDEXED BY " from \
    " WHERE p.account = ?2 AND " which \
    " AND p.number < ?1 AND p.seat IS NOT NULL " more
#define SITS_IN(state, more) \
    SITS("players_state", \
         "p.state = " state " AND p.ended = 0 AND (?3 >> " state \
         " & 1) <> 0", \
         more)
#define SITS_ENDED(more) \
    SITS("players_account", \
         "?3 >> 2 <> 0 AND p.state >= 2 " \
         "AND (?3 >> CAST(p.state AS INTEGER) & 1) <> 0", \
         more)
#define BELONGS(sits, invited) \
    SITS_IN("0", sits) \
    UNION SITS_IN("1", sits) \
    UNION SITS_ENDED(sits) UNION \
        "SELECT i.number FROM invites i WHERE i.account = ?2 " \
        "AND i.number < ?1 " \
        "AND (?3 >> CAST(i.state AS INTEGER) & 1) <> 0 " invited
#define OF_GAME(x) \
    "AND EXISTS (SELECT 1 FROM tables t WHERE t.number = " x ".number " \
    "AND t.game = ?5) "
#define NEWEST "ORDER BY 1 DESC LIMIT ?4"

#define RATING_COLUMNS \
    "r.account, r.game, r.many, r.mean, r.variance, r.games, r.met, r.at"
/* Who left a table before its start did not play there. */
#define PLAYED(x) "(" x ".seat IS NOT NULL OR " x ".place IS NOT NULL) "
/* As access_sees() has it. */
#define SEEN(who) \
    "(t.owner = " who " OR EXISTS (SELECT 1 FROM players s " \
    "WHERE s.number = t.number AND s.account = " who \
    " AND s.seat IS NOT NULL) OR EXISTS (SELECT 1 FROM invites i " \
    "WHERE i.number = t.number AND i.account = " who ")) "
/* Games that are over, X of which somebody played, as P: the public ones of
 * theirs, and of private ones those of whoever asks.  So all that is looked at
 * may be known to that one; whether it is wanted is told, as only so many are
 * looked at. */
#define RESULTS(x, wanted) \
    "SELECT " x ".number, t.id, t.game, " x ".ended, t.private, " \
    "p.mean IS NOT NULL, " wanted "AND (?5 IS NULL OR t.game = ?5) " \
    "AND (?6 = 0 OR EXISTS (SELECT 1 FROM players w " \
    "WHERE w.number = t.number AND w.account = ?6 AND " PLAYED( \
        "w") ")) " \
             "AND (?7 = 0 OR p.mean IS NOT NULL) "
#define ENDED(x) \
    "AND " x ".state IN (2, 4) AND " x ".ended BETWEEN ?4 AND ?2 " \
    "AND (" x ".ended < ?2 OR " x ".number < ?3) "
#define RESULTS_PUBLIC \
    RESULTS("p", "1 = 1 ") \
    "FROM players p INDEXED BY players_over " \
    "CROSS JOIN tables t ON t.number = p.number " \
    "WHERE p.account = ?1 AND p.private = 0 " ENDED("p") "AND " PLAYED("p")
#define OF_ASKER(x) \
    "CROSS JOIN tables t ON t.number = " x ".number " \
    "LEFT JOIN players p ON p.number = t.number AND p.account = ?1 " \
    "WHERE " x ".account = ?8 " ENDED(x)
#define IS_PLAYER "p.account IS NOT NULL AND " PLAYED("p")
#define RESULTS_PRIVATE \
    RESULTS("a", IS_PLAYER "AND " SEEN("?8")) \
    "FROM players a INDEXED BY players_over " OF_ASKER( \
        "a") "AND a.private = 1 "
/* Who sat there has it from the ones before. */
#define RESULTS_INVITED \
    RESULTS("v", IS_PLAYER \
            "AND t.private = 1 AND NOT EXISTS (SELECT 1 FROM players s " \
            "WHERE s.number = t.number AND s.account = ?8) ") \
    "FROM invites v INDEXED BY invites_over " OF_ASKER("v")
#define ABSENCE_COLUMNS "account, began, ended, auto, begun"
#define SENT_COLUMNS \
    "number, account, message, channel, way, at, result, body, said"
#define CHANNEL_COLUMNS \
    "c.id, c.account, c.way, c.form, c.state, c.kinds, c.made, c.changed, " \
    "c.label, c.target, c.secret, c.why"

/* One's own, by state; what lists show of them comes from the writer. */
#define MINE(where) \
    "SELECT t.number, t.id, t.state, t.now, t.ply, p.seat, p.ended " \
    "FROM players p CROSS JOIN tables t ON t.number = p.number " \
    "WHERE p.account = ?1 AND p.state = ?2 AND p.seat IS NOT NULL " where

/* Whether a block is between WHO and somebody who sits at T or made it. */
#define BLOCK(who, one) \
    "EXISTS (SELECT 1 FROM blocks b WHERE b.account = " who \
    " AND b.other = " one ") OR EXISTS (SELECT 1 FROM blocks b " \
    "WHERE b.account = " one " AND b.other = " who ")"
#define SHUT(who) \
    "(" BLOCK( \
        who, \
        "t.owner") " OR EXISTS (SELECT 1 FROM players s " \
                   "WHERE s.number = t.number AND s.seat IS NOT NULL AND (" BLOCK( \
                       who, "s.account") ")))"
#define BLOCK_COLUMNS "b.account, b.other, b.at"

const char *const reader_texts[READER_STATEMENTS] = {
    [R_BEGIN] = "BEGIN",
    [R_END] = "COMMIT",
    [R_ACCOUNT] = "SELECT " ACCOUNT_COLUMNS " FROM accounts a WHERE id = ?",
    [R_ACCOUNT_NAME] = "SELECT " ACCOUNT_COLUMNS " FROM accounts a "
                       "WHERE name = ? AND kind <> 2",
    [R_TOKEN] = "SELECT " TOKEN_COLUMNS ", " ACCOUNT_COLUMNS " FROM tokens k "
                "JOIN accounts a ON a.id = k.account WHERE k.hash = ?",
    [R_TOKENS] = "SELECT " TOKEN_COLUMNS " FROM tokens k WHERE account = ? "
                 "ORDER BY k.created, k.id",
    [R_PROXIED] = "SELECT " ACCOUNT_COLUMNS " FROM proxied p "
                  "CROSS JOIN accounts a ON a.id = p.account "
                  "WHERE p.\"user\" = ? AND a.kind = 0",
    [R_LINK] = "SELECT " LINK_COLUMNS " FROM links l WHERE l.hash = ?",
    [R_LINKS] = "SELECT " LINK_COLUMNS " FROM links l WHERE l.purpose = ?1 "
                "AND l.id > ?2 ORDER BY l.id LIMIT ?3",
    [R_LINKS_TABLE] = "SELECT " LINK_COLUMNS " FROM links l "
                      "WHERE l.table_id = ?4 AND l.purpose = ?1 "
                      "AND l.id > ?2 ORDER BY l.id LIMIT ?3",
    [R_EMAIL] = "SELECT " ACCOUNT_COLUMNS " FROM accounts a "
                "WHERE a.email_confirmed <> 0 AND a.password IS NOT NULL "
                "AND a.email = ?1 COLLATE NOCASE ORDER BY a.id",
    [R_EMAIL_EXACT] =
        "SELECT " ACCOUNT_COLUMNS " FROM accounts a "
        "WHERE a.email_confirmed <> 0 AND a.password IS NOT NULL "
        "AND a.email = ?1 COLLATE NOCASE AND a.email = ?1 "
        "ORDER BY a.id",
    [R_SECRET] = "SELECT value FROM secrets WHERE name = ?",
    [R_STOPPED] = "SELECT count(*) FROM stopped WHERE address = ?",
    [R_DEVICE] = "SELECT count(*) FROM devices "
                 "WHERE account = ? AND hash = ?",
    [R_TOTP] = "SELECT key, made, confirmed, removed FROM totp "
               "WHERE account = ?",
    [R_RECOVERY] = "SELECT count(*) FROM recovery WHERE account = ?",
    [R_RECOVERY_CODE] = "SELECT count(*) FROM recovery "
                        "WHERE account = ? AND hash = ?",
    [R_TABLE] =
        "SELECT " TABLE_COLUMNS ", s.seed, s.header, s.asset "
        "FROM tables t JOIN setups s ON s.number = t.number WHERE t.id = ?",
    [R_TABLE_NUMBER] = "SELECT number FROM tables WHERE id = ?",
    [R_LISTED] = "SELECT " TABLE_COLUMNS ", j.key, EXISTS (SELECT 1 "
                 "FROM invites i WHERE i.number = t.number "
                 "AND i.account = ?2), "
                 "CASE WHEN t.state < 2 AND ?2 <> 0 AND " SHUT(
                     "?2") " "
                           "THEN 1 ELSE 0 END FROM json_each(?1) j "
                           "CROSS JOIN tables t ON t.number = j.value "
                           "CROSS JOIN setups s ON s.number = t.number",
    [R_LISTED_SEATS] = "SELECT j.key, p.seat, p.account "
                       "FROM json_each(?1) j CROSS JOIN players p "
                       "ON p.number = j.value WHERE p.seat IS NOT NULL",
    [R_LISTED_NAMES] = "SELECT a.id, a.name FROM json_each(?1) j "
                       "CROSS JOIN accounts a ON a.id = j.value",
    [R_LISTED_MARKS] = "SELECT j.key, m.text FROM json_each(?1) j "
                       "CROSS JOIN marks m ON m.number = j.value "
                       "AND m.account = ?2",
    [R_LISTED_UNREAD] =
        "SELECT j.value ->> 0, count(*) FROM json_each(?1) j "
        "CROSS JOIN texts x ON x.number = j.value ->> 1 "
        "AND x.text > j.value ->> 2 WHERE x.room <= j.value ->> 3 "
        "AND x.author <> ?2 AND NOT EXISTS (SELECT 1 FROM blocks b "
        "WHERE b.account = ?2 AND b.other = x.author) GROUP BY j.key",
    [R_PLY] = "SELECT number, before, ply, line, chain FROM log WHERE id = ?",
    [R_MILESTONE] = "SELECT ply, row FROM milestones WHERE number = ? "
                    "AND ply >= ? ORDER BY ply LIMIT 1",
    [R_SEATS] = "SELECT seat, account FROM players "
                "WHERE number = ? AND seat IS NOT NULL",
    [R_NAMES] = "SELECT " ACCOUNT_COLUMNS " FROM accounts a WHERE a.id IN "
                "(SELECT account FROM players WHERE number = ?1 UNION "
                "SELECT account FROM invites WHERE number = ?1 UNION "
                "SELECT owner FROM tables WHERE number = ?1)",
    [R_INVITED] = "SELECT account, seat, inviter, until FROM invites "
                  "WHERE number = ?",
    [R_INVITES] = "SELECT i.account, t.id FROM invites i "
                  "CROSS JOIN tables t ON t.number = i.number "
                  "WHERE i.state = 0 AND i.until > 0 AND i.until <= ?1 "
                  "ORDER BY i.until LIMIT ?2",
    [R_REMATCH] = "WITH RECURSIVE " REMATCHES(
        "t.id = ?1") "SELECT id FROM l WHERE state <> 3",
    [R_TEXTS_LAST] = "SELECT max(text) FROM texts WHERE number = ?",
    [R_KEY] = "SELECT answer FROM keys WHERE account = ? AND method = ? "
              "AND key = ? AND at > ?",
    [R_TEXTS] = "SELECT x.text, x.author, x.at, "
                "CASE WHEN x.removed IS NULL THEN x.body END, "
                "a.name, x.room FROM texts x "
                "LEFT JOIN accounts a ON a.id = x.author "
                "WHERE x.number = ?1 AND (?2 = 2 OR x.room = ?2) "
                "AND x.text < ?3 AND NOT EXISTS (SELECT 1 FROM blocks b "
                "WHERE b.account = ?5 AND b.other = x.author) "
                "ORDER BY x.text DESC LIMIT ?4",
    [R_MARK] = "SELECT text FROM marks WHERE number = ? AND account = ?",
    [R_RENAMES] = "SELECT t.id FROM (SELECT number FROM renames UNION "
                  "SELECT number FROM untold) r "
                  "CROSS JOIN tables t ON t.number = r.number LIMIT ?",
    [R_RENAMED] = "SELECT account, was FROM renames WHERE number = ?",
    [R_GUESTS] = "SELECT " ACCOUNT_COLUMNS " FROM accounts a "
                 "INDEXED BY accounts_guests WHERE kind = 1 AND seen <= ?1 "
                 "AND NOT EXISTS (SELECT 1 FROM players p "
                 "WHERE p.account = a.id AND p.state = 1 "
                 "AND p.seat IS NOT NULL) AND (seen, id) > (?3, ?4) "
                 "ORDER BY seen, id LIMIT ?2",
    [R_NOTE] = "SELECT body FROM notes WHERE number = ? AND account = ?",
    [R_STUDY] = "SELECT body FROM studies WHERE number = ? AND account = ?",
    [R_BLOCKS] = "SELECT " BLOCK_COLUMNS ", a.name FROM blocks b "
                 "CROSS JOIN accounts a ON a.id = b.other "
                 "WHERE b.account = ? AND a.kind <> 2 ORDER BY b.other",
    [R_BLOCKS_OF] = "SELECT " BLOCK_COLUMNS ", NULL FROM json_each(?2) j "
                    "CROSS JOIN blocks b ON b.account = ?1 "
                    "AND b.other = j.value",
    [R_BLOCKS_BY] = "SELECT " BLOCK_COLUMNS ", NULL FROM json_each(?2) j "
                    "CROSS JOIN blocks b ON b.account = j.value "
                    "AND b.other = ?1",
    [R_MINE] = MINE(""),
    [R_MINE_ENDED] = MINE("AND p.ended > ?3 AND p.ended <= ?4 "
                          "AND (p.ended < ?4 OR p.number < ?5) "
                          "ORDER BY p.ended DESC, p.number DESC LIMIT ?6"),
    [R_MINE_INVITED] =
        "SELECT t.number, t.id, t.state, t.now, t.ply, NULL, 0 "
        "FROM invites i CROSS JOIN tables t ON t.number = i.number "
        "WHERE i.account = ?1 AND i.state = 0 AND NOT " SHUT(
            "?1") " "
                  "AND NOT EXISTS "
                  "(SELECT 1 FROM players p WHERE p.number = i.number "
                  "AND p.account = ?1 AND p.seat IS NOT NULL)",
    [R_ACCOUNTS] = "SELECT " ACCOUNT_COLUMNS " FROM accounts a "
                   "WHERE a.kind <> 2 AND a.name > ?1 "
                   "AND (?2 < 0 OR a.kind = ?2) "
                   "AND (?3 = 0 OR a.banned_until > ?3) "
                   "ORDER BY a.name LIMIT ?4",
    [R_SESSIONS] = "SELECT " TOKEN_COLUMNS ", " ACCOUNT_COLUMNS
                   " FROM tokens k JOIN accounts a ON a.id = k.account "
                   "WHERE k.id > ?1 AND (?2 = 0 OR k.account = ?2) "
                   "ORDER BY k.id LIMIT ?3",
    [R_PERSON + PERSON_SEATS] =
        "SELECT t.id, coalesce(p.seat, -1), t.state, t.created, "
        "t.game, p.place, p.points, p.mean, p.variance "
        "FROM players p JOIN tables t ON t.number = p.number "
        "WHERE p.account = ?1 ORDER BY p.number LIMIT ?2 OFFSET ?3",
    [R_PERSON + PERSON_OWNED] =
        "SELECT t.id, -1, t.state, t.created, t.game FROM tables t "
        "WHERE t.owner = ?1 ORDER BY t.number LIMIT ?2 OFFSET ?3",
    [R_PERSON + PERSON_INVITES] =
        "SELECT t.id, -1, t.state, t.created, t.game FROM invites i "
        "JOIN tables t ON t.number = i.number "
        "WHERE i.account = ?1 ORDER BY i.number LIMIT ?2 OFFSET ?3",
    [R_PERSON + PERSON_TEXTS] =
        "SELECT t.id, x.text, x.room, x.at, x.body FROM texts x "
        "JOIN tables t ON t.number = x.number WHERE x.author = ?1 "
        "ORDER BY x.number, x.text LIMIT ?2 OFFSET ?3",
    [R_PERSON + PERSON_NOTES] =
        "SELECT t.id, n.body FROM notes n "
        "JOIN tables t ON t.number = n.number WHERE n.account = ?1 "
        "ORDER BY n.number LIMIT ?2 OFFSET ?3",
    [R_PERSON + PERSON_STUDIES] =
        "SELECT t.id, s.body FROM studies s "
        "JOIN tables t ON t.number = s.number WHERE s.account = ?1 "
        "ORDER BY s.number LIMIT ?2 OFFSET ?3",
    [R_PERSON + PERSON_MARKS] =
        "SELECT t.id, m.text FROM marks m "
        "JOIN tables t ON t.number = m.number WHERE m.account = ?1 "
        "ORDER BY m.number LIMIT ?2 OFFSET ?3",
    [R_PERSON +
        PERSON_KEYS] = "SELECT k.method, k.key, k.at FROM keys k "
                       "WHERE k.account = ?1 ORDER BY k.at, k.method, k.key "
                       "LIMIT ?2 OFFSET ?3",
    [R_PERSON + PERSON_LINKS] =
        "SELECT purpose, made, expires, uses, email FROM links "
        "WHERE account = ?1 OR maker = ?1 "
        "ORDER BY made, id LIMIT ?2 OFFSET ?3",
    [R_PERSON +
        PERSON_HOURS] = "SELECT opens, closes, days, zone, changed FROM hours "
                        "WHERE account = ?1 LIMIT ?2 OFFSET ?3",
    [R_PERSON +
        PERSON_DEVICES] = "SELECT used FROM devices WHERE account = ?1 "
                          "ORDER BY hash LIMIT ?2 OFFSET ?3",
    [R_PERSON +
        PERSON_PROXIED] = "SELECT \"user\" FROM proxied WHERE account = ?1 "
                          "LIMIT ?2 OFFSET ?3",
    [R_PERSON + PERSON_TOTP] =
        "SELECT t.made, t.confirmed, (SELECT count(*) FROM recovery r "
        "WHERE r.account = ?1) FROM totp t "
        "WHERE t.account = ?1 AND t.removed = 0 LIMIT ?2 OFFSET ?3",
    [R_PERSON + PERSON_ABSENCES] = "SELECT " ABSENCE_COLUMNS
                                   " FROM absences WHERE account = ?1 "
                                   "ORDER BY began LIMIT ?2 OFFSET ?3",
    [R_PERSON + PERSON_AWAY] =
        "SELECT auto FROM away WHERE account = ?1 LIMIT ?2 OFFSET ?3",
    [R_PERSON + PERSON_RATINGS] = "SELECT " RATING_COLUMNS
                                  ", NULL FROM ratings r WHERE r.account = ?1 "
                                  "ORDER BY r.game, r.many LIMIT ?2 OFFSET ?3",
    [R_PERSON + PERSON_BLOCKS] =
        "SELECT " BLOCK_COLUMNS ", a.name FROM blocks b "
        "JOIN accounts a ON a.id = b.other WHERE b.account = ?1 "
        "ORDER BY b.other LIMIT ?2 OFFSET ?3",
    [R_AUDIT] = "SELECT u.id, u.at, u.uid, coalesce(u.table_id, 0), "
                "coalesce(u.account, 0), nullif(a.name, ''), u.method, u.what "
                "FROM audit u LEFT JOIN accounts a ON a.id = u.account "
                "WHERE u.id < ?1 AND (?2 = 0 OR u.table_id = ?2) "
                "AND (?3 = 0 OR u.account = ?3) ORDER BY u.id DESC LIMIT ?4",
    [R_PRUNE + PRUNE_TOKENS] = "SELECT count(*) FROM tokens "
                               "WHERE expires <> 0 AND expires <= ?",
    [R_PRUNE + PRUNE_KEYS] = "SELECT count(*) FROM keys WHERE at <= ?",
    [R_TABLES_IN] = "SELECT count(*) FROM tables WHERE state = ?",
    [R_ACCOUNTS_OF] = "SELECT count(*) FROM accounts WHERE kind = ?",
    [R_TABLES] = ANY("0") UNION ANY("1") NEWEST,
    [R_TABLES_GAME] = GAME("0") UNION GAME("1") NEWEST,
    [R_TABLES_SEEN] = ANY("0") UNION OWN("") UNION BELONGS("", "") NEWEST,
    [R_TABLES_SEEN_GAME] = GAME("0") UNION OWN("AND t.game = ?5 ")
        UNION BELONGS(OF_GAME("p"), OF_GAME("i")) NEWEST,
    [R_NOTICES] =
        "SELECT number, account, kind, table_id, ply, maker, at, detail "
        "FROM notices WHERE number > ? ORDER BY number LIMIT ?",
    [R_MESSAGES] = "SELECT id, account, channel, way, made, due, failing, "
                   "tries, body FROM messages WHERE id > ? ORDER BY id "
                   "LIMIT ?",
    [R_TOLD] = "SELECT account, table_id FROM told WHERE "
               "(account, table_id) > (?, ?) ORDER BY account, table_id "
               "LIMIT ?",
    [R_TOLD_OF] = "SELECT table_id FROM told WHERE account = ?",
    [R_WISHES] = "SELECT account, wait, at_once, digest, digest_at, "
                 "language, day, strangers FROM wishes WHERE account = ?",
    [R_CHANNELS] = "SELECT " CHANNEL_COLUMNS " FROM channels c "
                   "WHERE c.account = ? ORDER BY c.id",
    [R_MUTED] = "SELECT table_id FROM muted WHERE account = ?",
    [R_MAILED] = "SELECT at FROM sent WHERE account = ? AND way = 0 "
                 "ORDER BY number DESC LIMIT 1",
    [R_OTHER] =
        "SELECT a.id, a.kind, a.name, EXISTS (SELECT 1 FROM players p "
        "CROSS JOIN players q ON q.number = p.number AND q.account = ?2 "
        "WHERE p.account = ?1 AND p.state IN (1, 2)), "
        "(SELECT coalesce(max(ended), 0) FROM absences "
        "WHERE account = ?1 AND begun = 1) "
        "FROM accounts a WHERE a.id = ?1",
    [R_SENT] = "SELECT " SENT_COLUMNS " FROM sent WHERE account = ? "
               "AND number < ? ORDER BY number DESC LIMIT ?",
    [R_BOUNCED] = "SELECT " SENT_COLUMNS " FROM sent WHERE message = ?",
    [R_DIGESTS] = "SELECT account, 0 FROM wishes "
                  "WHERE digest_at > 0 AND digest_at <= ? "
                  "ORDER BY digest_at LIMIT ?",
    [R_DUE] = "SELECT t.id, t.now, t.ply, t.number FROM tables t "
              "WHERE t.clocked = 1 "
              "AND t.state = 1 AND t.number > ? ORDER BY t.number LIMIT ?",
    [R_OFFERED] = "SELECT t.number, t.id, t.now, t.ply FROM tables t "
                  "WHERE t.clocked = 1 AND t.state = 1 AND t.private = 0 "
                  "AND t.number < ? ORDER BY t.number DESC LIMIT ?",
    [R_REMINDED] = "SELECT since, until, after FROM reminded WHERE one = 1",
    [R_SIGN] = "SELECT at FROM sign WHERE one = 1",
    [R_OUTAGES] = "SELECT began, ended FROM outages ORDER BY began DESC "
                  "LIMIT ?",
    [R_AWAY] = "SELECT auto, changes FROM away WHERE account = ?",
    [R_ABSENCES] = "SELECT " ABSENCE_COLUMNS " FROM absences "
                   "WHERE account = ? ORDER BY began LIMIT ?",
    [R_ABSENT] = "SELECT " ABSENCE_COLUMNS " FROM absences "
                 "INDEXED BY absences_begin WHERE begun = 0 "
                 "ORDER BY began LIMIT ?",
    [R_ZONES] = "SELECT DISTINCT h.zone, z.offsets FROM hours h LEFT JOIN "
                "zones z ON z.name = h.zone WHERE h.days <> 0 LIMIT ?",
    [R_REMINDERS] = "SELECT account, turn, stage, ply, next FROM reminders "
                    "WHERE number = ?",
    [R_ORDERS] = "SELECT account, body FROM orders WHERE number = ? "
                 "ORDER BY account",
    /* A table with orders is looked at: a pause may hold them. */
    [R_REMINDED_NEXT] =
        "SELECT CASE WHEN EXISTS (SELECT 1 FROM orders WHERE number = ?1) "
        "THEN 1 ELSE (SELECT coalesce(max(next), 0) FROM reminders "
        "WHERE number = ?1 AND ply = ?2) END",
    [R_UNTOLD] = "SELECT account FROM untold WHERE number = ?",
    [R_RATINGS] =
        "SELECT " RATING_COLUMNS ", a.name FROM ratings r "
        "CROSS JOIN accounts a ON a.id = r.account WHERE r.game = ?1 "
        "AND r.many = ?2 AND r.sure = 1 AND r.mean <= ?3 "
        "AND (r.mean < ?3 OR r.account < ?4) AND r.at > ?5 AND a.kind = 0 "
        "ORDER BY r.mean DESC, r.account DESC LIMIT ?6",
    [R_RATINGS_ALL] = "SELECT " RATING_COLUMNS ", a.name FROM ratings r "
                      "LEFT JOIN accounts a ON a.id = r.account "
                      "WHERE (r.account, r.game, r.many) > (?1, ?2, ?3) "
                      "ORDER BY r.account, r.game, r.many LIMIT ?4",
    [R_RATED] = "SELECT r.turn, t.number, t.id, t.game, t.seats, "
                "(SELECT max(p.ended) FROM players p "
                "WHERE p.number = t.number) FROM rated r "
                "CROSS JOIN tables t ON t.number = r.number "
                "WHERE r.turn > ? ORDER BY r.turn LIMIT 1",
    [R_RATED_LEFT] = "SELECT count(*) FROM rated WHERE turn >= ?",
    [R_RESULTS] = RESULTS_PUBLIC "UNION ALL " RESULTS_PRIVATE
                                 "UNION ALL " RESULTS_INVITED
                                 "ORDER BY 4 DESC, 1 DESC LIMIT ?9",
    [R_RESULT_PLAYERS] =
        "SELECT j.key, p.account, a.name, p.seat, p.place, p.points, p.mean, "
        "p.variance FROM json_each(?1) j "
        "CROSS JOIN players p ON p.number = j.value "
        "LEFT JOIN accounts a ON a.id = p.account WHERE " PLAYED("p"),
    [R_STATISTICS] = "SELECT seats, seat, games, wins, points, plies, took "
                     "FROM statistics WHERE game = ? ORDER BY seats, seat",
    [R_TABLES_MINE] = BELONGS("", "") NEWEST,
    [R_TABLES_MINE_GAME] = BELONGS(OF_GAME("p"), OF_GAME("i")) NEWEST,
};

/* ---- columns ---------------------------------------------------------- */

const char *column_text(struct reader *r, struct sql_stmt *stmt, int at)
{
    const char *text = sql_text(stmt, at);

    if (text == NULL)
        return NULL;
    return region_text(r->region, text, sql_bytes(stmt, at));
}

id_num column_id(struct sql_stmt *stmt, int at)
{
    return (id_num)sql_int64(stmt, at);
}

const char *column_word(struct reader *r, struct sql_stmt *stmt, int at)
{
    const char *text = column_text(r, stmt, at);
    return text != NULL ? text : "";
}

void reader_table(struct reader *r, struct sql_stmt *stmt, struct table_row *t,
                  int64_t *ret_number, struct log_tip *ret_tip)
{
    *t = (struct table_row){
        .id = column_id(stmt, 0),
        .owner = column_id(stmt, 1),
        .game = column_word(r, stmt, 2),
        .created = sql_int64(stmt, 3),
        .private_ = sql_int(stmt, 4) != 0,
        .rated = sql_int(stmt, 5) != 0,
        .spectators = sql_int(stmt, 6) != 0,
        .start_full = sql_int(stmt, 7) != 0,
        .join_password = column_text(r, stmt, 8),
        .options = column_word(r, stmt, 15),
        .board = column_text(r, stmt, 16),
        .terms = column_text(r, stmt, 17),
        .summary =
            {
                .state = (uint8_t)sql_int(stmt, 9),
                .seats = (uint8_t)sql_int(stmt, 10),
            },
    };
    *ret_number = sql_int64(stmt, 12);
    const void *packed = sql_blob(stmt, 11);
    summary_unpack(&t->summary, packed, sql_bytes(stmt, 11));
    *ret_tip = (struct log_tip){
        .row = sql_int64(stmt, 13),
        .ply = sql_int64(stmt, 14),
    };
    t->summary.ply = (uint32_t)(ret_tip->ply < 0 ? 0 : ret_tip->ply);
}

int reader_seats(struct reader *r, int64_t number, struct summary *summary)
{
    struct sql_stmt *stmt = sql_begin(r->sql, R_SEATS, ARGS(INT_(number)));

    if (stmt == NULL)
        return sql_errcode(r->sql);
    int rc;
    while ((rc = sql_step(stmt)) == SQLITE_ROW) {
        int64_t seat = sql_int64(stmt, 0);
        if (seat >= 0 && seat < RULES_SEATS_MAX)
            summary->seat[seat] = column_id(stmt, 1);
    }
    sql_reset(stmt);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

bool reader_tip(struct reader *r, id_num id, struct log_tip *ret_tip)
{
    struct store *s = r->store;

    store_lock(s);
    const struct cached_table *h = id != 0 ? map_get(s->shown, id) : NULL;
    bool known = h != NULL && h->known;
    if (known)
        *ret_tip = h->stored;
    store_unlock(s);
    return known;
}

/* ---- lists that grow --------------------------------------------------- */

void *reader_next(void **array, size_t *count, size_t *cap, size_t size)
{
    if (*count == *cap) {
        *cap = *cap > 0 ? 2 * *cap : 16;
        *array = realloc(*array, *cap * size);
        ASSERT(*array != NULL);
    }
    return (char *)*array + (*count)++ * size;
}

/* ---- the threads ------------------------------------------------------ */

static int ask_kind(struct reader *r, const struct log_tip *known)
{
    switch (r->ask->question.kind) {
    case ASK_TABLES: return reader_tables(r);
    case ASK_MINE: return reader_mine(r);
    case ASK_RENAMES: return reader_renames(r);
    case ASK_DUE: return reader_due(r);
    case ASK_NEWS: return reader_news(r);
    case ASK_ACCOUNTS:
    case ASK_SESSIONS:
    case ASK_LINKS:
    case ASK_PERSON:
    case ASK_AUDIT:
    case ASK_PRUNE:
    case ASK_SIZES: return reader_admin(r);
    case ASK_NOTICES:
    case ASK_MESSAGES:
    case ASK_TOLD:
    case ASK_OUTBOX:
    case ASK_BOUNCED:
    case ASK_SENT:
    case ASK_DIGESTS:
    case ASK_INVITES:
    case ASK_REMINDED: return reader_outbox(r);
    case ASK_AWAY:
    case ASK_ABSENT:
    case ASK_STAGES:
    case ASK_ZONES:
    case ASK_OUTAGES: return reader_time(r);
    case ASK_RATINGS:
    case ASK_RATINGS_ALL:
    case ASK_RATED:
    case ASK_RESULTS:
    case ASK_STATISTICS: return reader_results(r);
    default: return reader_one(r, known);
    }
}

/* Makes the answer once; *RET_AGAIN if cached tables were forgotten meanwhile, or
 * the server was not there any more. */
static int attempt(struct reader *r, bool *ret_again)
{
    struct store *s = r->store;
    const struct question *q = &r->ask->question;
    struct log_tip known;

    store_lock(s);
    uint64_t forgotten = s->forgotten;
    store_unlock(s);
    bool is_known = q->kind == ASK_TABLE &&
                    reader_tip(r, q->u.table.id, &known);
    int rc = sql_queue(r->sql, R_BEGIN, NO_ARGS);
    if (rc == SQLITE_OK)
        rc = ask_kind(r, is_known ? &known : NULL);
    if (rc == SQLITE_OK)
        rc = sql_post(r->sql, R_END, NO_ARGS);
    else if (sql_in_transaction(r->sql))
        sql_run(r->sql, R_END, NO_ARGS);
    bool lost = rc != SQLITE_OK && !s->engine->file && pq_lost(r->sql);
    store_lock(s);
    *ret_again = lost || (s->forgotten != forgotten &&
                          (q->kind == ASK_TABLES || q->kind == ASK_MINE ||
                           q->kind == ASK_OUTBOX));
    store_unlock(s);
    return rc;
}

static void answer(struct reader *r)
{
    struct store *s = r->store;
    struct answer *a = &r->ask->answer;
    bool again = true;
    int rc = SQLITE_OK;

    r->region = &a->region;
    for (int tries = 0; again && tries < 8; tries++) {
        answer_done(a);
        r->gone = false;
        r->why[0] = '\0';
        if (s->engine->ready != NULL)
            rc = s->engine->ready(r);
        if (rc == SQLITE_OK)
            rc = attempt(r, &again);
        else
            again = false;
    }
    if (rc == SQLITE_OK && !r->gone)
        return;
    if (r->gone)
        store_say(s, LOG_ERROR, "the log of table %llu is not whole",
                  (unsigned long long)r->ask->question.u.table.id);
    else
        store_say(s, LOG_ERROR, "the store cannot read: %s (%d)",
                  r->why[0] != '\0' ? r->why : sql_why(r->sql, rc), rc);
    store_notice(s, rc, "reading");
    answer_done(a);
    a->failed = true;
}

/* Waits for a question whose turn it is; NULL at the end. */
static struct work *wait(struct store *s)
{
    struct work_queue *asks;

    while ((asks = store_next_asks(s)) == NULL) {
        if (s->asked == 0 && s->readers_stop)
            return NULL;
        pthread_cond_wait(&s->readers_wake, &s->lock);
    }
    s->asked--;
    return work_take(asks);
}

void *store_reader(void *reader)
{
    struct reader r = *(struct reader *)reader;
    struct store *s = r.store;
    struct work *w;

    free(reader);
    store_lock(s);
    while ((w = wait(s)) != NULL) {
        store_unlock(s);
        r.ask = (struct ask_work *)w;
        int64_t began_us = store_now_us();
        answer(&r);
        r.ask->answer.took_us = store_now_us() - began_us;
        int64_t us = store_now_us() - w->at_us;
        store_lock(s);
        s->stats.answers++;
        s->stats.answers_failed += r.ask->answer.failed;
        store_count(s->stats.answer_us, (uint64_t)us);
        s->stats.answer_us_sum += (uint64_t)us;
        if (store_done(s, w)) {
            store_unlock(s);
            s->owner.wake(s->owner.context);
            store_lock(s);
        }
    }
    store_unlock(s);
    return NULL;
}
