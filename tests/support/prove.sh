#!/usr/bin/env bash
# prove.sh -- runs tests by prove.  Before the closing counts it says again why some
# failed, the last lines of each: among thousands of others they are far above.
#
# usage: tests/support/prove.sh ARGUMENTS OF PROVE...

set -u -o pipefail

cd "$(dirname "$0")/../.." || exit
WHY=$(mktemp -d "${TMPDIR:-/tmp}/why.XXXXXX") || exit
export WHY
trap 'rm -rf "$WHY"' EXIT

say_again()
{
    local told
    for told in "$WHY"/*; do
        [[ -e $told ]] || continue
        head -n 1 "$told"
        {
            grep -E '^# \[(----|FAIL)\] +[^ ]' "$told" ||
                tail -n +2 "$told" | grep -v '^# *$'
        } | tail -n 7 | cut -c1-300
    done
}

prove --timer --exec tests/support/run.sh "$@" |
    while IFS= read -r line; do
        [[ $line == 'Test Summary Report' ]] && say_again
        printf '%s\n' "$line"
    done
