/*
 * cc.h - `stalemate cc` and `stalemate c++`: clang, with the pass and the runtime.
 *
 * A drop-in for cc: build systems must not notice, so every argument is passed to clang unchanged,
 * and Stalemate adds its own around them, so that clang does not warn about unused ones. It prints
 * nothing but errors. On success it does not return: clang replaces the process.
 *
 * Refused, with exit status 2 and a message that says what to do: link-time optimisation (the pass
 * has to see each translation unit before it is optimised), static linking (the runtime is a shared
 * library) and ThreadSanitizer (two runtimes cannot both own the threads).
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
