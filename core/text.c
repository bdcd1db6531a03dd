#include "text.h"

#include "base.h"
#include "sbuf.h"

static bool is_word(const char *word, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (word[i] == '\0' || word[i] != text[i])
            return false;
    return word[len] == '\0';
}

int text_find(const struct rules_word *words, const char *name, size_t len)
{
    for (int i = 0; words[i].name != NULL; i++)
        if (is_word(words[i].name, name, len))
            return i;
    return -1;
}

size_t text_word(const struct rules_kind *kind, const struct rules_state *s,
                 int16_t value, char *buf, size_t cap)
{
    if (kind->form == RULES_PLACE)
        return kind->write(s, value, buf, cap);
    if (kind->form != RULES_WORD)
        return 0;
    const char *word = kind->words[value];
    size_t n = 0;
    for (; word[n] != '\0'; n++)
        if (n < cap)
            buf[n] = word[n];
    return n;
}

bool text_word_read(const struct rules_kind *kind, const struct rules_state *s,
                    const char *text, size_t len, int16_t *ret_value)
{
    if (kind->form == RULES_PLACE)
        return kind->read(s, text, len, ret_value);
    if (kind->form != RULES_WORD)
        return false;
    for (int16_t i = 0; kind->words[i] != NULL; i++) {
        if (is_word(kind->words[i], text, len)) {
            *ret_value = i;
            return true;
        }
    }
    return false;
}

static void put_value(struct sbuf *o, const struct rules_kind *kind,
                      const struct rules_state *s, int16_t value)
{
    char word[64];

    if (value == RULES_HIDDEN) {
        sbuf_putc(o, '?');
    } else if (kind->form == RULES_FLAG) {
        sbuf_puts(o, value ? "true" : "false");
    } else if (kind->form == RULES_NUMBER || kind->form == RULES_SEAT) {
        sbuf_int(o, value);
    } else {
        size_t n = text_word(kind, s, value, word, sizeof(word));
        ASSERT(n <= sizeof(word));
        sbuf_put(o, word, n);
    }
}

static size_t put_words(const struct rules_word *word,
                        const struct rules_state *s, const int16_t *arg,
                        char *buf, size_t cap)
{
    struct sbuf o = sbuf_in(buf, cap);

    sbuf_puts(&o, word->name);
    for (int i = 0; i < RULES_ARGS_MAX && word->arg[i].name != NULL; i++) {
        if (arg[i] == RULES_NONE)
            continue;
        sbuf_putc(&o, ' ');
        sbuf_puts(&o, word->arg[i].name);
        sbuf_putc(&o, '=');
        put_value(&o, word->arg[i].kind, s, arg[i]);
    }
    return o.len;
}

size_t text_move(const struct rules *r, const struct rules_state *s,
                 const struct rules_move *move, char *buf, size_t cap)
{
    return put_words(&r->verbs[move->verb], s, move->arg, buf, cap);
}

size_t text_event(const struct rules *r, const struct rules_state *s,
                  const struct rules_event *event, char *buf, size_t cap)
{
    return put_words(&r->events[event->kind], s, event->arg, buf, cap);
}

/* ---- back ------------------------------------------------------------- */

static bool read_number(const char *text, size_t len, int16_t *ret_value)
{
    bool minus = len > 0 && text[0] == '-';
    int value = 0;

    if (len == (size_t)minus)
        return false;
    for (size_t i = minus; i < len; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        value = 10 * value + (text[i] - '0');
        if (value > INT16_MAX)
            return false;
    }
    *ret_value = (int16_t)(minus ? -value : value);
    return *ret_value != RULES_HIDDEN;
}

static bool read_value(const struct rules_kind *kind,
                       const struct rules_state *s, const char *text,
                       size_t len, int16_t *ret_value)
{
    if (kind->form == RULES_FLAG) {
        *ret_value = is_word("true", text, len);
        return *ret_value || is_word("false", text, len);
    }
    if (kind->form == RULES_NUMBER || kind->form == RULES_SEAT)
        return read_number(text, len, ret_value);
    return text_word_read(kind, s, text, len, ret_value);
}

static bool read_argument(const struct rules_word *verb,
                          const struct rules_state *s, const char *text,
                          size_t len, struct rules_move *move)
{
    size_t name = 0;

    while (name < len && text[name] != '=')
        name++;
    if (name == len)
        return false;
    for (int i = 0; i < RULES_ARGS_MAX && verb->arg[i].name != NULL; i++)
        if (is_word(verb->arg[i].name, text, name))
            return move->arg[i] == RULES_NONE &&
                   read_value(verb->arg[i].kind, s, text + name + 1,
                              len - name - 1, &move->arg[i]);
    return false;
}

/* The next stretch without spaces from *AT on; its length, 0 at the end. */
static size_t next_token(const char *text, size_t len, size_t *at)
{
    size_t n = 0;
    while (*at < len && text[*at] == ' ')
        ++*at;
    while (*at + n < len && text[*at + n] != ' ')
        n++;
    return n;
}

int text_move_read(const struct rules *r, const struct rules_state *s,
                   const char *text, size_t len, struct rules_move *ret_move,
                   size_t *at)
{
    struct rules_move move = RULES_MOVE(0, RULES_NONE, RULES_NONE, RULES_NONE);

    *at = 0;
    size_t n = next_token(text, len, at);
    int verb = text_find(r->verbs, text + *at, n);
    if (n == 0 || verb < 0)
        return RULES_UNKNOWN_VERB;
    move.verb = (uint16_t)verb;
    for (;;) {
        *at += n;
        n = next_token(text, len, at);
        if (n == 0)
            break;
        if (!read_argument(&r->verbs[verb], s, text + *at, n, &move))
            return RULES_BAD_ARGUMENT;
    }
    *ret_move = move;
    return RULES_OK;
}
