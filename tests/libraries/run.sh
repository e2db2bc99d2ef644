#!/bin/sh
# run.sh BIN-DIR SCRATCH: libraries that a program loads while it runs, in both flavours.
. "$(dirname "$0")/../common.sh"

for flavour in "" --detect; do
    mkdir -p "d$flavour"
    for name in racy twin; do
        define=$([ $name = racy ] || echo -DTWIN)
        "$stalemate" cc $flavour $define -g -O1 -fPIC -shared "$here/library.c" -o "d$flavour/$name.so"
    done
    "$stalemate" cc $flavour -g -O1 -pthread "$here/host.c" -o "d$flavour/host"
done
clang-19 -g -O1 -pthread "$here/host.c" -o d/plain

# Races in a library have names and places, by relative and by absolute paths.
for flavour in "" --detect; do
    says 1 'shared_pair.second' "$stalemate" detect -- "d$flavour/host" "./d$flavour/racy.so"
    also library.c:15
    says 0 '0 data races' "$stalemate" detect -- "d$flavour/host" "$PWD/d$flavour/twin.so"
done
says 0 'shared_pair.second' "$stalemate" hunt --trials 40 --out o -- d/host ./d/racy.so
never '  ?  '
says 0 '0 racy variables' "$stalemate" hunt --trials 40 --out o -- d/host ./d/twin.so

# One numbering of the sites, whichever is loaded first.
says 0 'closed' "$stalemate" run --record w.smw -- d/host ./d/racy.so ./d/twin.so
says 0 'event for event' "$stalemate" replay w.smw

# A library that was closed stays: what the runtime knows of it is in its memory.
says 0 'closed' d/plain ./d/racy.so ./d/twin.so

# An exploration restarts in the process, and the loader does not.
says 3 'loads a library while it runs' "$stalemate" verify -- d/host ./d/racy.so
