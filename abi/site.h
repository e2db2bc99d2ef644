/*
 * site.h - what the compiler pass stores in a program for the runtime.
 *
 * Every instruction the pass instruments is a site. A site has a row that describes it in
 * source-level terms: so no symboliser is needed to report it. Rows, and the bytes that enable
 * them, are in arrays of the translation unit that was compiled; a constructor registers the arrays
 * with the runtime (sm_module_add).
 *
 * Two byte arrays decide what an execution costs:
 *   watch[site]           0: do the access natively; else call the hook, at some sites
 *                         only for a sample of the elements of an array (sample.h).
 *   function_watch[func]  0: run the plain copy of the function, in which only
 *                         atomics, fences and yields are instrumented;
 *                         else run its watched copy, in which every access is.
 * Both are zero in a program that runs without `stalemate`, which therefore behaves like an
 * uninstrumented one. The runtime alone writes them, and only before main, in the child of a fork,
 * or when a library is loaded.
 *
 * This layout is shared by plugin/ (which emits it as LLVM constants) and
 * runtime/. Change it in both and bump SM_SITE_VERSION: the runtime refuses
 * objects of another version by name instead of misreading them.
 */
#ifndef SM_ABI_SITE_H
#define SM_ABI_SITE_H

#include <stddef.h>
#include <stdint.h>

#define SM_SITE_VERSION 9u

enum sm_site_kind {
#define SM_SITE_KIND(name, word) SM_SITE_##name,
#include "abi/site_kinds.def"
    SM_SITE_KINDS
};

/* Bit of function_watch that also asks for sm_enter, sm_argument and sm_leave. */
enum {
    SM_WATCH_CALLS = 2,
    SM_WATCH_LOCALS = 4, /* asks for sm_local_ends */
};

/* C11 orders, in the numbering of the __ATOMIC_* macros; PLAIN is our own. */
enum sm_order {
    SM_ORDER_RELAXED = 0,
    SM_ORDER_CONSUME = 1, /* treated as acquire, as every compiler does */
    SM_ORDER_ACQUIRE = 2,
    SM_ORDER_RELEASE = 3,
    SM_ORDER_ACQ_REL = 4,
    SM_ORDER_SEQ_CST = 5,
    SM_ORDER_PLAIN = 6,
    SM_ORDERS
};

/* What an atomic read-modify-write computes from the old value and its operand. */
enum sm_rmw_op {
#define SM_RMW_OP(name) SM_RMW_##name,
#include "abi/rmw_ops.def"
    SM_RMW_OPS
};

enum sm_site_flag {
    SM_SITE_VOLATILE = 1 << 0,
    SM_SITE_WEAK_CAS = 1 << 1,      /* compare-exchange that may fail spuriously */
    SM_SITE_BITFIELD = 1 << 2,      /* read or rewrite of a unit that holds bit-fields */
    SM_SITE_SINGLE_THREAD = 1 << 3, /* signal fence, or syncscope("singlethread") */
    SM_SITE_POINTER = 1 << 4,       /* the value is a pointer: it never tears */
    SM_SITE_KEPT = 1 << 5,          /* plain, in a function with compiler barriers */
    SM_SITE_ASSUMED = 1 << 6,       /* a repair is assumed here: written by the runtime */
    SM_SITE_IMPLICIT = 1 << 7,      /* in a compiler-generated member function */
};

/* How the program uses the value that a load or a read-modify-write returns. The comparisons are in
   LLVM's order. */
enum sm_value_use {
    SM_VALUE_ANY,    /* unknown */
    SM_VALUE_UNUSED, /* not at all */
    SM_VALUE_EQ,     /* compares it with the constant `operand`, once; and nothing else */
    SM_VALUE_NE,
    SM_VALUE_UGT,
    SM_VALUE_UGE,
    SM_VALUE_ULT,
    SM_VALUE_ULE,
    SM_VALUE_SGT,
    SM_VALUE_SGE,
    SM_VALUE_SLT,
    SM_VALUE_SLE,
    SM_VALUE_COMPARISONS = 15, /* mask */
    SM_VALUE_UNTIL_TRUE =
        1 << 4, /* a load that is all of a loop, left when the comparison is true */
    SM_VALUE_UNTIL_FALSE = 1 << 5,
    SM_VALUE_MERGED = 1 << 6, /* masks it, and stores it again, with other bits, where it was */
    /* A weak compare-exchange: if it fails spuriously, it is executed again in the same state, and
       nothing else happens in between (plugin/retried.h). A store: it is made again on the way
       there. */
    SM_VALUE_RETRIED = 1 << 7,
    SM_VALUE_RESTORED = 1 << 8, /* beside RETRIED: such a store is atomic */
};

/* The strings of a row are not pointers but distances, each from the field itself (`relative`; the
   rows of a test may have pointers): the loader has nothing to relocate, and a table that no report
   needs stays on disk. Relocated tables took 3.5 of zstd's 70 megabytes of memory, and relocations
   were a sixth of an object file. Read them by SM_SITE_TEXT. */
struct sm_site {
    const char *file;     /* as the compiler was given it; never NULL ("?" if unknown) */
    const char *function; /* linkage name, "_ZN1Q4pushEi"; the detect flavour demangles it */
    const char *variable; /* "done", "Point.x", "list->head.next", "table[]", "*p" */
    const char *object;   /* type of the outermost struct accessed, or NULL */
    uint32_t line;
    uint32_t size;   /* bytes accessed; 0 when only the call knows (COPY, FILL, CALL) */
    uint32_t offset; /* of the field within `object` */
    uint32_t function_index;
    uint16_t column;
    uint8_t kind;         /* enum sm_site_kind */
    uint8_t order;        /* enum sm_order */
    uint8_t order_fail;   /* enum sm_order: of a failed compare-exchange */
    uint8_t op;           /* enum sm_rmw_op */
    uint8_t flags;        /* enum sm_site_flag */
    uint8_t relative;     /* 1: its strings are distances */
    uint32_t object_size; /* bytes of `object`; 0 if unknown */
    int32_t caller;       /* distance in rows to the call that was inlined here; 0: none */
    /* The innermost array that the access indexes, if any. */
    uint32_t stride;  /* bytes of an element; 0: no array */
    uint32_t length;  /* elements; 0: unknown */
    uint32_t origin;  /* of the array in the variable or block that holds it, as far as known */
    uint32_t element; /* bytes of what the first "[]" of `variable` counts; 0: unknown */
    int32_t operand;  /* see `use` */
    uint32_t use;     /* enum sm_value_use */
};
_Static_assert(sizeof(struct sm_site) == 88, "the pass emits exactly this layout");

static inline const char *sm_site_text(const struct sm_site *site, const char *const *field)
{
    return site->relative && *field ? (const char *)field + (intptr_t)*field : *field;
}
#define SM_SITE_TEXT(site, field) sm_site_text(site, &(site)->field)

/* Does a called function access the memory at a site of this kind? */
static inline int sm_site_calls(unsigned kind)
{
    return kind == SM_SITE_CALL || kind == SM_SITE_LINE;
}

/* The call through which the site's function was inlined; else NULL. Only the detect flavour has
   such rows: it instruments after inlining. */
static inline const struct sm_site *sm_site_caller(const struct sm_site *site)
{
    return site->caller ? site + site->caller : NULL;
}

struct sm_function {
    const char *name;
    const char *file;
    uint32_t line;
    uint32_t first_site; /* its sites are contiguous: [first_site, first_site + n_sites) */
    uint32_t n_sites;
    uint32_t external : 1; /* it can be called from another translation unit */
    uint32_t wraps : 1;    /* it makes one call, once, of a function that waits for other threads */
};
_Static_assert(sizeof(struct sm_function) == 32, "the pass emits exactly this layout");

/* A variable of static storage duration that threads share and that is not constant. */
struct sm_global {
    const char *name; /* as in struct sm_site */
    const char *type; /* of the struct it is, or is an array of; NULL if neither */
    const void *address;
    uint64_t size;
    uint32_t element; /* bytes of one such struct, else 0 */
    uint32_t local;   /* 1: of a function, not of the file */
};
_Static_assert(sizeof(struct sm_global) == 40, "the pass emits exactly this layout");

struct sm_module {
    uint32_t version; /* SM_SITE_VERSION of the pass that emitted it */
    uint32_t n_sites;
    uint32_t n_functions;
    uint32_t first_site; /* written by the runtime: number of sites in earlier modules */
    const struct sm_site *sites;
    const struct sm_function *functions;
    uint8_t *watch;
    uint8_t *function_watch;
    const char *source;     /* name of the translation unit */
    struct sm_module *next; /* written by the runtime */
    const struct sm_global *globals;
    uint64_t n_globals;
    /* The functions in which watched copies access memory (plugin/outline.h): a fault there belongs
       to their caller. NULL: none. */
    const void *outlined, *outlined_end;
};
_Static_assert(sizeof(struct sm_module) == 96, "the pass emits exactly this layout");

#endif
