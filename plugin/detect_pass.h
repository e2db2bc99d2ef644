/*
 * detect_pass.h - the pass of the detect flavour: late, inline, and only what matters.
 *
 * It runs after simplification and inlining and before vectorisation (detect_entry.cpp), and
 * adds to each access that another thread could race with the inline check of
 * fast/detect_paths.c. Sites, names, and everything that is not a plain load or store
 * (atomics, fences, copies, library calls) are the controlled flavour's: the same rows, the
 * same hooks, another runtime.
 *
 *   detect_entry.cpp   the plug-in's entry: where in the pipeline
 *   detect_pass.c      one run over one module
 *   detect_link.c      the inline paths come into the module
 *   detect_calls.c     calls that leave a trace in the thread's history
 *   detect_skip.c      which checks are not needed, and why
 *   detect_ranges.cpp  which stand in loops and can be made before them
 *   detect_before.cpp  which an earlier one stands for
 *   detect_words.c     which are made together
 */
#ifndef SM_PLUGIN_DETECT_PASS_H
#define SM_PLUGIN_DETECT_PASS_H

#include "plugin/pass.h"

/* An inline path by its name, "read8"; the module has it once sm_paths_link has run. */
LLVMValueRef sm_path(struct sm_pass *pass, const char *name);
void sm_paths_link(LLVMModuleRef module);
void sm_path_call(struct sm_pass *pass, const char *name, LLVMValueRef *arguments, unsigned n);

/* Rows for the calls of every function, after those of its accesses; then the events. */
void sm_calls_collect(struct sm_pass *pass);
void sm_calls_emit(struct sm_pass *pass);

/* The check of a row's access, at a place of the caller's choice; address is an i64. */
void sm_emit_check_at(struct sm_pass *pass, uint32_t row, LLVMValueRef before,
                      LLVMValueRef address);

/* Takes out of pass->rows[...] what need not be checked where it stands: sets row.size to 0
 * (the table of rows has been emitted by then). */
void sm_skip_needless(struct sm_pass *pass, const struct sm_unit *unit);

/* Of a plain access: before which instruction it is best checked, and the address. */
LLVMValueRef sm_check_place(const struct sm_row *row);
LLVMValueRef sm_row_address(const struct sm_row *row);
/* Can the thread release or acquire, or not come back, from one instruction of a block on and
 * before a later one? */
bool sm_synchronises_between(LLVMValueRef from, LLVMValueRef to);

/* One check for several accesses, where they are neighbours. */
struct sm_loops;
void sm_words_check(struct sm_pass *pass, const struct sm_unit *unit, struct sm_loops *loops);
/* Is the access a plain one to a whole granule? */
bool sm_is_word(const struct sm_row *row);
/* Consecutive elements that a loop accesses: one check before the loop for all. */
struct sm_stripes;
void sm_stripes_check(struct sm_pass *pass, const struct sm_stripes *stripes);

#endif
