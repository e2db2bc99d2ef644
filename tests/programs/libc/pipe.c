// A pipe between two threads: more bytes than it holds, and the end of it.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

enum { CAPACITY = 4096, TOTAL = 20000 };
static int ends[2];

static void *reader(void *arg)
{
    unsigned char buffer[7000];
    long total = 0;
    ssize_t n;
    while ((n = read(ends[0], buffer, sizeof buffer)) > 0)
        for (ssize_t i = 0; i < n; i++, total++)
            assert(buffer[i] == (unsigned char)(total * 7));
    assert(n == 0 && total == TOTAL);
    return arg;
}

int main(void)
{
    static unsigned char data[TOTAL];
    for (long i = 0; i < TOTAL; i++)
        data[i] = (unsigned char)(i * 7);
    assert(pipe(ends) == 0 && fcntl(ends[1], F_SETPIPE_SZ, CAPACITY) == CAPACITY);
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    assert(write(ends[1], data, TOTAL) == TOTAL);
    close(ends[1]);
    pthread_join(thread, NULL);
    return 0;
}
