#!/bin/sh
# deps.sh -- makes sure that Debian packages are installed.
#
# usage: deploy/deps.sh PACKAGE...
#
# Asks nothing of apt, and needs no rights, when all of them are there.
# Otherwise prints the one line that installs what is missing, and fails.  With
# DEPS=install in the environment it runs that line itself, as root or through
# a sudo that wants no password, where it can.  The Makefile calls it before
# anything else, with the packages of the targets asked for.  On a system
# without dpkg it leaves the matter to you, and with DEPS=no anywhere.

set -eu

[ "${DEPS:-}" != no ] && command -v dpkg-query >/dev/null || exit 0

# The name of each package that is there, and what it provides.  Only "ii" will
# do: a package removed or half unpacked is listed as well.  Node may come from
# elsewhere than Debian, and then brings no package.
installed()
{
    # shellcheck disable=SC2016 # the ${} are dpkg-query's
    dpkg-query -W -f '${db:Status-Abbrev} ${Package} ${Provides}\n' |
        awk '$1 == "ii" {
            gsub(/[(][^)]*[)]|,/, " ")
            for (i = 2; i <= NF; i++)
                print $i
        }'
    if command -v node >/dev/null; then
        echo nodejs
    fi
}

missing=$(
    installed | awk -v wanted="$*" '
        { have[$1] = 1 }
        END {
            n = split(wanted, want, " ")
            for (i = 1; i <= n; i++)
                if (!have[want[i]]++)
                    printf " %s", want[i]
        }'
)
[ -n "$missing" ] || exit 0

install="apt-get install -y --no-install-recommends$missing"

as_root=
if [ "${DEPS:-}" != install ]; then
    :
elif [ "$(id -u)" -eq 0 ]; then
    as_root='env'
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root='sudo -n env'
fi
if [ -z "$as_root" ]; then
    echo "Some packages are missing.  Install them and try again:" >&2
    echo "    sudo apt-get update && sudo $install" >&2
    exit 1
fi

echo "  APT    $missing" >&2
export DEBIAN_FRONTEND=noninteractive
# Old lists may still do, so a failed update is not yet the end.
$as_root apt-get update -qq >&2 || echo "apt-get update failed; going on" >&2
# shellcheck disable=SC2086 # words, on purpose
exec $as_root DEBIAN_FRONTEND=noninteractive \
    $install -qq -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 >&2
