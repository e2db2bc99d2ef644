// Mappings: made, grown, moved, unmapped, by two threads.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

static void *work(void *arg)
{
    (void)arg;
    for (int i = 1; i < 6; i++) {
        char *p = mmap(NULL, (size_t)i * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                       -1, 0);
        assert(p != MAP_FAILED && (uintptr_t)p % PAGE == 0 && p[0] == 0);
        strcpy(p, "kept");
        char *blocker = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        p = mremap(p, (size_t)i * PAGE, (size_t)i * 3 * PAGE, MREMAP_MAYMOVE);
        assert(p != MAP_FAILED && strcmp(p, "kept") == 0);
        p[i * 3 * PAGE - 1] = 1;
        assert(munmap(p, (size_t)i * 3 * PAGE) == 0);
        assert(munmap(blocker, PAGE) == 0);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    char *fixed = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(mmap(fixed, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                0) == fixed);
    fixed[0] = 1;
    return munmap(fixed, PAGE);
}
