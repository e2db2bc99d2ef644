/*
 * symbols.h - from program counters to places in the source.
 *
 * Reads the debug information of the files that were mapped into the program, after the program has
 * ended. Inlined functions have frames of their own, innermost first.
 */
#ifndef SM_TARGET_SYMBOLS_H
#define SM_TARGET_SYMBOLS_H

#include "abi/control.h"
#include "witness/place.h"

struct sm_symbols;

/* Never fails: without debug information, places are unknown. */
struct sm_symbols *sm_symbols_open(const struct sm_mapping *mappings, uint32_t n);
/* Appends the frames of one program counter. Frames of Stalemate's own runtime are left out. */
void sm_symbols_frames(struct sm_symbols *symbols, uint64_t pc, struct sm_stack *stack);
/* The global variable that the address lies in, to be freed; NULL if it is none. */
char *sm_symbols_variable(struct sm_symbols *symbols, uint64_t address);
/* The same as the source writes it, elements by index: "ring[3]", "table[2].next", "g_config". For
   a variable of a library's type, `type` is its type, to be freed, and the name ends there; else
   NULL. size: of the access, 0 for a whole object. */
char *sm_symbols_memory(struct sm_symbols *symbols, uint64_t address, unsigned size, char **type);
/* The text with each "{code PC}", "{data ADDRESS}", "{name ADDRESS}" (behind what the object is)
   and
   "{lock ADDRESS PC...}" (with the stack of the call, innermost first) that the runtime put there
   turned into a place, the name of a variable, or both. The caller frees it. */
char *sm_symbols_expand(struct sm_symbols *symbols, const char *text);
void sm_symbols_close(struct sm_symbols *symbols);

/* Without "." and "dir/..": "/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/memory" is
   /usr/include/c++/12/memory. In place; returns it. */
char *sm_simplify_path(char *path);

/* A C++ name as written in the source; others unchanged. The caller frees it. */
char *sm_demangle(const char *name);
/* "worker(int)" and "Queue::size() const" to "worker" and "Queue::size". In place; returns it. */
char *sm_function_name(char *demangled);

#endif
