/*
 * asm.h - lowers inline assembly of x86-64, where it is understood, to LLVM instructions.
 *
 * Atomics, moves, fences and clocks that a program writes as assembly (concurrencykit, liburcu, the
 * kernel's headers) are replaced by equivalent instructions before the module is read: then they
 * have rows, names, hooks and models like those of <stdatomic.h>. asm_ops.c and asm_values.c say
 * which memory order they get.
 *
 * Three kinds are left unchanged. Register arithmetic touches no memory, and memory relative to %fs
 * or %gs is thread-local. A statement that is empty or holds hints (pause, prefetch) is a compiler
 * barrier only: it has no event. Everything else that names memory is unknown: SM_SITE_ASM, an
 * access to its memory operands.
 */
#ifndef SM_PLUGIN_ASM_H
#define SM_PLUGIN_ASM_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Before any optimisation, in both flavours. `for_models`: guarantees of the processor beyond C11
 * (a locked instruction is a full fence) become fences, for the memory models. */
void sm_asm_lower(LLVMModuleRef module, bool for_models);

/* Has the instruction's function, or one that it calls, assembly that clobbers memory (marked by
 * sm_asm_lower)? Then the compiler does not reorder its accesses, so under hb no value is offered
 * that only such a reordering could explain. */
bool sm_asm_has_barriers(LLVMValueRef instruction);

enum sm_asm_class {
    SM_ASM_REGISTERS_ONLY, /* names no memory, or only thread-local memory */
    SM_ASM_BARRIER,        /* a compiler barrier */
    SM_ASM_UNKNOWN,
};
/* For inline assembly that sm_asm_lower left. */
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
