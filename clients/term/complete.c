/* complete.c -- `sobremesa complete`: what the last word of a command line could
 * be, for the shells (deploy/completions).
 *
 * It is asked for at each Tab, so nothing is written down twice: commands are
 * those of main.c, options and arguments those that the command tells argp,
 * games, boards and options those of the core.  Of an argument in args_doc and
 * of an option's value
 *
 *     on|off     small letters are words themselves
 *     GAME       great ones what is meant: see `meanings` below
 *     A|B C...   one of both, then any number of the last
 *
 * Each candidate is a line, with a tab and what it means behind it; the line
 * `:files` stands for the names of files. */

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "core/ascii.h"
#include "core/base.h"
#include "core/says.h"
#include "layout.h"
#include "term.h"
#include "usage.h"

#define WORDS_MAX 64

/* What is being completed: the words before it, and what there is of it. */
struct line {
    char **words; /* of a command, its name first */
    int count;
    const char *prefix;   /* what is said before the word itself: "--game=", */
    int prefix_len;       /* so many bytes */
    const char *begun;    /* the word, as far as it was typed */
    const char *begun_at; /* of a list with commas, its last item */
};

static const struct argp *looked_at;
static int looked_words; /* of its name: `board show` has two */

static void look(const struct argp *argp, const char *name)
{
    looked_at = argp;
    for (looked_words = 1; *name != '\0'; name++)
        looked_words += *name == ' ';
}

/* ---- candidates ----------------------------------------------------------- */

/* WORD of LEN bytes, and TAIL behind it, if that is how the word begins. */
static void offer(const struct line *l, const char *word, size_t len,
                  const char *tail, const char *means)
{
    size_t begun = strlen(l->begun_at);
    size_t head = (size_t)(l->begun_at - l->begun);

    if (strncmp(word, l->begun_at, begun < len ? begun : len) != 0 ||
        (begun > len && strncmp(tail, l->begun_at + len, begun - len) != 0))
        return;
    printf("%.*s%.*s%.*s%s\t%s\n", l->prefix_len, l->prefix, (int)head,
           l->begun, (int)len, word, tail, means);
}

static void offer_word(const struct line *l, const char *word,
                       const char *means)
{
    offer(l, word, strlen(word), "", means);
}

/* The game that is spoken of: one of the words before. */
static const struct rules *game_of(const struct line *l)
{
    const struct rules *r = NULL;

    for (int i = 0; i < l->count && r == NULL; i++)
        r = rules_find(l->words[i]);
    return r;
}

static void offer_games(const struct line *l)
{
    for (size_t i = 0; rules_all[i] != NULL; i++)
        offer_word(l, rules_all[i]->name, rules_all[i]->title);
}

/* Of the game that is spoken of, or else of all. */
static void offer_assets(const struct line *l)
{
    const struct rules *only = game_of(l);

    for (size_t i = 0; rules_all[i] != NULL; i++)
        if (only == NULL || rules_all[i] == only)
            for (const struct rules_asset *a = rules_all[i]->assets;
                 a != NULL && a->name != NULL; a++)
                offer_word(l, a->name, rules_all[i]->title);
}

/* `name`, `name=word` */
static void offer_options(const struct line *l)
{
    const struct rules *r = game_of(l);
    const struct says *says = r != NULL ? layout_says(r) : NULL;

    for (int i = 0; r != NULL && r->options[i].name != NULL; i++) {
        const struct rules_option *option = &r->options[i];
        char value[80];
        if (option->flag)
            offer_word(l, option->name, says_option(r, says, i));
        else if (option->words == NULL)
            offer(l, option->name, strlen(option->name), "=",
                  says_option(r, says, i));
        for (int w = 0; option->words != NULL && option->words[w] != NULL;
             w++) {
            (void)snprintf(value, sizeof(value), "%s=%s", option->name,
                           option->words[w]);
            offer_word(l, value, says_option(r, says, i));
        }
    }
}

static void offer_commands(const struct line *l)
{
    for (size_t i = 0; commands[i].name != NULL; i++)
        offer_word(l, commands[i].name, _(commands[i].text));
}

static void offer_files(const struct line *l)
{
    (void)l;
    printf(":files\n");
}

/* What stands for an argument in a command's help, and what it can be. */
static const struct {
    const char *name;
    void (*offer)(const struct line *l);
} meanings[] = {
    {"COMMAND", offer_commands},   {"GAME", offer_games},
    {"FILE", offer_files},         {"DIR", offer_files},
    {"NAME=VALUE", offer_options}, {"BOARD", offer_assets},
};

/* One of `alternatives|`, as args_doc or an option has it. */
static void offer_alternative(const struct line *l, const char *word,
                              size_t len, bool board)
{
    const char *equals = memchr(word, '=', len);

    if (islower((unsigned char)word[0])) { /* of wait=SECONDS the beginning */
        bool open = equals != NULL && ascii_lower(equals[1]) != equals[1];
        offer(l, word, open ? (size_t)(equals + 1 - word) : len, "", "");
        return;
    }
    if (board && len == 4 && memcmp(word, "NAME", 4) == 0) {
        offer_assets(l);
        return;
    }
    for (size_t i = 0; i < COUNT_OF(meanings); i++)
        if (strlen(meanings[i].name) == len &&
            memcmp(meanings[i].name, word, len) == 0)
            meanings[i].offer(l);
}

/* The length of the token at TEXT without brackets, dots and commas around it:
 * `[on|off]`, `NAME=VALUE,...`. */
static size_t token(const char **text)
{
    *text += strspn(*text, " [");
    return strcspn(*text, " ],.\n");
}

static void offer_token(const struct line *l, const char *text)
{
    size_t len = token(&text);
    bool board = memchr(text, '|', len) != NULL; /* FILE|NAME */

    for (size_t at = 0; at < len;) {
        size_t n = strcspn(text + at, "|");
        if (n > len - at)
            n = len - at;
        offer_alternative(l, text + at, n, board);
        at += n + 1;
    }
}

/* ---- options -------------------------------------------------------------- */

static void offer_names(const struct line *l, const struct argp *argp)
{
    const struct argp_option *o = argp->options;
    const struct argp_child *child = argp->children;
    char name[64];

    for (; o != NULL && (o->name != NULL || o->key != 0); o++) {
        if (o->name == NULL || (o->flags & OPTION_HIDDEN) != 0)
            continue;
        (void)snprintf(name, sizeof(name), "--%s", o->name);
        offer(l, name, strlen(name), o->arg != NULL ? "=" : "",
              o->doc != NULL ? _(o->doc) : "");
    }
    for (; child != NULL && child->argp != NULL; child++)
        offer_names(l, child->argp);
}

/* The value of an option, which may be a list with commas. */
static void offer_value(struct line *l, const struct argp_option *o)
{
    const char *comma = strrchr(l->begun, ',');

    if (comma != NULL && strstr(o->arg, ",...") != NULL)
        l->begun_at = comma + 1;
    offer_token(l, o->arg);
}

/* ---- arguments ------------------------------------------------------------ */

/* Whether WORD may stand for the token at TEXT. */
static bool may_be(const char *text, const char *word)
{
    size_t len = token(&text);

    for (size_t at = 0; at < len;) {
        size_t n = strcspn(text + at, "|");
        if (n > len - at)
            n = len - at;
        if (!islower((unsigned char)text[at]) ||
            memchr(text + at, '=', n) != NULL ||
            (strlen(word) == n && memcmp(text + at, word, n) == 0))
            return true;
        at += n + 1;
    }
    return false;
}

/* Whether the option at TEXT, as it stands in args_doc, is among the words. */
static bool has_option(const struct line *l, const char *text)
{
    size_t len = strcspn(text, " \n");

    for (int i = 1; i < l->count; i++)
        if (strlen(l->words[i]) == len && memcmp(l->words[i], text, len) == 0)
            return true;
    return false;
}

/* The token of the line of args_doc at DOC for the next argument, of which COUNT
 * stand before at ARGS; NULL if these are not those of this line, or all. */
static const char *next_token(const struct line *l, const char *doc,
                              char **args, int count)
{
    const char *end = doc + strcspn(doc, "\n"), *at = doc;

    for (int i = 0;; i++) {
        at += strspn(at, " ");
        if (at >= end)
            return NULL;
        const char *next = at + strcspn(at, " \n");
        if (*at == '-' && has_option(l, at)) { /* `--offline GAME` */
            at = next;
            i--;
            continue;
        }
        if (*at == '-')
            return NULL;
        if (i == count)
            return at;
        if (!may_be(at, args[i]))
            return NULL;
        bool more = next - at > 3 && memcmp(next - 3, "...", 3) == 0;
        at = more ? at : next; /* `...` and `...]`: again and again */
    }
}

static void offer_arguments(const struct line *l, const struct argp *argp)
{
    char *args[WORDS_MAX];
    int count = 0;

    for (int i = 1; i < l->count; i++) {
        const struct argp_option *o = NULL;
        if (l->words[i][0] != '-' || l->words[i][1] == '\0') {
            args[count++] = l->words[i];
            continue;
        }
        if (strchr(l->words[i], '=') == NULL)
            o = usage_option(argp, l->words[i], strlen(l->words[i]));
        i += o != NULL && o->arg != NULL; /* its value is the next word */
    }
    for (const char *doc = argp->args_doc; doc != NULL;) {
        const char *found = next_token(l, doc, args, count);
        if (found != NULL)
            offer_token(l, found);
        doc = strchr(doc, '\n');
        doc += doc != NULL;
    }
}

/* ---- the command ---------------------------------------------------------- */

/* What COMMAND says it takes, where the words behind it stand at ARGV. */
static const struct argp *ask(const struct command *command, int argc,
                              char **argv)
{
    looked_at = NULL;
    command_look = look;
    (void)command->run(argc, argv);
    command_look = NULL;
    return looked_at;
}

static void complete(struct line *l, const struct argp *argp)
{
    const char *last = l->count > 0 ? l->words[l->count - 1] : "";
    const char *equals = strchr(l->begun, '=');
    const struct argp_option *o = NULL;

    if (last[0] == '-' && strchr(last, '=') == NULL)
        o = usage_option(argp, last, strlen(last));
    if (o != NULL && o->arg != NULL) {
        offer_value(l, o);
    } else if (l->begun[0] != '-') {
        offer_arguments(l, argp);
    } else if (equals != NULL) {
        o = usage_option(argp, l->begun, (size_t)(equals - l->begun));
        l->prefix = l->begun;
        l->prefix_len = (int)(equals + 1 - l->begun);
        l->begun = l->begun_at = equals + 1;
        if (o != NULL && o->arg != NULL)
            offer_value(l, o);
    } else {
        offer_names(l, argp);
    }
}

static error_t complete_parse(int key, char *arg, struct argp_state *state)
{
    struct line *l = state->input;

    (void)arg;
    switch (key) {
    case ARGP_KEY_ARGS: /* all that is left, whatever it looks like */
        l->words = &state->argv[state->next];
        l->count = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, _("what?")); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* What the last of the words in L could be. */
static void complete_line(struct line *l)
{
    size_t at = 0;

    l->begun = l->begun_at = l->words[--l->count];
    if (l->count == 0) {
        offer_commands(l);
        return;
    }
    while (commands[at].name != NULL &&
           strcmp(commands[at].name, l->words[0]) != 0)
        at++;
    const struct argp *found = commands[at].name != NULL
                                   ? ask(&commands[at], l->count, l->words)
                                   : NULL;
    if (found == NULL)
        return;
    l->words += looked_words - 1;
    l->count -= looked_words - 1;
    complete(l, found);
}

int complete_command(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = complete_parse,
        .args_doc = "-- [WORD...]",
        .doc = N_(
            "Says what the last WORD of a command line could be, and what "
            "that means: for the completion of shells. The name of the "
            "program is not among the words, and the last one is empty "
            "where none was begun."),
    };
    struct line l = {.prefix = ""};

    if (command_parse(&argp, "complete", argc, argv, &l) != STATUS_DONE)
        return STATUS_USAGE;
    output_own(true); /* with tabs; all of it is our own */
    if (l.count <= WORDS_MAX)
        complete_line(&l);
    output_own(false);
    return STATUS_DONE;
}
