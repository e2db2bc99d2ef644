/*
 * asm.h - inline assembly of x86-64 that is understood becomes LLVM instructions.
 *
 * Atomics, moves, fences and clocks that a program writes as assembly (concurrencykit, liburcu,
 * the kernel's headers) are replaced by the instructions they stand for before anything else is
 * read: then they have rows, names, hooks and models like what clang makes of <stdatomic.h>.
 * What order they get is said in asm_ops.c and asm_values.c.
 *
 * Three kinds are left as they are. Register arithmetic touches no memory, and what is relative to
 * %fs or %gs is the thread's own. A statement that is
 * empty or holds hints (pause, prefetch) orders the compiler and nothing else: it has no event.
 * Everything else that names memory is unknown: SM_SITE_ASM, an access to its memory operands.
 */
#ifndef SM_PLUGIN_ASM_H
#define SM_PLUGIN_ASM_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Before any optimisation, in both flavours. `for_models`: what the processor does beyond C11 (a
 * locked instruction is a full fence) becomes fences, for the memory models to know. */
void sm_asm_lower(LLVMModuleRef module, bool for_models);

/* Has the instruction's function, or one that it calls, assembly that clobbers memory? The
 * compiler then makes its accesses where they stand, as sm_asm_lower found: under hb no value is
 * served that only their reordering could explain. */
bool sm_asm_has_barriers(LLVMValueRef instruction);

enum sm_asm_class {
    SM_ASM_REGISTERS_ONLY, /* names no memory, or the thread's own */
    SM_ASM_BARRIER,        /* of the compiler */
    SM_ASM_UNKNOWN,
};
/* Of inline assembly that sm_asm_lower left. */
enum sm_asm_class sm_asm_classify(LLVMValueRef assembly);
/* Does it tell the compiler that any memory may be touched? */
bool sm_asm_clobbers_memory(LLVMValueRef assembly);

/* Memory operands of a statement: the address and bytes of the nth, and whether it is written.
 * False when there are no more. Size 0: not known. */
bool sm_asm_memory_operand(LLVMValueRef statement, unsigned n, LLVMValueRef *address,
                           uint64_t *size, bool *write);

#ifdef __cplusplus
}
#endif

#endif
