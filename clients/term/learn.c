/* learn.c -- `sobremesa learn`: a first game that is led, without a server.  It is
 * kept beside the settings, and gone on with. */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/lang.h"
#include "lead.h"
#include "play.h"
#include "session.h"
#include "settings.h"
#include "usage.h"

#define FIRST_SEED 1 /* the chance of everybody's first game */

struct learn_arguments {
    const char *game;
    bool again;
    struct display_options display;
};

enum { OPT_AGAIN = 1024 };

static error_t learn_parse(int key, char *arg, struct argp_state *state)
{
    struct learn_arguments *a = state->input;

    switch (key) {
    case OPT_AGAIN: a->again = true; return 0;
    case ARGP_KEY_ARG:
        if (a->game != NULL)
            return ARGP_ERR_UNKNOWN;
        a->game = arg;
        return 0;
    case ARGP_KEY_END:
        if (a->game == NULL)
            argp_error(state, _("which game? `sobremesa games` lists them"));
        return 0;
    default: return display_parse(&a->display, key);
    }
}

/* A new game, with SEED, for somebody and a bot. */
static bool begin(struct offline *o, const struct guide *g, uint64_t seed)
{
    int16_t options[RULES_OPTIONS_MAX];
    struct json_board board = {0};

    for (int i = 0; i < RULES_OPTIONS_MAX; i++)
        options[i] = RULES_NONE;
    for (const struct guide_option *given = g->options; given && given->name;
         given++)
        for (int i = 0; g->rules->options[i].name != NULL; i++)
            if (strcmp(g->rules->options[i].name, given->name) == 0)
                options[i] = given->value;
    if (!offline_open(o, g->rules, 0, 2, options, &board))
        return false;
    o->table.bots = RULES_BIT(1);
    o->level = MIND_GREEDY;
    offline_seed(o, seed);
    (void)snprintf(o->table.names[0], sizeof(o->table.names[0]), "%s",
                   _("Learner"));
    (void)snprintf(o->table.names[1], sizeof(o->table.names[1]), "%s",
                   _("Bot"));
    return true;
}

/* The game that was left, or a new one: also if that was over. */
static bool go_on(struct offline *o, struct lead *lead, const char *path,
                  bool again)
{
    if (!again && path[0] != '\0' && access(path, F_OK) == 0) {
        *o = (struct offline){.lead = lead};
        if (!offline_resume(o, path))
            return false;
        if (!rules_over(offline_state(o)))
            return true;
        offline_close(o);
        again = true;
    }
    lead->told = 0;
    if (!begin(o, &lead->guide, again ? number_random() >> 1 : FIRST_SEED))
        return false;
    o->lead = lead;
    o->file = path[0] != '\0' ? path : NULL;
    return true;
}

int learn_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"again", OPT_AGAIN, NULL, 0,
         N_("another game from its beginning, not the one that was left"), 0},
        DISPLAY_OPTIONS(N_("line by line: for pipes and screen readers")),
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = learn_parse,
        .args_doc = "GAME",
        .doc = DOC(
            N_("Leads you through a first game of GAME, against a bot: at each "
               "of your moves it says what you might do, why, and which key "
               "to press."),
            N_("No server is needed. Any other move may be played. Leave "
               "whenever you like; the same command goes on there.")),
    };
    static struct learn_arguments a;
    static struct settings settings;
    static struct lead lead;
    static struct offline o;
    char path[4096], name[64];

    a = (struct learn_arguments){0};
    if (command_parse(&argp, "learn", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    const struct rules *r = game_find(a.game);
    if (r == NULL || !settings_load(&settings))
        return STATUS_FAILED;
    display_defaults(&a.display, &settings);
    (void)snprintf(name, sizeof(name), "first-%s", r->name);
    if (!settings_file(name, path, sizeof(path)))
        path[0] = '\0';
    lead_begin(&lead, r);
    if (!go_on(&o, &lead, path, a.again))
        return STATUS_FAILED;
    const struct game_ui *game_ui = game_ui_find(r->name);
    int status = display_full_screen(&a.display)
                     ? offline_screen(&o, game_ui, display_look(&a.display))
                     : offline_plain(&o, game_ui);
    if (!offline_keep(&o))
        status = complain(_("%s: cannot be written"), o.file);
    offline_close(&o);
    return status;
}
