// race: x
/* Three thousand threads, one after the other, the last not joined. */
#include "../race.h"

int x;

static void *a(void *unused)
{
    x++;
    done(0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    for (int i = 0; i < 3000; i++) {
        pthread_create(&thread, NULL, a, NULL);
        after(0);
        pthread_join(thread, NULL);
    }
    pthread_create(&thread, NULL, a, NULL);
    after(0);
    x++;
    pthread_join(thread, NULL);
    return 0;
}
