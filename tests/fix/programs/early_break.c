/*
 * The section has a break in it.
 *
 * fix: = PTHREAD_MUTEX_INITIALIZER;
 * fix: pthread_mutex_lock(&
 * fix: pthread_mutex_unlock(&
 * hides
 */
#include "pair.h"

static int seats = 1;
static int sold;

static void *work(void *arg)
{
    while (arg == NULL) {
        if (seats == 0)
            break;
        seats--;
        sold++;
        break;
    }
    return arg;
}

int main(void)
{
    run_pair(work, work);
    assert(seats >= 0 && sold == 1);
    return 0;
}
