/* online_votes.c -- a table on a server on the full screen: what its players agree
 * on together. */

#include <string.h>

#include "clients/common/lang.h"
#include "core/entries.h"
#include "online_screen.h"
#include "protocol/sbuf_printf.h"
#include "votes.h"

/* What can be proposed, by the key that does, and what is asked for besides. */
static const struct subject {
    int key;
    const char *line, *words, *question;
} subjects[] = {
    {'b', N_("  b take back"), "take-back", NULL},
    {'p', N_("  p pause"), "pause",
     N_("Until when (7d, or 2026-12-20 with that day)?")},
    {'u', N_("  u end the pause"), "resume", NULL},
    {'g', N_("  g give time"), "give", N_("To whom, and how much (ana 6h)?")},
    {'o', N_("  o offer a seat"), "replace",
     N_("Whose seat, of those that have missed a turn?")},
    {'e', N_("  e end the game"), "cancel", NULL},
};

static void write_vote(struct ui *ui, FILE *to)
{
    const struct visit *v = ui->world;
    const struct client *c = v->client;

    (void)vote_write(to, &c->online->table, vote_open(c), c->online->you, 0);
}

/* Shows LINE at the bottom; the key that comes then. */
static int ask_key(struct ui *ui, const char *line)
{
    int key;

    do {
        ui_draw_bar(ui, LINES - 1, line);
        (void)refresh();
        key = ui_key(ui);
    } while (key == KEY_NEWS || key == KEY_RESIZE);
    return key;
}

static void answer(struct ui *ui)
{
    const struct visit *v = ui->world;
    const struct client *c = v->client;
    bool mine = vote_mine(c), asked = vote_asked(c);

    ui_page_of(ui, _("Vote"), write_vote);
    if (!mine && !asked)
        return;
    int key = ask_key(ui, mine ? _(" n withdraw it") : _(" y agree  n no"));
    if (key == 'n' || (asked && key == 'y'))
        online_vote(c->online, key == 'y');
}

static bool is_possible(const struct client *c, const struct subject *subject)
{
    bool paced = json_is_object(json_object_get(c->online->about, "pace"));

    switch (subject->key) {
    case 'p': return paced && !vote_paused(c);
    case 'u': return paced && vote_paused(c);
    case 'g': return paced && c->online->table.seats > 2;
    case 'o': return paced;
    default: return true;
    }
}

static void propose(struct ui *ui, const struct subject *subject)
{
    const struct visit *v = ui->world;
    char words[120], more[80] = "", why[PROPOSAL_WHY_MAX];

    if (subject->question != NULL &&
        (!ui_ask(ui, _(subject->question), more, sizeof(more)) ||
         more[0] == '\0'))
        return;
    (void)snprintf(words, sizeof(words), "%s %s", subject->words, more);
    json_t *params = proposal_read(&v->client->online->table, words, why);
    if (params == NULL)
        ui_say(ui, true, "%s", why);
    else
        online_propose(v->client->online, params);
}

void votes_menu(struct ui *ui)
{
    const struct visit *v = ui->world;
    char line[400];
    struct sbuf s = sbuf_in(line, sizeof(line));

    if (vote_open(v->client) != NULL) {
        answer(ui);
        return;
    }
    sbuf_puts(&s, _(" Propose:"));
    for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++)
        if (is_possible(v->client, &subjects[i]))
            sbuf_puts(&s, _(subjects[i].line));
    int key = ask_key(ui, line);
    for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++)
        if (subjects[i].key == key && is_possible(v->client, &subjects[i]))
            propose(ui, &subjects[i]);
}
