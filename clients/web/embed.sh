#!/bin/sh
# embed.sh -- turns the browser client into C, so that the binary carries it.
#
# usage: embed.sh FILE... >web.c
#
# Every file becomes its gzip, by zopfli, which takes longer and finds one that is 4 %
# smaller.  Scripts are bundled by esbuild, so that a page far
# away asks for few things, all at once: app.js with what it imports is one piece,
# which every page has; whatever is imported on demand is another, and what several
# of those share.  index.html names the first piece (@FIRST@; app.js as it is
# served only has the names of what is in it) and in @LATER@ what
# comes with each of the others (see early.js, which is served by itself), so that
# nothing is found out only when something else has arrived.
#
# What index.html calls @BASE@ becomes the folder that all but itself are served
# from, a/TAG/, with TAG a hash of everything: a browser may keep what it got
# from there for ever.  No address begins with a slash, so that all works below
# a path as well.  sw.js, the service worker, is told TAG and the files' names, and
# stands beside the page.

set -eu

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

tag=$( (cat "$0" "$@"; esbuild --version) | sha256sum | cut -c1-16)

small() { esbuild --log-level=error --minify --charset=utf8 "$@"; }

# bundle APP: all scripts, into $tmp/js.  That app.js is injected everywhere is
# what makes one piece of it and all that it imports.
bundle()
{
    small "$1" --bundle --splitting --format=esm --target=es2022 \
        --inject:"$1" --chunk-names='[name]-[hash]' --outdir="$tmp/js"
    shorten
}

# TAG tells versions apart: names need no hash besides, which nothing makes smaller
# and each of which is sent twice before anything shows.
shorten()
{
    piece=0
    for script in "$tmp"/js/*-????????.js; do
        old=${script##*/}
        new=${old%-????????.js}.js
        if [ "$new" = chunk.js ]; then
            piece=$((piece + 1))
            new=chunk-$piece.js
        fi
        mv "$script" "$tmp/js/$new"
        echo "s|\./$old|./$new|g" >>"$tmp/names"
    done
    sed -i -f "$tmp/names" "$tmp"/js/*.js
}

# with SCRIPT: it, and all that it imports at once, but for what is in $first.
with()
{
    echo "$1"
    grep -o 'from"\./[^"]*"' "$tmp/js/$1" | sed 's|from"\./\(.*\)"|\1|' |
        while read -r piece; do
            case " app.js $first " in
            *" $piece "*) ;;
            *) with "$piece" ;;
            esac
        done
}

# later FILE...: a line for each script that comes on demand: its name, then what
# comes with it.
later()
{
    for script in "$tmp"/js/*.js; do
        script=${script##*/}
        name=${script%.js}
        case $name in
        app | chunk-*) continue ;;
        esac
        case " app.js $first " in
        *" $script "*) continue ;;
        esac
        styles=
        for file; do
            case $file in
            */games/"$name".css) styles=" games/$name.css" ;;
            */"$name".css) styles=" $name.css" ;;
            esac
        done
        echo "$name $(with "$script" | sort -u | tr '\n' ' ' | sed 's/ $//')$styles"
    done
    echo "lobby lobby.css" # whose script is in the first piece
}

# page FILE...: index.html with all that it names.
page()
{
    later "$@" | tr '\n' ';' >"$tmp/later"
    sed "s|@FIRST@|@BASE@$first|g; s|@LATER@|$(cat "$tmp/later")|g" "$index" |
        sed "s|@BASE@|a/$tag/|g"
}

n=0
# carry PATH TYPE <CONTENT: one file of the binary.
carry()
{
    cat >"$tmp/whole"
    zopfli -c --i5 "$tmp/whole" >"$tmp/gz"
    echo "static const unsigned char gz${n}[] = {"
    od -An -v -tx1 "$tmp/gz" | sed 's/ \(..\)/0x\1,/g'
    echo '};'
    echo "    {\"$1\", \"$2\", $(wc -c <"$tmp/whole"), gz$n, sizeof(gz$n)}," \
        >>"$tmp/list"
    n=$((n + 1))
}

for file; do
    case $file in
    */app.js) bundle "$file" ;;
    *.html) index=$file ;;
    esac
done
first=$(grep -o 'from"\./[^"]*"' "$tmp/js/app.js" |
    sed 's|from"\./\(.*\)"|\1|' | sort -u)

cat <<HEAD
/* Made by clients/web/embed.sh from the files beside it. */

#include "server/io/web.h"

const char web_tag[] = "$tag";
HEAD

# What the service worker keeps: all but the page, for which it asks each time,
# tables for who has no wasm, and icons.
kept()
{
    sed -n 's/^    {"\([^"]*\.\(js\|css\|wasm\|svg\)\)".*/\1/p' "$tmp/list" |
        tr '\n' ' ' | sed 's/ $//'
}

worker=
for file; do
    path=${file#*clients/web/}
    path=${path#core/games/}
    path=${path##*/wasm/}
    case $file in
    */sw.js) worker=$file ;;
    *.html)
        page "$@" >"$tmp/page"
        carry "$path" 'text/html; charset=utf-8' <"$tmp/page"
        ;;
    *.css)
        small --bundle "$file" >"$tmp/style"
        carry "$path" 'text/css; charset=utf-8' <"$tmp/style"
        ;;
    *.svg) carry "$path" 'image/svg+xml' <"$file" ;;
    *.csv)
        sed 's/,"\{0,1\}published.*$/,/' "$file" >"$tmp/table"
        carry "$path" 'text/csv; charset=utf-8' <"$tmp/table"
        ;;
    *.png) carry "$path" 'image/png' <"$file" ;;
    *.webmanifest) carry "$path" 'application/manifest+json' <"$file" ;;
    *.wasm) carry "$path" 'application/wasm' <"$file" ;;
    */early.js)
        small --target=es2022 --loader=js <"$file" >"$tmp/early"
        carry "$path" 'text/javascript; charset=utf-8' <"$tmp/early"
        ;;
    *.js | *.sh) ;;
    *)
        echo "$0: what is $file?" >&2
        exit 1
        ;;
    esac
done
for script in "$tmp"/js/*.js; do
    carry "${script##*/}" 'text/javascript; charset=utf-8' <"$script"
done
sed "s|@TAG@|$tag|; s|@FILES@|$(kept)|" "$worker" |
    small --target=es2022 --loader=js >"$tmp/made"
carry sw.js 'text/javascript; charset=utf-8' <"$tmp/made"

echo 'const struct web_file web_files[] = {'
cat "$tmp/list"
echo '    {0},'
echo '};'
