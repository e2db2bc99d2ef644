#include "witness/sites.h"

#include <stdlib.h>
#include <string.h>

#include "abi/sitefile.h"
#include "base/printable.h"

static int by_number(const void *a, const void *b)
{
    uint32_t x = ((const struct sm_site_row *)a)->number;
    uint32_t y = ((const struct sm_site_row *)b)->number;
    return (x > y) - (x < y);
}

static struct sm_site_row decode(const struct sm_sitefile_row *row, const char *strings)
{
    return (struct sm_site_row){
        .number = row->number,
        .file = strings + row->file,
        .function = strings + row->function,
        .variable = strings + row->variable,
        .object = strings + row->object,
        .line = row->line,
        .size = row->size,
        .offset = row->offset,
        .column = row->column,
        .kind = row->kind,
        .order = row->order,
        .order_fail = row->order_fail,
        .op = row->op,
        .flags = row->flags,
    };
}

static bool offsets_fit(const struct sm_sitefile_row *row, uint32_t strings_size)
{
    return row->file < strings_size && row->function < strings_size &&
           row->variable < strings_size && row->object < strings_size;
}

static bool check_header(struct sm_sitefile_header *header, const char *bytes, size_t size)
{
    if (size < sizeof *header)
        return false;
    memcpy(header, bytes, sizeof *header);
    size_t rows_size = header->n_rows * sizeof(struct sm_sitefile_row);
    return header->magic == SM_SITEFILE_MAGIC && header->version == SM_SITEFILE_VERSION &&
           header->strings_size != 0 && size >= sizeof *header + rows_size + header->strings_size &&
           bytes[sizeof *header + rows_size + header->strings_size - 1] == 0;
}

static bool add_rows(struct sm_sites *sites, const char *rows, uint32_t n, const char *strings,
                     uint32_t strings_size)
{
    sites->rows = sm_resize(sites->rows, (sites->n + n) * sizeof *sites->rows);
    for (uint32_t i = 0; i < n; i++) {
        struct sm_sitefile_row row;
        memcpy(&row, rows + i * sizeof row, sizeof row);
        if (!offsets_fit(&row, strings_size))
            return false;
        sites->rows[sites->n + i] = decode(&row, strings);
    }
    sites->n += n;
    return true;
}

bool sm_sites_add(struct sm_sites *sites, const void *bytes, size_t size)
{
    struct sm_sitefile_header header;
    if (!check_header(&header, bytes, size))
        return false;
    const char *rows = (const char *)bytes + sizeof header;
    size_t rows_size = header.n_rows * sizeof(struct sm_sitefile_row);
    char *strings = sm_copy_bytes(rows + rows_size, header.strings_size);
    sm_make_printable(strings, header.strings_size);
    if (!add_rows(sites, rows, header.n_rows, strings, header.strings_size)) {
        free(strings);
        return false;
    }
    sites->strings = sm_resize(sites->strings, (sites->n_strings + 1) * sizeof *sites->strings);
    sites->strings[sites->n_strings++] = strings;
    sites->bytes += sizeof header + rows_size + header.strings_size;
    qsort(sites->rows, sites->n, sizeof *sites->rows, by_number);
    return true;
}

bool sm_sites_parse(const void *bytes, size_t size, struct sm_sites *sites)
{
    *sites = (struct sm_sites){0};
    if (sm_sites_add(sites, bytes, size))
        return true;
    sm_sites_free(sites);
    return false;
}

static uint32_t put(struct sm_buffer *strings, const char *text)
{
    if (!*text)
        return 0;
    uint32_t offset = (uint32_t)strings->size;
    sm_buffer_add(strings, text, strlen(text) + 1);
    return offset;
}

static struct sm_sitefile_row encode(const struct sm_site_row *row, struct sm_buffer *strings)
{
    return (struct sm_sitefile_row){
        .number = row->number,
        .file = put(strings, row->file),
        .function = put(strings, row->function),
        .variable = put(strings, row->variable),
        .object = put(strings, row->object),
        .line = row->line,
        .size = row->size,
        .offset = row->offset,
        .column = row->column,
        .kind = row->kind,
        .order = row->order,
        .order_fail = row->order_fail,
        .op = row->op,
        .flags = row->flags,
    };
}

void sm_sites_encode(const struct sm_sites *sites, bool (*keep)(uint32_t number, void *context),
                     void *context, struct sm_buffer *to)
{
    struct sm_sitefile_header header = {.magic = SM_SITEFILE_MAGIC, .version = SM_SITEFILE_VERSION};
    struct sm_buffer rows = {0}, strings = {0};
    sm_buffer_add(&strings, "", 1);
    for (uint32_t i = 0; i < sites->n; i++) {
        if (keep && !keep(sites->rows[i].number, context))
            continue;
        struct sm_sitefile_row row = encode(&sites->rows[i], &strings);
        sm_buffer_add(&rows, &row, sizeof row);
        header.n_rows++;
    }
    header.strings_size = (uint32_t)strings.size;
    sm_buffer_add(to, &header, sizeof header);
    sm_buffer_add(to, rows.data, rows.size);
    sm_buffer_add(to, strings.data, strings.size);
    sm_buffer_free(&rows);
    sm_buffer_free(&strings);
}

const struct sm_site_row *sm_sites_find(const struct sm_sites *sites, uint32_t number)
{
    struct sm_site_row key = {.number = number};
    if (!sites->n)
        return NULL;
    return bsearch(&key, sites->rows, sites->n, sizeof *sites->rows, by_number);
}

void sm_sites_free(struct sm_sites *sites)
{
    for (uint32_t i = 0; i < sites->n_strings; i++)
        free(sites->strings[i]);
    free(sites->rows);
    free(sites->strings);
    *sites = (struct sm_sites){0};
}
