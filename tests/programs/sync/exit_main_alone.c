// main alone leaves by pthread_exit: the process ends with status 0.
#include <pthread.h>

int main(void)
{
    pthread_exit((void *)1);
}
