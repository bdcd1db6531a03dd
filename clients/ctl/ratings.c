/* ratings.c -- sobremesactl ratings rebuild: asks the server again and again, each
 * time it reads a game, and tells what has changed. */

#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "ctl.h"

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

/* How often a game may end just when all is to be stored, or somebody else may be
 * at it still; and how long to wait before it is tried again. */
#define TRIES_MAX 20
#define WAIT_US   (250 * 1000)

static bool may_pass(const json_t *error)
{
    const char *reason = member_text(error, "reason");

    if (strcmp(reason, "busy") == 0)
        return usleep(WAIT_US) == 0; /* not if it was interrupted */
    return strcmp(reason, "contended") == 0;
}

/* One request; NULL after a complaint.  *TRIES counts those that came to
 * nothing. */
static json_t *step(struct ctl *c, bool anew, int *tries)
{
    for (;;) {
        json_t *error = NULL;
        struct json_out *o = call_begin(c, "admin.ratings.rebuild");
        if (anew)
            out_bool(o, "anew", true);
        json_t *result = call_end(c, &error);
        if (result != NULL || error == NULL)
            return result;
        if (++*tries == TRIES_MAX || !may_pass(error)) {
            (void)complain_error(error);
            return NULL;
        }
        anew = anew && strcmp(member_text(error, "reason"), "busy") == 0;
        json_decref(error);
    }
}

static void show_progress(const struct ctl *c, const json_t *result)
{
    int64_t games = member_int(result, "games");

    if (!c->json && isatty(STDERR_FILENO) && games % 100 == 0)
        (void)fprintf(stderr, "\r%" PRId64 " games, %" PRId64 " left ", games,
                      member_int(result, "left"));
}

/* "1512", or "-" for null. */
static const char *points_text(const json_t *points, char text[32])
{
    if (!json_is_integer(points))
        return "-";
    (void)snprintf(text, 32, "%" JSON_INTEGER_FORMAT,
                   json_integer_value(points));
    return text;
}

static void show_changes(const json_t *changes)
{
    struct grid g;
    char before[32], after[32];

    if (json_array_size(changes) == 0)
        return;
    grid_init(&g, "NAME GAME SEATS >BEFORE >AFTER");
    for (size_t i = 0; i < json_array_size(changes); i++) {
        const json_t *row = json_array_get(changes, i);
        const char *name = member_text(row, "name");
        grid_add(&g, "%s", name[0] != '\0' ? name : "(deleted)");
        grid_add(&g, "%s", member_text(row, "game"));
        grid_add(&g, "%s", member_text(row, "seats"));
        grid_add(&g, "%s",
                 points_text(json_object_get(row, "before"), before));
        grid_add(&g, "%s", points_text(json_object_get(row, "after"), after));
    }
    grid_print(&g, "");
}

static void show_rebuilt(const json_t *result)
{
    int64_t misplaced = member_int(result, "misplaced");
    int64_t kept = member_int(result, "kept");
    int64_t changed = member_int(result, "changed");
    const json_t *changes = json_object_get(result, "changes");

    show_changes(changes);
    if (changed > (int64_t)json_array_size(changes))
        (void)printf("and %" PRId64 " more\n",
                     changed - (int64_t)json_array_size(changes));
    (void)printf("%" PRId64 " games; ratings that are others now: %" PRId64
                 "\n",
                 member_int(result, "games"), changed);
    if (misplaced > 0)
        (void)printf("players whose place or points were stored wrongly: "
                     "%" PRId64 "\n",
                     misplaced);
    if (kept > 0)
        (void)printf("archived games taken as they were stored, as a seat "
                     "changed hands: %" PRId64 "\n",
                     kept);
}

/* The last answer, or NULL after a complaint. */
static json_t *rebuild(struct ctl *c)
{
    bool anew = chosen(c, "anew");
    int tries = 0;

    while (!interrupted) {
        json_t *result = step(c, anew, &tries);
        if (result == NULL || json_object_get(result, "changes") != NULL)
            return result;
        show_progress(c, result);
        json_decref(result);
        anew = false;
    }
    (void)complain("stopped; nothing is changed, and the next one goes on "
                   "from here");
    return NULL;
}

int ratings_command(struct ctl *c)
{
    const struct sigaction act = {
        .sa_handler = on_interrupt,
        .sa_flags = SA_RESTART, /* an answer is read to its end */
    };

    if (!dial(c))
        return STATUS_FAILED;
    (void)sigaction(SIGINT, &act, NULL);
    json_t *result = rebuild(c);
    if (!c->json && isatty(STDERR_FILENO))
        (void)fprintf(stderr, "\r\x1b[K");
    if (result == NULL)
        return STATUS_FAILED;
    if (c->json)
        print_json(result);
    else
        show_rebuilt(result);
    json_decref(result);
    return STATUS_DONE;
}
