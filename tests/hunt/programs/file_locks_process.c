/*
 * The racy twin of file_locks.c: a lock that belongs to the process keeps none of its threads
 * out, and one of an open file none of those that share the descriptor.
 *
 * hunt: total destructive sc
 * hunt: other destructive sc
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

static int file, total, other;

static void *work(void *arg)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};

    assert(fcntl(file, F_SETLKW, &lock) == 0);
    total++;
    lock.l_type = F_UNLCK;
    assert(fcntl(file, F_SETLK, &lock) == 0);
    assert(flock(file, LOCK_EX) == 0);
    other++;
    assert(flock(file, LOCK_UN) == 0);
    return arg;
}

int main(void)
{
    char path[] = "/tmp/sm-lock-XXXXXX";
    pthread_t threads[2];

    file = mkstemp(path);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    unlink(path);
    assert(total == 2);
    assert(other == 2);
    return 0;
}
