/*
 * LinkedList: the last node is looked for in one step, and the new one hung on it in another.
 *
 * expect: set=node unit=list_append pattern=1
 *
 * Two threads find the same last node, and one of the new nodes is cut off. Each step is locked.
 */
#include "../program.h"

#define NODES 2

struct node {
    int value;
    struct node *next;
};

struct list {
    pthread_mutex_t lock;
    struct node *head;
};

static struct node *new_node(int value)
{
    struct node *node = malloc(sizeof(*node));

    assert(node);
    *node = (struct node){.value = value};
    return node;
}

void list_append(struct list *list, int value)
{
    struct node *node = new_node(value);

    repair_lock(&list->lock);
    pthread_mutex_lock(&list->lock);
    struct node *last = list->head;
    while (last->next)
        last = last->next;
    pthread_mutex_unlock(&list->lock);
    pthread_mutex_lock(&list->lock);
    last->next = node;
    pthread_mutex_unlock(&list->lock);
    repair_unlock(&list->lock);
}

void list_init(struct list *list)
{
    list->head = new_node(0);
}

int list_length(struct list *list)
{
    int length = 0;

    for (struct node *node = list->head; node->next; node = node->next)
        length++;
    return length;
}

static void *append(void *arg)
{
    for (int i = 0; i < NODES; i++)
        list_append(arg, i);
    return NULL;
}

static struct list list = {.lock = MONITOR};

int main(void)
{
    struct job jobs[] = {{append, &list}, {append, &list}};

    list_init(&list);
    run_jobs(jobs, COUNT(jobs));
    assert(list_length(&list) == 2 * NODES);
    return 0;
}
