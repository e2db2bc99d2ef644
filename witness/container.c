#include "witness/container.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/memory.h"

enum { MAX_SECTIONS = 64, LEVEL = 3 };

/* A few compressed bytes may claim to be gigabytes. A block of zstd has at least 4 bytes, and at
   most 128 KiB when decompressed; and reading takes at most half of the machine's memory, or this.
   Five million records are 240 MB. */
#define ALWAYS_READ (256ul << 20)
enum { MOST_EXPANDED = (128 << 10) / 4 };

struct reason {
    char *text;
    size_t size;
};

static bool fail(struct reason why, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(struct reason why, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why.text, why.size, format, args);
    va_end(args);
    return false;
}

static uint64_t table_checksum(struct sm_container_header header,
                               const struct sm_container_entry *entries)
{
    header.checksum = 0;
    uint64_t seed = XXH3_64bits(&header, sizeof header);
    return XXH3_64bits_withSeed(entries, header.n_sections * sizeof *entries, seed);
}

/* ---- writing ---- */

static bool write_all(int fd, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size) {
        ssize_t written = write(fd, at, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        at += written;
        size -= (size_t)written;
    }
    return true;
}

static bool pack(const struct sm_section *section, struct sm_container_entry *entry, void **stored,
                 struct reason why)
{
    size_t room = ZSTD_compressBound(section->size);
    *stored = sm_new(room);
    size_t used = ZSTD_compress(*stored, room, section->data, section->size, LEVEL);
    if (ZSTD_isError(used))
        return fail(why, "compression failed: %s", ZSTD_getErrorName(used));
    entry->id = section->id;
    entry->stored = used;
    entry->size = section->size;
    entry->checksum = XXH3_64bits(*stored, used);
    return true;
}

static bool write_sections(int fd, struct sm_container_header *header,
                           const struct sm_section *sections, struct reason why)
{
    struct sm_container_entry entries[MAX_SECTIONS] = {0};
    void *stored[MAX_SECTIONS] = {0};
    bool ok = true;
    header->file_size = sizeof *header + header->n_sections * sizeof *entries;
    for (uint32_t i = 0; ok && i < header->n_sections; i++) {
        ok = pack(&sections[i], &entries[i], &stored[i], why);
        entries[i].offset = header->file_size;
        header->file_size += entries[i].stored;
    }
    header->checksum = table_checksum(*header, entries);
    bool written = ok && write_all(fd, header, sizeof *header) &&
                   write_all(fd, entries, header->n_sections * sizeof *entries);
    for (uint32_t i = 0; i < header->n_sections; i++) {
        written = written && write_all(fd, stored[i], entries[i].stored);
        free(stored[i]);
    }
    if (ok && !(written && fsync(fd) == 0))
        ok = fail(why, "%s", strerror(errno));
    return ok;
}

/* So that the new name survives a crash, too. Not every file system supports it; not an error. */
static void sync_directory(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *directory = slash ? sm_print("%.*s", (int)(slash - path + 1), path) : sm_copy_text(".");
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(directory);
}

bool sm_container_write(const char *path, uint32_t version, const struct sm_section *sections,
                        uint32_t n, char *why_text, size_t why_size)
{
    struct reason why = {why_text, why_size};
    struct sm_container_header header = {.version = version, .n_sections = n};
    memcpy(header.magic, SM_CONTAINER_MAGIC, sizeof header.magic);
    struct stat before;
    /* Renaming over a device would replace it. */
    if (n > MAX_SECTIONS || (stat(path, &before) == 0 && !S_ISREG(before.st_mode)))
        return fail(why, "not a regular file");
    char *temporary = sm_print("%s.%ld.tmp", path, (long)getpid());
    int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool ok = false;
    if (fd < 0) {
        fail(why, "%s", strerror(errno));
        goto out;
    }
    ok = write_sections(fd, &header, sections, why);
    if (close(fd) != 0 && ok)
        ok = fail(why, "%s", strerror(errno));
    if (ok && rename(temporary, path) != 0)
        ok = fail(why, "%s", strerror(errno));
    if (ok)
        sync_directory(path);
    else
        unlink(temporary);
out:
    free(temporary);
    return ok;
}

/* ---- reading ---- */

static bool slurp(const char *path, struct sm_buffer *file, struct reason why)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail(why, "%s", strerror(errno));
    char chunk[1 << 16];
    ssize_t got;
    while ((got = read(fd, chunk, sizeof chunk)) > 0)
        sm_buffer_add(file, chunk, (size_t)got);
    int error = errno;
    close(fd);
    return got == 0 || fail(why, "%s", strerror(error));
}

static bool check_header(const struct sm_buffer *file, uint32_t version,
                         struct sm_container_header *header, struct sm_container_entry *entries,
                         struct reason why)
{
    if (file->size < sizeof header->magic ||
        memcmp(file->data, SM_CONTAINER_MAGIC, sizeof header->magic) != 0)
        return fail(why, "not a witness: its first bytes are not those of one");
    if (file->size < sizeof *header)
        return fail(why, "truncated: %zu bytes are not even a header", file->size);
    memcpy(header, file->data, sizeof *header);
    if (header->version != version)
        return fail(why, "version %u of the format; this build reads version %u", header->version,
                    version);
    if (file->size < header->file_size)
        return fail(why, "truncated: it has %zu of its %lu bytes", file->size,
                    (unsigned long)header->file_size);
    size_t table = header->n_sections * sizeof *entries;
    if (file->size > header->file_size || header->n_sections > MAX_SECTIONS ||
        header->file_size < sizeof *header + table)
        return fail(why, "damaged: its header does not fit its length");
    memcpy(entries, file->data + sizeof *header, table);
    if (header->checksum != table_checksum(*header, entries))
        return fail(why, "damaged: the checksum of its header is wrong");
    return true;
}

static bool unpack(const struct sm_buffer *file, const struct sm_container_entry *entry,
                   struct sm_section *section, struct reason why)
{
    if (entry->offset > file->size || entry->stored > file->size - entry->offset)
        return fail(why, "damaged: section %u lies outside the file", entry->id);
    const char *stored = file->data + entry->offset;
    if (XXH3_64bits(stored, entry->stored) != entry->checksum)
        return fail(why, "damaged: the checksum of section %u is wrong", entry->id);
    if (ZSTD_getFrameContentSize(stored, entry->stored) != entry->size ||
        entry->size / MOST_EXPANDED > entry->stored)
        return fail(why, "damaged: section %u has another length than it says", entry->id);
    section->id = entry->id;
    section->size = entry->size;
    /* Not sm_new: a forged length must not be reported as lack of memory. */
    section->data = malloc(entry->size ? entry->size : 1);
    if (!section->data)
        return fail(why, "section %u needs %lu bytes of memory", entry->id,
                    (unsigned long)entry->size);
    size_t got = ZSTD_decompress(section->data, entry->size, stored, entry->stored);
    if (ZSTD_isError(got) || got != entry->size)
        return fail(why, "damaged: section %u cannot be decompressed", entry->id);
    return true;
}

static bool check_size(const struct sm_container_entry *entries, uint32_t n, struct reason why)
{
    uint64_t total = 0,
             most = (uint64_t)sysconf(_SC_PHYS_PAGES) / 2 * (uint64_t)sysconf(_SC_PAGESIZE);
    if (most < ALWAYS_READ)
        most = ALWAYS_READ;
    for (uint32_t i = 0; i < n && total <= most; i++)
        total += entries[i].size < most ? entries[i].size : most + 1;
    return total <= most || fail(why,
                                 "damaged, or too long: its sections have more than %lu MB, half "
                                 "of this machine's memory",
                                 (unsigned long)most >> 20);
}

bool sm_container_read(const char *path, uint32_t version, struct sm_section **sections,
                       uint32_t *n, char *why_text, size_t why_size)
{
    struct reason why = {why_text, why_size};
    struct sm_buffer file = {0};
    struct sm_container_header header = {0};
    struct sm_container_entry entries[MAX_SECTIONS] = {0};
    *sections = NULL;
    *n = 0;
    bool ok = slurp(path, &file, why) && check_header(&file, version, &header, entries, why);
    if (ok) {
        *sections = sm_new(header.n_sections * sizeof **sections);
        *n = header.n_sections;
    }
    ok = ok && check_size(entries, *n, why);
    for (uint32_t i = 0; ok && i < *n; i++)
        ok = unpack(&file, &entries[i], &(*sections)[i], why);
    sm_buffer_free(&file);
    return ok;
}
