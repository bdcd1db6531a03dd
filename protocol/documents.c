/* documents.c -- what methods.h promises to be printed: JSON Schema of every
 * message, and the OpenRPC document. */

#include <string.h>

#include "core/base.h"
#include "methods.h"

#define DEFINITIONS "#/definitions/"
#define COMPONENTS  "#/components/schemas/"

static void types_schema(struct json_out *o, const char *prefix)
{
    for (const struct shape *const *t = method_types; *t != NULL; t++)
        shape_schema_whole(o, (*t)->name, *t, prefix);
}

/* "table.move" and ".params" into ROOM, with PREFIX in front. */
static const char *label(char room[96], const char *prefix, const char *name,
                         const char *what)
{
    size_t a = strlen(prefix), b = strlen(name), c = strlen(what);

    ASSERT(a + b + c < 96);
    memcpy(room, prefix, a);
    memcpy(room + a, name, b);
    memcpy(room + a + b, what, c + 1);
    return room;
}

static void described_schema(struct json_out *o, const char *name,
                             const char *what, const struct shape *shape)
{
    char room[96];
    shape_schema_whole(o, label(room, "", name, what), shape, DEFINITIONS);
}

/* ---- messages --------------------------------------------------------- */

static void const_schema(struct json_out *o, const char *key,
                         const char *value)
{
    out_object(o, key);
    out_string(o, "const", value);
    out_end(o);
}

static void ref_schema(struct json_out *o, const char *key, const char *ref)
{
    out_object(o, key);
    out_string(o, "$ref", ref);
    out_end(o);
}

/* An integer, or a string of at most 64 bytes. */
static void id_schema(struct json_out *o, bool null)
{
    out_object(o, "id");
    out_list(o, "type");
    out_string(o, NULL, "integer");
    out_string(o, NULL, "string");
    if (null)
        out_string(o, NULL, "null");
    out_end(o);
    out_int(o, "maxLength", 64);
    out_end(o);
}

/* Closes an object whose members are all required but, perhaps, the last. */
static void close_object(struct json_out *o, const char *const *required,
                         size_t count)
{
    out_end(o);
    out_list(o, "required");
    for (size_t i = 0; i < count; i++)
        out_string(o, NULL, required[i]);
    out_end(o);
    out_bool(o, "additionalProperties", false);
    out_end(o);
}

static void request_schema(struct json_out *o, const struct method_info *m)
{
    static const char *const required[] = {"jsonrpc", "id", "method",
                                           "params"};
    char room[96];
    bool needed = false;

    for (const struct shape_member *p = m->params.members; p->name; p++)
        needed = needed || !p->optional;
    out_object(o, NULL);
    out_string(o, "type", "object");
    out_object(o, "properties");
    const_schema(o, "jsonrpc", "2.0");
    id_schema(o, false);
    const_schema(o, "method", m->name);
    ref_schema(o, "params", label(room, DEFINITIONS, m->name, ".params"));
    close_object(o, required, needed ? 4 : 3);
}

static void notification_schema(struct json_out *o,
                                const struct notification_info *n)
{
    static const char *const required[] = {"jsonrpc", "method", "params"};
    char room[96];

    out_object(o, NULL);
    out_string(o, "type", "object");
    out_object(o, "properties");
    const_schema(o, "jsonrpc", "2.0");
    const_schema(o, "method", n->name);
    ref_schema(o, "params", label(room, DEFINITIONS, n->name, ".event"));
    close_object(o, required, 3);
}

static void response_schema(struct json_out *o)
{
    static const char *const required[] = {"jsonrpc", "id", "result"};

    out_object(o, "response");
    out_string(o, "description",
               "An answer; its result is as METHOD.result says.");
    out_string(o, "type", "object");
    out_object(o, "properties");
    const_schema(o, "jsonrpc", "2.0");
    id_schema(o, false);
    out_bool(o, "result", true);
    close_object(o, required, 3);
}

/* Code and reason of one error. */
static void reason_schema(struct json_out *o, enum error e)
{
    out_object(o, NULL);
    out_object(o, "properties");
    out_object(o, "code");
    out_int(o, "const", error_code(e));
    out_end(o);
    out_object(o, "data");
    out_object(o, "properties");
    const_schema(o, "reason", error_reason(e));
    out_end(o);
    out_end(o);
    out_end(o);
    out_end(o);
}

static void failure_schema(struct json_out *o)
{
    out_object(o, "failure");
    out_string(o, "type", "object");
    out_object(o, "properties");
    out_object(o, "code");
    out_string(o, "type", "integer");
    out_end(o);
    out_object(o, "message");
    out_string(o, "type", "string");
    out_end(o);
    out_object(o, "data");
    out_string(o, "type", "object");
    out_list(o, "required");
    out_string(o, NULL, "reason");
    out_end(o);
    out_end(o);
    out_end(o);
    out_list(o, "required");
    out_string(o, NULL, "code");
    out_string(o, NULL, "message");
    out_string(o, NULL, "data");
    out_end(o);
    out_list(o, "anyOf");
    for (enum error e = ERR_NONE + 1; e < ERRORS; e++)
        reason_schema(o, e);
    out_end(o);
    out_end(o);
}

static void refusal_schema(struct json_out *o)
{
    static const char *const required[] = {"jsonrpc", "id", "error"};

    out_object(o, "refusal");
    out_string(o, "description",
               "An answer that is an error; the id is null if the request's"
               " could not be read.");
    out_string(o, "type", "object");
    out_object(o, "properties");
    const_schema(o, "jsonrpc", "2.0");
    id_schema(o, true);
    ref_schema(o, "error", DEFINITIONS "failure");
    close_object(o, required, 3);
}

static void messages_schema(struct json_out *o)
{
    out_object(o, "request");
    out_string(o, "description", "All that a client may send.");
    out_list(o, "anyOf");
    for (int m = 0; m < METHODS; m++)
        request_schema(o, &methods[m]);
    out_end(o);
    out_end(o);
    out_object(o, "notification");
    out_string(o, "description", "All that the server says by itself.");
    out_list(o, "anyOf");
    for (int n = 0; n < NOTIFICATIONS; n++)
        notification_schema(o, &notifications[n]);
    out_end(o);
    out_end(o);
    response_schema(o);
    failure_schema(o);
    refusal_schema(o);
}

void methods_schema(struct json_out *o, const char *key)
{
    out_object(o, key);
    out_string(o, "$schema", "http://json-schema.org/draft-07/schema#");
    out_string(o, "title", "Sobremesa: every message");
    out_list(o, "anyOf");
    ref_schema(o, NULL, DEFINITIONS "request");
    ref_schema(o, NULL, DEFINITIONS "response");
    ref_schema(o, NULL, DEFINITIONS "refusal");
    ref_schema(o, NULL, DEFINITIONS "notification");
    out_end(o);
    out_object(o, "definitions");
    messages_schema(o);
    types_schema(o, DEFINITIONS);
    for (int m = 0; m < METHODS; m++) {
        described_schema(o, methods[m].name, ".params", &methods[m].params);
        described_schema(o, methods[m].name, ".result", &methods[m].result);
    }
    for (int n = 0; n < NOTIFICATIONS; n++) /* a request may share the name */
        described_schema(o, notifications[n].name, ".event",
                         &notifications[n].params);
    out_end(o);
    out_end(o);
}

/* ---- OpenRPC ---------------------------------------------------------- */

static void openrpc_params(struct json_out *o, const struct shape *params)
{
    out_string(o, "paramStructure", "by-name");
    out_list(o, "params");
    for (const struct shape_member *m = params->members; m->name; m++) {
        out_object(o, NULL);
        out_string(o, "name", m->name);
        if (m->text != NULL)
            out_string(o, "description", m->text);
        out_bool(o, "required", !m->optional);
        shape_schema(o, "schema", m->shape, COMPONENTS);
        out_end(o);
    }
    out_end(o);
}

static void openrpc_method(struct json_out *o, const struct method_info *m)
{
    out_object(o, NULL);
    out_string(o, "name", m->name);
    out_string(o, "description", m->text);
    openrpc_params(o, &m->params);
    out_object(o, "result");
    out_string(o, "name", "result");
    shape_schema(o, "schema", &m->result, COMPONENTS);
    out_end(o);
    out_list(o, "errors");
    for (const enum error *e = m->errors; *e != ERR_NONE; e++) {
        out_object(o, NULL);
        out_int(o, "code", error_code(*e));
        out_string(o, "message", error_sentence(*e));
        out_object(o, "data");
        out_string(o, "reason", error_reason(*e));
        out_end(o);
        out_end(o);
    }
    out_end(o);
    out_end(o);
}

void methods_openrpc(struct json_out *o, const char *key, const char *version)
{
    out_object(o, key);
    out_string(o, "openrpc", "1.2.6");
    out_object(o, "info");
    out_string(o, "title", "Sobremesa");
    out_string(o, "version", version);
    out_end(o);
    out_list(o, "methods");
    for (int m = 0; m < METHODS; m++)
        openrpc_method(o, &methods[m]);
    out_end(o);
    out_object(o, "components");
    out_object(o, "schemas");
    types_schema(o, COMPONENTS);
    out_end(o);
    out_end(o);
    out_end(o);
}
