/* online_plain.c -- a table on a server, in lines.
 *
 * News is told as it comes.  Lines of input are taken in order; a move from a
 * pipe waits until it can be made, so a script needs no timing.  `wait` is the
 * same by itself. */

#include "clients/common/output.h"
#include "online_play.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/text.h"
#include "plain.h"

struct lines {
    struct plain plain;
    struct client *client;
    bool watching;
    char in[2 * PLAIN_LINE_MAX]; /* what was typed and not taken yet */
    size_t in_len;
    bool ended;      /* there will be no more */
    bool file;       /* it is one, and can always be read */
    bool introduced; /* the table's name has been said */
    bool turned;     /* whose turn it is has been said, at this ply: */
    json_int_t turn_ply;
    bool prompted;  /* "> " stands in this line */
    bool troubled;  /* that the connection is lost has been said */
    size_t texts;   /* said at the table that were told */
    char go_to[40]; /* another table */
};

/* ---- telling ------------------------------------------------------------ */

/* Something is printed now: below the prompt, if it stands there. */
static void begin_line(struct lines *l)
{
    if (l->prompted)
        printf("\n");
    l->prompted = false;
}

static void say_who(struct lines *l)
{
    const struct online *o = l->client->online;
    const struct table *t = &o->table;
    int n = 0;

    if (o->state == ONLINE_OPEN) {
        printf("Seats:");
        for (int seat = 0; seat < t->seats; seat++)
            printf("%s %s", seat > 0 ? "," : "", t->names[seat]);
        printf(". %s\n", !o->manual   ? "It begins when all seats are taken."
                         : o->made_it ? "It begins when you say `start`."
                                      : "It begins when its maker says so.");
        return;
    }
    if (o->state != ONLINE_PLAYING || !o->started)
        return;
    if (l->plain.game_ui->situation != NULL)
        l->plain.game_ui->situation(stdout, t, plain_view(&l->plain));
    if (online_my_turn(o)) {
        printf("Your turn.\n");
        return;
    }
    printf("Waiting for");
    for (int seat = 0; seat < t->seats; seat++)
        if (o->acting & RULES_BIT(seat))
            printf("%s %s", n++ > 0 ? "," : "", t->names[seat]);
    printf("%s.\n", o->decision >= 0 ? "; you may move, too" : "");
}

static void introduce(struct lines *l)
{
    const struct online *o = l->client->online;
    const struct table *t = &o->table;

    l->introduced = true;
    l->plain.table = &l->client->online->table;
    l->plain.game_ui = game_ui_find(t->rules->name);
    l->plain.seat = o->you;
    printf("Table %s: %s, %d players. %s%s.\n", o->id, t->rules->title,
           t->seats, o->you < t->seats ? "You are " : "You are looking on",
           o->you < t->seats ? t->names[o->you] : "");
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
    (void)l;
    printf("%s%s: ", text->from, text->spectators ? " (looking on)" : " says");
    say_lines(text->body);
}

/* Tells all that is new. */
static void tell_news(struct lines *l, size_t first)
{
    struct online *o = l->client->online;
    struct table *t = &o->table;

    if (o == NULL || o->state == ONLINE_ASKING || o->state == ONLINE_REFUSED)
        return;
    if (!l->introduced) {
        begin_line(l);
        introduce(l);
    }
    l->plain.seat = o->you;
    if (first < t->event_count) {
        begin_line(l);
        plain_events(&l->plain, &t->events[first], t->event_count - first);
        plain_flush(&l->plain);
    }
    for (; l->texts < o->text_count; l->texts++) {
        begin_line(l);
        say_text(l, &o->texts[l->texts]);
    }
}

static void on_changed(void *context, size_t first)
{
    struct lines *l = context;
    char trouble[LINK_WHY_MAX + 100];
    bool bad = link_state(l->client->session.link) == LINK_WAITING;

    if (bad && !l->troubled) {
        (void)client_trouble(l->client, trouble, sizeof(trouble));
        begin_line(l);
        printf("%s\n", trouble);
    } else if (l->troubled &&
               link_state(l->client->session.link) == LINK_READY) {
        begin_line(l);
        printf("Connected again.\n");
        bad = false;
    } else {
        bad = l->troubled;
    }
    l->troubled = bad;
    if (first != SIZE_MAX)
        tell_news(l, first);
    (void)fflush(stdout);
}

static void on_said(void *context, bool bad, const char *text)
{
    struct lines *l = context;

    (void)bad;
    begin_line(l);
    say_lines(text);
    l->turned = false;
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
        printf("Nothing has been said.\n");
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
               member_true(table, "your_turn") ? "  YOUR TURN" : "",
               strcmp(member_text(table, "table", ""), c->online->id) == 0
                   ? "  (here)"
                   : "");
    }
}

static void play(struct lines *l, const char *line)
{
    struct online *o = l->client->online;
    struct rules_move move;
    char why[512];

    if (o->you >= o->table.seats) {
        printf("You are only looking on. Type `help`.\n");
        return;
    }
    if (!o->started) {
        printf("The game has not begun. Type `help`.\n");
        return;
    }
    int refusal = move_read(&o->table, line, &move, why, sizeof(why));
    if (refusal != RULES_OK) {
        printf("%s%s\n", why,
               refusal == RULES_UNKNOWN_VERB ? " Type `help` or `legal`."
                                             : "");
        return;
    }
    refusal = rules_check(o->table.rules, &o->table.any.state, o->you, &move);
    if (refusal != RULES_OK) {
        printf("%s (%s)\n", rules_reason_text(o->table.rules, refusal),
               rules_reason(o->table.rules, refusal));
        return;
    }
    online_move(o, &move);
}

/* Whether the words that follow are there; says so if not. */
static bool wants(const char *rest, const char *what)
{
    if (*rest == '\0')
        printf("%s?\n", what);
    return *rest != '\0';
}

static void answer(struct lines *l, const char *line)
{
    struct online *o = l->client->online;
    const char *rest;
    size_t len = plain_word(line, &rest);

#define IS(word) (len == sizeof(word) - 1 && memcmp(line, word, len) == 0)
    if (IS("say")) {
        if (wants(rest, "Say what"))
            online_say(o, rest);
    } else if (IS("chat"))
        say_chat(l);
    else if (IS("who"))
        say_who(l);
    else if (IS("since"))
        say_since(l);
    else if (IS("tables"))
        say_tables(l);
    else if (IS("undo"))
        online_undo(o);
    else if (IS("note"))
        online_note(o, *rest != '\0' ? rest : NULL);
    else if (IS("resign"))
        online_resign(o);
    else if (IS("start"))
        online_start(o);
    else if (IS("leave"))
        online_leave(o);
    else if (IS("invite")) {
        if (wants(rest, "Invite whom"))
            online_invite(o, rest);
    } else if (IS("next")) {
        if (l->client->next[0] == '\0')
            printf("No other table waits for you.\n");
        else
            (void)snprintf(l->go_to, sizeof(l->go_to), "%s", l->client->next);
    } else if (IS("table")) {
        if (wants(rest, "Which table"))
            (void)snprintf(l->go_to, sizeof(l->go_to), "%s", rest);
    } else if (IS("wait"))
        return;
    else if (!o->started && (IS("board") || IS("hand") || IS("state") ||
                             IS("score") || IS("legal") || IS("try")))
        printf("The game has not begun.\n");
    else if (o->you >= o->table.seats && (IS("legal") || IS("try")))
        printf("You are only looking on.\n");
    else if (!plain_answer(&l->plain, line))
        play(l, line);
#undef IS
}

/* ---- the loop ----------------------------------------------------------- */

/* Whether LINE is something that only waits, or a move that has to. */
static bool must_wait(const struct lines *l, const char *line)
{
    const struct online *o = l->client->online;
    const char *rest;
    size_t len = plain_word(line, &rest);
    bool can = o->state == ONLINE_PLAYING &&
               (online_my_turn(o) || o->decision >= 0);

    if (o->busy)
        return true;
    if (len == 4 && memcmp(line, "wait", 4) == 0)
        return !online_my_turn(o);
    return !l->plain.terminal && !can && o->you < o->table.seats &&
           text_find(o->table.rules->verbs, line, len) >= 0;
}

/* Reads what can be read; keeps a line of its own for each. */
static void read_input(struct lines *l)
{
    if (l->in_len + 1 >= sizeof(l->in))
        l->in_len = 0; /* no line is so long */
    ssize_t n = read(STDIN_FILENO, l->in + l->in_len,
                     sizeof(l->in) - 1 - l->in_len);
    if (n > 0)
        l->in_len += (size_t)n;
    else if (n == 0 || (errno != EAGAIN && errno != EINTR))
        l->ended = true;
}

/* The first line that was typed, into LINE; false if there is none. */
static bool peek_line(const struct lines *l, char line[PLAIN_LINE_MAX],
                      size_t *ret_len)
{
    const char *end = memchr(l->in, '\n', l->in_len);
    size_t len = end != NULL ? (size_t)(end - l->in) : l->in_len;

    if (end == NULL && (!l->ended || l->in_len == 0))
        return false;
    *ret_len = len + (end != NULL);
    if (len >= PLAIN_LINE_MAX)
        len = PLAIN_LINE_MAX - 1;
    memcpy(line, l->in, len);
    line[len] = '\0';
    plain_strip(line);
    return true;
}

static void take_line(struct lines *l, size_t len)
{
    memmove(l->in, l->in + len, l->in_len - len);
    l->in_len -= len;
}

/* Says whose turn it is, when that has changed. */
static void say_turn(struct lines *l)
{
    const struct online *o = l->client->online;

    if (!o->busy && !online_over(o) && (!l->turned || l->turn_ply != o->ply)) {
        begin_line(l);
        say_who(l);
        l->turned = true;
        l->turn_ply = o->ply;
    }
}

static void prompt(struct lines *l)
{
    if (l->plain.terminal && !l->prompted && !l->watching) {
        printf("> ");
        l->prompted = true;
    }
    (void)fflush(stdout);
}

static int end(struct lines *l)
{
    const struct online *o = l->client->online;

    begin_line(l);
    if (l->plain.quit || l->go_to[0] != '\0')
        return STATUS_DONE;
    if (o->state == ONLINE_REFUSED)
        return complain("table %s: %s", o->id, o->why);
    if (o->state == ONLINE_ABANDONED) {
        printf("The game was abandoned.\n");
        return STATUS_DONE;
    }
    if (o->state == ONLINE_FINISHED) {
        layout_result(stdout, &o->table);
        return STATUS_DONE;
    }
    if (link_state(l->client->session.link) == LINK_FAILED)
        return complain("%s", link_why(l->client->session.link));
    return complain("the input ended before the game did (ply %lld)",
                    (long long)o->ply);
}

/* One table, until it is over or left. */
static int sit(struct lines *l)
{
    struct client *c = l->client;
    char line[PLAIN_LINE_MAX];
    size_t len;

    for (;;) {
        const struct online *o = c->online;
        bool known = l->introduced && !o->asking_past;
        if (l->plain.quit || l->go_to[0] != '\0' ||
            o->state == ONLINE_REFUSED ||
            link_state(c->session.link) == LINK_FAILED)
            break;
        if (known)
            say_turn(l);
        bool typed = known && peek_line(l, line, &len);
        if (online_over(o) && known && !o->busy && !typed &&
            (!l->plain.terminal || l->ended || l->watching))
            break;
        if (typed && (online_over(o) ? !o->busy : !must_wait(l, line))) {
            take_line(l, len);
            l->prompted = false;
            if (line[0] != '\0')
                answer(l, line);
            continue;
        }
        if (known && !typed && l->ended && !l->watching && !o->busy &&
            !online_over(o))
            break;
        if (online_over(o) && known && l->plain.terminal && !l->turned) {
            begin_line(l);
            (void)end(l);
            l->turned = true;
            l->turn_ply = o->ply;
        }
        if (known)
            prompt(l);
        if (l->file && !l->ended && !typed)
            read_input(l);
        else if (client_wait(c,
                             l->ended || l->file || typed ? -1 : STDIN_FILENO,
                             60000))
            read_input(l);
    }
    return end(l);
}

int online_plain(struct client *client, const char *id, bool watching)
{
    static struct lines l;
    char next[40];
    int status;

    (void)snprintf(next, sizeof(next), "%s", id);
    l = (struct lines){0};
    l.file = uv_guess_handle(STDIN_FILENO) == UV_FILE;
    do {
        l.plain = (struct plain){
            .seat = RULES_WATCHER,
            .terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO),
            .words = "  since          what has happened since your last "
                     "move\n"
                     "  say TEXT       talk; `chat` shows what was said\n"
                     "  undo           take back your last move, if the "
                     "rules allow\n"
                     "  note [TEXT]    your own note about this table\n"
                     "  tables, next, table ID   go to another table\n"
                     "  wait           until it is your turn\n"
                     "  resign; before the start: start, leave, invite NAME\n",
        };
        l.client = client;
        l.watching = watching;
        l.introduced = l.turned = l.prompted = false;
        l.texts = 0;
        l.go_to[0] = '\0';
        client->owner = (struct client_owner){
            .changed = on_changed,
            .said = on_said,
            .context = &l,
        };
        client_take(client, next);
        status = sit(&l);
        (void)snprintf(next, sizeof(next), "%s", l.go_to);
    } while (next[0] != '\0');
    client->owner = (struct client_owner){0};
    return status;
}
