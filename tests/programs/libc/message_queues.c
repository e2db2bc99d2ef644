// Message queues of both kinds, and System V semaphores, between threads.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <time.h>
#include <unistd.h>

#include "../../real_pid.h"

enum { MESSAGES = 6 };
static mqd_t posix_queue;

/* The kernel's numbers are others in each run, so they are asked for and never kept. */
static int system_queue(void)
{
    return msgget(0x5a000000 ^ (key_t)real_pid(), IPC_CREAT | 0600);
}

static int semaphores(void)
{
    return semget(0x5a000000 ^ (key_t)real_pid(), 1, IPC_CREAT | 0600);
}

struct message {
    long type;
    int number;
};

static void *sender(void *arg)
{
    for (int i = 0; i < MESSAGES; i++) {
        struct message message = {.type = 1 + i % 2, .number = i};
        assert(msgsnd(system_queue(), &message, sizeof message.number, 0) == 0);
        assert(mq_send(posix_queue, (char *)&i, sizeof i, 0) == 0);
    }
    struct sembuf up = {.sem_op = 1};
    assert(semop(semaphores(), &up, 1) == 0);
    return arg;
}

static void receive_all(void)
{
    for (int i = 0; i < MESSAGES; i++) {
        int number;
        assert(mq_receive(posix_queue, (char *)&number, sizeof number, NULL) == sizeof number);
        assert(number == i);
    }
    for (int i = 0; i < MESSAGES; i++) {
        struct message message;
        int odd = i >= MESSAGES / 2;
        assert(msgrcv(system_queue(), &message, sizeof message.number, 1 + odd, 0) ==
               sizeof message.number);
        assert(message.number == i % (MESSAGES / 2) * 2 + odd);
    }
}

int main(void)
{
    char name[32], byte[4];
    put_real_name(name, sizeof name, "/sm-test-");
    struct mq_attr attributes = {.mq_maxmsg = 2, .mq_msgsize = sizeof(int)};
    posix_queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attributes);
    if (posix_queue == (mqd_t)-1)
        return errno == ENOSYS ? 0 : 1;
    mq_unlink(name);
    /* Of a run with the same number that was killed. */
    assert(msgctl(system_queue(), IPC_RMID, NULL) == 0 && semctl(semaphores(), 0, IPC_RMID) == 0);
    assert(system_queue() >= 0 && semaphores() >= 0);
    pthread_t thread;
    pthread_create(&thread, NULL, sender, NULL);
    receive_all();
    struct sembuf down = {.sem_op = -1};
    assert(semop(semaphores(), &down, 1) == 0);
    pthread_join(thread, NULL);
    struct timespec past = {0}, soon = {.tv_nsec = 1000000};
    assert(mq_timedreceive(posix_queue, byte, sizeof byte, NULL, &past) == -1 &&
           errno == ETIMEDOUT);
    assert(semtimedop(semaphores(), &down, 1, &soon) == -1 && errno == EAGAIN);
    msgctl(system_queue(), IPC_RMID, NULL);
    semctl(semaphores(), 0, IPC_RMID);
    mq_close(posix_queue);
    return 0;
}
