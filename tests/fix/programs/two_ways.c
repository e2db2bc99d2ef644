/*
 * A request and its answer: two flags, one for each direction.
 *
 * fix: atomic_store_explicit(&asked, 1, memory_order_release)
 * fix: atomic_load_explicit(&asked, memory_order_acquire)
 * fix: atomic_store_explicit(&answered, 1, memory_order_release)
 * fix: atomic_load_explicit(&answered, memory_order_acquire)
 * not: _Atomic int question
 * hides
 */
#include "pair.h"

static int question, answer;
static int asked, answered;

static void *client(void *arg)
{
    question = 20;
    asked = 1;
    if (answered)
        assert(answer == 40);
    return arg;
}

static void *server(void *arg)
{
    if (asked) {
        answer = 2 * question;
        answered = 1;
    }
    return arg;
}

int main(void)
{
    run_pair(client, server);
    return 0;
}
