#!/usr/bin/env bash
# test_lint.sh -- what the checkers of C and of shell scripts have to say:
# nothing.  What clang-tidy looks for is in .clang-tidy.

. tests/support/tap.sh

# The sources of what is built.  Headers are seen through what includes them,
# and tests, which are half Criterion's macros, have only the compiler to please.
read -ra files <<<"$PRODUCT"
mapfile -t scripts < <(find . \
    \( -path ./.git -o -path "$BUILD" -o -path ./build -o \
    -name node_modules \) -prune -o -name '*.sh' -print)

read -ra libpq <<<"$(pkg-config --cflags libpq)"
flags=(-std=c11 -D_GNU_SOURCE -I. -isystem "$BUILD/llhttp" "${libpq[@]}")

each()
{
    printf '%s\n' "${files[@]}" | xargs -P "${JOBS:-2}" -n 1 "$@"
}

tidy()
{
    # shellcheck disable=SC2016 # xargs' argument
    each bash -c '"${CLANG_TIDY:-clang-tidy-14}" --quiet \
        --warnings-as-errors="*" "$1" -- '"${flags[*]}" - 2>/dev/null
}

ok "shellcheck" shellcheck --external-sources "${scripts[@]}" .ci/run
# Two of its warnings do not see what a loop or an ASSERT has made sure of.
ok "cppcheck" cppcheck --quiet --std=c11 --enable=warning,portability \
    --suppress=uninitvar --suppress=arrayIndexOutOfBoundsCond \
    --inline-suppr --error-exitcode=1 -j "${JOBS:-2}" "${files[@]}"
ok "clang-tidy" tidy

done_testing
