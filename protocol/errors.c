#include "errors.h"

#include "core/base.h"

static const struct {
    int code;
    const char *reason, *sentence;
} errors[ERRORS] = {
#define ERROR(constant, code, reason, sentence) \
    [ERR_##constant] = {code, reason, sentence},
#include "errors.def"
#undef ERROR
};

int error_code(enum error e)
{
    ASSERT(e > ERR_NONE && e < ERRORS);
    return errors[e].code;
}

const char *error_reason(enum error e)
{
    ASSERT(e > ERR_NONE && e < ERRORS);
    return errors[e].reason;
}

const char *error_sentence(enum error e)
{
    ASSERT(e > ERR_NONE && e < ERRORS);
    return errors[e].sentence;
}
