#include "runtime/sitefile.h"

#include <string.h>
#include <sys/mman.h>

#include "abi/sitefile.h"
#include "base/sys.h"

/* Compilers merge equal strings within a unit, so caching pointers is enough to write each string
   about once: with 4096 slots the table of a 40,000-site program takes 2 MB. */
enum { SLOTS = 4096, SITE_PAGE = 4096, ALIGNMENT = _Alignof(struct sm_sitefile_header) };

struct site_writer {
    struct sm_sitefile_header *header;
    struct sm_sitefile_row *rows;
    char *strings;
    struct {
        const char *text;
        uint32_t offset;
    } seen[SLOTS];
};

static size_t text_bytes(const char *text)
{
    return text ? strlen(text) + 1 : 0;
}

/* Size of the table if no string were shared. */
static size_t upper_bound(const struct sm_module *first, const struct sm_module *end,
                          uint32_t *n_rows)
{
    size_t strings = ALIGNMENT;
    *n_rows = 0;
    for (const struct sm_module *module = first; module != end; module = module->next) {
        for (uint32_t i = 0; i < module->n_sites; i++) {
            const struct sm_site *site = &module->sites[i];
            if (site->kind == SM_SITE_LINE)
                continue;
            (*n_rows)++;
            strings +=
                text_bytes(SM_SITE_TEXT(site, file)) + text_bytes(SM_SITE_TEXT(site, function)) +
                text_bytes(SM_SITE_TEXT(site, variable)) + text_bytes(SM_SITE_TEXT(site, object));
        }
    }
    SM_ASSERT(strings < UINT32_MAX);
    return sizeof(struct sm_sitefile_header) + *n_rows * sizeof(struct sm_sitefile_row) + strings;
}

static uint32_t put(struct site_writer *writer, const char *text)
{
    if (!text || !*text)
        return 0;
    size_t slot = ((uintptr_t)text ^ (uintptr_t)text >> 12) % SLOTS;
    if (writer->seen[slot].text != text) {
        size_t bytes = strlen(text) + 1;
        writer->seen[slot].text = text;
        writer->seen[slot].offset = writer->header->strings_size;
        memcpy(writer->strings + writer->header->strings_size, text, bytes);
        writer->header->strings_size += (uint32_t)bytes;
    }
    return writer->seen[slot].offset;
}

static void put_row(struct site_writer *writer, const struct sm_site *site, uint32_t number)
{
    writer->rows[writer->header->n_rows++] = (struct sm_sitefile_row){
        .number = number,
        .file = put(writer, SM_SITE_TEXT(site, file)),
        .function = put(writer, SM_SITE_TEXT(site, function)),
        .variable = put(writer, SM_SITE_TEXT(site, variable)),
        .object = put(writer, SM_SITE_TEXT(site, object)),
        .line = site->line,
        .size = site->size,
        .offset = site->offset,
        .column = site->column,
        .kind = site->kind,
        .order = site->order,
        .order_fail = site->order_fail,
        .op = site->op,
        .flags = site->flags,
    };
}

uint64_t sm_sitefile_append(int fd, uint64_t at, const struct sm_module *first,
                            const struct sm_module *end)
{
    uint32_t n_rows;
    size_t room = upper_bound(first, end, &n_rows);
    long error = sm_syscall(SYS_ftruncate, (long)fd, at + room);
    if (error)
        sm_refuse("cannot make room for the site table (error %ld)", -error);
    size_t before = at % SITE_PAGE; /* mappings start at a page */
    long map = sm_syscall(SYS_mmap, NULL, before + room, (long)(PROT_READ | PROT_WRITE),
                          (long)MAP_SHARED, (long)fd, at - before);
    if (map < 0 && map > -4096)
        sm_refuse("cannot map the site table (error %ld)", -map);

    struct site_writer *writer = sm_alloc(sizeof *writer);
    writer->header = (void *)(map + (long)before);
    writer->rows = (void *)(writer->header + 1);
    writer->strings = (char *)(writer->rows + n_rows);
    *writer->header = (struct sm_sitefile_header){
        .magic = SM_SITEFILE_MAGIC, .version = SM_SITEFILE_VERSION, .strings_size = 1};
    writer->strings[0] = 0;
    for (const struct sm_module *module = first; module != end; module = module->next)
        for (uint32_t i = 0; i < module->n_sites; i++)
            if (module->sites[i].kind != SM_SITE_LINE) /* events do not refer to it */
                put_row(writer, &module->sites[i], module->first_site + i);

    /* The next table's header is aligned. */
    while (writer->header->strings_size % ALIGNMENT)
        writer->strings[writer->header->strings_size++] = 0;
    uint64_t after =
        at + (uint64_t)(writer->strings - (char *)writer->header) + writer->header->strings_size;
    sm_free(writer, sizeof *writer);
    sm_syscall(SYS_munmap, map, before + room);
    sm_syscall(SYS_ftruncate, (long)fd, after);
    return after;
}
