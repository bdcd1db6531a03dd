#include "clients/common/input.h"
#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "core/base.h"

/* ---- options ------------------------------------------------------------ */

enum { AS_KEY = 512, CA_FILE_KEY };

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct session *s = state->input;

    switch (key) {
    case 'S': s->server_chosen = arg; return 0;
    case CA_FILE_KEY: s->ca_file_chosen = arg; return 0;
    case AS_KEY: s->as = arg; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"server", 'S', "SERVER", 0,
     N_("HOST:PORT, the path of a socket, ws://HOST:PORT, wss://HOST, or the "
        "page's address https://HOST (also: SOBREMESA_SERVER)"),
     10},
    {"ca-file", CA_FILE_KEY, "FILE", 0,
     N_("certificates (PEM) to trust for wss:// beside the system's; logging "
        "in remembers it with the server (also: SOBREMESA_CA_FILE)"),
     10},
    {"as", AS_KEY, "NAME", 0,
     N_("as which of those who are logged in here (the last one)"), 10},
    {0},
};
const struct argp session_argp = {.options = options, .parser = parse};
const struct argp_child session_children[] = {
    {&session_argp, 0, NULL, 10},
    {0},
};

void session_hand_on(struct argp_state *state, struct session *s)
{
    state->child_inputs[0] = s;
}

/* ---- the link ----------------------------------------------------------- */

static bool find_token(struct session *s, enum session_as as)
{
    const char *name = s->as != NULL ? s->as : s->settings.name;

    if (as == SESSION_NOBODY || settings_token(s->server, name, &s->token) ||
        (as == SESSION_ANYBODY && s->as == NULL))
        return true;
    if (name[0] != '\0')
        (void)complain_as(STATUS_NOBODY,
                          _("%s is not logged in to %s: `sobremesa login %s` "
                            "first"),
                          name, s->server, name);
    else
        (void)complain_as(STATUS_NOBODY,
                          _("you are not logged in to %s: `sobremesa login`, "
                            "`sobremesa register` or `sobremesa guest` first"),
                          s->server);
    return false;
}

/* What was said now, by the environment or the config, or when one logged in
 * there. */
static void find_ca_file(struct session *s)
{
    if (s->ca_file_chosen == NULL) {
        if (s->settings.ca_file[0] != '\0')
            (void)snprintf(s->ca_file, sizeof(s->ca_file), "%s",
                           s->settings.ca_file);
        else
            settings_ca_file(s->server, s->ca_file, sizeof(s->ca_file));
        return;
    }
    /* It may be remembered, and be asked for from another directory. */
    char *whole = realpath(s->ca_file_chosen, NULL);
    (void)snprintf(s->ca_file, sizeof(s->ca_file), "%s",
                   whole != NULL ? whole : s->ca_file_chosen);
    free(whole);
}

static void end_loop(struct session *s)
{
    (void)uv_run(&s->loop, UV_RUN_DEFAULT); /* what is closing */
    (void)uv_loop_close(&s->loop);
}

int session_complain(const char *reason, const char *why)
{
    static const char *const logs_in[] = {"not_authenticated",
                                          "token_expired"};
    int status = reason[0] == '\0' ? STATUS_NO_SERVER : STATUS_FAILED;

    for (size_t i = 0; i < COUNT_OF(logs_in); i++)
        if (strcmp(reason, logs_in[i]) == 0)
            status = STATUS_NOBODY;
    return complain_as(status, "%s", why);
}

int session_lost(const struct session *s)
{
    return session_complain(link_reason(s->link), link_why(s->link));
}

bool session_open(struct session *s, enum session_as as,
                  const struct link_owner *owner)
{
    static const struct link_owner nobody;
    char why[LINK_WHY_MAX];

    if (!settings_load(&s->settings))
        return false;
    settings_server(&s->settings, s->server_chosen, s->server);
    if (!find_token(s, as))
        return false;
    find_ca_file(s);
    (void)uv_loop_init(&s->loop);
    s->link = link_new(&s->loop, s->server,
                       s->token.token[0] != '\0' ? s->token.token : NULL,
                       s->ca_file[0] != '\0' ? s->ca_file : NULL,
                       owner != NULL ? owner : &nobody, why);
    if (s->link == NULL) {
        (void)session_complain("", why);
        (void)uv_loop_close(&s->loop);
        return false;
    }
    while (link_state(s->link) == LINK_CONNECTING)
        (void)uv_run(&s->loop, UV_RUN_ONCE);
    if (link_state(s->link) == LINK_READY) {
        if (link_user(s->link)[0] != '\0')
            (void)snprintf(s->token.name, sizeof(s->token.name), "%s",
                           link_user(s->link));
        return true;
    }
    (void)session_lost(s);
    session_close(s);
    return false;
}

void session_close(struct session *s)
{
    link_free(s->link);
    s->link = NULL;
    end_loop(s);
}

json_t *session_ask(struct session *s, const char *method, json_t *params)
{
    char why[LINK_WHY_MAX], reason[64];
    json_t *result = link_ask(s->link, method, params, why, reason);

    if (result == NULL)
        (void)session_complain(reason, why);
    return result;
}

/* What follows NEXT, of a list: a place in it, or the name of the last one. */
static bool turn_page(json_t *params, json_t *next)
{
    json_t *before = json_object_get(params, "from");

    if (json_is_string(next))
        return json_object_set(params, "after", next) == 0;
    if (!json_is_integer(next) ||
        json_integer_value(next) <= json_integer_value(before))
        return false;
    return json_object_set(params, "from", next) == 0;
}

json_t *session_ask_all(struct session *s, const char *method, json_t *params,
                        const char *what)
{
    json_t *all = json_array();

    for (;;) {
        json_t *result = session_ask(s, method, json_deep_copy(params));
        if (result == NULL) {
            json_decref(all);
            all = NULL;
            break;
        }
        (void)json_array_extend(all, json_object_get(result, what));
        bool more = turn_page(params, json_object_get(result, "next"));
        json_decref(result);
        if (!more)
            break;
    }
    json_decref(params);
    return all;
}

/* ---- what is typed ------------------------------------------------------ */

char *session_table(struct session *s, char *word)
{
    char *id = strstr(word, "#table/");

    if (id == NULL)
        return word;
    if (strstr(word, "://") != NULL && s->server_chosen == NULL)
        s->server_chosen = word;
    id += strlen("#table/");
    id[strcspn(id, "/?")] = '\0';
    return id;
}

bool prompt_line(const char *question, bool secret, char *buf, size_t cap)
{
    struct termios before, quiet;
    bool terminal = isatty(STDIN_FILENO) != 0;
    bool hide = terminal && secret && tcgetattr(STDIN_FILENO, &before) == 0;

    if (terminal) {
        (void)fprintf(stderr, "%s: ", question);
        (void)fflush(stderr);
    }
    if (hide) {
        quiet = before;
        quiet.c_lflag &= ~(tcflag_t)ECHO;
        (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet);
    }
    size_t len;
    enum input read = input_line(stdin, buf, cap, &len);
    if (hide) {
        (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
        (void)fputc('\n', stderr);
    }
    if (read == INPUT_END)
        complain(_("%s: there is none"), question);
    else if (read == INPUT_LONG)
        complain(_("%s: too long"), question);
    else if (read == INPUT_NUL)
        complain(_("%s: it has a character of number 0"), question);
    return read == INPUT_LINE;
}

bool prompt_name(const char *question, char *buf, size_t cap)
{
    static const char blanks[] = " \t";

    if (!prompt_line(question, false, buf, cap))
        return false;
    size_t before = strspn(buf, blanks), len = strlen(buf);
    while (len > before && strchr(blanks, buf[len - 1]) != NULL)
        len--;
    memmove(buf, buf + before, len - before);
    buf[len - before] = '\0';
    return true;
}

/* ---- JSON --------------------------------------------------------------- */

const char *member_text(const json_t *object, const char *name,
                        const char *absent)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text != NULL ? text : absent;
}

json_int_t member_number(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

bool member_true(const json_t *object, const char *name)
{
    return json_is_true(json_object_get(object, name));
}

void print_json(const json_t *value)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);

    ASSERT(text != NULL);
    output_json(true);
    (void)puts(text);
    output_json(false);
    free(text);
}
