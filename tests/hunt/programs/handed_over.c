/*
 * Data that is handed over by a message in a pipe or socket, written and read by each of the calls
 * that are not plain read and write: ordered, so there is no race and no lie.
 *
 * options: --time 20
 * hunt: nothing
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { DPRINTF, UNBUFFERED, FLUSHED, VMSPLICE, SCANNED, SPLICED, MESSAGES, WAYS };

static int data[WAYS], ends[WAYS][2], more[2];

static void require(int holds)
{
    if (!holds)
        abort();
}

static void put(int way, int to)
{
    struct iovec part = {.iov_base = "1\n", .iov_len = 2};
    struct mmsghdr message = {.msg_hdr = {.msg_iov = &part, .msg_iovlen = 1}};
    FILE *stream;
    switch (way) {
    case DPRINTF:
        require(dprintf(to, "%d\n", way) == 2);
        break;
    case UNBUFFERED:
        stream = fdopen(to, "w");
        setvbuf(stream, NULL, _IONBF, 0);
        require(fputc('1', stream) == '1');
        break;
    case FLUSHED:
        stream = fdopen(to, "w");
        require(fputs("1\n", stream) >= 0 && fflush(stream) == 0);
        break;
    case VMSPLICE:
        require(vmsplice(to, &part, 1, 0) == 2);
        break;
    case MESSAGES:
        require(sendmmsg(to, &message, 1, 0) == 1);
        break;
    default:
        require(write(to, "1\n", 2) == 2);
    }
}

static void get(int way, int from)
{
    char bytes[2];
    int number;
    struct iovec part = {.iov_base = bytes, .iov_len = 2};
    struct mmsghdr message = {.msg_hdr = {.msg_iov = &part, .msg_iovlen = 1}};
    switch (way) {
    case SCANNED:
        require(fscanf(fdopen(from, "r"), "%d", &number) == 1);
        break;
    case SPLICED:
        require(splice(from, NULL, more[1], NULL, 1, 0) == 1 && read(more[0], bytes, 1) == 1);
        break;
    case MESSAGES:
        require(recvmmsg(from, &message, 1, 0, NULL) == 1);
        break;
    default:
        require(read(from, bytes, 1) == 1);
    }
}

static void *receive(void *arg)
{
    for (int way = 0; way < WAYS; way++) {
        get(way, ends[way][0]);
        require(data[way] == way + 1);
    }
    return arg;
}

int main(void)
{
    pthread_t thread;
    require(pipe(more) == 0);
    for (int way = 0; way < WAYS; way++)
        require(way == MESSAGES ? socketpair(AF_UNIX, SOCK_DGRAM, 0, ends[way]) == 0
                                : pipe(ends[way]) == 0);
    pthread_create(&thread, NULL, receive, NULL);
    for (int way = 0; way < WAYS; way++) {
        data[way] = way + 1;
        put(way, ends[way][1]);
    }
    pthread_join(thread, NULL);
    return 0;
}
