#include "language.h"

#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/lang.h"
#include "clients/common/memory.h"
#include "settings.h"
#include "term.h"
#include "usage.h"

/* What --language says among the words of ARGV, or NULL: before they are taken
 * apart, so that complaints of them are in that language, too. */
static const char *said_in(int argc, char **argv)
{
    static const char name[] = "--language";
    const char *said = NULL;

    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        size_t len = sizeof(name) - 1;
        if (strncmp(argv[i], name, len) != 0)
            continue;
        if (argv[i][len] == '=')
            said = argv[i] + len + 1;
        else if (argv[i][len] == '\0' && i + 1 < argc)
            said = argv[++i];
    }
    return said;
}

/* What the locale says, as setlocale() reads it. */
static const char *said_by_locale(void)
{
    static const char *const names[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    const char *said = NULL;

    for (size_t i = 0; i < 3 && (said == NULL || *said == '\0'); i++)
        said = getenv(names[i]);
    return said != NULL ? said : "";
}

void language_start(int argc, char **argv)
{
    char config[16];
    const char *said = said_in(argc, argv);

    settings_language(config, sizeof(config));
    if (said == NULL && config[0] != '\0')
        said = config;
    lang_choose(lang_catalogues, said != NULL ? said : said_by_locale());
    /* The C library's own words, of errors and of help, where it has them. */
    if (said != NULL && setlocale(LC_MESSAGES, "") != NULL) {
        char name[32];
        (void)snprintf(name, sizeof(name), "%s_%s.UTF-8", lang_chosen(),
                       strcmp(lang_chosen(), "en") == 0 ? "US" : "FR");
        (void)setlocale(LC_MESSAGES, name);
    }
}

/* ---- what every command takes --------------------------------------------- */

enum { LANGUAGE_KEY = 1024, USAGE_KEY };

static error_t parse(int key, char *arg, struct argp_state *state)
{
    switch (key) {
    case LANGUAGE_KEY:
        if (!lang_known(lang_catalogues, arg))
            argp_error(state, _("--language: there are en and fr, not '%s'"),
                       arg);
        return 0;
    case ARGP_KEY_INIT: usage_listen(state); return 0;
    case '?': usage_help(state, ARGP_HELP_STD_HELP); return 0;
    case USAGE_KEY: usage_help(state, ARGP_HELP_USAGE); return 0;
    case 'V':
        (void)fprintf(state->out_stream, "sobremesa %s\n", SOBREMESA_VERSION);
        exit(finish_output(STATUS_DONE));
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* What argp says below options by itself. */
static const char note_of_argp[] = N_(
    "Mandatory or optional arguments to long options are also mandatory "
    "or optional for any corresponding short options.");

char *language_filter(int key, const char *text, void *input)
{
    const char *said = key == ARGP_KEY_HELP_DUP_ARGS_NOTE ? _(note_of_argp)
                       : text != NULL                     ? _(text)
                                                          : NULL;

    (void)input;
    return said == text ? (char *)(uintptr_t)text
                        : must_copy(said, strlen(said));
}

/* argp's own have no say in which language they are. */
static const struct argp_option options[] = {
    {"language", LANGUAGE_KEY, "en|fr", 0,
     N_("to be spoken to in it (also: language in the config, LANG)"), 20},
    {"help", '?', NULL, 0, N_("what there is to be said"), -1},
    {"usage", USAGE_KEY, NULL, 0, N_("the same in short"), -1},
    {"version", 'V', NULL, 0, N_("which version this is"), -1},
    {0},
};
const struct argp language_argp = {
    .options = options,
    .parser = parse,
    .help_filter = language_filter,
};
