/*
 * Racy initialisation in a loop (Jumble, Figure 8).
 *
 * hunt: shape destructive hb
 *
 * Once `shape` is set it stays set, so no interleaving breaks this. But the two loads of
 * `if (shape) draw(shape)` are two reads of a racy variable, and the second may see less
 * than the first.
 */
#include <pthread.h>
#include <stdio.h>

struct circle {
    int radius;
};
static struct circle circle = {3};
static struct circle *shape;
static int drawn;

static void draw(const struct circle *c)
{
    drawn += c->radius;
}

static void *init(void *arg)
{
    shape = &circle;
    return arg;
}

static void *use(void *arg)
{
    for (int i = 0; i < 10; i++)
        if (shape)
            draw(shape);
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, init, NULL);
    pthread_create(&threads[1], NULL, use, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    puts("done");
    return 0;
}
