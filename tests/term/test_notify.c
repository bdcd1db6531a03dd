/* test_notify.c -- what is written to a terminal for a notice on the desktop. */

#include <criterion/criterion.h>
#include <string.h>

#include "clients/term/notify.h"

static const char *written(enum notify_way way, bool tmux, const char *text)
{
    static char buf[NOTIFY_SIZE];
    size_t len = notify_write(way, tmux, text, buf);

    cr_assert_eq(len, strlen(buf));
    return buf;
}

/* Each terminal is spoken to as it wants, and none that was not asked for. */
Test(notify, ways)
{
    cr_assert_str_eq(written(NOTIFY_OFF, false, "Your turn"), "");
    cr_assert_str_eq(written(NOTIFY_OSC9, false, "Your turn"),
                     "\033]9;Your turn\a");
    cr_assert_str_eq(written(NOTIFY_OSC777, false, "Your turn"),
                     "\033]777;notify;Sobremesa;Your turn\a");
    cr_assert_str_eq(written(NOTIFY_OSC9, true, "Your turn"),
                     "\033Ptmux;\033\033]9;Your turn\a\033\\");
}

/* Whatever a name holds is no command, no other argument, and not long. */
Test(notify, hostile)
{
    char *text = (char[]){"4;1;50 \a\033]0;x\033\\ \x9b\x80 \xc2\x9b "
                          "\xe2\x80\xae\n\r \xc3\xa9\xe2\x98\xba \xe2\x98"};
    cr_assert_str_eq(written(NOTIFY_OSC9, false, text),
                     "\033]9;4,1,50 ??]0,x?\\ ?? ? ??? \xc3\xa9\xe2\x98\xba "
                     "??\a");
    char longer[2000];
    memset(longer, 'n', sizeof(longer) - 1);
    longer[sizeof(longer) - 1] = '\0';
    for (int i = 0; i < 2; i++) {
        const char *out = written(NOTIFY_OSC777, i, longer);
        cr_assert_eq(strspn(strstr(out, "mesa;") + 5, "n"), 200);
        cr_assert_not_null(strchr(out, '\a'));
    }
    for (size_t i = 0; i < sizeof(longer) - 2; i += 2)
        memcpy(longer + i, "\xc3\xa9", 2);
    cr_assert_str_eq(written(NOTIFY_OSC9, false, longer) + 4 + 200, "\a");
}

Test(notify, words)
{
    enum notify_way way = NOTIFY_OFF;

    cr_assert(notify_way_read("osc777", &way));
    cr_assert_eq(way, NOTIFY_OSC777);
    cr_assert(notify_way_read("off", &way));
    cr_assert_eq(way, NOTIFY_OFF);
    cr_assert_not(notify_way_read("on", &way));
}
