/*
 * sites.h - the site table as the driver and the checker see it.
 *
 * Reads and writes the format of abi/sitefile.h. The bytes may be from a damaged or hostile
 * file: the parser checks everything it uses.
 */
#ifndef SM_WITNESS_SITES_H
#define SM_WITNESS_SITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/site.h"
#include "base/memory.h"

struct sm_site_row {
    uint32_t number;  /* as in sm_record.site */
    const char *file; /* these live as long as the sm_sites; never NULL */
    const char *function;
    const char *variable;
    const char *object;
    uint32_t line, size, offset;
    uint16_t column;
    uint8_t kind, order, order_fail, op, flags; /* as in struct sm_site */
};

struct sm_sites {
    struct sm_site_row *rows; /* by number, ascending */
    uint32_t n;
    char **strings; /* of each table */
    uint32_t n_strings;
    uint64_t bytes; /* of the encoded tables */
};

/* False when the bytes are not a site table. */
bool sm_sites_parse(const void *bytes, size_t size, struct sm_sites *sites);
/* Adds a table from the start of the bytes; rows move, strings stay. False, and adds nothing, if
   there is none. */
bool sm_sites_add(struct sm_sites *sites, const void *bytes, size_t size);
/* Appends the rows for which keep(number, context) holds; all if keep is NULL. */
void sm_sites_encode(const struct sm_sites *sites, bool (*keep)(uint32_t number, void *context),
                     void *context, struct sm_buffer *to);
/* NULL when there is no such site. */
const struct sm_site_row *sm_sites_find(const struct sm_sites *sites, uint32_t number);
void sm_sites_free(struct sm_sites *sites);

#endif
