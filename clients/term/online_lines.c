/* online_lines.c -- the loop of a table in lines.
 *
 * News is told as it comes.  Lines of input are taken in order; a move from a
 * pipe waits until it can be made, so a script needs no timing.  `wait` is the
 * same by itself. */

#include "online_lines.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/lang.h"
#include "clocks.h"
#include "core/text.h"
#include "orders.h"
#include "pace.h"
#include "votes.h"

/* ---- telling ------------------------------------------------------------ */

static void introduce(struct lines *l)
{
    const struct online *o = l->client->online;

    l->introduced = true;
    if (l->plain.terminal)
        client_seen(l->client);
    l->plain.table = &l->client->online->table;
    l->plain.game_ui = game_ui_find(o->table.rules->name);
    l->plain.seat = o->you;
    l->voice->introduce(l);
}

/* Tells all that is new. */
static void tell_news(struct lines *l, size_t first)
{
    struct online *o = l->client->online;
    struct table *t = &o->table;

    if (o == NULL || o->state == ONLINE_ASKING || o->state == ONLINE_REFUSED)
        return;
    if (!l->introduced)
        introduce(l);
    l->plain.seat = o->you;
    if (first < t->event_count)
        l->voice->events(l, &t->events[first], t->event_count - first);
    for (; l->texts < o->text_count; l->texts++)
        l->voice->text(l, &o->texts[l->texts]);
}

static void on_changed(void *context, size_t first)
{
    struct lines *l = context;
    char trouble[LINK_WHY_MAX + 100];
    enum link_state state = link_state(l->client->session.link);

    if (state == LINK_WAITING && !l->troubled) {
        (void)client_trouble(l->client, trouble, sizeof(trouble));
        l->voice->connection(l, true, trouble);
        l->troubled = true;
    } else if (state == LINK_READY && l->troubled) {
        l->voice->connection(l, false, _("Connected again."));
        l->troubled = false;
    }
    if (first != SIZE_MAX)
        tell_news(l, first);
    if (l->client->online->go_to[0] != '\0')
        (void)snprintf(l->go_to, sizeof(l->go_to), "%s",
                       l->client->online->go_to);
    (void)fflush(stdout);
}

static void on_said(void *context, bool bad, const char *text)
{
    struct lines *l = context;

    l->voice->said(l, bad, text);
    l->turned = false;
}

/* ---- what is asked for -------------------------------------------------- */

bool lines_can_play(struct lines *l)
{
    const struct online *o = l->client->online;

    if (o->you >= o->table.seats)
        l->voice->said(l, true, _("You are only looking on."));
    else if (!o->started)
        l->voice->said(l, true, _("The game has not begun."));
    else
        return true;
    return false;
}

void lines_play(struct lines *l, const struct rules_move *move)
{
    struct online *o = l->client->online;
    const struct rules *r = o->table.rules;
    char why[300];

    int refusal = rules_check(r, &o->table.any.state, o->you, move);
    if (refusal == RULES_OK) {
        online_move(o, move);
        return;
    }
    (void)snprintf(why, sizeof(why), "%s (%s)", layout_reason(r, refusal),
                   rules_reason(r, refusal));
    l->voice->said(l, true, why);
}

/* Whether the words that follow are there; says so if not. */
static bool wants(struct lines *l, const char *rest, const char *what)
{
    if (*rest == '\0')
        l->voice->said(l, true, what);
    return *rest != '\0';
}

static void go_next(struct lines *l)
{
    if (l->client->next[0] == '\0')
        l->voice->said(l, true, _("No other table waits for you."));
    else
        (void)snprintf(l->go_to, sizeof(l->go_to), "%s", l->client->next);
}

/* Which seat is the one that is offered, if it was not said. */
static void take_over(struct lines *l, const char *which)
{
    struct online *o = l->client->online;
    uint64_t seat = (uint64_t)clocks_offered(o);

    if (*which == '\0' ? clocks_offered(o) >= 0 : number_read(which, 7, &seat))
        online_take_over(o, (int)seat);
    else
        l->voice->said(l, true, _("Which seat? One that is offered."));
}

static void give(struct lines *l, const char *time)
{
    int64_t seconds = span_read_all(time);

    if (seconds > 0)
        online_give(l->client->online, seconds);
    else
        l->voice->said(l, true, _("How much? 30m, 6h or 1d, for example."));
}

static void propose(struct lines *l, const char *words)
{
    char why[PROPOSAL_WHY_MAX];
    json_t *params = proposal_read(&l->client->online->table, words, why);

    if (params != NULL)
        online_propose(l->client->online, params);
    else
        l->voice->said(l, true, why);
}

/* What is played ahead: WORDS order it, or ask what stands. */
static void order(struct lines *l, const char *words)
{
    struct online *o = l->client->online;
    char text[512];

    if (!lines_can_play(l))
        return;
    if (*words == '\0') {
        order_text(&o->table, o->order, text, sizeof(text));
        l->voice->said(l, false, text);
        return;
    }
    json_t *wanted = order_read(&o->table, o->ply, words, text, sizeof(text));
    if (wanted != NULL)
        online_order(o, wanted);
    else
        l->voice->said(l, true, text);
}

bool lines_command(struct lines *l, const char *line)
{
    struct online *o = l->client->online;
    const char *rest;
    size_t len = plain_word(line, &rest);

#define IS(word) (len == sizeof(word) - 1 && memcmp(line, word, len) == 0)
    if (IS("say")) {
        if (wants(l, rest, _("Say what?")))
            online_say(o, rest);
    } else if (IS("undo"))
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
        if (wants(l, rest, _("Invite whom?")))
            online_invite(o, rest);
    } else if (IS("bot")) {
        if (wants(l, rest, _("Of which level: random, greedy or search?")))
            online_bot(o, rest);
    } else if (IS("take-over"))
        take_over(l, rest);
    else if (IS("again"))
        online_again(o);
    else if (IS("return"))
        online_return(o);
    else if (IS("give"))
        give(l, rest);
    else if (IS("propose"))
        propose(l, rest);
    else if (IS("order"))
        order(l, rest);
    else if (IS("agree") || IS("disagree"))
        online_vote(o, line[0] == 'a');
    else if (IS("next"))
        go_next(l);
    else if (IS("table")) {
        if (wants(l, rest, _("Which table?")))
            (void)snprintf(l->go_to, sizeof(l->go_to), "%s", rest);
    } else if (IS("quit") || IS("exit"))
        l->plain.quit = true;
    else if (!IS("wait"))
        return false;
#undef IS
    return true;
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
    if (len == 5 && memcmp(line, "again", 5) == 0)
        return !l->plain.terminal;
    return !l->plain.terminal && !can && o->you < o->table.seats &&
           (line[0] == '{' ||
            text_find(o->table.rules->verbs, line, len) >= 0);
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

/* Says where the game stands, when that has changed. */
static void say_turn(struct lines *l)
{
    const struct online *o = l->client->online;

    if (!o->busy && !online_over(o) && (!l->turned || l->turn_ply != o->ply)) {
        l->voice->situation(l);
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

    if (l->prompted)
        printf("\n");
    l->prompted = false;
    if (l->plain.quit || l->go_to[0] != '\0')
        return STATUS_DONE;
    if (o->state == ONLINE_REFUSED)
        return complain(_("table %s: %s"), o->id, o->why);
    if (online_over(o)) {
        l->voice->result(l);
        return STATUS_DONE;
    }
    if (link_state(l->client->session.link) == LINK_FAILED)
        return session_lost(&l->client->session);
    return complain(_("the input ended before the game did (ply %lld)"),
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
            if (l->plain.terminal) /* a script looks at nothing */
                client_seen(c);
            if (line[0] != '\0')
                l->voice->answer(l, line);
            continue;
        }
        if (known && !typed && l->ended && !l->watching && !o->busy &&
            !online_over(o))
            break;
        if (online_over(o) && known && l->plain.terminal && !l->turned &&
            !o->busy) {
            l->voice->result(l);
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

int online_lines(struct client *client, const char *id, bool watching,
                 const struct voice *voice)
{
    static struct lines l;
    char next[40];
    int status;

    (void)snprintf(next, sizeof(next), "%s", id);
    l = (struct lines){.voice = voice};
    l.file = uv_guess_handle(STDIN_FILENO) == UV_FILE;
    do {
        l.plain = (struct plain){
            .seat = RULES_WATCHER,
            .terminal = voice == &plain_voice && isatty(STDIN_FILENO) &&
                        isatty(STDOUT_FILENO),
            .words = _(
                "  since          what has happened since your last "
                "move\n"
                "  say TEXT       talk; `chat` shows what was said\n"
                "  undo           take back your last move, if the "
                "rules allow\n"
                "  note [TEXT]    your own note about this table\n"
                "  tables, next, table ID   go to another table\n"
                "  again          once it is over: play it again\n"
                "  wait           until it is your turn\n"
                "  resign; before the start: start, leave, invite NAME,\n"
                "                 bot LEVEL\n"
                "  clocks         everybody's time, and what was agreed on\n"
                "  give TIME      time for your opponent, 6h or 1d\n"
                "  return         take back your seat; of who looks on: "
                "take-over [SEAT]\n"
                "  propose WHAT   a vote: cancel, take-back, pause TIME, "
                "resume,\n"
                "                 give PLAYER TIME, replace PLAYER; agree, "
                "disagree\n"
                "  order WHAT     played as soon as you are asked: pass (until "
                "this round is\n"
                "                 over), a move, once; drop; alone: what "
                "stands\n"),
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
