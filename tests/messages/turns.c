// locks only if a file that is not under control says so
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int main(void)
{
    int seen = 0;
    FILE *file = fopen("state", "r");
    if (!file || fscanf(file, "%d", &seen) != 1)
        return 2;
    fclose(file);
    if (seen)
        pthread_mutex_lock(&lock);
    else
        pthread_mutex_init(&lock, NULL);
    return 0;
}
