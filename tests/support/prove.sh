#!/usr/bin/env bash
# prove.sh -- runs tests by prove.  A run that fails ends with what has failed, each
# with its reason in a few lines and the command that runs it again, and the counts:
# among thousands of other lines the reasons are far above.
#
# usage: tests/support/prove.sh ARGUMENTS OF PROVE...

set -u -o pipefail

cd "$(dirname "$0")/../.." || exit
WHY=$(mktemp -d "${TMPDIR:-/tmp}/why.XXXXXX") || exit
export WHY
trap 'rm -rf "$WHY"' EXIT

# What a run depends on besides its name, as it was set for this one.
settings=
for name in SEED RUNS FUZZ_SECONDS ROOM BUILD; do
    [[ -z ${!name:-} || $name=${!name} == BUILD=build ]] ||
        settings+="$name=${!name} "
done

# The last lines of the reason, each no longer than a line that is read.  Of what a
# Criterion program says, only what failed.
reason()
{
    {
        grep -E '^# \[(----|FAIL)\] +[^ ]' "$1" ||
            tail -n +2 "$1" | grep -v '^# *$'
    } | tail -n 7 | cut -c1-160
}

say_again()
{
    local told test
    for told in "$WHY"/*; do
        [[ -e $told ]] || return
        test=$(sed -n '1s/^# \(.*\):$/\1/p' "$told")
        echo "FAILED $test"
        reason "$told"
        echo "    again: ${settings}tests/support/run.sh $test"
    done
}

# In the place of prove's summary, which has only names, but for what it alone has
# noticed: a wrong plan.  The counts stand last.
prove --timer --exec tests/support/run.sh "$@" | {
    summary=
    while IFS= read -r line; do
        [[ $line == 'Test Summary Report' ]] && summary=1
        [[ $line == Files=* ]] && summary= && say_again
        if [[ ! $summary ]]; then
            printf '%s\n' "$line"
        elif [[ $line =~ ^([^ ]+)\ +\(Wstat: ]]; then
            told=${BASH_REMATCH[1]}
            said=$WHY/${told//\//-}
            [[ -e $said ]] || echo "# $told:" >"$said"
        elif [[ $line == ' '* ]]; then
            echo "# ${line:0:160}" >>"$said"
        fi
    done
}
