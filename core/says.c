/* says.c -- sentences are filled in. */

#include "says.h"

#include "base.h"
#include "preview.h"
#include "sbuf.h"
#include "text.h"

static bool same(const char *a, const char *b, size_t len)
{
    size_t i = 0;

    while (i < len && a[i] != '\0' && a[i] == b[i])
        i++;
    return i == len && a[i] == '\0';
}

static size_t length(const char *text)
{
    size_t n = 0;
    while (text[n] != '\0')
        n++;
    return n;
}

const struct says *says_find(const struct rules *r, const char *lang)
{
    const struct says *says = r->says;

    while (says != NULL && says->lang != NULL &&
           !same(says->lang, lang, length(lang)))
        says++;
    return says != NULL && says->lang != NULL ? says : r->says;
}

/* ---- what stands in lists ------------------------------------------------- */

/* Of refusals that every game knows, in the order of rules.h. */
static const char *common_reason(const struct says *says, int refusal)
{
    static const char *const fr[] = {
        SAYS("C’est permis."),
        SAYS("La partie est terminée."),
        SAYS("Ce n’est pas à vous."),
        SAYS("Ce coup n’existe pas dans ce jeu."),
        SAYS("Un argument manque, est inconnu ou hors des limites."),
        SAYS("Ce qui arriverait dépend de quelque chose de caché."),
        SAYS("La partie ne peut être préparée ainsi."),
        SAYS("Ce ne sont pas les octets d’un état."),
    };
    _Static_assert(COUNT_OF(fr) == 1 - RULES_MALFORMED, "one for each");

    return says != NULL && same(says->lang, "fr", 2) ? fr[-refusal] : NULL;
}

/* One of the lists of a catalogue, which need not be there. */
#define LIST(says, of) ((says) != NULL ? (says)->of : NULL)

/* Item I of LIST, or else TEXT. */
static const char *or_else(const char *const *list, int i, const char *text)
{
    return list != NULL ? list[i] : text;
}

const char *says_reason(const struct rules *r, const struct says *says,
                        int refusal)
{
    const char *english = rules_reason_text(r, refusal);

    if (refusal <= RULES_GAME)
        return or_else(LIST(says, reasons), RULES_GAME - refusal, english);
    const char *text = common_reason(says, refusal);
    return text != NULL ? text : english;
}

const char *says_option(const struct rules *r, const struct says *says,
                        int option)
{
    return or_else(LIST(says, options), option, r->options[option].text);
}

const char *says_part(const struct rules *r, const struct says *says, int part)
{
    return or_else(LIST(says, parts), part, r->parts[part].text);
}

const char *says_head(const struct rules *r, const struct says *says, int part)
{
    return or_else(LIST(says, heads), part, r->parts[part].name);
}

const char *says_verb(const struct rules *r, const struct says *says, int verb)
{
    return or_else(LIST(says, verbs), verb, r->verbs[verb].text);
}

const char *says_figure(const struct rules *r, const struct says *says,
                        int figure)
{
    return or_else(LIST(says, figures), figure,
                   preview_figures(r)[figure].text);
}

const char *says_name(const struct says *says, const char *word)
{
    const struct says_name *name = says->names;

    while (name != NULL && name->word != NULL &&
           !same(name->word, word, length(word)))
        name++;
    return name != NULL ? name->text : NULL;
}

/* ---- what happened -------------------------------------------------------- */

static int argument(const struct rules_word *word, const char *name,
                    size_t len)
{
    for (int i = 0; i < RULES_ARGS_MAX && word->arg[i].name != NULL; i++)
        if (same(word->arg[i].name, name, len))
            return i;
    return -1;
}

/* Money that an argument cannot hold stands in up to three of them. */
static int32_t whole(const struct rules_word *word,
                     const struct rules_event *event, int a)
{
    static const struct {
        const char *name;
        int32_t times;
    } more[] = {{"thousands", 1000}, {"millions", 1000000}};
    int32_t sum = event->arg[a];

    for (size_t i = 0; i < COUNT_OF(more); i++) {
        int at = argument(word, more[i].name, length(more[i].name));
        if (at >= 0 && event->arg[at] != RULES_NONE &&
            same(word->arg[a].name, "amount", 6))
            sum += event->arg[at] * more[i].times;
    }
    return sum;
}

const char *says_word(const struct rules *r, const struct says *says,
                      const char *kind, int value)
{
    const struct says_kind *k = says != NULL ? says->kinds : NULL;
    const struct rules_glossary *g = r->glossary;

    while (k != NULL && k->kind != NULL && !same(k->kind, kind, length(kind)))
        k++;
    if (k != NULL && k->kind != NULL)
        return k->texts[value];
    while (g != NULL && g->kind != NULL && !same(g->kind, kind, length(kind)))
        g++;
    return g != NULL && g->kind != NULL ? g->texts[value] : NULL;
}

/* What a sentence is about: an event, or a move. */
struct filling {
    const struct rules *r;
    const struct says *says;
    const struct rules_state *state;
    const struct rules_word *word;
    const struct rules_event *event; /* a move's arguments, where it is one */
    const char *const *names;
};

static bool put_thing(struct sbuf *s, const struct filling *f,
                      const struct rules_kind *kind, int16_t value)
{
    const struct says_thing *thing = LIST(f->says, things);

    while (thing != NULL && thing->kind != NULL &&
           !same(thing->kind, kind->name, length(kind->name)))
        thing++;
    if (thing == NULL || thing->kind == NULL)
        return false;
    thing->put(s, f->state, value);
    return true;
}

static void put_value(struct sbuf *s, const struct filling *f, int a)
{
    const struct rules_kind *kind = f->word->arg[a].kind;
    int16_t value = f->event->arg[a];
    const char *text = kind->form == RULES_WORD
                           ? says_word(f->r, f->says, kind->name, value)
                       : kind->form == RULES_SEAT ? f->names[value]
                                                  : NULL;
    char buf[64];

    if (put_thing(s, f, kind, value))
        return;
    if (kind->form == RULES_FLAG) /* as words of the kind: no, yes */
        text = says_word(f->r, f->says, kind->name, value != 0);
    if (text != NULL) {
        size_t n = length(text);
        sbuf_put(s, text, n - (n > 0 && text[n - 1] == '.'));
    } else if (kind->form == RULES_NUMBER || kind->form == RULES_FLAG) {
        sbuf_int(s, whole(f->word, f->event, a));
    } else {
        sbuf_put(s, buf, text_word(kind, f->state, value, buf, sizeof(buf)));
    }
}

/* Writes the sentence up to END; false if something of it is missing. */
static bool fill(struct sbuf *s, const struct filling *f, const char *at,
                 const char *end)
{
    const struct rules_event *event = f->event;

    for (; at < end; at++) {
        size_t n = 0;
        if (*at != '{') {
            sbuf_putc(s, *at);
            continue;
        }
        at++;
        while (at[n] != '}')
            n++;
        bool some = at[n - 1] == '+';
        int a = argument(f->word, at, n - some);
        if (same("name", at, n) && event->seat < RULES_SEATS_MAX)
            sbuf_puts(s, f->names[event->seat]);
        else if (a < 0 || event->arg[a] == RULES_NONE ||
                 event->arg[a] == RULES_HIDDEN || (some && event->arg[a] <= 0))
            return false;
        else
            put_value(s, f, a);
        at += n;
    }
    return true;
}

/* Writes the first of the sentences AT of which everything is there. */
static size_t fill_first(const struct filling *f, const char *at, char *buf,
                         size_t cap)
{
    for (;;) {
        const char *end = at;
        struct sbuf out = sbuf_in(buf, cap);
        while (*end != '\0' && *end != '|')
            end++;
        if (fill(&out, f, at, end))
            return out.len;
        if (*end == '\0')
            return 0;
        at = end + 1;
    }
}

size_t says_event(const struct rules *r, const struct says *says,
                  const struct rules_state *s, const struct rules_event *event,
                  const char *const *names, char *buf, size_t cap)
{
    struct filling f = {r, says, s, &r->events[event->kind], event, names};

    return fill_first(&f, says->events[event->kind], buf, cap);
}

size_t says_move(const struct rules *r, const struct says *says,
                 const struct rules_state *s, const char *text, int seat,
                 const struct rules_move *move, const char *const *names,
                 char *buf, size_t cap)
{
    struct rules_event event = {.seat = (uint8_t)seat};
    struct filling f = {r, says, s, &r->verbs[move->verb], &event, names};

    memcpy(event.arg, move->arg, sizeof(event.arg));
    return fill_first(&f, text, buf, cap);
}
