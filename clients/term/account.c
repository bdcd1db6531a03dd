/* account.c -- `sobremesa register`, `login`, `guest`, `logout`, `whoami`,
 * `reset`: who one is on a server. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session.h"

#define PASSWORD_SIZE 300

/* ---- what is typed ------------------------------------------------------ */

/* A new password is typed twice where nobody sees it. */
static bool ask_new_password(char *buf, size_t cap)
{
    char again[PASSWORD_SIZE];

    if (!prompt_line("Password (8 bytes or more)", true, buf, cap))
        return false;
    if (strlen(buf) < 8)
        return complain("a password has at least 8 bytes"), false;
    if (!isatty(STDIN_FILENO))
        return true;
    if (!prompt_line("The same again", true, again, sizeof(again)))
        return false;
    if (strcmp(buf, again) != 0)
        return complain("these were two different passwords"), false;
    return true;
}

/* ---- the commands ------------------------------------------------------- */

struct account_arguments {
    struct session session;
    const char *name, *email, *invite;
    bool keep, takes_name;
};

enum { KEEP_KEY = 256, EMAIL_KEY, INVITE_KEY };

static error_t account_parse(int key, char *arg, struct argp_state *state)
{
    struct account_arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_INIT: session_hand_on(state, &a->session); return 0;
    case KEEP_KEY: a->keep = true; return 0;
    case EMAIL_KEY: a->email = arg; return 0;
    case INVITE_KEY: a->invite = arg; return 0;
    case ARGP_KEY_ARG:
        if (!a->takes_name || a->name != NULL)
            argp_error(state, "'%s' is too much", arg);
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
    if (!settings_remember(&token))
        return STATUS_FAILED;
    printf("You are %s on %s%s.\n", token.name, s->server,
           member_true(user, "guest") ? ", a guest" : "");
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

/* A guest gets a name and a password. */
static int keep(struct session *s, json_t *params)
{
    struct settings_token token = {0};
    char guest[64];

    if (!session_open(s, SESSION_SOMEBODY, NULL)) {
        json_decref(params);
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
        printf("You are %s on %s from now on.\n", token.name, s->server);
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
         "where the server may write to, e.g. that it is your turn", 0},
        {"invite", INVITE_KEY, "CODE", 0,
         "where registration is by invitation: the code, or the link", 0},
        {"keep", KEEP_KEY, NULL, 0,
         "give the guest that you are this name, with all tables", 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = account_parse,
        .args_doc = "[NAME]",
        .doc = "Makes an account and logs in. The password is asked for "
               "without echo, or read from the standard input; it is never an "
               "argument.\vA name has 2 to 24 of A-Z a-z 0-9 _ -, a password "
               "8 to 256 bytes. The token that the server gives is kept in "
               "~/.config/sobremesa/tokens, which nobody else can read.",
        .children = session_children,
    };
    struct account_arguments a = {.takes_name = true};
    char name[64], password[PASSWORD_SIZE];

    if (command_parse(&argp, "register", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (a.name == NULL) {
        if (!prompt_line("Name", false, name, sizeof(name)))
            return STATUS_FAILED;
        a.name = name;
    }
    if (!ask_new_password(password, sizeof(password)))
        return STATUS_FAILED;
    json_t *params = json_pack("{ss ss ss* ss*}", "name", a.name, "password",
                               password, "email", a.email, "invite",
                               a.invite != NULL ? code_of(a.invite) : NULL);
    explicit_bzero(password, sizeof(password));
    if (params == NULL)
        return complain("name and password have to be UTF-8");
    return a.keep ? keep(&a.session, params)
                  : log_in(&a.session, "account.register", params);
}

int login_command(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = account_parse,
        .args_doc = "[NAME]",
        .doc = "Logs in. The password is asked for without echo, or read from "
               "the standard input; it is never an argument.\vThe token that "
               "the server gives is kept in ~/.config/sobremesa/tokens, which "
               "nobody else can read. Several people may be logged in, on "
               "several servers: the last one counts, or --as NAME.",
        .children = session_children,
    };
    struct account_arguments a = {.takes_name = true};
    char name[64], password[PASSWORD_SIZE];

    if (command_parse(&argp, "login", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (a.name == NULL) {
        if (!prompt_line("Name", false, name, sizeof(name)))
            return STATUS_FAILED;
        a.name = name;
    }
    if (!prompt_line("Password", true, password, sizeof(password)))
        return STATUS_FAILED;
    json_t *params = json_pack("{ss ss}", "name", a.name, "password",
                               password);
    explicit_bzero(password, sizeof(password));
    if (params == NULL)
        return complain("name and password have to be UTF-8");
    return log_in(&a.session, "session.login", params);
}

int guest_command(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = account_parse,
        .doc = "Logs in as a guest: no name to think of, no password. A "
               "guest is forgotten a day after the last request, later while "
               "seated at a running table.\v`sobremesa register --keep NAME` "
               "makes it an account.",
        .children = session_children,
    };
    struct account_arguments a = {0};

    if (command_parse(&argp, "guest", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    return log_in(&a.session, "account.guest", NULL);
}

/* ---- a new password by a link ------------------------------------------- */

/* Sets the password, then logs in with it. */
static int reset(struct session *s, const char *code, const char *password)
{
    if (!session_open(s, SESSION_NOBODY, NULL))
        return STATUS_FAILED;
    json_t *result = session_ask(s, "account.reset",
                                 json_pack("{ss ss}", "code", code, "password",
                                           password));
    session_close(s);
    if (result == NULL)
        return STATUS_FAILED;
    puts("The password is set.");
    json_t *params = json_pack("{ss ss}", "name",
                               member_text(json_object_get(result, "user"),
                                           "name", "?"),
                               "password", password);
    json_decref(result);
    return log_in(s, "session.login", params);
}

int reset_command(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = account_parse,
        .args_doc = "LINK",
        .doc = "Sets a new password by a link that whoever runs the server "
               "made for you, and logs in. LINK is the whole address, which "
               "also says the server, or the code at its end.\vThe password "
               "is asked for without echo, or read from the standard input. "
               "All other sessions of yours end.",
        .children = session_children,
    };
    struct account_arguments a = {.takes_name = true};
    char link[600], password[PASSWORD_SIZE];

    if (command_parse(&argp, "reset", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (a.name == NULL) {
        if (!prompt_line("Link", false, link, sizeof(link)))
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
        .doc = "Logs out: the server forgets the token, and so does this "
               "computer.",
        .children = session_children,
    };
    struct account_arguments a = {0};
    char name[64], why[LINK_WHY_MAX];

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
                              NULL);
    bool forgotten = settings_forget(a.session.server, name);
    if (result == NULL)
        (void)complain("%s", why);
    else
        printf("%s is logged out of %s.\n", name, a.session.server);
    int status = result != NULL && forgotten ? STATUS_DONE : STATUS_FAILED;
    json_decref(result);
    session_close(&a.session);
    return status;
}

int whoami_command(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = account_parse,
        .doc = "Says who you are, and on which server.",
        .children = session_children,
    };
    struct account_arguments a = {0};

    if (command_parse(&argp, "whoami", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (!session_open(&a.session, SESSION_SOMEBODY, NULL))
        return STATUS_FAILED;
    json_t *result = session_ask(&a.session, "account.get", NULL);
    const json_t *user = json_object_get(result, "user");
    if (result != NULL)
        printf("%s on %s%s\n", member_text(user, "name", "?"),
               a.session.server,
               member_true(user, "guest") ? ", a guest" : "");
    int status = result != NULL ? STATUS_DONE : STATUS_FAILED;
    json_decref(result);
    session_close(&a.session);
    return status;
}
