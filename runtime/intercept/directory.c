/*
 * directory.c - directories are read sorted by name.
 *
 * The kernel's order depends on hashing or on the history of the directory. A directory is read
 * completely when its first entry is requested. The entries are then in memory of their own, mapped
 * as if by the program: their addresses, which the program sees, must not depend on what else is in
 * the runtime's memory, as in that of a recording.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "base/sys.h"
#include "runtime/intercept/real.h"

struct listing {
    DIR *directory;
    struct dirent **entries;
    size_t n, next;
    uint32_t room;
    void *memory; /* of the entries, once all are read */
    size_t size;
    struct listing *link;
};

static struct listing *listings;

static struct listing **find(DIR *directory)
{
    struct listing **at = &listings;
    while (*at && (*at)->directory != directory)
        at = &(*at)->link;
    return at;
}

static void forget(DIR *directory)
{
    struct listing **at = find(directory), *listing = *at;
    if (!listing)
        return;
    *at = listing->link;
    if (listing->size)
        munmap(listing->memory, listing->size);
    if (listing->room)
        sm_free(listing->entries, listing->room * sizeof *listing->entries);
    sm_free(listing, sizeof *listing);
}

static void add(struct listing *listing, const struct dirent *entry)
{
    if (listing->n == listing->room)
        listing->entries =
            sm_alloc_larger(listing->entries, &listing->room, 64, sizeof *listing->entries);
    listing->entries[listing->n++] = memcpy(sm_alloc(entry->d_reclen), entry, entry->d_reclen);
    listing->size += entry->d_reclen;
}

/* Shell sort: libc's qsort may call malloc. */
static void sort(struct dirent **entries, size_t n)
{
    for (size_t gap = n / 2; gap; gap /= 2)
        for (size_t i = gap; i < n; i++) {
            struct dirent *moved = entries[i];
            size_t at = i;
            for (; at >= gap && strcmp(entries[at - gap]->d_name, moved->d_name) > 0; at -= gap)
                entries[at] = entries[at - gap];
            entries[at] = moved;
        }
}

static void map(struct listing *listing)
{
    if (!listing->size)
        return;
    listing->memory =
        mmap(NULL, listing->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (listing->memory == MAP_FAILED)
        sm_die("no memory for the entries of a directory");
    char *at = listing->memory;
    for (size_t i = 0; i < listing->n; i++) {
        struct dirent *entry = listing->entries[i];
        listing->entries[i] = memcpy(at, entry, entry->d_reclen);
        listing->entries[i]->d_off = (off_t)i + 1;
        at += entry->d_reclen;
        sm_free(entry, entry->d_reclen);
    }
}

static struct listing *listing_of(DIR *directory)
{
    struct listing *listing = *find(directory);
    if (listing)
        return listing;
    const struct dirent *entry;
    int before = errno;
    listing = sm_alloc(sizeof *listing);
    *listing = (struct listing){.directory = directory, .link = listings};
    listings = listing;
    while ((entry = SM_REAL(readdir)(directory)))
        add(listing, entry);
    errno = before;
    sort(listing->entries, listing->n);
    map(listing);
    return listing;
}

SM_EXPORT struct dirent *readdir(DIR *directory)
{
    SM_PASS(readdir, directory);
    struct listing *listing = listing_of(directory);
    return listing->next < listing->n ? listing->entries[listing->next++] : NULL;
}

SM_EXPORT struct dirent64 *readdir64(DIR *directory) __attribute__((alias("readdir")));

SM_EXPORT int closedir(DIR *directory)
{
    forget(directory);
    return SM_REAL(closedir)(directory);
}

SM_EXPORT void rewinddir(DIR *directory)
{
    forget(directory);
    SM_REAL(rewinddir)(directory);
}

SM_EXPORT long telldir(DIR *directory)
{
    SM_PASS(telldir, directory);
    return (long)listing_of(directory)->next;
}

SM_EXPORT void seekdir(DIR *directory, long place)
{
    if (sm_self())
        listing_of(directory)->next = (size_t)place;
    else
        SM_REAL(seekdir)(directory, place);
}
