#!/bin/sh
# false_alarms.sh STALEMATE SOURCES PROGRAMS: in the programs of ../programs that are right, of
# whatever means of synchronisation, `stalemate atomicity` finds nothing.
set -u
stalemate=$1 sources=$2 programs=$3
out=$programs/false_alarms.out
ran=0 failed=0

for source in "$sources"/cxx/*.c* "$sources"/language/*.c* "$sources"/libc/*.c* \
    "$sources"/sync/*.c* "$sources"/threads/*.c*; do
    grep -Eq '^// (expect|stdin):' "$source" && continue
    binary=${source%.*}
    binary=$programs/${binary#"$sources"/}
    # shellcheck disable=SC2046 # a list
    set -- "$stalemate" atomicity --out "$out" -- "$binary" \
        $(sed -n 's|^// args: *||p' "$source")
    "$@" >"$programs/false_alarms.text" 2>&1 </dev/null
    status=$?
    ran=$((ran + 1))
    [ $status -eq 0 ] && continue
    failed=$((failed + 1))
    echo "FAILED: exit status $status: $*" >&2
    cat "$programs/false_alarms.text" >&2
done
echo "$ran programs, $failed failed"
[ $failed -eq 0 ]
