/* doc.h -- what rules_show() tells, kept as a tree in memory.
 *
 * The tests' stand-in for the JSON of the wire, so that tests of the core need
 * nothing but the core: a tree is built by a sink, changed by what rules_diff()
 * tells, compared, printed, and read back through a source.
 *
 *     struct doc doc = doc_new();
 *     doc_show(&doc, r, s);               tree <- state
 *     doc_change(&doc, r, before, after); tree <- differences
 *     doc_read(&doc, r, s);               state <- tree
 *     doc_free(&doc);
 *
 * What breaks the rules of a sink's use (no open object, a path that leads
 * nowhere) is a bug of fields.c and ends in core_panic(). */

#ifndef TESTS_SUPPORT_DOC_H
#define TESTS_SUPPORT_DOC_H

#include <stdio.h>

#include "core/rules.h"

struct doc_node {
    char name[48]; /* "" in a list */
    char word[48];
    enum { DOC_OBJECT, DOC_LIST, DOC_VALUE } kind;
    enum fields_type type; /* of a value */
    int64_t number;
    int first, last, next; /* children and the next sibling; -1: none */
    int count;             /* of children */
};

struct doc {
    struct doc_node *node; /* node 0 is the object that holds everything */
    int used, size;
    int open[FIELDS_DEPTH_MAX + 1]; /* containers being filled or read */
    int depth;
    int target;             /* what the next thing told replaces, or -1 */
    int from, at, at_index; /* where the last look into a container ended */
    size_t changes;         /* that the last doc_change() was told */
};

struct doc doc_new(void);
void doc_free(struct doc *doc);

/* Makes DOC what rules_show() tells of S. */
void doc_show(struct doc *doc, const struct rules *r,
              const struct rules_state *s);

/* Applies what rules_diff() tells to DOC, which shows BEFORE. */
void doc_change(struct doc *doc, const struct rules *r,
                const struct rules_state *before,
                const struct rules_state *after);

/* Reads S, whose header is filled in, from DOC: as rules_read(). */
int doc_read(struct doc *doc, const struct rules *r, struct rules_state *s);
/* The same as rules_read_stopped(). */
int doc_read_stopped(struct doc *doc, const struct rules *r,
                     struct rules_state *s);

/* Whether two documents are the same, members in the same order. */
bool doc_same(const struct doc *a, const struct doc *b);

/* Spoils the value number WHICH (counted round) in one of several ways. */
void doc_spoil(struct doc *doc, unsigned which, unsigned how);

/* Prints it as JSON, for looking at. */
void doc_print(const struct doc *doc, FILE *out);

#endif
