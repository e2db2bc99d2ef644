/*
 * detect_pass.h - the pass of the detect flavour: late, inline, and only the necessary checks.
 *
 * It runs after simplification and inlining and before vectorisation (detect_entry.cpp), and adds
 * the inline check of fast/detect_paths.c to each access that another thread could race with.
 * Sites, names, and everything that is not a plain load or store (atomics, fences, copies, library
 * calls) are handled as in the controlled flavour: the same rows, the same hooks, another runtime.
 *
 *   detect_entry.cpp   the plug-in's entry: its place in the pipeline
 *   detect_pass.c      one run over one module
 *   detect_link.c      links the inline paths into the module
 *   detect_calls.c     calls that are recorded in the thread's history
 *   detect_skip.c      checks that are not needed, and why
 *   detect_ranges.cpp  checks in loops that can be made before the loop
 *   detect_outline.cpp checks that are called instead of inlined
 *   detect_before.cpp  checks that an earlier one covers
 *   detect_words.c     checks that are made together
 */
#ifndef SM_PLUGIN_DETECT_PASS_H
#define SM_PLUGIN_DETECT_PASS_H

#include "plugin/pass.h"

/* An inline path by its name, "read8"; available once sm_paths_link has run. */
LLVMValueRef sm_path(struct sm_pass *pass, const char *name);
void sm_paths_link(LLVMModuleRef module);
void sm_path_call(struct sm_pass *pass, const char *name, LLVMValueRef *arguments, unsigned n);

/* Rows for the calls of every function, after those of its accesses; then the events. */
void sm_calls_collect(struct sm_pass *pass);
void sm_calls_emit(struct sm_pass *pass);

/* The check of a row's access, at a place of the caller's choice; address is an i64. */
void sm_emit_check_at(struct sm_pass *pass, uint32_t row, LLVMValueRef before,
                      LLVMValueRef address);

/* Removes checks that are not needed where they are: sets row.size to 0 in pass->rows (the table of
 * rows has been emitted by then). */
void sm_skip_needless(struct sm_pass *pass, const struct sm_unit *unit);

/* For a plain access: the instruction before which it is best checked, and the address. */
LLVMValueRef sm_check_place(const struct sm_row *row);
LLVMValueRef sm_row_address(const struct sm_row *row);
/* Can the thread release or acquire, or fail to return, between the two instructions of a block? */
bool sm_synchronises_between(LLVMValueRef from, LLVMValueRef to);

/* One check for several neighbouring accesses. */
struct sm_loops;
void sm_words_check(struct sm_pass *pass, const struct sm_unit *unit, struct sm_loops *loops);
/* Is the access a plain one to a whole granule? */
bool sm_is_word(const struct sm_row *row);
/* Consecutive elements that a loop accesses: one check before the loop for all. */
struct sm_stripes;
void sm_stripes_check(struct sm_pass *pass, const struct sm_stripes *stripes);

#endif
