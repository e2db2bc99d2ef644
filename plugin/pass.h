/*
 * pass.h - shared by the files of the pass: one run over one module.
 *
 * The steps, by file:
 *   prepare.c     marks library wrappers of atomics for inlining (then LLVM's own
 *                 always-inliner and mem2reg run)
 *   requests.c    turns Valgrind's client requests into calls of the runtime
 *   tsan_calls.c  turns ThreadSanitizer's atomics, called by name, into instructions
 *   collect.c     reads every function and gives every site its row; changes nothing
 *                 escape.c decides which accesses no other thread can see
 *                 name.c and type_path.c give the memory its source-level name
 *                 loops.c finds the back edges of loops that another thread can prolong
 *   tables.c      declares the arrays of abi/site.h and, after the optimiser, defines them
 *   clone.c       makes the watched copy of every function that needs one
 *   access.c, atomic.c, value.c   turn instructions into a byte test, a hook, a native path
 *   outline.c     outlines accesses of watched copies as calls of a few functions of the module
 *   guard.c       emits all inline code: the byte tests and the back-edge counter
 *   hook.c        declares the runtime's functions from abi/hooks.def
 *
 * Rows are numbered before code is changed, so an instruction that exists twice (in
 * the plain and in the watched copy of its function) has one row.
 */
#ifndef SM_PLUGIN_PASS_H
#define SM_PLUGIN_PASS_H

#include "abi/site.h"
#include "plugin/kit.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

/* A site while compiling; its strings are interned in the pass's pool. */
struct sm_row {
    LLVMValueRef instruction; /* in the plain copy; NULL: a call that was inlined */
    LLVMMetadataRef inlined;  /* location of the call through which it was inlined, or NULL */
    uint32_t caller;          /* 1 + the row of that call; 0 if it has none */
    const char *file;
    const char *function;
    const char *variable;
    const char *object; /* or NULL */
    uint32_t line;
    uint32_t size;
    uint32_t offset;
    uint32_t object_size;
    uint32_t stride, length, origin, element; /* of an array: see abi/site.h */
    uint16_t column;
    uint8_t kind;
    uint8_t order;
    uint8_t order_fail;
    uint8_t op;
    uint8_t flags;
    uint16_t use; /* enum sm_value_use */
    int32_t operand;
    bool plain; /* instrumented in the watched copy only */
};

struct sm_unit { /* a function that gets a row */
    LLVMValueRef function;
    const char *name;
    const char *file;
    uint32_t line;
    uint32_t first_row;
    uint32_t n_rows;
    LLVMValueRef *latches; /* terminators that close a loop and need the counter */
    size_t n_latches;
    LLVMValueRef *locals; /* allocas whose address escapes */
    size_t n_locals;
    bool external, wraps; /* struct sm_function */
    bool needs_watched_copy;
};

enum sm_hook {
#define SM_HOOK(result, name, parameters) SM_HOOK_##name,
#include "abi/hooks.def"
    SM_HOOKS
};

struct sm_pass {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMTargetDataRef layout;
    LLVMBuilderRef builder;
    LLVMTypeRef void_type, i1, i8, i32, i64, pointer;

    struct sm_row *rows;
    size_t n_rows, room_rows;
    struct sm_unit *units;
    size_t n_units, room_units;

    LLVMValueRef sites, watch, functions, function_watch, globals, module_row; /* by tables.c */
    LLVMValueRef budget;                                                       /* by guard.c */
    LLVMValueRef hooks[SM_HOOKS];                                              /* by hook.c */

    bool spurious; /* weak compare-exchanges may fail spuriously: controlled flavour */
    bool lines;    /* calls and back edges have rows (SM_SITE_LINE), locals' ends hooks: the same */
    struct sm_pool strings;
    struct sm_map locals;        /* escape.c: alloca or TLS variable -> 1 private, 2 not */
    struct sm_map types_by_name; /* type_path.c: interned name -> composite type, or 1 */
    bool types_read;
    struct sm_map files; /* source.c: file -> its interned name */
};

void sm_pass_init(struct sm_pass *pass, LLVMModuleRef module);
void sm_pass_free(struct sm_pass *pass);
/* Drops attributes ("reads no memory") that hooks violate. */
void sm_drop_promises(LLVMValueRef function);
LLVMValueRef sm_constant(struct sm_pass *pass, uint64_t value); /* an i64 */
/* Bytes that a load or store of the type touches. */
uint64_t sm_store_size(struct sm_pass *pass, LLVMTypeRef type);
bool sm_has_attribute(LLVMValueRef function, const char *name);
bool sm_parameter_has_attribute(LLVMValueRef function, unsigned parameter, const char *name);
void sm_remove_attribute(LLVMValueRef function, const char *name);
/* The function a call names directly, or NULL. */
LLVMValueRef sm_direct_callee(LLVMValueRef call);
const char *sm_value_name(LLVMValueRef value);

#endif
