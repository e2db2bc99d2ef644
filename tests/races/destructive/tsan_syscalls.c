// race: input[], output[]
/* System calls that the program makes by itself, and tells of. */
#define _GNU_SOURCE
#include "../race.h"
#include <sanitizer/linux_syscall_hooks.h>

char input[8], output[8];

/* As a libc of the program's own has it; nothing is read or written here. */
static long my_read(int fd, void *buffer, long size)
{
    __sanitizer_syscall_pre_read(fd, buffer, size);
    long result = size;
    __sanitizer_syscall_post_read(result, fd, buffer, size);
    return result;
}

static long my_write(int fd, const void *buffer, long size)
{
    __sanitizer_syscall_pre_write(fd, buffer, size);
    long result = size;
    __sanitizer_syscall_post_write(result, fd, buffer, size);
    return result;
}

static void *a(void *unused)
{
    my_read(0, input, 4);
    my_write(1, output, 4);
    __sanitizer_syscall_pre_close(9);
    __sanitizer_syscall_post_close(0, 9);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(input[2]);
    output[3] = 1;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
