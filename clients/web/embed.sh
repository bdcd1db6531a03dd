#!/bin/sh
# embed.sh -- turns the browser client into C, so that the binary carries it.
#
# usage: embed.sh FILE... >web.c
#
# Every file becomes its gzip, scripts and styles first minified by esbuild; what
# index.html calls @BASE@ becomes the folder that all but itself are served
# from, a/TAG/, with TAG a hash of everything: a browser may keep what it got
# from there for ever.  No address begins with a slash, so that all works below
# a path as well.

set -eu

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

tag=$(cat "$@" | sha256sum | cut -c1-16)

cat <<HEAD
/* Made by clients/web/embed.sh from the files beside it. */

#include "server/io/web.h"

const char web_tag[] = "$tag";
HEAD

n=0
for file; do
    case $file in
    *.html) type='text/html; charset=utf-8' ;;
    *.css) type='text/css; charset=utf-8' ;;
    *.js) type='text/javascript; charset=utf-8' ;;
    *.svg) type='image/svg+xml' ;;
    *.csv) type='text/csv; charset=utf-8' ;;
    *.wasm) type='application/wasm' ;;
    *.sh) continue ;;
    *)
        echo "$0: what is $file?" >&2
        exit 1
        ;;
    esac
    case $file in
    *.html) sed "s|@BASE@|a/$tag/|g" "$file" ;;
    *.js) esbuild --minify --charset=utf8 --format=esm --target=es2022 \
        --loader=js <"$file" ;;
    *.css) esbuild --minify --charset=utf8 --loader=css <"$file" ;;
    *.csv) sed 's/,"\{0,1\}published.*$/,/' "$file" ;;
    *) cat "$file" ;;
    esac >"$tmp/whole"
    gzip -9n <"$tmp/whole" >"$tmp/gz"
    path=${file#*clients/web/}
    path=${path#core/games/}
    path=${path##*/wasm/}
    echo "static const unsigned char gz${n}[] = {"
    od -An -v -tx1 "$tmp/gz" | sed 's/ \(..\)/0x\1,/g'
    echo '};'
    echo "    {\"$path\", \"$type\", $(wc -c <"$tmp/whole"), gz$n," \
        "sizeof(gz$n)}," >>"$tmp/list"
    n=$((n + 1))
done

echo 'const struct web_file web_files[] = {'
cat "$tmp/list"
echo '    {0},'
echo '};'
