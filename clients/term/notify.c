#include "notify.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base.h"
#include "core/sbuf.h"
#include "core/utf8.h"

#define TEXT_MAX 200 /* bytes of it that are shown */

bool notify_way_read(const char *word, enum notify_way *ret_way)
{
    static const char *const words[] = {
        [NOTIFY_OFF] = "off",
        [NOTIFY_OSC9] = "osc9",
        [NOTIFY_OSC777] = "osc777",
    };

    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (strcmp(word, words[i]) == 0) {
            *ret_way = (enum notify_way)i;
            return true;
        }
    }
    return false;
}

/* A `;` begins another argument: in OSC 9 "4;1;50" is a progress bar. */
static void put_text(struct sbuf *s, const char *text)
{
    size_t len = strlen(text), end = s->len + TEXT_MAX;

    while (len > 0) {
        uint32_t code = 0;
        size_t n = utf8_read(text, len, &code);
        if (s->len + (n > 0 ? n : 1) > end)
            return;
        if (n == 0 || !utf8_printable(code))
            sbuf_puts(s, "?");
        else if (code == ';')
            sbuf_puts(s, ",");
        else
            sbuf_put(s, text, n);
        n = n > 0 ? n : 1;
        text += n;
        len -= n;
    }
}

size_t notify_write(enum notify_way way, bool tmux, const char *text,
                    char buf[NOTIFY_SIZE])
{
    struct sbuf s = sbuf_in(buf, NOTIFY_SIZE);

    buf[0] = '\0';
    if (way == NOTIFY_OFF)
        return 0;
    /* tmux takes it apart again: each escape in it stands twice. */
    sbuf_puts(&s, tmux ? "\033Ptmux;\033\033]" : "\033]");
    sbuf_puts(&s, way == NOTIFY_OSC9 ? "9;" : "777;notify;Sobremesa;");
    put_text(&s, text);
    sbuf_puts(&s, tmux ? "\a\033\\" : "\a");
    return s.len;
}

void notify(enum notify_way way, const char *text)
{
    const char *tmux = getenv("TMUX");
    char buf[NOTIFY_SIZE];
    size_t len = notify_write(way, tmux != NULL && *tmux != '\0', text, buf);

    if (len > 0 && isatty(STDOUT_FILENO)) {
        (void)fflush(stdout);
        /* If that fails the bell has rung. */
        ssize_t n = write(STDOUT_FILENO, buf, len);
        (void)n;
    }
}
