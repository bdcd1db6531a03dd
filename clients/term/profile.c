/* profile.c -- `sobremesa email`, `factor`, `hours`: what a server knows of who
 * one is: an address, a second factor, when one is there. */

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clients/common/lang.h"
#include "session.h"

#define SECRET_SIZE 300

struct profile_arguments {
    struct session session;
    const char *what, *days, *zone;
    bool send;
};

enum { SEND_KEY = 256, DAYS_KEY, ZONE_KEY };

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct profile_arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_INIT: session_hand_on(state, &a->session); return 0;
    case SEND_KEY: a->send = true; return 0;
    case DAYS_KEY: a->days = arg; return 0;
    case ZONE_KEY: a->zone = arg; return 0;
    default:
        return argument_parse(key, arg, state, &a->what, _("one is enough"),
                              NULL);
    }
}

static bool begin(struct profile_arguments *a, const struct argp *argp,
                  const char *name, int argc, char **argv, int *ret_status)
{
    *ret_status = STATUS_USAGE;
    if (command_parse(argp, name, argc, argv, a) != STATUS_DONE)
        return false;
    *ret_status = STATUS_FAILED;
    return session_open(&a->session, SESSION_SOMEBODY, NULL);
}

/* Asks METHOD; PARAMS have the password besides, which is asked for. */
static json_t *ask_by_password(struct session *s, const char *method,
                               json_t *params)
{
    char password[SECRET_SIZE];

    if (!prompt_line(_("Your password"), true, password, sizeof(password))) {
        json_decref(params);
        return NULL;
    }
    (void)json_object_set_new(params, "password", json_string(password));
    explicit_bzero(password, sizeof(password));
    return session_ask(s, method, params);
}

static bool add_code(json_t *params, const char *question)
{
    char code[64];

    if (!prompt_line(question, false, code, sizeof(code)))
        return false;
    (void)json_object_set_new(params, "code", json_string(code));
    return true;
}

/* ---- email -------------------------------------------------------------- */

static int show_email(struct session *s)
{
    json_t *self = session_ask(s, "account.get", NULL);
    const char *email = member_text(self, "email", NULL);
    const char *pending = member_text(self, "email_pending", NULL);

    if (self == NULL)
        return STATUS_FAILED;
    if (email == NULL && pending == NULL)
        printf(_("You have given no address.\n"));
    if (email != NULL)
        printf("%s, %s\n", email,
               member_true(self, "email_confirmed") ? _("confirmed")
                                                    : _("not confirmed"));
    if (pending != NULL)
        printf(_("%s takes its place once it is confirmed.\n"), pending);
    json_decref(self);
    return STATUS_DONE;
}

static int set_email(struct session *s, const char *email)
{
    json_t *self = session_ask(s, "account.get", NULL);
    json_t *value = strcmp(email, "none") == 0 ? json_null()
                                               : json_string(email);
    json_t *params = json_pack("{so}", "email", value), *result = NULL;

    if (self == NULL)
        json_decref(params);
    else if (member_true(self, "has_password"))
        result = ask_by_password(s, "account.email.set", params);
    else
        result = session_ask(s, "account.email.set", params);
    json_decref(self);
    if (result == NULL)
        return STATUS_FAILED;
    json_decref(result);
    return show_email(s);
}

int email_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"send", SEND_KEY, NULL, 0, N_("mail the link that confirms it again"),
         0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "[ADDRESS|none]",
        .doc = DOC(
            N_("Shows your address, or sets another one, which is in force "
               "once it is confirmed by the link that is mailed there."),
            N_("Your password is asked for.")),
        .children = session_children,
    };
    struct profile_arguments a = {0};
    int status;

    if (!begin(&a, &argp, "email", argc, argv, &status))
        return status;
    if (a.send) {
        json_t *sent = session_ask(&a.session, "account.email.send", NULL);
        if (sent != NULL)
            printf(_("If nothing stands against it, a mail is on its way.\n"));
        status = sent != NULL ? STATUS_DONE : STATUS_FAILED;
        json_decref(sent);
    } else {
        status = a.what == NULL ? show_email(&a.session)
                                : set_email(&a.session, a.what);
    }
    session_close(&a.session);
    return status;
}

/* ---- a second factor ---------------------------------------------------- */

static void print_codes(const json_t *result)
{
    const json_t *codes = json_object_get(result, "recovery");

    printf(
        _("Recovery codes, each good once in place of a code; they are told "
          "only now:\n"));
    for (size_t i = 0; i < json_array_size(codes); i++)
        printf("    %s\n", json_string_value(json_array_get(codes, i)));
}

static int factor_on(struct session *s)
{
    json_t *begun = ask_by_password(s, "account.totp.begin", json_object());
    json_t *params = json_object();

    if (begun == NULL) {
        json_decref(params);
        return STATUS_FAILED;
    }
    printf(_("Type this key into the app, or open the link on the phone:\n"
             "    %s\n    %s\n"),
           member_text(begun, "key", "?"), member_text(begun, "uri", "?"));
    (void)fflush(stdout);
    json_decref(begun);
    if (!add_code(params, _("Code of the app"))) {
        json_decref(params);
        return STATUS_FAILED;
    }
    json_t *result = session_ask(s, "account.totp.confirm", params);
    if (result == NULL)
        return STATUS_FAILED;
    print_codes(result);
    json_decref(result);
    return STATUS_DONE;
}

/* With a code of what there is. */
static int factor_change(struct session *s, const char *method)
{
    json_t *params = json_object();

    if (!add_code(params, _("Code of the app, or a recovery code"))) {
        json_decref(params);
        return STATUS_FAILED;
    }
    json_t *result = ask_by_password(s, method, params);
    if (result == NULL)
        return STATUS_FAILED;
    if (json_object_get(result, "recovery") != NULL)
        print_codes(result);
    else
        printf(_("The second factor is off.\n"));
    json_decref(result);
    return STATUS_DONE;
}

static int show_factor(struct session *s)
{
    json_t *self = session_ask(s, "account.get", NULL);
    const json_t *totp = json_object_get(self, "totp");

    if (self == NULL)
        return STATUS_FAILED;
    if (member_true(totp, "on"))
        printf(_("The second factor is on; %d recovery codes are left.\n"),
               (int)member_number(totp, "recovery"));
    else
        printf(_("The second factor is off.\n"));
    json_decref(self);
    return STATUS_DONE;
}

int factor_command(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = parse,
        .args_doc = "[on|off|recovery]",
        .doc = DOC(
            N_("A second factor: whoever logs in as you then needs a code of "
               "an app, too. `recovery` makes new codes for the day when "
               "that is lost."),
            N_("Password and code are asked for.")),
        .children = session_children,
    };
    struct profile_arguments a = {0};
    int status;

    if (!begin(&a, &argp, "factor", argc, argv, &status))
        return status;
    if (a.what == NULL)
        status = show_factor(&a.session);
    else if (strcmp(a.what, "on") == 0)
        status = factor_on(&a.session);
    else if (strcmp(a.what, "off") == 0)
        status = factor_change(&a.session, "account.totp.remove");
    else if (strcmp(a.what, "recovery") == 0)
        status = factor_change(&a.session, "account.totp.recovery");
    else
        status = complain(_("'%s': expected on, off or recovery"), a.what);
    session_close(&a.session);
    return status;
}

/* ---- hours -------------------------------------------------------------- */

static const char *const days[] = {N_("mon"), N_("tue"), N_("wed"), N_("thu"),
                                   N_("fri"), N_("sat"), N_("sun")};

static int show_hours(const json_t *result)
{
    const json_t *hours = json_object_get(result, "hours");
    int opens = (int)member_number(hours, "opens");
    int closes = (int)member_number(hours, "closes");
    const json_t *on = json_object_get(hours, "days");

    if (!json_is_object(hours)) {
        printf(_("You are always there, as far as the server knows.\n"));
        return STATUS_DONE;
    }
    printf("%02d:%02d-%02d:%02d", opens / 60, opens % 60, closes / 60,
           closes % 60);
    for (size_t i = 0; i < json_array_size(on); i++) {
        json_int_t day = json_integer_value(json_array_get(on, i));
        printf("%s%s", i > 0 ? "," : _(" on "),
               day >= 1 && day <= 7 ? _(days[day - 1]) : "?");
    }
    printf(_(" by the clocks of %s\n"), member_text(hours, "zone", "?"));
    return STATUS_DONE;
}

static json_t *days_of(const char *text)
{
    json_t *list = json_array();

    for (int day = 0; day < 7; day++)
        if (text == NULL || strstr(text, days[day]) != NULL)
            (void)json_array_append_new(list, json_integer(day + 1));
    return list;
}

/* The system's zone, as far as it can be found out. */
static const char *zone_here(char *buf, size_t cap)
{
    static const char folder[] = "/zoneinfo/";
    ssize_t n = readlink("/etc/localtime", buf, cap - 1);
    char *at;

    if (n <= 0)
        return "UTC";
    buf[n] = '\0';
    at = strstr(buf, folder);
    return at != NULL ? at + sizeof(folder) - 1 : "UTC";
}

/* HH:MM-HH:MM; NULL after a complaint. */
static json_t *hours_of(const struct profile_arguments *a)
{
    unsigned from, from_minute, to, to_minute;
    char zone[256];
    int end = 0;

    if (strcmp(a->what, "always") == 0)
        return json_null();
    if (sscanf(a->what, "%2u:%2u-%2u:%2u%n", &from, &from_minute, &to,
               &to_minute, &end) != 4 ||
        a->what[end] != '\0' || from > 23 || to > 23 || from_minute > 59 ||
        to_minute > 59)
        return complain(_("'%s': expected HH:MM-HH:MM, or always"), a->what),
               NULL;
    return json_pack("{si si so ss}", "opens", (int)(from * 60 + from_minute),
                     "closes", (int)(to * 60 + to_minute), "days",
                     days_of(a->days), "zone",
                     a->zone != NULL ? a->zone
                                     : zone_here(zone, sizeof(zone)));
}

int hours_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"days", DAYS_KEY, "mon,tue,...", 0, N_("on which (all)"), 0},
        {"zone", ZONE_KEY, "ZONE", 0,
         N_("by whose clocks, Europe/Paris (this computer's)"), 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "[HH:MM-HH:MM|always]",
        .doc =
            DOC(N_("Shows when you are there, or says so: outside of that you "
                   "are told nothing that can wait, and at tables that heed "
                   "it your clock does not run."),
                N_("Inside your clock runs so much faster that a week of "
                   "hours is a week: they give no time, they move it to when "
                   "you are awake. Records of games that are over show them. "
                   "Four hours at least, on five days at least; it can be "
                   "changed once in seven days.")),
        .children = session_children,
    };
    struct profile_arguments a = {0};
    int status;

    if (!begin(&a, &argp, "hours", argc, argv, &status))
        return status;
    json_t *hours = a.what != NULL ? hours_of(&a) : NULL;
    json_t *result = NULL;
    if (a.what == NULL)
        result = session_ask(&a.session, "account.hours.get", NULL);
    else if (hours != NULL)
        result = session_ask(&a.session, "account.hours.set",
                             json_pack("{so}", "hours", hours));
    status = result != NULL ? show_hours(result) : STATUS_FAILED;
    json_decref(result);
    session_close(&a.session);
    return status;
}
