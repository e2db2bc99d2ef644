# common.sh - sourced by the tests of this directory, with $1 the directory of the commands,
# $2 the unpacked source package and $3 a scratch directory. Leaves a copy of the source in
# ./source, and the scratch directory as the current one.
set -eu
bin=$1
cc=$bin/stalemate-cc
cxx=$bin/stalemate-c++
rm -rf "$3"
mkdir -p "$3"
cd "$3"
cp -a "$2" source

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# build DIRECTORY ARGS...: the package's own make.
build() {
    make -C "$@" >build.log 2>&1 || { tail -n 40 build.log; fail "make -C $*"; }
}

# text SIZE: that many bytes to compress, always the same.
text() {
    seq 1 1000000 | head -c "$1"
}

# controlled SEED ARGS...: one run, with carrier and schedule taken in turn. Prints its output.
controlled() {
    seed=$1
    shift
    set -- --carrier "$(word $((seed % 2 + 1)) fiber thread)" \
        --schedule "$(word $((seed / 2 % 4 + 1)) random pct pos rr)" "$@"
    "$bin/stalemate" run --quiet --timeout 1000 --seed "$seed" "$@" ||
        fail "status $?: $bin/stalemate run --seed $seed $*"
}

# word N WORDS...: the Nth of them.
word() {
    shift "$1"
    echo "$1"
}

# seeds: the twenty of each test.
seeds() {
    seq 1 20
}
