/*
 * c-blosc: two threads compress and decompress, one by the global context, the other by its own.
 * With an argument: both by the global one, which nobody has initialised (docs/bugs-found.md).
 */
#include <assert.h>
#include <blosc.h>
#include <pthread.h>
#include <string.h>

enum { SIZE = 4096 };

static int source[SIZE / sizeof(int)];

static void *contextual(void *arg)
{
    char packed[SIZE + BLOSC_MAX_OVERHEAD], out[SIZE];
    int n = blosc_compress_ctx(1, 1, 4, SIZE, source, packed, sizeof packed, "blosclz", 1024, 2);
    assert(n > 0 && blosc_decompress_ctx(packed, out, SIZE, 2) == SIZE);
    assert(memcmp(out, source, SIZE) == 0);
    return arg;
}

static void *global(void *arg)
{
    char packed[SIZE + BLOSC_MAX_OVERHEAD], out[SIZE];
    int n = blosc_compress(1, 1, 4, SIZE, source, packed, sizeof packed);
    assert(n > 0 && blosc_decompress(packed, out, SIZE) == SIZE);
    assert(memcmp(out, source, SIZE) == 0);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    for (size_t i = 0; i < SIZE / sizeof(int); i++)
        source[i] = (int)(i % 100);
    (void)argv;
    if (argc == 1) {
        blosc_init();
        blosc_set_nthreads(2);
        blosc_set_blocksize(1024);
    }
    pthread_create(&threads[0], NULL, global, NULL);
    pthread_create(&threads[1], NULL, argc == 1 ? contextual : global, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    blosc_destroy();
    return 0;
}
