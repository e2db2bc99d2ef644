#include "runtime/model/memory.h"

#include <string.h>

#include "base/sys.h"
#include "core/order.h"
#include "core/rmw.h"
#include "runtime/choice.h"
#include "runtime/control.h"
#include "runtime/hb.h"
#include "runtime/thread.h"
#include "runtime/trace.h"

struct sm_parts sm_parts;

/* Single instructions for the sizes that have them: uncontrolled code may access the memory
   concurrently. */
uint64_t sm_memory_read(uintptr_t addr, unsigned size)
{
    uint64_t value = 0;
    switch (size) {
    case 1:
        return *(volatile uint8_t *)addr;
    case 2:
        return *(volatile uint16_t *)addr;
    case 4:
        return *(volatile uint32_t *)addr;
    case 8:
        return *(volatile uint64_t *)addr;
    default:
        memcpy(&value, (void *)addr, size);
        return value;
    }
}

void sm_memory_write(uintptr_t addr, unsigned size, uint64_t value)
{
    switch (size) {
    case 1:
        *(volatile uint8_t *)addr = (uint8_t)value;
        break;
    case 2:
        *(volatile uint16_t *)addr = (uint16_t)value;
        break;
    case 4:
        *(volatile uint32_t *)addr = (uint32_t)value;
        break;
    case 8:
        *(volatile uint64_t *)addr = value;
        break;
    default:
        memcpy((void *)addr, &value, size);
    }
}

/* ---- read-modify-write ---- */

static bool fail(struct sm_event *event, uint64_t read)
{
    event->kind = SM_EV_CAS_FAIL;
    event->order = sm_order_of_cas(false, event->order, event->order_fail);
    event->value = event->old = read;
    return false;
}

static bool would_fail(const struct sm_event *event, uint64_t read)
{
    return event->op == SM_OP_CAS && read != sm_wide_truncate(event->old, event->size);
}

bool sm_rmw_apply(struct sm_event *event, uint64_t read)
{
    if (would_fail(event, read))
        return fail(event, read);
    if (event->op != SM_OP_CAS)
        event->value = (uint64_t)sm_rmw_result(read, event->value, event->op, event->size);
    event->old = read;
    return true;
}

bool sm_rmw_is_weak(const struct sm_event *event)
{
    return event->op == SM_OP_CAS && event->site && (event->site->flags & SM_SITE_WEAK_CAS) &&
           event->size == event->site->size; /* one of 16 bytes is two, which must agree */
}

bool sm_rmw_perform(struct sm_event *event, uint64_t read)
{
    if (!sm_rmw_is_weak(event) || would_fail(event, read) ||
        !sm_choose(SM_PURPOSE_WEAK_CAS, 2, NULL))
        return sm_rmw_apply(event, read);
    sm_rmw_fail(event, read);
    return false;
}

void sm_rmw_fail(struct sm_event *event, uint64_t read)
{
    event->thread->cas_failed = !would_fail(event, read);
    fail(event, read);
}

/* ---- provenance ---- */

struct cell {
    uintptr_t granule; /* address / 8; 0: empty */
    uint64_t rf[8];
    uint8_t value[8];
    uint8_t known;                 /* a bit for each byte whose rf and value are valid */
    struct sm_message *message[8]; /* of the newest store to each byte */
};

static struct cell *cells;
static size_t n_cells, capacity; /* capacity is a power of two */

void sm_provenance_start(void)
{
    if (cells)
        memset(cells, 0, capacity * sizeof *cells);
    n_cells = 0;
}

static size_t home(uintptr_t granule, size_t size)
{
    return (granule * 0x9e3779b97f4a7c15u) >> 20 & (size - 1);
}

static struct cell *slot(struct cell *table, size_t size, uintptr_t granule)
{
    size_t i = home(granule, size);
    while (table[i].granule && table[i].granule != granule)
        i = (i + 1) & (size - 1);
    return &table[i];
}

static void grow(void)
{
    size_t larger = capacity ? capacity * 2 : 1024;
    struct cell *table = sm_alloc(larger * sizeof *table);
    for (size_t i = 0; i < capacity; i++)
        if (cells[i].granule)
            *slot(table, larger, cells[i].granule) = cells[i];
    if (cells)
        sm_free(cells, capacity * sizeof *cells);
    cells = table;
    capacity = larger;
}

static struct cell *cell_of(uintptr_t addr)
{
    if (n_cells * 2 >= capacity)
        grow();
    struct cell *cell = slot(cells, capacity, addr / 8);
    if (!cell->granule) {
        cell->granule = addr / 8;
        n_cells++;
    }
    return cell;
}

void sm_provenance_set(uintptr_t addr, unsigned size, uint64_t value, uint64_t record)
{
    struct cell *cell = cell_of(addr);
    unsigned offset = addr % 8;
    memcpy(cell->value + offset, &value, size);
    for (unsigned i = offset; i < offset + size; i++)
        cell->rf[i] = record;
    cell->known |= (uint8_t)(((1u << size) - 1) << offset);
}

bool sm_provenance_on(void)
{
    return sm_option(record) || sm_hb_on;
}

struct sm_message *sm_provenance_message(uintptr_t addr, unsigned size)
{
    static struct sm_message *joined; /* of the last read that needed one */
    struct sm_message **messages = &cell_of(addr)->message[addr % 8];
    bool mixed = false;
    for (unsigned i = 1; i < size; i++)
        mixed |= messages[i] != messages[0];
    if (!mixed)
        return messages[0];
    sm_message_drop(joined);
    joined = sm_message_new();
    for (unsigned i = 0; i < size; i++)
        sm_message_add(joined, messages[i]);
    return joined;
}

void sm_provenance_set_message(uintptr_t addr, unsigned size, struct sm_message *message)
{
    struct sm_message **messages = &cell_of(addr)->message[addr % 8];
    for (unsigned i = 0; i < size; i++) {
        sm_message_keep(message);
        sm_message_drop(messages[i]);
        messages[i] = message;
    }
}

static bool changed_behind_us(const struct cell *cell, unsigned offset, unsigned size,
                              uint64_t value)
{
    for (unsigned i = 0; i < size; i++)
        if ((cell->known >> (offset + i) & 1) &&
            cell->value[offset + i] != (uint8_t)(value >> 8 * i))
            return true;
    return false;
}

void sm_provenance_get(const struct sm_event *event, uint64_t value, uint64_t rf[8])
{
    struct cell *cell = cell_of(event->addr);
    unsigned offset = event->addr % 8;
    if (SM_UNLIKELY(changed_behind_us(cell, offset, event->size, value)))
        sm_provenance_set(event->addr, event->size, value, sm_trace_external(event, value));
    for (unsigned i = 0; i < event->size; i++) {
        uint8_t bit = (uint8_t)(1u << (offset + i));
        if (!(cell->known & bit)) {
            cell->known |= bit;
            cell->rf[offset + i] = SM_RF_INITIAL;
            cell->value[offset + i] = (uint8_t)(value >> 8 * i);
        }
        rf[i] = cell->rf[offset + i];
    }
}

/* Cells that were displaced by the one removed move up, as in base/table.c. */
static void close_gap(size_t gap)
{
    size_t mask = capacity - 1;
    for (size_t i = (gap + 1) & mask; cells[i].granule; i = (i + 1) & mask) {
        size_t away = (i - home(cells[i].granule, capacity)) & mask;
        if (away < ((i - gap) & mask))
            continue;
        cells[gap] = cells[i];
        gap = i;
    }
    cells[gap] = (struct cell){0};
}

static void empty(struct cell *cell)
{
    if (!cell->granule)
        return;
    for (unsigned i = 0; i < 8; i++)
        sm_message_drop(cell->message[i]);
    n_cells--;
    close_gap((size_t)(cell - cells));
}

void sm_provenance_forget(uintptr_t addr, size_t size)
{
    if (!n_cells)
        return;
    if (size / 8 > capacity) {
        for (size_t i = 0; i < capacity; i++)
            while (cells[i].granule >= addr / 8 && cells[i].granule < (addr + size + 7) / 8)
                empty(&cells[i]);
        return;
    }
    for (uintptr_t granule = addr / 8; granule < (addr + size + 7) / 8; granule++)
        empty(slot(cells, capacity, granule));
}

/* ---- reads-from ---- */

void sm_read_from(struct sm_event *event, const uint64_t rf[8])
{
    sm_parts.n = 0;
    for (unsigned i = 0; i < event->size; i++) {
        uint32_t last = sm_parts.n - 1;
        if (sm_parts.n && sm_parts.part[last].rf == rf[i]) {
            sm_parts.part[last].size++;
            continue;
        }
        sm_parts.part[sm_parts.n].offset = (uint8_t)i;
        sm_parts.part[sm_parts.n].size = 1;
        sm_parts.part[sm_parts.n++].rf = rf[i];
    }
    event->rf = sm_parts.n == 1 ? rf[0] : SM_RF_PARTS;
}

static uint64_t read_memory(struct sm_event *event)
{
    uint64_t value = sm_memory_read(event->addr, event->size);
    if (sm_provenance_on()) {
        uint64_t rf[8];
        sm_provenance_get(event, value, rf);
        sm_read_from(event, rf);
        event->message_read = sm_provenance_message(event->addr, event->size);
    }
    return value;
}

void sm_memory_load(struct sm_event *event)
{
    event->value = read_memory(event);
}

void sm_memory_store(struct sm_event *event)
{
    sm_memory_write(event->addr, event->size, event->value);
    if (!sm_provenance_on())
        return;
    sm_provenance_set(event->addr, event->size, event->value, sm_trace_next());
    sm_provenance_set_message(event->addr, event->size, event->message);
}

bool sm_memory_update(struct sm_event *event)
{
    uint64_t read = read_memory(event);
    if (!sm_rmw_perform(event, read))
        return false;
    sm_memory_store(event);
    return event->value != read;
}

void sm_memory_rmw(struct sm_event *event)
{
    sm_memory_update(event);
}
