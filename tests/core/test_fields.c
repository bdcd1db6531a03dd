/* test_fields.c -- one walk over a state, in every mode. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/fields.h"

/* A state with a field of every sort; it needs no game around it, as derived
 * fields only hand the pointer on. */
struct box {
    uint8_t small, flag, word, maybe;
    uint16_t middle;
    uint32_t large;
    int32_t signed_, hidden;
    uint8_t bytes[3];
    int32_t ints[2];
    uint8_t by[2];
    int32_t ints_by[2];
    uint8_t items;
    struct {
        uint8_t a, b;
    } item[3];
};

static const struct box full = {
    .small = 7,
    .flag = 1,
    .word = 2,
    .maybe = FIELDS_NULL_U8,
    .middle = 0x1234,
    .large = 0x89abcdef,
    .signed_ = -2,
    .hidden = FIELDS_NULL_I32,
    .bytes = {1, 2, 3},
    .ints = {-1, 1},
    .by = {4, 5},
    .ints_by = {-100, 100},
    .items = 2,
    .item = {{11, 12}, {21, 22}, {99, 99}},
};

static const char *const words[] = {"ox", "cow", "calf"};
static const char *const sides[] = {"left", "right"};

static void sums(const struct rules_state *s, int arg, int32_t *values)
{
    const struct box *box = (const struct box *)(const void *)s;
    values[0] = arg + box->bytes[0] + box->bytes[1] + box->bytes[2];
    values[1] = box->ints[0] + box->ints[1];
}

static void inner_fields(struct fields *f, struct box *box)
{
    static const struct fields_as byte = FIELDS_AS_UPTO(99);
    static const struct fields_as any = {.min = -100, .max = 100};

    fields_open(f, "inner");
    fields_u8s(f, "bytes", box->bytes, 3, &byte);
    fields_i32s(f, "ints", box->ints, 2, &any);
    fields_open_list(f, "rows");
    fields_u8s_by(f, NULL, box->by, sides, 2, &byte);
    fields_i32s_by(f, NULL, box->ints_by, sides, 2, &any);
    fields_close(f);
    fields_close(f);
}

static void box_fields(struct fields *f, struct box *box)
{
    static const struct fields_as byte = FIELDS_AS_UPTO(99);
    static const struct fields_as flag = FIELDS_AS_FLAG;
    static const struct fields_as word = FIELDS_AS_WORDS(words);
    static const struct fields_as maybe = {.max = 9, .null = true};
    static const struct fields_as middle = FIELDS_AS_UPTO(UINT16_MAX);
    static const struct fields_as large = FIELDS_AS_UPTO(UINT32_MAX);
    static const struct fields_as any = {.min = -100,
                                         .max = 100,
                                         .null = true};

    fields_u8(f, "small", &box->small, &byte);
    fields_u8(f, "flag", &box->flag, &flag);
    fields_u8(f, "word", &box->word, &word);
    fields_u8(f, "maybe", &box->maybe, &maybe);
    fields_u16(f, "middle", &box->middle, &middle);
    fields_u32(f, "large", &box->large, &large);
    fields_i32(f, "signed", &box->signed_, &any);
    fields_i32(f, "hidden", &box->hidden, &any);
    inner_fields(f, box);
    fields_derived(f, "sums", (const struct rules_state *)(void *)box, 10,
                   NULL, 2, &any, sums);
    size_t n = fields_open_varied(f, "items", &box->items, 3);
    for (size_t i = 0; i < n; i++) {
        fields_open(f, NULL);
        fields_u8(f, "a", &box->item[i].a, &byte);
        fields_u8(f, "b", &box->item[i].b, &byte);
        fields_close(f);
    }
    fields_close(f);
}

/* ---- bytes ------------------------------------------------------------ */

/* Little endian, one after the other; derived fields not at all. */
static const uint8_t written[] = {
    7,    1,    2,    255,  0x34, 0x12, 0xef, 0xcd, 0xab, 0x89, 0xfe,
    0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x80, 1,    2,    3,    0xff,
    0xff, 0xff, 0xff, 1,    0,    0,    0,    4,    5,    0x9c, 0xff,
    0xff, 0xff, 100,  0,    0,    0,    2,    11,   12,   21,   22,
};

Test(fields, write)
{
    uint8_t bytes[64];
    struct box box = full;
    struct fields f = {.mode = FIELDS_WRITE, .at = bytes, .room = 64};

    box_fields(&f, &box);
    cr_assert_eq(f.size, sizeof(written));
    cr_assert_eq(f.room, 64 - sizeof(written));
    cr_assert(memcmp(bytes, written, sizeof(written)) == 0);
}

/* With less room the walk still measures, and writes what there is room for. */
Test(fields, write_short)
{
    for (size_t room = 0; room < sizeof(written); room++) {
        uint8_t bytes[64];
        struct box box = full;
        struct fields f = {.mode = FIELDS_WRITE, .at = bytes, .room = room};
        bytes[room] = 0xee;
        box_fields(&f, &box);
        cr_assert_eq(f.size, sizeof(written));
        cr_assert_eq(bytes[room], 0xee);
        cr_assert(memcmp(bytes, written, room) == 0);
    }
}

/* Equal in all fields; there is padding in between. */
static bool same_box(struct box a, struct box b)
{
    uint8_t bytes[2][64] = {{0}};
    struct fields f = {.mode = FIELDS_WRITE, .at = bytes[0], .room = 64};
    struct fields g = {.mode = FIELDS_WRITE, .at = bytes[1], .room = 64};
    box_fields(&f, &a);
    box_fields(&g, &b);
    return memcmp(bytes[0], bytes[1], 64) == 0;
}

static bool read_box(const uint8_t *bytes, size_t len, struct box *box)
{
    struct fields f = {.mode = FIELDS_READ, .in = bytes, .room = len};
    box_fields(&f, box);
    return !f.malformed && f.room == 0;
}

Test(fields, read)
{
    struct box box = {0};

    cr_assert(read_box(written, sizeof(written), &box));
    cr_assert(same_box(box, full));
    cr_assert_eq(box.item[2].a, 0, "past the list's end");
    for (size_t len = 0; len < sizeof(written); len++)
        cr_assert_not(read_box(written, len, &box));
}

/* A value out of range is malformed, and the field keeps what it held. */
Test(fields, read_out_of_range)
{
    static const struct {
        size_t at;
        uint8_t value;
    } bad[] = {
        {0, 100}, {1, 2},    {2, 3},     {3, 10}, {3, 254}, {10, 0x90},
        {14, 1},  {18, 100}, {21, 0x7f}, {38, 1}, {39, 4},  {40, 255},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        uint8_t bytes[sizeof(written)];
        struct box box = {.small = 55};
        memcpy(bytes, written, sizeof(written));
        bytes[bad[i].at] = bad[i].value;
        cr_assert_not(read_box(bytes, sizeof(bytes), &box), "%zu", bad[i].at);
        if (bad[i].at == 0)
            cr_assert_eq(box.small, 55);
    }
}

static uint64_t hash_box(struct box box)
{
    struct fields f = {.mode = FIELDS_HASH,
                       .hash = UINT64_C(0xcbf29ce484222325)};
    box_fields(&f, &box);
    return f.hash;
}

/* The hash is that of the bytes, and minds each of them but padding and what
 * lies past the end of a list. */
Test(fields, hash)
{
    uint64_t expected = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < sizeof(written); i++)
        expected = (expected ^ written[i]) * UINT64_C(0x100000001b3);
    cr_assert_eq(hash_box(full), expected);

    struct box box = full;
    box.item[2].a = 1;
    cr_assert_eq(hash_box(box), expected);
    box.item[1].b = 23;
    cr_assert_neq(hash_box(box), expected);
}

/* ---- words ------------------------------------------------------------ */

/* A sink that writes everything into one line. */
static char line[2000];

static void add(const char *text)
{
    cr_assert_lt(strlen(line) + strlen(text), sizeof(line));
    strcat(line, text);
}

static void on_open(void *arg, const char *name, bool list)
{
    (void)arg;
    if (name != NULL)
        add(name), add(":");
    add(list ? "[ " : "{ ");
}

static void on_close(void *arg, bool list)
{
    (void)arg;
    add(list ? "] " : "} ");
}

static void on_value(void *arg, const char *name, const struct fields_value *v)
{
    char number[32];
    (void)arg;
    if (name != NULL)
        add(name), add(":");
    snprintf(number, sizeof(number), "%lld", (long long)v->number);
    switch (v->type) {
    case FIELDS_NUMBER: add(number); break;
    case FIELDS_BOOL: add(v->number ? "true" : "false"); break;
    case FIELDS_NULL: add("null"); break;
    case FIELDS_WORD: cr_assert_eq(v->word_len, strlen(v->word)); add(v->word);
    }
    cr_assert(v->type == FIELDS_NULL ||
              (v->number >= v->as->min && v->number <= v->as->max));
    add(" ");
}

static void on_change(void *arg, const struct fields_step *path, size_t depth)
{
    char step[32];
    (void)arg;
    for (size_t i = 0; i < depth; i++) {
        snprintf(step, sizeof(step), "/%zu", path[i].index);
        if (path[i].name != NULL)
            snprintf(step, sizeof(step), "/%s", path[i].name);
        add(step);
    }
    add("=");
}

static const struct fields_sink sink = {
    on_open, on_close, on_value, on_change, NULL,
};

Test(fields, show)
{
    struct box box = full;
    struct fields f = {.mode = FIELDS_SHOW, .sink = &sink};
    line[0] = '\0';
    box_fields(&f, &box);
    cr_assert_str_eq(
        line,
        "small:7 flag:true word:calf maybe:null middle:4660 large:2309737967 "
        "signed:-2 hidden:null inner:{ bytes:[ 1 2 3 ] ints:[ -1 1 ] rows:[ "
        "{ left:4 right:5 } { left:-100 right:100 } ] } sums:[ 16 0 ] "
        "items:[ { a:11 b:12 } { a:21 b:22 } ] ");
}

static const char *differences(struct box before, struct box after)
{
    struct fields f = {
        .mode = FIELDS_DIFF,
        .sink = &sink,
        .delta = (uintptr_t)&after - (uintptr_t)&before,
    };
    line[0] = '\0';
    box_fields(&f, &before);
    cr_assert_eq(f.depth, 0);
    cr_assert_eq(f.whole, 0);
    return line;
}

/* Only what changed is told, each thing by its own path. */
Test(fields, diff)
{
    struct box box = full;
    cr_assert_str_eq(differences(full, full), "");
    box.item[2].a = 1; /* past the end */
    cr_assert_str_eq(differences(full, box), "");
    box.small = 8;
    box.maybe = 3;
    box.word = 0;
    box.flag = 0;
    box.hidden = -7;
    cr_assert_str_eq(differences(full, box),
                     "/small=small:8 /flag=flag:false /word=word:ox "
                     "/maybe=maybe:3 /hidden=hidden:-7 ");
    cr_assert_str_eq(differences(box, full),
                     "/small=small:7 /flag=flag:true /word=word:calf "
                     "/maybe=maybe:null /hidden=hidden:null ");
}

/* In lists by index, in objects by name; what is derived changes with it. */
Test(fields, diff_inner)
{
    struct box box = full;
    box.bytes[1] = 5;
    box.by[0] = 6;
    box.ints_by[1] = 99;
    cr_assert_str_eq(differences(full, box),
                     "/inner/bytes/1=5 /inner/rows/0/left=left:6 "
                     "/inner/rows/1/right=right:99 /sums/0=19 ");
    box = full;
    box.ints[0] = 0;
    cr_assert_str_eq(differences(full, box), "/inner/ints/0=0 /sums/1=1 ");
}

/* A list of another length is told whole. */
Test(fields, diff_varied)
{
    struct box box = full;
    box.item[1].b = 23;
    cr_assert_str_eq(differences(full, box), "/items/1/b=b:23 ");
    box.items = 3;
    cr_assert_str_eq(
        differences(full, box),
        "/items=items:[ { a:11 b:12 } { a:21 b:23 } { a:99 b:99 } ] ");
    box.items = 0;
    cr_assert_str_eq(differences(full, box), "/items=items:[ ] ");
    box.small = 9;
    cr_assert_str_eq(
        differences(box, full),
        "/small=small:7 /items=items:[ { a:11 b:12 } { a:21 b:22 } ] ");
}

/* ---- taking back ------------------------------------------------------ */

/* A source that answers from a script, in the order of the walk; an item that
 * does not begin with the name asked for is not there. */
static const char *const *next_item;

static bool give_open(void *arg, const struct fields_step *step, bool list,
                      size_t *count)
{
    const char *item = *next_item++;
    (void)arg, (void)step;
    *count = 0;
    if (item[0] != (list ? '[' : '{'))
        return false;
    for (item++; *item != '\0'; item++)
        *count = 10 * *count + (size_t)(*item - '0');
    return true;
}

static void give_close(void *arg)
{
    (void)arg;
}

static bool give_value(void *arg, const struct fields_step *step,
                       struct fields_value *v)
{
    const char *item = *next_item++;
    (void)arg;
    if (step->name != NULL) {
        size_t n = strlen(step->name);
        if (strncmp(item, step->name, n) != 0 || item[n] != ':')
            return false;
        item += n + 1;
    }
    *v = (struct fields_value){.word = item, .word_len = strlen(item)};
    if (strcmp(item, "null") == 0)
        v->type = FIELDS_NULL;
    else if (strcmp(item, "true") == 0 || strcmp(item, "false") == 0)
        v->type = FIELDS_BOOL, v->number = item[0] == 't';
    else if ((*item >= '0' && *item <= '9') || *item == '-')
        v->type = FIELDS_NUMBER, v->number = strtoll(item, NULL, 10);
    else
        v->type = FIELDS_WORD;
    return true;
}

static const struct fields_source source = {
    give_open,
    give_close,
    give_value,
    NULL,
};

enum { ITEMS = 32 };
static const char *const script[ITEMS] = {
    "small:7",    "flag:true",   "word:calf",
    "maybe:null", "middle:4660", "large:2309737967",
    "signed:-2",  "hidden:null", "{",
    "[",          "1",           "2",
    "3",          "[",           "-1",
    "1",          "[",           "{",
    "left:4",     "right:5",     "{",
    "left:-100",  "right:100",   "[2",
    "{",          "a:11",        "b:12",
    "{",          "a:21",        "b:22",
};

static bool take_box(const char *const *items, struct box *box)
{
    struct fields f = {.mode = FIELDS_TAKE, .source = &source};
    next_item = items;
    box_fields(&f, box);
    return !f.malformed;
}

Test(fields, take)
{
    struct box box = {0};
    cr_assert(take_box(script, &box));
    cr_assert(same_box(box, full));
    cr_assert_eq(box.item[2].a, 0, "past the list's end");
}

/* Another type, another word, a number out of range, a thing that is not
 * there, a list too long: malformed, each alone. */
Test(fields, take_malformed)
{
    static const struct {
        size_t at;
        const char *item;
    } bad[] = {
        {0, "small:100"},
        {0, "small:-1"},
        {0, "small:null"},
        {0, "small:true"},
        {0, "small:calf"},
        {0, "tiny:7"},
        {0, "small:18446744073709551616"},
        {1, "flag:1"},
        {1, "flag:null"},
        {2, "word:2"},
        {2, "word:cal"},
        {2, "word:calfs"},
        {2, "word:null"},
        {2, "word:true"},
        {3, "maybe:10"},
        {3, "maybe:255"},
        {4, "middle:65536"},
        {5, "large:4294967296"},
        {6, "signed:-101"},
        {7, "hidden:-2147483648"},
        {8, "["},
        {9, "{"},
        {10, "100"},
        {17, "["},
        {22, "right:101"},
        {23, "[4"},
        {23, "[300"},
        {24, "["},
        {25, "a:100"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        const char *items[ITEMS];
        struct box box = {0};
        for (size_t k = 0; k < ITEMS; k++)
            items[k] = script[k] != NULL ? script[k] : "";
        items[bad[i].at] = bad[i].item;
        cr_assert_not(take_box(items, &box), "%s", bad[i].item);
    }
}
