#!/usr/bin/env bash
# soak_package.sh -- the Debian packages: lintian has nothing to say, and in a
# fresh Debian they install, run, stay over a removal and go with a purge.  If
# there is a systemd-nspawn, that Debian is booted, too.

. tests/support/tap.sh

[[ $(id -u) -eq 0 ]] || skip_all 'a fresh Debian is made by root'

# Its own place, so that make's other work is not disturbed.
TOP_BUILD=$BUILD
export BUILD=$TMPDIR/build
mkdir -p "$BUILD" && cp -r "$TOP_BUILD/llhttp" "$BUILD"
ok 'make deb' env -u MAKEFLAGS -u MAKELEVEL DEPS=no make deb BUILD="$BUILD"
debs=("$BUILD"/deb/sobremesa{,d}_*.deb)
is "${#debs[@]}" 2 'two packages'
is "$(lintian --allow-root --fail-on none "$BUILD"/deb/*.changes 2>&1)" '' \
    'lintian has nothing to say'

# ---- what their READMEs and manual pages name is in them ------------------------

for deb in "${debs[@]}"; do
    dpkg -x "$deb" "$TMPDIR/files"
done
docs=$TMPDIR/files/usr/share/doc
named=0 missing=
while IFS=: read -r readme link; do
    named=$((named + 1))
    [[ -e ${readme%/*}/$link ]] ||
        missing+="${readme#"$TMPDIR"/files}: $link"$'\n'
done < <(find "$docs" -name README.md -exec grep -oHE '\]\([^)]+\)' {} + |
    sed -E 's/\]\(([^)#]*).*\)$/\1/' | grep -v '://\|:$')
ok "READMEs lead on: $named times" test "$named" -ge 30
is "$missing" '' 'every file that a README leads to is there'
missing=
while read -r path; do
    [[ -e $TMPDIR/files$path ]] || missing+="$path "
done < <({ zcat "$TMPDIR"/files/usr/share/man/man*/*.gz | tr -d '\134'
    find "$docs" -name README.md -exec cat {} +
} | grep -oE '/usr/share/doc/[A-Za-z0-9_./-]*[A-Za-z0-9]' | sort -u)
is "$missing" '' 'and every path in the documentation that is named whole'

# Made before the tests, with what it will be asked to install, by
# tests/support/debian.sh.  Its processes die with the namespace, whatever happens.
# This test's TMPDIR is not there.
root=$TMPDIR/root
fresh=$TOP_BUILD/debian/root.tar
if ! [[ -s $fresh ]]; then
    diag "no $fresh: make said why a fresh Debian cannot be had"
    tap_result 1 'a fresh Debian'
    done_testing
fi
mkdir "$root" && tar -C "$root" --exclude='./dev/*' -xpf "$fresh"
mkdir "$root/debs" && cp "${debs[@]}" "$root/debs"
inside()
{
    TMPDIR=/tmp unshare --mount --pid --fork --mount-proc="$root/proc" \
        chroot "$root" "$@"
}

export DEBIAN_FRONTEND=noninteractive
# Where all is there already nothing is fetched.
ok 'they install' inside sh -c 'apt-get install -y -q /debs/*.deb ||
    { apt-get update -q -o Acquire::Retries=3 &&
        apt-get install -y -q -o Acquire::Retries=3 /debs/*.deb; }'
is "$(inside id -un sobremesa)" sobremesa 'the user is made'
is "$(inside systemctl is-enabled sobremesad)" enabled 'the service starts with the machine'
is "$(inside systemctl is-enabled sobremesa-backup.timer)" enabled \
    'and so do its backups'
ok 'the server has its allocator' inside sh -c 'ldd /usr/bin/sobremesad | grep -q jemalloc'
ok 'the client has TLS' inside sh -c 'ldd /usr/bin/sobremesa | grep -q libssl'
ok 'the server has what tells people' inside sh -c 'ldd /usr/bin/sobremesad | grep -q libcurl'
ok 'the client runs' inside sobremesa play --offline tictactoe --bots all

cat >"$root/try" <<'SH'
set -e
install -d -o sobremesa -m 700 /var/lib/sobremesa
install -d -o sobremesa /run/sobremesa
cd /
start=$(sed -n 's/^ExecStart=//p' /lib/systemd/system/sobremesad.service)
mkfifo /ready
setpriv --reuid=sobremesa --regid=sobremesa --init-groups $start --http off --lines 127.0.0.1:0 >/ready &
daemon=$!
exec 3</ready
read -r ready <&3
echo "$ready"
sobremesactl status
kill $daemon
wait $daemon
echo "ended with $?"
SH
said=$(inside sh /try 2>&1)
like "$said" '"ready":true.*"admin":"/run/sobremesa/admin.sock"' \
    'the daemon runs as its own user, as the unit starts it'
like "$said" '0\.[0-9]+\.[0-9]+' 'sobremesactl speaks to it'
like "$said" 'ended with 0' 'and it ends'
ok 'its data is there' test -f "$root/var/lib/sobremesa/sobremesa.db"

# ---- a machine's own systemd starts it -----------------------------------------

# The cgroups that it leaves where there is no systemd to remove them.
tidy()
{
    [[ $# -eq 0 ]] || find /sys/fs/cgroup -depth -type d \
        \( -path '*/payload/*' -o -name payload -o -name supervisor \) \
        -exec rmdir {} \; 2>/dev/null
}

# One at a time on this machine: where no systemd gives it a place of its own,
# the cgroup's name is always the same.
boot()
{
    keep=()
    [[ -d /run/systemd/system ]] || keep=(--keep-unit)
    exec 9>/tmp/sobremesa-test-nspawn.lock
    flock 9
    systemd-nspawn --quiet --boot --register=no "${keep[@]}" \
        --private-network --resolv-conf=off --timezone=off --link-journal=no \
        --console=pipe --directory="$root" \
        </dev/null >"$TMPDIR/console" 2>&1 9>&- &
    nspawn=$!
    trap 'kill $nspawn && wait $nspawn; tidy "${keep[@]}"' EXIT
    wait_for is_up_or_down
    is_up
}
is_up() { leader=$(pgrep -P $nspawn) && [[ -S /proc/$leader/root/run/systemd/private ]]; }
is_up_or_down() { is_up || ! kill -0 "$nspawn" 2>/dev/null; }

property() { inside systemctl show -P "$1" sobremesad; }
property_is() { [[ $(property "$1") == "$2" ]]; }
property_is_not() { ! property_is "$@"; }
# awaited COMMAND...: waits for it; else says what the service does.
awaited()
{
    wait_for "$@" && return
    inside systemctl status sobremesad
    return 1
}
# until_others PROPERTY [VALUE]: waits until the service's is another than VALUE,
# or than it is now.
until_others() { awaited property_is_not "$1" "${2:-$(property "$1")}"; }
# until_it_is PROPERTY VALUE: waits for that of the service.
until_it_is() { awaited property_is "$1" "$2"; }
# there COMMANDS: lines as root types it there.
there() { inside sh -c "cd /root && $1" 2>&1; }

if ! command -v systemd-nspawn >/dev/null; then
    echo '# no systemd-nspawn: nobody boots it'
elif ! boot; then
    # Whatever is wrong with the package does not keep a Debian from booting.
    echo '# systemd-nspawn cannot boot it here:'
    sed 's/^/# /' "$TMPDIR/console"
else
    inside() { TMPDIR=/tmp nsenter --all -t "$leader" "$@"; }
    ok 'systemd starts it' until_it_is ActiveState active
    ok 'for root it has a status' inside sobremesactl status
    ok 'for its own user, too' inside setpriv --reuid=sobremesa \
        --regid=sobremesa --init-groups sobremesactl status
    like "$(there 'setpriv --reuid=65534 --clear-groups sobremesactl status')" \
        'Permission denied' 'for nobody else'

    conf=$root/etc/sobremesa.conf
    is "$(inside stat -c '%a %U:%G' /etc/sobremesa.conf)" '640 root:sobremesa' \
        'who is not of its group does not read the configuration'
    sed -i 's/^;name = .*/name = Casa/' "$conf"
    ok 'it reloads' inside systemctl reload sobremesad
    like "$(there 'sobremesactl config show')" 'server.name +Casa ' \
        'and has read what is new'
    sed -i 's/^;registration = .*/registration = perhaps/' "$conf"
    there 'systemctl reload sobremesad' >/dev/null
    is $? 1 'a bad configuration is no reload'
    sed -i 's/^registration = .*/;registration = open/' "$conf"
    is "$(inside systemctl is-active sobremesad)" active 'and harms nobody'

    is "$(inside systemctl is-active sobremesa-backup.timer)" active \
        'the timer of backups waits'
    ok 'what it starts makes one' inside systemctl start sobremesa-backup
    like "$(there 'ls /var/lib/sobremesa-backups')" \
        '^sobremesa-[0-9]{8}T[0-9]{6}Z\.db$' 'which is there'
    like "$(there 'sobremesactl verify /var/lib/sobremesa-backups/*.db')" \
        'the file is whole' 'and whole'
    like "$(there 'sobremesactl status')" 'backup +[0-9]+ s ago' \
        'and told of'
    there 'rm /var/lib/sobremesa-backups/*' >/dev/null

    # As deploy/README.md has it.
    steps=$(sed -n '/^## Backup/,/^In a container/s/^    //p' deploy/README.md)
    like "$steps" '^sobremesactl backup .*
systemctl stop sobremesad
sobremesactl .*restore FILE
systemctl start sobremesad$' 'deploy/README.md has the steps of a backup'
    ok 'a backup' there "$(sed -n 1p <<<"$steps")"
    like "$(there 'sobremesactl backup /tmp/copy.db')" \
        'only the server sees it' 'one that would be lost is told of'
    ok 'it goes elsewhere' there 'mv /var/lib/sobremesa-backups/* copy.db &&
        chown root: copy.db && chmod 600 copy.db'
    ok 'and is gone back to' there \
        "set -e; $(sed '1d; s/FILE/copy.db/' <<<"$steps")"
    ok 'with which it starts' until_it_is ActiveState active
    like "$(there 'journalctl -u sobremesad -o cat')" 'event=restored' \
        'the journal says so'

    inside systemctl kill -s KILL sobremesad
    ok 'killed, it comes again' until_it_is NRestarts 1
    ok 'and is active' until_it_is ActiveState active
    mkdir "$root/etc/systemd/system/sobremesad.service.d"
    printf '[Service]\nWatchdogSec=10\n' \
        >"$root/etc/systemd/system/sobremesad.service.d/quick.conf"
    there 'systemctl daemon-reload && systemctl restart sobremesad'
    ok 'the watchdog hears of it' until_others WatchdogTimestampMonotonic
    ok 'again and again' until_others WatchdogTimestampMonotonic
    restarts=$(property NRestarts)
    inside systemctl kill -s STOP sobremesad
    ok 'stuck, it is started again' until_others NRestarts "$restarts"
    ok 'and is active again' until_it_is ActiveState active
    rm -r "$root/etc/systemd/system/sobremesad.service.d"
    inside systemctl stop sobremesad
    is "$(inside systemctl show -P Result,ExecMainStatus sobremesad)" \
        "success
0" 'it stops in order'
    is "$(there 'journalctl -u sobremesad -o cat' | grep -E '^<[0-9]>|^[0-9-]+T')" \
        '' 'the journal has priorities and times of its own only'
    there 'systemctl daemon-reload && systemctl start sobremesad'
fi

# ---- and away with it ------------------------------------------------------------

ok 'they are removed' inside apt-get remove -y -q sobremesa sobremesad
ok 'the games stay' test -f "$root/var/lib/sobremesa/sobremesa.db"
ok 'the configuration stays' test -f "$root/etc/sobremesa.conf"
ok 'the server is purged' inside apt-get purge -y -q sobremesad
is "$(cd "$root" && find etc lib usr var/lib/sobremesa -name '*sobremesa*' \
    2>/dev/null)" '' 'nothing is left'

done_testing
