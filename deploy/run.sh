#!/usr/bin/env bash
# run.sh -- starts a daemon that was built here and says where to go.
#
# usage: deploy/run.sh BIN [OPTION...]
#
# `make run` calls it.  BIN is where the programs are, the options are those of
# sobremesad.  What the daemon logs is shown as it comes; Ctrl-C ends it.

set -eu

bin=$1
shift

# show NAME WHAT BEFORE [AFTER]: where NAME listens, if it does.
show()
{
    local at
    at=$(sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" <<<"$line")
    [[ -z $at ]] || printf '    %-16s %s%s%s\n' "$2" "$3" "$at" "${4:-}"
}

say()
{
    local line

    trap '' INT TERM
    read -r line || return 0
    printf '\n  Sobremesa is ready.\n\n'
    show http 'in a browser' http:// /
    show lines 'in a terminal' SOBREMESA_SERVER= " $bin/sobremesa"
    show admin 'administration' "$bin/sobremesactl --admin " ' status'
    printf '\n  %s\n\n' 'Ctrl-C ends it; what was played is kept in its data.'
}

exec "$bin/sobremesad" "$@" > >(say)
