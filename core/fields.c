#include "fields.h"

#include "base.h"

/* What a field is made of. */
enum width { U8, U16, U32, I32 };

static const uint8_t width_bytes[] = {1, 2, 4, 4};
static const int64_t width_null[] = {
    FIELDS_NULL_U8,
    FIELDS_NULL_U16,
    UINT32_MAX,
    FIELDS_NULL_I32,
};

static int64_t load(const void *v, enum width width)
{
    switch (width) {
    case U8: return *(const uint8_t *)v;
    case U16: return *(const uint16_t *)v;
    case U32: return *(const uint32_t *)v;
    case I32: return *(const int32_t *)v;
    }
    return 0;
}

static void store(void *v, enum width width, int64_t value)
{
    switch (width) {
    case U8: *(uint8_t *)v = (uint8_t)value; break;
    case U16: *(uint16_t *)v = (uint16_t)value; break;
    case U32: *(uint32_t *)v = (uint32_t)value; break;
    case I32: *(int32_t *)v = (int32_t)value; break;
    }
}

/* The same field of the later state. */
static const void *later(const struct fields *f, const void *v)
{
    return (const void *)((uintptr_t)v + f->delta);
}

static void take_in(struct fields *f, void *v, enum width width, int64_t value,
                    const struct fields_as *as)
{
    bool null = as->null && value == width_null[width];
    if (null || (value >= as->min && value <= as->max))
        store(v, width, value);
    else
        f->malformed = true;
}

/* ---- bytes ---------------------------------------------------------- */

static void write_bytes(struct fields *f, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        f->size++;
        if (f->room > 0) {
            *f->at++ = (uint8_t)(value >> (8 * i));
            f->room--;
        }
    }
}

static void hash_bytes(struct fields *f, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) /* FNV-1a */
        f->hash = (f->hash ^ ((value >> (8 * i)) & 0xff)) *
                  UINT64_C(0x100000001b3);
}

static void read_bytes(struct fields *f, void *v, enum width width,
                       const struct fields_as *as)
{
    uint64_t value = 0;
    if (f->room < width_bytes[width]) {
        f->malformed = true;
        return;
    }
    for (size_t i = 0; i < width_bytes[width]; i++)
        value |= (uint64_t)*f->in++ << (8 * i);
    f->room -= width_bytes[width];
    f->size += width_bytes[width];
    take_in(f, v, width,
            width == I32 ? (int32_t)(uint32_t)value : (int64_t)value, as);
}

/* ---- words ---------------------------------------------------------- */

static size_t text_len(const char *s)
{
    size_t n = 0;
    while (s[n] != '\0')
        n++;
    return n;
}

static struct fields_value described(int64_t value, int64_t null,
                                     const struct fields_as *as)
{
    struct fields_value v = {.number = value, .as = as};
    if (as->null && value == null) {
        v.type = FIELDS_NULL;
    } else if (as->flag) {
        v.type = FIELDS_BOOL;
    } else if (as->words != NULL) {
        ASSERT(value >= 0 && value <= as->max);
        v.type = FIELDS_WORD;
        v.word = as->words[value];
        v.word_len = text_len(v.word);
    }
    return v;
}

static void show(const struct fields *f, const char *name, int64_t value,
                 int64_t null, const struct fields_as *as)
{
    struct fields_value v = described(value, null, as);
    f->sink->value(f->sink->arg, name, &v);
}

/* The step to what is visited next; counts the items of a list. */
static struct fields_step step_to(struct fields *f, const char *name)
{
    if (f->depth == 0 || !f->stack[f->depth - 1].list)
        return (struct fields_step){.name = name};
    return (struct fields_step){.index = f->stack[f->depth - 1].next++};
}

static void announce(const struct fields *f, struct fields_step last)
{
    struct fields_step path[FIELDS_DEPTH_MAX + 1];
    for (size_t i = 0; i < f->depth; i++)
        path[i] = f->stack[i].step;
    path[f->depth] = last;
    f->sink->change(f->sink->arg, path, f->depth + 1);
}

static bool word_is(const char *word, const struct fields_value *v)
{
    for (size_t i = 0; i < v->word_len; i++)
        if (word[i] == '\0' || word[i] != v->word[i])
            return false;
    return word[v->word_len] == '\0';
}

static void take(struct fields *f, const struct fields_step *step, void *p,
                 enum width width, const struct fields_as *as)
{
    struct fields_value v = {0};
    if (!f->source->value(f->source->arg, step, &v)) {
        f->malformed = true;
    } else if (v.type == FIELDS_NULL && as->null) {
        store(p, width, width_null[width]);
    } else if (as->flag || as->words == NULL) {
        if (v.type != (as->flag ? FIELDS_BOOL : FIELDS_NUMBER) ||
            v.number < as->min || v.number > as->max)
            f->malformed = true;
        else
            store(p, width, v.number);
    } else {
        int64_t n = 0;
        while (n <= as->max &&
               !(v.type == FIELDS_WORD && word_is(as->words[n], &v)))
            n++;
        take_in(f, p, width, n <= as->max ? n : as->min - 1, as);
    }
}

/* ---- one field ------------------------------------------------------ */

static void visit(struct fields *f, const char *name, void *v,
                  enum width width, const struct fields_as *as)
{
    switch (f->mode) {
    case FIELDS_WRITE:
        write_bytes(f, (uint64_t)load(v, width), width_bytes[width]);
        break;
    case FIELDS_READ: read_bytes(f, v, width, as); break;
    case FIELDS_HASH:
        hash_bytes(f, (uint64_t)load(v, width), width_bytes[width]);
        break;
    case FIELDS_SHOW:
        show(f, name, load(v, width), width_null[width], as);
        break;
    case FIELDS_TAKE: {
        struct fields_step step = step_to(f, name);
        take(f, &step, v, width, as);
        break;
    }
    case FIELDS_DIFF: {
        struct fields_step step = step_to(f, name);
        int64_t value = load(later(f, v), width);
        if (f->whole == 0) {
            if (load(v, width) == value)
                break;
            announce(f, step);
        }
        show(f, name, value, width_null[width], as);
        break;
    }
    }
}

void fields_u8(struct fields *f, const char *name, uint8_t *v,
               const struct fields_as *as)
{
    visit(f, name, v, U8, as);
}

void fields_u16(struct fields *f, const char *name, uint16_t *v,
                const struct fields_as *as)
{
    visit(f, name, v, U16, as);
}

void fields_u32(struct fields *f, const char *name, uint32_t *v,
                const struct fields_as *as)
{
    visit(f, name, v, U32, as);
}

void fields_i32(struct fields *f, const char *name, int32_t *v,
                const struct fields_as *as)
{
    visit(f, name, v, I32, as);
}

/* ---- containers ----------------------------------------------------- */

static void go_in(struct fields *f, const char *name, bool list,
                  size_t *ret_count)
{
    ASSERT(f->depth < FIELDS_DEPTH_MAX);
    struct fields_step step = step_to(f, name);
    size_t count = 0;

    if (f->mode == FIELDS_TAKE &&
        !f->source->open(f->source->arg, &step, list, &count))
        f->malformed = true;
    if (f->mode == FIELDS_SHOW || f->whole > 0)
        f->sink->open(f->sink->arg, name, list);
    f->stack[f->depth].step = step;
    f->stack[f->depth].list = list;
    f->stack[f->depth].next = 0;
    f->depth++;
    *ret_count = count;
}

void fields_open(struct fields *f, const char *name)
{
    size_t unused;
    go_in(f, name, false, &unused);
}

void fields_open_list(struct fields *f, const char *name)
{
    size_t unused;
    go_in(f, name, true, &unused);
}

void fields_close(struct fields *f)
{
    ASSERT(f->depth > 0);
    f->depth--;
    if (f->mode == FIELDS_TAKE)
        f->source->close(f->source->arg);
    if (f->mode == FIELDS_SHOW || f->whole > 0)
        f->sink->close(f->sink->arg, f->stack[f->depth].list);
    if (f->whole > f->depth)
        f->whole = 0;
}

size_t fields_open_varied(struct fields *f, const char *name, uint8_t *count,
                          uint8_t max)
{
    const struct fields_as as = {.max = max};
    size_t there;

    switch (f->mode) {
    case FIELDS_WRITE:
    case FIELDS_READ:
    case FIELDS_HASH:
        visit(f, name, count, U8, &as);
        go_in(f, name, true, &there);
        break;
    case FIELDS_SHOW: go_in(f, name, true, &there); break;
    case FIELDS_TAKE:
        go_in(f, name, true, &there);
        take_in(f, count, U8, (int64_t)there, &as);
        break;
    case FIELDS_DIFF: {
        uint8_t now = *(const uint8_t *)later(f, count);
        if (f->whole == 0 && now != *count) {
            struct fields_step step = step_to(f, name);
            announce(f, step);
            if (step.name == NULL) /* step_to() counts it again */
                f->stack[f->depth - 1].next--;
            f->whole = f->depth + 1;
        }
        go_in(f, name, true, &there);
        return now;
    }
    }
    return f->malformed ? 0 : *count;
}

/* ---- many fields ---------------------------------------------------- */

static bool same_bytes(const uint8_t *a, const uint8_t *b, size_t n)
{
    size_t i = 0;
    for (uint64_t x, y; n - i >= sizeof(x); i += sizeof(x)) {
        memcpy(&x, a + i, sizeof(x));
        memcpy(&y, b + i, sizeof(y));
        if (x != y)
            return false;
    }
    for (; i < n; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

/* How many of the COUNT fields at V, in a comparison, did not change; the walk
 * counts them as visited. */
static size_t pass_over(struct fields *f, const uint8_t *v, enum width width,
                        size_t count)
{
    const uint8_t *w = later(f, v);
    size_t bytes = width_bytes[width], n = 0;

    while (n + 8 <= count &&
           same_bytes(v + n * bytes, w + n * bytes, 8 * bytes))
        n += 8;
    while (n < count && same_bytes(v + n * bytes, w + n * bytes, bytes))
        n++;
    f->stack[f->depth - 1].next += n;
    return n;
}

static void visit_all(struct fields *f, const char *name, void *v,
                      enum width width, const char *const *keys, size_t count,
                      const struct fields_as *as)
{
    uint8_t *p = v;
    size_t unused;

    go_in(f, name, keys == NULL, &unused);
    bool diff = f->mode == FIELDS_DIFF && f->whole == 0;
    for (size_t i = 0; i < count && !f->malformed; i++) {
        if (diff)
            i += pass_over(f, p + i * width_bytes[width], width, count - i);
        if (i < count)
            visit(f, keys != NULL ? keys[i] : NULL, p + i * width_bytes[width],
                  width, as);
    }
    fields_close(f);
}

/* Bytes of a run as they are. */
static void write_run(struct fields *f, const uint8_t *v, size_t count)
{
    size_t n = count < f->room ? count : f->room;

    if (n > 0)
        memcpy(f->at, v, n);
    f->at += n;
    f->room -= n;
    f->size += count;
}

static void hash_run(struct fields *f, const uint8_t *v, size_t count)
{
    uint64_t hash = f->hash;

    for (size_t i = 0; i < count; i++)
        hash = (hash ^ v[i]) * UINT64_C(0x100000001b3);
    f->hash = hash;
}

/* A run of fields.  Short cuts for what boards consist of: a run that did not
 * change is passed over at once, one of bytes is its own encoding. */
static void visit_run(struct fields *f, const char *name, void *v,
                      enum width width, const char *const *keys, size_t count,
                      const struct fields_as *as)
{
    if (f->mode == FIELDS_DIFF && f->whole == 0 &&
        same_bytes(v, later(f, v), count * width_bytes[width]))
        (void)step_to(f, name);
    else if (f->mode == FIELDS_WRITE && width == U8)
        write_run(f, v, count);
    else if (f->mode == FIELDS_HASH && width == U8)
        hash_run(f, v, count);
    else
        visit_all(f, name, v, width, keys, count, as);
}

void fields_u8s(struct fields *f, const char *name, uint8_t *v, size_t count,
                const struct fields_as *as)
{
    visit_run(f, name, v, U8, NULL, count, as);
}

void fields_i32s(struct fields *f, const char *name, int32_t *v, size_t count,
                 const struct fields_as *as)
{
    visit_run(f, name, v, I32, NULL, count, as);
}

void fields_u8s_by(struct fields *f, const char *name, uint8_t *v,
                   const char *const *keys, size_t count,
                   const struct fields_as *as)
{
    visit_run(f, name, v, U8, keys, count, as);
}

void fields_i32s_by(struct fields *f, const char *name, int32_t *v,
                    const char *const *keys, size_t count,
                    const struct fields_as *as)
{
    visit_run(f, name, v, I32, keys, count, as);
}

void fields_derived(struct fields *f, const char *name,
                    const struct rules_state *s, int arg,
                    const char *const *keys, size_t count,
                    const struct fields_as *as, fields_derive_cb of)
{
    int32_t values[2][FIELDS_DERIVED_MAX];

    ASSERT(count <= FIELDS_DERIVED_MAX);
    if (f->mode == FIELDS_TAKE && f->depth > 0)
        (void)step_to(f, name);
    if (f->mode != FIELDS_SHOW && f->mode != FIELDS_DIFF)
        return;
    of(s, arg, values[0]);
    if (f->mode == FIELDS_DIFF)
        of(later(f, s), arg, values[1]);
    /* The walk finds the later numbers where it finds those of a field. */
    uintptr_t delta = f->delta;
    f->delta = (uintptr_t)values[1] - (uintptr_t)values[0];
    if (keys == NULL && count == 1)
        visit(f, name, values[0], I32, as);
    else
        visit_run(f, name, values[0], I32, keys, count, as);
    f->delta = delta;
}
