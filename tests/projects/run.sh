#!/bin/sh
# run.sh BIN WORK [NAME...]: released projects, from Debian's source packages, under Stalemate.
#
# projects.list has a paragraph for each project. Each is fetched, built by its own build system
# in both flavours and for ThreadSanitizer, and tried step by step: its own tests without control,
# SEEDS seeds under control twice each, races by both flavours and by ThreadSanitizer, a hunt of
# HUNT seconds. What a step found is in WORK/NAME/STEP.result; a step that has one is not repeated,
# so an interrupted run goes on where it was. table.sh makes the table of docs/projects.md of these.
set -u
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "$1" && pwd)
mkdir -p "$2" && work=$(cd "$2" && pwd) || exit 2
shift 2
: "${SEEDS:=10}" "${HUNT:=120}" "${LIMIT:=600}" "${RUN_WITH:=}"
list=$here/projects.list
unset STALEMATE_OPTIONS

. "$here/paragraphs.sh"

# compiler NAME COMMAND: a command of one word, as some build systems want CC to be.
compiler() {
    printf '#!/bin/sh\nexec %s "$@"\n' "$2" >"$work/compilers/$1"
    chmod +x "$work/compilers/$1"
}

compilers() {
    mkdir -p "$work/compilers"
    compiler control-cc "$bin/stalemate cc"
    compiler control-c++ "$bin/stalemate c++"
    compiler detect-cc "$bin/stalemate cc --detect"
    compiler detect-c++ "$bin/stalemate c++ --detect"
    compiler tsan-cc "clang-19 -g -fsanitize=thread"
    compiler tsan-c++ "clang++-19 -g -fsanitize=thread"
}

# in_flavour FLAVOUR COMMAND: by the shell, in that copy of the source, with its compilers. NOGEN
# is for make: what the autotools generate is in the package, and they need not be on the machine.
in_flavour() {
    (cd "$work/$name/$1" && limited "$LIMIT" env CC="$work/compilers/$1-cc" \
        CXX="$work/compilers/$1-c++" HERE="$here" \
        NOGEN="ACLOCAL=: AUTOMAKE=: AUTOCONF=: AUTOHEADER=: MAKEINFO=:" sh -c "$2")
}

# limited SECONDS COMMAND...: with what it starts; it reads $input. RUN_WITH: for instance a
# command that waits for its turn.
limited() {
    $RUN_WITH nice timeout -k 5 "$@" <"${input:-/dev/null}"
}

# step NAME FUNCTION ARGS...: once; what it prints is its result.
step() {
    result=$work/$name/$1.result
    [ ! -e "$result" ] || return 0
    echo "$name: $1" >&2
    log=$work/$name/$1.log
    shift
    "$@" >"$result.new" 2>"$log"
    mv "$result.new" "$result"
}

compile() {
    copy=$work/$name/$1
    rm -rf "$copy" && cp -a "$work/sources/$package" "$copy"
    began=$(date +%s)
    in_flavour "$1" "$(field "$name" build)" >&2 && echo "ok $(($(date +%s) - began))" ||
        echo "FAILED"
}

own_tests() {
    [ "$(field "$name" tests)" ] || { echo none; return; }
    in_flavour control "$(field "$name" tests)" >&2 && echo ok || echo "status $?"
}

# controlled OPTIONS: the project's program under `stalemate COMMAND`.
controlled() {
    flavour=$1
    shift
    eval "set -- \"\$@\" -- $(field "$name" run)"
    (cd "$work/$name/$flavour" && limited "$LIMIT" "$bin/stalemate" "$@")
}

# Each seed twice: the exit status of both, and the hash of both.
seeds() {
    seed=1
    while [ "$seed" -le "$SEEDS" ]; do
        for turn in first second; do
            controlled control run --quiet --seed $seed --timeout 60 \
                --json "$work/$name/seed.json" >/dev/null
            eval "$turn=\"$? \$(sed -n 's/.*\"trace_hash\": \"\\(.*\\)\".*/\\1/p' "$work/$name/seed.json")\""
            rm -f "$work/$name/seed.json"
        done
        [ "$first" = "$second" ] && echo "seed $seed equal $first" || echo "seed $seed DIFFERS $first $second"
        seed=$((seed + 1))
    done
}

# The variables in races, one a line; at last the exit status.
races() {
    json=$work/$name/races-$1.json
    controlled "$1" detect --json "$json" --time 60 >&2
    status=$?
    sed -n 's/^      "variable": "\(.*\)",*$/race \1/p' "$json" 2>/dev/null | sort | uniq -c
    echo "status $status"
}

# ThreadSanitizer names functions, not variables: of each report the two accesses.
tsan_races() {
    (cd "$work/$name/tsan" &&
        TSAN_OPTIONS="log_path=$work/$name/tsan.report exitcode=66" limited "$LIMIT" sh -c "$(field "$name" run)" >&2)
    status=$?
    cat "$work/$name"/tsan.report* 2>/dev/null | grep '^SUMMARY' | sed 's/.*data race/race/' | sort | uniq -c
    echo "status $status"
}

hunt() {
    rm -rf "$work/$name/out"
    controlled control hunt --time "$HUNT" --timeout 60 --out "$work/$name/out" \
        --json "$work/$name/hunt.json"
    echo "status $?"
}

try() {
    package=$(field "$name" package)
    input=
    [ "$package" ] || { echo "$name is not in $list" >&2; return 1; }
    "$here/../thirdparty/fetch.sh" "$work/sources" "$package" || return 1
    mkdir -p "$work/$name"
    dpkg-parsechangelog -l "$work/sources/$package/debian/changelog" -S Version >"$work/$name/version"
    for flavour in control detect tsan; do
        step "build-$flavour" compile $flavour
    done
    grep -q FAILED "$work/$name"/build-*.result && { echo "$name: does not build" >&2; return 1; }
    step tests own_tests
    input=$(field "$name" input)
    step seeds seeds
    step races-control races control
    step races-detect races detect
    step races-tsan tsan_races
    step hunt hunt
}

compilers
[ $# -gt 0 ] || set -- $(sed -n 's/^name: //p' "$list")
for name; do
    try
done
