// cflags: -fno-builtin
// Every allocation function, alignments and contents included, in two threads at once.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void check_resize(void)
{
    char *p = malloc(10);
    memcpy(p, "123456789", 10);
    for (size_t size = 10; size < 300000; size *= 3) {
        p = realloc(p, size);
        assert(p && strcmp(p, "123456789") == 0);
    }
    p = realloc(p, 10);
    assert(strcmp(p, "123456789") == 0);
    p = reallocarray(p, 20, 20);
    assert(strcmp(p, "123456789") == 0);
    free(p);
}

static void check_zeroed(void)
{
    for (size_t size = 1; size < 200000; size *= 7) {
        char *dirty = malloc(size);
        memset(dirty, 0xff, size);
        free(dirty);
        char *p = calloc(1, size);
        for (size_t i = 0; i < size; i += size / 16 + 1)
            assert(p[i] == 0);
        assert(p[size - 1] == 0);
        free(p);
    }
}

static void check_aligned(void)
{
    for (size_t align = sizeof(void *); align <= 1 << 20; align *= 2) {
        void *p = NULL;
        assert(posix_memalign(&p, align, 100) == 0 && (uintptr_t)p % align == 0);
        void *q = aligned_alloc(align, align * 3), *r = memalign(align, 5);
        assert((uintptr_t)q % align == 0 && (uintptr_t)r % align == 0);
        assert(malloc_usable_size(p) >= 100);
        memset(p, 1, 100);
        free(p);
        free(q);
        free(r);
    }
    void *p = valloc(1), *q = pvalloc(1);
    assert((uintptr_t)p % 4096 == 0 && (uintptr_t)q % 4096 == 0);
    free(p);
    free(q);
    assert(posix_memalign(&p, 3, 8) == EINVAL);
}

static void check_limits(void)
{
    volatile size_t huge = SIZE_MAX / 2;
    void *block;
    errno = 0;
    block = malloc(huge);
    assert(!block && errno == ENOMEM);
    block = calloc(huge, 8);
    assert(!block && !reallocarray(NULL, huge, 8));
    block = malloc(0);
    assert(block);
    free(block);
    free(NULL);
    assert(malloc_usable_size(NULL) == 0);
}

static void *work(void *arg)
{
    (void)arg;
    check_resize();
    check_zeroed();
    check_aligned();
    check_limits();
    return NULL;
}

int main(void)
{
    pthread_t thread;
    assert(pthread_create(&thread, NULL, work, NULL) == 0);
    work(NULL);
    assert(pthread_join(thread, NULL) == 0);
    return 0;
}
