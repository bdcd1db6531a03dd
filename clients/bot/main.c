/* main.c -- sobremesa-bot: thinks for the bots of a daemon, which starts it.
 *
 * It speaks the public protocol, one JSON object a line, over the socket that
 * it was born with, and asks two things of it: bots.next, which is the view of
 * a seat that is to move, and bots.play, which is the move.  What it answers
 * follows from that view, a secret of its own and the table; it keeps nothing
 * from one question to the next, so that it may be ended at any moment.
 *
 * Before it reads anything it gives away what it does not need: it opens no
 * file and no socket, starts nothing, takes little memory, and lets everybody
 * else have the processor first (jail.c). */

#include <argp.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "core/base.h"
#include "core/mind.h"
#include "core/sha256.h"
#include "jail.h"
#include "protocol/game_json.h"
#include "protocol/version.h"

#define LINE_MAX_BYTES \
    (4 << 20) /* of an answer, which is a megabyte at most */

struct bot {
    int fd;
    char *line; /* what was read, and not taken yet */
    size_t len;
    int64_t ids;
    uint8_t secret[RNG_SEED_SIZE];
    struct mind_room room;
    union rules_any view;
};

void core_panic(const char *file, int line, const char *what)
{
    (void)fprintf(stderr, "%s:%d: %s\n", file, line, what);
    abort();
}

/* ---- lines --------------------------------------------------------------------- */

/* The daemon is gone, or has had enough of us. */
_Noreturn static void leave(int status)
{
    _exit(status);
}

static void say(const struct bot *b, const char *text, size_t len)
{
    while (len > 0) {
        ssize_t n = write(b->fd, text, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            leave(EXIT_SUCCESS);
        text += n;
        len -= (size_t)n;
    }
}

/* The next line as JSON, the caller's. */
static json_t *hear(struct bot *b)
{
    char *end;

    while ((end = memchr(b->line, '\n', b->len)) == NULL) {
        if (b->len == LINE_MAX_BYTES)
            leave(EXIT_FAILURE);
        ssize_t n = read(b->fd, b->line + b->len, LINE_MAX_BYTES - b->len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            leave(EXIT_SUCCESS);
        b->len += (size_t)n;
    }
    size_t taken = (size_t)(end - b->line) + 1;
    json_t *value = json_loadb(b->line, taken - 1, 0, NULL);
    memmove(b->line, b->line + taken, b->len - taken);
    b->len -= taken;
    return value;
}

/* Asks and waits; the answer, the caller's: its `result` or its `error`. */
static json_t *ask(struct bot *b, const char *method, json_t *params)
{
    json_t *asked = json_pack("{s:s,s:I,s:s,s:o}", "jsonrpc", "2.0", "id",
                              (json_int_t)++b->ids, "method", method, "params",
                              params);
    char *text = json_dumps(asked, JSON_COMPACT);

    if (text != NULL)
        say(b, text, strlen(text));
    else
        leave(EXIT_FAILURE);
    say(b, "\n", 1);
    free(text);
    json_decref(asked);
    for (;;) {
        json_t *answer = hear(b);
        if (json_integer_value(json_object_get(answer, "id")) == b->ids)
            return answer;
        json_decref(answer); /* something that is said to everybody */
    }
}

/* ---- thinking ------------------------------------------------------------------- */

/* Its chance: another one at each table, which nobody else can tell. */
static void seed(const struct bot *b, const char *table,
                 uint8_t to[RNG_SEED_SIZE])
{
    struct sha256 h;

    _Static_assert(RNG_SEED_SIZE == SHA256_SIZE, "a hash is a seed");
    sha256_init(&h);
    sha256_update(&h, b->secret, sizeof(b->secret));
    sha256_update(&h, table, strlen(table));
    sha256_final(&h, to);
}

static int level_of(const char *word)
{
    for (int i = 0; word != NULL && i < MIND_LEVELS; i++)
        if (strcmp(word, mind_level_words[i]) == 0)
            return i;
    return -1;
}

/* The answer to QUESTION, as parameters of bots.play; NULL: none. */
static json_t *think(struct bot *b, const json_t *question)
{
    const json_t *view = json_object_get(question, "view");
    const char *game = json_string_value(json_object_get(view, "game"));
    const char *table = json_string_value(json_object_get(question, "table"));
    const struct rules *r = game != NULL ? rules_find(game) : NULL;
    int level = level_of(
        json_string_value(json_object_get(question, "level")));
    struct json_refusal why;
    struct rules_move move;

    if (r == NULL || table == NULL || level < 0 ||
        json_state_read(r, view, &b->view.state, &why) != RULES_OK ||
        b->view.state.viewer >= b->view.state.seats ||
        !rules_can_move(&b->view.state, b->view.state.viewer))
        return NULL;
    struct mind mind = mind_of(r, (enum mind_level)level);
    seed(b, table, mind.seed);
    bool moves = mind_choose(&mind, &b->view.state, &b->room, &move);
    json_t *answer = json_pack("{s:s,s:O,s:O}", "table", table, "seat",
                               json_object_get(question, "seat"), "decision",
                               json_object_get(question, "decision"));
    if (!moves || answer == NULL)
        return answer;
    struct json_out o;
    json_out_init(&o);
    json_move(&o, NULL, r, &b->view.state, &move);
    (void)json_object_set_new(answer, "move",
                              json_loads(json_out_text(&o), 0, NULL));
    json_out_done(&o);
    return answer;
}

/* Waits for a question and answers it; one that cannot be answered is given
 * back with the next. */
static void answer_one(struct bot *b)
{
    json_t *next = ask(b, "bots.next", json_object());
    const json_t *question = json_object_get(next, "result");
    json_t *move = question != NULL ? think(b, question) : NULL;

    if (question == NULL)
        (void)sleep(1); /* the server cannot just now */
    if (move != NULL)
        json_decref(ask(b, "bots.play", move));
    json_decref(next);
}

/* ---- the command ------------------------------------------------------------------ */

const char *argp_program_version = "sobremesa-bot " SOBREMESA_VERSION;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    int *fd = state->input;
    char *end;

    if (key == ARGP_KEY_ARG)
        argp_usage(state);
    if (key != 'f')
        return ARGP_ERR_UNKNOWN;
    long n = strtol(arg, &end, 10);
    if (*end != '\0' || end == arg || n < 0 || n > 1024)
        argp_error(state, "%s is no descriptor", arg);
    *fd = (int)n;
    return 0;
}

int main(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"fd", 'f', "N", 0, "the socket that the daemon is at", 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .doc = "Thinks for the bots of sobremesad, which starts it; of no use "
               "by itself.",
    };
    static struct bot b = {.fd = -1};

    if (argp_parse(&argp, argc, argv, 0, NULL, &b.fd) != 0 || b.fd < 0) {
        (void)fprintf(stderr, "sobremesa-bot: sobremesad starts it (--fd)\n");
        return 2;
    }
    b.line = malloc(LINE_MAX_BYTES);
    if (b.line == NULL ||
        getrandom(b.secret, sizeof(b.secret), 0) != sizeof(b.secret) ||
        !jail_close()) {
        (void)fprintf(stderr, "sobremesa-bot: cannot start: %s\n",
                      strerror(errno));
        return 1;
    }
    for (;;)
        answer_one(&b);
}
