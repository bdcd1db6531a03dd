/* notices.c -- sobremesactl notices: what people who are away are to be told. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "ctl.h"

void show_notices(struct ctl *c, const json_t *result)
{
    const json_t *ways = json_object_get(result, "ways");
    char oldest[TIME_SIZE];
    struct grid g;

    (void)c;
    (void)printf("%" PRId64 " notices wait until their readers had time to "
                 "look themselves.\n",
                 member_int(result, "waiting"));
    grid_init(&g, "WAY >WAITING OLDEST >DELIVERED >RETRIED >GONE ALARM");
    for (size_t i = 0; i < json_array_size(ways); i++) {
        const json_t *w = json_array_get(ways, i);
        const json_t *at = json_object_get(w, "oldest");
        grid_add(&g, "%s", member_text(w, "way"));
        grid_add(&g, "%" PRId64, member_int(w, "waiting"));
        grid_add(&g, "%.16s", json_is_null(at) ? "-" : time_text(at, oldest));
        grid_add(&g, "%" PRId64, member_int(w, "delivered"));
        grid_add(&g, "%" PRId64, member_int(w, "retried"));
        grid_add(&g, "%" PRId64, member_int(w, "gone"));
        grid_add(&g, "%s", member_text(w, "alarm"));
    }
    grid_print(&g, "There is no way to tell anybody anything.");
}

void show_notices_test(struct ctl *c, const json_t *result)
{
    const json_t *tests = json_object_get(result, "tests");
    struct grid g;

    (void)c;
    grid_init(&g, "WAY LABEL STATE DELIVERED SAID");
    for (size_t i = 0; i < json_array_size(tests); i++) {
        const json_t *t = json_array_get(tests, i);
        const char *form = member_text(t, "form");
        grid_add(&g, "%s", form[0] != '\0' ? form : member_text(t, "way"));
        grid_add(&g, "%s", member_text(t, "label"));
        grid_add(&g, "%s", member_text(t, "state"));
        grid_add(&g, "%s",
                 json_is_true(json_object_get(t, "delivered")) ? "yes" : "no");
        grid_add(&g, "%s", member_text(t, "said"));
    }
    grid_print(&g, "They have no way of being told anything: no address that "
                   "is confirmed, no browser, no webhook.");
}

/* ---- mails that came back --------------------------------------------------- */

#define BOUNCE_MAX (1 << 20) /* of a mail that is read; the head is enough */
#define ID_CHARS   13

static bool is_id(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyz234567") == ID_CHARS &&
           text[ID_CHARS] == '@';
}

/* The ID of one of our mails in TEXT: "<mID@domain>", as their Message-ID is. */
static const char *find_id(const char *text)
{
    for (const char *at = strstr(text, "<m"); at != NULL;
         at = strstr(at + 1, "<m"))
        if (is_id(at + 2))
            return at + 2;
    return NULL;
}

/* What the receiver said of it: the line that RFC 3464 has for that. */
static void find_reason(const char *text, char said[200])
{
    static const char field[] = "\nDiagnostic-Code:";
    const char *at = strstr(text, field);
    size_t n = 0;

    at = at != NULL ? at + strlen(field) : "";
    while (*at == ' ')
        at++;
    for (; *at >= ' ' && *at <= '~' && n < 199; at++)
        said[n++] = *at;
    said[n] = '\0';
}

static int bounced(struct ctl *c, const char *id, const char *said)
{
    char text[ID_CHARS + 1];
    json_t *error = NULL;

    (void)snprintf(text, sizeof(text), "%.*s", ID_CHARS, id);
    struct json_out *o = call_begin(c, c->command->method);
    out_string(o, "message", text);
    if (said[0] != '\0')
        out_string(o, "said", said);
    json_t *result = call_end(c, &error);
    if (result == NULL)
        return complain_error(error);
    if (c->json)
        print_json(result);
    else
        (void)puts("Nothing more is sent to that address.");
    json_decref(result);
    return STATUS_DONE;
}

int bounce_command(struct ctl *c)
{
    char *text = calloc(1, BOUNCE_MAX + 1), said[200];
    int status;

    ASSERT(text != NULL);
    size_t len = fread(text, 1, BOUNCE_MAX, stdin);
    for (size_t i = 0; i < len; i++)
        if (text[i] == '\0')
            text[i] = ' ';
    const char *id = find_id(text);
    find_reason(text, said);
    if (id == NULL)
        status = complain("That is no mail of this server's that came back.");
    else if (!dial(c))
        status = STATUS_FAILED;
    else
        status = bounced(c, id, said);
    free(text);
    return status;
}
