#!/bin/sh
# replay --gdb stops where it failed.
. "$(dirname "$0")/../common.sh"
if ! command -v gdb >/dev/null; then
    echo "skipped: there is no gdb"
    exit 77
fi
build victim.c
export LC_ALL=C # a new Debian sets no locale, and gdb then refuses names that are not ASCII

for what in crash assert deadlock; do
    "$stalemate" run --quiet --record w -- ./victim $what >/dev/null 2>&1 </dev/null || true
    echo "backtrace" | "$stalemate" replay --gdb w >output 2>&1 || fail "gdb: $what"
    if [ $what = crash ]; then
        also "SIGSEGV"
    else
        also "sm_end"
    fi
    also "victim.c"
done

# The commands inside gdb: from the failure to the lie, to the store it saw, and on to the end.
cp "$here/stale.c" .
"$stalemate" cc -g -O1 -pthread -o stale stale.c || fail "cannot build stale.c"
"$stalemate" hunt --quiet --seed 1 --no-prescient --variable data --out found -- ./stale \
    >/dev/null 2>&1 </dev/null && fail "the hunt has found nothing"
"$stalemate" replay --gdb --quiet found/witnesses/data-1.smw >output 2>&1 <<'END' || fail "gdb: commands"
stalemate story
stalemate why
info threads
stalemate back
stalemate back
print data
stalemate where
continue
stalemate goto 2
stalemate next-lie
stalemate next-lie
stalemate goto 1000
END
also "all events are as recorded"
also "though thread 1 (producer) had stored 42"
also "The store of data at stale.c:9"
also '"thread 2 · consumer"'
# went WAY EVENT: `back`, `goto` or `next-lie` said where it went.
went() {
    grep -q "$1 to event [0-9]* of [0-9]*: $2" output || { cat output; fail "not $1 to $2"; }
}
went back "thread 2 · consumer: read data = 7 at stale.c:17"
went back "thread 0 · main: write data = 7 at stale.c:24"
also "in main () at stale.c:24"
also "\$1 = 7"
went on "thread 2 · consumer: read data = 7"
also "'1000' is no event"
# At the start and after the way back: the same end, with the same events.
[ "$(grep -c 'all events are as recorded' output)" = 2 ] || fail "not the same end twice"
[ "$(grep -c 'then assert: stale.c:17' output)" = 2 ] || fail "not the same failure twice"
grep -q 'not as recorded' output && fail "other events"

# Without a lie there is none to go to.
"$stalemate" run --quiet --record w -- ./victim crash >/dev/null 2>&1 </dev/null || true
printf 'stalemate next-lie\nstalemate why\n' | "$stalemate" replay --gdb --quiet w >output 2>&1 || fail "gdb: no lie"
also "no read from here on saw another value than the newest"
