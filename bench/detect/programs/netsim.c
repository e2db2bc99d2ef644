/*
 * A packet network (a torus of routers). A link takes at least one window of time, so a router
 * may simulate a window as soon as its four neighbours have handed over what they sent in the
 * window before. Packets belong to who holds them; who frees one need not have made it.
 */
#include "bench.h"
#include <string.h>

#define SIDE 6
#define N_NODES (SIDE * SIDE)
#define LINKS 4
#define WINDOW 64
#define WORDS 12

struct packet {
    uint64_t time;
    uint32_t id; /* unique: breaks ties between packets that arrive at once */
    int target, hops, size;
    uint32_t payload[WORDS], checksum;
};

struct packets {
    int n, capacity;
    struct packet **items;
};

struct mailbox {
    pthread_mutex_t mutex;
    pthread_cond_t filled;
    int received[2];
    struct packets batches[2][LINKS]; /* by parity of the window, by link */
};

struct node {
    struct mailbox mailbox;
    struct packets pending;
    uint64_t link_free[LINKS], next_birth;
    uint32_t seed, n_born;
    uint64_t delivered, digest;
};

static int n_windows, n_threads;
static struct node nodes[N_NODES];

static int compare_packets(const void *left, const void *right)
{
    const struct packet *a = *(struct packet *const *)left, *b = *(struct packet *const *)right;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static void append(struct packets *packets, struct packet *packet)
{
    if (packets->n == packets->capacity) {
        packets->capacity = packets->capacity ? 2 * packets->capacity : 8;
        packets->items = realloc(packets->items, (size_t)packets->capacity * sizeof packet);
    }
    packets->items[packets->n++] = packet;
}

/* Links: 0 east, 1 west, 2 south, 3 north; what leaves by link k arrives by link k^1. */
static int neighbour(int node, int link)
{
    int step = link % 2 ? SIDE - 1 : 1, x = node % SIDE, y = node / SIDE;
    return link < 2 ? y * SIDE + (x + step) % SIDE : (y + step) % SIDE * SIDE + x;
}

static int route(int from, int to)
{
    int dx = (to % SIDE - from % SIDE + SIDE) % SIDE, dy = (to / SIDE - from / SIDE + SIDE) % SIDE;
    return dx != 0 ? dx > SIDE / 2 : 2 + (dy > SIDE / 2);
}

static uint32_t checksum_of(const struct packet *packet)
{
    uint32_t sum = (uint32_t)packet->hops;
    for (int i = 0; i < WORDS; i++)
        sum = (sum << 5 | sum >> 27) + (packet->payload[i] ^ (uint32_t)i * 0x9e3779b1u);
    return sum;
}

static void post(int to, int link, int window, struct packets batch)
{
    struct mailbox *box = &nodes[to].mailbox;
    pthread_mutex_lock(&box->mutex);
    box->batches[window % 2][link] = batch;
    if (++box->received[window % 2] == LINKS)
        pthread_cond_signal(&box->filled);
    pthread_mutex_unlock(&box->mutex);
}

static void collect(struct node *node, int window)
{
    struct mailbox *box = &node->mailbox;
    struct packets batches[LINKS];
    pthread_mutex_lock(&box->mutex);
    while (box->received[window % 2] < LINKS)
        pthread_cond_wait(&box->filled, &box->mutex);
    box->received[window % 2] = 0;
    memcpy(batches, box->batches[window % 2], sizeof batches);
    pthread_mutex_unlock(&box->mutex);
    for (int link = 0; link < LINKS; link++) {
        for (int i = 0; i < batches[link].n; i++)
            append(&node->pending, batches[link].items[i]);
        free(batches[link].items);
    }
}

static void give_birth(int index, uint64_t end)
{
    struct node *node = &nodes[index];
    for (; node->next_birth < end; node->next_birth += 5 + next_random(&node->seed) % 36) {
        struct packet *packet = malloc(sizeof *packet);
        packet->time = node->next_birth;
        packet->id = node->n_born++ * N_NODES + (uint32_t)index;
        packet->target = (int)(next_random(&node->seed) % N_NODES);
        packet->hops = 0;
        packet->size = 4 + (int)(node->seed >> 7) % 30;
        for (int i = 0; i < WORDS; i++)
            packet->payload[i] = next_random(&node->seed);
        packet->checksum = checksum_of(packet);
        append(&node->pending, packet);
    }
}

static void deliver(struct node *node, struct packet *packet)
{
    node->delivered++;
    node->digest = node->digest * 1000003 + (packet->checksum ^ packet->id) + packet->time;
    free(packet);
}

static void forward(struct node *node, int index, struct packet *packet, struct packets *out)
{
    int link = route(index, packet->target);
    uint64_t start = node->link_free[link] > packet->time ? node->link_free[link] : packet->time;
    node->link_free[link] = start + (uint64_t)packet->size;
    packet->time = start + (uint64_t)packet->size + WINDOW;
    packet->payload[packet->hops++ % WORDS] ^= (uint32_t)index * 2654435761u;
    packet->checksum = checksum_of(packet);
    append(&out[link], packet);
}

static void simulate_window(int index, int window)
{
    struct node *node = &nodes[index];
    struct packets out[LINKS] = {0};
    uint64_t end = (uint64_t)(window + 1) * WINDOW;
    if (window > 0)
        collect(node, window);
    give_birth(index, end);
    struct packets *pending = &node->pending;
    qsort(pending->items, (size_t)pending->n, sizeof *pending->items, compare_packets);
    int done = 0;
    while (done < pending->n && pending->items[done]->time < end) {
        struct packet *packet = pending->items[done++];
        if (packet->checksum != checksum_of(packet))
            abort();
        if (packet->target == index)
            deliver(node, packet);
        else
            forward(node, index, packet, out);
    }
    pending->n -= done;
    memmove(pending->items, pending->items + done, (size_t)pending->n * sizeof *pending->items);
    for (int link = 0; link < LINKS; link++)
        post(neighbour(index, link), link ^ 1, window + 1, out[link]);
}

static void *simulate(void *argument)
{
    for (int window = 0; window < n_windows; window++)
        for (int i = (int)(intptr_t)argument; i < N_NODES; i += n_threads)
            simulate_window(i, window);
    return NULL;
}

int main(int argc, char **argv)
{
    n_windows = argument(argc, argv, 1, 2000);
    n_threads = argument(argc, argv, 2, 2);
    for (int i = 0; i < N_NODES; i++) {
        pthread_mutex_init(&nodes[i].mailbox.mutex, NULL);
        pthread_cond_init(&nodes[i].mailbox.filled, NULL);
        nodes[i].seed = 101u + 77u * (uint32_t)i;
    }
    run_threads(n_threads, simulate);
    uint64_t delivered = 0, digest = 0;
    for (int i = 0; i < N_NODES; i++) {
        collect(&nodes[i], n_windows);
        for (int k = 0; k < nodes[i].pending.n; k++)
            free(nodes[i].pending.items[k]);
        free(nodes[i].pending.items);
        delivered += nodes[i].delivered;
        digest = digest * 31 + nodes[i].digest;
    }
    printf("netsim %lu %016lx\n", (unsigned long)delivered, (unsigned long)digest);
    return 0;
}
