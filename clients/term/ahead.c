#include "ahead.h"

#include <stdlib.h>
#include <string.h>

#include "clients/common/lang.h"
#include "clients/common/memory.h"
#include "core/base.h"
#include "core/text.h"
#include "term.h"

enum { GONE = -2, DRAWS_MAX = 400, LINE_MAX_ = 400 };

static const struct rules *rules_of(const struct ahead *a)
{
    return a->table.rules;
}

static struct rules_state *state_of(const struct ahead *a, int node)
{
    return a->nodes[node].state;
}

/* Chance number NUMBER, as the page has it. */
static void chance_of(uint32_t number, uint64_t stream, struct rng *rng)
{
    uint8_t key[RNG_SEED_SIZE] = {0};

    for (int i = 0; i < 4; i++)
        key[i] = (uint8_t)(number >> (8 * i));
    rng_init(rng, key, stream);
}

/* ---- nodes -------------------------------------------------------------- */

/* The first child of PARENT behind node AFTER; -1 if there is none. */
static int child_of(const struct ahead *a, int parent, int after)
{
    for (size_t i = after > parent ? (size_t)after + 1 : (size_t)parent + 1;
         i < a->count; i++)
        if (a->nodes[i].parent == parent)
            return (int)i;
    return -1;
}

static bool waits_for_chance(const struct ahead *a, int node)
{
    return state_of(a, node)->acting == RULES_BIT(RULES_NATURE);
}

static bool same_move(const struct rules_move *x, const struct rules_move *y)
{
    bool same = x->verb == y->verb;
    for (int i = 0; i < RULES_ARGS_MAX; i++)
        same = same && x->arg[i] == y->arg[i];
    return same;
}

static int new_node(struct ahead *a, int parent)
{
    a->nodes = must_grow(a->nodes, a->count, &a->cap, sizeof(*a->nodes));
    a->nodes[a->count] = (struct ahead_node){
        .parent = parent,
        .seat = RULES_NATURE,
        .state = must_alloc(rules_of(a)->state_size),
    };
    return (int)a->count++;
}

static void empty_node(struct ahead_node *node)
{
    free(node->note);
    free(node->state);
    free(node->events);
    *node = (struct ahead_node){.parent = GONE};
}

/* The node that a move of SEAT leads to from PARENT, made if there is none; -1
 * if it cannot be played, and *WHY says why. */
static int lead(struct ahead *a, int parent, int seat,
                const struct rules_move *move, int *why)
{
    for (int i = child_of(a, parent, -1); i >= 0; i = child_of(a, parent, i))
        if (a->nodes[i].seat == seat && same_move(&a->nodes[i].move, move))
            return i;
    *why = RULES_BAD_ARGUMENT;
    if (a->count >= AHEAD_NODES_MAX)
        return -1;
    memcpy(&a->table.any, state_of(a, parent), rules_of(a)->state_size);
    struct rules_events *events = &a->table.last;
    *why = rules_apply(rules_of(a), &a->table.any.state, seat, move, events);
    if (*why != RULES_OK)
        return -1;
    struct ahead_node *node = &a->nodes[new_node(a, parent)];
    node->seat = seat;
    node->move = *move;
    memcpy(node->state, &a->table.any, rules_of(a)->state_size);
    size_t bytes = events->count * sizeof(*node->events);
    node->events = must_alloc(bytes + 1);
    memcpy(node->events, events->at, bytes);
    node->event_count = events->count;
    a->changed = true;
    return (int)a->count - 1;
}

/* ---- where one is ------------------------------------------------------- */

/* Adds to the table's log what led to NODE. */
static void tell(struct ahead *a, int node)
{
    if (node < 0)
        return;
    tell(a, a->nodes[node].parent);
    for (size_t i = 0; i < a->nodes[node].event_count; i++)
        table_event_add(&a->table, &a->nodes[node].events[i]);
}

bool ahead_go(struct ahead *a, int node)
{
    if (node < 0 || (size_t)node >= a->count || a->nodes[node].parent == GONE)
        return false;
    a->at = node;
    a->table.event_count = 0;
    tell(a, node);
    memcpy(&a->table.any, state_of(a, node), rules_of(a)->state_size);
    a->table.last.count = 0;
    return true;
}

int ahead_seat(const struct ahead *a)
{
    const struct rules_state *s = state_of(a, a->at);

    if (a->seat >= 0 && rules_can_move(s, a->seat))
        return a->seat;
    return rules_over(s) || s->acting == RULES_BIT(RULES_NATURE)
               ? -1
               : __builtin_ctz(s->acting);
}

/* Lets chance answer where one is: by the line that there is, or drawn. */
static void answer(struct ahead *a, bool anew)
{
    for (int n = 0; n < DRAWS_MAX && waits_for_chance(a, a->at); n++) {
        int next = anew ? -1 : child_of(a, a->at, -1), why;
        if (next < 0) {
            struct rules_move move;
            struct rng rng;
            chance_of((uint32_t)number_random(), 1, &rng);
            rules_chance(rules_of(a), state_of(a, a->at), &rng, &move);
            next = lead(a, a->at, RULES_NATURE, &move, &why);
        }
        if (next < 0)
            return;
        a->at = next;
    }
}

int ahead_play(struct ahead *a, const struct rules_move *move)
{
    int why = RULES_GAME_OVER, seat = ahead_seat(a);
    int node = seat >= 0 ? lead(a, a->at, seat, move, &why) : -1;

    if (node < 0) {
        (void)ahead_go(a, a->at);
        return why;
    }
    a->at = node;
    answer(a, false);
    (void)ahead_go(a, a->at);
    return RULES_OK;
}

bool ahead_back(struct ahead *a)
{
    int node = a->at;

    do
        node = a->nodes[node].parent;
    while (node > 0 && waits_for_chance(a, node));
    return ahead_go(a, node);
}

bool ahead_on(struct ahead *a)
{
    int node = child_of(a, a->at, -1);
    if (node < 0)
        return false;
    a->at = node;
    answer(a, false);
    return ahead_go(a, a->at);
}

/* The last move of a seat that led here. */
static int last_move(const struct ahead *a)
{
    int node = a->at;
    while (node > 0 && a->nodes[node].seat == RULES_NATURE)
        node = a->nodes[node].parent;
    return node;
}

bool ahead_other(struct ahead *a)
{
    int node = a->at;

    while (node > 0) {
        int parent = a->nodes[node].parent;
        int next = child_of(a, parent, node);
        if (next < 0)
            next = child_of(a, parent, -1);
        if (next != node) {
            a->at = next;
            answer(a, false);
            return ahead_go(a, a->at);
        }
        if (a->nodes[node].seat != RULES_NATURE)
            break;
        node = parent;
    }
    return false;
}

bool ahead_drop(struct ahead *a)
{
    int from = last_move(a);

    if (from <= 0)
        return false;
    int parent = a->nodes[from].parent;
    a->nodes[from].parent = GONE;
    /* Who comes later in the list than what they hang on goes with it. */
    for (size_t i = (size_t)from; i < a->count; i++) {
        struct ahead_node *node = &a->nodes[i];
        if (node->parent >= 0 && a->nodes[node->parent].parent == GONE)
            node->parent = GONE;
        if (node->parent == GONE)
            empty_node(node);
    }
    a->changed = true;
    return ahead_go(a, parent);
}

bool ahead_redraw(struct ahead *a)
{
    int from = last_move(a);

    if (a->at == from)
        return false;
    a->at = from;
    answer(a, true);
    return ahead_go(a, a->at);
}

/* What chance might have answered the last move with; 0: nothing, or too much. */
static size_t chances(const struct ahead *a,
                      struct rules_choice out[AHEAD_CHANCES])
{
    int from = last_move(a);

    if (a->at == from)
        return 0;
    size_t n = rules_legal(rules_of(a), state_of(a, from), RULES_NATURE, -1,
                           out, AHEAD_CHANCES);
    return n <= AHEAD_CHANCES ? n : 0;
}

bool ahead_choose(struct ahead *a, size_t n)
{
    struct rules_choice choice[AHEAD_CHANCES];
    int why;

    if (n < 1 || n > chances(a, choice))
        return false;
    int node = lead(a, last_move(a), RULES_NATURE, &choice[n - 1].move, &why);
    if (node >= 0)
        a->at = node;
    answer(a, false);
    return ahead_go(a, a->at) && node >= 0;
}

void ahead_note(struct ahead *a, const char *text)
{
    struct ahead_node *node = &a->nodes[a->at];
    size_t len = strlen(text);

    free(node->note);
    node->note = NULL;
    if (len > AHEAD_NOTE_MAX)
        len = AHEAD_NOTE_MAX;
    while (len > 0 && ((unsigned char)text[len] & 0xc0) == 0x80)
        len--; /* not within a character */
    if (len > 0)
        node->note = must_copy(text, len);
    a->changed = true;
}

bool ahead_think(struct ahead *a, struct rules_move *ret_move)
{
    int seat = ahead_seat(a);
    union rules_any view;

    if (!a->machine || seat < 0)
        return false;
    if (a->room == NULL)
        a->room = must_alloc(sizeof(*a->room));
    struct mind mind = mind_of(rules_of(a), MIND_SEARCH);
    rules_view(rules_of(a), state_of(a, a->at), seat, &view.state);
    return mind_choose(&mind, &view.state, a->room, ret_move);
}

/* ---- as text ------------------------------------------------------------ */

static const char *viewer_word(int viewer, char buf[16])
{
    if (viewer < RULES_SEATS_MAX) {
        (void)snprintf(buf, 16, "%d", viewer);
        return buf;
    }
    return viewer == RULES_ALL ? "all" : "watcher";
}

static void write_note(FILE *to, const char *note)
{
    if (note == NULL)
        return;
    (void)fputs("\"", to);
    for (; *note != '\0'; note++)
        (void)fprintf(to, *note == '\n' ? "\n\"" : "%c", *note);
    (void)fputs("\n", to);
}

static void move_words(const struct ahead *a, int node, char *buf, size_t cap)
{
    (void)text_move(rules_of(a), state_of(a, a->nodes[node].parent),
                    &a->nodes[node].move, buf, cap);
}

static void write_from(FILE *to, const struct ahead *a, int parent, int depth)
{
    char text[LINE_MAX_];

    for (int i = child_of(a, parent, -1); i >= 0; i = child_of(a, parent, i)) {
        move_words(a, i, text, sizeof(text));
        if (a->nodes[i].seat == RULES_NATURE)
            (void)fprintf(to, "%d - %s\n", depth, text);
        else
            (void)fprintf(to, "%d %d %s\n", depth, a->nodes[i].seat, text);
        write_note(to, a->nodes[i].note);
        write_from(to, a, i, depth + 1);
    }
}

char *ahead_text(const struct ahead *a)
{
    char *text = NULL, word[16];
    size_t len = 0;
    FILE *to = open_memstream(&text, &len);

    if (to == NULL)
        abort();
    (void)fputs(a->others, to);
    if (child_of(a, 0, -1) >= 0 || a->nodes[0].note != NULL) {
        (void)fprintf(to, "from %llu %s %lu\n", (unsigned long long)a->ply,
                      viewer_word(a->viewer, word), (unsigned long)a->guess);
        write_note(to, a->nodes[0].note);
        write_from(to, a, 0, 1);
    }
    (void)fclose(to);
    if (len > 0)
        text[len - 1] = '\0'; /* lines stand between ends */
    return text;
}

/* What is being read: the nodes that lead to the last one. */
struct reading {
    struct ahead *a;
    int *path;
    int depth; /* of the last one; -1: none of this position's yet */
};

/* A move after the last one of DEPTH - 1; what cannot be is passed over, with
 * all that hangs on it. */
static void read_node(struct reading *r, const char *line, size_t len)
{
    char buf[LINE_MAX_], *end;
    struct rules_move move;
    size_t at;
    int why;

    if (len >= sizeof(buf))
        return;
    memcpy(buf, line, len);
    buf[len] = '\0';
    long depth = strtol(buf, &end, 10);
    if (r->depth < 0 || depth < 1 || depth > r->depth + 1 ||
        depth > AHEAD_NODES_MAX || end[0] != ' ' || end[1] == '\0' ||
        end[2] != ' ')
        return;
    int seat = end[1] == '-' ? RULES_NATURE : end[1] - '0', node = -1;
    int parent = r->path[depth - 1];
    if (parent >= 0 && seat >= 0 && seat <= RULES_NATURE &&
        text_move_read(rules_of(r->a), state_of(r->a, parent), end + 3,
                       strlen(end + 3), &move, &at) == RULES_OK)
        node = lead(r->a, parent, seat, &move, &why);
    r->path[depth] = node;
    r->depth = (int)depth;
}

static void read_note(struct reading *r, const char *line, size_t len)
{
    if (r->depth < 0 || r->path[r->depth] < 0)
        return;
    struct ahead_node *node = &r->a->nodes[r->path[r->depth]];
    size_t had = node->note != NULL ? strlen(node->note) : 0;
    char *all = must_alloc(had + 1 + len + 1);
    if (node->note != NULL)
        (void)snprintf(all, had + 2, "%s\n", node->note);
    memcpy(all + (had > 0 ? had + 1 : 0), line, len);
    free(node->note);
    node->note = all;
}

/* Reads the study of this position out of TEXT; what is of others, into OTHERS.
 * What guess it is about comes first. */
static void read_study(struct ahead *a, const char *text, FILE *others)
{
    char from[64], word[16];
    int *path = must_alloc((AHEAD_NODES_MAX + 2) * sizeof(*path));
    struct reading r = {.a = a, .path = path, .depth = -1};
    int n = snprintf(from, sizeof(from), "from %llu %s ",
                     (unsigned long long)a->ply, viewer_word(a->viewer, word));
    bool mine = false;

    while (text != NULL && *text != '\0') {
        size_t len = strcspn(text, "\n");
        if (strncmp(text, "from ", 5) == 0) {
            mine = strncmp(text, from, (size_t)n) == 0;
            r.depth = mine ? 0 : -1;
        }
        if (!mine)
            (void)fprintf(others, "%.*s\n", (int)len, text);
        else if (*text == '"')
            read_note(&r, text + 1, len - 1);
        else if (*text != 'f')
            read_node(&r, text, len);
        text += len + (text[len] == '\n');
    }
    free(path);
}

/* Which guess a study is about; else any. */
static uint32_t guess_of(const struct ahead *a, const char *text)
{
    char from[64], word[16];
    uint64_t guess;

    (void)snprintf(from, sizeof(from), "from %llu %s ",
                   (unsigned long long)a->ply, viewer_word(a->viewer, word));
    for (const char *at = text; at != NULL && *at != '\0';) {
        size_t len = strcspn(at, "\n"), n = strlen(from);
        char number[16] = "";
        if (strncmp(at, from, n) == 0 && len - n < sizeof(number)) {
            memcpy(number, at + n, len - n);
            if (number_read(number, UINT32_MAX, &guess))
                return (uint32_t)guess;
        }
        at += len + (at[len] == '\n');
    }
    return (uint32_t)number_random();
}

/* ---- opening ------------------------------------------------------------ */

static void forget_nodes(struct ahead *a)
{
    for (size_t i = 0; i < a->count; i++)
        empty_node(&a->nodes[i]);
    a->count = 0;
}

/* The world of the guess, and what TEXT has tried in it. */
static void begin(struct ahead *a, const char *text)
{
    struct rng rng;
    size_t len;
    FILE *others = open_memstream(&a->others, &len);

    if (others == NULL)
        abort();
    forget_nodes(a);
    int root = new_node(a, -1);
    chance_of(a->guess, 0, &rng);
    rules_guess(rules_of(a), &a->from.state, &rng, state_of(a, root));
    read_study(a, text, others);
    (void)fclose(others);
    a->at = root;
    answer(a, false);
    (void)ahead_go(a, a->at);
}

void ahead_open(struct ahead *a, const struct ahead_from *from)
{
    const struct table *of = from->table;

    *a = (struct ahead){
        .machine = from->machine,
        .viewer = from->viewer,
        .ply = from->ply,
        .seat = -1,
    };
    a->table.rules = of->rules;
    a->table.seats = of->seats;
    memcpy(a->table.names, of->names, sizeof(a->table.names));
    a->table.choices = must_alloc(RULES_MOVES_MAX * sizeof(*a->table.choices));
    memcpy(&a->from, &of->any, of->rules->state_size);
    if (from->viewer != RULES_ALL)
        rules_view(of->rules, &of->any.state, from->viewer, &a->from.state);
    a->hidden = from->viewer != RULES_ALL && of->rules->redact != NULL;
    a->guess = guess_of(a, from->study);
    begin(a, from->study);
    a->changed = false;
}

void ahead_reguess(struct ahead *a)
{
    char *text = ahead_text(a);

    a->guess = (uint32_t)number_random();
    free(a->others);
    begin(a, text);
    free(text);
    a->changed = true;
}

void ahead_close(struct ahead *a)
{
    forget_nodes(a);
    free(a->nodes);
    free(a->others);
    free(a->room);
    table_done(&a->table);
}

/* ---- for people --------------------------------------------------------- */

/* One line of the tree: a move, and how much chance answered. */
static int write_line(FILE *to, const struct ahead *a, int node, int indent)
{
    const struct ahead_node *n = &a->nodes[node];
    char text[LINE_MAX_];
    int last = node, draws = 0;

    move_words(a, node, text, sizeof(text));
    for (int next;
         a->nodes[last].note == NULL && (next = child_of(a, last, -1)) >= 0 &&
         a->nodes[next].seat == RULES_NATURE && child_of(a, last, next) < 0;
         draws++)
        last = next;
    (void)fprintf(to, "%s %*s%4d %s: %s", a->at == last ? ">" : " ", indent,
                  "", last,
                  n->seat == RULES_NATURE ? _("chance")
                                          : a->table.names[n->seat],
                  text);
    if (draws > 0)
        (void)fprintf(to, _(", and chance (%d)"), draws);
    (void)fputs("\n", to);
    if (a->nodes[last].note != NULL)
        (void)fprintf(to, "  %*s     \"%s\"\n", indent, "",
                      a->nodes[last].note);
    return last;
}

static void write_tree(FILE *to, const struct ahead *a, int parent, int indent)
{
    int node = parent;

    for (int main; (main = child_of(a, node, -1)) >= 0;) {
        int from = node;
        node = write_line(to, a, main, indent);
        for (int i = child_of(a, from, main); i >= 0;
             i = child_of(a, from, i)) {
            int last = write_line(to, a, i, indent + 2);
            write_tree(to, a, last, indent + 2);
        }
    }
}

size_t ahead_chances(FILE *to, const struct ahead *a)
{
    struct rules_choice choice[AHEAD_CHANCES];
    size_t n = chances(a, choice);
    int from = last_move(a), is = a->at;
    char text[LINE_MAX_];

    while (n > 0 && a->nodes[is].parent != from)
        is = a->nodes[is].parent;
    for (size_t i = 0; i < n; i++) {
        (void)text_move(rules_of(a), state_of(a, from), &choice[i].move, text,
                        sizeof(text));
        (void)fprintf(to, "%s %4zu %s\n",
                      same_move(&a->nodes[is].move, &choice[i].move) ? ">"
                                                                     : " ",
                      i + 1, text);
    }
    return n;
}

void ahead_tree(FILE *to, const struct ahead *a)
{
    (void)fprintf(to, _("%s    0 ply %llu of the table\n"),
                  a->at == 0 ? ">" : " ", (unsigned long long)a->ply);
    if (a->nodes[0].note != NULL)
        (void)fprintf(to, "       \"%s\"\n", a->nodes[0].note);
    write_tree(to, a, 0, 0);
}

const char *ahead_says(const struct ahead *a)
{
    return a->hidden ? _("This is analysis, not the table: nothing is played, "
                         "nobody sees it, and what you cannot see is guessed.")
                     : _("This is analysis, not the table: nothing is played, "
                         "and nobody sees it.");
}
