#!/bin/sh
# pages.sh -- turns the games' rules pages into C, for programs that serve or
# show them without a folder beside them.
#
# usage: pages.sh core/games/GAME/rules/DETAIL.LANG.md... >rules_pages.c

set -eu

cat <<'HEAD'
/* Made by protocol/pages.sh from the games' rules pages. */

#include "protocol/rules_text.h"

const struct rules_text rules_texts[] = {
HEAD

# A line becomes a string: backslash, quote and question mark (two would begin
# a trigraph) are escaped.
for file; do
    page=$(basename "$file" .md)
    game=${file%/rules/*}
    printf '    {"%s", "%s", "%s",\n' "${game##*/}" "${page%.*}" "${page##*.}"
    sed -e 's/[\\"?]/\\&/g' -e 's/^/     "/' -e 's/$/\\n"/' "$file"
    printf '    },\n'
done
printf '    {0},\n};\n'
