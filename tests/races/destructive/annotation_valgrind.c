// race: x
/* Requests to Valgrind that order nothing, because they name different objects. */
#include "../race.h"

/* What valgrind's headers make of a request. */
static void request(unsigned long number, void *object)
{
    volatile unsigned long words[6] = {number, (unsigned long)object, sizeof(int), 0, 0, 0};
    volatile unsigned long result;
    __asm__ volatile("rolq $3,  %%rdi ; rolq $13, %%rdi\n\t"
                     "rolq $61, %%rdi ; rolq $51, %%rdi\n\t"
                     "xchgq %%rbx,%%rbx"
                     : "=d"(result)
                     : "a"(&words[0]), "0"(0ul)
                     : "cc", "memory");
}

enum { HAPPENS_BEFORE = 0x48470121, HAPPENS_AFTER, DISABLE_CHECKING = 0x48470127 };

int x, y, token;

static void *a(void *unused)
{
    x = 1;
    y = 1;
    request(HAPPENS_BEFORE, &token);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    y = 2;
    request(HAPPENS_AFTER, &x);
    x = 2;
    return unused;
}

int main(void)
{
    request(DISABLE_CHECKING, &y);
    run(a, b);
    return 0;
}
