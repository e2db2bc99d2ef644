// race: frd[], fwr[], rcv[], rd[], rdv[], snd[], wr[], wrv[]
/* Memory that the kernel and stdio read and write for one thread, and that another uses. */
#include "../race.h"
#include <stdio.h>
#include <sys/socket.h>
#include <sys/uio.h>

char rd[8], wr[8], rdv[8], wrv[8];
char rcv[8], snd[8], frd[8], fwr[8];
static int channel[2], pair[2];
static FILE *file;

static void check(long result, long expected)
{
    if (result != expected)
        abort();
}

static void *a(void *unused)
{
    struct iovec out = {wrv, 8}, in = {rdv, 8};
    check(write(channel[1], wr, 8), 8);
    check(read(channel[0], rd, 8), 8);
    check(writev(channel[1], &out, 1), 8);
    check(readv(channel[0], &in, 1), 8);
    check(send(pair[0], snd, 8, 0), 8);
    check(recv(pair[1], rcv, 8, 0), 8);
    check((long)fwrite(fwr, 1, 8, file), 8);
    rewind(file);
    check((long)fread(frd, 1, 8, file), 8);
    done(0);
    return unused;
}

/* Reads what was written for the program, writes what was read for it. */
static void *b(void *unused)
{
    after(0);
    USE(rd[1]);
    wr[2] = 1;
    USE(rdv[3]);
    wrv[4] = 1;
    USE(rcv[5]);
    snd[6] = 1;
    USE(frd[7]);
    fwr[0] = 1;
    return unused;
}

static void prepare(void)
{
    file = tmpfile();
    if (!file || pipe(channel) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        abort();
}

int main(void)
{
    prepare();
    run(a, b);
    return 0;
}
