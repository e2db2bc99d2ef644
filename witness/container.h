/*
 * container.h - a file of checksummed, compressed sections: the envelope of a witness.
 *
 * Independent of the contents of sections. Used only by witness.c. Layout, all little
 * endian:
 *
 *   struct sm_container_header
 *   struct sm_container_entry[n_sections]
 *   the sections, each one zstd frame, in the order of the entries
 *
 * Every byte is covered: the header's checksum includes the entries, each entry has the
 * checksum of its section, and the header has the length of the file.
 */
#ifndef SM_WITNESS_CONTAINER_H
#define SM_WITNESS_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As in PNG: the high bit, CR LF and ^Z reveal a transfer in text mode. */
#define SM_CONTAINER_MAGIC "\x89SMW\r\n\x1a\n"

struct sm_container_header {
    char magic[8];
    uint32_t version;
    uint32_t n_sections;
    uint64_t file_size;
    uint64_t checksum; /* XXH3 of this header with checksum 0, then of the entries */
};
_Static_assert(sizeof(struct sm_container_header) == 32, "wire format");

struct sm_container_entry {
    uint32_t id;
    uint32_t reserved;
    uint64_t offset;   /* in the file */
    uint64_t stored;   /* bytes in the file */
    uint64_t size;     /* bytes when decompressed */
    uint64_t checksum; /* XXH3 of the stored bytes */
};
_Static_assert(sizeof(struct sm_container_entry) == 40, "wire format");

struct sm_section {
    uint32_t id;
    void *data;
    size_t size;
};

/* Both return false and put the reason in `why` (size bytes). */
bool sm_container_write(const char *path, uint32_t version, const struct sm_section *sections,
                        uint32_t n, char *why, size_t size);
/* The caller frees the data of each section, then the array. */
bool sm_container_read(const char *path, uint32_t version, struct sm_section **sections,
                       uint32_t *n, char *why, size_t size);

#endif
