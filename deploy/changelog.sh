#!/bin/sh
# changelog.sh -- what a Debian package calls its changes: one entry, for the
# version and the commit that are built.
#
# usage: deploy/changelog.sh VERSION

set -eu

commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
when=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
cat <<END
sobremesa ($1) unstable; urgency=medium

  * Built from commit $commit.

 -- Sobremesa maintainers <maintainers@sobremesa.invalid>  $(LC_ALL=C date -R -u -d "@$when")
END
