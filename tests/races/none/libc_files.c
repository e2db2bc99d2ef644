// no race
/* Calls about files and descriptors that fail store nothing, and of a buffer only what was asked
   for is stored. */
#include "../race.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

struct stat statted, opened;
struct statvfs system_of;
struct sockaddr_storage own, peer;
struct in_addr binary;
socklen_t length = sizeof peer;
char current[PATH_MAX], target[PATH_MAX], resolved[PATH_MAX], printed[64], small[2];
char path[8] = "/";
struct pollfd polled[2];
static int pair[2];

static void check(int result)
{
    if (!result)
        abort();
}

static void *a(void *unused)
{
    struct in_addr address = {0};
    socklen_t part = sizeof own.ss_family;
    check(stat("/none", &statted) != 0 && lstat("/none", &statted) != 0);
    check(fstat(-1, &opened) != 0 && fstatat(-1, "none", &opened, 0) != 0);
    check(statvfs("/none", &system_of) != 0 && fstatvfs(-1, &system_of) != 0);
    check(getcwd(current, sizeof current) == current);
    check(getcwd(small, 1) == NULL && readlink("/proc/self/exe", small, 1) == 1);
    check(readlink("/none", target, sizeof target) < 0);
    check(realpath(path, resolved) == resolved);
    check(getsockname(pair[0], (struct sockaddr *)&own, &part) == 0);
    check(getpeername(-1, (struct sockaddr *)&peer, &length) != 0);
    check(inet_pton(AF_INET, "none", &binary) == 0);
    check(inet_ntop(AF_INET, &address, printed, sizeof printed) == printed);
    check(poll(polled, 1, 0) == 0);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    statted.st_mode = opened.st_mode = 0;
    system_of.f_bsize = 0;
    ((char *)&own)[sizeof own.ss_family] = 1;
    peer.ss_family = 0;
    USE(length);
    binary.s_addr = 0;
    small[1] = target[0] = 'x';
    current[PATH_MAX - 1] = resolved[2] = printed[8] = path[2] = 'x';
    polled[1].revents = 0;
    return unused;
}

int main(void)
{
    check(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    polled[0] = (struct pollfd){pair[0], POLLIN, 0};
    run(a, b);
    USE(polled[0].revents + own.ss_family + current[0]);
    return 0;
}
