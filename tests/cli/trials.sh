#!/bin/sh
# run --trials: each distinct failure with a seed that shows it again, a count and a witness.
. "$(dirname "$0")/../common.sh"
for name in abba_update lost_wakeup_publication; do
    "$stalemate" cc -g -O1 -pthread -o $name "$here/../hunt/two_bugs/$name.c" || fail "cannot build"
done
"$stalemate" cc -g -O1 -pthread -o ordered "$here/../hunt/programs/locked_update.c"
run="$stalemate run"

# both bugs, whatever the first is
says 1 "failure: deadlock: thread 1 holds 'a' (" $run --trials 300 --json all.json -- \
    ./abba_update
also "failure: assert:"
also "2 distinct failures in 300 executions under sc"
for key in seed schedule count witness kind detail place executions complete failures; do
    grep -q "\"$key\":" all.json || fail "no $key in the JSON"
done

# the seed and the witness show it again
sed -n 's/.*with seed [0-9]*: stalemate //p' output >again
sed -n 's/^  replay with: stalemate //p' output >>again
[ "$(wc -l <again)" = 4 ] || fail "two failures have four commands"
while read -r command; do
    eval "says 1 FAILED \"\$stalemate\" $command"
done <again

# the first failure is enough
says 1 "1 distinct failure" $run --trials 100000 --until-failure --json first.json -- \
    ./lost_wakeup_publication
grep -q '"complete": true' first.json || fail "stopped at the first failure is what was asked for"
executions=$(sed -n 's/^ *"executions": \([0-9]*\),*/\1/p' first.json)
[ "$executions" -lt 100000 ] || fail "it went on after the first failure"

# random, pct and pos take turns: each alone finds it, and in turns they have seeds of their own
for schedule in random pct pos; do
    says 1 "failure: deadlock" $run --trials 200 --schedule $schedule -- ./abba_update
done

# nothing to find
says 0 "0 distinct failures in 30 executions" $run --trials 30 -- ./ordered

# what does not fit together
says 2 "leave out --record" $run --trials 3 --record file -- ./ordered
says 2 "--trials N" $run --until-failure -- ./ordered

# An execution that takes all the time there is hides no failure, and is named. A slow machine needs
# more time until the others are seen to be shorter.
cat >sometimes.c <<'END'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int order;
static void *append(void *number)
{
    pthread_mutex_lock(&mutex);
    order = order * 10 + *(int *)number;
    pthread_mutex_unlock(&mutex);
    return NULL;
}
int main(void)
{
    static int numbers[] = {1, 2, 3};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, append, &numbers[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    for (volatile int i = 0; order == 321; i = i + 1)
        continue;
    assert(order != 132);
}
END
"$stalemate" cc -g -O1 -pthread -o sometimes sometimes.c || fail "cannot build"
for seconds in 2 20 200; do
    says 1 "failure: assert" $run --trials 100000 --time $seconds --timeout 1000 -- ./sometimes
    ! grep -q "had been running for" output || break
done
also "had been running for"

# Each execution begins with one thread, and libc says so.
cat >single.c <<'END'
#include <pthread.h>
#include <sys/single_threaded.h>
static void *nothing(void *arg) { return arg; }
int main(void)
{
    pthread_t thread;
    if (!__libc_single_threaded || pthread_create(&thread, NULL, nothing, NULL) != 0)
        return 1;
    return pthread_join(thread, NULL) || __libc_single_threaded;
}
END
"$stalemate" cc -g -O1 -pthread -o single single.c || fail "cannot build"
says 0 "0 distinct failures in 20 executions" $run --trials 20 -- ./single
