/*
 * Dekker's pattern in a lock of the program's own, between __tsan_mutex_pre_* and _post_*, where
 * the detector looks at nothing: a seq_cst store and the seq_cst load after it are still ordered.
 * Ends with status 1 if both threads of a round have read the old value, which no model allows.
 * (As a plain move and a plain load they were not ordered: some 500 of 200,000 rounds.)
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

void __tsan_mutex_pre_lock(void *lock, unsigned flags);
void __tsan_mutex_post_lock(void *lock, unsigned flags, int recursion);

enum { ROUNDS = 20000 };
static atomic_int flags[2], round_of[2];
static int seen[2];
static char locks[2];

/* Both begin a round at about the same time. */
static void meet(int self, int round)
{
    atomic_store(&round_of[self], round);
    for (int i = 1; atomic_load(&round_of[1 - self]) < round; i++)
        if (i % 1024 == 0)
            sched_yield();
}

static void *enter(void *argument)
{
    int self = *(int *)argument;
    for (int round = 1; round < 3 * ROUNDS; round += 3) {
        meet(self, round);
        __tsan_mutex_pre_lock(&locks[self], 0);
        atomic_store(&flags[self], round);
        seen[self] = atomic_load(&flags[1 - self]);
        __tsan_mutex_post_lock(&locks[self], 0, 0);
        meet(self, round + 1);
        if (seen[0] < round && seen[1] < round)
            return argument;
        meet(self, round + 2);
    }
    return NULL;
}

int main(void)
{
    pthread_t other;
    void *broken;
    int numbers[] = {0, 1};
    pthread_create(&other, NULL, enter, &numbers[1]);
    int mine = enter(&numbers[0]) != NULL;
    pthread_join(other, &broken);
    return mine || broken;
}
