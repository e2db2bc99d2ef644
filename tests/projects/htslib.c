/* htslib's thread pool: results come in the order of their jobs. */
#include <assert.h>
#include <htslib/hts_log.h>
#include <htslib/thread_pool.h>
#include <stddef.h>

enum { JOBS = 5 };

int hts_verbose;

/* Of the library, which is linked without the rest of it. */
void hts_log(enum htsLogLevel severity, const char *context, const char *format, ...)
{
    (void)severity;
    (void)context;
    (void)format;
}

static int values[JOBS];

static void *square(void *arg)
{
    int *value = arg;
    *value *= *value;
    return value;
}

int main(void)
{
    hts_tpool *pool = hts_tpool_init(2);
    hts_tpool_process *queue = hts_tpool_process_init(pool, 2 * JOBS, 0);
    for (int i = 0; i < JOBS; i++) {
        values[i] = i + 1;
        assert(hts_tpool_dispatch(pool, queue, square, &values[i]) == 0);
    }
    for (int i = 0; i < JOBS; i++) {
        hts_tpool_result *result = hts_tpool_next_result_wait(queue);
        assert(*(int *)hts_tpool_result_data(result) == (i + 1) * (i + 1));
        hts_tpool_delete_result(result, 0);
    }
    hts_tpool_process_destroy(queue);
    hts_tpool_destroy(pool);
    return 0;
}
