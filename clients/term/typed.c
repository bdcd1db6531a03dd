#include "typed.h"

#include <stdio.h>
#include <string.h>

#include "clients/common/lang.h"
#include "core/ascii.h"
#include "core/base.h"
#include "core/text.h"
#include "near.h"
#include "protocol/sbuf_printf.h"

/* ---- read --------------------------------------------------------------- */

static bool is_place(const struct rules_kind *kind,
                     const struct rules_state *s, const char *text, size_t len)
{
    int16_t unused;
    return kind->form == RULES_PLACE &&
           text_word_read(kind, s, text, len, &unused);
}

/* Appends ` name=value`; a place in small letters gets great ones. */
static bool add_argument(const struct rules_arg *arg,
                         const struct rules_state *s, const char *value,
                         size_t len, struct sbuf *to)
{
    char great[64];

    if (arg->kind->form == RULES_PLACE && len < sizeof(great) &&
        !is_place(arg->kind, s, value, len)) {
        for (size_t i = 0; i < len; i++)
            great[i] = ascii_upper(value[i]);
        if (is_place(arg->kind, s, great, len))
            value = great;
    }
    sbuf_printf(to, " %s=%.*s", arg->name, (int)len, value);
    return sbuf_fits(to);
}

static int find_name(const struct rules_word *verb, const char *text,
                     size_t len)
{
    for (int i = 0; i < RULES_ARGS_MAX && verb->arg[i].name != NULL; i++)
        if (strlen(verb->arg[i].name) == len &&
            memcmp(verb->arg[i].name, text, len) == 0)
            return i;
    return -1;
}

/* "It is said so: ..." */
static void say_usage(const struct rules_word *verb, struct sbuf *s)
{
    sbuf_printf(s, _("It is said so: %s"), verb->name);
    for (int i = 0; i < RULES_ARGS_MAX && verb->arg[i].name; i++)
        sbuf_printf(s, verb->arg[i].optional ? " [%s=%s]" : " %s=%s",
                    verb->arg[i].name, verb->arg[i].kind->name);
}

/* Of the words of a move the one that is wrong. */
struct wrong {
    const char *word; /* NULL: none, one is missing */
    size_t len;
    const struct rules_arg *arg; /* for which it stands; NULL: for none */
};

static void say_wrong(const struct rules_word *verb, const struct wrong *w,
                      struct sbuf *s)
{
    const struct rules_kind *kind = w->arg != NULL ? w->arg->kind : NULL;
    struct near near = near_to(w->word, w->len);
    int len = w->len < 40 ? (int)w->len : 40;
    char hint[64];

    if (kind == NULL) {
        for (int i = 0; i < RULES_ARGS_MAX && verb->arg[i].name != NULL; i++)
            near_try(&near, verb->arg[i].name);
        sbuf_printf(s, _("'%.*s' is too much"), len, w->word);
    } else if (kind->form == RULES_NUMBER) {
        sbuf_printf(s, _("'%.*s' is no %s: a number from %d to %d"), len,
                    w->word, w->arg->name, kind->min, kind->max);
    } else {
        for (int i = 0; kind->form == RULES_WORD && kind->words[i] != NULL;
             i++)
            near_try(&near, kind->words[i]);
        sbuf_printf(s, _("'%.*s' is no %s"), len, w->word, kind->name);
    }
    (void)near_hint(&near, hint, sizeof(hint));
    sbuf_printf(s, "%s ", hint[0] != '\0' ? hint : ".");
}

/* Makes of the words after the verb what text.h reads.  False if there are
 * more than the verb has arguments, or one of another name. */
static bool complete(const struct table *table, const struct rules_word *verb,
                     const char *rest, struct sbuf *s, struct wrong *wrong)
{
    int next = 0;

    sbuf_puts(s, verb->name);
    for (;;) {
        rest += strspn(rest, " \t");
        size_t len = strcspn(rest, " \t");
        if (len == 0)
            return true;
        const char *equals = memchr(rest, '=', len);
        size_t name = equals != NULL ? (size_t)(equals - rest) + 1 : 0;
        *wrong = (struct wrong){.word = rest,
                                .len = name > 0 ? name - 1 : len};
        if (equals != NULL)
            next = find_name(verb, rest, name - 1);
        if (next < 0 || next >= RULES_ARGS_MAX || verb->arg[next].name == NULL)
            return false;
        wrong->arg = &verb->arg[next];
        if (!add_argument(&verb->arg[next], &table->any.state, rest + name,
                          len - name, s))
            return false;
        next++;
        rest += len;
    }
}

/* The word of WHOLE, as complete() makes it, that stands at AT. */
static struct wrong wrong_at(const struct rules_word *verb, const char *whole,
                             size_t at)
{
    while (at > 0 && whole[at - 1] != ' ')
        at--;
    size_t name = strcspn(whole + at, "=");
    int i = find_name(verb, whole + at, name);

    if (whole[at + name] != '=' || i < 0)
        return (struct wrong){0};
    return (struct wrong){
        .word = whole + at + name + 1,
        .len = strcspn(whole + at + name + 1, " "),
        .arg = &verb->arg[i],
    };
}

static void say_no_move(const struct rules *r, const char *text, size_t len,
                        char *why, size_t cap)
{
    struct near near = near_to(text, len);
    char hint[64];

    for (int i = 0; r->verbs[i].name != NULL; i++)
        if (!r->verbs[i].nature)
            near_try(&near, r->verbs[i].name);
    (void)near_hint(&near, hint, sizeof(hint));
    (void)snprintf(why, cap, _("There is no move '%.*s'%s"),
                   len < 40 ? (int)len : 40, text,
                   hint[0] != '\0' ? hint : ".");
}

int move_read(const struct table *table, const char *text,
              struct rules_move *ret_move, char *why, size_t why_cap)
{
    const struct rules *r = table->rules;
    char whole[512];
    struct sbuf words = sbuf_in(whole, sizeof(whole)),
                said = sbuf_in(why, why_cap);
    struct wrong wrong = {0};
    size_t at;

    text += strspn(text, " \t");
    size_t len = strcspn(text, " \t");
    int verb = text_find(r->verbs, text, len);
    if (verb < 0) {
        say_no_move(r, text, len, why, why_cap);
        return RULES_UNKNOWN_VERB;
    }
    bool good = complete(table, &r->verbs[verb], text + len, &words, &wrong);
    if (good && text_move_read(r, &table->any.state, whole, strlen(whole),
                               ret_move, &at) != RULES_OK) {
        good = false;
        wrong = wrong_at(&r->verbs[verb], whole, at);
    } else if (good) {
        const struct rules_arg *arg = r->verbs[verb].arg;
        wrong.word = NULL;
        for (int i = 0; i < RULES_ARGS_MAX && arg[i].name != NULL; i++)
            good = good && (ret_move->arg[i] != RULES_NONE || arg[i].optional);
    }
    if (good)
        return RULES_OK;
    if (wrong.word != NULL)
        say_wrong(&r->verbs[verb], &wrong, &said);
    say_usage(&r->verbs[verb], &said);
    return RULES_BAD_ARGUMENT;
}

/* ---- completed ---------------------------------------------------------- */

/* Value I of MOVE in words, false where there is none or it is up to the
 * player. */
static bool value_word(const struct table *t, const struct rules_choice *c,
                       int i, char word[TYPED_WORD_SIZE])
{
    const struct rules_arg *arg = &t->rules->verbs[c->move.verb].arg[i];

    if (i >= RULES_ARGS_MAX || arg->name == NULL || c->ranged == i ||
        c->move.arg[i] == RULES_NONE)
        return false;
    size_t n = text_word(arg->kind, &t->any.state, c->move.arg[i], word,
                         TYPED_WORD_SIZE - 1);
    if (n < TYPED_WORD_SIZE)
        word[n] = '\0';
    if (n == 0 && arg->kind->form == RULES_FLAG)
        (void)snprintf(word, TYPED_WORD_SIZE, "%s",
                       c->move.arg[i] != 0 ? "true" : "false");
    else if (n == 0)
        (void)snprintf(word, TYPED_WORD_SIZE, "%d", c->move.arg[i]);
    return true;
}

/* Whether the typed TEXT, of LEN bytes, is value I of C, with its name or
 * without. */
static bool is_value(const struct table *t, const struct rules_choice *c,
                     int i, const char *text, size_t len)
{
    const char *equals = memchr(text, '=', len);
    char word[TYPED_WORD_SIZE];

    if (equals != NULL) {
        len -= (size_t)(equals + 1 - text);
        text = equals + 1;
    }
    return i >= RULES_ARGS_MAX || c->ranged == i ||
           (value_word(t, c, i, word) && strlen(word) == len &&
            ascii_compare_n(word, text, len) == 0);
}

/* What C has where the last word of TEXT stands; false if what is before it
 * says something else. */
static bool next_word(const struct table *t, const struct rules_choice *c,
                      const char *text, char word[TYPED_WORD_SIZE])
{
    const char *verb = t->rules->verbs[c->move.verb].name;
    size_t len = strcspn(text, " ");

    if (text[len] == '\0') {
        (void)snprintf(word, TYPED_WORD_SIZE, "%s", verb);
        return true;
    }
    if (strlen(verb) != len || memcmp(verb, text, len) != 0)
        return false;
    for (int i = 0;; i++) {
        text += len + strspn(text + len, " ");
        len = strcspn(text, " ");
        if (text[len] == '\0')
            return value_word(t, c, i, word);
        if (!is_value(t, c, i, text, len))
            return false;
    }
}

size_t move_complete(const struct table *table,
                     const struct rules_choice *choices, size_t count,
                     const char *text, char (*out)[TYPED_WORD_SIZE],
                     size_t cap)
{
    const char *space = strrchr(text, ' ');
    const char *last = space != NULL ? space + 1 : text;
    const char *equals = strchr(last, '=');
    const char *begun = equals != NULL ? equals + 1 : last;
    size_t found = 0;
    char word[TYPED_WORD_SIZE];

    for (size_t i = 0; i < count && found < cap; i++) {
        bool is_new = next_word(table, &choices[i], text, word) &&
                      ascii_compare_n(word, begun, strlen(begun)) == 0;
        for (size_t k = 0; k < found && is_new; k++)
            is_new = strcmp(out[k], word) != 0;
        if (is_new)
            memcpy(out[found++], word, sizeof(word));
    }
    return found;
}
