/* games.c -- `sobremesa games`: what can be played, and how it is said. */

#include <stdio.h>
#include <string.h>

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "core/base.h"
#include "core/says.h"
#include "game_ui.h"
#include "layout.h"
#include "protocol/rules_json.h"
#include "screen.h"
#include "term.h"

/* ---- for people -------------------------------------------------------- */

static const char *form_word(const struct rules_kind *kind)
{
    switch (kind->form) {
    case RULES_NUMBER: return _("number");
    case RULES_SEAT: return _("seat");
    case RULES_FLAG: return "true|false";
    case RULES_WORD: return _("word");
    case RULES_PLACE: return _("space");
    }
    return "";
}

/* What a word means; of what happens, in other languages than English, it is what
 * is told then. */
static const char *word_text(const struct rules *r, const struct says *says,
                             const struct rules_word *words, int i)
{
    if (words == r->verbs)
        return says_verb(r, says, i);
    return says == NULL || says == r->says ? words[i].text : says->events[i];
}

static void print_words(const char *title, const struct rules *r,
                        const struct rules_word *words, bool nature)
{
    const struct says *says = layout_says(r);

    printf("\n%s\n", title);
    for (int i = 0; words[i].name != NULL; i++) {
        const struct rules_word *w = &words[i];
        if (w->nature != nature)
            continue;
        printf("  %s", w->name);
        for (int a = 0; a < RULES_ARGS_MAX && w->arg[a].name != NULL; a++) {
            const char *kind = w->arg[a].kind->name;
            bool same = strcmp(w->arg[a].name, kind) == 0;
            printf(w->arg[a].optional ? " [%s=%s]" : " %s=%s", w->arg[a].name,
                   same ? "…" : kind);
        }
        printf("\n");
        layout_paragraph(stdout, "      ", word_text(r, says, words, i), 78);
    }
}

/* All kinds of arguments, each once. */
static void print_kinds(const struct rules *r)
{
    const struct rules_kind *seen[64];
    size_t count = 0;

    printf(_("\nKinds of arguments\n"));
    for (int i = 0; r->verbs[i].name != NULL; i++) {
        for (int a = 0; a < RULES_ARGS_MAX; a++) {
            const struct rules_kind *kind = r->verbs[i].arg[a].kind;
            if (r->verbs[i].arg[a].name == NULL)
                break;
            size_t k = 0;
            while (k < count && seen[k] != kind)
                k++;
            if (k < count || count == COUNT_OF(seen))
                continue;
            seen[count++] = kind;
            printf("  %-10s ", kind->name);
            if (kind->form == RULES_WORD)
                for (int w = 0; kind->words[w] != NULL; w++)
                    printf("%s%s", w > 0 ? ", " : "", kind->words[w]);
            else if (kind->form == RULES_NUMBER)
                printf(_("a number from %d to %d"), kind->min, kind->max);
            else if (kind->form == RULES_PLACE)
                printf(_("a space of the board by its name, like C7"));
            else
                printf("%s", kind->form == RULES_SEAT ? _("a seat, from 0")
                                                      : form_word(kind));
            printf("\n");
        }
    }
}

static void print_glossary(const struct rules *r)
{
    for (const struct rules_glossary *g = r->glossary; g && g->kind; g++) {
        printf(_("\nWords: %s\n"), g->kind);
        for (int i = 0; g->words[i] != NULL; i++) {
            printf("  %s\n", g->words[i]);
            layout_paragraph(stdout, "      ",
                             says_word(r, layout_says(r), g->kind, i), 78);
        }
    }
}

static void print_players(const struct rules *r)
{
    if (r->seats_max > r->seats_min)
        printf(_("%d to %d players"), r->seats_min, r->seats_max);
    else
        printf(_("%d players"), r->seats_min);
}

static void print_game(const struct rules *r)
{
    const struct says *says = layout_says(r);
    char phrase[JSON_EXPECTED_MAX];

    printf("%s (%s), ", r->title, r->name);
    print_players(r);
    printf(_(", rules revision %d\n"), r->revision);
    print_words(_("Moves"), r, r->verbs, false);
    print_kinds(r);
    if (r->options[0].name != NULL)
        printf(_("\nOptions\n"));
    for (int i = 0; r->options[i].name != NULL; i++) {
        const struct rules_option *o = &r->options[i];
        option_says(o, phrase, sizeof(phrase));
        printf("  %s: %s\n", o->name, phrase);
        layout_paragraph(stdout, "      ", says_option(r, says, i), 78);
    }
    if (r->assets != NULL) {
        const char *title = asset_title(r);
        printf("\n%c%s\n ", title[0] - 'a' + 'A', title + 1);
        for (const struct rules_asset *a = r->assets; a->name != NULL; a++)
            printf(" %s%s", a->name, a == r->assets ? _(" (default)") : "");
        printf("\n");
    }
    if (r->notes != NULL)
        printf(_("\nAbout the numbers\n"));
    for (int i = 0; r->notes != NULL && r->notes[i] != NULL; i++)
        layout_paragraph(stdout, "  ", r->notes[i], 78);
    printf(_("\nPoints for\n "));
    for (int i = 0; r->parts[i].name != NULL; i++)
        printf(" %s", r->parts[i].name);
    printf("\n");
    print_glossary(r);
    print_words(_("What can happen"), r, r->events, false);
    print_words(_("What chance decides"), r, r->verbs, true);
    printf(_("\nWhy a move is refused\n"));
    for (int i = 0; r->reasons[i].name != NULL; i++) {
        printf("  %s\n", r->reasons[i].name);
        layout_paragraph(stdout, "      ",
                         says_reason(r, says, RULES_GAME - i), 78);
    }
}

static void print_keys(const struct rules *r)
{
    const struct screen *screen = game_ui_find(r->name)->screen;

    screen_help(stdout, screen != NULL ? screen : &list_screen, 78);
}

/* ---- the command ------------------------------------------------------- */

struct games_arguments {
    const char *game;
    bool json, keys;
};

static error_t games_parse(int key, char *arg, struct argp_state *state)
{
    struct games_arguments *a = state->input;

    switch (key) {
    case 'j': a->json = true; return 0;
    case 'k': a->keys = true; return 0;
    case ARGP_KEY_END:
        if (a->keys && a->game == NULL)
            argp_error(state, _("--keys of which GAME?"));
        return 0;
    default:
        return argument_parse(key, arg, state, &a->game,
                              _("one GAME at a time"), NULL);
    }
}

static void print_json(const struct rules *one)
{
    struct json_out o;

    json_out_init(&o);
    if (one != NULL) {
        json_rules(&o, NULL, one, NULL, NULL);
    } else {
        out_list(&o, NULL);
        for (size_t i = 0; rules_all[i] != NULL; i++)
            json_rules(&o, NULL, rules_all[i], NULL, NULL);
        out_end(&o);
    }
    output_json(true);
    (void)puts(json_out_text(&o));
    output_json(false);
    json_out_done(&o);
}

int games_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"json", 'j', NULL, 0, N_("for programs: all of it as JSON"), 0},
        {"keys", 'k', NULL, 0, N_("the keys of its full screen"), 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = games_parse,
        .args_doc = "[GAME]",
        .doc = N_("Lists the games, or tells of one GAME its moves, options, "
                  "boards, events and the reasons of refusals."),
    };
    struct games_arguments a = {0};
    const struct rules *r = NULL;

    if (command_parse(&argp, "games", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (a.game != NULL) {
        r = game_find(a.game);
        if (r == NULL)
            return STATUS_FAILED;
    }
    if (a.keys && r != NULL) {
        print_keys(r);
    } else if (a.json) {
        print_json(r);
    } else if (r != NULL) {
        print_game(r);
    } else {
        for (size_t i = 0; rules_all[i] != NULL; i++) {
            printf("%-12s %s, ", rules_all[i]->name, rules_all[i]->title);
            print_players(rules_all[i]);
            printf("\n");
        }
    }
    return STATUS_DONE;
}
