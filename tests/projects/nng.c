/* nng: two threads exchange three messages by a pair of sockets, inside the process. */
#include <assert.h>
#include <nng/nng.h>
#include <nng/protocol/pair0/pair.h>
#include <pthread.h>
#include <stddef.h>

static nng_socket here, there;

static void *answer(void *arg)
{
    for (int i = 0; i < 3; i++) {
        int value;
        size_t size = sizeof value;
        assert(nng_recv(there, &value, &size, 0) == 0 && size == sizeof value);
        value *= 2;
        assert(nng_send(there, &value, sizeof value, 0) == 0);
    }
    return arg;
}

int main(void)
{
    pthread_t thread;
    assert(nng_pair0_open(&here) == 0 && nng_pair0_open(&there) == 0);
    assert(nng_listen(here, "inproc://test", NULL, 0) == 0);
    assert(nng_dial(there, "inproc://test", NULL, 0) == 0);
    pthread_create(&thread, NULL, answer, NULL);
    for (int i = 1; i <= 3; i++) {
        int value = i;
        size_t size = sizeof value;
        assert(nng_send(here, &value, sizeof value, 0) == 0);
        assert(nng_recv(here, &value, &size, 0) == 0 && value == 2 * i);
    }
    pthread_join(thread, NULL);
    nng_close(here);
    nng_close(there);
    return 0;
}
