#!/usr/bin/env bash
# fetch.sh -- gets something from elsewhere, which is tried three times, as networks
# fail for a moment.  Says by its name what cannot be had, and the reason's last
# lines.
#
# usage: tests/support/fetch.sh NAME COMMAND...

set -u

name=$1
shift
said=$(mktemp) || exit
trap 'rm -f "$said"' EXIT
for pause in 5 20 0; do
    "$@" >"$said" 2>&1 && exit
    sleep "$pause"
done
{
    echo "$name cannot be had, three times:"
    grep -v '^ *$' "$said" | tail -n 5 | cut -c1-300 | sed 's/^/    /'
} >&2
exit 1
