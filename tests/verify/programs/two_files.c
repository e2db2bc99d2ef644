/* The other thread runs code of another file: programs.sh writes it. */
#include <pthread.h>

extern int x;
void *set(void *unused);

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, set, NULL);
    int seen = x;
    pthread_join(one, NULL);
    return seen > 1;
}
