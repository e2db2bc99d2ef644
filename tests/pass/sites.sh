#!/bin/sh
# sites.sh CLANG PLUGIN STUB WORK SOURCE
# Builds SOURCE with the pass at -O0 and -O2 and compares the tables with the comments
# in it. One of these stands on a line of its own, behind //:
#   expect: TEXT    a line of the dump contains TEXT
#   absent: TEXT    none does
#   count: N TEXT   N lines do
#   hooks: TEXT     a line of the hook counts of a watched run starts with TEXT
set -eu
clang=$1 plugin=$2 stub=$3 work=$4 source=$5
case $source in *.cpp) clang="$clang --driver-mode=g++" ;; esac
mkdir -p "$work"
failed=0

complain() {
    echo "FAIL: $source -O$level: $1" >&2
    echo "  see $work/O$level.dump" >&2
    failed=1
}

for level in 0 2; do
    dump=$work/O$level.dump
    optnone=
    [ $level = 0 ] && optnone="-Xclang -disable-O0-optnone"
    $clang -O$level -g -pthread -Wno-everything -fno-omit-frame-pointer $optnone \
        -fpass-plugin="$plugin" "$source" -o "$work/O$level" "$stub" \
        -Wl,-rpath,"$(dirname "$stub")" -latomic
    STUB_DUMP=1 STUB_COUNT=1 STUB_WATCH=2 STUB_BUDGET=1 "$work/O$level" >/dev/null 2>"$dump" ||
        complain "the program fails"
    sed -n 's,^ *// \(expect\|absent\|count\|hooks\): ,\1 ,p' "$source" >"$work/wanted"
    while read -r what text; do
        case $what in
        expect) grep -qF -- "$text" "$dump" || complain "missing: $text" ;;
        absent) ! grep -qF -- "$text" "$dump" || complain "must not be there: $text" ;;
        count)
            n=$(grep -cF -- "${text#* }" "$dump" || :)
            [ "$n" = "${text%% *}" ] || complain "$n instead of: $text" ;;
        hooks) grep -q "^hook $text" "$dump" || complain "hook not called: $text" ;;
        esac
    done <"$work/wanted"
done
exit $failed
