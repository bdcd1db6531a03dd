/* test_words.c -- whatever the terminal client says of whole random games, of
 * every game with all its options, is meant for people: no word of the wire,
 * nothing that was to be filled in, nothing that is not there, and nothing in
 * English where another language was chosen. */

#include <criterion/criterion.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/lang.h"
#include "clients/term/game_ui.h"
#include "core/base.h"
#include "tests/support/play.h"

static struct table table;
static const struct game_ui *game_ui;
static regex_t raw, broken, english;
static size_t said;

/* What is wrong with TEXT, told to VIEWER. */
static void look(const struct play *p, const regex_t *bad, const char *text,
                 int viewer)
{
    said++;
    cr_assert(regexec(bad, text, 0, NULL, 0) != 0 && text[0] != '\0',
              "%s, ply %zu, to %d: %s", p->setup->label, p->plies, viewer,
              text);
    if (strcmp(lang_chosen(), "en") != 0)
        cr_assert(regexec(&english, text, 0, NULL, 0) != 0,
                  "%s, ply %zu, to %d, in English: %s", p->setup->label,
                  p->plies, viewer, text);
}

static void start(struct play *p)
{
    static const char *const names[] = {"Ana", "Ben", "Cai",
                                        "Dea", "Eva", "Fay"};

    table.rules = p->r;
    table.seats = p->s.state.seats;
    for (int seat = 0; seat < table.seats; seat++)
        (void)snprintf(table.names[seat], sizeof(table.names[0]), "%s",
                       names[seat]);
    game_ui = game_ui_find(p->r->name);
}

/* All events as each may hear of them. */
static void tell_events(const struct play *p)
{
    char text[512];

    for (int v = 0; v <= table.seats; v++) {
        int viewer = play_viewer(&p->s.state, v);
        for (int i = 0; i < p->events.count; i++) {
            const struct rules_event *event = &p->events.at[i];
            if (!game_ui_tells(game_ui, &table, event, viewer))
                continue;
            layout_sentence(&table, event, text, sizeof(text));
            look(p, &raw, text, viewer);
            size_t n = strlen(text);
            cr_assert(text[n - 1] == '.' && text[n - 2] != '.', "%s", text);
        }
    }
}

/* What is said when asked for. */
static void tell_view(const struct play *p, int viewer)
{
    static union rules_any view;
    struct rules_score score;
    char *text = NULL;
    size_t len;
    FILE *to = open_memstream(&text, &len);

    rules_view(p->r, &p->s.state, viewer, &view.state);
    memcpy(&table.any, &view, p->r->state_size);
    table_points(&table, &view.state, &score);
    layout_scores(to, &table, &score, LAYOUT_WIDE);
    if (game_ui->board != NULL)
        game_ui->board(to, &table, &view.state);
    else
        game_ui_fields(to, &table, &view.state);
    if (game_ui->hand != NULL)
        game_ui->hand(to, &table, &view.state);
    if (game_ui->situation != NULL)
        game_ui->situation(to, &table, &view.state);
    if (rules_over(&view.state))
        layout_result(to, &table, LAYOUT_WIDE);
    (void)fclose(to);
    look(p, &broken, text, viewer);
    free(text);
}

static void after(struct play *p, const struct rules_ply *ply)
{
    (void)ply;
    memcpy(&table.any, &p->s, p->r->state_size);
    tell_events(p);
    if (p->look)
        for (int v = 0; v <= table.seats; v++)
            tell_view(p, play_viewer(&p->s.state, v));
}

static const struct play_suite suite = {.start = start, .after = after};

static void run(const char *game, size_t games)
{
    static const char filled[] =
        "[{}]|%[a-z]|\\(null\\)|undefined|-32[0-9]{3}";
    static const char words[] = "[{}%]|\\(null\\)|undefined|-32[0-9]{3}|"
                                "[a-z]_[a-z]|[a-z]-[0-9]|=|\\?";

    /* Words that only English has, as whole ones. */
    static const char theirs[] =
        "(^|[^a-z])(the|of|is|are|was|has|have|and|with|from|you|your|nobody|"
        "takes|pays|gets|buys|sells|wins|won|cards|land|turn|"
        "animals|harvest|water|market|left|seat|to|at|by|its|their|money|"
        "year|period|phase of|free|each|all|one|two|yes|player)"
        "([^a-z]|$)";

    cr_assert(
        regcomp(&english, theirs, REG_EXTENDED | REG_NOSUB | REG_ICASE) == 0);
    cr_assert(regcomp(&broken, filled, REG_EXTENDED | REG_NOSUB) == 0);
    cr_assert(regcomp(&raw, words, REG_EXTENDED | REG_NOSUB) == 0);
    said = 0;
    play_run(&suite, game, games, 12);
    cr_assert(said > 50, "%zu", said);
    regfree(&broken);
    regfree(&raw);
    regfree(&english);
}

/* In English and in all that there is a catalogue for. */
static void run_all(const char *game, size_t games)
{
    run(game, games);
    for (size_t i = 0; lang_catalogues[i].lang != NULL; i++) {
        lang_choose(lang_catalogues, lang_catalogues[i].lang);
        run(game, games / 2);
    }
}

Test(words, tictactoe)
{
    run_all("tictactoe", 60);
}

Test(words, hacienda)
{
    run_all("hacienda", 60);
}

Test(words, hadara)
{
    run_all("hadara", 40);
}

Test(words, greement)
{
    run_all("greement", 60);
}

/* What the rules themselves say: sentences, and no word of the wire. */
Test(words, rules)
{
    cr_assert(regcomp(&raw, "[a-z]_[a-z]|[{}%]", REG_EXTENDED) == 0);
    for (size_t g = 0; rules_all[g] != NULL; g++) {
        const struct rules *r = rules_all[g];
        for (int i = 0; r->verbs[i].name != NULL; i++)
            cr_assert(regexec(&raw, r->verbs[i].text, 0, NULL, 0) != 0, "%s",
                      r->verbs[i].text);
        for (int i = 0; r->events[i].name != NULL; i++)
            cr_assert(regexec(&raw, r->events[i].text, 0, NULL, 0) != 0, "%s",
                      r->events[i].text);
        for (int i = 0; r->options[i].name != NULL; i++)
            cr_assert(regexec(&raw, r->options[i].text, 0, NULL, 0) != 0, "%s",
                      r->options[i].text);
        for (int i = 0; r->reasons[i].name != NULL; i++)
            cr_assert(regexec(&raw, r->reasons[i].text, 0, NULL, 0) != 0, "%s",
                      r->reasons[i].text);
        for (int i = 0; r->parts[i].name != NULL; i++)
            cr_assert(regexec(&raw, r->parts[i].text, 0, NULL, 0) != 0, "%s",
                      r->parts[i].text);
    }
    regfree(&raw);
}
