/*
 * repair.h - a change of the program that an execution assumes was made.
 *
 * The text form, one repair per line, is read by `--assume-fix FILE`, stored in the control page
 * and the witness, and passed to the patch writer. The lines of a file are applied together. Blank
 * lines and what follows a '#' at the beginning of a word are skipped.
 *
 *   order  FILE:LINE[:COLUMN] read|write|rmw|any ORDER   accesses of that line have this order
 *   order  variable NAME read|write|rmw|any ORDER        every access to that variable
 *   fence  FILE:LINE[:COLUMN] before|after ORDER         before the line's first access, or after
 *                                                        its last
 *   lock   LOCK FILE:LINE[-LINE]                         held while a thread is in these lines
 *   lock   LOCK variable NAME                            held for each access to it, one by one
 *   merge  FILE:LINE[-LINE] NAME [ORDER]                 the load and the store of NAME in these
 *                                                        lines are one read-modify-write (seq_cst)
 *
 *   ORDER  plain relaxed acquire release acq_rel seq_cst. `any` takes of an order what an access
 *          can have: of acq_rel a read acquires, a write releases. `plain` is for order alone
 *   LOCK   the name of a mutex of static storage duration in the program, or `new NAME`: a mutex
 *          that the program does not have, the same for all lines that give this name
 *   FILE   as the compiler was given it, or the last components of its path
 *   NAME   as reports spell variables: done, Point.x, table[].next
 *
 * A name with blanks cannot be written. The struct has no pointers and may be copied. The parser
 * and printer (base/repair.h) belong to the driver and to the runtime.
 */
#ifndef SM_ABI_REPAIR_H
#define SM_ABI_REPAIR_H

#include <stdint.h>

#include "abi/site.h"

enum sm_repair_kind {
    SM_REPAIR_ORDER,
    SM_REPAIR_FENCE,
    SM_REPAIR_LOCK,
    SM_REPAIR_MERGE,
    SM_REPAIR_KINDS
};

/* The accesses of the place that an order applies to. */
enum sm_repair_access {
    SM_REPAIR_ANY,
    SM_REPAIR_READ,
    SM_REPAIR_WRITE,
    SM_REPAIR_RMW,
    SM_REPAIR_ACCESSES
};

enum { SM_REPAIR_FILE = 256, SM_REPAIR_NAME = 128, SM_REPAIR_LOCK_NAME = 64 };
/* Per file; sm_control has a bit for each. */
enum { SM_MAX_REPAIRS = 64, SM_REPAIR_TEXT = 16384 };

struct sm_repair {
    uint8_t kind;     /* enum sm_repair_kind */
    uint8_t access;   /* ORDER: enum sm_repair_access */
    uint8_t order;    /* ORDER, FENCE, MERGE: enum sm_order */
    uint8_t after;    /* FENCE: 1: after the line's last access; 0: before its first */
    uint8_t new_lock; /* LOCK: 1: the program does not have it */
    uint8_t reserved[3];
    uint32_t line;   /* 0: every access to `variable` */
    uint32_t last;   /* LOCK, MERGE: last line of the stretch, else equal to line */
    uint32_t column; /* 0: any */
    char file[SM_REPAIR_FILE];
    char variable[SM_REPAIR_NAME];  /* "" if the place alone says what is meant */
    char lock[SM_REPAIR_LOCK_NAME]; /* LOCK */
};

#endif
