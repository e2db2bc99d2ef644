#!/bin/sh
# Things that are not a program built with Stalemate.
. "$(dirname "$0")/../common.sh"

says 2 "./missing: No such file or directory" "$stalemate" run ./missing
says 2 "missing: not found in PATH" "$stalemate" run missing
says 2 "is a directory" "$stalemate" run ./

echo 'int main(void) { return 0; }' >plain.c
"${CC:-cc}" -o plain plain.c 2>/dev/null || clang-19 -o plain plain.c
says 2 "not built with Stalemate; build it with: stalemate cc" "$stalemate" run ./plain
says 2 "not found in PATH; for the one here type: ./plain" "$stalemate" run plain
chmod -x plain
says 2 "not executable; try: chmod +x ./plain" "$stalemate" run ./plain
printf '#!/bin/sh\necho hi\n' >script
chmod +x script
says 2 "not a compiled program" "$stalemate" run ./script
head -c 100 plain >stump
chmod +x stump
says 2 "stump" "$stalemate" run ./stump

"$stalemate" cc --detect -o parallel plain.c
says 2 "built with --detect" "$stalemate" run ./parallel
also "stalemate detect; for this command build it without --detect"

# A timer that starts a thread: the program must not go on with an error of ours.
cat >timer.c <<'C'
#define _GNU_SOURCE
#include <signal.h>
#include <time.h>

static void expire(union sigval value)
{
    (void)value;
}

int main(int argc, char **argv)
{
    (void)argv;
    struct sigevent event = {.sigev_notify = argc > 1 ? SIGEV_NONE : SIGEV_THREAD};
    event.sigev_notify_function = expire;
    timer_t timer;
    return timer_create(CLOCK_MONOTONIC, &event, &timer) != 0;
}
C
"$stalemate" cc -o timer timer.c
says 0 "" ./timer
for command in run hunt verify; do
    says 3 "the program calls timer_create with SIGEV_THREAD, which is not supported" \
        "$stalemate" $command -- ./timer
    says 0 "" "$stalemate" $command -- ./timer silent
done

# One whose loader is missing cannot be run.
"$stalemate" cc -o odd plain.c -Wl,--dynamic-linker=/no/such/loader
says 3 "cannot be run: No such file or directory" "$stalemate" run ./odd

# Without the driver it is a program like any other.
build victim.c
says 0 "hello" ./victim
says 9 "" ./victim exit 9
