#!/usr/bin/env bash
# debian.sh -- a fresh Debian as an archive, with what the programs of BIN need of it
# among the packages that its apt has fetched: so deploy/soak_package.sh needs no
# network.  By root.
#
# usage: BIN=build/bin tests/support/debian.sh ARCHIVE

set -eu

# What the packages depend on, by what their programs are linked with and by name.
libraries=$(for program in "$BIN"/sobremesa{,d,ctl,-bot}; do
    ldd "$program"
done | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p' | sort -u |
    while read -r file; do
        dpkg-query -S "$(realpath "$file")" "$file" 2>/dev/null || :
    done | sed 's/:.*//' | sort -u)
mmdebstrap --quiet --variant=apt --aptopt='Acquire::Retries "3"' \
    --customize-hook="chroot \"\$1\" apt-get install -y --download-only \
        ${libraries//$'\n'/ } adduser ca-certificates systemd systemd-sysv tzdata" \
    --customize-hook='rm "$1"/etc/apt/apt.conf.d/99mmdebstrap' \
    --skip=cleanup/apt \
    "$(sh -c '. /etc/os-release && echo "$VERSION_CODENAME"')" "$1.new.tar"
mv "$1.new.tar" "$1"
