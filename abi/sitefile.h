/*
 * sitefile.h - the site table of a program, outside the program.
 *
 * The rows of abi/site.h are made of pointers into the program under test. The runtime writes them
 * out as offsets to the memory file `sites` of abi/control.h: one table before main, and one more
 * for each translation unit of a library that is loaded later. The driver reads them from there,
 * and keeps the rows an execution used in its witness, as one table.
 *
 *   struct sm_sitefile_header
 *   struct sm_sitefile_row[n_rows]   in no particular order
 *   strings                          each ends in NUL; offset 0 is ""
 *
 * A reader checks every offset against strings_size: a witness is untrusted input.
 */
#ifndef SM_ABI_SITEFILE_H
#define SM_ABI_SITEFILE_H

#include <stdint.h>

#define SM_SITEFILE_MAGIC 0x45544953u /* "SITE" */
#define SM_SITEFILE_VERSION 1u

struct sm_sitefile_header {
    uint32_t magic;
    uint32_t version;
    uint32_t n_rows;
    uint32_t strings_size;
};
_Static_assert(sizeof(struct sm_sitefile_header) == 16, "wire format");

struct sm_sitefile_row {
    uint32_t number; /* the `site` of struct sm_record */
    uint32_t file;   /* this and the next three: offset into the strings */
    uint32_t function;
    uint32_t variable;
    uint32_t object; /* "" where struct sm_site has NULL */
    uint32_t line;
    uint32_t size;
    uint32_t offset;
    uint16_t column;
    uint8_t kind; /* from here on as in struct sm_site */
    uint8_t order;
    uint8_t order_fail;
    uint8_t op;
    uint8_t flags;
    uint8_t reserved;
};
_Static_assert(sizeof(struct sm_sitefile_row) == 40, "wire format");

#endif
