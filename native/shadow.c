/*
 * shadow.c - see shadow.h and cell.h.
 *
 * The rules are FastTrack's, for one cell: a read must have seen the last write; a write
 * must have seen the last write and every read since. A mark that the new one dominates is
 * replaced. What a cell cannot hold is split (halves, bytes) and at last becomes a list.
 */
#include "native/shadow.h"

#include "abi/site.h"
#include "base/sys.h"
#include "native/part.h"
#include "native/paths.h"
#include "native/record.h"

struct piece { /* the part of an access that lies in one granule */
    struct sm_detect_thread *thread;
    const struct sm_site *site;
    uintptr_t addr;
    uint32_t size;
    unsigned kind;
    uint32_t me;
    bool again; /* it was made before, and is looked at once more */
};

/* ---- one cell ---- */

/* What is no epoch is a state (cell.h): the granule has changed since it was looked at. */
static void race(const struct piece *piece, uint32_t epoch, unsigned other_kind)
{
    struct sm_collision found = {piece->addr, piece->size, piece->kind,   other_kind,
                                 epoch,       piece->site, piece->thread, piece->again};
    if (epoch < SM_EPOCH_LIMIT)
        sm_race_shell(&found);
}

static bool seen_or_none(const struct piece *piece, uint32_t epoch)
{
    return !epoch || sm_has_seen(piece->thread, epoch);
}

static void check_write_mark(const struct piece *piece, uint32_t epoch)
{
    if (!seen_or_none(piece, epoch))
        race(piece, epoch, SM_ACCESS_WRITE);
}

static void check_read_marks(const struct piece *piece, const struct sm_cell *cell, uint32_t read)
{
    if (read != SM_CELL_MULTI) {
        if (!seen_or_none(piece, read))
            race(piece, read, 0);
        return;
    }
    for (unsigned i = 0; i < SM_READERS_MAX; i++) {
        uint32_t reader = *sm_cell_reader(cell, i);
        if (!seen_or_none(piece, reader))
            race(piece, reader, 0);
    }
}

/* Freed memory may be another thread's before the next release: it is not looked at again. */
static void note(const struct piece *piece)
{
    if (!(piece->kind & SM_ACCESS_RANGE))
        sm_history_add(piece->thread->history, SM_HISTORY_ACCESS, piece->addr, piece->site);
    if (piece->kind & SM_ACCESS_FREE)
        return;
    struct sm_takeover taken = {piece->addr,
                                {piece->site},
                                piece->size,
                                0,
                                piece->kind & SM_ACCESS_WRITE ? SM_TAKEOVER_WRITE : piece->me};
    sm_takeover_note(piece->thread, taken);
}

static uint32_t *reader_of(const struct sm_cell *cell, uint32_t epoch)
{
    return sm_cell_reader(cell, sm_epoch_slot(epoch));
}

/* A plane that nobody needs is not touched. */
static void set_reader(uint32_t *reader, uint32_t epoch)
{
    if (*reader != epoch)
        *reader = epoch;
}

/* Two readers from now on; false if both would have the same place. */
static bool start_readers(const struct piece *piece, const struct sm_cell *cell, uint32_t first)
{
    if (reader_of(cell, first) == reader_of(cell, piece->me))
        return false;
    for (unsigned i = 0; i < SM_READERS_MAX; i++)
        set_reader(sm_cell_reader(cell, i), 0);
    *reader_of(cell, first) = first;
    *reader_of(cell, piece->me) = piece->me;
    return true;
}

/* Joins a second, third or fourth reader; false if there is no place for it, as never for a
   byte's cell. */
static bool add_reader(const struct piece *piece, struct sm_cell *cell, uint32_t flag)
{
    if ((uintptr_t)cell >= SM_BYTE_CELLS)
        return false;
    uint32_t *place = reader_of(cell, piece->me), read;
    bool added;
    sm_granule_lock(piece->addr);
    read = sm_cell_load(cell).read & SM_EPOCH_MASK;
    if (read == SM_CELL_MARK) {
        added = false; /* it has become a list */
    } else if (read == SM_CELL_MULTI) {
        added = seen_or_none(piece, *place);
        if (added)
            __atomic_store_n(place, piece->me, __ATOMIC_RELAXED);
    } else {
        added = start_readers(piece, cell, read);
        if (added) /* release: who sees MULTI sees these readers */
            __atomic_store_n(&cell->read, SM_CELL_MULTI | flag, __ATOMIC_RELEASE);
    }
    sm_granule_unlock(piece->addr);
    return added;
}

/* The history has the access before a race is told: the other side may be telling one, too,
   and look for it. */
static bool read_cell(const struct piece *piece, struct sm_cell *cell, uint32_t flag)
{
    struct sm_cell seen;
    uint32_t write, read;
    do {
        seen = sm_cell_load(cell);
        write = seen.write & SM_EPOCH_MASK, read = seen.read & SM_EPOCH_MASK;
        if (write == piece->me || read == piece->me)
            return true;
        if (read == SM_CELL_MULTI || !seen_or_none(piece, read)) {
            note(piece);
            check_write_mark(piece, write);
            return add_reader(piece, cell, flag);
        }
    } while (!sm_cell_replace(cell, seen, seen.write, piece->me | flag));
    note(piece);
    check_write_mark(piece, write);
    return true;
}

static void write_cell(const struct piece *piece, struct sm_cell *cell, uint32_t flag)
{
    struct sm_cell seen;
    do {
        seen = sm_cell_load(cell);
        if ((seen.write & SM_EPOCH_MASK) == piece->me && !(seen.read & SM_EPOCH_MASK))
            return;
    } while (!sm_cell_replace(cell, seen, piece->me | flag, flag));
    note(piece);
    check_write_mark(piece, seen.write & SM_EPOCH_MASK);
    check_read_marks(piece, cell, seen.read & SM_EPOCH_MASK);
}

/* False when the cell cannot hold the read. */
static bool access_cell(const struct piece *piece, struct sm_cell *cell, uint32_t flag)
{
    if (!(piece->kind & SM_ACCESS_WRITE))
        return read_cell(piece, cell, flag);
    write_cell(piece, cell, flag);
    return true;
}

/* ---- one granule ---- */

static void list_access(const struct piece *piece)
{
    struct sm_record *record = sm_record_lock(piece->addr);
    struct sm_mark mark = {piece->me, sm_byte_mask(piece->addr, piece->size),
                           (uint8_t)(piece->kind & (SM_ACCESS_WRITE | SM_ACCESS_ATOMIC)), 0};
    struct sm_collision found = {piece->addr, piece->size, piece->kind,   0,
                                 0,           piece->site, piece->thread, piece->again};
    bool fresh = sm_record_access(record, piece->thread, mark, &found);
    sm_record_unlock(record);
    if (fresh)
        note(piece);
    if (found.other_epoch)
        sm_race_shell(&found);
}

/* False if the granule changed meanwhile. */
static bool to_halves(uintptr_t addr, struct sm_cell seen)
{
    struct sm_cell *low = sm_cell_low(addr), *high = sm_cell_high(addr);
    for (unsigned i = 0; seen.read == SM_CELL_MULTI && i < SM_READERS_MAX; i++)
        set_reader(sm_cell_reader(high, i), *sm_cell_reader(low, i));
    sm_cell_store(high, seen.write | SM_CELL_HALF, seen.read | SM_CELL_HALF);
    return sm_cell_replace(low, seen, seen.write | SM_CELL_HALF, seen.read | SM_CELL_HALF);
}

/* Not for cells with several readers. False if the granule changed meanwhile. */
static bool to_bytes(uintptr_t addr, struct sm_cell low, struct sm_cell high, struct sm_part part)
{
    struct sm_cell *cells = sm_cell_byte(addr & ~7ul);
    for (unsigned i = 0; i < 8; i++) {
        struct sm_cell from = i < 4 ? low : high;
        if (part.written & 1u << i)
            from = (struct sm_cell){part.epoch, 0};
        else if (part.read & 1u << i)
            from.read = part.epoch;
        else if (part.older & 1u << i)
            from.read = sm_part_older_epoch(part);
        sm_cell_store(&cells[i], from.write & SM_EPOCH_MASK, from.read & SM_EPOCH_MASK);
    }
    if (!sm_cell_replace(sm_cell_low(addr), low, SM_CELL_BYTES, SM_CELL_MARK))
        return false;
    sm_cell_store(sm_cell_high(addr), 0, 0); /* inline paths would find their marks there */
    return true;
}

static bool is_half(const struct piece *piece)
{
    return piece->size == 4 && piece->addr % 4 == 0;
}

static bool already_marked(const struct piece *piece, struct sm_cell seen)
{
    if (piece->kind & SM_ACCESS_WRITE)
        return seen.write == piece->me && !seen.read;
    return seen.write == piece->me || seen.read == piece->me;
}

/* ---- bytes ----
 * Their cells are there once the granule is split, so no page fault can fall between a load and
 * a store: marks that are the thread's own, seen, or none are replaced by plain stores, and the
 * piece is noted once. */

static bool may_mark(const struct piece *piece, const struct sm_cell *cells, bool *needed)
{
    struct sm_cell before = {0, 0};
    for (unsigned i = 0; i < piece->size; i++) {
        struct sm_cell seen = sm_cell_load(&cells[i]);
        if (already_marked(piece, seen))
            continue;
        *needed = true;
        if (seen.write == before.write && seen.read == before.read)
            continue;
        if (!seen_or_none(piece, seen.write) || !seen_or_none(piece, seen.read))
            return false;
        before = seen;
    }
    return true;
}

/* Eight bytes in the same state are a whole granule again: what is read or written piece by piece
   mostly is, at the end. Under the lock nobody splits it meanwhile. */
static void join_bytes(uintptr_t addr)
{
    const struct sm_cell *cells = sm_cell_byte(addr & ~7ul);
    struct sm_cell first = sm_cell_load(&cells[0]), split = {SM_CELL_BYTES, SM_CELL_MARK};
    bool same = true;
    sm_granule_lock(addr);
    for (unsigned i = 1; i < 8 && same; i++) {
        struct sm_cell other = sm_cell_load(&cells[i]);
        same = other.write == first.write && other.read == first.read;
    }
    if (same)
        sm_cell_replace(sm_cell_low(addr), split, first.write, first.read);
    sm_granule_unlock(addr);
}

static bool is_last_alike(const struct piece *piece)
{
    const struct sm_cell *cells = sm_cell_byte(piece->addr & ~7ul);
    struct sm_cell first = sm_cell_load(&cells[0]), last = sm_cell_load(&cells[7]);
    return first.write == last.write && first.read == last.read;
}

static void store_marks(const struct piece *piece, struct sm_cell *cells)
{
    for (unsigned i = 0; i < piece->size; i++) {
        if (piece->kind & SM_ACCESS_WRITE)
            sm_cell_store(&cells[i], piece->me, 0);
        else if (sm_cell_load(&cells[i]).write != piece->me)
            sm_cell_store_read(&cells[i], piece->me);
    }
}

static bool mark_bytes(const struct piece *piece)
{
    struct sm_cell *cells = sm_cell_byte(piece->addr);
    bool needed = false;
    if (!may_mark(piece, cells, &needed))
        return false;
    if (!needed)
        return true;
    store_marks(piece, cells);
    note(piece);
    if (is_last_alike(piece))
        join_bytes(piece->addr);
    return true;
}

static bool byte_access(const struct piece *piece)
{
    if (mark_bytes(piece))
        return true;
    struct sm_cell *cells = sm_cell_byte(piece->addr);
    struct piece byte = *piece;
    byte.size = 1;
    for (unsigned i = 0; i < piece->size; i++, byte.addr++) {
        struct sm_cell seen = sm_cell_load(&cells[i]);
        bool write = piece->kind & SM_ACCESS_WRITE;
        if (!write && seen.write != byte.me && seen.read != byte.me &&
            !seen_or_none(piece, seen.read))
            return false; /* a second reader needs a list, */
        if (!access_cell(&byte, &cells[i], 0))
            return false; /* also one that came just now */
    }
    if (piece->size == 8 && (piece->kind & SM_ACCESS_WRITE))
        sm_cell_store(sm_cell_low(piece->addr), piece->me, 0);
    return true;
}

/* Both halves: a write makes them one again. */
static bool two_halves(const struct piece *piece)
{
    struct sm_cell *low = sm_cell_low(piece->addr), *high = sm_cell_high(piece->addr);
    bool held = access_cell(piece, low, SM_CELL_HALF);
    held = access_cell(piece, high, SM_CELL_HALF) && held;
    if (piece->kind & SM_ACCESS_WRITE) {
        sm_cell_store(low, piece->me, 0);
        sm_cell_store(high, 0, 0);
    }
    return held;
}

enum settled { DONE, CHANGED, NEEDS_LIST };

static enum settled held(bool by_cell)
{
    return by_cell ? DONE : NEEDS_LIST;
}

/* Splitting takes the granule's lock: two that split at once would mix their pieces. */
static enum settled split_to_bytes(const struct piece *piece, struct sm_cell low,
                                   struct sm_cell high, struct sm_part part)
{
    if ((low.read & SM_EPOCH_MASK) == SM_CELL_MULTI || (high.read & SM_EPOCH_MASK) == SM_CELL_MULTI)
        return NEEDS_LIST;
    sm_granule_lock(piece->addr);
    bool split = to_bytes(piece->addr, low, high, part);
    sm_granule_unlock(piece->addr);
    return split ? held(byte_access(piece)) : CHANGED;
}

static enum settled split_to_halves(const struct piece *piece, struct sm_cell seen)
{
    sm_granule_lock(piece->addr);
    to_halves(piece->addr, seen);
    sm_granule_unlock(piece->addr);
    return CHANGED;
}

/* ---- parts ---- */

/* What bits of a mask the half has: all four or none. */
static bool covers_halves(uint8_t mask)
{
    return mask == 0 || mask == 0x0f || mask == 0xf0;
}

static struct sm_cell half_of(struct sm_cell base, struct sm_part part, uint8_t mask)
{
    if (part.written & mask)
        return (struct sm_cell){part.epoch | SM_CELL_HALF, SM_CELL_HALF};
    uint32_t read = base.read;
    if (part.read & mask)
        read = part.epoch;
    else if (part.older & mask)
        read = sm_part_older_epoch(part);
    return (struct sm_cell){base.write | SM_CELL_HALF, read | SM_CELL_HALF};
}

/* Other accesses to the one half, this one to the other: then each has a cell. Not on top of
   readers that the part's may not have seen. */
static bool part_to_halves(const struct piece *piece, struct sm_cell base)
{
    struct sm_part part = sm_part_load(sm_cell_part(piece->addr));
    if (!is_half(piece) || !covers_halves(part.written) || !covers_halves(part.read) ||
        !covers_halves(part.older) || (base.read & SM_EPOCH_MASK))
        return false;
    struct sm_cell low = half_of(base, part, 0x0f), high = half_of(base, part, 0xf0);
    sm_granule_lock(piece->addr);
    sm_cell_store(sm_cell_high(piece->addr), high.write, high.read);
    bool split = sm_cell_replace(sm_cell_low(piece->addr), base, low.write, low.read);
    sm_granule_unlock(piece->addr);
    return split;
}

/* On top of a cell with readers that the part's may not have seen: bytes have but one. */
static enum settled part_to_bytes(const struct piece *piece, struct sm_cell base)
{
    struct sm_part part = sm_part_load(sm_cell_part(piece->addr));
    if ((base.read & SM_EPOCH_MASK) && (part.read | part.older))
        return NEEDS_LIST;
    return split_to_bytes(piece, base, base, part);
}

/* All bytes have been read, beside another reader: it is one of the cell's readers now. */
static bool join_readers(const struct piece *piece, struct sm_cell base)
{
    struct sm_part part = sm_part_load(sm_cell_part(piece->addr));
    uint8_t mask = sm_byte_mask(piece->addr, piece->size);
    struct piece all = *piece;
    if (!sm_cell_is_part(base) || (piece->kind & SM_ACCESS_WRITE) ||
        sm_part_with(part, piece->me, mask, false).read != 0xff || part.epoch != piece->me ||
        !seen_or_none(piece, base.write))
        return false;
    all.addr &= ~7ul;
    all.size = 8;
    return sm_cell_replace(sm_cell_low(piece->addr), base, base.write, base.read & SM_EPOCH_MASK) &&
           access_cell(&all, sm_cell_low(piece->addr), 0);
}

static enum settled part_access(const struct piece *piece, struct sm_cell seen)
{
    uint32_t over;
    switch (sm_part_mark(piece->thread, piece->addr, sm_byte_mask(piece->addr, piece->size),
                         piece->kind & SM_ACCESS_WRITE, &over)) {
    case SM_PART_MARKED:
        note(piece);
        return DONE;
    case SM_PART_THERE:
        return DONE;
    case SM_PART_NOT:
        break;
    }
    if (join_readers(piece, seen))
        return DONE;
    if (sm_cell_is_part(seen))
        return part_to_halves(piece, seen) ? CHANGED : part_to_bytes(piece, seen);
    return is_half(piece) ? split_to_halves(piece, seen)
                          : split_to_bytes(piece, seen, seen, (struct sm_part){0});
}

/* ---- halves, and parts of them ---- */

/* What the one half has on top of the other, if that is one epoch's. A write on top of reads
   would have seen them: of those here nobody knows whether they came before it or behind. */
static bool difference(struct sm_cell half, struct sm_cell base, uint8_t mask, struct sm_part *part)
{
    if ((base.write != half.write && base.write) || (base.read != half.read && base.read) ||
        base.read == SM_CELL_MULTI || half.read == SM_CELL_MULTI)
        return false;
    *part = (struct sm_part){0};
    if (half.write == base.write && half.read != base.read)
        *part = (struct sm_part){.epoch = half.read, .read = mask};
    else if (half.write != base.write && !half.read && !base.read)
        *part = (struct sm_part){.epoch = half.write, .written = mask};
    return half.write == base.write || (!half.read && !base.read);
}

static struct sm_cell without_flags(struct sm_cell cell)
{
    return (struct sm_cell){cell.write & SM_EPOCH_MASK, cell.read & SM_EPOCH_MASK};
}

/* False if they are too different, or the granule changed meanwhile. */
static bool halves_to_part(uintptr_t addr, struct sm_cell seen_low, struct sm_cell seen_high)
{
    struct sm_cell low = without_flags(seen_low), high = without_flags(seen_high), base = high;
    struct sm_part part;
    if (!difference(low, high, 0x0f, &part)) {
        base = low;
        if (!difference(high, low, 0xf0, &part))
            return false;
    }
    sm_granule_lock(addr);
    sm_part_store(sm_cell_part(addr), part);
    uint32_t flag = part.epoch ? SM_CELL_HALF : 0;
    bool changed = sm_cell_replace(sm_cell_low(addr), seen_low, base.write, base.read | flag);
    if (changed)
        sm_cell_store(sm_cell_high(addr), 0, 0);
    sm_granule_unlock(addr);
    return changed;
}

static enum settled halves_access(const struct piece *piece, struct sm_cell low)
{
    struct sm_cell *half = sm_cell_half(piece->addr),
                   high = sm_cell_load(sm_cell_high(piece->addr));
    if (piece->size == 8)
        return held(two_halves(piece));
    if (is_half(piece))
        return held(access_cell(piece, half, SM_CELL_HALF));
    if (piece->addr % 4 + piece->size <= 4 &&
        already_marked(piece, without_flags(sm_cell_load(half))))
        return DONE;
    if (halves_to_part(piece->addr, low, high))
        return CHANGED;
    return split_to_bytes(piece, low, high, (struct sm_part){0});
}

/* ---- any granule ---- */

static enum settled granule_access(const struct piece *piece)
{
    struct sm_cell *low = sm_cell_low(piece->addr), seen = sm_cell_load(low);
    if (seen.write == SM_CELL_LIST || (piece->kind & SM_ACCESS_ATOMIC))
        return NEEDS_LIST;
    if (seen.write == SM_CELL_BYTES)
        return held(byte_access(piece));
    if (seen.write == SM_CELL_HEADER)
        return DONE;
    if (sm_cell_is_part(seen))
        return part_access(piece, seen);
    if (!sm_cell_is_whole(seen))
        return halves_access(piece, seen);
    if (piece->size == 8)
        return held(access_cell(piece, low, 0));
    if (already_marked(piece, seen))
        return DONE;
    return is_half(piece) && !sm_part_suits_half(low, seen) ? split_to_halves(piece, seen)
                                                            : part_access(piece, seen);
}

static void settle(const struct piece *piece)
{
    enum settled settled;
    while ((settled = granule_access(piece)) == CHANGED)
        ;
    if (settled == NEEDS_LIST)
        list_access(piece);
}

void sm_check(uintptr_t addr, size_t size, unsigned kind, const struct sm_site *site)
{
    struct sm_detect_thread *thread = sm_current;
    if (!thread || thread->busy || thread->ignored)
        return;
    thread->busy = true;
    struct piece piece = {.thread = thread, .site = site, .kind = kind, .me = sm_own.epoch};
    for (uintptr_t end = addr + size; addr < end; addr += piece.size) {
        uintptr_t granule_end = (addr & ~7ul) + 8;
        piece.addr = addr;
        piece.size = (uint32_t)((granule_end < end ? granule_end : end) - addr);
        settle(&piece);
    }
    thread->busy = false;
}

/* ---- once more, before a release ---- */

static void again_cell(const struct piece *piece, const struct sm_cell *cell)
{
    struct sm_cell seen = sm_cell_load(cell);
    check_write_mark(piece, seen.write & SM_EPOCH_MASK);
    if (piece->kind & SM_ACCESS_WRITE)
        check_read_marks(piece, cell, seen.read & SM_EPOCH_MASK);
}

static void again_part(const struct piece *piece)
{
    struct sm_part part = sm_part_load(sm_cell_part(piece->addr));
    uint8_t mask = sm_byte_mask(piece->addr, piece->size);
    uint32_t older = part.older & mask ? sm_part_older_epoch(part) : 0;
    if (part.written & mask)
        check_write_mark(piece, part.epoch);
    else if ((part.read & mask) && (piece->kind & SM_ACCESS_WRITE) &&
             !seen_or_none(piece, part.epoch))
        race(piece, part.epoch, 0);
    else if ((piece->kind & SM_ACCESS_WRITE) && !seen_or_none(piece, older))
        race(piece, older, 0);
    if (mask & ~part.written)
        again_cell(piece, sm_cell_low(piece->addr));
}

static void again_granule(const struct piece *piece, struct sm_cell low)
{
    uintptr_t addr = piece->addr;
    if (low.write == SM_CELL_BYTES) {
        for (uint32_t i = 0; i < piece->size; i++)
            again_cell(piece, sm_cell_byte(addr + i));
        return;
    }
    if (sm_cell_is_part(low)) {
        again_part(piece);
        return;
    }
    if (sm_cell_is_whole(low) || addr % 8 < 4)
        again_cell(piece, sm_cell_low(addr));
    if (!sm_cell_is_whole(low) && addr % 8 + piece->size > 4)
        again_cell(piece, sm_cell_high(addr));
}

/* The mark of a part may be lost to a change of the granule's state: it is set again, as far as
   that needs no lock (the caller may hold that of a record). Where there is no mark at all the
   memory has been freed. */
static void mark_again(const struct piece *piece, struct sm_cell low)
{
    struct sm_cell *cells = sm_cell_byte(piece->addr);
    bool needed = false;
    uint32_t over;
    if (low.write == SM_CELL_BYTES) {
        if (may_mark(piece, cells, &needed) && needed)
            store_marks(piece, cells);
    } else if ((low.write | low.read) && !already_marked(piece, low)) {
        sm_part_mark(piece->thread, piece->addr, sm_byte_mask(piece->addr, piece->size),
                     piece->kind & SM_ACCESS_WRITE, &over);
    }
}

/* A granule that has become a list has been checked under its lock. */
void sm_check_again(struct sm_detect_thread *thread, uintptr_t addr, uint32_t size, unsigned kind,
                    const struct sm_site *site)
{
    struct piece piece = {thread, site, addr, size, kind, sm_own.epoch, true};
    struct sm_cell low = sm_cell_load(sm_cell_low(addr));
    if (low.write == SM_CELL_LIST || low.write == SM_CELL_HEADER)
        return;
    again_granule(&piece, low);
    if (size < 8)
        mark_again(&piece, low);
}
