/*
 * The twin of pointer.c: who has seen the node says so first, and then it is not published.
 * The pointer from the future is never stored, so nothing may come of it.
 *
 * options: --trials 40 --prescient --variable head
 * hunt: head benign
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    const char *name;
};
static struct node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int seen;
static char initial = 'a';

static void *publish(void *arg)
{
    pthread_mutex_lock(&lock);
    if (!seen) {
        struct node *node = malloc(sizeof *node);
        node->name = "anna";
        head = node;
    }
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *look(void *arg)
{
    struct node *node = head;
    if (node) {
        pthread_mutex_lock(&lock);
        seen = 1;
        pthread_mutex_unlock(&lock);
        if (node->name[0] != initial)
            abort();
    }
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, look, NULL);
    pthread_create(&threads[1], NULL, publish, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
