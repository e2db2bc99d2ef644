/*
 * A witness: reading it, and judging what was read.
 *
 * An odd first byte: the rest is the file as it is. An even one: the rest is sections, each an id
 * (1 byte), a size (4 bytes) and so many bytes; the file is made of them, with checksums that are
 * right, so that what the sections mean is reached. unpack.c turns a witness into the latter.
 */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "checker/check.h"
#include "file.h"
#include "witness/container.h"
#include "witness/witness.h"

enum { MOST_SECTIONS = 16, ROOM = 1 << 20 };

struct container {
    struct sm_container_header header;
    struct sm_container_entry entries[MOST_SECTIONS];
};

/* The section at `data`, compressed, to `to`. Returns the bytes of input that it took; 0: no more.
 */
static size_t add_section(struct container *container, const uint8_t *data, size_t size,
                          uint8_t *to, uint64_t *offset)
{
    uint32_t length;
    if (size < 5 || container->header.n_sections == MOST_SECTIONS)
        return 0;
    memcpy(&length, data + 1, 4);
    length = length > size - 5 ? (uint32_t)(size - 5) : length;
    size_t stored = ZSTD_compress(to + *offset, ROOM - *offset, data + 5, length, 1);
    if (ZSTD_isError(stored))
        return 0;
    container->entries[container->header.n_sections++] =
        (struct sm_container_entry){.id = data[0],
                                    .offset = *offset,
                                    .stored = stored,
                                    .size = length,
                                    .checksum = XXH3_64bits(to + *offset, stored)};
    *offset += stored;
    return 5 + length;
}

static uint64_t header_checksum(const struct container *container)
{
    XXH3_state_t *state = XXH3_createState();
    XXH3_64bits_reset(state);
    XXH3_64bits_update(state, &container->header, sizeof container->header);
    XXH3_64bits_update(state, container->entries,
                       container->header.n_sections * sizeof *container->entries);
    uint64_t checksum = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    return checksum;
}

static uint32_t count_sections(const uint8_t *data, size_t size)
{
    uint32_t n = 0, length;
    for (; size >= 5 && n < MOST_SECTIONS; n++) {
        memcpy(&length, data + 1, 4);
        size_t taken = 5 + (length > size - 5 ? size - 5 : length);
        data += taken;
        size -= taken;
    }
    return n;
}

static const char *pack(const uint8_t *data, size_t size)
{
    static uint8_t file[ROOM];
    struct container container = {
        .header = {.magic = SM_CONTAINER_MAGIC, .version = SM_WITNESS_VERSION}};
    size_t table = count_sections(data, size) * sizeof *container.entries;
    uint64_t offset = sizeof container.header + table;
    for (size_t taken; (taken = add_section(&container, data, size, file, &offset)); size -= taken)
        data += taken;
    container.header.file_size = offset;
    container.header.checksum = header_checksum(&container);
    memcpy(file, &container.header, sizeof container.header);
    memcpy(file + sizeof container.header, container.entries, table);
    return fuzz_file(file, offset);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sm_witness witness;
    char why[SM_WHY_SIZE];
    if (!size)
        return 0;
    const char *path = *data & 1 ? fuzz_file(data + 1, size - 1) : pack(data + 1, size - 1);
    if (!sm_witness_read(path, &witness, why))
        return 0;
    struct sm_check_options options = {.model = (enum sm_model_id)witness.options.model,
                                       .volatile_as =
                                           (enum sm_volatile_id)witness.options.volatile_as,
                                       .prescient = witness.options.prescient};
    struct sm_verdict verdict;
    sm_check_records(witness.records, witness.n_records, &options, &verdict);
    sm_witness_free(&witness);
    return 0;
}
