#define _GNU_SOURCE
#include "runtime/region.h"

#include <link.h>
#include <string.h>

#include "base/sys.h"
#include "runtime/control.h"

static struct sm_mapping mappings[SM_MAX_MODULES] SM_SELDOM;
static uint32_t n_mappings;

/* The driver, which reads the file later, may be in another directory. */
static size_t working_directory(char to[256])
{
    long n = sm_syscall(SYS_getcwd, to, 255L); /* with the NUL */
    if (n <= 0)
        return 0;
    to[n - 1] = '/';
    return (size_t)n;
}

static void copy_path(char to[256], const char *path)
{
    size_t length = strlen(path);
    if (length == 0) { /* the program itself has no name in the list */
        long n = sm_syscall(SYS_readlink, "/proc/self/exe", to, 255L);
        to[n > 0 ? n : 0] = 0;
        return;
    }
    size_t at = *path == '/' ? 0 : working_directory(to);
    if (length > 255 - at)
        length = 255 - at;
    memcpy(to + at, path, length);
    to[at + length] = 0;
}

static int scan_one(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    if (n_mappings == SM_MAX_MODULES)
        return 1;
    struct sm_mapping *mapping = &mappings[n_mappings];
    mapping->base = info->dlpi_addr;
    mapping->start = UINT64_MAX;
    mapping->end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD)
            continue;
        uint64_t start = info->dlpi_addr + header->p_vaddr;
        if (start < mapping->start)
            mapping->start = start;
        if (start + header->p_memsz > mapping->end)
            mapping->end = start + header->p_memsz;
    }
    copy_path(mapping->path, info->dlpi_name);
    n_mappings++;
    return 0;
}

void sm_region_scan(void)
{
    sm_seldom_touch(mappings, sizeof mappings);
    n_mappings = 0;
    dl_iterate_phdr(scan_one, NULL);
    if (!sm_control)
        return;
    memcpy(sm_control->mappings, mappings, n_mappings * sizeof mappings[0]);
    sm_control->n_mappings = n_mappings;
}

static const struct sm_mapping *mapping_of(uintptr_t addr)
{
    for (uint32_t i = 0; i < n_mappings; i++)
        if (addr >= mappings[i].start && addr < mappings[i].end)
            return &mappings[i];
    return NULL;
}

uint64_t sm_region_normal_of_object(uintptr_t addr)
{
    const struct sm_mapping *mapping = mapping_of(addr);
    if (!mapping)
        return addr;
    return (uint64_t)(mapping - mappings + 1) << 56 | (addr - mapping->base);
}

uintptr_t sm_region_real(uint64_t normal)
{
    uint64_t number = normal >> 56;
    if (!number)
        return normal;
    return number <= n_mappings ? mappings[number - 1].base + (normal << 8 >> 8) : 0;
}

void sm_region_bounds(uintptr_t addr, uintptr_t *start, uintptr_t *end)
{
    const struct sm_mapping *mapping = mapping_of(addr);
    *start = mapping ? mapping->start : 0;
    *end = mapping ? mapping->end : 0;
}
