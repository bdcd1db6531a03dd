/* notice_settings.c -- `sobremesa notices`: how one is told things when one is away, where,
 * and what was sent. */

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "clients/common/lang.h"
#include "core/base.h"
#include "protocol/notice_kinds.h"
#include "session.h"

struct notice_arguments {
    struct session session;
    const char *words[4];
    size_t count;
    const char *token, *label;
    bool also, without; /* of kinds */
};

/* ---- showing ------------------------------------------------------------ */

static void print_time(json_int_t at_ms)
{
    time_t at = (time_t)(at_ms / 1000);
    struct tm tm;
    char text[40];

    (void)localtime_r(&at, &tm);
    (void)strftime(text, sizeof(text), "%Y-%m-%d %H:%M", &tm);
    printf("%s", text);
}

/* What a word of the wire is called. */
struct called {
    const char *word, *name;
};

static const struct called kind_names[] = {
    {"turn", N_("my turn")},
    {"answer", N_("I may answer")},
    {"invited", N_("I am invited")},
    {"started", N_("a game begins")},
    {"finished", N_("a game is over")},
    {"chat", N_("somebody writes")},
    {"seated", N_("somebody sits down")},
    {"unseated", N_("somebody gets up")},
    {"rewound", N_("a game is set back")},
    {"miss", N_("a deadline went by")},
    {"reminder", N_("still my turn")},
    {"absence", N_("somebody is away")},
    {"seat", N_("a seat is free")},
    {"vote", N_("a vote is asked for")},
    {"account", N_("my account")},
    {0},
};
static const struct called way_names[] = {
    {"mail", N_("mail")},
    {"push", N_("a browser")},
    {"webhook", N_("a webhook")},
    {0},
};
static const struct called state_names[] = {
    {"untried", N_("not tried yet: `notices test` tries it")},
    {"on", N_("on")},
    {"off", N_("off: it was refused")},
    {0},
};
static const struct called digest_names[] = {
    {"daily", N_("once a day")},
    {"weekly", N_("once a week")},
    {0},
};
static const struct called language_names[] = {
    {"", N_("English")},
    {"en", N_("English")},
    {"fr", N_("French")},
    {0},
};
static const struct called result_names[] = {
    {"delivered", N_("arrived")},
    {"given_up", N_("given up")},
    {"gone", N_("refused for good")},
    {"fault", N_("failed here")},
    {0},
};
static const struct called form_names[] = {
    {"notices", N_("notices")},    {"digest", N_("all together")},
    {"summary", N_("what waits")}, {"account", N_("about the account")},
    {"test", N_("a test")},        {0},
};

/* A word that this client does not know is said as it came. */
static const char *name_of(const struct called *names, const char *word)
{
    while (names->word != NULL && strcmp(names->word, word) != 0)
        names++;
    return names->word != NULL ? _(names->name) : word;
}

/* Those of LIST that are called so, or are just names. */
static void print_names(const struct called *names, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *word = json_string_value(json_array_get(list, i));
        printf("%s%s", i > 0 ? ", " : "",
               names != NULL ? name_of(names, word) : word);
    }
}

static void print_channel(const json_t *channel)
{
    const char *form = member_text(channel, "form", NULL);
    const char *label = member_text(channel, "label", "");
    const char *why = member_text(channel, "why", NULL);

    printf("  %s  %s%s%s  %s", member_text(channel, "channel", "?"),
           form != NULL ? form
                        : name_of(way_names, member_text(channel, "way", "?")),
           label[0] != '\0' ? "  " : "", label,
           name_of(state_names, member_text(channel, "state", "?")));
    printf("\n      %s\n", member_text(channel, "target", ""));
    if (why != NULL)
        printf(_("      it was refused: %s\n"), why);
    printf("      ");
    print_names(kind_names, json_object_get(channel, "kinds"));
    printf("\n");
}

static void print_when(const json_t *told)
{
    const char *digest = member_text(told, "digest", "never");

    printf("%s ", _("When:"));
    if (member_true(told, "at_once"))
        printf("%s", _("always at once"));
    else
        printf(_("after %d s, unless you have looked"),
               (int)member_number(told, "wait"));
    if (strcmp(digest, "never") != 0) {
        printf(_("; all together %s, next "), name_of(digest_names, digest));
        print_time(member_number(told, "digest_at"));
    }
    printf(_("; in %s\n"),
           name_of(language_names, member_text(told, "language", "")));
}

static int show(struct notice_arguments *a)
{
    json_t *told = session_ask(&a->session, "notices.get", NULL);
    const json_t *list = json_object_get(told, "channels");
    const json_t *muted = json_object_get(told, "muted");

    if (told == NULL)
        return STATUS_FAILED;
    printf("%s ", _("Ways here:"));
    print_names(way_names, json_object_get(told, "ways"));
    printf("\n");
    print_when(told);
    printf("%s\n", _("Channels:"));
    for (size_t i = 0; i < json_array_size(list); i++)
        print_channel(json_array_get(list, i));
    if (json_array_size(list) == 0)
        printf("  %s\n", _("none: you are told nothing when you are away"));
    if (json_array_size(muted) > 0) {
        printf("%s ", _("Nothing of these tables:"));
        print_names(NULL, muted);
        printf("\n");
    }
    json_decref(told);
    return STATUS_DONE;
}

/* A message of the last thirty days, in a line. */
static void print_sent(const json_t *sent)
{
    const json_t *what = json_object_get(sent, "what");
    const json_t *items = json_object_get(what, "items");
    const char *said = member_text(sent, "said", NULL);

    print_time(member_number(sent, "at"));
    printf("  %s, %s: %s", name_of(way_names, member_text(sent, "way", "?")),
           name_of(result_names, member_text(sent, "result", "?")),
           name_of(form_names, member_text(what, "form", "?")));
    for (size_t i = 0; i < json_array_size(items); i++) {
        const json_t *item = json_array_get(items, i);
        const char *table = member_text(item, "table", "");
        printf("%s %s%s%s", i > 0 ? "," : "",
               name_of(kind_names, member_text(item, "kind", "?")),
               table[0] != '\0' ? " " : "", table);
    }
    if (said != NULL)
        printf("  (%s)", said);
    printf("\n");
}

static int show_sent(struct notice_arguments *a)
{
    json_t *result = session_ask(&a->session, "notices.history",
                                 json_pack("{si}", "limit", 200));
    const json_t *list = json_object_get(result, "sent");

    if (result == NULL)
        return STATUS_FAILED;
    for (size_t i = 0; i < json_array_size(list); i++)
        print_sent(json_array_get(list, i));
    if (json_array_size(list) == 0)
        printf("%s\n", _("Nothing was sent to you in the last thirty days."));
    json_decref(result);
    return STATUS_DONE;
}

/* ---- changing ----------------------------------------------------------- */

/* Asks, and says only what went wrong. */
static int change(struct notice_arguments *a, const char *method,
                  json_t *params)
{
    json_t *result = session_ask(&a->session, method, params);
    int status = result != NULL ? STATUS_DONE : STATUS_FAILED;

    json_decref(result);
    return status;
}

static json_t *value_of(const char *name, const char *text)
{
    uint64_t number;

    if (strcmp(name, "at_once") == 0)
        return strcmp(text, "on") == 0 || strcmp(text, "off") == 0
                   ? json_boolean(text[1] == 'n')
                   : NULL;
    if (strcmp(name, "wait") == 0)
        return number_read(text, 900, &number)
                   ? json_integer((json_int_t)number)
                   : NULL;
    return strcmp(name, "digest") == 0 || strcmp(name, "language") == 0
               ? json_string(text)
               : NULL;
}

/* NAME=VALUE, one or more. */
static int set(struct notice_arguments *a)
{
    json_t *params = json_object();
    char name[32];

    for (size_t i = 1; i < a->count; i++) {
        const char *equals = strchr(a->words[i], '=');
        size_t len = equals != NULL ? (size_t)(equals - a->words[i]) : 0;
        (void)snprintf(name, sizeof(name), "%.*s", (int)len, a->words[i]);
        json_t *value = equals != NULL ? value_of(name, equals + 1) : NULL;
        if (value == NULL) {
            json_decref(params);
            return complain(_("'%s': expected wait=SECONDS (to 900), "
                              "at_once=on|off, digest=never|daily|weekly or "
                              "language=en|fr"),
                            a->words[i]);
        }
        (void)json_object_set_new(params, name, value);
    }
    return change(a, "notices.set", params);
}

/* KINDS is `a,b,...` or `all`: what is to be told, or is to be told besides or not
 * any more.  NULL after a complaint. */
static json_t *kinds_of(const struct notice_arguments *a, const char *kinds,
                        const json_t *before)
{
#define KIND_WORD(name, word) word,
    static const char *const words[] = {NOTICE_KINDS_ALL(KIND_WORD)};
#undef KIND_WORD
    bool any = false;
    json_t *chosen = json_array();

    for (size_t i = 0; i < COUNT_OF(words); i++) {
        bool named = strcmp(kinds, "all") == 0, had = false;
        size_t len = strlen(words[i]);
        for (const char *at = kinds; *at != '\0' && !named;
             at += strcspn(at, ","), at += *at == ',')
            named = strcspn(at, ",") == len && strncmp(at, words[i], len) == 0;
        for (size_t k = 0; k < json_array_size(before); k++)
            had = had || strcmp(json_string_value(json_array_get(before, k)),
                                words[i]) == 0;
        any = any || named;
        if (a->also ? had || named : a->without ? had && !named : named)
            (void)json_array_append_new(chosen, json_string(words[i]));
    }
    if (any)
        return chosen;
    json_decref(chosen);
    return complain(_("'%s': there is no such kind; there are turn, reminder, "
                      "answer, invited, started, finished, rewound, chat, "
                      "seated, unseated, all"),
                    kinds),
           NULL;
}

static int set_kinds(struct notice_arguments *a)
{
    json_t *told = session_ask(&a->session, "notices.get", NULL);
    const json_t *list = json_object_get(told, "channels"), *before = NULL;
    int status = STATUS_FAILED;

    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *channel = json_array_get(list, i);
        if (strcmp(member_text(channel, "channel", ""), a->words[1]) == 0)
            before = json_object_get(channel, "kinds");
    }
    json_t *kinds = told != NULL ? kinds_of(a, a->words[2], before) : NULL;
    if (kinds != NULL)
        status = change(a, "notices.channels.set",
                        json_pack("{ss so}", "channel", a->words[1], "kinds",
                                  kinds));
    json_decref(told);
    return status;
}

/* ---- channels ----------------------------------------------------------- */

static int test(struct notice_arguments *a, const char *channel)
{
    json_t *result = session_ask(&a->session, "notices.channels.test",
                                 json_pack("{ss}", "channel", channel));
    const char *said = member_text(result, "said", "");
    bool good = member_true(result, "delivered");

    if (good)
        printf(_("It has arrived.\n"));
    else if (result != NULL)
        (void)complain(_("it did not arrive: %s"), said);
    json_decref(result);
    return good ? STATUS_DONE : STATUS_FAILED;
}

static int add(struct notice_arguments *a)
{
    char channel[40];
    json_t *params = json_pack("{ss ss ss ss* ss*}", "way", "webhook", "form",
                               a->words[1], "target", a->words[2], "secret",
                               a->token, "label", a->label);
    json_t *result = session_ask(&a->session, "notices.channels.add", params);
    const char *secret = member_text(result, "secret", NULL);

    if (result == NULL)
        return STATUS_FAILED;
    (void)snprintf(channel, sizeof(channel), "%s",
                   member_text(result, "channel", "?"));
    printf(_("Channel %s.\n"), channel);
    if (secret != NULL)
        printf(_("What it is called with is signed by this; it is told once: "
                 "%s\n"),
               secret);
    (void)fflush(stdout);
    json_decref(result);
    return test(a, channel);
}

static int mute(struct notice_arguments *a, bool muted)
{
    return change(a, "notices.mute",
                  json_pack("{ss sb}", "table", a->words[1], "muted", muted));
}

static int test_word(struct notice_arguments *a)
{
    return test(a, a->words[1]);
}

static int remove_channel(struct notice_arguments *a)
{
    return change(a, "notices.channels.remove",
                  json_pack("{ss}", "channel", a->words[1]));
}

static int mute_word(struct notice_arguments *a)
{
    return mute(a, true);
}

static int unmute_word(struct notice_arguments *a)
{
    return mute(a, false);
}

/* ---- the command -------------------------------------------------------- */

static const struct action {
    const char *name;
    size_t least, most; /* words, with the name */
    int (*run)(struct notice_arguments *a);
    const char *usage;
} actions[] = {
    {"show", 0, 1, show, ""},
    {"sent", 1, 1, show_sent, ""},
    {"set", 2, 4, set, " NAME=VALUE..."},
    {"kinds", 3, 3, set_kinds, " CHANNEL KIND,..."},
    {"add", 3, 3, add, " FORM URL"},
    {"test", 2, 2, test_word, " CHANNEL"},
    {"remove", 2, 2, remove_channel, " CHANNEL"},
    {"mute", 2, 2, mute_word, " TABLE"},
    {"unmute", 2, 2, unmute_word, " TABLE"},
};

static const struct action *action_of(const struct notice_arguments *a)
{
    const char *name = a->count > 0 ? a->words[0] : "show";

    for (size_t i = 0; i < COUNT_OF(actions); i++)
        if (strcmp(actions[i].name, name) == 0)
            return &actions[i];
    return NULL;
}

enum { TOKEN_KEY = 256, LABEL_KEY, ALSO_KEY, WITHOUT_KEY };

static error_t notice_parse(int key, char *arg, struct argp_state *state)
{
    struct notice_arguments *a = state->input;
    const struct action *action;

    switch (key) {
    case ARGP_KEY_INIT: session_hand_on(state, &a->session); return 0;
    case TOKEN_KEY: a->token = arg; return 0;
    case LABEL_KEY: a->label = arg; return 0;
    case ALSO_KEY: a->also = true; return 0;
    case WITHOUT_KEY: a->without = true; return 0;
    case ARGP_KEY_ARG:
        if (a->count == COUNT_OF(a->words))
            argp_error(state, _("'%s' is too much"), arg);
        a->words[a->count++] = arg;
        return 0;
    case ARGP_KEY_END:
        action = action_of(a);
        if (action == NULL)
            argp_error(state, _("there is no `notices %s`"), a->words[0]);
        else if (a->count < action->least || a->count > action->most)
            argp_error(state, _("notices %s%s"), action->name, action->usage);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int notices_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"token", TOKEN_KEY, "TOKEN", 0, N_("with `add`: what it wants"), 0},
        {"label", LABEL_KEY, "TEXT", 0, N_("with `add`: what you call it"), 0},
        {"also", ALSO_KEY, NULL, 0, N_("with `kinds`: these besides"), 0},
        {"without", WITHOUT_KEY, NULL, 0,
         N_("with `kinds`: not these any more"), 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = notice_parse,
        .args_doc = "[show|sent]\n"
                    "set wait=SECONDS|at_once=on|at_once=off...\n"
                    "set digest=never|digest=daily|digest=weekly...\n"
                    "set language=en|language=fr...\n"
                    "kinds CHANNEL KIND,...\n"
                    "add generic|ntfy|gotify|discord|slack|matrix URL\n"
                    "test|remove CHANNEL\nmute|unmute TABLE",
        .doc =
            DOC(N_("How you are told things when you are away: what there is, "
                   "what was sent in the last thirty days, when and what of."),
                N_("What is added is tested at once, and used only if that "
                   "arrived. Mail comes with a confirmed address (`sobremesa "
                   "email`), a browser is added in that browser.")),
        .children = session_children,
    };
    static struct notice_arguments a;

    a = (struct notice_arguments){0};
    if (command_parse(&argp, "notices", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (!session_open(&a.session, SESSION_SOMEBODY, NULL))
        return STATUS_FAILED;
    int status = action_of(&a)->run(&a);
    session_close(&a.session);
    return status;
}
