#!/bin/sh
# embed.sh -- turns tables of numbers into C, for a core that cannot open files.
#
# usage: embed.sh DIR... >hadara_tables.c
#
# Each DIR is a version of the standard tables, the first one version 1: five
# CSV files.  Versions are never changed once a game may have been played with
# them; a correction is a new one, at the end, and it is what new games get.

set -eu

files='epoch_cards colonies medals setup_cards statues'

cat <<'HEAD'
/* Made by core/games/hadara/data/embed.sh from the files beside it. */

#include "games/hadara/hadara.h"

HEAD

# The numbers, as the initializer of a struct hadara_tables.
numbers()
{
    awk -F, '
        function start(what) { print "        ." what " = {" }
        function end() { print "        }," }
        FNR == 1 {
            if (NR > 1)
                end()
            file = FILENAME
            sub(/.*\//, "", file)
            sub(/\.csv$/, "", file)
            start(file == "epoch_cards" ? "card" : \
                  file == "colonies" ? "back" : file == "medals" ? "prices" : \
                  file == "setup_cards" ? "setup" : "statue")
            next
        }
        file == "epoch_cards" {
            effect = $10 == "" ? "HADARA_NOTHING" : "EFFECT_" toupper($10)
            printf "            {%d, {%d, %d, %d, %d}, %d, %s}, /* %s %s */\n",
                $4, $5, $6, $7, $8, $9, effect, $1, $12
        }
        file == "colonies" {
            printf "            [%d][%d] = {{%d, %d, %d, %d}, %d},\n",
                $1 - 1, $2 - 1, $7, $8, $9, $10, $11
            if ($2 == 1)
                front[$1] = sprintf("{%d, %d, %d, %d}", $3, $4, $5, $6)
        }
        file == "medals" {
            printf "            [%d] = {%d, %d, %d, %d}, /* %s */\n",
                $1 - 1, $2, $3, $4, $5, $6
        }
        file == "setup_cards" {
            printf "            [%d][SIDE_%s] = {%d, {%d, %d, %d, %d}},\n",
                $1 - 1, $2, $3, $4, $5, $6, $7
        }
        file == "statues" {
            printf "            [%d] = {%d, %d, %d},\n", $1 - 1, $2, $3, $4
        }
        END {
            end()
            start("level")
            for (i = 1; i in front; i++)
                print "            [" i - 1 "] = " front[i] ","
            end()
        }' "$@"
}

# What is not simply "published", a sentence for each kind of doubt.
notes()
{
    awk -F, '
        FNR == 1 {
            file = FILENAME
            sub(/.*\//, "", file)
            next
        }
        {
            doubt = $0
            if (!sub(/.*,"/, "", doubt))
                sub(/.*,/, "", doubt)
            sub(/"$/, "", doubt)
            id = file ~ /^(colonies|setup_cards)/ ? $1 "-" $2 : $1
            key = file ": " doubt ": "
            if (doubt == "published")
                next
            if (!(key in ids))
                order[++n] = key
            ids[key] = ids[key] (key in ids && ids[key] != "" ? ", " : "") id
        }
        END {
            for (i = 1; i <= n; i++)
                printf "    \"%s\"\n    \"%s.\",\n", order[i], ids[order[i]]
        }' "$@"
}

echo 'const struct hadara_tables hadara_standard[] = {'
for dir; do
    set_of_files=
    for file in $files; do
        set_of_files="$set_of_files $dir/$file.csv"
    done
    echo '    {'
    # shellcheck disable=SC2086 # names without spaces
    numbers $set_of_files
    echo '    },'
done
printf '};\nconst uint8_t hadara_versions = %d;\n\n' "$#"

# The rest is about the latest.
echo 'const char *const hadara_card_words[] = {'
awk -F, 'FNR > 1 { print "    \"" $1 "\"," }' "$dir/epoch_cards.csv"
# A browser asks the server for these, and has the files themselves.
printf '    NULL,\n};\n\nconst char *const hadara_notes[] = {\n#ifndef __wasm__\n'
# shellcheck disable=SC2086
notes $set_of_files
printf '#endif\n    NULL,\n};\n\nstatic const char standard[] =\n'
echo '#ifndef __wasm__'
for file in $files; do
    printf '    "[%s]\\n"\n' "$file"
    sed -e 's/[\\"?]/\\&/g' -e 's/^/    "/' -e 's/$/\\n"/' "$dir/$file.csv"
done
cat <<'TAIL'
#endif
    "";

const struct rules_asset hadara_assets[] = {
    {"standard", standard, sizeof(standard) - 1},
    {0},
};
TAIL
