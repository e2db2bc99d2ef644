/*
 * Initial values in a certificate: the same as in its execution.
 *
 * A certificate is checked as an execution together with the events before the read, which compares
 * their initial values. Initial values that the witness reads from that read on are compared here,
 * as long as the memory is not freed.
 */
#include <stdlib.h>

#include "checker/execution.h"

struct shown_byte {
    uint64_t addr;
    uint8_t value;
    bool over; /* freed since */
};

struct shown_bytes {
    SM_VECTOR(struct shown_byte) all;
    struct sm_index index;
};

static uint8_t byte_of(const struct sm_record *read, uint64_t addr)
{
    uint64_t value = read->kind == SM_EV_RMW ? read->old : read->value;
    return (uint8_t)(value >> 8 * (addr - read->addr));
}

/* Initial bytes of the record, which is a read or one of its parts: [*from, *to). */
static bool initial_range(const struct sm_record *r, uint64_t *from, uint64_t *to)
{
    bool reads = r->kind == SM_EV_LOAD || r->kind == SM_EV_ATOMIC_LOAD || r->kind == SM_EV_RMW ||
                 r->kind == SM_EV_CAS_FAIL || r->kind == SM_EV_PART;
    *from = r->addr;
    *to = r->addr + r->size;
    return reads && r->rf == SM_RF_INITIAL && r->size <= 8;
}

static void show(struct shown_bytes *bytes, const struct sm_record *r, const struct sm_record *read)
{
    uint64_t from, to;
    if (!initial_range(r, &from, &to) || from < read->addr || to > read->addr + 8)
        return;
    for (uint64_t addr = from; addr < to; addr++) {
        if (sm_index_get(&bytes->index, addr) != SM_ABSENT)
            continue;
        sm_index_put(&bytes->index, addr, (uint32_t)bytes->all.n);
        SM_PUSH(&bytes->all, (struct shown_byte){addr, byte_of(read, addr), false});
    }
}

static bool differs(const struct shown_bytes *bytes, const struct sm_record *r,
                    const struct sm_record *read)
{
    uint64_t from, to;
    if (!initial_range(r, &from, &to) || from < read->addr || to > read->addr + 8)
        return false;
    for (uint64_t addr = from; addr < to; addr++) {
        uint32_t i = sm_index_get(&bytes->index, addr);
        if (i != SM_ABSENT && !bytes->all.at[i].over &&
            bytes->all.at[i].value != byte_of(read, addr))
            return true;
    }
    return false;
}

static void end_lifetimes(struct shown_bytes *bytes, const struct sm_record *freed)
{
    for (size_t i = 0; i < bytes->all.n; i++)
        bytes->all.at[i].over |= bytes->all.at[i].addr - freed->addr < freed->old;
}

static void show_certificate(struct shown_bytes *bytes, const struct sm_certificate *certificate)
{
    const struct sm_record *read = certificate->records;
    for (size_t i = 0; i < certificate->n_records; i++) {
        const struct sm_record *r = &certificate->records[i];
        if (r->kind == SM_EV_FREE)
            return;
        if (r->kind != SM_EV_PART)
            read = r;
        show(bytes, r, read);
    }
}

bool sm_initial_values_fit(const struct sm_execution *x, const struct sm_certificate *certificate)
{
    struct shown_bytes bytes = {0};
    bool fit = true;
    show_certificate(&bytes, certificate);
    const struct sm_record *read = x->records;
    for (uint32_t i = 0; i < x->n_records && fit && bytes.all.n; i++) {
        const struct sm_record *r = &x->records[i];
        if (r->kind != SM_EV_PART)
            read = r;
        if (i >= certificate->read && r->kind == SM_EV_FREE)
            end_lifetimes(&bytes, r);
        if (i >= certificate->read)
            fit = !differs(&bytes, r, read);
    }
    free(bytes.all.at);
    free(bytes.index.slots);
    return fit;
}
