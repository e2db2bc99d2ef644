// right: 7
// wrong: 0 7
// Made once, by whoever comes first; wrong: not asking when the flag says that it is there.
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int value, made;

static void make(void)
{
    value = 7;
    made = 1;
}

static int get(void)
{
#ifdef WRONG
    if (made)
        return value;
#endif
    pthread_once(&once, make);
    return value;
}

static void *work(void *unused)
{
    get();
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, work, NULL);
    printf("%d\n", get());
    pthread_join(one, NULL);
    return 0;
}
