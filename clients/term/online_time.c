/* online_time.c -- a table on a server on the full screen: what one can do about
 * time and seats. */

#include <string.h>

#include "clients/common/lang.h"
#include "clocks.h"
#include "online_screen.h"
#include "pace.h"
#include "protocol/sbuf_printf.h"

static void write_clocks(struct ui *ui, FILE *to)
{
    const struct visit *v = ui->world;
    clocks_write(to, v->client);
}

static void give(struct ui *ui)
{
    const struct visit *v = ui->world;
    struct online *o = v->client->online;
    char text[40];

    if (!ui_ask(ui, _("How much time (6h, 1d)? It cannot be taken back:"),
                text, sizeof(text)) ||
        text[0] == '\0')
        return;
    int64_t seconds = span_read_all(text);
    if (seconds > 0)
        online_give(o, seconds);
    else
        ui_say(ui, true, "%s", _("How much? 30m, 6h or 1d, for example."));
}

static void take_over(struct ui *ui)
{
    const struct visit *v = ui->world;
    struct online *o = v->client->online;
    char question[160];
    int seat = clocks_offered(o);

    (void)snprintf(question, sizeof(question),
                   _("Play on in the seat of %s, who cannot come back then?"),
                   o->table.names[seat]);
    if (ui_sure(ui, question))
        online_take_over(o, seat);
}

void time_menu(struct ui *ui)
{
    const struct visit *v = ui->world;
    struct online *o = v->client->online;
    char line[300];
    struct sbuf s = sbuf_in(line, sizeof(line));
    int key;

    ui_page_of(ui, _("Clocks"), write_clocks);
    if (clocks_opponent(o))
        sbuf_puts(&s, _("  g give time"));
    if (clocks_offered(o) >= 0)
        sbuf_puts(&s, _("  k take over the seat"));
    if (clocks_gone(o))
        sbuf_puts(&s, _("  r take my seat back"));
    if (s.len == 0)
        return;
    do {
        ui_draw_bar(ui, LINES - 1, line + 1);
        (void)refresh();
        key = ui_key(ui);
    } while (key == KEY_NEWS || key == KEY_RESIZE);
    if (key == 'g' && clocks_opponent(o))
        give(ui);
    else if (key == 'k' && clocks_offered(o) >= 0)
        take_over(ui);
    else if (key == 'r' && clocks_gone(o))
        online_return(o);
}
