#!/usr/bin/env bash
# test_includes.sh -- folders are circles, and arrows point inward only:
#
#     clients, server -> protocol -> core
#
# The core includes nothing but itself and the headers that need no C library.
# The hub decides and does not touch the world: no libuv, no SQLite, no io/.

. tests/support/tap.sh

# Prints "FILE INCLUDED" for everything a folder includes: <name> as it is, and
# "name", which is beside the file or else below the root, as a path.
includes()
{
    grep -rE '^[[:space:]]*#[[:space:]]*include' --include='*.[ch]' \
        --include='*.def' "$1" /dev/null |
        awk '{
            file = what = $0
            sub(/:.*/, "", file)
            sub(/^[^:]*:[^<"]*/, "", what)
            if (what ~ /^</) {
                sub(/>.*/, ">", what)
                print file, what
                next
            }
            sub(/^"/, "", what)
            sub(/".*/, "", what)
            path = file
            sub(/[^\/]*$/, "", path)
            path = path what
            while (path ~ /[^\/.]+\/\.\.\//)
                sub(/[^\/.]+\/\.\.\//, "", path)
            gsub(/\/\.\//, "/", path)
            print file, ((getline line < path) >= 0 ? path : what)
            close(path)
        }'
}

# may FOLDER PATTERN WHAT: FOLDER includes nothing that does not match.
may()
{
    [[ -d $1 ]] || return 0
    is "$(includes "$1" | grep -vE " ($2)$")" "" "$3"
}

# may_not FOLDER PATTERN WHAT: FOLDER includes nothing that matches.
may_not()
{
    [[ -d $1 ]] || return 0
    is "$(includes "$1" | grep -E " ($2)$")" "" "$3"
}

# What has nothing to look at cannot fail: see that it sees.
is "$(includes core | grep -c 'core/rules.c core/rules.h')" 1 \
    "includes are found, and where they lie"
mkdir -p "$TMPDIR/core"
echo '#include <stdio.h>' >"$TMPDIR/core/bad.c"
is "$(cd "$TMPDIR" && includes core)" "core/bad.c <stdio.h>" \
    "those of the system, too"

may core 'core/.*|<std(def|int|bool|align)\.h>|<limits\.h>' \
    "core/ stands by itself"
may protocol '(core|protocol)/.*|<.*>' \
    "protocol/ knows only the core"
may_not protocol '<(uv|sqlite3|.*curses)\.h>' \
    "protocol/ has no sockets, no files and no screen"
may clients '(core|protocol|clients)/.*|<.*>' \
    "clients/ know the protocol, not the server"
may server '(core|protocol|server|schema)/.*|<.*>' \
    "server/ knows the protocol, not the clients"
may server/hub '(core|protocol|server/hub)/.*|<.*>' \
    "server/hub/ knows only its host"
may_not server/hub '<(uv|uv/.*|sqlite3|sodium|curl/.*|time)\.h>' \
    "server/hub/ touches no part of the world"

# Another store need not be a file: what every store does says nothing of one.
is "$(includes server/io | grep -E '^server/io/store\.h ' |
    grep -vE ' (server/hub/.*|<std(def|int|bool)\.h>)$')" "" \
    "what every store does is said without SQLite"
is "$(includes tests | grep -E '^tests/(sim/|support/(disk|world)).* server/io/' |
    grep -vE ' server/io/(store|log)\.h$')" "" \
    "the simulation's store knows nothing of a file's"

done_testing
