/* json_out.h -- writing JSON, straight into a buffer.
 *
 * What the server says is written by walking its structs and never exists as a
 * tree.  A writer has a buffer of its own that grows, or the caller's, which
 * it never overruns: then the length goes on counting, as with snprintf(), so
 * that the caller sees what was needed.
 *
 *     struct json_out o;
 *     json_out_init(&o);
 *     out_object(&o, NULL);
 *     out_int(&o, "ply", 7);
 *     out_list(&o, "seats");
 *     out_string(&o, NULL, "ana");
 *     out_end(&o);
 *     out_end(&o);                     {"ply":7,"seats":["ana"]}
 *     ... json_out_text(&o), o.len ...
 *     json_out_done(&o);
 *
 * KEY is the member's name within an object, NULL within a list and at the
 * top; anything else is a bug and asserted.  Whatever bytes go in, what comes
 * out is valid UTF-8 and valid JSON: a byte that is no UTF-8 becomes U+FFFD.
 * Several values at the top make several lines if the caller says
 * out_line() between them. */

#ifndef PROTOCOL_JSON_OUT_H
#define PROTOCOL_JSON_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/fields.h"

#define JSON_DEPTH_MAX 32

struct json_out {
    /* read-only */
    size_t len; /* bytes written, or that would have been */
    /* private */
    char *buf;
    size_t cap;
    bool grows; /* BUF is the writer's own */
    bool comma; /* something stands before what comes next */
    unsigned depth;
    uint32_t lists; /* a bit for each open container: whether it is a list */
};

/* A writer with a buffer of its own; json_out_done() frees it.  Running out of
 * memory ends the process. */
void json_out_init(struct json_out *o);
/* A writer into CAP bytes at BUF, which may be NULL if CAP is 0. */
void json_out_init_fixed(struct json_out *o, char *buf, size_t cap);
void json_out_done(struct json_out *o);
/* Forgets what was written and keeps the buffer. */
void json_out_reset(struct json_out *o);
/* What was written, terminated; cut short if a fixed buffer was too small. */
const char *json_out_text(struct json_out *o);
/* Whether all of it is there, with its terminating NUL. */
bool json_out_fits(const struct json_out *o);

void out_object(struct json_out *o, const char *key);
void out_list(struct json_out *o, const char *key);
void out_end(struct json_out *o); /* of the innermost object or list */

void out_string(struct json_out *o, const char *key, const char *text);
void out_string_n(struct json_out *o, const char *key, const char *text,
                  size_t len);
void out_int(struct json_out *o, const char *key, int64_t value);
void out_bool(struct json_out *o, const char *key, bool value);
void out_null(struct json_out *o, const char *key);
/* A value that is JSON already. */
void out_raw(struct json_out *o, const char *key, const char *json,
             size_t len);
/* Ends a line, between values at the top. */
void out_line(struct json_out *o);

/* ---- states ----------------------------------------------------------- */

/* The sink through which rules_show() writes the members of the innermost
 * object.  It must not outlive O. */
struct fields_sink json_sink(struct json_out *o);

/* Begins an operation of a patch (RFC 6902) that replaces what lies at PATH,
 * DEPTH steps below PREFIX; the member "value" and out_end() come next. */
void out_replace(struct json_out *o, const char *prefix,
                 const struct fields_step *path, size_t depth);

/* Writes what rules_diff() tells as operations of a patch (RFC 6902), all of
 * them `replace`, into the list that is innermost in OUT. */
struct json_patch {
    struct json_out *out;
    const char *prefix; /* JSON pointer of the state: "/game_state" */
    unsigned depth;     /* how deep in a value that is told whole */
    size_t count;       /* operations written */
};

/* PREFIX must live as long as the patch. */
void json_patch_init(struct json_patch *p, struct json_out *o,
                     const char *prefix);
struct fields_sink json_patch_sink(struct json_patch *p);

#endif
