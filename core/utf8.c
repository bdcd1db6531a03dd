#include "utf8.h"

#include "base.h"

static enum utf8 lead(uint8_t c)
{
    if (c < 0x80)
        return UTF8_OK;
    if (c < 0xc2 || c > 0xf4)
        return UTF8_BAD;
    if (c < 0xe0)
        return UTF8_1;
    if (c < 0xf0)
        return c == 0xe0 ? UTF8_E0 : c == 0xed ? UTF8_ED : UTF8_2;
    return c == 0xf0 ? UTF8_F0 : c == 0xf4 ? UTF8_F4 : UTF8_3;
}

static enum utf8 step(enum utf8 state, uint8_t c)
{
    static const struct {
        uint8_t low, high;
        enum utf8 next;
    } rules[] = {
        [UTF8_1] = {0x80, 0xbf, UTF8_OK}, [UTF8_2] = {0x80, 0xbf, UTF8_1},
        [UTF8_3] = {0x80, 0xbf, UTF8_2},  [UTF8_E0] = {0xa0, 0xbf, UTF8_1},
        [UTF8_ED] = {0x80, 0x9f, UTF8_1}, [UTF8_F0] = {0x90, 0xbf, UTF8_2},
        [UTF8_F4] = {0x80, 0x8f, UTF8_2},
    };
    if (state == UTF8_OK)
        return lead(c);
    if (state == UTF8_BAD || c < rules[state].low || c > rules[state].high)
        return UTF8_BAD;
    return rules[state].next;
}

enum utf8 utf8_walk(enum utf8 state, const void *data, size_t len)
{
    const uint8_t *at = data;
    size_t i = 0;

    while (i < len && state != UTF8_BAD) {
        uint64_t eight;
        if (state == UTF8_OK && len - i >= sizeof(eight)) {
            memcpy(&eight, at + i, sizeof(eight));
            if ((eight & UINT64_C(0x8080808080808080)) == 0) {
                i += sizeof(eight);
                continue;
            }
        }
        state = step(state, at[i++]);
    }
    return state;
}

bool utf8_valid(const void *data, size_t len)
{
    return utf8_walk(UTF8_OK, data, len) == UTF8_OK;
}

size_t utf8_read(const void *text, size_t len, uint32_t *ret_code)
{
    /* What of the first byte counts, by the length of the character. */
    static const uint8_t bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    const uint8_t *at = text;
    enum utf8 state = UTF8_OK;
    size_t n = 0;

    do {
        if (n == len)
            return 0;
        state = step(state, at[n++]);
    } while (state != UTF8_OK && state != UTF8_BAD);
    if (state == UTF8_BAD)
        return 0;
    if (ret_code != NULL) {
        *ret_code = at[0] & bits[n];
        for (size_t i = 1; i < n; i++)
            *ret_code = *ret_code << 6 | (at[i] & 0x3f);
    }
    return n;
}

size_t utf8_cut(const char *text, size_t len)
{
    while (len > 0 && ((uint8_t)text[len] & 0xc0) == 0x80)
        len--;
    return len;
}

bool utf8_printable(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } not [] = {
        {0x0000, 0x001f},  /* C0 */
        {0x007f, 0x009f},  /* DEL, C1 */
        {0x061c, 0x061c},  /* Arabic letter mark */
        {0x200e, 0x200f},  /* left-to-right and right-to-left mark */
        {0x2028, 0x202e},  /* line, paragraph; embeddings and overrides */
        {0x2066, 0x206f},  /* isolates; older controls of shaping */
        {0xd800, 0xdfff},  /* surrogates, which UTF-8 has none of */
        {0xfdd0, 0xfdef},  /* noncharacters; the others end in FFFE, FFFF */
        {0xfff9, 0xfffb},  /* annotations */
        {0xe0000, 0xe007f} /* tags */
    };

    for (size_t i = 0; i < COUNT_OF(not ) && code >= not [i].first; i++)
        if (code <= not [i].last)
            return false;
    return code <= 0x10ffff && (code & 0xfffe) != 0xfffe;
}

size_t utf8_printable_len(const char *text, size_t len, bool lines)
{
    size_t at = 0;

    while (at < len) {
        uint32_t code;
        if (text[at] >= ' ' && text[at] <= '~') {
            at++;
            continue;
        }
        size_t n = utf8_read(text + at, len - at, &code);
        if (n == 0 || !(utf8_printable(code) || (lines && code == '\n')))
            break;
        at += n;
    }
    return at;
}
