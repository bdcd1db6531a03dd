#include "json_in.h"

#include <stdio.h>
#include <string.h>

#include "json_out.h"

/* The nesting of a text that has not been parsed, as strings may hide
 * brackets; jansson's own limit is far beyond the protocol's. */
static bool nested_too_deep(const char *text, size_t len)
{
    unsigned depth = 0;
    bool quoted = false;

    for (size_t i = 0; i < len; i++) {
        char c = text[i];
        if (quoted) {
            if (c == '\\')
                i++;
            else if (c == '"')
                quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            if (++depth > JSON_DEPTH_MAX)
                return true;
        } else if ((c == '}' || c == ']') && depth > 0) {
            depth--;
        }
    }
    return false;
}

json_t *json_parse(const char *text, size_t len, char *why)
{
    json_error_t error;

    if (nested_too_deep(text, len)) {
        (void)snprintf(why, JSON_EXPECTED_MAX, "nested deeper than %d",
                       JSON_DEPTH_MAX);
        return NULL;
    }
    json_t *value =
        json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
    if (value == NULL)
        (void)snprintf(why, JSON_EXPECTED_MAX, "%s (at character %d)",
                       error.text, error.position);
    return value;
}

size_t json_values(const char *text, size_t len)
{
    size_t count = 1;
    bool quoted = false;

    for (size_t i = 0; i < len; i++) {
        char c = text[i];
        if (c == '"')
            quoted = !quoted;
        else if (quoted)
            i += c == '\\';
        else
            count += c == ',' || c == '{' || c == '[';
    }
    return count;
}

bool json_text_is(const json_t *value, const char *word)
{
    return json_is_string(value) &&
           json_string_length(value) == strlen(word) &&
           memcmp(json_string_value(value), word, strlen(word)) == 0;
}
