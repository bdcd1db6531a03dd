#include "store_vfs.h"

#include <stdlib.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <string.h>

#include "until.h"

struct shim {
    sqlite3_file base;
    sqlite3_file *real; /* behind it */
};

static sqlite3_vfs *below;
static sqlite3_vfs vfs;
static atomic_int fault, left, repeats, failed, syncs;
static atomic_int inside; /* writes, syncs and truncations under way */
static atomic_bool lazy, held;

void store_vfs_fail(enum store_fault what, int nth, int repeat)
{
    atomic_store(&fault, FAULT_NONE);
    atomic_store(&failed, 0);
    atomic_store(&repeats, repeat);
    atomic_store(&left, nth);
    atomic_store(&fault, (int)what);
}

int store_vfs_failed(void)
{
    return atomic_load(&failed);
}

void store_vfs_lazy(void)
{
    atomic_store(&lazy, true);
}

void store_vfs_hold(bool hold)
{
    atomic_store(&held, hold);
}

void store_vfs_settle(void)
{
    UNTIL(atomic_load(&inside) == 0);
}

int store_vfs_syncs(void)
{
    return atomic_load(&syncs);
}

/* Whether this one is to fail. */
static bool strikes(void)
{
    int n = atomic_fetch_sub(&left, 1);
    int r = atomic_load(&repeats);

    if (n > 1 || (r >= 0 && n <= 1 - r))
        return false;
    atomic_fetch_add(&failed, 1);
    return true;
}

static void may_be_killed(void)
{
    if (atomic_load(&fault) == FAULT_KILL && strikes())
        raise(SIGKILL);
}

static sqlite3_file *real(sqlite3_file *f)
{
    return ((struct shim *)f)->real;
}

static int x_close(sqlite3_file *f)
{
    return real(f)->pMethods->xClose(real(f));
}

static int x_read(sqlite3_file *f, void *to, int n, sqlite3_int64 at)
{
    return real(f)->pMethods->xRead(real(f), to, n, at);
}

static int write_it(sqlite3_file *f, const void *from, int n, sqlite3_int64 at)
{
    int what = atomic_load(&fault);

    may_be_killed();
    if (what == FAULT_BLANK && strikes()) {
        char *zeros = calloc(1, (size_t)n);
        int rc = real(f)->pMethods->xWrite(real(f), zeros, n, at);
        free(zeros);
        return rc;
    }
    if ((what == FAULT_WRITE || what == FAULT_FULL) && strikes()) {
        if (what == FAULT_FULL)
            return SQLITE_FULL;
        real(f)->pMethods->xWrite(real(f), from, n / 2, at);
        return SQLITE_IOERR_WRITE;
    }
    return real(f)->pMethods->xWrite(real(f), from, n, at);
}

static int x_write(sqlite3_file *f, const void *from, int n, sqlite3_int64 at)
{
    atomic_fetch_add(&inside, 1);
    int rc = write_it(f, from, n, at);
    atomic_fetch_sub(&inside, 1);
    return rc;
}

static int x_truncate(sqlite3_file *f, sqlite3_int64 size)
{
    may_be_killed();
    atomic_fetch_add(&inside, 1);
    int rc = real(f)->pMethods->xTruncate(real(f), size);
    atomic_fetch_sub(&inside, 1);
    return rc;
}

static int sync_it(sqlite3_file *f, int flags)
{
    atomic_fetch_add(&syncs, 1);
    UNTIL(!atomic_load(&held));
    may_be_killed();
    if (atomic_load(&fault) == FAULT_SYNC && strikes())
        return SQLITE_IOERR_FSYNC;
    if (atomic_load(&lazy))
        return SQLITE_OK;
    return real(f)->pMethods->xSync(real(f), flags);
}

static int x_sync(sqlite3_file *f, int flags)
{
    atomic_fetch_add(&inside, 1);
    int rc = sync_it(f, flags);
    atomic_fetch_sub(&inside, 1);
    return rc;
}

static int x_size(sqlite3_file *f, sqlite3_int64 *size)
{
    return real(f)->pMethods->xFileSize(real(f), size);
}

static int x_lock(sqlite3_file *f, int level)
{
    return real(f)->pMethods->xLock(real(f), level);
}

static int x_unlock(sqlite3_file *f, int level)
{
    return real(f)->pMethods->xUnlock(real(f), level);
}

static int x_reserved(sqlite3_file *f, int *out)
{
    return real(f)->pMethods->xCheckReservedLock(real(f), out);
}

static int x_control(sqlite3_file *f, int op, void *arg)
{
    return real(f)->pMethods->xFileControl(real(f), op, arg);
}

static int x_sector(sqlite3_file *f)
{
    return real(f)->pMethods->xSectorSize(real(f));
}

static int x_device(sqlite3_file *f)
{
    return real(f)->pMethods->xDeviceCharacteristics(real(f));
}

static int x_shm_map(sqlite3_file *f, int page, int size, int extend,
                     void volatile **out)
{
    return real(f)->pMethods->xShmMap(real(f), page, size, extend, out);
}

static int x_shm_lock(sqlite3_file *f, int offset, int n, int flags)
{
    return real(f)->pMethods->xShmLock(real(f), offset, n, flags);
}

static void x_shm_barrier(sqlite3_file *f)
{
    real(f)->pMethods->xShmBarrier(real(f));
}

static int x_shm_unmap(sqlite3_file *f, int drop)
{
    return real(f)->pMethods->xShmUnmap(real(f), drop);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = x_close,
    .xRead = x_read,
    .xWrite = x_write,
    .xTruncate = x_truncate,
    .xSync = x_sync,
    .xFileSize = x_size,
    .xLock = x_lock,
    .xUnlock = x_unlock,
    .xCheckReservedLock = x_reserved,
    .xFileControl = x_control,
    .xSectorSize = x_sector,
    .xDeviceCharacteristics = x_device,
    .xShmMap = x_shm_map,
    .xShmLock = x_shm_lock,
    .xShmBarrier = x_shm_barrier,
    .xShmUnmap = x_shm_unmap,
};

static int x_open(sqlite3_vfs *v, const char *name, sqlite3_file *f, int flags,
                  int *out)
{
    struct shim *shim = (struct shim *)f;

    (void)v;
    memset(shim, 0, sizeof(*shim));
    shim->real = (sqlite3_file *)(shim + 1);
    int rc = below->xOpen(below, name, shim->real, flags, out);
    if (rc == SQLITE_OK)
        shim->base.pMethods = &methods;
    return rc;
}

void store_vfs_install(void)
{
    if (below != NULL)
        return;
    sqlite3_initialize();
    below = sqlite3_vfs_find(NULL);
    vfs = *below;
    vfs.zName = "shim";
    vfs.szOsFile = (int)sizeof(struct shim) + below->szOsFile;
    vfs.xOpen = x_open;
    sqlite3_vfs_register(&vfs, 1);
}
