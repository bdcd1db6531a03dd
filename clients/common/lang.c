#include "lang.h"

#include <stdint.h>
#include <string.h>

#include "core/base.h"

static const struct lang_catalogue *chosen; /* NULL: English */

/* ---- a catalogue, as msgfmt makes it -------------------------------------- */

/* Of its head, each a number of four bytes, the lowest first. */
enum { MO_MAGIC = 0, MO_COUNT = 8, MO_KEYS = 12, MO_TEXTS = 16 };

static uint32_t number_at(const struct lang_catalogue *c, size_t at)
{
    const unsigned char *p = c->mo + at;

    ASSERT(at + 4 <= c->len);
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
           (uint32_t)p[3] << 24;
}

/* String I of a list of them: their lengths and places stand in a row. */
static const char *string_at(const struct lang_catalogue *c, uint32_t list,
                             uint32_t i)
{
    uint32_t len = number_at(c, list + 8 * (size_t)i);
    uint32_t at = number_at(c, list + 8 * (size_t)i + 4);

    ASSERT(at + (size_t)len < c->len && c->mo[at + len] == '\0');
    return (const char *)c->mo + at;
}

/* What stands for ENGLISH, of which the keys are in order; NULL for nothing.
 * The key "" is the catalogue's own head. */
static const char *find(const char *english)
{
    if (chosen == NULL || english[0] == '\0')
        return NULL;
    uint32_t from = 0, to = number_at(chosen, MO_COUNT);
    uint32_t keys = number_at(chosen, MO_KEYS);
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        int order = strcmp(english, string_at(chosen, keys, middle));
        if (order == 0)
            return string_at(chosen, number_at(chosen, MO_TEXTS), middle);
        if (order < 0)
            to = middle;
        else
            from = middle + 1;
    }
    return NULL;
}

/* ---- what is said --------------------------------------------------------- */

static bool is_wanted(const char *lang, const char *wanted)
{
    size_t len = strlen(lang);

    return strncmp(wanted, lang, len) == 0 &&
           strchr("_.@-", wanted[len]) != NULL; /* or its end */
}

static const struct lang_catalogue *
catalogue_of(const struct lang_catalogue *catalogues, const char *wanted)
{
    const struct lang_catalogue *c = catalogues;

    while (c->lang != NULL && !is_wanted(c->lang, wanted))
        c++;
    return c->lang != NULL ? c : NULL;
}

bool lang_known(const struct lang_catalogue *catalogues, const char *wanted)
{
    return is_wanted("en", wanted) || catalogue_of(catalogues, wanted) != NULL;
}

void lang_choose(const struct lang_catalogue *catalogues, const char *wanted)
{
    chosen = catalogue_of(catalogues, wanted);
    ASSERT(chosen == NULL || number_at(chosen, MO_MAGIC) == 0x950412de);
}

const char *lang_chosen(void)
{
    return chosen != NULL ? chosen->lang : "en";
}

const char *lang_text(const char *english)
{
    const char *text = find(english);

    return text != NULL ? text : english;
}

/* Both forms stand one behind the other.  In English one is one; in French so
 * is nothing. */
const char *lang_plural(const char *one, const char *many, long long n)
{
    const char *text = find(one);

    if (text == NULL)
        return n == 1 ? one : many;
    return n >= -1 && n <= 1 ? text : text + strlen(text) + 1;
}
