/*
 * asm_ops.h - lowers one line of inline assembly to LLVM instructions.
 */
#ifndef SM_PLUGIN_ASM_OPS_H
#define SM_PLUGIN_ASM_OPS_H

#include "plugin/asm_values.h"

/* False: not understood. The caller removes what was built until then. */
bool sm_asm_lower_line(struct sm_asm_values *values, const struct sm_asm_line *line, bool last);
/* Does the line neither touch the program's memory nor order it? */
bool sm_asm_is_hint(const struct sm_asm_line *line);
/* Is it an instruction that completes everything before it (cpuid)? */
bool sm_asm_is_serialising(const struct sm_asm_line *line);
/* `movs` or `stos` with a repeat prefix: the bytes of one element; else 0. */
unsigned sm_asm_repeated(const struct sm_asm_line *line, const char *word);

#endif
