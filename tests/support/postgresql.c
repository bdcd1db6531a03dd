#include "postgresql.h"

#include <libpq-fe.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base.h"

#define DIR     "TEST_POSTGRESQL" /* in the environment */
#define PROGRAM "/usr/lib/postgresql/15/bin/"
/* Root may not run it. */
#define AS "setpriv --reuid=nobody --regid=nogroup --clear-groups "

static void shell(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
static void shell(const char *format, ...)
{
    char *command = NULL;
    va_list args;

    va_start(args, format);
    int n = vasprintf(&command, format, args);
    va_end(args);
    ASSERT(n > 0);
    int status = system(command);
    if (status != 0)
        fprintf(stderr, "%s: %d\n", command, status);
    ASSERT(status == 0);
    free(command);
}

static const char *as(void)
{
    return geteuid() == 0 ? AS : "";
}

bool postgresql_is_there(char why[128])
{
    bool there = access(PROGRAM "postgres", X_OK) == 0;
    snprintf(why, 128, "no " PROGRAM "postgres: install postgresql-15");
    return there;
}

/* Without fsync(): a crash here is one of the server, not of the machine. */
void postgresql_again(void)
{
    shell("cd / && %s" PROGRAM "pg_ctl -s -w -t 600 -D %s/data -l %s/log -o '"
          "-c listen_addresses= -c unix_socket_directories=%s -c fsync=off "
          "-c max_connections=200 -c shared_buffers=16MB "
          "-c autovacuum=off' start",
          as(), getenv(DIR), getenv(DIR), getenv(DIR));
}

/* Below TMPDIR, which others may look into if root runs this. */
void postgresql_start(void)
{
    const char *tmp = getenv("TMPDIR");
    char dir[PATH_MAX], why[128];

    if (!postgresql_is_there(why))
        return;
    snprintf(dir, sizeof(dir), "%s/postgresql-XXXXXX",
             tmp != NULL ? tmp : "/tmp");
    ASSERT(mkdtemp(dir) != NULL);
    setenv(DIR, dir, 1);
    if (geteuid() == 0)
        shell("chown nobody:nogroup %s", dir);
    shell("cd / && %s" PROGRAM "initdb -D %s/data -U test -A trust -E UTF8 "
          "--no-locale --no-sync --no-instructions >%s/initdb 2>&1",
          as(), dir, dir);
    postgresql_again();
}

void postgresql_crash(void)
{
    shell("cd / && %s" PROGRAM "pg_ctl -s -w -D %s/data -m immediate stop",
          as(), getenv(DIR));
}

void postgresql_stop(void)
{
    if (getenv(DIR) == NULL)
        return;
    postgresql_crash();
    shell("rm -rf %s", getenv(DIR));
    unsetenv(DIR);
}

void postgresql_database(char url[256])
{
    char text[128];

    snprintf(url, 256, "postgresql:///postgres?user=test&host=%s",
             getenv(DIR));
    PGconn *conn = PQconnectdb(url);
    snprintf(text, sizeof(text), "CREATE DATABASE t%d", (int)getpid());
    PGresult *result = PQexec(conn, text);
    if (PQresultStatus(result) != PGRES_COMMAND_OK)
        fprintf(stderr, "%s: %s\n", text, PQerrorMessage(conn));
    ASSERT(PQresultStatus(result) == PGRES_COMMAND_OK);
    PQclear(result);
    PQfinish(conn);
    snprintf(url, 256, "postgresql:///t%d?user=test&host=%s", (int)getpid(),
             getenv(DIR));
}

long long postgresql_number(const char *url, const char *text)
{
    long long number = -1;

    PGconn *conn = PQconnectdb(url);
    PGresult *result = PQexec(conn, text);
    if (PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) > 0)
        number = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
    else if (PQresultStatus(result) != PGRES_COMMAND_OK)
        fprintf(stderr, "%s: %s\n", text, PQerrorMessage(conn));
    PQclear(result);
    PQfinish(conn);
    return number;
}
