#!/bin/sh
# embed.sh -- turns boards into C, for a core that cannot open files.
#
# usage: embed.sh NAME.haz... >hacienda_boards.c
#
# Writes one table with an entry per board, named for the file, in the order
# of the arguments: that order is the numbering of the game's board option, so
# it is game.mk that lists the boards, and new ones go to the end.

set -eu

cat <<'HEAD'
/* Made by core/games/hacienda/boards/embed.sh from the boards beside it. */

#include "rules.h"

extern const struct rules_asset hacienda_boards[];

HEAD

# A line becomes a string: backslash, quote, a question mark (two would begin
# a trigraph) and the carriage return of a board made elsewhere are escaped.
cr=$(printf '\r')
for file; do
    printf 'static const char %s[] =\n' "$(basename "$file" .haz)"
    sed -e 's/[\\"?]/\\&/g' -e "s/$cr/\\\\r/g" \
        -e 's/^/    "/' -e 's/$/\\n"/' "$file"
    printf '    "";\n\n'
done

echo 'const struct rules_asset hacienda_boards[] = {'
for file; do
    name=$(basename "$file" .haz)
    printf '    {"%s", %s, sizeof(%s) - 1},\n' "$name" "$name" "$name"
done
printf '    {0},\n};\n'
