// sendfile into a socket whose other end another thread reads, slowly.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TOTAL = 600000 };
static int ends[2];

static void *reader(void *arg)
{
    static char buffer[50000];
    long total = 0;
    ssize_t n;
    while ((n = read(ends[0], buffer, sizeof buffer)) > 0)
        total += n;
    assert(total == TOTAL);
    return arg;
}

int main(void)
{
    char path[] = "/tmp/sm-sendfile-XXXXXX";
    int file = mkstemp(path);
    assert(file >= 0 && unlink(path) == 0 && ftruncate(file, TOTAL) == 0);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    off_t offset = 0;
    while (offset < TOTAL)
        assert(sendfile(ends[1], file, &offset, (size_t)(TOTAL - offset)) > 0);
    close(ends[1]);
    pthread_join(thread, NULL);
    return 0;
}
