/* liburcu: a reader and an updater of one pointer, and a wait-free queue between two threads. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <urcu.h>
#include <urcu/wfcqueue.h>

struct point {
    int x, y;
};

struct item {
    struct cds_wfcq_node node;
    int value;
};

static struct point *current;
static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;

static void *reader(void *arg)
{
    rcu_register_thread();
    for (int i = 0; i < 3; i++) {
        rcu_read_lock();
        struct point *point = rcu_dereference(current);
        assert(point->x == point->y);
        rcu_read_unlock();
    }
    rcu_unregister_thread();
    for (int i = 0; i < 3; i++) {
        struct item *item = malloc(sizeof *item);
        cds_wfcq_node_init(&item->node);
        item->value = i;
        cds_wfcq_enqueue(&head, &tail, &item->node);
    }
    return arg;
}

static void update(int value)
{
    struct point *next = malloc(sizeof *next), *last = current;
    next->x = next->y = value;
    rcu_assign_pointer(current, next);
    synchronize_rcu();
    last->x = -1; /* nobody looks at it any more */
    free(last);
}

int main(void)
{
    pthread_t thread;
    int sum = 0;
    current = calloc(1, sizeof *current);
    cds_wfcq_init(&head, &tail);
    rcu_register_thread();
    pthread_create(&thread, NULL, reader, NULL);
    update(1);
    update(2);
    rcu_unregister_thread();
    for (int got = 0; got < 3;) {
        struct cds_wfcq_node *node = cds_wfcq_dequeue_blocking(&head, &tail);
        if (!node)
            continue;
        struct item *item = caa_container_of(node, struct item, node);
        assert(item->value == got++);
        sum += item->value;
        free(item);
    }
    pthread_join(thread, NULL);
    free(current);
    return sum != 3;
}
