/*
 * A 64-bit time without a lock (Jumble: jbb, Company.elapsed_time).
 *
 * hunt: company.elapsed_time destructive hb
 *
 * Old and new are both right; half of each is not.
 */
#include <assert.h>
#include <pthread.h>

struct Company {
    long elapsed_time;
};
static struct Company company = {0x100000001};

static void *work(void *arg)
{
    company.elapsed_time = 0x200000002;
    return arg;
}

static void *report(void *arg)
{
    long time = company.elapsed_time;
    assert(time == 0x100000001 || time == 0x200000002);
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, report, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
