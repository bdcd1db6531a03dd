#!/usr/bin/env bash
# test_package.sh -- the Debian packages: lintian has nothing to say, and in a
# fresh Debian they install, run, stay over a removal and go with a purge.

. tests/support/tap.sh

[[ $(id -u) -eq 0 ]] || skip_all 'a fresh Debian is made by root'

# Its own place, so that make's other work is not disturbed.
export BUILD=$TMPDIR/build
mkdir -p "$BUILD" && cp -r build/llhttp "$BUILD"
ok 'make deb' env -u MAKEFLAGS -u MAKELEVEL DEPS=no make deb BUILD="$BUILD"
debs=("$BUILD"/deb/sobremesa{,d}_*.deb)
is "${#debs[@]}" 2 'two packages'
is "$(lintian --allow-root --fail-on none "$BUILD"/deb/*.changes 2>&1)" '' \
    'lintian has nothing to say'

# Its processes die with the namespace, whatever happens.  This test's TMPDIR is
# not there.
root=$TMPDIR/root
if ! mmdebstrap --quiet --variant=apt \
    "$(sh -c '. /etc/os-release && echo "$VERSION_CODENAME"')" "$root" \
    >"$TMPDIR/said" 2>&1; then
    diag <"$TMPDIR/said"
    tap_result 1 'a fresh Debian'
    done_testing
fi
mkdir "$root/debs" && cp "${debs[@]}" "$root/debs"
inside()
{
    TMPDIR=/tmp unshare --mount --pid --fork --mount-proc="$root/proc" \
        chroot "$root" "$@"
}

export DEBIAN_FRONTEND=noninteractive
ok 'apt works there' inside apt-get update -q
ok 'they install' inside sh -c 'apt-get install -y -q /debs/*.deb'
is "$(inside id -un sobremesa)" sobremesa 'the user is made'
is "$(inside systemctl is-enabled sobremesad)" enabled 'the service starts with the machine'
ok 'the server has its allocator' inside sh -c 'ldd /usr/bin/sobremesad | grep -q jemalloc'
ok 'the client has TLS' inside sh -c 'ldd /usr/bin/sobremesa | grep -q libssl'
ok 'the server has none' inside sh -c '! ldd /usr/bin/sobremesad | grep -q libssl'
ok 'the client runs' inside sobremesa play --offline tictactoe --bots all

cat >"$root/try" <<'SH'
set -e
install -d -o sobremesa -m 700 /var/lib/sobremesa
install -d -o sobremesa /run/sobremesa
cd /
start=$(sed -n 's/^ExecStart=//p' /lib/systemd/system/sobremesad.service)
setpriv --reuid=sobremesa --regid=sobremesa --init-groups $start --http off --lines 127.0.0.1:0 >/ready &
daemon=$!
for i in $(seq 300); do
    [ -s /ready ] && break
    sleep 0.1
done
cat /ready
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

ok 'they are removed' inside apt-get remove -y -q sobremesa sobremesad
ok 'the games stay' test -f "$root/var/lib/sobremesa/sobremesa.db"
ok 'the configuration stays' test -f "$root/etc/sobremesa.conf"
ok 'the server is purged' inside apt-get purge -y -q sobremesad
is "$(cd "$root" && find etc lib usr var/lib/sobremesa -name '*sobremesa*' \
    2>/dev/null)" '' 'nothing is left'

done_testing
