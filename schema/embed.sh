#!/bin/sh
# embed.sh -- turns the migrations into C, so that the binary carries them.
#
# usage: embed.sh NAME NNNN_NAME.sql... >NAME.c
#
# Each must have the number of its place, from 0001 on: a gap or two of a
# number is a mistake that would show only on somebody's disk.

set -eu

name=$1
shift
cat <<HEAD
/* Made by schema/embed.sh from the migrations beside it. */

#include "schema/schema.h"

const char *const ${name}_steps[] = {
HEAD

# A comment or a blank line is of no use to SQLite; the rest becomes strings.
n=0
for file; do
    n=$((n + 1))
    case $(basename "$file") in
    "$(printf '%04d' "$n")"_*.sql) ;;
    *)
        echo "$0: $file is not number $n" >&2
        exit 1
        ;;
    esac
    echo "    /* $(basename "$file") */"
    sed -e 's/[[:space:]]*--.*//' -e '/^[[:space:]]*$/d' \
        -e 's/[\\"?]/\\&/g' -e 's/^/    "/' -e 's/$/\\n"/' "$file"
    echo '    "",'
done

echo '    0,'
echo '};'
