#!/usr/bin/env bash
# test_embed.sh -- a board comes out of the C made of it as it went in, whatever
# stands in it.

. tests/support/tap.sh

cd "$TMPDIR" || exit
embed=$OLDPWD/core/games/hacienda/boards/embed.sh

printf 'MapName=\\n "quoted" ??/ %%s\t100%% \303\261\r\n\n[Hex]\n1=2\n' >nasty.haz
printf 'two\n' >another.haz
cat >rules.h <<'C'
#include <stddef.h>
struct rules_asset {
    const char *name;
    const char *text;
    size_t len;
};
C
cat >main.c <<'C'
#include <stdio.h>
#include <string.h>

#include "rules.h"

extern const struct rules_asset hacienda_boards[];

int main(int argc, char **argv)
{
    (void)argc;
    for (const struct rules_asset *a = hacienda_boards; a->name; a++)
        if (argv[1] == NULL)
            puts(a->name);
        else if (strcmp(a->name, argv[1]) == 0)
            fwrite(a->text, 1, a->len, stdout);
    return 0;
}
C

sh "$embed" nasty.haz another.haz >boards.c
ok "it compiles" "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -I. -o boards \
    boards.c main.c
is "$(./boards)" $'nasty\nanother' "boards keep their order"
ok "every byte is kept" cmp nasty.haz <(./boards nasty)
ok "to the end" cmp another.haz <(./boards another)

done_testing
