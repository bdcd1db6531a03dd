/* account.c -- `sobremesa register`, `login`, `guest`, `logout`, `whoami`,
 * `reset`: who one is on a server. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/lang.h"
#include "session.h"

#define PASSWORD_SIZE 300

/* ---- what is typed ------------------------------------------------------ */

/* A new password is typed twice where nobody sees it. */
static bool ask_new_password(char *buf, size_t cap)
{
    char again[PASSWORD_SIZE];

    if (!prompt_line(_("Password (8 bytes or more)"), true, buf, cap))
        return false;
    if (strlen(buf) < 8)
        return complain(_("a password has at least 8 bytes")), false;
    if (!isatty(STDIN_FILENO))
        return true;
    if (!prompt_line(_("The same again"), true, again, sizeof(again)))
        return false;
    if (strcmp(buf, again) != 0)
        return complain(_("these were two different passwords")), false;
    return true;
}

/* ---- the commands ------------------------------------------------------- */

struct account_arguments {
    struct session session;
    const char *name, *email, *invite;
    bool keep, takes_name, json;
};

enum { KEEP_KEY = 256, EMAIL_KEY, INVITE_KEY, JSON_KEY };

static error_t account_parse(int key, char *arg, struct argp_state *state)
{
    struct account_arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_INIT: session_hand_on(state, &a->session); return 0;
    case KEEP_KEY: a->keep = true; return 0;
    case EMAIL_KEY: a->email = arg; return 0;
    case INVITE_KEY: a->invite = arg; return 0;
    case JSON_KEY: a->json = true; return 0;
    case ARGP_KEY_ARG:
        if (!a->takes_name || a->name != NULL)
            argp_error(state, _("'%s' is too much"), arg);
        a->name = arg;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* Keeps the token of an answer {token, user}, says who one is. */
static int remember(struct session *s, const json_t *result)
{
    const json_t *user = json_object_get(result, "user");
    struct settings_token token = {0};

    (void)snprintf(token.server, sizeof(token.server), "%s", s->server);
    (void)snprintf(token.name, sizeof(token.name), "%s",
                   member_text(user, "name", "?"));
    (void)snprintf(token.token, sizeof(token.token), "%s",
                   member_text(result, "token", ""));
    if (strlen(s->ca_file) < sizeof(token.ca_file))
        memcpy(token.ca_file, s->ca_file, strlen(s->ca_file) + 1);
    const char *device = member_text(result, "device", NULL);
    if (!settings_remember(&token) ||
        (device != NULL &&
         !settings_keep_device(s->server, token.name, device)))
        return STATUS_FAILED;
    printf(_("You are %s on %s%s.\n"), token.name, s->server,
           member_true(user, "guest") ? _(", a guest") : "");
    return STATUS_DONE;
}

/* Logs in by METHOD with PARAMS, taken over. */
static int log_in(struct session *s, const char *method, json_t *params)
{
    if (!session_open(s, SESSION_NOBODY, NULL)) {
        json_decref(params);
        return STATUS_FAILED;
    }
    json_t *result = session_ask(s, method, params);
    int status = result != NULL ? remember(s, result) : STATUS_FAILED;
    json_decref(result);
    session_close(s);
    return status;
}

/* Asked for once more, with the code of a second factor, if that is wanted;
 * PARAMS stay the caller's.  NULL after a complaint. */
static json_t *ask_login(struct session *s, json_t *params)
{
    char why[LINK_WHY_MAX], reason[64], code[64];

    json_t *result = link_ask(s->link, "session.login", json_incref(params),
                              why, reason);
    if (result == NULL && strcmp(reason, "code_required") == 0) {
        if (!prompt_line(_("Code of the app, or a recovery code"), false, code,
                         sizeof(code)))
            return NULL;
        (void)json_object_set_new(params, "code", json_string(code));
        explicit_bzero(code, sizeof(code));
        return session_ask(s, "session.login", json_incref(params));
    }
    if (result == NULL)
        (void)session_complain(reason, why);
    return result;
}

static int log_in_by_password(struct session *s, const char *name,
                              const char *password)
{
    char device[128];

    if (!session_open(s, SESSION_NOBODY, NULL))
        return STATUS_FAILED;
    bool known = settings_device(s->server, name, device, sizeof(device));
    json_t *params = json_pack("{ss ss ss*}", "name", name, "password",
                               password, "device", known ? device : NULL);
    json_t *result = params != NULL ? ask_login(s, params) : NULL;
    if (params == NULL)
        (void)complain(_("name and password have to be UTF-8"));
    int status = result != NULL ? remember(s, result) : STATUS_FAILED;
    json_decref(params);
    json_decref(result);
    session_close(s);
    return status;
}

/* What the server sends S's account, from the first mail on, is to be in the
 * language that is spoken here. */
static bool set_language(struct session *s)
{
    json_t *result = session_ask(s, "notices.set",
                                 json_pack("{ss}", "language", lang_chosen()));

    json_decref(result);
    return result != NULL;
}

/* A guest gets a name and a password. */
static int keep(struct session *s, json_t *params)
{
    struct settings_token token = {0};
    char guest[64];

    if (!session_open(s, SESSION_SOMEBODY, NULL) || !set_language(s)) {
        json_decref(params);
        session_close(s);
        return STATUS_FAILED;
    }
    json_t *result = session_ask(s, "account.keep", params);
    int status = STATUS_FAILED;
    if (result != NULL) {
        token = s->token;
        (void)snprintf(guest, sizeof(guest), "%s", token.name);
        (void)snprintf(token.name, sizeof(token.name), "%s",
                       member_text(json_object_get(result, "user"), "name",
                                   "?"));
        printf(_("You are %s on %s from now on.\n"), token.name, s->server);
        status = settings_forget(s->server, guest) && settings_remember(&token)
                     ? STATUS_DONE
                     : STATUS_FAILED;
    }
    json_decref(result);
    session_close(s);
    return status;
}

/* The code at the end of LINK, which may be one by itself. */
static const char *code_of(const char *link)
{
    const char *slash = strrchr(link, '/');
    return slash != NULL ? slash + 1 : link;
}

int register_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"email", EMAIL_KEY, "ADDRESS", 0,
         N_("where the server may write to, e.g. that it is your turn"), 0},
        {"invite", INVITE_KEY, "CODE", 0,
         N_("where registration is by invitation: the code, or the link"), 0},
        {"keep", KEEP_KEY, NULL, 0,
         N_("give the guest that you are this name, with all tables"), 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = account_parse,
        .args_doc = "[NAME]",
        .doc = DOC(
            N_("Makes an account and logs in. The password is asked for "
               "without echo, or read from the standard input; it is never "
               "an argument."),
            N_("A name has 2 to 24 of A-Z a-z 0-9 _ -, a password 8 to 256 "
               "bytes. The token that the server gives is kept in "
               "~/.config/sobremesa/tokens, which nobody else can read.")),
        .children = session_children,
    };
    struct account_arguments a = {.takes_name = true};
    char name[64], password[PASSWORD_SIZE];

    if (command_parse(&argp, "register", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (a.name == NULL) {
        if (!prompt_name(_("Name"), name, sizeof(name)))
            return STATUS_FAILED;
        a.name = name;
    }
    if (!ask_new_password(password, sizeof(password)))
        return STATUS_FAILED;
    json_t *params = json_pack("{ss ss ss* ss* ss*}", "name", a.name,
                               "password", password, "email", a.email,
                               "language", a.keep ? NULL : lang_chosen(),
                               "invite",
                               a.invite != NULL ? code_of(a.invite) : NULL);
    explicit_bzero(password, sizeof(password));
    if (params == NULL)
        return complain(_("name and password have to be UTF-8"));
    return a.keep ? keep(&a.session, params)
                  : log_in(&a.session, "account.register", params);
}

int login_command(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = account_parse,
        .args_doc = "[NAME]",
        .doc =
            DOC(N_("Logs in. The password is asked for without echo, or read "
                   "from the standard input; it is never an argument."),
                N_("The token that the server gives is kept in "
                   "~/.config/sobremesa/tokens, which nobody else can read. "
                   "Several people may be logged in, on several servers: the "
                   "last one counts, or --as NAME.")),
        .children = session_children,
    };
    struct account_arguments a = {.takes_name = true};
    char name[64], password[PASSWORD_SIZE];

    if (command_parse(&argp, "login", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (a.name == NULL) {
        if (!prompt_name(_("Name"), name, sizeof(name)))
            return STATUS_FAILED;
        a.name = name;
    }
    if (!prompt_line(_("Password"), true, password, sizeof(password)))
        return STATUS_FAILED;
    int status = log_in_by_password(&a.session, a.name, password);
    explicit_bzero(password, sizeof(password));
    return status;
}

int guest_command(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = account_parse,
        .doc = DOC(
            N_("Logs in as a guest: no name to think of, no password. A "
               "guest is forgotten a day after the last request, later while "
               "seated at a running table."),
            N_("`sobremesa register --keep NAME` makes it an account.")),
        .children = session_children,
    };
    struct account_arguments a = {0};

    if (command_parse(&argp, "guest", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    return log_in(&a.session, "account.guest", NULL);
}

/* ---- a new password by a link ------------------------------------------- */

/* The answer to account.reset; an address may be that of several accounts.  NULL
 * after a complaint. */
static json_t *ask_reset(struct session *s, const char *code,
                         const char *password)
{
    char why[LINK_WHY_MAX], reason[64], name[64];
    json_t *result = link_ask(s->link, "account.reset",
                              json_pack("{ss ss}", "code", code, "password",
                                        password),
                              why, reason);

    if (result != NULL)
        return result;
    if (strcmp(reason, "which_user") != 0)
        return complain("%s", why), NULL;
    if (!prompt_name(_("Several accounts have that address; which name"), name,
                     sizeof(name)))
        return NULL;
    return session_ask(s, "account.reset",
                       json_pack("{ss ss ss}", "code", code, "password",
                                 password, "name", name));
}

/* Sets the password, then logs in with it. */
static int reset(struct session *s, const char *code, const char *password)
{
    char name[64];

    if (!session_open(s, SESSION_NOBODY, NULL))
        return STATUS_FAILED;
    json_t *result = ask_reset(s, code, password);
    session_close(s);
    if (result == NULL)
        return STATUS_FAILED;
    puts(_("The password is set."));
    (void)snprintf(name, sizeof(name), "%s",
                   member_text(json_object_get(result, "user"), "name", "?"));
    json_decref(result);
    return log_in_by_password(s, name, password);
}

int reset_command(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = account_parse,
        .args_doc = "LINK",
        .doc = DOC(
            N_("Sets a new password by a link that whoever runs the server "
               "made for you, and logs in. LINK is the whole address, which "
               "also says the server, or the code at its end."),
            N_("The password is asked for without echo, or read from the "
               "standard input. All other sessions of yours end.")),
        .children = session_children,
    };
    struct account_arguments a = {.takes_name = true};
    char link[600], password[PASSWORD_SIZE];

    if (command_parse(&argp, "reset", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (a.name == NULL) {
        if (!prompt_line(_("Link"), false, link, sizeof(link)))
            return STATUS_FAILED;
        a.name = link;
    }
    if (strstr(a.name, "://") != NULL && a.session.server_chosen == NULL)
        a.session.server_chosen = a.name;
    if (!ask_new_password(password, sizeof(password)))
        return STATUS_FAILED;
    int status = reset(&a.session, code_of(a.name), password);
    explicit_bzero(password, sizeof(password));
    return status;
}

int logout_command(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = account_parse,
        .doc = N_("Logs out: the server forgets the token, and so does this "
                  "computer."),
        .children = session_children,
    };
    struct account_arguments a = {0};
    char name[64], why[LINK_WHY_MAX], reason[64];

    if (command_parse(&argp, "logout", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (!session_open(&a.session, SESSION_SOMEBODY, NULL)) {
        /* A token that is no good any more is forgotten all the same. */
        if (a.session.token.name[0] != '\0')
            (void)settings_forget(a.session.server, a.session.token.name);
        return STATUS_FAILED;
    }
    (void)snprintf(name, sizeof(name), "%s", a.session.token.name);
    json_t *result = link_ask(a.session.link, "session.logout", NULL, why,
                              reason);
    bool forgotten = settings_forget(a.session.server, name);
    if (result == NULL)
        (void)session_complain(reason, why);
    else
        printf(_("%s is logged out of %s.\n"), name, a.session.server);
    int status = result != NULL && forgotten ? STATUS_DONE : STATUS_FAILED;
    json_decref(result);
    session_close(&a.session);
    return status;
}

/* One's account, as the server has it, and where that is. */
static void say_who(const struct session *s, json_t *user, bool json)
{
    if (json) {
        (void)json_object_set_new(user, "server", json_string(s->server));
        print_json(user);
    } else {
        printf(_("%s on %s%s\n"), member_text(user, "name", "?"), s->server,
               member_true(user, "guest") ? _(", a guest") : "");
    }
}

int whoami_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"json", JSON_KEY, NULL, 0, N_("for programs: an object"), 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = account_parse,
        .doc = N_("Says who you are, and on which server."),
        .children = session_children,
    };
    struct account_arguments a = {0};

    if (command_parse(&argp, "whoami", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (!session_open(&a.session, SESSION_SOMEBODY, NULL))
        return STATUS_FAILED;
    json_t *result = session_ask(&a.session, "account.get", NULL);
    if (result != NULL)
        say_who(&a.session, json_object_get(result, "user"), a.json);
    int status = result != NULL ? STATUS_DONE : STATUS_FAILED;
    json_decref(result);
    session_close(&a.session);
    return status;
}
