#include "target/initial.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "target/image.h"

/* Normalised addresses of the program's own static data have this in the top byte. */
enum { PROGRAM = 1 };

struct sm_initial_segment {
    uint64_t start, size; /* as addresses in the file */
    struct sm_buffer bytes;
};

/* ---- the file ---- */

static void read_segment(struct sm_initial_memory *memory, int fd, const GElf_Phdr *header)
{
    struct sm_initial_segment segment = {.start = header->p_vaddr, .size = header->p_memsz};
    char chunk[1 << 14];
    uint64_t at = 0;
    while (at < header->p_filesz) {
        size_t left = header->p_filesz - at < sizeof chunk ? header->p_filesz - at : sizeof chunk;
        ssize_t got = pread(fd, chunk, left, (off_t)(header->p_offset + at));
        if (got <= 0)
            break;
        sm_buffer_add(&segment.bytes, chunk, (size_t)got);
        at += (uint64_t)got;
    }
    memory->segments =
        sm_resize(memory->segments, (memory->n_segments + 1) * sizeof *memory->segments);
    memory->segments[memory->n_segments++] = segment;
}

static void read_file(struct sm_initial_memory *memory, const char *path)
{
    elf_version(EV_CURRENT);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = fd >= 0 ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
    size_t n = 0;
    GElf_Phdr header;
    if (elf && elf_getphdrnum(elf, &n) != 0)
        n = 0;
    for (size_t i = 0; i < n; i++)
        if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD &&
            (header.p_flags & PF_W))
            read_segment(memory, fd, &header);
    memory->has_file = n > 0;
    elf_end(elf);
    if (fd >= 0)
        close(fd);
}

void sm_initial_open(struct sm_initial_memory *memory, const struct sm_witness *witness)
{
    char id[SM_BUILD_ID_SIZE];
    *memory = (struct sm_initial_memory){.witness = witness};
    sm_image_build_id(witness->program, id);
    if (*id && strcmp(id, witness->build_id) == 0)
        read_file(memory, witness->program);
}

void sm_initial_close(struct sm_initial_memory *memory)
{
    for (size_t i = 0; i < memory->n_segments; i++)
        sm_buffer_free(&memory->segments[i].bytes);
    free(memory->segments);
    memory->segments = NULL;
}

/* ---- one range ---- */

static const struct sm_initial_segment *segment_of(const struct sm_initial_memory *memory,
                                                   uint64_t addr, unsigned size)
{
    uint64_t offset = addr << 8 >> 8;
    for (size_t i = 0; addr >> 56 == PROGRAM && i < memory->n_segments; i++) {
        const struct sm_initial_segment *segment = &memory->segments[i];
        if (offset - segment->start < segment->size &&
            segment->size - (offset - segment->start) >= size)
            return segment;
    }
    return NULL;
}

static bool is_in_file(const struct sm_initial_memory *memory, uint64_t addr, unsigned size,
                       uint64_t value)
{
    const struct sm_initial_segment *segment = segment_of(memory, addr, size);
    uint64_t held = 0;
    for (unsigned i = 0; segment && i < size; i++) {
        uint64_t at = (addr << 8 >> 8) - segment->start + i;
        if (at < segment->bytes.size) /* the rest is zero */
            held |= (uint64_t)(unsigned char)segment->bytes.data[at] << 8 * i;
    }
    return segment && held == value;
}

static int by_range(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct sm_initial));
}

static bool is_declared(const struct sm_witness *witness, uint64_t addr, unsigned size,
                        uint64_t value)
{
    struct sm_initial range = {addr, value, size};
    return witness->n_initial &&
           bsearch(&range, witness->initial, witness->n_initial, sizeof range, by_range);
}

bool sm_initial_begins(void *context, uint64_t addr, unsigned size, uint64_t value)
{
    struct sm_initial_memory *memory = context;
    if (is_in_file(memory, addr, size, value))
        return true;
    if (is_declared(memory->witness, addr, size, value)) {
        memory->trusted++;
        return true;
    }
    bool unchecked = !memory->has_file && addr >> 56 == PROGRAM;
    memory->unchecked += unchecked;
    return unchecked;
}

/* ---- declarations ---- */

struct declaring {
    struct sm_initial_memory memory;
    struct sm_initial *ranges;
    size_t n, room;
};

static uint64_t bytes_of(const struct sm_record *read, uint64_t addr, unsigned size)
{
    uint64_t value = (read->kind == SM_EV_RMW ? read->old : read->value) >> 8 * (addr - read->addr);
    return size < 8 ? value & ((1ul << 8 * size) - 1) : value;
}

static void declare(struct declaring *all, const struct sm_record *r, const struct sm_record *read)
{
    uint64_t value = bytes_of(read, r->addr, r->size);
    if (is_in_file(&all->memory, r->addr, r->size, value))
        return;
    if (all->n == all->room) {
        all->room = 2 * all->room + 64;
        all->ranges = sm_resize(all->ranges, all->room * sizeof *all->ranges);
    }
    all->ranges[all->n++] = (struct sm_initial){r->addr, value, r->size};
}

static bool reads_initial(const struct sm_record *r)
{
    return r->rf == SM_RF_INITIAL && r->size && r->size <= 8;
}

static void declare_all(struct declaring *all, const struct sm_record *records, size_t n)
{
    const struct sm_record *read = records;
    for (size_t i = 0; i < n; i++) {
        if (records[i].kind != SM_EV_PART)
            read = &records[i];
        if (reads_initial(&records[i]))
            declare(all, &records[i], read);
    }
}

static size_t drop_doubles(struct sm_initial *ranges, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (!kept || by_range(&ranges[kept - 1], &ranges[i]) != 0)
            ranges[kept++] = ranges[i];
    return kept;
}

void sm_initial_declare(struct sm_witness *witness)
{
    struct declaring all = {0};
    sm_initial_open(&all.memory, witness);
    declare_all(&all, witness->records, witness->n_records);
    for (size_t i = 0; i < witness->certificates.n; i++)
        declare_all(&all, witness->certificates.at[i].records,
                    witness->certificates.at[i].n_records);
    if (all.n)
        qsort(all.ranges, all.n, sizeof *all.ranges, by_range);
    free(witness->initial);
    witness->initial = all.ranges;
    witness->n_initial = drop_doubles(all.ranges, all.n);
    sm_initial_close(&all.memory);
}
