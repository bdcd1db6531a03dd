/* server.c -- what is shown of the server itself. */

#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/base.h"
#include "ctl.h"
#include "protocol/sbuf_printf.h"

/* ---- how it is -------------------------------------------------------- */

/* What is good to know of the file, and what has to be done. */
static void show_store(const json_t *store, int64_t now)
{
    const json_t *check = json_object_get(store, "check");
    const json_t *backup = json_object_get(store, "backup");
    const char *damage = member_text(store, "damage");
    const json_t *at = json_object_get(check, "at");
    char time[TIME_SIZE], span[TIME_SIZE];

    (void)printf("store        %.1f MB, %.1f MB of it free",
                 (double)member_int(store, "bytes") / 1e6,
                 (double)member_int(store, "free") / 1e6);
    if (json_is_integer(at))
        (void)printf("; all of it was looked at %s ago: %s",
                     span_text(now - json_integer_value(at), span),
                     member_text(check, "state"));
    if (strcmp(member_text(check, "state"), "running") == 0)
        (void)printf("; being looked at");
    (void)puts("");
    if (damage[0] != '\0')
        (void)printf("DAMAGED      %s.  Nothing is written.  Stop the server,"
                     " and `sobremesactl restore` the last good backup, or"
                     " what is named here\n",
                     damage);
    if (json_is_object(backup))
        (void)printf("backup       %s ago, at %s\n",
                     span_text(now - member_int(backup, "at"), span),
                     time_text(json_object_get(backup, "at"), time));
    else
        (void)puts("backup       there is none");
}

void show_status(struct ctl *c, const json_t *result)
{
    const json_t *ends = json_object_get(result, "ends");
    int64_t now = member_int(result, "now");
    char time[TIME_SIZE], span[TIME_SIZE];

    (void)c;
    (void)printf("version      %s\n", member_text(result, "version"));
    (void)printf("running      %s, since %s\n",
                 span_text(now - member_int(result, "started"), span),
                 time_text(json_object_get(result, "started"), time));
    if (json_is_integer(ends))
        (void)printf("ends         in %s, at %s\n",
                     span_text(json_integer_value(ends) - now, span),
                     time_text(ends, time));
    if (json_is_string(json_object_get(result, "maintenance")))
        (void)printf("read only    %s\n", member_text(result, "maintenance"));
    if (json_is_string(json_object_get(result, "motd")))
        (void)printf("says         %s\n", member_text(result, "motd"));
    (void)printf("connections  %" PRId64 ", %" PRId64 " people logged in\n",
                 member_int(result, "peers"), member_int(result, "accounts"));
    (void)printf("tables       %" PRId64 " in memory\n",
                 member_int(result, "tables"));
    (void)printf("requests     %" PRId64 ", refused %" PRId64 "\n",
                 member_int(result, "requests"),
                 member_int(result, "refused"));
    (void)printf("moves        %" PRId64 ", plies %" PRId64 "\n",
                 member_int(result, "moves"), member_int(result, "plies"));
    (void)printf("stored       %" PRId64 " units, failed %" PRId64 "\n",
                 member_int(result, "units"),
                 member_int(result, "units_failed"));
    show_store(json_object_get(result, "store"), now);
}

void show_config(struct ctl *c, const json_t *result)
{
    const json_t *settings = json_object_get(result, "settings");
    size_t waiting = 0;
    struct grid g;

    (void)c;
    grid_init(&g, "SETTING VALUE FROM WAITS");
    for (size_t i = 0; i < json_array_size(settings); i++) {
        const json_t *s = json_array_get(settings, i);
        grid_add(&g, "%s", member_text(s, "key"));
        grid_add(&g, "%s", member_text(s, "value"));
        grid_add(&g, "%s", member_text(s, "from"));
        const json_t *next = json_object_get(s, "next");
        if (next == NULL) {
            grid_add(&g, "%s", "");
            continue;
        }
        waiting++;
        grid_add(&g, "%s after a %s", member_text(next, "value"),
                 member_text(next, "when"));
    }
    grid_print(&g, "");
    if (waiting > 0)
        (void)printf("%zu wait%s for a reload or a restart.\n", waiting,
                     waiting == 1 ? "s" : "");
    if (json_object_get(result, "problem") != NULL)
        (void)printf("The file is not good as it is now: %s\n",
                     member_text(result, "problem"));
}

void show_told_all(struct ctl *c, const json_t *result)
{
    (void)c, (void)result;
    (void)puts("Done; who is there is told, and who comes.");
}

void show_log(struct ctl *c, const json_t *result)
{
    (void)c;
    (void)puts(member_text(result, "level"));
}

/* ---- what was changed -------------------------------------------------- */

/* "why=noise seat=1" */
static void params_text(const json_t *params, char *text, size_t size)
{
    char time[TIME_SIZE];
    const char *name;
    json_t *value;
    struct sbuf s = sbuf_in(text, size);

    json_object_foreach((json_t *)(uintptr_t)params, name, value)
    {
        bool is_time = strcmp(name, "until") == 0;
        char *word = json_is_string(value) ? strdup(json_string_value(value))
                     : is_time
                         ? strdup(time_text(value, time))
                         : json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
        ASSERT(word != NULL);
        sbuf_printf(&s, "%s%s=%s", s.len > 0 ? " " : "", name, word);
        free(word);
    }
}

void show_audit(struct ctl *c, const json_t *result)
{
    const json_t *changes = json_object_get(result, "changes");
    char time[TIME_SIZE], params[700];
    struct grid g;

    (void)c;
    grid_init(&g, "AT >UID WHAT TO");
    for (size_t i = 0; i < json_array_size(changes); i++) {
        const json_t *row = json_array_get(changes, i);
        const char *table = member_text(row, "table");
        const char *account = member_text(row, "account");
        const char *user = member_text(row, "user");
        const char *method = member_text(row, "method");
        params_text(json_object_get(row, "params"), params, sizeof(params));
        grid_add(&g, "%s", time_text(json_object_get(row, "at"), time));
        grid_add(&g, "%" PRId64, member_int(row, "uid"));
        grid_add(&g, "%s",
                 strncmp(method, "admin.", 6) == 0 ? method + 6 : method);
        grid_add(&g, "%s%s%s%s%s", table, table[0] ? " " : "",
                 user[0] ? user : account, user[0] || account[0] ? " " : "",
                 params);
    }
    grid_print(&g, "Nothing has been changed.");
}

/* ---- what it did ------------------------------------------------------- */

void show_told(struct ctl *c, const json_t *result)
{
    int64_t n = member_int(result, "told");

    (void)c;
    (void)printf("%" PRId64 " connection%s told.\n", n, n == 1 ? "" : "s");
}

void show_vacuum(struct ctl *c, const json_t *result)
{
    (void)c;
    (void)printf("%" PRId64 " bytes before, %" PRId64 " now.\n",
                 member_int(result, "before"), member_int(result, "after"));
}

void show_prune(struct ctl *c, const json_t *result)
{
    bool dry = json_is_true(json_object_get(c->given, "dry_run"));

    (void)printf("%s %" PRId64 " expired sessions and %" PRId64
                 " old keys of requests.\n",
                 dry ? "There are" : "Dropped", member_int(result, "tokens"),
                 member_int(result, "keys"));
}

void show_end(struct ctl *c, const json_t *result)
{
    const json_t *ends = json_object_get(result, "ends");
    char time[TIME_SIZE];

    if (json_object_get(c->given, "cancel") != NULL)
        (void)puts("The server stays.");
    else if (json_is_integer(ends))
        (void)printf("The server ends at %s.\n", time_text(ends, time));
    else
        (void)puts("The server ends.");
}

/* Something to poll that tells when the process at the other end of the
 * connection has ended: that it closes the connection is not enough, its store
 * is closed later.  Of a process that cannot be seen from here, a container's
 * for example, the connection's end must do. */
static struct pollfd watch_end(const struct ctl *c)
{
    struct ucred peer = {0};
    socklen_t size = sizeof(peer);
    int fd = -1;

    if (getsockopt(c->fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
        peer.pid > 0)
        fd = (int)syscall(SYS_pidfd_open, peer.pid, 0);
    return fd >= 0 ? (struct pollfd){.fd = fd, .events = POLLIN}
                   : (struct pollfd){.fd = c->fd, .events = POLLRDHUP};
}

/* Longer than a server may take (server/README.md, "The end"). */
#define END_WAIT_MS 20000

bool ends_at_once(const struct ctl *c)
{
    return json_object_get(c->given, "seconds") == NULL &&
           json_object_get(c->given, "cancel") == NULL;
}

int shutdown_command(struct ctl *c)
{
    if (!ends_at_once(c) || chosen(c, "no_wait"))
        return call_command(c);
    if (!dial(c))
        return STATUS_FAILED;
    struct pollfd end = watch_end(c);
    int status = call_command(c);
    (void)fflush(stdout);
    if (status == STATUS_DONE && poll(&end, 1, END_WAIT_MS) != 1)
        status = complain("it has not ended after %d s", END_WAIT_MS / 1000);
    else if (status == STATUS_DONE && !c->json)
        (void)puts("It has ended.");
    if (end.fd != c->fd)
        (void)close(end.fd);
    return status;
}
