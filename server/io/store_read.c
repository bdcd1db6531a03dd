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
    " AND ?3 >> " state " & 1 AND t.number < ?1 "
#define ARMS(from) \
    ARM(from, "0") \
    UNION ARM(from, "1") UNION ARM(from, "2") UNION ARM(from, "3") UNION ARM( \
        from, "4")
#define OWNS(state, more) \
    "SELECT t.number FROM tables t WHERE t.owner = ?2 AND t.state = " state \
    " AND ?3 >> " state " & 1 AND t.number < ?1 " more
/* What ?2 made; where they sit, and where they are invited to. */
#define OWN(more) \
    OWNS("0", more) \
    UNION OWNS("1", more) \
    UNION OWNS("2", more) \
    UNION OWNS("3", more) \
    UNION OWNS("4", more)
#define BELONGS(sits, invited) \
    "SELECT p.number FROM players p WHERE p.account = ?2 AND p.number < ?1 " \
    "AND p.seat IS NOT NULL AND ?3 >> p.state & 1 " sits \
    "UNION SELECT i.number FROM invites i WHERE i.account = ?2 " \
    "AND i.number < ?1 AND ?3 >> i.state & 1 " invited
#define OF_GAME(x) \
    "AND EXISTS (SELECT 1 FROM tables t WHERE t.number = " x ".number " \
    "AND t.game = ?5) "
#define NEWEST "ORDER BY 1 DESC LIMIT ?4"

/* One's own, by state; what lists show of them comes from the writer. */
#define MINE(where) \
    "SELECT t.number, t.id, t.state, t.now, t.ply, p.seat, p.ended " \
    "FROM players p CROSS JOIN tables t ON t.number = p.number " \
    "WHERE p.account = ?1 AND p.state = ?2 AND p.seat IS NOT NULL " where

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
    [R_LINK] = "SELECT " LINK_COLUMNS " FROM links l WHERE l.hash = ?",
    [R_LINKS] = "SELECT " LINK_COLUMNS " FROM links l WHERE l.purpose = ?1 "
                "AND l.id > ?2 ORDER BY l.id LIMIT ?3",
    [R_TABLE] =
        "SELECT " TABLE_COLUMNS ", s.seed, s.header, s.asset "
        "FROM tables t JOIN setups s ON s.number = t.number WHERE t.id = ?",
    [R_TABLE_NUMBER] = "SELECT number FROM tables WHERE id = ?",
    [R_LISTED] = "SELECT " TABLE_COLUMNS ", j.key, EXISTS (SELECT 1 "
                 "FROM invites i WHERE i.number = t.number "
                 "AND i.account = ?2) FROM json_each(?1) j "
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
        "AND x.author <> ?2 GROUP BY j.key",
    [R_PLY] = "SELECT number, before, ply, line, chain FROM log WHERE id = ?",
    [R_SEATS] = "SELECT seat, account FROM players "
                "WHERE number = ? AND seat IS NOT NULL",
    [R_NAMES] = "SELECT " ACCOUNT_COLUMNS " FROM accounts a WHERE a.id IN "
                "(SELECT account FROM players WHERE number = ?1 UNION "
                "SELECT account FROM invites WHERE number = ?1 UNION "
                "SELECT owner FROM tables WHERE number = ?1)",
    [R_INVITED] = "SELECT account FROM invites WHERE number = ?",
    [R_TEXTS_LAST] = "SELECT max(text) FROM texts WHERE number = ?",
    [R_KEY] = "SELECT answer FROM keys WHERE account = ? AND method = ? "
              "AND key = ? AND at > ?",
    [R_TEXTS] = "SELECT x.text, x.author, x.at, iif(x.removed, NULL, x.body), "
                "a.name, x.room FROM texts x "
                "LEFT JOIN accounts a ON a.id = x.author "
                "WHERE x.number = ?1 AND (?2 = 2 OR x.room = ?2) "
                "AND x.text < ?3 ORDER BY x.text DESC LIMIT ?4",
    [R_MARK] = "SELECT text FROM marks WHERE number = ? AND account = ?",
    [R_RENAMES] = "SELECT DISTINCT t.id FROM renames r "
                  "CROSS JOIN tables t ON t.number = r.number LIMIT ?",
    [R_RENAMED] = "SELECT account, was FROM renames WHERE number = ?",
    [R_GUESTS] = "SELECT " ACCOUNT_COLUMNS " FROM accounts a "
                 "INDEXED BY accounts_guests WHERE kind = 1 AND seen <= ?1 "
                 "AND NOT EXISTS (SELECT 1 FROM players p "
                 "WHERE p.account = a.id AND p.state = 1 "
                 "AND p.seat IS NOT NULL) AND (seen, id) > (?3, ?4) "
                 "ORDER BY seen, id LIMIT ?2",
    [R_NOTE] = "SELECT body FROM notes WHERE number = ? AND account = ?",
    [R_MINE] = MINE(""),
    [R_MINE_ENDED] = MINE("AND p.ended > ?3 AND p.ended <= ?4 "
                          "ORDER BY p.ended DESC"),
    [R_MINE_INVITED] =
        "SELECT t.number, t.id, t.state, t.now, t.ply, NULL, 0 "
        "FROM invites i CROSS JOIN tables t ON t.number = i.number "
        "WHERE i.account = ?1 AND i.state = 0 AND NOT EXISTS "
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
        "t.game FROM players p JOIN tables t ON t.number = p.number "
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
    [R_PERSON + PERSON_MARKS] =
        "SELECT t.id, m.text FROM marks m "
        "JOIN tables t ON t.number = m.number WHERE m.account = ?1 "
        "ORDER BY m.number LIMIT ?2 OFFSET ?3",
    [R_PERSON +
        PERSON_KEYS] = "SELECT k.method, k.key, k.at FROM keys k "
                       "WHERE k.account = ?1 ORDER BY k.at LIMIT ?2 OFFSET ?3",
    [R_PERSON +
        PERSON_LINKS] = "SELECT purpose, made, expires, uses FROM links "
                        "WHERE account = ?1 ORDER BY made LIMIT ?2 OFFSET ?3",
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
    [R_TABLES] = ARMS("tables_state WHERE 1") NEWEST,
    [R_TABLES_GAME] = ARMS("tables_game_state WHERE t.game = ?5") NEWEST,
    [R_TABLES_SEEN] = ARMS("tables_public WHERE t.private = 0") UNION OWN("")
        UNION BELONGS("", "") NEWEST,
    [R_TABLES_SEEN_GAME] = ARMS(
        "tables_public_game WHERE t.private = 0 AND t.game = ?5")
        UNION OWN("AND t.game = ?5 ") UNION BELONGS(OF_GAME("p"), OF_GAME("i"))
            NEWEST,
    [R_TABLES_MINE] = BELONGS("", "") NEWEST,
    [R_TABLES_MINE_GAME] = BELONGS(OF_GAME("p"), OF_GAME("i")) NEWEST,
};

/* ---- columns ---------------------------------------------------------- */

const char *column_text(struct reader *r, sqlite3_stmt *stmt, int at)
{
    const unsigned char *text = sqlite3_column_text(stmt, at);

    if (text == NULL)
        return NULL;
    return region_text(r->region, (const char *)text,
                       (size_t)sqlite3_column_bytes(stmt, at));
}

id_num column_id(sqlite3_stmt *stmt, int at)
{
    return (id_num)sqlite3_column_int64(stmt, at);
}

const char *column_word(struct reader *r, sqlite3_stmt *stmt, int at)
{
    const char *text = column_text(r, stmt, at);
    return text != NULL ? text : "";
}

void reader_table(struct reader *r, sqlite3_stmt *stmt, struct table_row *t,
                  int64_t *ret_number, struct log_tip *ret_tip)
{
    *t = (struct table_row){
        .id = column_id(stmt, 0),
        .owner = column_id(stmt, 1),
        .game = column_word(r, stmt, 2),
        .created = sqlite3_column_int64(stmt, 3),
        .private_ = sqlite3_column_int(stmt, 4) != 0,
        .rated = sqlite3_column_int(stmt, 5) != 0,
        .spectators = sqlite3_column_int(stmt, 6) != 0,
        .start_full = sqlite3_column_int(stmt, 7) != 0,
        .join_password = column_text(r, stmt, 8),
        .options = column_word(r, stmt, 15),
        .board = column_text(r, stmt, 16),
        .summary =
            {
                .state = (uint8_t)sqlite3_column_int(stmt, 9),
                .seats = (uint8_t)sqlite3_column_int(stmt, 10),
            },
    };
    *ret_number = sqlite3_column_int64(stmt, 12);
    const void *packed = sqlite3_column_blob(stmt, 11);
    summary_unpack(&t->summary, packed,
                   (size_t)sqlite3_column_bytes(stmt, 11));
    *ret_tip = (struct log_tip){
        .row = sqlite3_column_int64(stmt, 13),
        .ply = sqlite3_column_int64(stmt, 14),
    };
    t->summary.ply = (uint32_t)(ret_tip->ply < 0 ? 0 : ret_tip->ply);
}

int reader_seats(struct reader *r, int64_t number, struct summary *summary)
{
    sqlite3_stmt *stmt = sql_begin(r->sql, R_SEATS, ARGS(INT_(number)));

    if (stmt == NULL)
        return sqlite3_extended_errcode(r->sql->db);
    int rc;
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        int64_t seat = sqlite3_column_int64(stmt, 0);
        if (seat >= 0 && seat < RULES_SEATS_MAX)
            summary->seat[seat] = column_id(stmt, 1);
    }
    sqlite3_reset(stmt);
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
    case ASK_ACCOUNTS:
    case ASK_SESSIONS:
    case ASK_LINKS:
    case ASK_PERSON:
    case ASK_AUDIT:
    case ASK_PRUNE:
    case ASK_SIZES: return reader_admin(r);
    default: return reader_one(r, known);
    }
}

/* Makes the answer once; *RET_AGAIN if cached tables were forgotten
 * meanwhile. */
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
    int rc = sql_run(r->sql, R_BEGIN, NO_ARGS);
    if (rc == SQLITE_OK)
        rc = ask_kind(r, is_known ? &known : NULL);
    if (!sqlite3_get_autocommit(r->sql->db))
        sql_run(r->sql, R_END, NO_ARGS);
    store_lock(s);
    *ret_again = s->forgotten != forgotten &&
                 (q->kind == ASK_TABLES || q->kind == ASK_MINE);
    store_unlock(s);
    return rc;
}

static void answer(struct reader *r)
{
    struct answer *a = &r->ask->answer;
    bool again = true;
    int rc = SQLITE_OK;

    r->region = &a->region;
    for (int tries = 0; again && tries < 8; tries++) {
        answer_done(a);
        r->gone = false;
        rc = attempt(r, &again);
    }
    if (rc == SQLITE_OK && !r->gone)
        return;
    if (r->gone)
        store_say(r->store, LOG_ERROR, "the log of table %llu is not whole",
                  (unsigned long long)r->ask->question.u.table.id);
    else
        store_say(r->store, LOG_ERROR, "the store cannot read: %s (%d)",
                  sqlite3_errstr(rc), rc);
    store_notice(r->store, rc, "reading");
    answer_done(a);
    a->failed = true;
}

/* Waits for a question whose turn it is; NULL at the end. */
static struct work *wait(struct store *s)
{
    while (s->asks.first == NULL || s->asks.first->after > s->decided) {
        if (s->asks.first == NULL && s->readers_stop)
            return NULL;
        pthread_cond_wait(&s->readers_wake, &s->lock);
    }
    return work_take(&s->asks);
}

int reader_connect(struct store *s, struct sql *sql)
{
    return store_file_connect(s, sql, false, reader_texts, READER_STATEMENTS);
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
