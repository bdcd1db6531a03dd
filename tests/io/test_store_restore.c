/* test_store_restore.c -- a backup's copy in place of a store: what is there
 * afterwards, whose it is, what was kept, and what is refused without a trace. */

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/store_test.h"

#define NOBODY 65534

static char copy[300], kept[4200], error[512];

static void told(void *context, const struct store_progress *p)
{
    struct store_fixture *g = context;
    g->progress = *p;
}

static void account(id_num id, const char *name)
{
    make_account(&u, id, name);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
}

/* A store with anna, of which there is a copy, and then with bert, too; it is
 * closed. */
static void begin(void)
{
    store_test_init();
    snprintf(copy, sizeof(copy), "%s/copy.db", f.dir);
    char *store = f.dir + strlen(f.dir);
    snprintf(store, sizeof(f.dir) - strlen(f.dir), "/store");
    store_test_open();
    account(1, "anna");
    cr_assert(store_backup(f.store, copy, &f, told));
    while (!f.progress.finished)
        fixture_poll(&f, 1000);
    account(2, "bert");
    fixture_close(&f);
    memset(kept, 0, sizeof(kept));
    memset(error, 0, sizeof(error));
}

static void end(void)
{
    char *store = strrchr(f.dir, '/');

    fixture_close(&f);
    *store = '\0'; /* all of the directory goes */
    fixture_done(&f);
}

TestSuite(restore, .init = begin, .fini = end, .timeout = 1200);

static int restore(const char *dir, const char *from)
{
    memset(kept, 0, sizeof(kept));
    memset(error, 0, sizeof(error));
    return store_restore(dir, from, kept, sizeof(kept), error, sizeof(error));
}

/* Whether there is an account of that name in the store. */
static bool knows(const char *name)
{
    struct question q = {.kind = ASK_ACCOUNT_NAME, .u.name = name};
    return fixture_ask(&f, &q)->account_count == 1;
}

static void name_in(char to[400], const char *dir, const char *name)
{
    snprintf(to, 400, "%s/%s", dir, name);
}

/* How many names there are in DIR. */
static int names(const char *dir)
{
    struct dirent **found;
    int n = scandir(dir, &found, NULL, NULL);

    cr_assert_geq(n, 2);
    for (int i = 0; i < n; i++)
        free(found[i]);
    free(found);
    return n - 2;
}

/* After a restore the store is what the copy was, knows that it is one, and what
 * was there before lies beside it, whole; each keeps what it found, also two in
 * a second. */
Test(restore, in_place_of_another)
{
    char first[4200];

    cr_assert_eq(restore(f.dir, copy), 0, "%s", error);
    cr_assert_eq(strncmp(kept, f.dir, strlen(f.dir)), 0);
    /* Of the first in a second the name is the moment alone. */
    const char *moment = strstr(kept, "/before-restore-");
    cr_assert_not_null(moment);
    cr_assert_eq(strlen(moment), strlen("/before-restore-20270115T080000Z"));
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    cr_assert(knows("anna") && !knows("bert"));
    cr_assert(store_restored(f.store));
    fixture_close(&f);
    memcpy(first, kept, sizeof(first));
    char old[4300];
    snprintf(old, sizeof(old), "%s/sobremesa.db", first);
    cr_assert_eq(restore(f.dir, old), 0, "%s", error);
    cr_assert_str_neq(kept, first);
    cr_assert_eq(names(f.dir), 4, "the store, its lock, twice what was kept");
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    cr_assert(knows("anna") && knows("bert"));
    fixture_close(&f);
    cr_assert_eq(restore(f.dir, copy), 0, "%s", error);
    cr_assert_eq(restore(f.dir, copy), 0, "%s", error);
    cr_assert_eq(names(f.dir), 6);
}

/* The WAL goes with the store that it belongs to: what is kept has all. */
Test(restore, wal_is_kept)
{
    char db[400], wal[400], sum[4300];

    name_in(db, f.dir, "sobremesa.db");
    name_in(wal, f.dir, "sobremesa.db-wal");
    FILE *file = fopen(wal, "w");
    cr_assert_not_null(file);
    cr_assert_eq(fputs("of the old one", file) < 0, 0);
    cr_assert_eq(fclose(file), 0);
    cr_assert_eq(restore(f.dir, copy), 0, "%s", error);
    cr_assert_neq(access(wal, F_OK), 0);
    snprintf(sum, sizeof(sum), "%s/sobremesa.db-wal", kept);
    cr_assert_eq(access(sum, F_OK), 0);
}

/* Where nothing was a directory is made, nobody else's to read, and nothing is
 * kept. */
Test(restore, into_nothing)
{
    char dir[400];
    struct stat is;

    name_in(dir, f.dir, "new");
    memset(kept, 'x', sizeof(kept) - 1);
    cr_assert_eq(store_restore(dir, copy, kept, sizeof(kept), error,
                               sizeof(error)),
                 0, "%s", error);
    cr_assert_str_eq(kept, "");
    cr_assert_eq(stat(dir, &is), 0);
    cr_assert_eq(is.st_mode & 0777, 0700);
    cr_assert_eq(names(dir), 2);
    name_in(dir, f.dir, "new/sobremesa.db");
    cr_assert_eq(stat(dir, &is), 0);
    cr_assert_eq(is.st_mode & 0777, 0600);
}

/* What is no store, is not there, is the store itself, or would be put under one
 * that is open, is refused in a sentence, and all is as it was. */
Test(restore, refused)
{
    char path[400];

    cr_assert_eq(restore(f.dir, "/none/copy.db"), -ENOENT);
    cr_assert_not_null(strstr(error, "cannot read /none/copy.db: "));
    name_in(path, f.dir, "sobremesa.db");
    cr_assert_eq(restore(f.dir, path), -EINVAL);
    cr_assert_not_null(strstr(error, "is the store itself"));
    name_in(path, f.dir, "lock");
    cr_assert_lt(restore(f.dir, path), 0);
    cr_assert_neq(error[0], '\0');
    cr_assert_eq(restore("/none/store", copy), -ENOENT);
    cr_assert_not_null(strstr(error, "cannot make /none/store: "));
    memset(path, 'x', sizeof(path));
    static char longer[4100];
    memset(longer, '/', 4001);
    cr_assert_eq(restore(longer, copy), -ENAMETOOLONG);
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    int there = names(f.dir);
    cr_assert_eq(restore(f.dir, copy), -EBUSY);
    cr_assert_not_null(strstr(error, "in use by another process, number "));
    cr_assert_eq(names(f.dir), there);
    cr_assert(knows("anna") && knows("bert"));
    cr_assert_not(store_restored(f.store));
}

/* Nobody opens what was being restored when that was broken off, until it is
 * done. */
Test(restore, broken_off)
{
    char mark[400];

    name_in(mark, f.dir, "restoring");
    FILE *file = fopen(mark, "w");
    cr_assert_not_null(file);
    cr_assert_eq(fclose(file), 0);
    cr_assert_eq(fixture_open(&f), -EPROTO);
    cr_assert_not_null(strstr(f.error, "restore it again"));
    cr_assert_eq(restore(f.dir, copy), 0, "%s", error);
    cr_assert_neq(access(mark, F_OK), 0);
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
}

/* What nobody may enter would not do for this: a room beside all others. */
static char room[] = "/tmp/restore-XXXXXX";

static char *in_room(const char *name)
{
    static char path[4][400];
    static int next;
    char *to = path[next++ % 4];

    name_in(to, room, name);
    return to;
}

static void empty_room(void)
{
    static const char *const names[] = {
        "copy/sobremesa.db",
        "copy/lock",
        "store/sobremesa.db",
        "store/lock",
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        (void)unlink(in_room(names[i]));
    cr_assert_eq(rmdir(in_room("copy")), 0);
    cr_assert_eq(rmdir(in_room("store")), 0);
    cr_assert_eq(rmdir(room), 0);
}

static bool is_of(const char *path, uid_t who)
{
    struct stat is;
    return stat(path, &is) == 0 && is.st_uid == who;
}

/* Restores in a process of nobody's; whether that is done. */
static bool nobody_restores(void)
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        if (setgid(NOBODY) != 0 || setuid(NOBODY) != 0)
            _exit(2);
        _exit(restore(in_room("store"), in_room("copy/sobremesa.db")) != 0);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) < 2);
    return status == 0;
}

/* Root restores for whoever has the directory, from what only root can read; all
 * that is made is theirs, and root is root again.  Anybody else does so for
 * themselves, from what is theirs to read. */
Test(restore, whose_it_is)
{
    if (getuid() != 0) {
        cr_assert_eq(restore(f.dir, copy), 0, "%s", error);
        return;
    }
    cr_assert_not_null(mkdtemp(room));
    cr_assert_eq(chmod(room, 0711), 0);
    cr_assert_eq(restore(in_room("copy"), copy), 0, "%s", error);
    cr_assert_eq(mkdir(in_room("store"), 0700), 0);
    cr_assert_eq(chown(in_room("store"), NOBODY, NOBODY), 0);
    cr_assert_eq(restore(in_room("store"), in_room("copy/sobremesa.db")), 0,
                 "%s", error);
    cr_assert(geteuid() == 0 && getegid() == 0);
    cr_assert(is_of(in_room("store/sobremesa.db"), NOBODY));
    cr_assert(is_of(in_room("store/lock"), NOBODY));
    cr_assert_eq(unlink(in_room("store/sobremesa.db")), 0);
    cr_assert_not(nobody_restores(), "of what is root's");
    cr_assert_eq(chmod(in_room("copy"), 0711), 0);
    cr_assert_eq(chown(in_room("copy/sobremesa.db"), NOBODY, NOBODY), 0);
    cr_assert(nobody_restores(), "of what is theirs");
    empty_room();
}
