// races: yes
// Plain data races: whatever the order, a reader sees a value that somebody wrote.
#include <assert.h>
#include <pthread.h>

static int word;
static long long both = 0x1111111111111111LL;
static struct {
    short a, b;
    char text[6];
} mixed;

static void *work(void *arg)
{
    int id = (int)(long)arg;

    for (int i = 0; i < 5; i++) {
        word = id * 10 + i;
        both = id == 1 ? 0x2222222222222222LL : 0x3333333333333333LL;
        mixed.a = (short)id;
        mixed.text[id] = (char)id;
        int seen = word;
        assert(seen >= 10 && seen < 40 && seen % 10 < 5);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[3];

    for (long i = 1; i <= 3; i++)
        pthread_create(&threads[i - 1], NULL, work, (void *)i);
    long long seen = both;
    assert(seen % 0x1111111111111111LL == 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(mixed.a >= 1 && mixed.a <= 3 && mixed.b == 0 && mixed.text[2] == 2);
    return 0;
}
