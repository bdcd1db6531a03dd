#!/usr/bin/env bash
# test_quickstart.sh -- the README's quick start, from a clean clone in an empty
# directory, by its own words: the commands are taken from it.  What make has built
# for the other tests is copied there; with CLEAN=1, as soak_quickstart.sh has it,
# everything is built from nothing.

. tests/support/tap.sh

[[ $(id -u) -eq 0 ]] ||
    skip_all 'a network of its own, where 8080 and 7070 are free, needs root'
git rev-parse --git-dir >/dev/null 2>&1 || skip_all 'this is no clone'

# What is committed, and what is not yet.
clone=$TMPDIR/clone
git clone -q . "$clone" 2>/dev/null || skip_all 'git cannot clone here'
git ls-files -z --modified --others --exclude-standard |
    xargs -0r cp --parents -t "$clone" 2>/dev/null
cd "$clone" || exit

commands=$(sed -n '/^## Five minutes/,/^## Hosting/s/^    //p' README.md)
like "$commands" '^make run
.*/sobremesa register ana
.*create hacienda
.*play TABLE --as ana
.*register ben
.*join TABLE
.*play TABLE --as ben
.*create hacienda --bots search$' 'the README has them'

# What was fetched for the tests stays: nothing here needs a network.  npm has it in
# the cache that make has told it of.
mkdir build && cp -r "$BUILD/llhttp" build
export npm_config_cache=${npm_config_cache:-$BUILD/npm/cache}

# say N: the Nth command, with the table's id.
say() { sed -n "$1p" <<<"$commands" | sed "s/TABLE/$table/"; }
built=$BUILD
unset BUILD BIN MAKEFLAGS MAKELEVEL
ok 'make deps fetches what there is to fetch' make deps
ok 'what was fetched stays when the rest is removed' make clean
# Sources older than what was made of them, as they are where it was made.
if [[ -z ${CLEAN:-} ]]; then
    tar -C "$built" --exclude=release/tests -c bin gen names release wasm |
        tar -C build -x
    find . \( -path ./build -o -path ./.git \) -prune -o -type f \
        -exec touch -d 2000-01-01 {} +
fi
# From here on in a network of our own, which has nothing to fetch from.
ok 'it builds offline' unshare --net make

cat >"$TMPDIR/inside" <<'SH'
ip link set lo up
exec $1
SH
# Where the ports are free; all that runs there ends with it.
unshare --net --pid --fork --kill-child sh "$TMPDIR/inside" "$(say 1)" \
    >"$TMPDIR/run" 2>"$TMPDIR/log" &
keeper=$!
trap 'kill -KILL $keeper 2>/dev/null' EXIT # unshare minds no other
begun() { grep -q 'Ctrl-C' "$TMPDIR/run" || ! kill -0 "$keeper" 2>/dev/null; }
wait_for begun
like "$(<"$TMPDIR/run")" 'in a browser +http://127.0.0.1:8080/' \
    'make run says where to point a browser'
there() { nsenter --net="/proc/$(pgrep -P $keeper)/ns/net" "$@"; }
run() { out=$(there bash -c "$(say "$1")" <"${2:-/dev/null}" 2>&1); }

echo 'a good password' >"$TMPDIR/password"
run 2 "$TMPDIR/password"
like "$out" 'You are ana' 'Ana registers'
run 3
table=$(grep -oE '\b[a-z0-9]{13}\b' <<<"$out" | head -1)
ok "the table's id is told" test -n "$table"
run 5 "$TMPDIR/password"
like "$out" 'You are ben' 'Ben registers'
run 6
like "$out" 'seat 1|[Ss]it' 'Ben joins'
echo 'quit' >"$TMPDIR/quit"
run 4 "$TMPDIR/quit"
like "$out" "Table $table: Hacienda, 2 players. You are ana." 'Ana plays'
run 7 "$TMPDIR/quit"
like "$out" "Table $table: Hacienda, 2 players. You are ben." 'Ben plays'

# The other way, against one of the server's bots; and to the end, by a bot for Ana.
first=$table
run 8
like "$out" 'Hacienda' 'a table with a bot'
table=$(there build/bin/sobremesa create tictactoe --bots greedy --as ana --quiet)
there timeout 1200 build/bin/sobremesa bot "$table" --as ana >"$TMPDIR/bot" 2>&1
is $? 0 'it plays to the end'
out=$(there build/bin/sobremesa replay "$table" --all --plain --as ana 2>&1)
like "$out" '[Tt]he game is over|wins|draw' 'which replay shows'
out=$(there curl -s "http://127.0.0.1:8080/api/v1/tables/$table/record" |
    build/bin/sobremesa verify - 2>&1)
is "$out" ok 'and verify confirms'
out=$(there build/bin/sobremesactl tables show "$first" 2>&1)
like "$out" 'ana' 'the administrator sees the first table'
done_testing
