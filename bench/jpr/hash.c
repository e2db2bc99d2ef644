/*
 * A string's hash value, computed when first asked for and kept without synchronisation (JPR,
 * figures 1 and 2). With -DREREAD the field is read again before it is returned: that read may
 * see the 0 of the beginning although the first one did not.
 */
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif

struct string {
    const char *value;
    int count;
    int hash;
};

static struct string string = {"ab", 2, 0};

static int hash_code(struct string *s)
{
    int h = s->hash;
    if (h == 0 && s->count > 0) {
        for (int i = 0; i < s->count; i++)
            h = 31 * h + s->value[i];
        s->hash = h;
    }
#ifdef REREAD
    h = s->hash;
#endif
    return h;
}

static void *ask(void *arg)
{
    assert(hash_code(&string) == 31 * 'a' + 'b');
    return arg;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, ask, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
