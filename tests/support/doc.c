#include "doc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"

enum { NOWHERE = -1 };

static int node_new(struct doc *doc, const char *name)
{
    if (doc->used == doc->size) {
        doc->size = doc->size == 0 ? 1024 : 2 * doc->size;
        doc->node = realloc(doc->node,
                            (size_t)doc->size * sizeof(doc->node[0]));
        ASSERT(doc->node != NULL);
    }
    struct doc_node *node = &doc->node[doc->used];
    *node = (struct doc_node){
        .first = NOWHERE,
        .last = NOWHERE,
        .next = NOWHERE,
    };
    if (name != NULL) {
        ASSERT(strlen(name) < sizeof(node->name));
        strcpy(node->name, name);
    }
    return doc->used++;
}

static void clear(struct doc *doc)
{
    doc->used = 0;
    doc->depth = 0;
    doc->target = NOWHERE;
    doc->from = NOWHERE;
    doc->changes = 0;
    doc->open[0] = node_new(doc, NULL);
}

struct doc doc_new(void)
{
    struct doc doc = {0};
    clear(&doc);
    return doc;
}

void doc_free(struct doc *doc)
{
    free(doc->node);
    *doc = (struct doc){0};
}

/* ---- being told ------------------------------------------------------- */

/* A node for what is told next: a new child of the open container, or in the
 * place of the target. */
static int place(struct doc *doc, const char *name)
{
    if (doc->target != NOWHERE) {
        struct doc_node *node = &doc->node[doc->target];
        int here = doc->target;
        ASSERT(strcmp(node->name, name == NULL ? "" : name) == 0);
        node->first = node->last = NOWHERE;
        node->count = 0;
        doc->target = NOWHERE;
        return here;
    }
    int here = node_new(doc, name);
    struct doc_node *parent = &doc->node[doc->open[doc->depth]];
    ASSERT((parent->kind == DOC_LIST) == (name == NULL));
    if (parent->last == NOWHERE)
        parent->first = here;
    else
        doc->node[parent->last].next = here;
    parent->last = here;
    parent->count++;
    return here;
}

static void sink_open(void *arg, const char *name, bool list)
{
    struct doc *doc = arg;
    int here = place(doc, name);
    ASSERT(doc->depth < FIELDS_DEPTH_MAX);
    doc->node[here].kind = list ? DOC_LIST : DOC_OBJECT;
    doc->open[++doc->depth] = here;
}

static void sink_close(void *arg, bool list)
{
    struct doc *doc = arg;
    ASSERT(doc->depth > 0);
    ASSERT((doc->node[doc->open[doc->depth]].kind == DOC_LIST) == list);
    doc->depth--;
}

static void sink_value(void *arg, const char *name,
                       const struct fields_value *v)
{
    struct doc *doc = arg;
    int here = place(doc, name); /* may move the nodes */
    struct doc_node *node = &doc->node[here];
    node->kind = DOC_VALUE;
    node->type = v->type;
    node->number = v->type == FIELDS_NUMBER || v->type == FIELDS_BOOL
                       ? v->number
                       : 0;
    node->word[0] = '\0';
    if (v->type == FIELDS_WORD) {
        ASSERT(v->word_len < sizeof(node->word));
        memcpy(node->word, v->word, v->word_len);
        node->word[v->word_len] = '\0';
    }
}

/* The child of PARENT that STEP leads to.  Walks go from child to child, so
 * the search begins where the last one ended. */
static int find(struct doc *doc, int parent, const struct fields_step *step)
{
    const struct doc_node *p = &doc->node[parent];
    int child = p->first, index = 0;

    if (doc->from == parent && doc->at != NOWHERE &&
        (p->kind != DOC_LIST || (size_t)doc->at_index <= step->index)) {
        child = doc->at;
        index = doc->at_index;
    }
    int began = child;
    for (int round = 0; round < 2; round++) {
        for (; child != NOWHERE; child = doc->node[child].next, index++) {
            bool it = p->kind == DOC_LIST
                          ? (size_t)index == step->index
                          : step->name != NULL &&
                                strcmp(doc->node[child].name, step->name) == 0;
            if (!it)
                continue;
            doc->from = parent;
            doc->at = child;
            doc->at_index = index;
            return child;
        }
        if (began == p->first)
            break;
        child = p->first;
        index = 0;
    }
    return NOWHERE;
}

static void sink_change(void *arg, const struct fields_step *path,
                        size_t depth)
{
    struct doc *doc = arg;
    int here = 0;
    ASSERT(depth > 0 && doc->depth == 0 && doc->target == NOWHERE);
    for (size_t i = 0; i < depth; i++) {
        here = find(doc, here, &path[i]);
        ASSERT(here != NOWHERE);
    }
    doc->target = here;
    doc->changes++;
}

void doc_show(struct doc *doc, const struct rules *r,
              const struct rules_state *s)
{
    const struct fields_sink sink = {
        sink_open, sink_close, sink_value, sink_change, doc,
    };
    clear(doc);
    rules_show(r, s, &sink);
    ASSERT(doc->depth == 0);
}

void doc_change(struct doc *doc, const struct rules *r,
                const struct rules_state *before,
                const struct rules_state *after)
{
    const struct fields_sink sink = {
        sink_open, sink_close, sink_value, sink_change, doc,
    };
    doc->changes = 0;
    doc->from = NOWHERE;
    rules_diff(r, before, after, &sink);
    ASSERT(doc->depth == 0 && doc->target == NOWHERE);
}

/* ---- being asked ------------------------------------------------------ */

static bool source_open(void *arg, const struct fields_step *step, bool list,
                        size_t *count)
{
    struct doc *doc = arg;
    int parent = doc->open[doc->depth];
    int here = parent == NOWHERE ? NOWHERE : find(doc, parent, step);

    if (here != NOWHERE &&
        doc->node[here].kind != (list ? DOC_LIST : DOC_OBJECT))
        here = NOWHERE;
    doc->open[++doc->depth] = here;
    *count = here == NOWHERE ? 0 : (size_t)doc->node[here].count;
    return here != NOWHERE;
}

static void source_close(void *arg)
{
    struct doc *doc = arg;
    ASSERT(doc->depth > 0);
    /* The parent is looked at next, just behind what is closed. */
    int closed = doc->open[doc->depth--];
    doc->from = NOWHERE;
    if (closed != NOWHERE &&
        doc->node[doc->open[doc->depth]].kind == DOC_OBJECT) {
        doc->from = doc->open[doc->depth];
        doc->at = closed;
    }
}

static bool source_value(void *arg, const struct fields_step *step,
                         struct fields_value *v)
{
    struct doc *doc = arg;
    int parent = doc->open[doc->depth];
    int here = parent == NOWHERE ? NOWHERE : find(doc, parent, step);

    if (here == NOWHERE || doc->node[here].kind != DOC_VALUE)
        return false;
    const struct doc_node *node = &doc->node[here];
    *v = (struct fields_value){
        .type = node->type,
        .number = node->number,
        .word = node->word,
        .word_len = strlen(node->word),
    };
    return true;
}

static struct fields_source source_of(struct doc *doc)
{
    doc->depth = 0;
    doc->open[0] = 0;
    doc->from = NOWHERE;
    return (struct fields_source){
        source_open,
        source_close,
        source_value,
        doc,
    };
}

int doc_read(struct doc *doc, const struct rules *r, struct rules_state *s)
{
    const struct fields_source source = source_of(doc);
    return rules_read(r, s, &source);
}

int doc_read_stopped(struct doc *doc, const struct rules *r,
                     struct rules_state *s)
{
    const struct fields_source source = source_of(doc);
    return rules_read_stopped(r, s, &source);
}

/* ---- comparing -------------------------------------------------------- */

static bool same_node(const struct doc *a, int i, const struct doc *b, int j)
{
    const struct doc_node *m = &a->node[i], *n = &b->node[j];
    if (m->kind != n->kind || strcmp(m->name, n->name) != 0 ||
        m->count != n->count)
        return false;
    if (m->kind == DOC_VALUE)
        return m->type == n->type && m->number == n->number &&
               strcmp(m->word, n->word) == 0;
    for (i = m->first, j = n->first; i != NOWHERE;
         i = a->node[i].next, j = b->node[j].next)
        if (!same_node(a, i, b, j))
            return false;
    return true;
}

bool doc_same(const struct doc *a, const struct doc *b)
{
    return same_node(a, 0, b, 0);
}

void doc_spoil(struct doc *doc, unsigned which, unsigned how)
{
    struct doc_node *node = &doc->node[(int)(which % (unsigned)doc->used)];
    if (node->kind != DOC_VALUE) {
        node->kind = node->kind == DOC_LIST ? DOC_OBJECT : DOC_LIST;
        return;
    }
    switch (how % 6) {
    case 0: node->number += 1; break;
    case 1: node->number -= 1; break;
    case 2: node->number = INT64_MAX; break;
    case 3: node->type = FIELDS_NULL; break;
    case 4: strcpy(node->word, "nonsense"); break;
    case 5: node->type = (node->type + 1) % 4; break;
    }
}

static void print_node(const struct doc *doc, int here, int depth, FILE *out)
{
    const struct doc_node *node = &doc->node[here];
    bool list = node->kind == DOC_LIST;

    fprintf(out, "%*s", 2 * depth, "");
    if (node->name[0] != '\0')
        fprintf(out, "\"%s\": ", node->name);
    if (node->kind == DOC_VALUE) {
        switch (node->type) {
        case FIELDS_NUMBER: fprintf(out, "%" PRId64, node->number); break;
        case FIELDS_BOOL: fputs(node->number ? "true" : "false", out); break;
        case FIELDS_WORD: fprintf(out, "\"%s\"", node->word); break;
        case FIELDS_NULL: fputs("null", out); break;
        }
        return;
    }
    fputs(list ? "[" : "{", out);
    for (int i = node->first; i != NOWHERE; i = doc->node[i].next) {
        fputs(i == node->first ? "\n" : ",\n", out);
        print_node(doc, i, depth + 1, out);
    }
    fputs(list ? "]" : "}", out);
}

void doc_print(const struct doc *doc, FILE *out)
{
    print_node(doc, 0, 0, out);
    fputc('\n', out);
}
