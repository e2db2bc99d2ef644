// expect: invalid-free
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    char *block = malloc(4000);
    volatile uintptr_t inside = (uintptr_t)block + 8;
    free((void *)inside);
    return 0;
}
