// flock and open-file-description locks exclude threads that opened the file themselves.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

static char path[] = "/tmp/sm-lock-XXXXXX";
static volatile int inside;

static void enter(void)
{
    assert(inside == 0);
    inside = 1;
    sched_yield();
    inside = 0;
}

static void *work(void *arg)
{
    int fd = open(path, O_RDWR);
    assert(fd >= 0);
    for (int i = 0; i < 3; i++) {
        assert(flock(fd, LOCK_EX) == 0);
        enter();
        assert(flock(fd, LOCK_UN) == 0);
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
        assert(fcntl(fd, F_OFD_SETLKW, &lock) == 0);
        lock.l_type = F_UNLCK;
        assert(fcntl(fd, F_OFD_SETLK, &lock) == 0);
    }
    close(fd);
    return arg;
}

int main(void)
{
    int fd = mkstemp(path);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(lockf(fd, F_LOCK, 0) == 0 && lockf(fd, F_ULOCK, 0) == 0);
    close(fd);
    return unlink(path);
}
