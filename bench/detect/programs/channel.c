/* A bounded channel of structs, sent by value, from producers to one consumer and back. */
#include "bench.h"
#include <stdbool.h>
#include <string.h>

#define PLACES 256

struct message {
    uint64_t id;
    double amount;
    int kind, length;
    char text[32];
};

struct channel {
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
    struct message places[PLACES];
    unsigned head, tail;
    int senders;
};

static int n_messages, n_producers;
static struct channel requests, receipts;
static uint64_t sums[64][8];

static void open_channel(struct channel *channel, int senders)
{
    pthread_mutex_init(&channel->lock, NULL);
    pthread_cond_init(&channel->not_empty, NULL);
    pthread_cond_init(&channel->not_full, NULL);
    channel->senders = senders;
}

static void send(struct channel *channel, const struct message *message)
{
    pthread_mutex_lock(&channel->lock);
    while (channel->tail - channel->head == PLACES)
        pthread_cond_wait(&channel->not_full, &channel->lock);
    channel->places[channel->tail++ % PLACES] = *message;
    pthread_cond_signal(&channel->not_empty);
    pthread_mutex_unlock(&channel->lock);
}

static bool receive(struct channel *channel, struct message *message, bool wait)
{
    pthread_mutex_lock(&channel->lock);
    while (wait && channel->tail == channel->head && channel->senders)
        pthread_cond_wait(&channel->not_empty, &channel->lock);
    bool got = channel->tail != channel->head;
    if (got) {
        *message = channel->places[channel->head++ % PLACES];
        pthread_cond_signal(&channel->not_full);
    }
    pthread_mutex_unlock(&channel->lock);
    return got;
}

static void close_channel(struct channel *channel)
{
    pthread_mutex_lock(&channel->lock);
    channel->senders--;
    pthread_cond_broadcast(&channel->not_empty);
    pthread_mutex_unlock(&channel->lock);
}

static uint64_t digest(const struct message *message)
{
    uint64_t sum = message->id * 3 + (uint64_t)message->amount + message->kind;
    for (int i = 0; i < message->length; i++)
        sum += (uint64_t)message->text[i] * (i + 1);
    return sum;
}

static void produce(int id)
{
    uint32_t seed = 321 + id;
    struct message receipt;
    for (int i = 0; i < n_messages; i++) {
        struct message message = {(uint64_t)id << 32 | i, next_random(&seed) % 1000, i % 5, 0, ""};
        message.length = 8 + (int)(seed % 20);
        memset(message.text, 'a' + i % 26, message.length);
        send(&requests, &message);
        while (receive(&receipts, &receipt, false))
            sums[id][0] += digest(&receipt);
    }
    close_channel(&requests);
    while (receive(&receipts, &receipt, true))
        sums[id][0] += digest(&receipt);
}

static void consume(int id)
{
    struct message message;
    while (receive(&requests, &message, true)) {
        sums[id][0] += digest(&message);
        message.kind += 100;
        message.text[0] = 'R';
        if (message.id % 8 == 0)
            send(&receipts, &message);
    }
    close_channel(&receipts);
}

static void *worker(void *argument)
{
    int id = (int)(intptr_t)argument;
    if (id < n_producers)
        produce(id);
    else
        consume(id);
    return NULL;
}

int main(int argc, char **argv)
{
    n_messages = argument(argc, argv, 1, 700000);
    n_producers = argument(argc, argv, 2, 2) - 1;
    open_channel(&requests, n_producers);
    open_channel(&receipts, 1);
    run_threads(n_producers + 1, worker);
    uint64_t sum = 0;
    for (int i = 0; i <= n_producers; i++)
        sum += sums[i][0];
    printf("channel %lu\n", (unsigned long)sum);
    return 0;
}
