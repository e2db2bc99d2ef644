// race: day
// models: sc tso pso c11
// localtime_r() and gmtime_r() store to the structure that another thread reads.
#include <pthread.h>
#include <time.h>

static struct tm day;
static int year;

static void *convert(void *unused)
{
    time_t zero = 0;
    gmtime_r(&zero, &day);
    return unused;
}

static void *look(void *unused)
{
    year = day.tm_year;
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, convert, NULL);
    pthread_create(&two, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
