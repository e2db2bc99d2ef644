// no race
/* Data that is handed over by a message in a pipe or socket, by each of the calls that are not
   plain read and write. */
#define _GNU_SOURCE
#include "../race.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>

enum {
    DPRINTF,
    UNBUFFERED,
    FLUSHED,
    CLOSED,
    PRINTED,
    WRITTEN,
    VMSPLICE,
    SENDFILE,
    SPLICED,
    MESSAGES,
    SCANNED,
    LINE,
    LINE_OF_FGETS,
    BYTE,
    BLOCK,
    WAYS
};

int data[WAYS];
static int ends[WAYS][2], more[2];

static void require(int holds)
{
    if (!holds)
        abort();
}

static int file_of_two_bytes(void)
{
    int fd = fileno(tmpfile());
    require(write(fd, "1\n", 2) == 2 && lseek(fd, 0, SEEK_SET) == 0);
    return fd;
}

static void put(int way, int to)
{
    struct iovec part = {.iov_base = "1\n", .iov_len = 2};
    struct mmsghdr message = {.msg_hdr = {.msg_iov = &part, .msg_iovlen = 1}};
    FILE *stream = fdopen(to, "w");
    switch (way) {
    case DPRINTF:
        require(dprintf(to, "%d\n", 1) == 2);
        break;
    case UNBUFFERED:
        setvbuf(stream, NULL, _IONBF, 0);
        require(fputc('1', stream) == '1');
        break;
    case FLUSHED:
        require(fputs("1\n", stream) >= 0 && fflush(stream) == 0);
        break;
    case CLOSED:
        require(putc('1', stream) == '1' && fclose(stream) == 0);
        break;
    case PRINTED:
        setlinebuf(stream);
        require(fprintf(stream, "%d\n", 1) == 2);
        break;
    case WRITTEN:
        setvbuf(stream, NULL, _IONBF, 0);
        require(fwrite("1\n", 1, 2, stream) == 2);
        break;
    case VMSPLICE:
        require(vmsplice(to, &part, 1, 0) == 2);
        break;
    case SENDFILE:
        require(sendfile(to, file_of_two_bytes(), NULL, 2) == 2);
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
    char bytes[3], *line = NULL;
    int number;
    size_t room = 0;
    struct iovec part = {.iov_base = bytes, .iov_len = 2};
    struct mmsghdr message = {.msg_hdr = {.msg_iov = &part, .msg_iovlen = 1}};
    FILE *stream = fdopen(from, "r");
    switch (way) {
    case SPLICED:
        require(splice(from, NULL, more[1], NULL, 1, 0) == 1 && read(more[0], bytes, 1) == 1);
        break;
    case MESSAGES:
        require(recvmmsg(from, &message, 1, 0, NULL) == 1);
        break;
    case SCANNED:
        require(fscanf(stream, "%d", &number) == 1);
        break;
    case LINE:
        require(getline(&line, &room, stream) == 2);
        break;
    case LINE_OF_FGETS:
        require(fgets(bytes, sizeof bytes, stream) == bytes);
        break;
    case BYTE:
        require(fgetc(stream) == '1');
        break;
    case BLOCK:
        require(fread(bytes, 1, 2, stream) == 2);
        break;
    default:
        require(read(from, bytes, 1) == 1);
    }
}

static void *a(void *unused)
{
    for (int way = 0; way < WAYS; way++) {
        data[way] = 1;
        put(way, ends[way][1]);
    }
    return unused;
}

static void *b(void *unused)
{
    for (int way = 0; way < WAYS; way++) {
        get(way, ends[way][0]);
        data[way]++;
    }
    return unused;
}

int main(void)
{
    require(pipe(more) == 0);
    for (int way = 0; way < WAYS; way++)
        require(way == MESSAGES ? socketpair(AF_UNIX, SOCK_DGRAM, 0, ends[way]) == 0
                                : pipe(ends[way]) == 0);
    run(a, b);
    return 0;
}
