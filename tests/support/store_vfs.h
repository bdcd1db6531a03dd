/* store_vfs.h -- a disk that fails when it is told to.
 *
 * A layer over SQLite's own, for all connections of the process opened after
 * store_vfs_install().  Any thread may be in it. */

#ifndef TESTS_SUPPORT_STORE_VFS_H
#define TESTS_SUPPORT_STORE_VFS_H

#include <stdbool.h>

enum store_fault {
    FAULT_NONE,
    FAULT_SYNC,
    FAULT_WRITE,
    FAULT_FULL,
    FAULT_BLANK,
    FAULT_KILL
};

void store_vfs_install(void);

/* From now on the NTH (1 is the next) sync, or write, and REPEAT - 1 after it
 * fail: SYNC with an I/O error, WRITE with one after half of it was written,
 * FULL because there is no space; BLANK says that it was done, and zeros are
 * written; KILL ends the process before the NTH write,
 * sync or truncation, as a SIGKILL does.  REPEAT < 0: until told otherwise. */
void store_vfs_fail(enum store_fault fault, int nth, int repeat);
/* How many have failed since. */
int store_vfs_failed(void);
/* Syncs count, but are not passed on: enough where a process dies, not the
 * machine, and much quicker. */
void store_vfs_lazy(void);
/* Every sync waits until that is over. */
void store_vfs_hold(bool hold);
/* Waits until no write, sync or truncation is under way. */
void store_vfs_settle(void);
/* Syncs so far, of all files. */
int store_vfs_syncs(void);

#endif
