/* games.c -- `sobremesa games`: what can be played, and how it is said. */

#include <stdio.h>
#include <string.h>

#include "clients/common/output.h"
#include "core/base.h"
#include "layout.h"
#include "protocol/rules_json.h"
#include "term.h"

/* ---- for people -------------------------------------------------------- */

static const char *form_word(const struct rules_kind *kind)
{
    switch (kind->form) {
    case RULES_NUMBER: return "number";
    case RULES_SEAT: return "seat";
    case RULES_FLAG: return "true|false";
    case RULES_WORD: return "word";
    case RULES_PLACE: return "place";
    }
    return "";
}

static void print_words(const char *title, const struct rules_word *words,
                        bool nature)
{
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
        layout_paragraph(stdout, "      ", w->text, 78);
    }
}

/* All kinds of arguments, each once. */
static void print_kinds(const struct rules *r)
{
    const struct rules_kind *seen[64];
    size_t count = 0;

    printf("\nKinds of arguments\n");
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
                printf("a number from %d to %d", kind->min, kind->max);
            else if (kind->form == RULES_PLACE)
                printf("a space of the board by its name, like C7");
            else
                printf("%s", kind->form == RULES_SEAT ? "a seat, from 0"
                                                      : form_word(kind));
            printf("\n");
        }
    }
}

static void print_glossary(const struct rules *r)
{
    for (const struct rules_glossary *g = r->glossary; g && g->kind; g++) {
        printf("\nWords: %s\n", g->kind);
        for (int i = 0; g->words[i] != NULL; i++) {
            printf("  %s\n", g->words[i]);
            layout_paragraph(stdout, "      ", g->texts[i], 78);
        }
    }
}

static void print_game(const struct rules *r)
{
    char phrase[JSON_EXPECTED_MAX];

    printf("%s (%s), %d", r->title, r->name, r->seats_min);
    if (r->seats_max > r->seats_min)
        printf(" to %d", r->seats_max);
    printf(" players, rules revision %d\n", r->revision);
    print_words("Moves", r->verbs, false);
    print_kinds(r);
    if (r->options[0].name != NULL)
        printf("\nOptions\n");
    for (int i = 0; r->options[i].name != NULL; i++) {
        const struct rules_option *o = &r->options[i];
        option_expected(o, phrase, sizeof(phrase));
        printf("  %s: %s\n", o->name, phrase);
        layout_paragraph(stdout, "      ", o->text, 78);
    }
    if (r->assets != NULL) {
        const char *title = r->asset_kind->title;
        printf("\n%c%s\n ", title[0] - 'a' + 'A', title + 1);
        for (const struct rules_asset *a = r->assets; a->name != NULL; a++)
            printf(" %s%s", a->name, a == r->assets ? " (default)" : "");
        printf("\n");
    }
    if (r->notes != NULL)
        printf("\nAbout the numbers\n");
    for (int i = 0; r->notes != NULL && r->notes[i] != NULL; i++)
        layout_paragraph(stdout, "  ", r->notes[i], 78);
    printf("\nPoints for\n ");
    for (int i = 0; r->parts[i].name != NULL; i++)
        printf(" %s", r->parts[i].name);
    printf("\n");
    print_glossary(r);
    print_words("What can happen", r->events, false);
    print_words("What chance decides", r->verbs, true);
    printf("\nWhy a move is refused\n");
    for (int i = 0; r->reasons[i].name != NULL; i++) {
        printf("  %s\n", r->reasons[i].name);
        layout_paragraph(stdout, "      ", r->reasons[i].text, 78);
    }
}

/* ---- the command ------------------------------------------------------- */

struct games_arguments {
    const char *game;
    bool json;
};

static error_t games_parse(int key, char *arg, struct argp_state *state)
{
    struct games_arguments *a = state->input;

    switch (key) {
    case 'j': a->json = true; return 0;
    default:
        return argument_parse(key, arg, state, &a->game, "one GAME at a time",
                              NULL);
    }
}

static void print_json(const struct rules *one)
{
    struct json_out o;

    json_out_init(&o);
    if (one != NULL) {
        json_rules(&o, NULL, one, NULL);
    } else {
        out_list(&o, NULL);
        for (size_t i = 0; rules_all[i] != NULL; i++)
            json_rules(&o, NULL, rules_all[i], NULL);
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
        {"json", 'j', NULL, 0, "for programs: all of it as JSON", 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = games_parse,
        .args_doc = "[GAME]",
        .doc = "Lists the games, or tells of one GAME its moves, options, "
               "boards, events and the reasons of refusals.",
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
    if (a.json) {
        print_json(r);
    } else if (r != NULL) {
        print_game(r);
    } else {
        for (size_t i = 0; rules_all[i] != NULL; i++)
            printf("%-12s %s, %d to %d players\n", rules_all[i]->name,
                   rules_all[i]->title, rules_all[i]->seats_min,
                   rules_all[i]->seats_max);
    }
    return STATUS_DONE;
}
