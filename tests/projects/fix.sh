#!/bin/sh
# fix.sh BIN WORK [NAME...]: findings in released projects, repaired by `stalemate fix`.
#
# fix.list has a paragraph for each. From Debian's source package: the program is built and `fix`
# runs it; the patch, as `fix` has printed it, is applied to a fresh copy of the source; the
# project's own test-suite passes there; the program built from there is hunted and nothing is
# found. Prints a line for each project; status 1 if one is not repaired.
set -u
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "$1" && pwd)
mkdir -p "$2" && work=$(cd "$2" && pwd) || exit 2
shift 2
list=$here/fix.list
: "${HUNT:=30}"
unset STALEMATE_OPTIONS

. "$here/paragraphs.sh"

complain() {
    echo "FAILED: $name: $*" >&2
    return 1
}

# fresh DIRECTORY: a copy of the source.
fresh() {
    rm -rf "$1" && cp -a "$work/sources/$package" "$1" && cd "$1"
}

build() {
    CC="$bin/stalemate-cc" CXX="$bin/stalemate-c++" HERE="$here" sh -c "$(field "$name" build)" >"$log" 2>&1
}

# What `fix` says goes to fix.log, the patch to fix.patch.
repair() {
    eval "set -- $(field "$name" run)"
    "$bin/stalemate" fix --time "$(field "$name" time)" --out "$work/$name/out" -- "$@" \
        >"$work/$name/fix.log" 2>&1 </dev/null
    sed -n '/^patch, for patch -p1/,$p' "$work/$name/fix.log" | sed 1d >"$work/$name/fix.patch"
    [ -s "$work/$name/fix.patch" ]
}

hunted_clean() {
    eval "set -- $(field "$name" run)"
    "$bin/stalemate" hunt --fail-on any --time "$HUNT" --out "$work/$name/again" -- "$@" \
        >"$work/$name/hunt.log" 2>&1 </dev/null
}

try() {
    package=$(field "$name" package)
    [ "$package" ] || complain "not in $list" || return 1
    "$here/../thirdparty/fetch.sh" "$work/sources" "$package" || return 1
    mkdir -p "$work/$name"
    log=$work/$name/build.log
    fresh "$work/$name/original" && build || complain "does not build: $log" || return 1
    repair || complain "no patch: $work/$name/fix.log" || return 1
    fresh "$work/$name/tested" && patch -s -p1 <"$work/$name/fix.patch" ||
        complain "the patch does not apply" || return 1
    CC=clang-19 sh -c "$(field "$name" tests)" >"$work/$name/tests.log" 2>&1 </dev/null ||
        complain "its own tests fail: $work/$name/tests.log" || return 1
    fresh "$work/$name/repaired" && patch -s -p1 <"$work/$name/fix.patch" && build ||
        complain "the patched source does not build: $log" || return 1
    hunted_clean || complain "a hunt finds something: $work/$name/hunt.log" || return 1
    echo "ok: $name: $(sed -n 's/^repair: //p' "$work/$name/fix.log")"
}

failed=0
[ $# -gt 0 ] || set -- $(sed -n 's/^name: //p' "$list")
for name; do
    (try) || failed=1
done
exit $failed
