/*
 * A loop reads its flag at two places, and ends when the second one sees it set. Fair for the flag
 * alone, every newest value could go to the first.
 *
 * hunt: flag benign
 * options: --heuristic oldest-but-different --no-prescient --expect-exit 0
 * never says: hang
 */
#include <pthread.h>

static int flag;
static long ignored;

static void *wait(void *arg)
{
    for (;;) {
        ignored += flag;
        if (flag)
            return arg;
    }
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait, NULL);
    flag = 1;
    pthread_join(thread, NULL);
    return 0;
}
