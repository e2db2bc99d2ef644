// race: binary[], current[], inside[], linked[], opened[], own[], own_length[], path[], peer[]
// race: polled[].revents, printed[], resolved[], statted[], system_at[], system_of[], target[]
// race: wanted[].events
/* What calls about files and descriptors store for one thread, and that another uses. */
#include "../race.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#define BUFFER(name, type) char name[sizeof(type)] __attribute__((aligned(16)))
BUFFER(statted, struct stat);
BUFFER(linked, struct stat);
BUFFER(opened, struct stat);
BUFFER(inside, struct stat);
BUFFER(system_of, struct statvfs);
BUFFER(system_at, struct statvfs);
BUFFER(own, struct sockaddr_storage);
BUFFER(peer, struct sockaddr_storage);
BUFFER(own_length, socklen_t);
BUFFER(binary, struct in_addr);
char current[PATH_MAX], target[PATH_MAX], resolved[PATH_MAX], printed[64];
char path[8] = "/";
struct pollfd polled[1], wanted[1];
static int pair[2];

static void check(int result)
{
    if (!result)
        abort();
}

static void *a(void *unused)
{
    socklen_t room = sizeof peer;
    struct in_addr address = {0};
    *(socklen_t *)own_length = sizeof own;
    check(stat("/", (struct stat *)statted) == 0);
    check(lstat(path, (struct stat *)linked) == 0);
    check(fstat(pair[0], (struct stat *)opened) == 0);
    check(fstatat(AT_FDCWD, "/", (struct stat *)inside, 0) == 0);
    check(statvfs("/", (struct statvfs *)system_of) == 0);
    check(fstatvfs(pair[0], (struct statvfs *)system_at) == 0);
    check(getcwd(current, sizeof current) == current);
    check(readlink("/proc/self/exe", target, sizeof target) > 0);
    check(realpath("/", resolved) == resolved);
    check(getsockname(pair[0], (struct sockaddr *)own, (socklen_t *)own_length) == 0);
    check(getpeername(pair[0], (struct sockaddr *)peer, &room) == 0);
    check(inet_pton(AF_INET, "127.0.0.1", binary) == 1);
    check(inet_ntop(AF_INET, &address, printed, sizeof printed) == printed);
    check(poll(polled, 1, 0) == 0 && poll(wanted, 1, 0) == 0);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(statted[0] + linked[1] + opened[2] + inside[3] + system_of[4] + system_at[5]);
    USE(current[0] + target[0] + resolved[0] + own[0] + own_length[1] + peer[1] + binary[0]);
    USE(printed[0] + polled[0].revents);
    path[1] = 'x';
    wanted[0].events = 0;
    return unused;
}

int main(void)
{
    check(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    polled[0].fd = wanted[0].fd = pair[0];
    polled[0].events = wanted[0].events = POLLIN;
    run(a, b);
    return 0;
}
