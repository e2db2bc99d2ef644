/*
 * llvm_gaps.h - the few things the LLVM C API cannot do.
 *
 * The pass is C on LLVM's C API, which changes far less from release to release
 * than the C++ one. What is missing there is wrapped in llvm_gaps.cpp, one thin
 * function each, so that a port to another LLVM looks at one file. Add a function
 * here only when the C API has none that does the job.
 *
 * Metadata arguments may be NULL; a query about NULL returns NULL, 0 or "". Strings belong to
 * LLVM's context and stay valid as long as the module does.
 */
#ifndef SM_PLUGIN_LLVM_GAPS_H
#define SM_PLUGIN_LLVM_GAPS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The pass proper, in pass.c, in two parts: before the optimiser (NULL if there is nothing
 * to do), and after it. */
struct sm_pass;
struct sm_pass *sm_pass_start(LLVMModuleRef module);
void sm_pass_finish(struct sm_pass *pass);
/* In prepare.c: marks the library's atomic wrappers for inlining, before the pass. */
void sm_prepare_run(LLVMModuleRef module);

/* Control flow. */

/* Splits the block before `before`; the new block between runs only if `condition`
 * (unlikely). Returns the terminator of that block, before which to insert. */
LLVMValueRef sm_split_then(LLVMValueRef condition, LLVMValueRef before);
/* The same with two blocks between: *then_end if `condition` (unlikely), else *else_end. */
void sm_split_then_else(LLVMValueRef condition, LLVMValueRef before, LLVMValueRef *then_end,
                        LLVMValueRef *else_end);
void sm_move_before(LLVMValueRef instruction, LLVMValueRef position);
/* A phi at the head of the block, before any debug records there. */
LLVMValueRef sm_add_phi(LLVMBasicBlockRef block, LLVMTypeRef type);
/* First instruction of the entry block that is not an alloca it must keep there. */
LLVMValueRef sm_after_allocas(LLVMValueRef function);
/* Turns an invoke that cannot throw into a call and a branch; returns the call. */
LLVMValueRef sm_invoke_to_call(LLVMValueRef invoke);
/* Can the result depend on what another thread, or a callee, has stored? */
bool sm_touches_memory(LLVMValueRef instruction);

/* Functions and modules. */

/* A copy of `function` in the same module; each of the n instructions in `mapped` is
 * replaced by its counterpart in the copy. */
LLVMValueRef sm_clone_function(LLVMValueRef function, LLVMValueRef *mapped, size_t n);
/* Moves the functions with this prefix to the end of the module, in the order in which code is
 * generated for them. Returns the first; NULL if there is none. */
LLVMValueRef sm_move_to_end(LLVMModuleRef module, const char *prefix);
/* A constructor (or destructor) of the module that runs before (after) all others. */
void sm_add_constructor(LLVMModuleRef module, LLVMValueRef function);
void sm_add_destructor(LLVMModuleRef module, LLVMValueRef function);
/* Readable form of a mangled name, to be freed; NULL if it is not mangled. */
char *sm_demangle(const char *name);

/* Debug information. */

const char *sm_di_name(LLVMMetadataRef node);
const char *sm_di_linkage_name(LLVMMetadataRef subprogram);
LLVMMetadataRef sm_di_scope(LLVMMetadataRef node);
/* The type that a type is derived from (pointee, element, aliased), or the type of a variable. */
LLVMMetadataRef sm_di_base_type(LLVMMetadataRef node);
size_t sm_di_element_count(LLVMMetadataRef composite);
LLVMMetadataRef sm_di_element(LLVMMetadataRef composite, size_t index);
LLVMMetadataRef sm_di_return_type(LLVMMetadataRef subprogram);
LLVMMetadataRef sm_di_subprogram_of_scope(LLVMMetadataRef scope);
/* The subprogram is compiler-generated, like an implicit copy constructor. */
bool sm_di_is_artificial(LLVMMetadataRef subprogram);
bool sm_di_is_bit_field(LLVMMetadataRef member);
bool sm_di_is_static_member(LLVMMetadataRef member);
bool sm_di_is_inline_namespace(LLVMMetadataRef node);
bool sm_di_is_float(LLVMMetadataRef type);
LLVMMetadataRef sm_di_global_variable(LLVMValueRef global);
/* Is it a part of the variable, split off by the optimiser? Then `offset` is its first byte. */
bool sm_di_global_is_part(LLVMValueRef global, uint64_t *offset);
/* The local variable that lives in this alloca, or NULL; not a pointer to it, such as `this` of an
 * inlined method. */
LLVMMetadataRef sm_di_stored_variable(LLVMValueRef alloca);
/* Local variables whose value (or, for an alloca, whose storage) this is; returns how
 * many were found, of which the first `room` are in `variables`. */
size_t sm_di_local_variables(LLVMValueRef value, LLVMMetadataRef *variables, size_t room);
typedef void sm_di_type_visitor(void *context, LLVMMetadataRef type);
void sm_di_each_type(LLVMModuleRef module, sm_di_type_visitor *visit, void *context);

#ifdef __cplusplus
}
#endif

#endif
