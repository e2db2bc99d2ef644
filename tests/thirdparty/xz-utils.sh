#!/bin/sh
# xz: configured by autoconf, built by libtool; what its threaded encoder packs under control,
# the installed xz unpacks, and the other way round. Only synchronisation is watched, for the
# compressor itself makes tens of millions of accesses.
. "$(dirname "$0")/common.sh"
(cd source && ./configure CC="$cc" --disable-shared --disable-nls --disable-doc --quiet) \
    >configure.log 2>&1 || { tail -n 40 configure.log; fail "./configure CC=$cc"; }
# What autoconf and automake generate is in the package; they need not be on the machine.
build source ACLOCAL=: AUTOMAKE=: AUTOCONF=: AUTOHEADER=:
text 400000 >input
xz -0 --block-size=100000 -c input >input.xz
for seed in $(seeds); do
    controlled "$seed" --watch none -- source/src/xz/xz -0 -T3 --block-size=100000 -c input >output.xz
    xz -dc output.xz | cmp - input || fail "xz -T3, seed $seed"
    controlled "$seed" --watch none -- source/src/xz/xz -dc input.xz | cmp - input ||
        fail "xz -d, seed $seed"
done
