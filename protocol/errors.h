/* errors.h -- the errors of errors.def, as numbers and words. */

#ifndef PROTOCOL_ERRORS_H
#define PROTOCOL_ERRORS_H

/* One constant for each; ERR_NONE is none of them. */
enum error {
    ERR_NONE = 0,
#define ERROR(constant, code, reason, sentence) ERR_##constant,
#include "errors.def"
#undef ERROR
    ERRORS
};

int error_code(enum error e);             /* on the wire: -32602, 1003 */
const char *error_reason(enum error e);   /* "no_such_table" */
const char *error_sentence(enum error e); /* for people */

#endif
