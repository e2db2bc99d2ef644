/* Inodes and blocks of files that the program makes, and free space, are up to the kernel. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

int main(void)
{
    static struct stat file_status, path_status, pipe_status, other;
    static struct statvfs space;
    static struct statx more;
    char name[] = "statsXXXXXX";
    int ends[2], fd = mkstemp(name);
    if (fd < 0 || pipe(ends) != 0 || write(fd, "12345", 5) != 5)
        return 2;
    if (fstat(fd, &file_status) != 0 || stat(name, &path_status) != 0 ||
        fstat(ends[0], &pipe_status) != 0 || stat("/", &other) != 0 || statvfs(".", &space) != 0 ||
        statx(AT_FDCWD, name, 0, STATX_ALL, &more) != 0)
        return 3;
    unlink(name);
    printf("%lu %ld %lu %lu\n", (unsigned long)file_status.st_ino, (long)file_status.st_blocks,
           (unsigned long)pipe_status.st_ino, (unsigned long)space.f_bfree);
    if (file_status.st_ino != path_status.st_ino || file_status.st_ino != more.stx_ino)
        return 4;
    return file_status.st_ino == pipe_status.st_ino || file_status.st_ino == other.st_ino;
}
