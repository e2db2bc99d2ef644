/* libuv: a thread wakes the loop three times by uv_async_send; the work pool does two jobs. */
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <uv.h>

static uv_loop_t loop;
static uv_async_t wake;
static atomic_int sent;
static int done;

static void produce(void *arg)
{
    (void)arg;
    for (int i = 1; i <= 3; i++) {
        atomic_store_explicit(&sent, i, memory_order_release);
        uv_async_send(&wake);
    }
}

static void woken(uv_async_t *handle)
{
    if (atomic_load_explicit(&sent, memory_order_acquire) == 3 && !uv_is_closing((void *)handle))
        uv_close((uv_handle_t *)handle, NULL);
}

static void work(uv_work_t *request)
{
    *(int *)request->data += 1;
}

static void worked(uv_work_t *request, int status)
{
    assert(status == 0 && *(int *)request->data == 1);
    done++;
}

int main(int argc, char **argv)
{
    uv_thread_t thread;
    int values[2] = {0};
    uv_work_t requests[2];
    (void)argv;
    uv_loop_init(&loop);
    uv_async_init(&loop, &wake, woken);
    uv_thread_create(&thread, produce, NULL);
    for (int i = 0; argc > 1 && i < 2; i++) {
        requests[i].data = &values[i];
        uv_queue_work(&loop, &requests[i], work, worked);
    }
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_thread_join(&thread);
    assert(argc < 2 || done == 2);
    return uv_loop_close(&loop);
}
