/* test_store_copy.c -- a backup that is killed, or whose disk fails, at every
 * step: under its name there is a whole copy or nothing. */

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base.h"
#include "tests/support/store_test.h"

#define TABLES 20

static char path[300];

static void begin(void)
{
    store_test_begin_faulty();
    snprintf(path, sizeof(path), "%s/copy.db", f.dir);
    for (id_num id = 1; id <= TABLES; id++) {
        make_table(&u, id, TABLE_PLAYING, 2, 2);
        make_plies(&u, id, -1, 20, TABLE_PLAYING, 2, 2);
        cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    }
    fixture_close(&f);
}

TestSuite(copy, .init = begin, .fini = store_test_end_faulty, .timeout = 1200);

static void told(void *context, const struct store_progress *p)
{
    (void)context;
    f.progress.finished = p->finished;
    f.progress_calls = p->error != NULL;
}

/* Makes a backup; whether it was made. */
static bool back_up(void)
{
    f.progress.finished = false;
    cr_assert(store_backup(f.store, path, NULL, told));
    while (!f.progress.finished)
        fixture_poll(&f, 1000);
    return f.progress_calls == 0;
}

/* A made-up log is no record: that the file is whole is what counts here. */
static void wrong(void *context, id_num table, const char *why)
{
    (void)context;
    (void)table;
    (void)why;
}

static bool is_there(const char *name)
{
    char at[400];

    snprintf(at, sizeof(at), "%s/%s", f.dir, name);
    return access(at, F_OK) == 0;
}

static void check_copy(bool made)
{
    struct store_verdict v;
    char error[256];

    cr_assert_eq(access(path, F_OK) == 0, made);
    if (made || f.store != NULL) { /* whoever lives leaves nothing else */
        cr_assert(!is_there("copy.db.sobremesa-part"));
        cr_assert(!is_there("copy.db.sobremesa-part-journal"));
    }
    if (!made)
        return;
    cr_assert_eq(store_verify(path, NULL, wrong, &v, error, sizeof(error)), 0,
                 "%s", error);
    cr_assert_eq(v.tables, TABLES);
    cr_assert_eq(unlink(path), 0);
}

static int steps(void)
{
    return getenv("ASAN") != NULL ? 7 : 1;
}

/* Killed before every write and every sync. */
Test(copy, killed)
{
    int status = 0, n = 0, made = 0;

    do {
        n += steps();
        pid_t child = fork();
        if (child == 0) {
            if (fixture_open(&f) != 0)
                _exit(2);
            store_vfs_fail(FAULT_KILL, n, 1);
            _exit(!back_up());
        }
        cr_assert_eq(waitpid(child, &status, 0), child);
        bool there = access(path, F_OK) == 0;
        made += there;
        check_copy(there);
    } while (WIFSIGNALED(status));
    cr_assert_eq(status, 0);
    cr_assert_gt(n, 40, "%d", n);
    cr_assert_geq(made, 1);
    /* What the dead ones left is in nobody's way. */
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    cr_assert(back_up());
    check_copy(true);
}

/* A disk that fails at any write or sync: nothing is there, not even a part. */
Test(copy, faults)
{
    static const enum store_fault faults[] = {FAULT_SYNC, FAULT_WRITE,
                                              FAULT_FULL};
    char part[400];

    snprintf(part, sizeof(part), "%s.sobremesa-part", path);
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    until_written();
    for (int kind = 0; kind < 3; kind++)
        for (int n = 1, struck = 1; struck > 0; n += steps()) {
            store_vfs_fail(faults[kind], n, 1);
            bool made = back_up();
            struck = store_vfs_failed();
            store_vfs_fail(FAULT_NONE, 0, 0);
            check_copy(made);
            cr_assert_neq(access(part, F_OK), 0);
        }
}

/* A disk that says it has written what it has not: a restore whose copy is bad is
 * refused, with the store as it was and nothing half beside it; one that is
 * done is whole. */
Test(copy, restored_badly)
{
    char store[300], part[400], kept[4200], error[256];
    struct store_verdict v;
    int refused = 0;

    snprintf(store, sizeof(store), "%s/sobremesa.db", f.dir);
    snprintf(part, sizeof(part), "%s.sobremesa-part", store);
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    cr_assert(back_up());
    fixture_close(&f);
    for (int n = 1, struck = 1; struck > 0; n += steps()) {
        store_vfs_fail(FAULT_BLANK, n, 1);
        int err = store_restore(f.dir, path, kept, sizeof(kept), error,
                                sizeof(error));
        struck = store_vfs_failed();
        store_vfs_fail(FAULT_NONE, 0, 0);
        refused += err != 0;
        cr_assert(err == 0 || error[0] != '\0');
        cr_assert_neq(access(part, F_OK), 0, "write %d: %s", n, error);
        cr_assert_eq(store_verify(store, NULL, wrong, &v, error,
                                  sizeof(error)),
                     0, "write %d: %s", n, error);
        cr_assert_eq(v.tables, TABLES);
    }
    cr_assert_gt(refused, 5, "%d", refused);
}

/* What other backups left there that were killed goes, if it is a day old: a
 * younger one may be another server's that is being made. */
Test(copy, left)
{
    static const char *const names[] = {"before.db.sobremesa-part",
                                        "before.db.sobremesa-part-journal",
                                        "under-way.db.sobremesa-part",
                                        "sobremesa-part"};
    struct stat is;

    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    cr_assert_eq(stat(f.dir, &is), 0); /* that is now */
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char at[400];
        struct timespec times[2] = {is.st_mtim, is.st_mtim};
        snprintf(at, sizeof(at), "%s/%s", f.dir, names[i]);
        FILE *file = fopen(at, "w");
        cr_assert_not_null(file);
        fclose(file);
        times[1].tv_sec -= i == 2 ? 23 * 3600 : 25 * 3600;
        cr_assert_eq(utimensat(AT_FDCWD, at, times, 0), 0);
    }
    cr_assert(back_up());
    for (size_t i = 0; i < COUNT_OF(names); i++)
        cr_assert_eq(is_there(names[i]), i >= 2, "%s", names[i]);
    fixture_close(&f);
}
