// expect: deadlock
// native: no
// A once routine that calls itself waits for its own end.
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void initialise(void)
{
    pthread_once(&once, initialise);
}

int main(void)
{
    pthread_once(&once, initialise);
    return 0;
}
