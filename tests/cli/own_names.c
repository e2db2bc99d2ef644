/* Names that are made of the process id, for no other process has it: each exists for a while. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* Not only virtual time passes: other executions are under way. */
static void *take_time(void *unused)
{
    static char bytes[1 << 20];
    int zero = open("/dev/zero", O_RDONLY);
    for (int i = 0; i < 40; i++)
        assert(read(zero, bytes, sizeof bytes) == sizeof bytes);
    close(zero);
    return unused;
}

static void wait_a_while(void)
{
    pthread_t thread;
    assert(pthread_create(&thread, NULL, take_time, NULL) == 0);
    assert(pthread_join(thread, NULL) == 0);
}

static int bind_to(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    memcpy(address.sun_path + 1, name, strlen(name)); /* abstract: gone with the process */
    assert(bind(fd, (struct sockaddr *)&address, sizeof address) == 0);
    return fd;
}

int main(int argc, char **argv)
{
    char path[64], *name = path + 1; /* "/own123.5000000" */
    int flags = O_CREAT | O_EXCL | O_RDWR, id = -1;
    assert(argc == 3);
    snprintf(path, sizeof path, "./own%s.%d", argv[2], (int)getpid());
    switch (*argv[1]) {
    case 'd':
        assert(mkdir(path, 0700) == 0);
        wait_a_while();
        return rmdir(path);
    case 'f':
        assert((id = open(path, flags, 0600)) >= 0);
        wait_a_while();
        return unlink(path);
    case 'm':
        assert(shm_open(name, flags, 0600) >= 0);
        wait_a_while();
        return shm_unlink(name);
    case 's':
        assert(sem_open(name, flags, 0600, 0) != SEM_FAILED);
        wait_a_while();
        return sem_unlink(name);
    case 'q':
        assert(mq_open(name, flags, 0600, NULL) >= 0);
        wait_a_while();
        return mq_unlink(name);
    case 'k':
        msgctl(msgget(getpid(), 0), IPC_RMID, NULL); /* of a run that was killed */
        assert((id = msgget(getpid(), IPC_CREAT | IPC_EXCL | 0600)) >= 0);
        wait_a_while();
        return msgctl(id, IPC_RMID, NULL);
    case 'u':
        id = bind_to(name);
        wait_a_while();
        return close(id);
    default: /* twice: its own fault */
        id = bind_to(name);
        return bind_to(name) == id;
    }
}
