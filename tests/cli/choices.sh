#!/bin/sh
# Executions of many choices: none is a failure for that. Recorded, they are bounded by --memory,
# and the end of that room is told.
. "$(dirname "$0")/../common.sh"
build choices.c

# More than 2^24, the room that there once was.
says 0 "" "$stalemate" run --quiet -- ./choices 2500000

says 3 "of the 64 MiB of memory; to allow more: --memory MIB; the schedule pct has fewer choices" \
    "$stalemate" run --quiet --memory 64 --record w -- ./choices 1000000
also "stalemate: the recording of "
[ ! -e w ] || fail "there is a witness of a part"

# Twins: nothing is recorded; there is room; what the message advises.
says 0 "" "$stalemate" run --quiet --memory 64 -- ./choices 1000000
# There was a limit of 256 MB to what is read, too.
says 0 "" "$stalemate" run --quiet --record w -- ./choices 600000
says 0 "" "$stalemate" replay --quiet w
says 0 "" "$stalemate" run --quiet --schedule pct --record w -- ./choices 100000
