#include <stdio.h>

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "hadara_offers.h"

#define PAIR_PLATE PAIR_OF_GAME          /* + colour: on a ground of it */
#define PAIR_INK   (PAIR_OF_GAME + HUES) /* + colour: in it */

void hadara_colours(struct ui *ui)
{
    static const short plates[2][HUES][2] = {
        {{COLOR_BLACK, COLOR_YELLOW},
         {COLOR_WHITE, COLOR_RED},
         {COLOR_WHITE, COLOR_BLUE},
         {COLOR_BLACK, COLOR_GREEN},
         {COLOR_WHITE, COLOR_MAGENTA}},
        {{16, 220}, {231, 160}, {231, 26}, {231, 28}, {231, 91}},
    };
    static const short inks[2][HUES][2] = {
        {{COLOR_YELLOW, -1},
         {COLOR_RED, -1},
         {COLOR_BLUE, -1},
         {COLOR_GREEN, -1},
         {COLOR_MAGENTA, -1}},
        {{178, -1}, {167, -1}, {68, -1}, {71, -1}, {134, -1}},
    };

    ui_pairs(ui, PAIR_PLATE, HUES, plates[ui->many]);
    ui_pairs(ui, PAIR_INK, HUES, inks[ui->many]);
}

attr_t hadara_plate(const struct ui *ui, int color)
{
    return ui->colour ? (attr_t)COLOR_PAIR(PAIR_PLATE + color) : A_REVERSE;
}

attr_t hadara_ink(const struct ui *ui, int color)
{
    return ui->colour ? (attr_t)COLOR_PAIR(PAIR_INK + color) : A_NORMAL;
}

/* ---- cards of a segment ------------------------------------------------- */

int hadara_column_cards(const struct ui *ui, int column,
                        uint8_t cards[HADARA_COLUMN_CARDS])
{
    const struct hadara *h = hadara_table(ui);
    const struct hadara_player *p = &h->player[hadara_shown(ui)];
    int color = h->ring[column], n = 0;

    if (color == HADARA_NOTHING)
        return 0;
    for (int i = h->piles[color]; i-- > 0;)
        cards[n++] = h->pile[color][i];
    for (int i = 0; i < p->cards; i++)
        if (hadara_card_color(p->card[i]) == color)
            cards[n++] = p->card[i];
    return n;
}

static int pile_of(const struct ui *ui, int column)
{
    const struct hadara *h = hadara_table(ui);
    return h->ring[column] == HADARA_NOTHING ? 0 : h->piles[h->ring[column]];
}

static bool is_looked_at(int column, int in)
{
    return hadara_here.looking && hadara_here.column == column &&
           hadara_here.in == in;
}

int hadara_card_at(const struct ui *ui)
{
    uint8_t cards[HADARA_COLUMN_CARDS];

    if (!hadara_here.looking ||
        hadara_here.in >= hadara_column_cards(ui, hadara_here.column, cards))
        return HADARA_NOTHING;
    return cards[hadara_here.in];
}

/* ---- the ring ----------------------------------------------------------- */

static int column_x(const struct hadara_plan *plan, int column)
{
    return column * plan->width / HADARA_STEPS;
}

static int column_width(const struct hadara_plan *plan, int column)
{
    return column_x(plan, column + 1) - column_x(plan, column) - 1;
}

/* What a card brings, with the name of its effect if there is room for it. */
static void draw_little(const struct ui *ui, int y, int x, int width,
                        attr_t attr, int seat, int card)
{
    char text[100];

    hadara_card_short(hadara_table(ui), seat, card, true, text, sizeof(text));
    if (output_width(text) > width)
        hadara_card_short(hadara_table(ui), seat, card, false, text,
                          sizeof(text));
    ui_text(y, x, width, attr, text, false);
}

bool hadara_players_draw(const struct ui *ui)
{
    return hadara_table(ui)->stage == STAGE_CHOOSE;
}

static const char *star(const struct ui *ui, int card)
{
    return hadara_tables(hadara_table(ui))->card[card].effect != HADARA_NOTHING
               ? "*"
               : "";
}

/* Behind the rows of choices. */
static int place_of_card(int column, int in)
{
    return HADARA_CHOICES_MAX + column * HADARA_COLUMN_CARDS + in;
}

/* Who draws in this segment, and the pile's top card. */
static void draw_segment(const struct ui *ui, const struct hadara_plan *plan,
                         int y, int column)
{
    const struct hadara *h = hadara_table(ui);
    int color = h->ring[column], x = column_x(plan, column);
    int width = column_width(plan, column), n = 0;
    char text[100];

    (void)snprintf(text, sizeof(text), " %s", hadara_color(color));
    ui_text(y, x, width, hadara_plate(ui, color), text, true);
    ui_print(y, x + width - 3, 3, hadara_plate(ui, color), "%2d",
             hadara_deck(h, color));
    for (int seat = 0; hadara_players_draw(ui) && seat < h->base.seats; seat++)
        if (hadara_segment(h, seat, h->step) == color)
            n += ui_print(y + 1, x + n, width - n,
                          ui_attr(ui, STYLE_SEAT + seat), "%d %s", seat,
                          ui->table->names[seat]);
    y += 1 + hadara_players_draw(ui);
    if (h->piles[color] == 0) {
        ui_text(y, x, width, ui_attr(ui, STYLE_DIM), _("no pile"), false);
        return;
    }
    int card = h->pile[color][h->piles[color] - 1];
    n = ui_print(y, x, width,
                 is_looked_at(column, 0) ? ui_attr(ui, STYLE_CHOSEN)
                                         : ui_attr(ui, STYLE_BOLD),
                 "%d:%s%s", h->piles[color], hadara_card_number(card),
                 star(ui, card));
    ui_place(y, x, 1, width, place_of_card(column, 0));
    draw_little(ui, y, x + n + 1, width - n - 1, A_NORMAL, ui->seat, card);
}

static attr_t card_attr(const struct ui *ui, int column, int in)
{
    bool pile = in < pile_of(ui, column);
    if (is_looked_at(column, in))
        return ui_attr(ui, STYLE_CHOSEN);
    return pile ? ui_attr(ui, STYLE_DIM)
                : hadara_ink(ui, hadara_table(ui)->ring[column]) | A_BOLD;
}

/* A line for each card, with what it brings; those in the pile in
 * parentheses, as they are nobody's. */
static void draw_column_wide(const struct ui *ui,
                             const struct hadara_plan *plan, int y, int column)
{
    uint8_t cards[HADARA_COLUMN_CARDS];
    int n = hadara_column_cards(ui, column, cards), x = column_x(plan, column);
    int width = column_width(plan, column), pile = pile_of(ui, column);

    for (int i = 1 - (pile == 0), row = 0; i < n && row < plan->cards;
         i++, row++) {
        bool below = i < pile;
        int used = ui_print(y + row, x, width, card_attr(ui, column, i),
                            "%s%s%s%s", below ? "(" : "",
                            hadara_card_number(cards[i]), star(ui, cards[i]),
                            below ? ")" : "");
        ui_place(y + row, x, 1, width, place_of_card(column, i));
        draw_little(ui, y + row, x + used + 1, width - used - 1,
                    below ? ui_attr(ui, STYLE_DIM) : A_NORMAL,
                    below ? ui->seat : RULES_WATCHER, cards[i]);
    }
}

/* Names only, several in a line; what lies in the pile stays out. */
static void draw_column_narrow(const struct ui *ui,
                               const struct hadara_plan *plan, int y,
                               int column)
{
    uint8_t cards[HADARA_COLUMN_CARDS];
    int n = hadara_column_cards(ui, column, cards), x = column_x(plan, column);
    int width = column_width(plan, column), pile = pile_of(ui, column);
    int each = width >= 5 ? width / 5 : 1, room = each * plan->cards;
    int from = pile; /* or from where the cursor is seen */

    if (hadara_here.looking && hadara_here.column == column &&
        hadara_here.in >= pile + room)
        from = hadara_here.in - room + 1;
    if (hadara_here.looking && hadara_here.column == column &&
        hadara_here.in > 0 && hadara_here.in < pile)
        from = hadara_here.in;
    for (int i = from; i < n && i - from < room; i++) {
        bool more = i - from == room - 1 && i < n - 1;
        ui_place(y + (i - from) / each, x + (i - from) % each * 5, 1, 5,
                 place_of_card(column, i));
        ui_print(y + (i - from) / each, x + (i - from) % each * 5, 5,
                 card_attr(ui, column, i), "%s%s",
                 hadara_card_number(cards[i]),
                 more ? "+" : star(ui, cards[i]));
    }
}

int hadara_column_lines(const struct ui *ui)
{
    uint8_t cards[HADARA_COLUMN_CARDS];
    int most = 1;

    for (int c = 0; c < HADARA_STEPS; c++) {
        int n = hadara_column_cards(ui, c, cards) - (pile_of(ui, c) > 0);
        most = n > most ? n : most;
    }
    return most;
}

int hadara_name_lines(const struct ui *ui, const struct hadara_plan *plan)
{
    uint8_t cards[HADARA_COLUMN_CARDS];
    int each = plan->width / HADARA_STEPS / 5, most = 1;

    for (int c = 0; c < HADARA_STEPS && each > 0; c++) {
        int n = hadara_column_cards(ui, c, cards) - pile_of(ui, c);
        most = (n + each - 1) / each > most ? (n + each - 1) / each : most;
    }
    return most;
}

void hadara_draw_ring(const struct ui *ui, const struct hadara_plan *plan,
                      int y)
{
    bool wide = hadara_column_lines(ui) <= plan->cards;

    for (int c = 0; c < HADARA_STEPS; c++) {
        if (hadara_table(ui)->ring[c] == HADARA_NOTHING)
            continue;
        draw_segment(ui, plan, y, c);
        if (wide)
            draw_column_wide(ui, plan, y + plan->head, c);
        else
            draw_column_narrow(ui, plan, y + plan->head, c);
    }
}

/* ---- a board ------------------------------------------------------------ */

static void draw_board_head(const struct ui *ui,
                            const struct hadara_plan *plan, int y, int seat)
{
    const struct hadara *h = hadara_table(ui);
    int n;
    const struct hadara_player *p = &h->player[seat];
    char text[120];

    ui_text(y, 0, plan->width, ui_attr(ui, STYLE_DIM) | A_UNDERLINE, "", true);
    n = ui_print(y, 1, plan->width - 1, ui_attr(ui, STYLE_SEAT + seat), "%s",
                 ui->table->names[seat]);
    hadara_tiles_text(p, text, sizeof(text));
    n += ui_print(y, 1 + n, plan->width - 1 - n, A_UNDERLINE,
                  _(" setup %d%.1s%s  "), p->initiative,
                  p->side == HADARA_NOTHING ? "" : &"AB"[p->side],
                  h -> advanced ? _(" advanced") : "");
    ui_text(y, 1 + n, plan->width - 1 - n, A_UNDERLINE, text, false);
}

/* The colonies, or the statues: what each takes and gives; those that are had
 * stand out, and those for which the track is high enough. */
static void draw_steps(const struct ui *ui, const struct hadara_plan *plan,
                       int y, int seat, bool statues)
{
    const struct hadara *h = hadara_table(ui);
    const struct hadara_player *p = &h->player[seat];
    int count = statues ? HADARA_STATUES : HADARA_LEVELS;
    int each = (plan->width - 4) / count;
    int32_t track[TRACKS];
    char text[80];

    hadara_tracks(h, p, track);
    ui_text(y, 1, 3, ui_attr(ui, STYLE_BOLD), statues ? _("sta") : _("col"),
            false);
    for (int i = 0; i < count; i++) {
        bool had = (statues ? p->statue_tile : p->colony)[i] != HADARA_NOTHING;
        bool near = statues ? track[TRACK_CULTURE] >=
                                  hadara_statue_requirement(h, p, i)
                            : track[TRACK_MILITARY] >=
                                  hadara_colony_requirement(h, p, i);
        (statues ? hadara_statue_text : hadara_colony_text)(h, p, i, text,
                                                            sizeof(text));
        ui_text(y, 5 + i * each, i == count - 1 ? each : each - 1,
                ui_attr(ui, had    ? STYLE_GOOD
                            : near ? STYLE_BOLD
                                   : STYLE_DIM),
                text, false);
    }
}

void hadara_draw_board(const struct ui *ui, const struct hadara_plan *plan,
                       int y, int seat)
{
    const struct hadara *h = hadara_table(ui);
    const struct hadara_player *p = &h->player[seat];

    draw_board_head(ui, plan, y, seat);
    for (int i = 0; i < TRACKS; i++) {
        char text[120];
        int x = 1 + i % 2 * (plan->width / 2), row = y + 1 + i / 2;
        int n = ui_print(row, x, plan->width / 2 - 1,
                         hadara_ink(ui, i) | A_BOLD, "%s ",
                         plan->width < 100 ? _(hadara_heads[0][i])
                                           : hadara_track(i));
        int room = plan->width / 2 - 2 - n;
        hadara_track_text(h, p, i, false, text, sizeof(text));
        if (output_width(text) > room)
            hadara_track_text(h, p, i, true, text, sizeof(text));
        ui_text(row, x + n, room, A_NORMAL, text, false);
    }
    draw_steps(ui, plan, y + 3, seat, false);
    draw_steps(ui, plan, y + 4, seat, true);
}

/* The cards on a board that is not shown in the ring. */
static void draw_others_cards(const struct ui *ui,
                              const struct hadara_plan *plan, int y, int seat)
{
    const struct hadara_player *p = &hadara_table(ui)->player[seat];
    int x = 1;

    for (int color = 0; color < HUES; color++)
        for (int i = 0; i < p->cards; i++)
            if (hadara_card_color(p->card[i]) == color)
                x += 1 + ui_print(y, x, plan->width - x,
                                  hadara_ink(ui, color) | A_BOLD, "%c%s%s",
                                  _("yrbgp")[color],
                                  hadara_card_number(p->card[i]),
                                  star(ui, p->card[i]));
}

void hadara_draw_others(const struct ui *ui, const struct hadara_plan *plan,
                        int y)
{
    int seats = ui->view.state.seats;

    for (int i = 1; i < seats; i++) {
        int seat = (hadara_shown(ui) + i) % seats;
        if (y + HADARA_BOARD_LINES + 1 > ui->lines - 1)
            return;
        hadara_draw_board(ui, plan, y, seat);
        draw_others_cards(ui, plan, y + HADARA_BOARD_LINES, seat);
        y += HADARA_BOARD_LINES + 1;
    }
}
