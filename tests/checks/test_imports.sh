#!/usr/bin/env bash
# test_imports.sh -- the page's modules import each other in one direction: none
# gets back to itself, however it is imported, and the games' know no page.

. tests/support/tap.sh

# Prints "MODULE IMPORTED" for each module below the folder $1, comments and so
# the imports of types left out.  What has a variable in it is no name.
imports()
{
    (
        cd "$1" || exit
        for file in *.js games/*.js; do
            [[ -e $file && $file != types.js ]] || continue
            folder=$(dirname "$file")
            code=$(esbuild --minify-whitespace --format=esm --loader=js <"$file")
            grep -oE '(from|import)\(?"\.[^"$]*"' <<<"$code" |
                sed -E 's/^[^"]*"(.*)"$/\1/' |
                while read -r path; do
                    echo "$file $(realpath -ms --relative-to=. "$folder/$path")"
                done
        done
    )
}

# Each module of the folder $1 that gets back to itself.
circles()
{
    imports "$1" | tsort 2>&1 >/dev/null |
        sed -n 's/^tsort: \(.*\.js\)$/\1/p' | sort -u
}

# What has nothing to look at cannot fail: see that it sees.
mkdir -p "$TMPDIR/page/games"
cd "$TMPDIR/page" || exit
cat >a.js <<'JS'
import {b} from './b.js';
import * as whole from "./games/c.js";
/** @typedef {import('./d.js').D} D */
// import './d.js';
export const a = b + whole.c;
JS
echo "export const b = () => import('./games/c.js');" >b.js
echo "import '../d.js'; export const c = 1;" >games/c.js
echo "export const d = 1;" >d.js
cd "$OLDPWD" || exit
is "$(imports "$TMPDIR/page")" "a.js b.js
a.js games/c.js
b.js games/c.js
games/c.js d.js" "imports are found, of all kinds, and none in comments"
is "$(circles "$TMPDIR/page")" "" "these lead nowhere back"
echo "export const d = () => import('./a.js');" >"$TMPDIR/page/d.js"
like "$(circles "$TMPDIR/page")" 'a\.js.*d\.js' "one more, and they do"

is "$(circles clients/web)" "" "no module of the page gets back to itself"
is "$(imports clients/web |
    grep '^games/' | grep -vE ' (games/.*|dom\.js|core\.js)$')" "" \
    "games/ knows making elements and the core, and no page"

done_testing
