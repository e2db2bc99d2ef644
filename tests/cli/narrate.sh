#!/bin/sh
# A replay says what happens while it happens: here before the program has ended, for it waits
# for us to open its pipe.
. "$(dirname "$0")/../common.sh"
cat >waits.c <<'END'
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
static int shared;
static void *work(void *arg)
{
    shared++;
    return arg;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    close(open("pipe", O_RDONLY));
    return shared - 1;
}
END
"$stalemate" cc -g -O1 -pthread -o waits waits.c || fail "cannot build waits.c"
mkfifo pipe
: >pipe &
"$stalemate" run --quiet --record w -- ./waits </dev/null || fail "cannot record"

"$stalemate" replay w >output 2>&1 </dev/null &
replay=$!
await $replay grep -q "thread 0 · main goes on: join" output
also "thread 1 · work goes on: start"
never "the same as recorded"
: >pipe
wait $replay || { cat output; fail "status $?"; }
also "the same as recorded"

: >pipe &
says 0 "" "$stalemate" replay --quiet w
[ ! -s output ] || { cat output; fail "--quiet is not"; }
