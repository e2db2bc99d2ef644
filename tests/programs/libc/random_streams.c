// Seeded generators repeat themselves; the kernel's are there and in range.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

static void *work(void *arg)
{
    (void)arg;
    unsigned state = 5, again = 5;
    assert(rand_r(&state) == rand_r(&again));
    for (int i = 0; i < 5; i++)
        assert(rand() >= 0 && random() >= 0 && lrand48() >= 0 && drand48() < 1.0);
    return NULL;
}

static void check_kernel(void)
{
    unsigned char a[32] = {0}, b[32] = {0};
    assert(getrandom(a, sizeof a, 0) == sizeof a && getentropy(b, sizeof b) == 0);
    assert(memcmp(a, b, sizeof a) != 0);
    assert(arc4random_uniform(10) < 10);
    arc4random_buf(a, sizeof a);
    int fd = open("/dev/urandom", O_RDONLY);
    assert(fd >= 0 && read(fd, b, sizeof b) == sizeof b);
    assert(memcmp(a, b, sizeof a) != 0);
    close(fd);
    FILE *file = fopen("/dev/random", "r");
    assert(file && fread(a, 1, sizeof a, file) == sizeof a);
    fclose(file);
    assert(memcmp(a, b, sizeof a) != 0);
}

int main(void)
{
    srand(7);
    srandom(7);
    srand48(7);
    int first = rand();
    double fraction = drand48();
    srand(7);
    srand48(7);
    assert(rand() == first && drand48() == fraction);
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    check_kernel();
    return 0;
}
