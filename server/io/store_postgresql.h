/* store_postgresql.h -- the store that is a database of a PostgreSQL server.
 *
 * It does what every store does (store.h).  One process has it for itself, or
 * several have it together, each by a name of its own (store_config.node).
 *
 * - The writer takes all transactions that wait.  It locks the rows of the tables
 *   that they are about, in one order, and judges by them; what is refused is
 *   taken back by itself; then it writes the plies of all of them and where their
 *   logs end in two statements, and COMMIT, and only then reports.
 * - If the connection breaks the batch is TRANSACTION_FAILED.  A new one is tried
 *   at growing intervals.  Where a COMMIT got no answer questions fail, too,
 *   until the server has let go of the old connection: before that nobody knows
 *   what is true.
 * - Questions have connections of their own, which are made anew as needed.
 * - Several write one at a time.  What their transactions say to others (`news`)
 *   ASK_NEWS tells in the order of the commits, and store_owner.news() that there
 *   may be some: after each batch of somebody else that had any, and when it could
 *   not be heard for a while.  Whoever has it for itself says and hears nothing.
 *
 * Copies, and looking whether it is whole, are PostgreSQL's own affair:
 * store_backup(), store_vacuum() and store_check() refuse. */

#ifndef SERVER_IO_STORE_POSTGRESQL_H
#define SERVER_IO_STORE_POSTGRESQL_H

#include "store_sqlite.h"

/* Opens the store in the database that URL names ("postgresql://..."; see libpq's
 * documentation) and brings an older one up to date; an empty database becomes
 * one.  Of CONFIG what is about files counts for nothing.  As store_open(): -EBUSY
 * if another process has it, or others that have it together are in the way of
 * bringing it up to date, -EPROTO if it is newer or cannot be used, -EIO for the
 * rest. */
int store_postgresql_open(const char *url, const struct store_config *config,
                          const struct store_owner *owner,
                          struct store **ret_store, char *error, size_t size);

#endif
