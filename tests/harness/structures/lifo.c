/* Poppers exclude each other, so the top cannot be popped and pushed while one of them looks at it.
   BROKEN: they do not (ABA, where a caller pushes what it has popped). */
#include "lifo.h"

#include <pthread.h>
#include <stddef.h>

#ifndef BROKEN
static pthread_mutex_t poppers = PTHREAD_MUTEX_INITIALIZER;
#endif

void lifo_init(struct lifo *lifo)
{
    lifo->top = NULL;
}

void lifo_push(struct lifo *lifo, struct node *node)
{
    struct node *top = lifo->top;
    do
        node->next = top;
    while (!__c11_atomic_compare_exchange_strong(&lifo->top, &top, node, __ATOMIC_SEQ_CST,
                                                 __ATOMIC_SEQ_CST));
}

struct node *lifo_pop(struct lifo *lifo)
{
#ifndef BROKEN
    pthread_mutex_lock(&poppers);
#endif
    struct node *top = lifo->top;
    while (top && !__c11_atomic_compare_exchange_strong(&lifo->top, &top, top->next,
                                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
#ifndef BROKEN
    pthread_mutex_unlock(&poppers);
#endif
    return top;
}
