#!/usr/bin/env bash
# test_deps.sh -- deploy/deps.sh installs what is missing, or says how to, and
# otherwise keeps quiet.  It is shown a system of our own making.

. tests/support/tap.sh

bin=$TMPDIR/bin
mkdir "$bin"

fake()
{
    { echo '#!/bin/sh'; cat; } >"$bin/$1"
    chmod +x "$bin/$1"
}

for tool in awk cat echo env sh; do
    ln -s "$(command -v $tool)" "$bin/$tool"
done
fake dpkg-query <<'SH'
echo 'ii  gcc c-compiler'
echo 'ii  pkgconf pkg-config (= 1.8.1-1), other'
echo 'rc  left-over '
SH
fake apt-get <<'SH'
echo "apt-get $*" >>"$TMPDIR/log"
SH
fake id <<'SH'
echo 0
SH

unset DEPS
deps()
{
    : >"$TMPDIR/log"
    said=$(PATH=$bin deploy/deps.sh "$@" 2>&1)
    status=$?
}

deps gcc pkg-config
is "$status:$said:$(<"$TMPDIR/log")" "0::" \
    "what is there, or provided, needs no apt"

deps make
is "$status:$(<"$TMPDIR/log")" 1: "what is missing is not installed unasked"
like "$said" "apt-get install -y --no-install-recommends make$" \
    "but the line that would is printed"

export DEPS=install
deps gcc make left-over make
is "$status" 0 "root installs"
like "$(<"$TMPDIR/log")" 'update' "after an update"
like "$(<"$TMPDIR/log")" 'install .* make left-over( |$)' \
    "just what is missing, and what was only removed, once"

fake apt-get <<'SH'
exit 100
SH
deps make
is "$status" 100 "a failing apt-get is a failure"

fake node </dev/null
deps nodejs gcc
is "$status:$said" "0:" "a node from elsewhere will do"

fake id <<'SH'
echo 1000
SH
deps make
is "$status" 1 "without the right to install it fails"
like "$said" "apt-get install -y --no-install-recommends make$" \
    "and prints the line to run"

fake sudo <<'SH'
shift
echo "sudo $*" >>"$TMPDIR/log"
SH
deps make
is "$status" 0 "a sudo without a password will do"
like "$(<"$TMPDIR/log")" 'sudo env .*apt-get install .* make( |$)' \
    "to install it with"

deps_no()
{
    DEPS=no PATH=$bin deploy/deps.sh nonesuch
}
ok "DEPS=no leaves it alone" deps_no

done_testing
