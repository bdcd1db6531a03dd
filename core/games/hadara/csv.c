/* csv.c -- replacement tables [D1]: the five files of data/1/ in one text,
 * each after a line with its name in brackets:
 *
 *     [epoch_cards]
 *     id,color,epoch,cost,income,military,culture,food,points,effect,...
 *     yellow-1-01,yellow,1,2,1,0,0,0,3,,0,published
 *
 * Sections and rows may come in any order, columns may not.  Empty lines and
 * lines that begin with # are passed over. */

#include "parts.h"

#define COLUMNS_MAX 12

enum rule {
    TOO_LONG,
    BAD_TEXT,
    BAD_SECTION,
    NO_SECTION,
    DUPLICATE_SECTION,
    MISSING_SECTION,
    BAD_HEADER,
    BAD_COLUMNS,
    BAD_NUMBER,
    BAD_NAME,
    DUPLICATE_ROW,
    MISSING_ROW,
    UNKNOWN_EFFECT,
    WRONG_EFFECT,
    WRONG_STAR,
    STARRED_EFFECTS,
    FRONTS_DIFFER,
    RULES
};

/* Words are on the wire: never rename one. */
static const struct {
    const char *word, *sentence;
} rules[RULES] = {
    [TOO_LONG] = {"too_long", "The text is longer than 65536 bytes."},
    [BAD_TEXT] = {"bad_text", "The line has control characters."},
    [BAD_SECTION] = {"bad_section",
                     "A section is [epoch_cards], [colonies], [medals],"
                     " [setup_cards] or [statues]."},
    [NO_SECTION] = {"no_section", "A row stands before the first section."},
    [DUPLICATE_SECTION] = {"duplicate_section",
                           "The section was given before."},
    [MISSING_SECTION] = {"missing_section",
                         "All five sections must be given."},
    [BAD_HEADER] = {"bad_header", "The first line of a section names its"
                                  " columns, as in the standard tables."},
    [BAD_COLUMNS] = {"bad_columns",
                     "The row has too many or too few columns; what holds a"
                     " comma is quoted."},
    [BAD_NUMBER] = {"bad_number", "Numbers are from 0 to 99."},
    [BAD_NAME] = {"bad_name", "There is no such row in the standard tables."},
    [DUPLICATE_ROW] = {"duplicate_row", "The row was given before."},
    [MISSING_ROW] = {"missing_row",
                     "A row of the standard tables is missing in the"
                     " section."},
    [UNKNOWN_EFFECT] = {"unknown_effect", "There is no such effect."},
    [WRONG_EFFECT] = {"wrong_effect",
                      "Only purple cards have effects, of their epoch."},
    [WRONG_STAR] = {"wrong_star",
                    "Starred are the cards with a starred effect, no others."},
    [STARRED_EFFECTS] = {"starred_effects",
                         "Each starred effect must be there exactly once."},
    [FRONTS_DIFFER] = {"fronts_differ",
                       "Requirement, coins and front points are the same for"
                       " all colonies of a level."},
};

enum section { CARDS, COLONIES, MEDALS, SETUPS, STATUES, SECTIONS };

static const struct {
    const char *name, *header;
    uint8_t columns, rows;
} sections[SECTIONS] = {
    {"epoch_cards",
     "id,color,epoch,cost,income,military,culture,food,points,effect,starred,"
     "provenance",
     12, HADARA_CARDS},
    {"colonies",
     "level,copy,requirement,plunder_coins,integrate_cost,front_points,"
     "back_income,back_military,back_culture,back_food,back_points,provenance",
     12, HADARA_LEVELS *HADARA_COPIES},
    {"medals", "epoch,silver,gold,silver_reduced,gold_reduced,provenance", 6,
     HADARA_EPOCHS},
    {"setup_cards",
     "initiative,side,coins,income,military,culture,food,provenance", 8,
     HADARA_SETUPS *SIDES},
    {"statues", "statue,culture_requirement,points,bonus,provenance", 5,
     HADARA_STATUES},
};

/* A stretch of the text; nothing ends it but its length. */
struct span {
    const char *at;
    size_t len;
};

struct reading {
    struct hadara_tables *t;
    struct rules_problem *why;
    struct span rest;
    uint32_t line;
    int section;              /* -1 before the first */
    bool headed;              /* its header was read */
    uint32_t begun[SECTIONS]; /* the line of each section, or 0 */
    uint8_t rows[SECTIONS];
    bool met[HADARA_CARDS]; /* cards */
    uint8_t met_rows[SECTIONS][HADARA_LEVELS * HADARA_COPIES];
    struct span cell[COLUMNS_MAX];
};

static bool refuse(struct reading *in, enum rule rule, uint32_t line)
{
    *in->why = (struct rules_problem){
        .rule = rules[rule].word,
        .text = rules[rule].sentence,
        .line = line,
    };
    return false;
}

static bool span_is(struct span s, const char *word)
{
    size_t i = 0;
    while (i < s.len && word[i] != '\0' && s.at[i] == word[i])
        i++;
    return i == s.len && word[i] == '\0';
}

/* ---- lines ------------------------------------------------------------ */

/* Takes the next line off the text, without its end. */
static struct span next_line(struct reading *in)
{
    struct span line = {in->rest.at, 0};
    while (line.len < in->rest.len && line.at[line.len] != '\n')
        line.len++;
    size_t taken = line.len + (line.len < in->rest.len);
    in->rest.at += taken;
    in->rest.len -= taken;
    in->line++;
    if (line.len > 0 && line.at[line.len - 1] == '\r')
        line.len--;
    return line;
}

static bool has_controls(struct span line)
{
    for (size_t i = 0; i < line.len; i++)
        if ((uint8_t)line.at[i] < 0x20 || line.at[i] == 0x7f)
            return true;
    return false;
}

/* Parts a row into cells.  The last may be quoted, and only then may it hold
 * commas. */
static bool part(struct reading *in, struct span row, int columns)
{
    size_t at = 0;

    for (int i = 0; i < columns; i++) {
        struct span *cell = &in->cell[i];
        bool last = i == columns - 1;
        bool quoted = last && at < row.len && row.at[at] == '"';
        *cell = (struct span){row.at + at, 0};
        while (at < row.len && (quoted || row.at[at] != ','))
            at++, cell->len++;
        if (quoted && (cell->len < 2 || cell->at[cell->len - 1] != '"'))
            return false;
        if (!last && at == row.len)
            return false;
        at += !last;
    }
    return at == row.len;
}

/* ---- cells ------------------------------------------------------------ */

/* A number from 0 to 99 without leading zeros, or -1. */
static int number(struct span s)
{
    int n = 0;
    if (s.len == 0 || s.len > 2 || (s.len == 2 && s.at[0] == '0'))
        return -1;
    for (size_t i = 0; i < s.len; i++) {
        if (s.at[i] < '0' || s.at[i] > '9')
            return -1;
        n = 10 * n + (s.at[i] - '0');
    }
    return n;
}

/* COUNT numbers from cell AT on. */
static bool numbers(struct reading *in, int at, uint8_t *to, int count)
{
    for (int i = 0; i < count; i++) {
        int n = number(in->cell[at + i]);
        if (n < 0)
            return refuse(in, BAD_NUMBER, in->line);
        to[i] = (uint8_t)n;
    }
    return true;
}

static int find_word(struct span s, const char *const *words)
{
    for (int i = 0; words[i] != NULL; i++)
        if (span_is(s, words[i]))
            return i;
    return -1;
}

/* A row of SECTION is named twice? */
static bool once(struct reading *in, bool *met)
{
    if (*met)
        return refuse(in, DUPLICATE_ROW, in->line);
    *met = true;
    return true;
}

/* The place of a row named by a number from 1 in cell AT. */
static int named(struct reading *in, int at, int most)
{
    int n = number(in->cell[at]);
    return n >= 1 && n <= most ? n - 1 : -1;
}

/* ---- rows ------------------------------------------------------------- */

static bool card_row(struct reading *in)
{
    int card = find_word(in->cell[0], hadara_card_words);
    uint8_t n[6], star;

    if (card < 0 ||
        !span_is(in->cell[1], hadara_color_words[hadara_card_color(card)]) ||
        number(in->cell[2]) != hadara_card_epoch(card))
        return refuse(in, BAD_NAME, in->line);
    if (!once(in, &in->met[card]) || !numbers(in, 3, n, 6) ||
        !numbers(in, 10, &star, 1))
        return false;
    struct hadara_card *c = &in->t->card[card];
    c->cost = n[0];
    memcpy(c->value, n + 1, TRACKS);
    c->points = n[5];
    c->effect = HADARA_NOTHING;
    if (in->cell[9].len > 0) {
        int effect = find_word(in->cell[9], hadara_effect_words);
        if (effect < 0)
            return refuse(in, UNKNOWN_EFFECT, in->line);
        c->effect = (uint8_t)effect;
        if (hadara_card_color(card) != HUE_PURPLE ||
            effect / EFFECTS_PER_EPOCH + 1 != hadara_card_epoch(card))
            return refuse(in, WRONG_EFFECT, in->line);
    }
    if (star != hadara_effect_starred(c->effect))
        return refuse(in, WRONG_STAR, in->line);
    return true;
}

static bool once_row(struct reading *in, int row)
{
    bool met = in->met_rows[in->section][row] != 0;
    in->met_rows[in->section][row] = 1;
    return once(in, &met);
}

static bool colony_row(struct reading *in)
{
    int level = named(in, 0, HADARA_LEVELS),
        copy = named(in, 1, HADARA_COPIES);
    uint8_t n[9];

    if (level < 0 || copy < 0)
        return refuse(in, BAD_NAME, in->line);
    if (!numbers(in, 2, n, 9))
        return false;
    struct hadara_level *front = &in->t->level[level],
                        f = {n[0], n[1], n[2], n[3]};
    bool first = true;
    for (int i = 0; i < HADARA_COPIES; i++)
        if (in->met_rows[COLONIES][level * HADARA_COPIES + i])
            first = false;
    if (!once_row(in, level * HADARA_COPIES + copy))
        return false;
    if (!first &&
        (f.requirement != front->requirement || f.plunder != front->plunder ||
         f.integrate != front->integrate || f.points != front->points))
        return refuse(in, FRONTS_DIFFER, in->line);
    *front = f;
    memcpy(in->t->back[level][copy].value, n + 4, TRACKS);
    in->t->back[level][copy].points = n[8];
    return true;
}

static bool medal_row(struct reading *in)
{
    int epoch = named(in, 0, HADARA_EPOCHS);
    uint8_t n[4];

    if (epoch < 0)
        return refuse(in, BAD_NAME, in->line);
    if (!once_row(in, epoch) || !numbers(in, 1, n, 4))
        return false;
    in->t->prices[epoch] = (struct hadara_prices){n[0], n[1], n[2], n[3]};
    return true;
}

static bool setup_row(struct reading *in)
{
    int initiative = named(in, 0, HADARA_SETUPS);
    int side = span_is(in->cell[1], "A")   ? SIDE_A
               : span_is(in->cell[1], "B") ? SIDE_B
                                           : -1;
    uint8_t n[1 + TRACKS];

    if (initiative < 0 || side < 0)
        return refuse(in, BAD_NAME, in->line);
    if (!once_row(in, initiative * SIDES + side) ||
        !numbers(in, 2, n, 1 + TRACKS))
        return false;
    in->t->setup[initiative][side].coins = n[0];
    memcpy(in->t->setup[initiative][side].value, n + 1, TRACKS);
    return true;
}

static bool statue_row(struct reading *in)
{
    int statue = named(in, 0, HADARA_STATUES);
    uint8_t n[3];

    if (statue < 0)
        return refuse(in, BAD_NAME, in->line);
    if (!once_row(in, statue) || !numbers(in, 1, n, 3))
        return false;
    in->t->statue[statue] = (struct hadara_statue){n[0], n[1], n[2]};
    return true;
}

static bool row(struct reading *in, struct span line)
{
    if (in->section < 0)
        return refuse(in, NO_SECTION, in->line);
    if (!in->headed) {
        in->headed = true;
        return span_is(line, sections[in->section].header) ||
               refuse(in, BAD_HEADER, in->line);
    }
    if (!part(in, line, sections[in->section].columns))
        return refuse(in, BAD_COLUMNS, in->line);
    in->rows[in->section]++;
    switch ((enum section)in->section) {
    case CARDS: return card_row(in);
    case COLONIES: return colony_row(in);
    case MEDALS: return medal_row(in);
    case SETUPS: return setup_row(in);
    case STATUES: return statue_row(in);
    case SECTIONS: break;
    }
    return false;
}

/* ---- the whole -------------------------------------------------------- */

static bool start_section(struct reading *in, struct span line)
{
    struct span name = {line.at + 1, line.len - 1};

    if (name.len == 0 || name.at[name.len - 1] != ']')
        return refuse(in, BAD_SECTION, in->line);
    name.len--;
    in->section = -1;
    for (int i = 0; i < SECTIONS; i++)
        if (span_is(name, sections[i].name))
            in->section = i;
    if (in->section < 0)
        return refuse(in, BAD_SECTION, in->line);
    if (in->begun[in->section] > 0)
        return refuse(in, DUPLICATE_SECTION, in->line);
    in->begun[in->section] = in->line;
    in->headed = false;
    return true;
}

bool hadara_tables_valid(const struct hadara_tables *t)
{
    int count[EFFECTS] = {0};

    for (int card = 0; card < HADARA_CARDS; card++) {
        int effect = t->card[card].effect;
        if (effect == HADARA_NOTHING)
            continue;
        if (hadara_card_color(card) != HUE_PURPLE ||
            effect / EFFECTS_PER_EPOCH + 1 != hadara_card_epoch(card))
            return false;
        count[effect]++;
    }
    for (int effect = 0; effect < EFFECTS; effect++)
        if (hadara_effect_starred(effect) && count[effect] != 1)
            return false;
    return true;
}

/* A byte order mark, which some editors put before UTF-8. */
static void skip_mark(struct reading *in)
{
    if (in->rest.len >= 3 && in->rest.at[0] == '\xef' &&
        in->rest.at[1] == '\xbb' && in->rest.at[2] == '\xbf') {
        in->rest.at += 3;
        in->rest.len -= 3;
    }
}

bool hadara_tables_read(struct hadara_tables *t, const char *text, size_t len,
                        struct rules_problem *why)
{
    struct reading in = {
        .t = t,
        .why = why,
        .rest = {text, len},
        .section = -1,
    };

    if (len > HADARA_CSV_BYTES_MAX)
        return refuse(&in, TOO_LONG, 1);
    skip_mark(&in);
    while (in.rest.len > 0) {
        struct span line = next_line(&in);
        if (has_controls(line))
            return refuse(&in, BAD_TEXT, in.line);
        if (line.len == 0 || line.at[0] == '#')
            continue;
        if (!(line.at[0] == '[' ? start_section(&in, line) : row(&in, line)))
            return false;
    }
    if (in.line == 0)
        in.line = 1; /* an empty text has one line to point at */
    for (int i = 0; i < SECTIONS; i++) {
        if (in.begun[i] == 0)
            return refuse(&in, MISSING_SECTION, in.line);
        if (in.rows[i] < sections[i].rows)
            return refuse(&in, MISSING_ROW, in.begun[i]);
    }
    if (!hadara_tables_valid(t))
        return refuse(&in, STARRED_EFFECTS, in.begun[CARDS]);
    return true;
}

/* ---- what is not certain ----------------------------------------------- */

/* The cells that name a row of SECTION, one or two, with a dash between: as
 * they are in the row but for the comma, so a name is put together in BUF. */
static size_t row_name(const struct reading *in, char buf[8])
{
    size_t len = 0;

    for (int i = 0; i < 2; i++) {
        for (size_t k = 0; k < in->cell[i].len && len < 7; k++)
            buf[len++] = in->cell[i].at[k];
        if (i == 0)
            buf[len++] = '-';
    }
    return len;
}

static void tell_doubt(const struct reading *in, void *arg,
                       rules_doubt_cb *doubt)
{
    enum section section = (enum section)in->section;
    struct span name = in->cell[0],
                says = in->cell[sections[section].columns - 1];
    char buf[8];

    if (says.len >= 2 && says.at[0] == '"')
        says = (struct span){says.at + 1, says.len - 2};
    if (span_is(says, "published"))
        return;
    if (section == COLONIES || section == SETUPS)
        name = (struct span){buf, row_name(in, buf)};
    doubt(arg, sections[section].name, name.at, name.len, says.at, says.len);
}

void hadara_doubts(const char *text, size_t len, void *arg,
                   rules_doubt_cb *doubt)
{
    struct rules_problem why;
    struct reading in = {
        .why = &why,
        .rest = {text, len},
        .section = -1,
    };

    skip_mark(&in);
    while (in.rest.len > 0) {
        struct span line = next_line(&in);
        if (line.len == 0 || line.at[0] == '#')
            continue;
        if (line.at[0] == '[') {
            if (!start_section(&in, line))
                return;
        } else if (!in.headed) {
            in.headed = true;
        } else if (in.section < 0 ||
                   !part(&in, line, sections[in.section].columns)) {
            return;
        } else {
            tell_doubt(&in, arg, doubt);
        }
    }
}
