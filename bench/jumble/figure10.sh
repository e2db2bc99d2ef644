# figure10.sh, sourced by run.sh: Figure 10 of the Jumble paper beside ours: what it costs to keep
# the history of one racy variable, with the heuristic that does not lie. Programs are built
# with -DLONG_RUN (scale.h). Times are CPU seconds on one core, less those of a program that
# does nothing; the controlled one runs its threads one after the other, since the paper's
# Jumble schedules nothing. Of arrays elements 0 and 1 are watched, as in the paper.
clang=${STALEMATE_CLANG:-clang-19}

# cpu COMMAND...: CPU seconds, the best of three.
cpu() {
    ./usage used 3 taskset -c 0 "$@" >output 2>&1 </dev/null || true
    cut -d ' ' -f 1 used
}

# controlled VARIABLE PROGRAM
controlled() {
    cpu "$stalemate" run --model hb --heuristic sc --schedule pct --pct-depth 1 --verbose \
        --sample 2 --watch "$1" -- "./$2"
}

# counted WORDS: what the last run counted under this name.
counted() {
    awk -v words="$1" '{ n = $1; $1 = ""; if ($0 == " " words) found = n } END { print found + 0 }' \
        output
}

make_program() { # SOURCE NAME
    "$clang" -O1 -pthread -DLONG_RUN -o "$2.native" "$1" -lm
    "$stalemate" cc -g -O1 -pthread -DLONG_RUN -o "$2" "$1" -lm
}

"$clang" -O1 -o usage "$here/../usage.c"
echo 'int main(void) { return 0; }' >nothing.c
make_program nothing.c nothing
native_start=$(cpu ./nothing.native)
start=$(controlled none nothing)

table "Figure 10" "$here/differences.txt"
grep -v '^#' "$here/figure10.txt" >rows
: >slowdowns
while read -r program variable row lines threads base p_empty p_jumble instances writes whole longest; do
    [ -e "$program.long" ] || make_program "$here/$program.c" "$program.long"
    native=$(cpu "./$program.long.native")
    empty=$(controlled none "$program.long")
    ours=$(controlled "$variable" "$program.long")
    set -- $(awk -v n="$native" -v o="$ours" -v e="$empty" -v s="$start" -v t="$native_start" \
        'BEGIN { n -= t; printf "%.2f %.1f %.1f\n", n, (e - s) / n, (o - s) / n }')
    echo "$3" >>slowdowns
    cell "$row" lines "$lines" "$(wc -l <"$here/$program.c")" near
    cell "$row" threads "$threads" "$(sed -n 's/.*events, \([0-9]*\) threads.*/\1/p' output | tail -1)"
    cell "$row" "base s" "$base" "$1" near
    cell "$row" empty "$p_empty" "$2" near
    cell "$row" jumble "$p_jumble" "$3" near
    cell "$row" instances "$instances" "$(counted 'locations with a history')"
    cell "$row" writes "$writes" "$(counted 'stores to locations with a history')"
    cell "$row" "longest whole" "$whole" "$(counted 'most stores made to one location')"
    cell "$row" "longest compressed" "$longest" "$(counted 'most stores remembered for one location')"
    printf '%-26s dropped by GC1 %s, by GC2 %s, by REMOVE OLDEST %s\n' "$row" \
        "$(counted 'history entries dropped by GC1')" \
        "$(counted 'history entries dropped by GC2')" \
        "$(counted 'history entries dropped by REMOVE OLDEST')" >>dropped
done <rows
table_end
cat dropped
awk '{ sum += log($1 < 0.1 ? 0.1 : $1); n++ }
    END { printf "slowdown, geometric mean: %.2f\n\n", exp(sum / n) }' slowdowns
