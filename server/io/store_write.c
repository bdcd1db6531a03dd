/* store_write.c -- the thread that writes.
 *
 *           +--------------------------------------------+
 *           v                                            |
 *        waiting -> BEGIN -> transactions, each whole or not -> flush -> COMMIT
 *           ^                     |  a statement fails      |       |
 *           |                     v                         v       v
 *        broken <----------------- all of them are TRANSACTION_FAILED <----+
 *           | after a while: opens the file anew, derives the cached tables,
 *           +-- commits something                     -> waiting
 *
 * A transaction fails by itself only if an op does not hold, which is a
 * conflict: a name is taken, a log goes on from elsewhere; or if it asks for
 * what cannot be, which is a bug, and logged.  Whatever else SQLite says is
 * about the file, and fails the batch. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "store_inner.h"

#define HEAD_COLUMNS \
    "t.id, t.number, t.head, t.ply, t.state, t.seats, t.now, " \
    "(SELECT chain FROM log WHERE log.id = t.head) "

const char *const writer_texts[WRITER_STATEMENTS] = {
    [W_BEGIN] = "BEGIN IMMEDIATE",
    [W_COMMIT] = "COMMIT",
    [W_ROLLBACK] = "ROLLBACK",
    [W_SAVE] = "SAVEPOINT single",
    [W_RELEASE] = "RELEASE single",
    [W_BACK] = "ROLLBACK TO single",
    [W_RENAMES] =
        "INSERT OR IGNORE INTO renames SELECT p.number, a.id, a.name "
        "FROM accounts a CROSS JOIN players p ON p.account = a.id "
        "WHERE a.id = ?1 AND a.kind <> 2 AND a.name <> ?2 COLLATE BINARY "
        "AND p.seat IS NOT NULL AND p.state < 2",
    [W_ACCOUNT] = "INSERT INTO accounts (id, kind, name, password, email, "
                  "created, seen, banned_until) VALUES (?,?,?,?,?,?,?,0) "
                  "ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, "
                  "name = excluded.name, password = excluded.password, "
                  "email_confirmed = CASE WHEN accounts.email IS NOT DISTINCT "
                  "FROM excluded.email THEN accounts.email_confirmed "
                  "ELSE 0 END, email_pending = CASE WHEN accounts.email IS "
                  "NOT DISTINCT FROM excluded.email "
                  "THEN accounts.email_pending END, "
                  "email = excluded.email, created = excluded.created, "
                  "seen = excluded.seen WHERE accounts.kind <> 2",
    [W_REQUIRE_ACCOUNT] =
        "SELECT count(*) FROM accounts WHERE id = ? AND kind = ? "
        "AND password IS NOT DISTINCT FROM ? AND banned_until = ?",
    [W_SEEN] = "UPDATE accounts SET seen = ?2 WHERE id = ?1 AND seen < ?2 "
               "AND kind <> 2",
    [W_GUEST] = "SELECT count(*) FROM accounts a WHERE id = ?1 AND kind = 1 "
                "AND seen <= ?2 AND NOT EXISTS (SELECT 1 FROM players p "
                "WHERE p.account = ?1 AND p.state < 2 "
                "AND p.seat IS NOT NULL)",
    [W_GUEST_TOKENS] = "DELETE FROM tokens WHERE account = ?",
    [W_GUEST_LINKS] = "DELETE FROM links WHERE account = ?1 "
                      "OR email = (SELECT email FROM accounts WHERE id = ?1 "
                      "AND email_confirmed <> 0) COLLATE NOCASE",
    [W_GUEST_LINKS_MADE] = "DELETE FROM links WHERE maker = ?",
    [W_GUEST_DEVICES] = "DELETE FROM devices WHERE account = ?",
    [W_GUEST_TOTP] = "DELETE FROM totp WHERE account = ?",
    [W_GUEST_RECOVERY] = "DELETE FROM recovery WHERE account = ?",
    [W_GUEST_KEYS] = "DELETE FROM keys WHERE account = ?",
    [W_GUEST_INVITES] = "DELETE FROM invites WHERE account = ?",
    [W_GUEST_MARKS] = "DELETE FROM marks WHERE account = ?",
    [W_GUEST_NOTES] = "DELETE FROM notes WHERE account = ?",
    [W_GUEST_STUDIES] = "DELETE FROM studies WHERE account = ?",
    [W_GUEST_HOURS] = "DELETE FROM hours WHERE account = ?",
    [W_GUEST_AWAY] = "DELETE FROM away WHERE account = ?",
    [W_GUEST_RATINGS] = "DELETE FROM ratings WHERE account = ?",
    [W_GUEST_PAIRS] = "DELETE FROM pairs WHERE low = ?1 OR high = ?1",
    [W_GUEST_ABSENCES] = "DELETE FROM absences WHERE account = ?",
    [W_GUEST_BLOCKS] = "DELETE FROM blocks WHERE account = ?1 OR other = ?1",
    [W_GUEST_PROXIED] = "DELETE FROM proxied WHERE account = ?",
    [W_GUEST_RENAMES] = "DELETE FROM renames WHERE account = ?",
    [W_GUEST_UNTOLD] = "DELETE FROM untold WHERE account = ?",
    [W_GUEST_DROP] =
        "DELETE FROM accounts WHERE id = ?1 "
        "AND NOT EXISTS (SELECT 1 FROM players WHERE account = ?1) "
        "AND NOT EXISTS (SELECT 1 FROM texts WHERE author = ?1)",
    [W_GUEST_EMPTY] =
        "UPDATE accounts SET kind = 2, name = '', password = NULL, "
        "email = NULL, email_confirmed = 0, email_pending = NULL, "
        "banned_until = 0, banned_reason = NULL WHERE id = ?",
    [W_BAN] = "UPDATE accounts SET banned_until = ?2, banned_reason = ?3 "
              "WHERE id = ?1 AND kind <> 2",
    [W_PASSWORD] = "UPDATE accounts SET password = ?2 "
                   "WHERE id = ?1 AND kind = 0",
    [W_NAME] = "UPDATE accounts SET name = ?2 WHERE id = ?1 AND kind <> 2",
    [W_IS_THERE] = "SELECT count(*) FROM accounts WHERE id = ? "
                   "AND kind <> 2",
    [W_HOURS] = "INSERT INTO hours SELECT ?1, ?3, ?4, ?5, ?6, ?7 "
                "WHERE ?2 = coalesce((SELECT changed FROM hours "
                "WHERE account = ?1), 0) ON CONFLICT (account) DO UPDATE "
                "SET opens = excluded.opens, closes = excluded.closes, "
                "days = excluded.days, zone = excluded.zone, "
                "changed = excluded.changed",
    [W_IS_PROXIED] = "SELECT count(*) = 0 FROM proxied WHERE \"user\" = ?",
    [W_PROXIED_DROP] = "DELETE FROM proxied "
                       "WHERE account = ? OR \"user\" = ?",
    [W_PROXIED] = "INSERT INTO proxied SELECT ?2, id FROM accounts "
                  "WHERE id = ?1 AND kind = 0",
    [W_AUDIT] = "INSERT INTO audit (at, uid, method, table_id, account, what) "
                "VALUES (?1, ?2, ?3, nullif(?4, 0), nullif(?5, 0), ?6)",
    [W_PRUNE_TOKENS] = "DELETE FROM tokens WHERE expires <> 0 "
                       "AND expires <= ?",
    [W_PRUNE_KEYS] = "DELETE FROM keys WHERE at <= ?",
    [W_TOKEN] = "INSERT INTO tokens VALUES (?,?,?,?,?,?,?) "
                "ON CONFLICT (id) DO UPDATE SET account = excluded.account, "
                "hash = excluded.hash, label = excluded.label, "
                "scopes = excluded.scopes, created = excluded.created, "
                "expires = excluded.expires",
    [W_TOKENS_OLD] = "DELETE FROM tokens WHERE account = ? "
                     "AND expires <> 0 AND expires <= ?",
    [W_REQUIRE_TOKEN] = "SELECT count(*) FROM tokens "
                        "WHERE id = ? AND account = ?",
    [W_TOKEN_DROP] = "DELETE FROM tokens WHERE id = ? AND account = ?",
    [W_TOKENS_DROP] = "DELETE FROM tokens WHERE account = ? AND id <> ?",
    [W_LINK] = "INSERT INTO links VALUES (?1, ?2, ?3, nullif(?4, 0), "
               "nullif(?5, 0), nullif(?6, 0), ?7, ?8, ?9, NULL, ?10)",
    [W_LINKS_OLD] = "DELETE FROM links WHERE (expires <> 0 AND expires <= ?1) "
                    "OR (uses = 0 AND used <= ?1)",
    [W_LINK_USE] = "UPDATE links SET uses = uses - 1, used = ?2 WHERE id = ?1 "
                   "AND uses > 0 AND (expires = 0 OR expires > ?2)",
    [W_LINK_DROP] = "DELETE FROM links WHERE id = ?",
    [W_LINKS_DROP] = "DELETE FROM links WHERE account = ?1 AND purpose = ?2 "
                     "AND id <> ?3 AND (?4 = 0 OR made < ?4)",
    [W_LINKS_DROP_EMAIL] = "DELETE FROM links "
                           "WHERE email = ?1 COLLATE NOCASE AND purpose = ?2 "
                           "AND id <> ?3 AND (?4 = 0 OR made < ?4)",
    [W_EMAIL] = "UPDATE accounts SET "
                "email = CASE WHEN email_confirmed <> 0 AND ?2 IS NOT NULL "
                "THEN email ELSE ?2 END, "
                "email_pending = CASE WHEN email_confirmed <> 0 "
                "AND ?2 IS DISTINCT FROM email THEN ?2 END, "
                "email_confirmed = CASE WHEN ?2 IS NULL THEN 0 "
                "ELSE email_confirmed END "
                "WHERE id = ?1 AND kind = 0",
    [W_EMAIL_CONFIRM] =
        "UPDATE accounts SET email = ?2, email_confirmed = ?3, "
        "email_pending = NULL WHERE id = ?1 AND kind = 0 "
        "AND CASE WHEN email_confirmed <> 0 THEN email_pending "
        "ELSE email END = ?2 "
        "AND (SELECT count(*) FROM accounts WHERE email_confirmed <> 0 "
        "AND email = ?2 COLLATE NOCASE) < ?4 "
        "AND NOT EXISTS (SELECT 1 FROM stopped WHERE address = ?5)",
    [W_MAILED] =
        "INSERT INTO mailed SELECT ?1, ?2, ?3 WHERE NOT EXISTS "
        "(SELECT 1 FROM stopped WHERE address = ?1) AND NOT EXISTS "
        "(SELECT 1 FROM mailed WHERE address = ?1 AND kind = ?2 AND at > ?4) "
        "AND (SELECT count(*) FROM mailed WHERE address = ?1 AND kind = ?2 "
        "AND at > ?5) < ?6",
    [W_MAILED_OLD] = "DELETE FROM mailed WHERE at <= ?",
    [W_MAIL_STOP] = "INSERT OR IGNORE INTO stopped VALUES (?, ?)",
    [W_MAIL_STOPPED] =
        "UPDATE accounts SET email_confirmed = 0, email_pending = NULL "
        "WHERE email_confirmed <> 0 AND email = ? COLLATE NOCASE",
    [W_MAIL_LINKS] = "DELETE FROM links WHERE email = ? COLLATE NOCASE",
    [W_MAIL_ALLOW] = "DELETE FROM stopped WHERE address = ?",
    [W_SECRET] = "INSERT OR IGNORE INTO secrets VALUES (?, ?)",
    [W_DEVICE] = "INSERT INTO devices VALUES (?, ?, ?) "
                 "ON CONFLICT (account, hash) "
                 "DO UPDATE SET used = CASE WHEN excluded.used > devices.used "
                 "THEN excluded.used ELSE devices.used END",
    [W_DEVICES_OLD] = "DELETE FROM devices WHERE account = ?1 AND hash NOT IN "
                      "(SELECT hash FROM devices WHERE account = ?1 "
                      "ORDER BY used DESC, hash LIMIT ?2)",
    [W_TOTP] = "INSERT OR REPLACE INTO totp VALUES (?, ?, ?, ?, 0, ?)",
    [W_TOTP_USE] = "UPDATE totp SET step = ?2, "
                   "confirmed = CASE confirmed WHEN 0 THEN ?4 "
                   "ELSE confirmed END "
                   "WHERE account = ?1 AND step < ?2 AND made = ?3 "
                   "AND removed = 0",
    [W_RECOVERY] = "INSERT OR IGNORE INTO recovery VALUES (?, ?)",
    [W_RECOVERY_USE] = "DELETE FROM recovery WHERE account = ? AND hash = ?",
    [W_TABLE] =
        "INSERT INTO tables (id, owner, game, created, private, rated, "
        "spectators, start_full, door, state, seats, now, clocked, head, "
        "ply) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,0,-1)",
    [W_DUE] = "UPDATE tables SET clocked = 1 WHERE number = ?",
    [W_SETUP] = "INSERT INTO setups VALUES (?,?,?,?,?,?,?)",
    [W_PLY] = "INSERT INTO log (number, before, ply, line, chain, now) "
              "VALUES (?,?,?,?,?,?)",
    [W_RESULT] = "UPDATE players SET place = ?3, points = ?4 "
                 "WHERE number = ?1 AND account = ?2",
    [W_STATISTICS] =
        "INSERT INTO statistics VALUES (?1, ?2, ?3, 1, ?4, ?5, ?6, ?7) "
        "ON CONFLICT (game, seats, seat) DO UPDATE "
        "SET games = statistics.games + 1, wins = statistics.wins + ?4, "
        "points = statistics.points + ?5, plies = statistics.plies + ?6, "
        "took = statistics.took + ?7",
    [W_RATING_OF] = "SELECT mean, variance FROM ratings "
                    "WHERE account = ? AND game = ? AND many = ?",
    [W_RATING] = "INSERT INTO ratings (account, game, many, mean, variance, "
                 "games, met, at, sure) VALUES (?1, ?2, ?3, ?4, ?5, 1, ?6, "
                 "?7, CASE WHEN ?5 <= ?8 AND ?6 >= ?9 THEN 1 ELSE 0 END) "
                 "ON CONFLICT (account, game, many) DO UPDATE SET mean = ?4, "
                 "variance = ?5, games = ratings.games + 1, "
                 "met = ratings.met + ?6, at = ?7, sure = CASE WHEN ?5 <= ?8 "
                 "AND ratings.met + ?6 >= ?9 THEN 1 ELSE 0 END",
    [W_PLAYER_RATING] = "UPDATE players SET mean = ?3, variance = ?4 "
                        "WHERE number = ?1 AND account = ?2",
    [W_PAIR_OF] = "SELECT met, at FROM pairs WHERE low = ? AND high = ? "
                  "AND game = ? AND many = ?",
    [W_PAIR] = "INSERT OR REPLACE INTO pairs VALUES (?,?,?,?,?,?)",
    [W_RATED] = "INSERT INTO rated (number) VALUES (?)",
    [W_RATED_LAST] = "SELECT coalesce(max(turn), 0) FROM rated",
    [W_RATINGS_NONE] = "DELETE FROM ratings",
    [W_PAIRS_NONE] = "DELETE FROM pairs",
    [W_RATINGS_GONE] = "DELETE FROM ratings WHERE account IN "
                       "(SELECT id FROM accounts WHERE kind = 2)",
    [W_PAIRS_GONE] = "DELETE FROM pairs WHERE low IN "
                     "(SELECT id FROM accounts WHERE kind = 2) OR high IN "
                     "(SELECT id FROM accounts WHERE kind = 2)",
    [W_ARCHIVED] = "INSERT INTO archived VALUES (?,?,?,?)",
    [W_MILESTONE] = "INSERT INTO milestones VALUES (?,?,?)",
    [W_MILESTONES_DROP] = "DELETE FROM milestones WHERE number = ?",
    [W_LOG_DROP] =
        "DELETE FROM log WHERE id IN (WITH RECURSIVE l (id, before) AS "
        "(SELECT id, before FROM log WHERE id = ?1 UNION ALL "
        "SELECT log.id, log.before FROM l JOIN log ON log.id = l.before) "
        "SELECT id FROM l)",
    [W_SET_ASIDE] =
        "UPDATE tables SET head = 0, ply = -1, state = 4 WHERE number = ?",
    [W_IS_ARCHIVED] =
        "SELECT count(*) FROM archived WHERE number = ? AND chain = ?",
    [W_UNARCHIVED] = "DELETE FROM archived WHERE number = ?",
    [W_INVITE] = "INSERT OR IGNORE INTO invites "
                 "(number, account, state, ended, seat, inviter, until) "
                 "VALUES (?,?,?,?,?,?,?)",
    [W_INVITE_DROP] = "DELETE FROM invites WHERE number = ? AND account = ?",
    [W_REMATCH] = "UPDATE tables SET rematch = ?2 WHERE number = ?1 "
                  "AND NOT EXISTS (WITH RECURSIVE " REMATCHES(
                      "t.number = ?1") "SELECT 1 FROM l WHERE state <> 3)",
    [W_RENAMED] = "DELETE FROM renames WHERE number = ? AND account = ?",
    [W_NAMED] = "INSERT INTO renames SELECT ?1, id, ?3 FROM accounts "
                "WHERE id = ?2 AND name IS DISTINCT FROM ?3 COLLATE BINARY",
    [W_KEY] = "INSERT INTO keys VALUES (?1,?2,?3,?4,?5) "
              "ON CONFLICT (account, method, key) DO UPDATE "
              "SET at = excluded.at, answer = excluded.answer "
              "WHERE keys.at <= ?6",
    [W_KEYS_OLD] =
        "DELETE FROM keys WHERE rowid IN "
        "(SELECT rowid FROM keys WHERE at <= ? ORDER BY at LIMIT 8)",
    [W_TEXT] = "INSERT INTO texts SELECT ?1, ?2, ?3, ?4, ?5, ?6, NULL "
               "WHERE ?2 = (SELECT coalesce(max(text), 0) + 1 "
               "FROM texts WHERE number = ?1)",
    [W_TEXT_DROP] = "UPDATE texts SET body = '', removed = ?3 "
                    "WHERE number = ?1 AND text = ?2 AND removed IS NULL",
    [W_MARK] =
        "INSERT INTO marks VALUES (?,?,?) ON CONFLICT (number, account) "
        "DO UPDATE SET text = CASE WHEN excluded.text > marks.text "
        "THEN excluded.text ELSE marks.text END",
    [W_NOTE] = "INSERT OR REPLACE INTO notes VALUES (?,?,?)",
    [W_NOTE_DROP] = "DELETE FROM notes WHERE number = ? AND account = ?",
    [W_STUDY] = "INSERT OR REPLACE INTO studies SELECT ?1, ?2, ?3 "
                "WHERE ?4 > (SELECT count(*) FROM studies "
                "WHERE account = ?2 AND number <> ?1) AND EXISTS (SELECT 1 "
                "FROM accounts WHERE id = ?2 AND kind <> 2)",
    [W_STUDY_DROP] = "DELETE FROM studies WHERE number = ? AND account = ?",
    [W_BLOCK] = "INSERT OR REPLACE INTO blocks SELECT ?1, ?2, ?3 "
                "WHERE ?4 > (SELECT count(*) FROM blocks "
                "WHERE account = ?1 AND other <> ?2) AND EXISTS (SELECT 1 "
                "FROM accounts WHERE id = ?1 AND kind <> 2)",
    [W_BLOCK_DROP] = "DELETE FROM blocks WHERE account = ? AND other = ?",
    [W_APART] = "SELECT (SELECT count(*) FROM blocks "
                "WHERE account = ?1 AND other = ?2) + (SELECT count(*) "
                "FROM blocks WHERE account = ?2 AND other = ?1) = 0",
    [W_NOTICE] = "INSERT OR REPLACE INTO notices VALUES (?,?,?,?,?,?,?,?)",
    [W_NOTICE_DROP] = "DELETE FROM notices WHERE number = ?",
    [W_TOLD] = "INSERT OR IGNORE INTO told VALUES (?,?)",
    [W_LOOKED] = "DELETE FROM told WHERE account = ? AND table_id = ?",
    [W_MESSAGE] = "INSERT OR REPLACE INTO messages VALUES (?,?,?,?,?,?,?,?,?)",
    [W_MESSAGE_DROP] = "DELETE FROM messages WHERE id = ?",
    [W_SENT] = "INSERT INTO sent (account, message, channel, way, at, result, "
               "body, said) VALUES (?,?,?,?,?,?,?,?)",
    [W_SENT_OLD] =
        "DELETE FROM sent WHERE number IN "
        "(SELECT number FROM sent WHERE at <= ? ORDER BY at LIMIT 8)",
    [W_WISHES] = "INSERT OR REPLACE INTO wishes VALUES (?,?,?,?,?,?,?,?)",
    [W_CHANNEL] =
        "INSERT OR REPLACE INTO channels VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
    [W_CHANNEL_DROP] = "DELETE FROM channels WHERE id = ? AND account = ?",
    [W_CHANNEL_MESSAGES] =
        "DELETE FROM messages WHERE account = ? AND channel = ?",
    [W_MUTED] = "INSERT OR IGNORE INTO muted VALUES (?,?)",
    [W_UNMUTED] = "DELETE FROM muted WHERE account = ? AND table_id = ?",
    [W_REMINDED] = "UPDATE reminded SET since = ?, until = ?, after = ? "
                   "WHERE one = 1",
    [W_SIGN] = "UPDATE sign SET at = ? WHERE one = 1",
    [W_OUTAGES_OLD] = "DELETE FROM outages WHERE ended <= ?1 OR began > ?2",
    [W_OUTAGE] = "INSERT OR REPLACE INTO outages VALUES (?,?)",
    [W_UNTOLD] = "INSERT OR IGNORE INTO untold SELECT number, ?1 FROM players "
                 "WHERE account = ?1 AND seat IS NOT NULL AND state < 2",
    [W_KNOWS] = "DELETE FROM untold WHERE number = ? AND account = ?",
    [W_TOLD_ALL] =
        "INSERT INTO untold SELECT ?1, ?2 WHERE ?3 <> coalesce((SELECT "
        "changed FROM hours WHERE account = ?2), 0) OR ?4 <> coalesce((SELECT "
        "changes FROM away WHERE account = ?2), 0)",
    [W_REQUIRE_TOLD] = "SELECT count(*) = 0 FROM untold WHERE number = ?",
    [W_ZONE] = "INSERT OR REPLACE INTO zones VALUES (?,?)",
    [W_ZONE_UNTOLD] =
        "INSERT OR IGNORE INTO untold SELECT p.number, p.account FROM hours h "
        "CROSS JOIN players p ON p.account = h.account WHERE h.zone = ? "
        "AND h.days <> 0 AND p.seat IS NOT NULL AND p.state < 2",
    [W_REMINDER] = "INSERT OR REPLACE INTO reminders VALUES (?,?,?,?,?,?)",
    [W_REMINDERS_DROP] = "DELETE FROM reminders WHERE number = ?",
    [W_ORDER] = "INSERT OR REPLACE INTO orders VALUES (?,?,?)",
    [W_ORDER_DROP] = "DELETE FROM orders WHERE number = ? AND account = ?",
    [W_ORDERS_DROP] = "DELETE FROM orders WHERE number = ?",
    [W_AWAY] = "INSERT INTO away SELECT ?1, ?3, ?2 + 1 WHERE ?2 = coalesce("
               "(SELECT changes FROM away WHERE account = ?1), 0) "
               "ON CONFLICT (account) DO UPDATE SET auto = excluded.auto, "
               "changes = excluded.changes",
    [W_ABSENCES_OLD] = "DELETE FROM absences WHERE account = ? "
                       "AND ended <= ?",
    [W_ABSENCE] = "INSERT OR REPLACE INTO absences VALUES (?,?,?,?,?)",
    [W_ABSENCE_DROP] = "DELETE FROM absences WHERE account = ? "
                       "AND began = ?",
    [W_EMPTY_NOTICES] = "DELETE FROM notices",
    [W_EMPTY_MESSAGES] = "DELETE FROM messages",
    [W_EMPTY_TOLD] = "DELETE FROM told",
    [W_EMPTY_LINKS] = "DELETE FROM links",
    [W_FORGET_MESSAGES] = "DELETE FROM messages WHERE account = ?",
    [W_FORGET_TOLD] = "DELETE FROM told WHERE account = ?",
    [W_FORGET_SENT] = "DELETE FROM sent WHERE account = ?",
    [W_FORGET_WISHES] = "DELETE FROM wishes WHERE account = ?",
    [W_FORGET_CHANNELS] = "DELETE FROM channels WHERE account = ?",
    [W_FORGET_MUTED] = "DELETE FROM muted WHERE account = ?",
    [W_CACHED_BY_ID] = "SELECT " HEAD_COLUMNS "FROM tables t WHERE id = ?",
    [W_CACHED_BY_NUMBER] = "SELECT " HEAD_COLUMNS "FROM tables t "
                           "WHERE number = ?",
    [W_SEATS] = "SELECT seat, account FROM players "
                "WHERE number = ? AND seat IS NOT NULL",
    [W_CHANGED] =
        "UPDATE tables SET head = ?2, ply = ?3, now = ?4, state = ?5, "
        "seats = ?6 WHERE number = ?1",
    [W_PLAYERS_STATE] =
        "UPDATE players SET state = ?2, ended = ?3 WHERE number = ?1",
    [W_INVITES_STATE] =
        "UPDATE invites SET state = ?2, ended = ?3 WHERE number = ?1",
    [W_SEATED] =
        "INSERT INTO players (number, account, seat, state, ended, private) "
        "SELECT number, ?4, ?5, ?2, ?3, private FROM tables "
        "WHERE number = ?1 ON CONFLICT (number, account) "
        "DO UPDATE SET seat = excluded.seat",
    [W_STOOD_UP] = "UPDATE players SET seat = NULL WHERE number = ?",
    [W_FLUSH] =
        "UPDATE tables SET head = ?2, ply = ?3, now = ?4 WHERE number = ?1",
    [W_FLUSHED] = "UPDATE state SET flushed = ?",
    [W_OPENED] =
        "UPDATE state SET flushed = ?, opened = opened + 1, running = 1",
    [W_SETTLED] = "UPDATE state SET restored = 0",
    [W_BACKED_UP] = "UPDATE state SET backup_at = ?, backup_bytes = ?",
    [W_ENDED] = "UPDATE state SET running = 0",
    [W_PAGES] = "PRAGMA page_count",
    [W_FREE] = "PRAGMA freelist_count",
    [W_STATE] = "SELECT flushed FROM state",
    [W_LAST] = "SELECT max(id) FROM log",
    [W_TAIL] = "SELECT id, number, before, ply, now, chain FROM log "
               "WHERE id > ? ORDER BY id",
};

/* ---- transactions ------------------------------------------------------- */

/* A transaction that is one append is judged before anything of it is written,
 * and needs nothing to go back to; nor do the notices that come of it. */
static bool lone(const struct transaction *u)
{
    const struct op *op = u->first;

    return op != NULL && op->kind == OP_PLIES &&
           (op->next == NULL ||
            (op->next->kind == OP_NOTICES && op->next->next == NULL));
}

/* *RET_OP is the op that did not hold, of a conflict. */
static enum outcome put_transaction(struct store *s,
                                    const struct transaction *u,
                                    const struct op **ret_op)
{
    struct writer *w = &s->writer;
    enum outcome outcome = DONE;
    bool save = !lone(u);
    uint64_t rows = w->rows;
    int64_t last_row = w->cache.last_row;

    if (s->engine->next != NULL)
        outcome = writer_judge(w, s->engine->next(s, u), BROKEN);
    if (save && outcome == DONE)
        outcome = writer_judge(w, sql_queue(&w->sql, W_SAVE, NO_ARGS), BROKEN);
    for (const struct op *op = u->first; op != NULL && outcome == DONE;
         op = op->next) {
        outcome = writer_op(s, op);
        *ret_op = op;
    }
    if (outcome == BROKEN)
        return outcome;
    if (outcome == DONE)
        cache_keep(s);
    else {
        cache_undo(s);
        if (s->engine->undo != NULL)
            s->engine->undo(s);
        w->rows = rows;
        w->cache.last_row = last_row;
        if (save &&
            writer_judge(w, sql_run(&w->sql, W_BACK, NO_ARGS), BROKEN) != DONE)
            return BROKEN;
    }
    if (save && writer_judge(w, sql_queue(&w->sql, W_RELEASE, NO_ARGS),
                             BROKEN) != DONE)
        return BROKEN;
    return outcome;
}

static int keep_backup(struct store *s)
{
    struct store_health h;

    store_health(s, &h);
    return sql_run(&s->writer.sql, W_BACKED_UP,
                   ARGS(INT_(h.backup_ms), INT_(h.backup_bytes)));
}

int sqlite_begin(struct store *s, const struct work_queue *batch)
{
    (void)batch;
    return sql_run(&s->writer.sql, W_BEGIN, NO_ARGS);
}

int sqlite_commit(struct store *s)
{
    struct writer *w = &s->writer;
    int rc = cache_flush(s, false, 256 + w->rows);

    if (rc == SQLITE_OK && w->settle)
        rc = sql_run(&w->sql, W_SETTLED, NO_ARGS);
    if (rc == SQLITE_OK && w->note_backup)
        rc = keep_backup(s);
    if (rc == SQLITE_OK)
        rc = sql_run(&w->sql, W_COMMIT, NO_ARGS);
    return rc;
}

/* Runs BATCH in one transaction of the database's; false, and why in writer.rc,
 * if it failed. */
static bool run(struct store *s, struct work_queue *batch)
{
    struct writer *w = &s->writer;
    static const enum transaction_result results[] = {
        [DONE] = TRANSACTION_STORED,
        [CONFLICT] = TRANSACTION_CONFLICT,
        [BUG] = TRANSACTION_FAILED,
    };

    w->rows = w->flushed = 0;
    w->shrunk = false;
    w->rc = s->engine->begin(s, batch);
    if (w->rc != SQLITE_OK)
        return false;
    for (struct work *at = batch->first; at != NULL; at = at->next) {
        struct transaction_work *u = (struct transaction_work *)at;
        const struct op *op = NULL;
        enum outcome outcome = put_transaction(s, &u->transaction, &op);
        if (outcome == BROKEN)
            return false;
        u->outcome.result = results[outcome];
        if (outcome == CONFLICT) {
            ASSERT(op != NULL);
            u->outcome.op = op->kind;
            u->outcome.table = op_table(op);
        }
        if (outcome == BUG)
            store_say(s, LOG_ERROR, "transaction %llu cannot be stored: %s",
                      (unsigned long long)at->id, w->why);
    }
    w->rc = s->engine->commit(s);
    return w->rc == SQLITE_OK;
}

/* ---- failing and mending ----------------------------------------------- */

static int on_wal(void *store, sqlite3 *db, const char *name, int frames)
{
    struct store *s = store;
    (void)db;
    (void)name;
    s->writer.wal_frames = frames;
    return SQLITE_OK;
}

int sqlite_open_writer(struct store *s)
{
    struct writer *w = &s->writer;
    int rc = store_file_connect(s, &w->sql, true);

    if (rc == SQLITE_OK)
        sqlite3_wal_hook(w->sql.db, on_wal, s);
    if (rc == SQLITE_OK)
        rc = cache_derive(s);
    if (rc == SQLITE_OK)
        rc = sql_run(&w->sql, W_BEGIN, NO_ARGS);
    if (rc == SQLITE_OK) {
        /* Whatever the cached tables need, and something in any case, so that
         * a disk that does not write is noticed here.  It must be something
         * new: SQLite does not write what is there already. */
        rc = cache_flush(s, true, 0);
        if (rc == SQLITE_OK)
            rc = sql_run(&w->sql, W_OPENED, ARGS(INT_(w->cache.flushed)));
        if (rc == SQLITE_OK)
            rc = sql_run(&w->sql, W_COMMIT, NO_ARGS);
    }
    if (rc != SQLITE_OK)
        sql_close(&w->sql);
    return rc;
}

/* How large the file is, when it may have changed much. */
static void measure(struct store *s)
{
    struct sql *sql = &s->writer.sql;
    int64_t pages = 0, holes = 0;

    if (sql_number(sql, W_PAGES, NO_ARGS, 0, &pages) != SQLITE_OK ||
        sql_number(sql, W_FREE, NO_ARGS, 0, &holes) != SQLITE_OK)
        return;
    store_lock(s);
    s->stats.file_bytes = (uint64_t)pages * PAGE_BYTES;
    s->stats.free_bytes = (uint64_t)holes * PAGE_BYTES;
    store_unlock(s);
}

/* WHY is told when it breaks, and again when it is another reason. */
static void trouble(struct store *s, int rc, const char *what, const char *why)
{
    struct writer *w = &s->writer;

    store_notice(s, rc, what);
    if (!w->broken || strcmp(w->said, why) != 0)
        store_say(s, LOG_ERROR, "the store cannot write: %s (%d, %s)", why, rc,
                  what);
    snprintf(w->said, sizeof(w->said), "%s", why);
    w->pause_us = w->pause_us > 0 ? 2 * w->pause_us : 10000;
    if (w->pause_us > s->config.retry_ms_max * 1000)
        w->pause_us = s->config.retry_ms_max * 1000;
    w->broken = true;
    w->retry_us = store_now_us() + w->pause_us;
}

/* Opens the file anew and learns what is true.  The other connections stay
 * open, so this is not taken for the last one, which would checkpoint. */
static bool mend(struct store *s)
{
    struct writer *w = &s->writer;

    if (s->engine->file && store_files_moved(s))
        return false; /* it would open another one */
    sql_close(&w->sql);
    int rc = s->engine->open_writer(s);
    if (rc != SQLITE_OK) {
        trouble(s, rc, "opening it anew",
                s->postgresql != NULL ? s->postgresql->why
                                      : sqlite3_errstr(rc));
        return false;
    }
    w->broken = false;
    store_say(s, LOG_NOTICE, "the store writes again");
    return true;
}

/* ---- the thread ------------------------------------------------------- */

static void count(struct store *s, const struct work_queue *batch, bool good,
                  int64_t us)
{
    struct store_stats *c = &s->stats;

    if (good) {
        c->commits++;
        c->plies += s->writer.rows;
        c->flushed += s->writer.flushed;
        store_count(c->batch, batch->count);
        store_count(c->commit_us, (uint64_t)us);
        c->commit_us_sum += (uint64_t)us;
    } else
        c->commits_failed++;
    /* Damage may have been found while the batch was under way. */
    c->writable = !s->writer.broken && s->health.damage[0] == '\0';
}

/* Tells what became of BATCH, and lets those go on who waited for it. */
static void report(struct store *s, struct work_queue *batch, bool good,
                   int64_t us)
{
    struct work *w;
    bool wake = false;
    uint64_t n = batch->count;

    store_lock(s);
    count(s, batch, good, us);
    if (good)
        cache_stored(s);
    while ((w = work_take(batch)) != NULL) {
        struct transaction_work *u = (struct transaction_work *)w;
        if (!good)
            u->outcome.result = TRANSACTION_FAILED;
        s->stats.transactions_stored += u->outcome.result ==
                                        TRANSACTION_STORED;
        s->stats.transactions_conflict += u->outcome.result ==
                                          TRANSACTION_CONFLICT;
        s->stats.transactions_failed += u->outcome.result ==
                                        TRANSACTION_FAILED;
        wake |= store_done(s, w);
    }
    s->decided += n;
    s->writer_busy = false;
    if (store_next_asks(s) != NULL)
        pthread_cond_broadcast(&s->readers_wake);
    if (s->hold)
        pthread_cond_signal(&s->checkpointer_wakes);
    if (good && s->writer.settle)
        s->settle = s->restored = false;
    if (good && s->writer.note_backup)
        s->note_backup = false;
    store_unlock(s);
    if (wake)
        s->owner.wake(s->owner.context);
}

/* When to stop waiting for transactions, on the clock of store_now_us(); false
 * if never. */
static bool alarm_at(const struct store *s, int64_t *ret_us)
{
    int64_t ms;

    if (s->health.damage[0] != '\0')
        return false; /* there will be nothing to write */
    if (s->writer.broken) {
        *ret_us = s->writer.retry_us;
        return true;
    }
    cache_due(s, 0, &ms);
    if (s->writer.cache.oldest == NULL)
        return false;
    *ret_us = ms * 1000;
    return true;
}

/* Waits for something to do.  Takes the transactions; false if there is
 * nothing more to come. */
static bool wait(struct store *s, struct work_queue *batch)
{
    int64_t at_us = 0;

    store_lock(s);
    bool alarmed = alarm_at(s, &at_us);
    struct timespec at = {.tv_sec = at_us / 1000000,
                          .tv_nsec = at_us % 1000000 * 1000};
    for (;;) {
        if (s->hold || (s->checkpoint &&
                        s->wal_frames > 4 * s->config.wal_bytes / 4096)) {
            pthread_cond_wait(&s->writer_wakes, &s->lock);
            continue;
        }
        if (s->transactions.count > 0 || s->closing || s->vacuum ||
            ((s->settle || s->note_backup) && !s->writer.broken))
            break;
        if (!alarmed)
            pthread_cond_wait(&s->writer_wakes, &s->lock);
        else if (store_now_us() >= at_us)
            break;
        else
            pthread_cond_timedwait(&s->writer_wakes, &s->lock, &at);
    }
    while (batch->count < s->config.batch_max && s->transactions.count > 0)
        work_put(batch, work_take(&s->transactions));
    bool more = batch->count > 0 || !s->closing;
    s->writer_busy = more;
    s->writer.settle = s->settle && s->transactions.count == 0;
    s->writer.note_backup = s->note_backup;
    store_unlock(s);
    return more;
}

static void turn(struct store *s, struct work_queue *batch)
{
    struct writer *w = &s->writer;
    int64_t begin_us = store_now_us();

    w->now_ms = begin_us / 1000;
    bool hurt = store_hurt(s);
    w->broken |= hurt;
    bool good = !w->broken || (!hurt && begin_us >= w->retry_us && mend(s));
    if (good) {
        good = run(s, batch);
        if (!good) {
            /* What it had changed is nowhere; mend() derives what is. */
            trouble(s, w->rc, "committing", sql_why(&w->sql, w->rc));
            sql_run(&w->sql, W_ROLLBACK, NO_ARGS);
        }
        if (s->engine->end != NULL)
            s->engine->end(s);
    }
    report(s, batch, good, store_now_us() - begin_us);
    if (good) {
        w->pause_us = 0;
        store_wal(s, w->wal_frames);
        cache_trim(s);
        if (w->flushed > 0 || w->shrunk)
            measure(s);
    }
}

void *store_writer(void *store)
{
    struct store *s = store;
    struct work_queue batch = {.end = &batch.first};

    measure(s);
    while (wait(s, &batch)) {
        turn(s, &batch);
        if (s->vacuum) { /* set by others; if late, then next time */
            store_run_vacuum(s);
            measure(s);
        }
    }
    if (s->vacuum)
        store_run_vacuum(s);
    return NULL;
}

/* Writes what was to be written later, and that the end was orderly.  If that
 * fails, the next start will. */
void sqlite_close_writer(struct store *s)
{
    struct sql *sql = &s->writer.sql;

    if (sql->db != NULL && sql_run(sql, W_BEGIN, NO_ARGS) == SQLITE_OK &&
        cache_flush(s, true, 0) == SQLITE_OK &&
        sql_run(sql, W_ENDED, NO_ARGS) == SQLITE_OK)
        sql_run(sql, W_COMMIT, NO_ARGS);
}

void writer_close(struct store *s)
{
    struct writer *w = &s->writer;

    if (!w->broken && !store_hurt(s) && s->engine->close_writer != NULL)
        s->engine->close_writer(s);
    sql_close(&w->sql);
    cache_done(&w->cache);
    free(w->undo);
    w->undo = NULL;
}
