// Opening a FIFO waits for the other end; nobody else stops meanwhile.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/sm-fifo-XXXXXX", path[64];

static void *writer(void *arg)
{
    int fd = open(path, O_WRONLY);
    assert(fd >= 0 && write(fd, "hello", 5) == 5);
    close(fd);
    return arg;
}

int main(void)
{
    assert(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/fifo", directory);
    assert(mkfifo(path, 0600) == 0);
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    int fd = open(path, O_RDONLY);
    char text[6] = "";
    size_t used = 0;
    ssize_t n;
    while ((n = read(fd, text + used, 5 - used)) > 0)
        used += (size_t)n;
    assert(used == 5 && text[4] == 'o');
    pthread_join(thread, NULL);
    close(fd);
    unlink(path);
    return rmdir(directory);
}
