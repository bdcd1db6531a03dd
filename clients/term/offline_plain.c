/* offline_plain.c -- a table without a server, in lines. */

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/lang.h"
#include "core/base.h"
#include "lead.h"
#include "plain.h"

struct seats {
    struct plain plain;
    struct offline *o;
    bool sat;  /* by the one at the keyboard: until they moved */
    bool told; /* whose turn it is has been said */
};

static void situation(struct seats *p)
{
    const struct table *table = &p->o->table;
    const struct rules_state *s = offline_state(p->o);

    if (p->plain.game_ui->situation != NULL)
        p->plain.game_ui->situation(stdout, table, plain_view(&p->plain));
    printf(_("Waiting for"));
    for (int seat = 0, n = 0; seat < s->seats; seat++)
        if (s->acting & RULES_BIT(seat))
            printf("%s %s", n++ > 0 ? "," : "", table->names[seat]);
    printf(_(". At the keyboard: %s (seat %d).\n"),
           table->names[p->plain.seat], p->plain.seat);
}

static void undo(struct seats *p)
{
    int seat;
    enum rules_undo why = undo_at(p->o, p->plain.seat, &seat);

    if (why == RULES_UNDO_YES)
        printf(_("%s takes back the last move.\n"), p->o->table.names[seat]);
    else
        printf(_("That cannot be taken back. %s\n"), undo_sentence(why));
    p->told = p->told && why != RULES_UNDO_YES;
}

static void play(struct seats *p, const char *text)
{
    struct rules_move move;
    char why[512];

    int refusal = move_read(&p->o->table, text, &move, why, sizeof(why));
    if (refusal != RULES_OK) {
        printf("%s%s\n", why,
               refusal == RULES_UNKNOWN_VERB ? _(" Type `help` or `legal`.")
                                             : "");
        return;
    }
    if (p->o->lead != NULL)
        lead_find(p->o->lead, plain_view(&p->plain));
    refusal = offline_play(p->o, p->plain.seat, &move);
    if (refusal != RULES_OK) {
        printf("%s (%s)\n", layout_reason(p->o->table.rules, refusal),
               rules_reason(p->o->table.rules, refusal));
        return;
    }
    if (p->o->lead != NULL)
        lead_told(p->o->lead);
    p->told = p->told && p->o->lead == NULL;
    p->sat = false;
    plain_events(&p->plain, p->o->table.last.at, p->o->table.last.count);
}

static void change_seat(struct seats *p, const char *rest)
{
    uint64_t seat;
    if (!number_read(rest, (uint64_t)p->o->setup.seats - 1, &seat) ||
        (p->o->table.bots & RULES_BIT(seat)) ||
        !rules_can_move(offline_state(p->o), (int)seat))
        printf(
            _("seat: expected the number of somebody who can move and is no "
              "bot.\n"));
    else {
        p->plain.seat = (int)seat;
        p->sat = true;
    }
    p->told = false;
}

/* Tries moves, which are kept nowhere. */
static void analyse(const struct seats *p)
{
    static struct ahead a;
    struct ahead_from from = offline_ahead_from(p->o, p->plain.seat);

    ahead_open(&a, &from);
    ahead_plain(&a);
    ahead_close(&a);
}

static void answer(struct seats *p, const char *line)
{
    const char *rest;
    size_t len = plain_word(line, &rest);

#define IS(word) (len == sizeof(word) - 1 && memcmp(line, word, len) == 0)
    if (plain_answer(&p->plain, line))
        return;
    if (IS("who"))
        situation(p);
    else if (IS("seat"))
        change_seat(p, rest);
    else if (IS("undo"))
        undo(p);
    else if (IS("analyse"))
        analyse(p);
    else
        play(p, line);
#undef IS
}

/* ---- the loop ----------------------------------------------------------- */

/* Reads a line without spaces around it; false at the end. */
static bool read_line(char *buf, size_t cap)
{
    if (fgets(buf, (int)cap, stdin) == NULL)
        return false;
    size_t len = strlen(buf);
    if (len > 0 && buf[len - 1] != '\n' && !feof(stdin))
        for (int c = getc(stdin); c != '\n' && c != EOF;)
            c = getc(stdin); /* too long for any move: its rest is lost */
    plain_strip(buf);
    return true;
}

static bool prompt(struct seats *p, char *line, size_t cap)
{
    plain_flush(&p->plain);
    if (!p->told)
        situation(p);
    if (!p->told && p->o->lead != NULL)
        lead_print(p->o->lead, &p->o->table, plain_view(&p->plain), stdout);
    p->told = true;
    if (!offline_keep(p->o))
        printf(_("%s: cannot be written\n"), p->o->file);
    if (p->plain.terminal)
        printf("> ");
    (void)fflush(stdout);
    return read_line(line, cap);
}

/* Gives the keyboard to whoever has to move. */
static bool seat_down(struct seats *p)
{
    const struct rules_state *s = offline_state(p->o);
    char line[8];

    if (p->plain.seat < s->seats && rules_can_move(s, p->plain.seat) &&
        (p->sat || (s->acting & ~p->o->table.bots) == 0 ||
         (s->acting & RULES_BIT(p->plain.seat)) != 0))
        return true;
    p->sat = false;
    int seat = offline_human(p->o, -1);
    bool changes = seat != p->plain.seat && offline_humans(p->o) > 1;
    ASSERT(seat >= 0);
    p->told = p->told && seat == p->plain.seat;
    p->plain.seat = seat;
    if (changes && p->plain.terminal && p->o->table.rules->redact != NULL) {
        plain_flush(&p->plain);
        printf(_("\nThe keyboard goes to %s. Press Enter.\n"),
               p->o->table.names[seat]);
        (void)fflush(stdout);
        return read_line(line, sizeof(line));
    }
    return true;
}

static int end(struct seats *p, bool input)
{
    plain_flush(&p->plain);
    if (rules_over(offline_state(p->o))) {
        layout_result(stdout, &p->o->table, LAYOUT_WIDE);
        return STATUS_DONE;
    }
    if (p->plain.quit)
        return STATUS_DONE;
    (void)input;
    return complain(_("the input ended before the game did (ply %lu)"),
                    (unsigned long)offline_state(p->o)->ply);
}

/* Who sits here: seats that nobody meant to fill are seen at once. */
static void say_table(const struct offline *o)
{
    const struct table *table = &o->table;

    printf(_("%s, %d players ("), table->rules->title, table->seats);
    for (int seat = 0; seat < table->seats; seat++)
        printf("%s%s", seat > 0 ? ", " : "", table->names[seat]);
    printf(_("), seed %llu.\n"), (unsigned long long)o->seed);
}

int offline_plain(struct offline *o, const struct game_ui *game_ui)
{
    static struct seats p;
    static char line[PLAIN_LINE_MAX];
    const struct table *table = &o->table;
    bool input = true;

    p = (struct seats){
        .plain =
            {
                .table = &o->table,
                .game_ui = game_ui,
                .seat = RULES_WATCHER,
                .terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO),
                .words = _("  undo           take back your last move, if the "
                           "rules allow\n"
                           "  seat N         if several people can move: who "
                           "types\n"
                           "  analyse        try moves; nothing of it is "
                           "played\n"),
            },
        .o = o,
    };
    if (offline_humans(o) == 1)
        for (int seat = 0; seat < table->seats; seat++)
            if (!(table->bots & RULES_BIT(seat)))
                p.plain.seat = seat;
    say_table(o);
    while (input && !p.plain.quit && !rules_over(offline_state(o))) {
        if (offline_step(o) >= 0) {
            plain_events(&p.plain, table->last.at, table->last.count);
            p.told = false;
            continue;
        }
        input = seat_down(&p) && prompt(&p, line, sizeof(line));
        if (input && line[0] != '\0')
            answer(&p, line);
    }
    return end(&p, input);
}
