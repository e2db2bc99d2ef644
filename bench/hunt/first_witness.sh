# first_witness.sh - sourced: how long a hunt takes until its first witness is written.
unset STALEMATE_OPTIONS

now() { # milliseconds
    echo $(($(date +%s%N) / 1000000))
}

# first_witness STALEMATE PROGRAM SEED: milliseconds; nothing is printed if there is no witness.
first_witness() {
    rm -rf out
    start=$(now)
    env --default-signal=INT "$1" hunt --quiet --seed "$3" --out out -- "$2" \
        >/dev/null 2>&1 </dev/null &
    hunt=$!
    until ls out/witnesses/*.smw >/dev/null 2>&1; do
        kill -0 $hunt 2>/dev/null || break
        sleep 0.005
    done
    end=$(now)
    kill -INT $hunt 2>/dev/null || true
    wait $hunt 2>/dev/null || true
    ! ls out/witnesses/*.smw >/dev/null 2>&1 || echo $((end - start))
}

# median FILE: of its lines, and least, most and number.
median() {
    sort -n "$1" | awk '{ t[NR] = $1 }
        END { print NR ? t[int((NR + 1) / 2)] : 0, NR ? t[1] : 0, NR ? t[NR] : 0, NR }'
}

# destructive DIRECTORY: the programs of it whose race is destructive.
destructive() {
    grep -l '^ \* hunt: .* destructive' "$1"/*.c*
}

compile() { # SOURCE OUTPUT COMMAND...
    source=$1 output=$2
    shift 2
    "$@" -g -O1 -pthread -o "$output" "$source" -lm $library
}

# language SOURCE: sets language and library.
language() {
    case $1 in
    *.cpp) language=c++ library=-lstdc++ ;;
    *) language=cc library= ;;
    esac
}
