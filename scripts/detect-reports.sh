#!/bin/sh
# detect-reports.sh BUILD            writes docs/detect-reports.md anew, ThreadSanitizer's part with it
# detect-reports.sh BUILD --check    is what it shows of Stalemate what Stalemate prints now?
# What differs from run to run is left out of both: addresses, process numbers, build identities.
set -eu
build=$(cd "$1" && pwd) mode=${2:-}
cd "$(dirname "$0")/.."
page=docs/detect-reports.md
programs='global field element stack freed'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

alike() {
    sed -E -e 's/0x[0-9a-f]{6,}/0x.../g' -e 's/\((pid|tid)=[0-9]+/(\1=.../' \
        -e 's/ \([^ ]*\+0x[0-9a-f.]*\)//' -e 's/ \(BuildId: [0-9a-f]*\)//' -e "s,$PWD/docs/reports/,,"
}

# A report is on standard error; that it was made is all the exit status says.
run() {
    (cd docs/reports && "$work/program" 2>&1 >/dev/null) | alike || true
}

stalemate() {
    (cd docs/reports && "$build/bin/stalemate" cc --detect -O2 "$1.c" -o "$work/program")
    run
}

tsan() {
    clang-19 -fsanitize=thread -g -O2 "docs/reports/$1.c" -o "$work/program"
    run
}

# Lines up to an end of a fence, as code.
fenced() {
    printf '```%s\n' "$1"
    cat
    printf '```\n\n'
}

stalemates_part() { # of one program
    printf '## %s.c\n\n' "$1"
    fenced c <"docs/reports/$1.c"
    printf 'Stalemate:\n\n'
    stalemate "$1" | fenced ''
}

write_page() {
    cat <<'END'
# Reports, beside ThreadSanitizer's

What `stalemate cc --detect` and ThreadSanitizer of clang 19 say of the same five programs, built
with `-O2` and run by themselves. Written by `scripts/detect-reports.sh BUILD`; the test
`races.reports` checks that Stalemate still says this. Addresses and the like are left out.
`turn.h` orders two threads without happens-before.

END
    for program in $programs; do
        stalemates_part "$program"
        printf 'ThreadSanitizer:\n\n'
        tsan "$program" | fenced ''
    done
}

# The page without what ThreadSanitizer says, from the first program on.
kept_part() {
    awk '/^## / { on = 1; theirs = 0 } /^ThreadSanitizer:$/ { theirs = 1 } on && !theirs' "$page"
}

if [ "$mode" = --check ]; then
    for program in $programs; do stalemates_part "$program"; done >"$work/now"
    kept_part >"$work/page"
    diff -u "$work/page" "$work/now" || {
        echo "detect-reports: $page shows other reports than these; scripts/detect-reports.sh $1" >&2
        exit 1
    }
else
    write_page >"$work/page"
    cp "$work/page" "$page"
fi
