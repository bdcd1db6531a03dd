#include "patch.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define STEP_MAX 256 /* bytes of one step of a pointer, with its NUL */

/* ---- pointers ----------------------------------------------------------- */

/* Takes the next step off *POINTER, which is not empty, into STEP: ~1 is / and
 * ~0 is ~.  False if it is no step, or one longer than any here. */
static bool take_step(const char **pointer, char step[STEP_MAX])
{
    const char *at = *pointer;
    size_t n = 0;

    if (*at++ != '/')
        return false;
    for (; *at != '\0' && *at != '/'; at++) {
        char c = *at;
        if (c == '~') {
            at++;
            if (*at != '0' && *at != '1')
                return false;
            c = *at == '0' ? '~' : '/';
        }
        if (n + 1 == STEP_MAX)
            return false;
        step[n++] = c;
    }
    step[n] = '\0';
    *pointer = at;
    return true;
}

/* The index that STEP is, at most LAST; false if it is none. */
static bool read_index(const char *step, size_t last, size_t *ret_index)
{
    size_t index = 0;

    if (step[0] == '\0' || (step[0] == '0' && step[1] != '\0'))
        return false;
    for (const char *at = step; *at != '\0'; at++) {
        if (*at < '0' || *at > '9' || index > last)
            return false;
        index = index * 10 + (size_t)(*at - '0');
    }
    *ret_index = index;
    return index <= last;
}

static json_t *child(json_t *parent, const char *step)
{
    size_t index;

    if (json_is_object(parent))
        return json_object_get(parent, step);
    if (json_is_array(parent) && json_array_size(parent) > 0 &&
        read_index(step, json_array_size(parent) - 1, &index))
        return json_array_get(parent, index);
    return NULL;
}

/* What lies above the last step of POINTER, and that step. */
static json_t *find_parent(json_t *document, const char *pointer,
                           char last[STEP_MAX])
{
    json_t *at = document;

    if (!take_step(&pointer, last))
        return NULL;
    while (at != NULL && *pointer != '\0') {
        at = child(at, last);
        if (!take_step(&pointer, last))
            return NULL;
    }
    return at;
}

json_t *patch_find(json_t *document, const char *pointer)
{
    char last[STEP_MAX];

    if (*pointer == '\0')
        return document;
    json_t *parent = find_parent(document, pointer, last);
    return parent != NULL ? child(parent, last) : NULL;
}

/* ---- operations --------------------------------------------------------- */

/* Each takes VALUE over and says whether it could be done. */

static bool add(json_t **document, const char *path, json_t *value)
{
    char last[STEP_MAX];
    size_t index;

    if (*path == '\0') {
        json_decref(*document);
        *document = value;
        return true;
    }
    json_t *parent = find_parent(*document, path, last);
    if (json_is_object(parent))
        return json_object_set_new(parent, last, value) == 0;
    if (json_is_array(parent) && strcmp(last, "-") == 0)
        return json_array_append_new(parent, value) == 0;
    if (json_is_array(parent) &&
        read_index(last, json_array_size(parent), &index))
        return json_array_insert_new(parent, index, value) == 0;
    json_decref(value);
    return false;
}

static bool replace(json_t **document, const char *path, json_t *value)
{
    char last[STEP_MAX];
    size_t index;

    if (*path == '\0')
        return add(document, path, value);
    json_t *parent = find_parent(*document, path, last);
    if (json_is_object(parent) && json_object_get(parent, last) != NULL)
        return json_object_set_new(parent, last, value) == 0;
    if (json_is_array(parent) && json_array_size(parent) > 0 &&
        read_index(last, json_array_size(parent) - 1, &index))
        return json_array_set_new(parent, index, value) == 0;
    json_decref(value);
    return false;
}

/* The whole document cannot go. */
static bool cut(json_t *document, const char *path)
{
    char last[STEP_MAX];
    size_t index;
    json_t *parent = find_parent(document, path, last);

    if (json_is_object(parent))
        return json_object_del(parent, last) == 0;
    return json_is_array(parent) && json_array_size(parent) > 0 &&
           read_index(last, json_array_size(parent) - 1, &index) &&
           json_array_remove(parent, index) == 0;
}

/* Whether INNER lies in what OUTER leads to, so that it cannot move there. */
static bool is_within(const char *inner, const char *outer)
{
    size_t len = strlen(outer);
    return strncmp(inner, outer, len) == 0 && inner[len] == '/';
}

static bool operate(json_t **document, const json_t *operation)
{
    const char *op = json_string_value(json_object_get(operation, "op"));
    const char *path = json_string_value(json_object_get(operation, "path"));
    const char *from = json_string_value(json_object_get(operation, "from"));
    json_t *value = json_object_get(operation, "value");

    if (op == NULL || path == NULL)
        return false;
    if (strcmp(op, "remove") == 0)
        return cut(*document, path);
    if (strcmp(op, "move") == 0 || strcmp(op, "copy") == 0) {
        bool moves = op[0] == 'm';
        value = from != NULL ? patch_find(*document, from) : NULL;
        if (value == NULL || (moves && is_within(path, from)))
            return false;
        if (moves && strcmp(path, from) == 0)
            return true;
        value = json_deep_copy(value);
        if (moves && !cut(*document, from)) {
            json_decref(value);
            return false;
        }
        return add(document, path, value);
    }
    if (value == NULL)
        return false;
    if (strcmp(op, "test") == 0) {
        json_t *found = patch_find(*document, path);
        return found != NULL && json_equal(found, value);
    }
    if (strcmp(op, "replace") == 0)
        return replace(document, path, json_deep_copy(value));
    if (strcmp(op, "add") == 0)
        return add(document, path, json_deep_copy(value));
    return false;
}

json_t *patch_apply(const json_t *document, const json_t *patch, char *why)
{
    size_t index;
    json_t *operation;

    if (!json_is_array(patch)) {
        (void)snprintf(why, PATCH_WHY_MAX, "a patch is a list");
        return NULL;
    }
    json_t *made = json_deep_copy(document);
    json_array_foreach((json_t *)(uintptr_t)patch, index, operation)
    {
        if (operate(&made, operation))
            continue;
        const char *op = json_string_value(json_object_get(operation, "op"));
        const char *path = json_string_value(
            json_object_get(operation, "path"));
        (void)snprintf(why, PATCH_WHY_MAX, "operation %zu: %.20s %.120s",
                       index, op != NULL ? op : "?",
                       path != NULL ? path : "?");
        json_decref(made);
        return NULL;
    }
    return made;
}
