// A directory is read by name, twice, from memory whose addresses are the same in a recording.
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[] = {"a", "bb", "ccc"};
enum { NAMES = sizeof names / sizeof *names };
static char path[] = "/tmp/directoryXXXXXX";
static DIR *directory;

static const struct dirent *next(void)
{
    const struct dirent *entry = readdir(directory);
    while (entry && *entry->d_name == '.')
        entry = readdir(directory);
    return entry;
}

static void *read_all(void *unused)
{
    char seen[sizeof "ccc"];
    for (int i = 0; i < NAMES; i++) {
        const struct dirent *entry = next();
        assert(entry && strlen(entry->d_name) < sizeof seen);
        strcpy(seen, entry->d_name);
        printf("%s\n", seen);
    }
    assert(!next());
    return unused;
}

static void make(const char *name)
{
    int in = open(path, O_RDONLY), fd = openat(in, name, O_CREAT | O_WRONLY, 0600);
    assert(fd >= 0);
    close(fd);
    close(in);
}

int main(void)
{
    pthread_t thread;
    assert(mkdtemp(path));
    for (int i = NAMES - 1; i >= 0; i--)
        make(names[i]);
    directory = opendir(path);
    read_all(NULL);
    rewinddir(directory);
    assert(pthread_create(&thread, NULL, read_all, NULL) == 0);
    pthread_join(thread, NULL);
    assert(closedir(directory) == 0 && chdir(path) == 0);
    for (int i = 0; i < NAMES; i++)
        unlink(names[i]);
    return rmdir(path);
}
