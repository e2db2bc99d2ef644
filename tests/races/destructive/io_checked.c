// race: frd[], gets_[], gets_chk[], in[], out[], prd[], prdv[], pwrv[], rcv[], rcvf[], rd[]
/* Memory that calls with checked room, messages and lines fill, and that another thread uses. */
#include "../race.h"
#include <stdio.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* What a call of read and the like becomes with _FORTIFY_SOURCE. */
ssize_t __read_chk(int fd, void *buffer, size_t size, size_t room);
ssize_t __pread_chk(int fd, void *buffer, size_t size, off_t offset, size_t room);
ssize_t __recv_chk(int fd, void *buffer, size_t size, size_t room, int flags);
ssize_t __recvfrom_chk(int fd, void *buffer, size_t size, size_t room, int flags,
                       struct sockaddr *from, socklen_t *length);
size_t __fread_chk(void *buffer, size_t room, size_t size, size_t n, FILE *file);
char *__fgets_chk(char *buffer, size_t room, int size, FILE *file);

char rd[8], prd[8], rcv[8], rcvf[8], frd[8], gets_[8], gets_chk[8];
char in[8], out[8], prdv[8], pwrv[8];
static char text[8] = "line 1\n";
static int pair[2];
static FILE *file;

static void check(long result, long expected)
{
    if (result != expected)
        abort();
}

static void *a(void *unused)
{
    struct iovec from = {out, 8}, to = {in, 8}, there = {pwrv, 8}, back = {prdv, 8};
    struct msghdr sent = {.msg_iov = &from, .msg_iovlen = 1};
    struct msghdr got = {.msg_iov = &to, .msg_iovlen = 1};
    check(pwritev(fileno(file), &there, 1, 0), 8);
    check(preadv(fileno(file), &back, 1, 0), 8);
    check(__pread_chk(fileno(file), prd, 8, 0, 8), 8);
    check(sendmsg(pair[0], &sent, 0), 8);
    check(recvmsg(pair[1], &got, 0), 8);
    check(send(pair[0], text, 8, 0), 8);
    check(__recv_chk(pair[1], rcv, 8, 8, 0), 8);
    check(send(pair[0], text, 8, 0), 8);
    check(__recvfrom_chk(pair[1], rcvf, 8, 8, 0, NULL, NULL), 8);
    check(send(pair[0], text, 8, 0), 8);
    check(__read_chk(pair[1], rd, 8, 8), 8);
    check(pwrite(fileno(file), text, 7, 0), 7);
    rewind(file);
    check((long)__fread_chk(frd, 8, 1, 7, file), 7);
    rewind(file);
    check(fgets(gets_, 8, file) == gets_, 1);
    rewind(file);
    check(__fgets_chk(gets_chk, 8, 8, file) == gets_chk, 1);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(rd[0] + prd[1] + rcv[2] + rcvf[3] + frd[4] + gets_[5] + gets_chk[6] + in[7] + prdv[0]);
    out[1] = 1;
    pwrv[2] = 1;
    return unused;
}

int main(void)
{
    file = tmpfile();
    if (!file || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        abort();
    run(a, b);
    return 0;
}
