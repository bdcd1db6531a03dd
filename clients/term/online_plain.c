/* online_plain.c -- a table on a server in lines, told to people: for reading
 * aloud, and for who likes it. */

#include <stdio.h>
#include <string.h>

#include "clients/common/lang.h"
#include "clocks.h"
#include "core/text.h"
#include "online_lines.h"
#include "orders.h"
#include "pace.h"
#include "votes.h"

/* ---- telling ------------------------------------------------------------ */

/* Something is printed now: below the prompt, if it stands there. */
static void begin_line(struct lines *l)
{
    if (l->prompted)
        printf("\n");
    l->prompted = false;
}

static void introduce(struct lines *l)
{
    const struct online *o = l->client->online;
    const struct table *t = &o->table;

    begin_line(l);
    printf(_("Table %s: %s, %d players. %s%s.\n"), o->id, t->rules->title,
           t->seats,
           o->you < t->seats ? _("You are ") : _("You are looking on"),
           o->you < t->seats ? t->names[o->you] : "");
    if (online_again_of(o) != NULL)
        printf(_("It was played before at table %s.\n"), online_again_of(o));
}

static void say_events(struct lines *l, const struct rules_event *events,
                       size_t count)
{
    begin_line(l);
    plain_events(&l->plain, events, count);
    plain_flush(&l->plain);
}

/* TEXT, the lines of which but for the first stand in a little, so that none
 * can be taken for what somebody else says. */
static void say_lines(const char *text)
{
    for (;;) {
        size_t n = strcspn(text, "\n");
        printf("%.*s\n", (int)n, text);
        if (text[n] == '\0')
            return;
        text += n + 1;
        printf("    ");
    }
}

static void say_text(struct lines *l, const struct online_text *text)
{
    begin_line(l);
    printf("%s%s: ", text->from,
           text->spectators ? _(" (looking on)") : _(" says"));
    say_lines(text->body);
}

static void say_said(struct lines *l, bool bad, const char *text)
{
    (void)bad;
    begin_line(l);
    say_lines(text);
}

static void say_connection(struct lines *l, bool lost, const char *text)
{
    (void)lost;
    begin_line(l);
    printf("%s\n", text);
}

static void say_result(struct lines *l)
{
    const struct online *o = l->client->online;

    begin_line(l);
    if (o->state == ONLINE_ABANDONED)
        printf(_("The game was abandoned.\n"));
    else
        layout_result(stdout, &o->table, LAYOUT_WIDE);
    if (o->again_at[0] != '\0')
        printf(
            l->watching
                ? _("It is played again at table %s.\n")
                : _("It is played again at table %s: `again` goes there.\n"),
            o->again_at);
}

static void say_who(struct lines *l)
{
    const struct online *o = l->client->online;
    const struct table *t = &o->table;
    int n = 0;

    if (o->state == ONLINE_OPEN) {
        printf(_("Seats:"));
        for (int seat = 0; seat < t->seats; seat++)
            printf("%s %s", seat > 0 ? "," : "", t->names[seat]);
        printf(". %s\n", !o->manual ? _("It begins when all seats are taken.")
                         : o->made_it
                             ? _("It begins when you say `start`.")
                             : _("It begins when its maker says so."));
        return;
    }
    if (o->state != ONLINE_PLAYING || !o->started)
        return;
    if (l->plain.game_ui->situation != NULL)
        l->plain.game_ui->situation(stdout, t, plain_view(&l->plain));
    char due[PACE_TEXT_MAX];
    due_text(due_first(o->view, o->you), l->client->notices.ahead_ms, due,
             sizeof(due));
    if (due[0] != '\0')
        printf(_("Time: %s.\n"), due);
    clocks_note(stdout, l->client);
    vote_note(stdout, l->client);
    if (o->order != NULL) {
        char text[ORDER_TEXT_MAX];
        order_text(t, o->order, text, sizeof(text));
        printf("%s\n", text);
    }
    if (online_my_turn(o)) {
        printf(_("Your turn.\n"));
        return;
    }
    printf(_("Waiting for"));
    for (int seat = 0; seat < t->seats; seat++)
        if (o->acting & RULES_BIT(seat))
            printf("%s %s", n++ > 0 ? "," : "", t->names[seat]);
    printf("%s.\n", o->decision >= 0 ? _("; you may move, too") : "");
}

/* On the desktop, if they are waited for, have been here for a while, and want
 * that. */
static void call(const struct lines *l)
{
    const struct online *o = l->client->online;
    char text[120];

    if (!l->plain.terminal || !l->turned || !online_my_turn(o))
        return;
    (void)snprintf(text, sizeof(text), _("Your turn: %s"),
                   o->table.rules->title);
    notify(l->client->session.settings.notify, text);
}

static void say_situation(struct lines *l)
{
    begin_line(l);
    say_who(l);
    call(l);
}

/* ---- what is asked for -------------------------------------------------- */

static void say_since(struct lines *l)
{
    const struct online *o = l->client->online;
    const struct table *t = &o->table;

    plain_events(&l->plain, &t->events[o->since], t->event_count - o->since);
    plain_flush(&l->plain);
}

static void say_chat(struct lines *l)
{
    struct online *o = l->client->online;

    if (o->text_count == 0)
        printf(_("Nothing has been said.\n"));
    for (size_t i = 0; i < o->text_count; i++)
        say_text(l, &o->texts[i]);
    online_read(o);
}

static void say_tables(struct lines *l)
{
    const struct client *c = l->client;
    char players[400];

    for (size_t i = 0; i < json_array_size(c->mine); i++) {
        const json_t *table = json_array_get(c->mine, i);
        summary_players(table, players, sizeof(players));
        printf("%s  %s  %s%s%s\n", member_text(table, "table", "?"),
               member_text(table, "game", "?"), players,
               member_true(table, "your_turn") ? _("  YOUR TURN") : "",
               strcmp(member_text(table, "table", ""), c->online->id) == 0
                   ? _("  (here)")
                   : "");
    }
}

static void play(struct lines *l, const char *line)
{
    struct rules_move move;
    char why[512];
    int refusal = move_read(&l->client->online->table, line, &move, why,
                            sizeof(why));

    if (refusal == RULES_OK)
        lines_play(l, &move);
    else
        printf("%s%s\n", why,
               refusal == RULES_UNKNOWN_VERB ? _(" Type `help` or `legal`.")
                                             : "");
}

static void answer(struct lines *l, const char *line)
{
    struct online *o = l->client->online;
    const char *rest;
    size_t len = plain_word(line, &rest);

#define IS(word) (len == sizeof(word) - 1 && memcmp(line, word, len) == 0)
    if (lines_command(l, line))
        return;
    if (IS("chat"))
        say_chat(l);
    else if (IS("who"))
        say_who(l);
    else if (IS("clocks"))
        clocks_write(stdout, l->client);
    else if (IS("since"))
        say_since(l);
    else if (IS("tables"))
        say_tables(l);
    else if (!o->started && (IS("board") || IS("hand") || IS("state") ||
                             IS("score") || IS("legal") || IS("try")))
        printf(_("The game has not begun.\n"));
    else if (o->you >= o->table.seats && (IS("legal") || IS("try")))
        printf(_("You are only looking on.\n"));
    else if (!plain_answer(&l->plain, line) && lines_can_play(l))
        play(l, line);
#undef IS
}
const struct voice plain_voice = {
    .introduce = introduce,
    .events = say_events,
    .text = say_text,
    .situation = say_situation,
    .said = say_said,
    .connection = say_connection,
    .result = say_result,
    .answer = answer,
};
