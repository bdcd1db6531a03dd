#!/bin/sh
# embed.sh LANG.po... -- the catalogues as C: what msgfmt makes of each.
set -eu

echo '#include "clients/common/lang.h"'
for po; do
    lang=$(basename "$po" .po)
    echo "static const unsigned char mo_${lang}[] = {"
    msgfmt --check --no-hash --endianness=little -o - "$po" |
        od -An -v -tu1 | sed 's/[0-9][0-9]*/&,/g'
    echo '};'
done
echo 'extern const struct lang_catalogue lang_catalogues[];'
echo 'const struct lang_catalogue lang_catalogues[] = {'
for po; do
    lang=$(basename "$po" .po)
    name=$(sed -n 's/^"Language-Team: \(.*\)\\n"$/\1/p' "$po")
    echo "    {\"$lang\", \"$name\", mo_$lang, sizeof(mo_$lang)},"
done
echo '    {0},'
echo '};'
