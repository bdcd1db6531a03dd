/* fields.h -- one walk over a state does everything that states need.
 *
 * A game describes its state once, in a function that visits each field in
 * order.  Depending on the mode the same walk measures, writes, reads, hashes,
 * shows or takes back the state, or compares it with another one, so these can
 * never disagree about its layout.  In bytes integers are little endian
 * whatever the machine, and padding is never looked at.  In words (SHOW, TAKE,
 * DIFF) the state is an object: members that are numbers, flags, words or
 * null, lists of them, and objects and lists within.
 *
 * The walk must take the same way through two states of one table: it may
 * branch on what the setup fixed (seats, options, the board) and on nothing
 * else, except through fields_open_varied(). */

#ifndef CORE_FIELDS_H
#define CORE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FIELDS_DEPTH_MAX 8

/* What stands for "nothing" or "hidden" in a field whose values may be null;
 * see struct fields_as. */
#define FIELDS_NULL_U8  UINT8_MAX
#define FIELDS_NULL_U16 UINT16_MAX
#define FIELDS_NULL_I32 INT32_MIN

/* What the values of a field look like: a range, and how they are told. */
struct fields_as {
    int64_t min, max;
    const char *const *words; /* words[value], or NULL for plain numbers */
    bool flag;                /* told as true and false */
    bool null;                /* FIELDS_NULL_… may occur, told as null */
};

/* Initializers for those. */
#define FIELDS_AS_FLAG \
    { \
        .max = 1, .flag = true \
    }
#define FIELDS_AS_UPTO(most) \
    { \
        .max = (most) \
    }
#define FIELDS_AS_WORDS(list) \
    { \
        .max = sizeof(list) / sizeof((list)[0]) - 1, .words = (list) \
    }

enum fields_type { FIELDS_NUMBER, FIELDS_WORD, FIELDS_BOOL, FIELDS_NULL };

/* A value as it is told. */
struct fields_value {
    enum fields_type type;
    int64_t number;   /* also of a flag: 0 or 1 */
    const char *word; /* not terminated when it comes of a source */
    size_t word_len;
    const struct fields_as *as; /* what it may be; only towards a sink */
};

/* One step from a container to what is in it. */
struct fields_step {
    const char *name; /* NULL in a list */
    size_t index;     /* in a list */
};

/* Receives what is shown.  NAME is NULL for what stands in a list. */
struct fields_sink {
    void (*open)(void *arg, const char *name, bool list);
    void (*close)(void *arg, bool list);
    void (*value)(void *arg, const char *name, const struct fields_value *v);
    /* In a comparison only: the one value or the one opened whole that
     * follows replaces what lies at PATH. */
    void (*change)(void *arg, const struct fields_step *path, size_t depth);
    void *arg;
};

/* Gives back what was shown.  Each answers whether there was such a thing. */
struct fields_source {
    bool (*open)(void *arg, const struct fields_step *step, bool list,
                 size_t *count);
    void (*close)(void *arg);
    bool (*value)(void *arg, const struct fields_step *step,
                  struct fields_value *v);
    void *arg;
};

enum fields_mode {
    FIELDS_WRITE, /* state -> bytes */
    FIELDS_READ,  /* bytes -> state */
    FIELDS_HASH,  /* state -> number */
    FIELDS_SHOW,  /* state -> words */
    FIELDS_TAKE,  /* words -> state */
    FIELDS_DIFF,  /* two states -> words of what differs */
};

struct fields {
    enum fields_mode mode;
    uint8_t *at;       /* WRITE: next byte to write */
    const uint8_t *in; /* READ: next byte to read */
    size_t room;       /* bytes left to write or read */
    size_t size;       /* bytes visited so far */
    uint64_t hash;
    bool malformed; /* a value read was out of range, or missing */
    const struct fields_sink *sink;
    const struct fields_source *source;
    /* DIFF: what to add to the address of a field to reach the same field of
     * the later state. */
    uintptr_t delta;
    size_t whole; /* DIFF: the depth below which all is shown; 0: nothing */

    /* Where the walk stands. */
    size_t depth;
    struct {
        struct fields_step step; /* how this container was reached */
        bool list;
        size_t next; /* index of the next item of a list */
    } stack[FIELDS_DEPTH_MAX];
};

/* Each visits one field.  V is written to only in READ and TAKE; there a value
 * outside AS marks the walk malformed, and V keeps what it held. */
void fields_u8(struct fields *f, const char *name, uint8_t *v,
               const struct fields_as *as);
void fields_u16(struct fields *f, const char *name, uint16_t *v,
                const struct fields_as *as);
void fields_u32(struct fields *f, const char *name, uint32_t *v,
                const struct fields_as *as);
void fields_i32(struct fields *f, const char *name, int32_t *v,
                const struct fields_as *as);

/* Each visits COUNT fields that are told as a list ... */
void fields_u8s(struct fields *f, const char *name, uint8_t *v, size_t count,
                const struct fields_as *as);
void fields_i32s(struct fields *f, const char *name, int32_t *v, size_t count,
                 const struct fields_as *as);
/* ... or as an object with the members KEYS. */
void fields_u8s_by(struct fields *f, const char *name, uint8_t *v,
                   const char *const *keys, size_t count,
                   const struct fields_as *as);
void fields_i32s_by(struct fields *f, const char *name, int32_t *v,
                    const char *const *keys, size_t count,
                    const struct fields_as *as);

/* Visits what is not stored but follows from the state: told as an object with
 * the members KEYS; if KEYS is NULL as a list, or as a number if COUNT is 1.
 * OF computes the numbers; ARG is handed on.  Nothing of it is written, read, hashed or taken back. */
struct rules_state;
typedef void (*fields_derive_cb)(const struct rules_state *s, int arg,
                                 int32_t *values);
#define FIELDS_DERIVED_MAX 32
void fields_derived(struct fields *f, const char *name,
                    const struct rules_state *s, int arg,
                    const char *const *keys, size_t count,
                    const struct fields_as *as, fields_derive_cb of);

/* Go into an object or a list of fixed length; NAME is NULL within a list. */
void fields_open(struct fields *f, const char *name);
void fields_open_list(struct fields *f, const char *name);
void fields_close(struct fields *f);

/* Goes into a list whose length varies; *COUNT is a field itself, at most MAX.
 * Returns the number of items to visit before fields_close(). */
size_t fields_open_varied(struct fields *f, const char *name, uint8_t *count,
                          uint8_t max);

#endif
