#!/bin/sh
# llhttp.sh -- gets the sources of llhttp, the parser of HTTP.
#
# usage: protocol/llhttp.sh DIR
#
# Debian has them only in node-llhttp, a package that wants all of node; so the
# package is fetched and unpacked, not installed.  DIR then holds llhttp.h,
# llhttp.c, api.c, http.c and copyright.  If DIR has them nothing is done, and
# the network is needed the first time only; where the package is installed it
# is not needed at all.  apt checks what it fetches.
#
# Elsewhere than on Debian: put the four files of a release of
# https://github.com/nodejs/llhttp (8.1, say) into DIR yourself.

set -eu

dir=$1
if [ -f "$dir/llhttp.h" ] && [ -f "$dir/api.c" ] && [ -f "$dir/http.c" ] &&
    [ -f "$dir/llhttp.c" ]; then
    touch "$dir/llhttp.h" # or make would ask again each time
    exit 0
fi

if ! command -v apt-get >/dev/null; then
    echo "llhttp is missing; $0 says what to put into $dir" >&2
    exit 1
fi

mkdir -p "$dir"
room=$(mktemp -d "$dir/room.XXXXXX")
trap 'rm -rf "$room"' EXIT

# As root, apt would rather fetch as somebody who may not write here, and says
# so; the package comes all the same.
fetch()
{
    (cd "$room" && apt-get download -qq -o Acquire::Retries=3 \
        node-llhttp >said 2>&1)
}

as_root()
{
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        command -v sudo >/dev/null && sudo -n "$@"
    fi
}

if [ -f /usr/share/llhttp/llhttp.c ]; then
    root=
else
    # The package lists may be old, or not there at all.
    if ! fetch && ! { as_root apt-get update -qq >&2 && fetch; }; then
        cat "$room/said" >&2
        echo "The sources of llhttp cannot be fetched.  Once is enough: run" \
            "'make deps' while there is a network." >&2
        exit 1
    fi
    dpkg-deb -x "$room"/node-llhttp_*.deb "$room/root"
    root=$room/root
fi

# The header comes last: that it is there means that all are.
cp "$root/usr/share/doc/node-llhttp/copyright" "$dir/copyright"
for file in api.c http.c llhttp.c; do
    cp "$root/usr/share/llhttp/$file" "$dir/$file"
done
cp "$root/usr/share/include/llhttp/llhttp.h" "$dir/llhttp.h"
