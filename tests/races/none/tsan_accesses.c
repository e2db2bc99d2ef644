// no race
/* Accesses that the program shows to ThreadSanitizer itself, each in its turn. */
#include "../race.h"
#include <sanitizer/common_interface_defs.h>

void __tsan_read4(void *addr);
void __tsan_read_range(void *addr, unsigned long size);
void __tsan_write_range(void *addr, unsigned long size);

char text[24], table[64], word[8];

static void *a(void *unused)
{
    __sanitizer_unaligned_store32(text + 3, 7);
    __tsan_write_range(table, sizeof table);
    __sanitizer_unaligned_store64(word, 1);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(__sanitizer_unaligned_load16(text + 7));
    __tsan_read_range(text + 8, 4);
    __tsan_read4(text + 8);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
