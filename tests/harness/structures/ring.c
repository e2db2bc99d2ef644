/* Each slot has a turn, which says whose it is: that of the sender with this ticket, or of the
   receiver with the ticket before. Who has a ticket waits for its turn. BROKEN: a sender passes the
   slot on before it is filled. */
#include "ring.h"

#include <stdatomic.h>
#include <stdlib.h>

struct slot {
    atomic_uint turn, value;
};

struct ring {
    atomic_uint sent, received;
    unsigned size;
    struct slot slots[];
};

struct ring *ring_create(unsigned slots)
{
    struct ring *ring = calloc(1, sizeof *ring + slots * sizeof(struct slot));
    ring->size = slots;
    for (unsigned i = 0; i < slots; i++)
        atomic_store(&ring->slots[i].turn, i);
    return ring;
}

void ring_destroy(struct ring *ring)
{
    free(ring);
}

static struct slot *wait_for(struct ring *ring, unsigned ticket, unsigned turn)
{
    struct slot *slot = &ring->slots[ticket % ring->size];
    while (atomic_load(&slot->turn) != turn)
        ;
    return slot;
}

bool ring_send(struct ring *ring, unsigned value)
{
    unsigned ticket = atomic_load(&ring->sent);
    do
        if ((int)(ticket - atomic_load(&ring->received)) >= (int)ring->size)
            return false;
    while (!atomic_compare_exchange_strong(&ring->sent, &ticket, ticket + 1));
    struct slot *slot = wait_for(ring, ticket, ticket);
#ifdef BROKEN
    atomic_store(&slot->turn, ticket + 1);
    atomic_store(&slot->value, value);
#else
    atomic_store(&slot->value, value);
    atomic_store(&slot->turn, ticket + 1);
#endif
    return true;
}

bool ring_receive(struct ring *ring, unsigned *value)
{
    unsigned ticket = atomic_load(&ring->received);
    do
        if (ticket == atomic_load(&ring->sent))
            return false;
    while (!atomic_compare_exchange_strong(&ring->received, &ticket, ticket + 1));
    struct slot *slot = wait_for(ring, ticket, ticket + 1);
    *value = atomic_load(&slot->value);
    atomic_store(&slot->turn, ticket + ring->size);
    return true;
}
