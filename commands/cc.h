/*
 * cc.h - `stalemate cc` and `stalemate c++`: clang, with the pass and the runtime.
 *
 * A drop-in for cc: build systems must not notice, so every argument is handed to clang
 * as it came, and what Stalemate adds is added around them in a way that clang does not
 * warn about where it is not needed. It prints nothing of its own but errors. It does
 * not return if all is well: clang takes over the process.
 *
 * Refused, with exit status 2 and a text that says what to do: link-time optimisation
 * (the pass has to see each translation unit before it is optimised), static linking
 * (the runtime is a shared library) and ThreadSanitizer (two runtimes cannot both own
 * the threads).
 */
#ifndef SM_COMMANDS_CC_H
#define SM_COMMANDS_CC_H

#include <stdbool.h>

enum sm_flavour {
    SM_FLAVOUR_CONTROLLED, /* for run, hunt, verify, ... */
    SM_FLAVOUR_DETECT,     /* --detect: native, parallel race detection */
};

/* argv[0] is the command's own name, the rest is for the compiler. */
int sm_cc_main(bool cxx, int argc, char **argv);

#endif
