/* A program may have functions of its own that have names of libc, in another file: a call of
   another type is not replaced. */
#include <stdlib.h>
#include <string.h>

char buffer[8], *end;

/* libc's has three parameters. */
int getline(char *line, int room);
__asm__(".globl getline\n"
        "getline: xorl %eax, %eax\n"
        "ret\n");

// hooks: sm_lib 2
int main(void)
{
    return getline(buffer, sizeof buffer) + (int)strlen(buffer) + (int)strnlen(buffer, 8);
}
