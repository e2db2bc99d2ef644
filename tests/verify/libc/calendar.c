// executions: 1
// models: sc tso pso c11
// The twin of calendar_race.c: each thread has a structure of its own.
#include <assert.h>
#include <pthread.h>
#include <time.h>

static void *convert(void *unused)
{
    struct tm day;
    time_t moment = 86400;
    gmtime_r(&moment, &day);
    assert(day.tm_year == 70 && day.tm_mday == 2);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, convert, NULL);
    pthread_create(&two, NULL, convert, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
