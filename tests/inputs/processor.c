/*
 * Chance that the processor has (rdrand, as an intrinsic and in assembly), and the directory of the
 * process in /proc by the id that the program knows itself by. What is printed is the same in two
 * executions of a seed. The twin reads the directory of another process, which is not there.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned long long chance;

__attribute__((constructor, target("rdrnd"))) static void constructor(void)
{
    while (!_rdrand64_step(&chance))
        continue;
}

/* The C library of the compiler may know no such instruction. */
static unsigned by_assembly(void)
{
    unsigned number;
    unsigned char worked;
    do
        __asm__ volatile("rdrand %0\n\tsetc %1" : "=r"(number), "=qm"(worked) : : "cc");
    while (!worked);
    return number;
}

__attribute__((target("rdrnd,rdseed"))) static unsigned by_intrinsics(void)
{
    unsigned short small;
    unsigned number;
    while (!_rdrand16_step(&small) || !_rdseed32_step(&number))
        continue;
    return number ^ small;
}

static void require(int holds, const char *what)
{
    if (holds)
        return;
    printf("FAILED: %s\n", what);
    exit(1);
}

int main(void)
{
    char path[64], exe[256] = "", self[256] = "";
    struct stat status;
#ifdef TWIN
    int id = getppid();
#else
    int id = getpid();
#endif
    printf("%llx %x %x\n", chance, by_assembly(), by_intrinsics());
    sprintf(path, "/proc/%d/exe", id);
    require(readlink(path, exe, sizeof exe - 1) > 0, "readlink");
    require(readlink("/proc/self/exe", self, sizeof self - 1) > 0, "readlink of self");
    require(strcmp(exe, self) == 0, "the program");
    sprintf(path, "/proc/%d/task/%d/comm", id, gettid());
    FILE *stream = fopen(path, "r");
    require(stream && fgets(exe, sizeof exe, stream), "fopen");
    fclose(stream);
    int fd = open(path, O_RDONLY);
    require(fd >= 0 && read(fd, self, sizeof self) > 0 && close(fd) == 0, "open");
    require(memcmp(exe, self, strlen(exe)) == 0, "the name of the thread");
    require(stat(path, &status) == 0 && S_ISREG(status.st_mode), "stat");
    return 0;
}
