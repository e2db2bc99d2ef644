#include "hand.h"

#include <pthread.h>
#include <stdlib.h>

struct hand {
    pthread_mutex_t lock;
    pthread_cond_t given;
    int n, values[16];
};

struct hand *hand_create(void)
{
    struct hand *hand = calloc(1, sizeof *hand);
    pthread_mutex_init(&hand->lock, NULL);
    pthread_cond_init(&hand->given, NULL);
    return hand;
}

void hand_destroy(struct hand *hand)
{
    pthread_cond_destroy(&hand->given);
    pthread_mutex_destroy(&hand->lock);
    free(hand);
}

void hand_give(struct hand *hand, int value)
{
    pthread_mutex_lock(&hand->lock);
    hand->values[hand->n++] = value;
    pthread_cond_signal(&hand->given);
    pthread_mutex_unlock(&hand->lock);
}

int hand_take(struct hand *hand)
{
    pthread_mutex_lock(&hand->lock);
    while (!hand->n)
        pthread_cond_wait(&hand->given, &hand->lock);
    int value = hand->values[--hand->n];
    pthread_mutex_unlock(&hand->lock);
    return value;
}
