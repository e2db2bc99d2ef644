/*
 * What differs between executions in a file system and in the system: times of files that were
 * written, names of temporary ones, the order of a directory, ids of group and session, load. All
 * of it is printed, and is the same in two executions with another history of the directory.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <unistd.h>

static void require(int holds, const char *what)
{
    if (holds)
        return;
    printf("FAILED: %s\n", what);
    exit(1);
}

/* Names are in order; where telldir was, seekdir comes to. */
static void read_directory(const char *path)
{
    char last[256] = "";
    long place = 0;
    int n = 0, again = 0;
    DIR *directory = opendir(path);
    require(directory != NULL, "opendir");
    for (struct dirent *entry; (entry = readdir(directory)); n++) {
        require(strcmp(last, entry->d_name) < 0, "order of the directory");
        strcpy(last, entry->d_name);
        printf("%s ", entry->d_name);
        if (n == 2)
            place = telldir(directory);
    }
    seekdir(directory, place);
    while (readdir(directory))
        again++;
    require(again == n - 3, "seekdir");
    rewinddir(directory);
    require(readdir(directory) && closedir(directory) == 0, "rewinddir");
    printf("%d entries\n", n);
}

int main(int argc, char **argv)
{
    struct stat written, old;
    struct statx extended;
    struct sysinfo info;
    double load;
    char name[] = "temporaryXXXXXX.txt", wrong[] = "temporary", folder[] = "folderXXXXXX";
    (void)argc;
    read_directory(argv[1]);
    int fd = mkstemps(name, 4);
    require(fd >= 0 && write(fd, name, 1) == 1, "mkstemps");
    require(mkstemp(wrong) < 0 && mkdtemp(folder) && rmdir(folder) == 0, "other templates");
    require(fstat(fd, &written) == 0 && written.st_size == 1, "fstat");
    require(statx(fd, "", AT_EMPTY_PATH, STATX_MTIME, &extended) == 0, "statx");
    require(stat("/", &old) == 0 && stat("/nowhere", &old) != 0, "stat");
    require(old.st_mtim.tv_sec != written.st_mtim.tv_sec, "an old time is kept");
    unlink(name);
    char made[L_tmpnam], *own = tempnam(".", "abcdefg"), blank[] = "mineXXXXXX";
    require(tmpnam(made) == made && own && mktemp(blank) == blank && *blank, "tmpnam");
    require(strncmp(own, "./abcde", 7) == 0 && strlen(own) == 13, "tempnam");
    printf("%s %s %s\n", made, own, blank);
    free(own);
    require(sysinfo(&info) == 0 && getloadavg(&load, 1) == 1, "sysinfo");
    printf("%s %s %ld.%09ld %ld\n", name, folder, written.st_mtim.tv_sec, written.st_mtim.tv_nsec,
           (long)extended.stx_mtime.tv_sec);
    printf("%d %d %d %ld %lu %g\n", getpgrp(), getpgid(getpid()), getsid(0), info.uptime,
           info.freeram, load);
    return 0;
}
