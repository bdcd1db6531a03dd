/* store_pq_texts.c -- statements that are others on PostgreSQL than in SQLite.
 *
 * All that is not here is as store_write.c and store_read.c have it, but for what
 * pq_translate() spells differently.  Whoever changes one there changes it here,
 * too: tests/io/test_store_postgresql.c runs each of them through PostgreSQL. */

#include "store_inner.h"

#define HEAD_COLUMNS \
    "t.id, t.number, t.ply + 1, t.ply, t.state, t.seats, t.now, t.tip "
/* In place of the row that has the same key. */
#define REPLACE(table, columns, key, values, sets) \
    "INSERT INTO " table " (" columns ") " values " ON CONFLICT (" key ") " \
    "DO UPDATE SET " sets
#define SET(column) column " = excluded." column
/* What is counted must stay as it is until the transaction ends. */
#define COUNT_LOCKED(from) \
    "SELECT count(*) FROM (SELECT 1 FROM " from " FOR SHARE) found"

const struct pq_text pq_writer_texts[WRITER_STATEMENTS] = {
    [W_BEGIN] = {"BEGIN"},
    [W_REQUIRE_ACCOUNT] = {COUNT_LOCKED(
        "accounts WHERE id = $1 AND kind = $2 AND password "
        "IS NOT DISTINCT FROM $3 AND banned_until = $4")},
    [W_REQUIRE_TOKEN] = {COUNT_LOCKED(
        "tokens WHERE id = $1 AND account = $2")},
    [W_GUEST_LINKS] =
        {"DELETE FROM links WHERE account = $1 OR lower(email) = "
         "(SELECT lower(email) FROM accounts WHERE id = $1 "
         "AND email_confirmed <> 0)"},
    [W_LINKS_DROP_EMAIL] =
        {"DELETE FROM links WHERE lower(email) = lower($1 COLLATE \"C\") "
         "AND purpose = $2 AND id <> $3 AND ($4 = 0 OR made < $4)"},
    [W_EMAIL_CONFIRM] =
        {"UPDATE accounts SET email = $2, email_confirmed = $3, "
         "email_pending = NULL WHERE id = $1 AND kind = 0 "
         "AND CASE WHEN email_confirmed <> 0 THEN email_pending "
         "ELSE email END = $2 "
         "AND (SELECT count(*) FROM accounts WHERE email_confirmed <> 0 "
         "AND lower(email) = lower($2 COLLATE \"C\")) < $4 "
         "AND NOT EXISTS (SELECT 1 FROM stopped WHERE address = $5)"},
    [W_MAIL_STOPPED] =
        {"UPDATE accounts SET email_confirmed = 0, email_pending = NULL "
         "WHERE email_confirmed <> 0 "
         "AND lower(email) = lower($1 COLLATE \"C\")"},
    [W_MAIL_LINKS] =
        {"DELETE FROM links WHERE lower(email) = lower($1 COLLATE \"C\")"},
    [W_TOTP] = {REPLACE(
        "totp", "account, key, made, confirmed, step, removed", "account",
        "VALUES ($1, $2, $3, $4, 0, $5)",
        SET("key") ", " SET("made") ", " SET("confirmed") ", " SET(
            "step") ", " SET("removed"))},
    [W_TABLE] =
        {"INSERT INTO tables (id, owner, game, created, private, rated, "
         "spectators, start_full, door, state, seats, now, clocked, ply) "
         "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, -1) "
         "RETURNING number"},
    [W_PAIR] = {REPLACE("pairs", "low, high, game, many, met, at",
                        "low, high, game, many",
                        "VALUES ($1, $2, $3, $4, $5, $6)",
                        SET("met") ", " SET("at"))},
    [W_LOG_DROP] = {"DELETE FROM log WHERE number = $1"},
    [W_SET_ASIDE] = {"UPDATE tables SET tip = NULL, ply = -1, state = 4 "
                     "WHERE number = $1"},
    [W_KEYS_OLD] = {"DELETE FROM keys WHERE ctid = ANY (ARRAY(SELECT ctid "
                    "FROM keys WHERE at <= $1 ORDER BY at LIMIT 8 "
                    "FOR UPDATE SKIP LOCKED))"},
    [W_NOTE] = {REPLACE("notes", "number, account, body", "number, account",
                        "VALUES ($1, $2, $3)", SET("body"))},
    [W_STUDY] = {REPLACE(
        "studies", "number, account, body", "number, account",
        "SELECT $1, $2, $3 WHERE $4 > (SELECT count(*) FROM studies "
        "WHERE account = $2 AND number <> $1) AND EXISTS (SELECT 1 "
        "FROM accounts WHERE id = $2 AND kind <> 2)",
        SET("body"))},
    [W_BLOCK] = {REPLACE(
        "blocks", "account, other, at", "account, other",
        "SELECT $1, $2, $3 WHERE $4 > (SELECT count(*) FROM blocks "
        "WHERE account = $1 AND other <> $2) AND EXISTS (SELECT 1 "
        "FROM accounts WHERE id = $1 AND kind <> 2)",
        SET("at"))},
    [W_NOTICE] = {REPLACE(
        "notices", "number, account, kind, table_id, ply, maker, at, detail",
        "number", "VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        SET("account") ", " SET("kind") ", " SET("table_id") ", " SET(
            "ply") ", " SET("maker") ", " SET("at") ", " SET("detail"))},
    [W_MESSAGE] = {REPLACE(
        "messages",
        "id, account, channel, way, made, due, failing, tries, body", "id",
        "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        SET("account") ", " SET("channel") ", " SET("way") ", " SET("made") ", " SET(
            "due") ", " SET("failing") ", " SET("tries") ", " SET("body"))},
    [W_WISHES] = {REPLACE(
        "wishes",
        "account, wait, at_once, digest, digest_at, language, day, strangers",
        "account", "VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        SET("wait") ", " SET("at_once") ", " SET("digest") ", " SET(
            "digest_at") ", " SET("language") ", " SET("day") ", " SET("strangers"))},
    [W_CHANNEL] = {REPLACE(
        "channels",
        "id, account, way, form, state, kinds, made, changed, label, target, "
        "secret, why",
        "id", "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        SET("account") ", " SET("way") ", " SET("form") ", " SET("state") ", " SET("kinds") ", " SET("made") ", " SET(
            "changed") ", " SET("label") ", " SET("target") ", " SET("secret") ", " SET("why"))},
    [W_OUTAGE] = {REPLACE("outages", "began, ended", "began",
                          "VALUES ($1, $2)", SET("ended"))},
    [W_ZONE] = {REPLACE("zones", "name, offsets", "name", "VALUES ($1, $2)",
                        SET("offsets"))},
    [W_REMINDER] = {REPLACE(
        "reminders", "number, account, turn, stage, ply, next",
        "number, account", "VALUES ($1, $2, $3, $4, $5, $6)",
        SET("turn") ", " SET("stage") ", " SET("ply") ", " SET("next"))},
    [W_ORDER] = {REPLACE("orders", "number, account, body", "number, account",
                         "VALUES ($1, $2, $3)", SET("body"))},
    [W_ABSENCE] = {REPLACE("absences", "account, began, ended, auto, begun",
                           "account, began", "VALUES ($1, $2, $3, $4, $5)",
                           SET("ended") ", " SET("auto") ", " SET("begun"))},
    [W_CACHED_BY_ID] = {"SELECT " HEAD_COLUMNS "FROM tables t WHERE id = $1 "
                        "FOR NO KEY UPDATE"},
    [W_PAGES] = {"SELECT pg_database_size(current_database()) / 4096"},
    [W_FREE] = {"SELECT 0::bigint"},
    [W_JUDGE] = {"SELECT " HEAD_COLUMNS "FROM tables t WHERE id = ANY ($1) "
                 "ORDER BY id FOR NO KEY UPDATE"},
    [W_JUDGE_SEATS] = {"SELECT t.id, p.seat, p.account FROM tables t "
                       "JOIN players p ON p.number = t.number "
                       "WHERE t.id = ANY ($1) AND p.seat IS NOT NULL"},
    [W_LOG_APPEND] = {"INSERT INTO log (number, ply, line, chain) "
                      "SELECT * FROM unnest($1, $2, $3, $4)"},
    [W_TIPS] = {"UPDATE tables t SET ply = u.ply, tip = u.tip, now = u.now, "
                "state = u.state, seats = u.seats "
                "FROM unnest($1, $2, $3, $4, $5, $6) "
                "u (number, ply, tip, now, state, seats) "
                "WHERE t.number = u.number"},
    [W_TURN] = {"SELECT pg_advisory_xact_lock(-1, $1::int)"},
    [W_NEWS] = {"INSERT INTO news (at, lines) VALUES ((extract(epoch FROM "
                "clock_timestamp()) * 1000)::bigint, $1)"},
    [W_NEWS_OLD] = {"DELETE FROM news WHERE at < (extract(epoch FROM "
                    "now()) * 1000)::bigint - $1 "
                    "AND number <> (SELECT max(number) FROM news)"},
    [W_NOTIFY] = {"SELECT set_config('synchronous_commit', 'off', true), "
                  "pg_notify('sobremesa', $1)"},
};

const struct pq_text pq_reader_texts[READER_STATEMENTS] = {
    [R_BEGIN] = {"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"},
    [R_ACCOUNT_NAME] = {"SELECT " ACCOUNT_COLUMNS " FROM accounts a WHERE "
                        "lower(name) = lower($1 COLLATE \"C\") AND kind <> 2"},
    [R_EMAIL] = {"SELECT " ACCOUNT_COLUMNS " FROM accounts a "
                 "WHERE a.email_confirmed <> 0 AND a.password IS NOT NULL "
                 "AND lower(a.email) = lower($1 COLLATE \"C\") ORDER BY a.id"},
    [R_EMAIL_EXACT] =
        {"SELECT " ACCOUNT_COLUMNS " FROM accounts a "
         "WHERE a.email_confirmed <> 0 AND a.password IS NOT NULL "
         "AND lower(a.email) = lower($1 COLLATE \"C\") AND a.email = $1 "
         "ORDER BY a.id"},
    [R_LISTED_UNREAD] =
        {"SELECT (j.value ->> 0)::bigint, count(*) "
         "FROM jsonb_array_elements($1::jsonb) j JOIN texts x "
         "ON x.number = (j.value ->> 1)::bigint "
         "AND x.text > (j.value ->> 2)::bigint "
         "WHERE x.room <= (j.value ->> 3)::bigint AND x.author <> $2 "
         "AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.account = $2 "
         "AND b.other = x.author) GROUP BY 1"},
    [R_LOG] = {"SELECT ply, line, chain FROM log "
               "WHERE number = $1 AND ply >= $2 AND ply < $3 ORDER BY ply"},
    [R_ACCOUNTS] = {"SELECT " ACCOUNT_COLUMNS " FROM accounts a "
                    "WHERE a.kind <> 2 "
                    "AND lower(a.name) > lower($1 COLLATE \"C\") "
                    "AND ($2 < 0 OR a.kind = $2) "
                    "AND ($3 = 0 OR a.banned_until > $3) "
                    "ORDER BY lower(a.name) LIMIT $4"},
    [R_NEWS_LAST] = {"SELECT coalesce(max(number), 0) FROM news"},
    [R_NEWS_FIRST] = {"SELECT coalesce(min(number), 0) FROM news"},
    [R_NEWS] = {"SELECT number, lines FROM news WHERE number > $1 "
                "ORDER BY number LIMIT $2"},
};
