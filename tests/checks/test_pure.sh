#!/usr/bin/env bash
# test_pure.sh -- the core needs nothing and remembers nothing.  It is judged
# as one object, compiled without a C library and without floating point.

. tests/support/tap.sh

core=$BUILD/pure/core.o
ok "there is an object to judge" test -s "$core"

wanted=$(nm -u "$core" | awk '{ print $2 }' |
    grep -vx 'core_panic\|memcpy\|memset')
is "$wanted" "" "it wants of its host only core_panic, memcpy and memset"

kept=$(size -A "$core" | awk '$1 ~ /^\.(t?data|t?bss)/ && $2 > 0 { print $1 }')
is "$kept" "" "it has no data that can be written to"
[[ -z $kept ]] || nm "$core" | awk '$2 ~ /^[bBdDC]$/ { print $3 }' | diag

done_testing
