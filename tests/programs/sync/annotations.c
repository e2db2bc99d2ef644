// stalemate.h does no harm, and gives choices in their range.
#include <assert.h>
#include <pthread.h>
#include <stalemate.h>

int flag;
static int data;

static void *work(void *arg)
{
    stalemate_unit_begin(&data);
    data = 1;
    stalemate_unit_end(&data);
    stalemate_happens_before(&flag);
    return arg;
}

int main(void)
{
    pthread_t thread;
    stalemate_benign(&flag, sizeof(flag), "a test");
    stalemate_atomic_set(&data, sizeof(data), "data");
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    stalemate_happens_after(&flag);
    stalemate_assume(data == 1);
    assert(stalemate_choose(3) < 3 && stalemate_choose(1) == 0 && stalemate_choose(0) == 0);
    stalemate_outcome("data=%d %s %.1f", data, "ok", 0.5);
    return 0;
}
