/* call.c -- the connection to the administration socket and what is asked
 * there. */

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "clients/common/output.h"
#include "core/base.h"
#include "ctl.h"
#include "protocol/game_json.h"
#include "protocol/methods.h"
#include "protocol/refusal.h"

#define PAGE_ROWS    200 /* as many as one answer has */
#define REFUSAL_SIZE 1024

static bool in_json;

void complain_in_json(void)
{
    in_json = true;
}

/* {"error":ERROR} on a line of its own; frees it. */
static void say_json(json_t *error)
{
    char *text = json_dumps(error, JSON_COMPACT);

    ASSERT(text != NULL);
    (void)fprintf(stderr, "{\"error\":%s}\n", text);
    free(text);
    json_decref(error);
}

/* The same for TEXT, in which there may be a path of any bytes. */
static void say_failed(const char *text)
{
    struct json_out o;

    json_out_init(&o);
    out_object(&o, NULL);
    out_object(&o, "error");
    out_string(&o, "reason", "failed");
    out_string(&o, "message", text);
    out_end(&o);
    out_end(&o);
    (void)fprintf(stderr, "%s\n", json_out_text(&o));
    json_out_done(&o);
}

int complain(const char *format, ...)
{
    va_list args;
    char *text = NULL;

    va_start(args, format);
    int n = vasprintf(&text, format, args);
    va_end(args);
    ASSERT(n >= 0);
    output_line(text);
    (void)fflush(stdout);
    if (in_json)
        say_failed(text);
    else
        (void)fprintf(stderr, "sobremesactl: %s\n", text);
    free(text);
    return STATUS_FAILED;
}

int misused(const struct ctl *c, const char *format, ...)
{
    char name[NAME_SIZE], *usage = command_usage(c->command);
    va_list args;

    (void)fflush(stdout);
    (void)fprintf(stderr,
                  "sobremesactl: %s: ", command_name(c->command, name));
    va_start(args, format);
    (void)vfprintf(stderr, format, args);
    va_end(args);
    (void)fprintf(stderr, "\nUsage: sobremesactl %s\n", usage);
    free(usage);
    return STATUS_USAGE;
}

/* ---- the connection --------------------------------------------------- */

/* Whoever types a command may be in the wrong directory, or the wrong person,
 * more often than the server is down. */
static void no_server(const struct ctl *c, int error)
{
    bool default_path = strcmp(c->path, DEFAULT_DATA "/admin.sock") == 0;
    bool installed = access(DEFAULT_SOCKET, F_OK) == 0 || errno == EACCES;

    if (error == EACCES)
        (void)complain("%s: %s; only the server's own user and root may ask: "
                       "use sudo",
                       c->path, strerror(error));
    else if (error == ENOENT && default_path)
        (void)complain("there is neither %s nor %s; is the server running? "
                       "--data DIR or --admin PATH says where it is",
                       c->path, DEFAULT_SOCKET);
    else if (error == ENOENT && installed &&
             strcmp(c->path, DEFAULT_SOCKET) != 0)
        (void)complain("%s: %s; is the server running? An installed service "
                       "has %s",
                       c->path, strerror(error), DEFAULT_SOCKET);
    else
        (void)complain("%s: %s; is the server running?", c->path,
                       strerror(error));
}

bool dial(struct ctl *c)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    if (c->file != NULL)
        return true;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (strlen(c->path) >= sizeof(address.sun_path)) {
        (void)complain("%s: too long for a socket", c->path);
        if (fd >= 0)
            (void)close(fd);
        return false;
    }
    memcpy(address.sun_path, c->path, strlen(c->path) + 1);
    if (fd < 0 ||
        connect(fd, (const struct sockaddr *)&address, sizeof(address)) != 0) {
        no_server(c, errno);
        if (fd >= 0)
            (void)close(fd);
        return false;
    }
    c->fd = fd;
    c->file = fdopen(fd, "r");
    ASSERT(c->file != NULL);
    json_out_init(&c->out);
    return true;
}

void hang_up(struct ctl *c)
{
    if (c->file == NULL)
        return;
    (void)fclose(c->file);
    json_out_done(&c->out);
    free(c->line);
}

/* ---- requests --------------------------------------------------------- */

struct json_out *call_begin(struct ctl *c, const char *method)
{
    struct json_out *o = &c->out;

    json_out_reset(o);
    out_object(o, NULL);
    out_string(o, "jsonrpc", "2.0");
    out_int(o, "id", ++c->last);
    out_string(o, "method", method);
    c->method = method_find(method, strlen(method));
    out_object(o, "params");
    return o;
}

/* The next message that answers the last request. */
static json_t *read_answer(struct ctl *c)
{
    char why[JSON_EXPECTED_MAX];

    for (;;) {
        ssize_t n = getline(&c->line, &c->cap, c->file);
        if (n <= 0) {
            (void)complain("%s: the server closed the connection", c->path);
            return NULL;
        }
        json_t *answer = json_parse(c->line, (size_t)n, why);
        const json_t *id = json_object_get(answer, "id");
        if (answer == NULL || json_is_null(id)) {
            (void)complain("%s: no answer: %.200s", c->path, c->line);
            json_decref(answer);
            return NULL;
        }
        if (json_is_integer(id) && json_integer_value(id) == c->last)
            return answer;
        json_decref(answer); /* a notice */
    }
}

static bool send_all(int fd, const char *text, size_t len)
{
    while (len > 0) {
        ssize_t n = send(fd, text, len, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            return false;
        text += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

json_t *call_end(struct ctl *c, json_t **ret_error)
{
    out_end(&c->out);
    out_end(&c->out);
    out_line(&c->out);
    *ret_error = NULL;
    if (!send_all(c->fd, json_out_text(&c->out), c->out.len)) {
        (void)complain("%s: %s", c->path, strerror(errno));
        return NULL;
    }
    json_t *answer = read_answer(c);
    json_t *result = json_incref(json_object_get(answer, "result"));
    json_t *error = json_object_get(answer, "error");
    /* What others have written, or a server that is not what it seems; as JSON
     * it is shown whole, escaped. */
    if (!c->json)
        shape_clean(c->method < 0 ? NULL : &methods[c->method].result, result);
    shape_clean(NULL, error);
    if (result == NULL && error != NULL) {
        *ret_error = json_incref(json_object_get(error, "data"));
        (void)json_object_set(*ret_error, "message",
                              json_object_get(error, "message"));
    }
    json_decref(answer);
    return result;
}

/* What a refusal's data has for administrators alone. */
static void say_more(const json_t *error)
{
    char time[TIME_SIZE];
    const json_t *until = json_object_get(error, "until");
    const json_t *started = json_object_get(error, "started");

    if (member_text(error, "why")[0] != '\0')
        (void)fprintf(stderr, " %s.", member_text(error, "why"));
    if (json_is_integer(until))
        (void)fprintf(stderr, " Until %s.", time_text(until, time));
    if (json_is_integer(started))
        (void)fprintf(stderr, " It started at ply %lld.",
                      (long long)json_integer_value(started));
}

int complain_error(json_t *error)
{
    char text[REFUSAL_SIZE];

    if (error == NULL)
        return STATUS_FAILED; /* it has been said */
    (void)fflush(stdout);
    if (in_json) {
        say_json(error);
        return STATUS_FAILED;
    }
    json_t *whole = json_pack("{s:O*,s:O}", "message",
                              json_object_get(error, "message"), "data",
                              error);
    ASSERT(whole != NULL);
    (void)fprintf(stderr, "sobremesactl: refused: %s: %s",
                  member_text(error, "reason"),
                  refusal_text(whole, NULL, text, sizeof(text)));
    say_more(error);
    (void)fputc('\n', stderr);
    json_decref(whole);
    json_decref(error);
    return STATUS_FAILED;
}

/* ---- a command -------------------------------------------------------- */

/* What was given, but for LIMIT, and where a list goes on, if MORE says so. */
static void put_params(struct ctl *c, struct json_out *o, const json_t *more,
                       int64_t rows)
{
    const char *name;
    json_t *value;

    json_object_foreach(c->given, name, value)
    {
        char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
        ASSERT(text != NULL);
        if (strcmp(name, "limit") != 0)
            out_raw(o, name, text, strlen(text));
        free(text);
    }
    if (c->command->rows == NULL)
        return;
    out_int(o, "limit", rows < PAGE_ROWS ? rows : PAGE_ROWS);
    if (json_is_string(more))
        out_string(o, "after", json_string_value(more));
    else if (json_is_integer(more))
        out_int(o, "before", json_integer_value(more));
}

/* The answer; of a list as many pages as are wanted, put together. */
static json_t *ask(struct ctl *c)
{
    int64_t limit = member_int(c->given, "limit");
    json_t *whole = NULL, *error;

    if (limit == 0)
        limit = INT64_MAX;
    for (;;) {
        json_t *rows = json_object_get(whole, c->command->rows);
        json_t *next = json_object_get(whole, "next");
        int64_t left = limit - (int64_t)json_array_size(rows);
        if (whole != NULL && (next == NULL || left <= 0))
            return whole;
        put_params(c, call_begin(c, c->command->method), next, left);
        json_t *page = call_end(c, &error);
        if (page == NULL) {
            (void)complain_error(error);
            json_decref(whole);
            return NULL;
        }
        if (c->command->rows == NULL || whole == NULL) {
            whole = page;
            if (c->command->rows == NULL)
                return whole;
            continue;
        }
        (void)json_array_extend(rows, json_object_get(page, c->command->rows));
        next = json_incref(json_object_get(page, "next"));
        if (next != NULL)
            (void)json_object_set_new(whole, "next", next);
        else
            (void)json_object_del(whole, "next");
        json_decref(page);
    }
}

void print_json(const json_t *value)
{
    char *text = json_dumps(value, JSON_COMPACT);
    ASSERT(text != NULL);
    (void)puts(text);
    free(text);
}

int call_command(struct ctl *c)
{
    json_t *result = dial(c) ? ask(c) : NULL;

    if (result == NULL)
        return STATUS_FAILED;
    if (c->json)
        print_json(result);
    else
        c->command->show(c, result);
    if (!c->json && c->command->rows != NULL &&
        json_object_get(result, "next") != NULL)
        (void)fprintf(stderr, "There are more; --limit 0 shows all.\n");
    json_decref(result);
    return STATUS_DONE;
}
