/* shape.h -- what JSON values may look like, as data.
 *
 * The shapes of all parameters, results and notifications stand in one table
 * (methods.c).  What comes in is checked against them, the published JSON
 * Schema and the OpenRPC document are printed from them, and so they cannot
 * drift. */

#ifndef PROTOCOL_SHAPE_H
#define PROTOCOL_SHAPE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "json_out.h"

enum shape_kind {
    SHAPE_ANY, /* its strings are of CHARSET, its names lines */
    SHAPE_NULL,
    SHAPE_BOOL,
    SHAPE_INT,    /* MIN..MAX */
    SHAPE_STRING, /* MIN..MAX bytes, of CHARSET or one of WORDS */
    SHAPE_OBJECT, /* with MEMBERS */
    SHAPE_LIST,   /* MIN..MAX of ITEM */
    SHAPE_MAP,    /* an object of any names with values of ITEM */
    SHAPE_ONE_OF  /* as one of CHOICES */
};

/* What a string may be made of.  What nobody thought about is a line. */
enum shape_charset {
    CHARSET_LINE,  /* printable characters (core/utf8.h) */
    CHARSET_TEXT,  /* these and line feeds */
    CHARSET_FILE,  /* a file's text: line feeds, carriage returns, tabs, too */
    CHARSET_ID,    /* A-Z a-z 0-9 _ - */
    CHARSET_HEX,   /* 0-9 a-f A-F */
    CHARSET_EMAIL, /* an address: letters, digits, EMAIL_SIGNS, one @ among
                    * them; nothing of it means anything to an SMTP server */
    CHARSET_JSON,  /* a line of JSON, whose own reader looks at the rest */
    CHARSET_ANY    /* all of Unicode: secrets, which nobody is shown */
};

#define EMAIL_SIGNS ".!#$%&'*+/=?^_{|}~-"

struct shape_member;

struct shape {
    const char *name; /* of a type the schema refers to; NULL: written out */
    enum shape_kind kind;
    int64_t min, max;
    enum shape_charset charset;
    const char *const *words;           /* ends with NULL */
    const struct shape_member *members; /* ends with a NULL name */
    bool more; /* members not named here may come, too */
    bool null; /* null will do as well */
    const struct shape *item;
    const struct shape *const *choices; /* ends with NULL */
    const char *text;                   /* what it is, for people */
};

struct shape_member {
    const char *name;
    const struct shape *shape;
    bool optional;
    const char *text; /* what it is here, for people; may be NULL */
};

#define SHAPE_PATH_MAX     128 /* bytes of a JSON pointer */
#define SHAPE_EXPECTED_MAX 160

/* Where a value is not as it should be, and what was expected there. */
struct shape_fault {
    char path[SHAPE_PATH_MAX]; /* pointer.h */
    bool cut;                  /* it stops above the place */
    char expected[SHAPE_EXPECTED_MAX];
};

/* Whether VALUE is as SHAPE says.  VALUE may be NULL, which is as an empty
 * object. */
bool shape_check(const struct shape *shape, const json_t *value,
                 struct shape_fault *fault);

/* Whether TEXT is an address as CHARSET_EMAIL has it. */
bool shape_is_email(const char *text);

/* Makes VALUE, which claims to be as SHAPE, harmless to be shown: in its strings
 * U+FFFD stands for what SHAPE does not take there (`?` where that is letters
 * and digits), and members whose names cannot be shown are dropped.  For what a
 * server says, whoever runs it.  SHAPE may be NULL: all strings are lines. */
void shape_clean(const struct shape *shape, json_t *value);

/* Writes SHAPE as JSON Schema (draft-07).  Named shapes become references to
 * PREFIX + name: "#/definitions/". */
void shape_schema(struct json_out *o, const char *key,
                  const struct shape *shape, const char *prefix);
/* The same, but a named shape is written out, not referred to: for the place
 * that is referred to. */
void shape_schema_whole(struct json_out *o, const char *key,
                        const struct shape *shape, const char *prefix);

#endif
