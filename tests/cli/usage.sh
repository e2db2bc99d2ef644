#!/bin/sh
# Help that fits a screen; wrong commands and options that say what was meant.
. "$(dirname "$0")/../common.sh"

# The commands are those that --help lists.
commands=$("$stalemate" --help | sed -n 's/^  \([a-z+]*\) .*\[.*/\1/p')
[ "$(echo "$commands" | wc -l)" -ge 9 ] || fail "commands are missing: $commands"
for command in "" $commands; do
    says 0 "example" "$stalemate" $command --help
    sed '/^further options/,/^example/d' output >screen
    [ "$(wc -l <screen)" -le 24 ] || fail "more than 24 lines: stalemate $command --help"
    [ "$(wc -L <output)" -le 80 ] || fail "more than 80 columns: stalemate $command --help"
done
says 2 "usage: stalemate COMMAND" "$stalemate"
[ "$(wc -l <output)" -le 24 ] && [ "$(wc -L <output)" -le 80 ] || fail "too much for a screen"
says 0 "USAGE: clang" "$1/stalemate-cc" --help
says 0 "stalemate 0." "$stalemate" --version

says 2 "unknown command 'rnu'; did you mean 'run'?" "$stalemate" rnu
says 2 "unknown command 'xyzzy'; for a list type: stalemate --help" "$stalemate" xyzzy
says 2 "unknown option --sede; did you mean --seed?" "$stalemate" run --sede 1 -- true
says 2 "unknown option --zzzzzz; for a list of options add --help" "$stalemate" run --zzzzzz -- true
says 2 "unknown option -s; options start with --" "$stalemate" run -s 1 -- true
says 2 "--seed needs a value: --seed N" "$stalemate" run --seed
says 2 "--seed wants a whole number" "$stalemate" run --seed seven -- true
says 2 "--seed wants a whole number" "$stalemate" run --seed -7 -- true
says 2 "--steps wants a whole number" "$stalemate" run --steps 99999999999999999999 -- true
says 2 "--timeout wants a number of seconds" "$stalemate" run --timeout soon -- true
says 2 "--model wants sc" "$stalemate" run --model x86 -- true
says 2 "--schedule wants random, pct, pos, rr, patient, steered or hesitant" "$stalemate" run --schedule fair -- true
says 2 "no program given" "$stalemate" run
says 2 "no witness given" "$stalemate" replay
says 2 "one witness at a time" "$stalemate" replay a b

build victim.c
says 2 "STALEMATE_OPTIONS: unknown option --sede" \
    env STALEMATE_OPTIONS="--sede 3" "$stalemate" run ./victim
printf 'seed = 5\n\nsteps = many\n' >stalemate.conf
says 2 "stalemate.conf:3: steps wants a whole number" "$stalemate" run ./victim
printf 'seed = 5\n' >stalemate.conf
says 0 "seed 5" "$stalemate" run ./victim
says 0 "seed 6" env STALEMATE_OPTIONS="--seed 6" "$stalemate" run ./victim
says 0 "seed 7" env STALEMATE_OPTIONS="--seed 6" "$stalemate" run --seed 7 -- ./victim

says 2 "not-a-compiler" env STALEMATE_CLANG=/not-a-compiler "$stalemate" cc -c "$here/victim.c"
