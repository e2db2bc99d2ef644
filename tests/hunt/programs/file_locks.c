/*
 * Locks of open files order threads as a mutex does: flock, those of fcntl, and either given
 * back by closing the file. See file_locks_process.c.
 *
 * hunt: nothing
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

static char path[] = "/tmp/sm-lock-XXXXXX";
static int total;

static void *work(void *arg)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
    int fd = open(path, O_RDWR);

    assert(flock(fd, LOCK_EX) == 0);
    total++;
    assert(flock(fd, LOCK_UN) == 0);
    assert(flock(fd, LOCK_SH) == 0);
    assert(total > 0);
    close(fd);

    fd = open(path, O_RDWR);
    assert(flock(fd, LOCK_EX) == 0 && fcntl(fd, F_OFD_SETLKW, &lock) == 0);
    total++;
    lock.l_type = F_UNLCK;
    assert(fcntl(fd, F_OFD_SETLK, &lock) == 0);
    close(fd);
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    close(mkstemp(path));
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(total == 4);
    return unlink(path);
}
