/*
 * store_rows.h - rows of the store's table of executions, for store.c and shards.c.
 *
 * Each row has a checksum of its columns, so that the intact rows of a truncated or damaged file
 * can be recognised.
 */
#ifndef SM_CAMPAIGN_STORE_ROWS_H
#define SM_CAMPAIGN_STORE_ROWS_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "campaign/store.h"

enum sm_store_column {
    SM_STORE_KEY,
    SM_STORE_FACTS,
    SM_STORE_RACES,
    SM_STORE_VIOLATIONS,
    SM_STORE_TEXT,
    SM_STORE_BLOBS
};
/* As sm_store_row_read expects them. */
#define SM_STORE_ROW "key, facts, races, violations, text, layout, sum"

struct sm_store_row {
    struct sm_store_blob {
        const void *bytes;
        size_t size;
    } blobs[SM_STORE_BLOBS]; /* owned by the statement, until it is stepped or reset */
    int layout;
    uint64_t sum;
};
/* False if it is damaged, or of another layout. */
bool sm_store_row_read(sqlite3_stmt *statement, struct sm_store_row *row);
/* Into a statement with the columns of the table as its parameters. */
bool sm_store_row_write(sqlite3_stmt *statement, const struct sm_store_row *row);

sqlite3 *sm_store_database(struct sm_store *store);
/* Says why the store cannot be used; returns false. */
bool sm_store_complain(const struct sm_store *store, struct sm_error *error);

#endif
