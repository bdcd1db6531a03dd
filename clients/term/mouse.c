/* mouse.c -- what a click means: while a screen is drawn it says which places
 * and which keys are where, and a click is that key. */

#include "core/base.h"
#include "screen.h"

/* The largest screens have some 500 hexes and 30 keys; what does not fit any
 * more cannot be clicked. */
#define SPOTS_MAX 1024

static struct spot {
    int y, x, height, width;
    int key; /* 0: it is a place */
    int at;
} spots[SPOTS_MAX];
static size_t count;
static bool open;

void mouse_open(void)
{
    open = mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED,
                     NULL) != 0;
    (void)mouseinterval(0); /* a press is a press */
}

void mouse_close(void)
{
    if (open)
        (void)mousemask(0, NULL);
    open = false;
}

void mouse_forget(void)
{
    count = 0;
}

static void add(struct spot spot)
{
    if (count < SPOTS_MAX)
        spots[count++] = spot;
}

void ui_button(int y, int x, int height, int width, int key)
{
    add((struct spot){y, x, height, width, key, 0});
}

void ui_place(int y, int x, int height, int width, int at)
{
    add((struct spot){y, x, height, width, 0, at});
}

/* What was drawn last lies on top. */
static const struct spot *spot_at(int y, int x)
{
    for (size_t i = count; i-- > 0;)
        if (y >= spots[i].y && y < spots[i].y + spots[i].height &&
            x >= spots[i].x && x < spots[i].x + spots[i].width)
            return &spots[i];
    return NULL;
}

int mouse_key(struct ui *ui)
{
    MEVENT event;

    if (getmouse(&event) != OK)
        return KEY_NEWS;
    if (event.bstate & BUTTON4_PRESSED)
        return KEY_UP;
    if (event.bstate & BUTTON5_PRESSED)
        return KEY_DOWN;
    const struct spot *spot = event.bstate & BUTTON1_PRESSED
                                  ? spot_at(event.y, event.x)
                                  : NULL;
    if (spot == NULL)
        return KEY_NEWS;
    if (spot->key != 0)
        return spot->key;
    ASSERT(ui->screen->go != NULL);
    return ui->screen->go(ui, spot->at) ? KEY_RETURN : KEY_NEWS;
}
