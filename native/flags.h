/*
 * flags.h - the flags of ThreadSanitizer, from TSAN_OPTIONS or __tsan_default_options().
 *
 * Read once, before the program starts. The environment takes precedence over the program.
 */
#ifndef SM_NATIVE_FLAGS_H
#define SM_NATIVE_FLAGS_H

#define SM_FLAG_NUMBER int
#define SM_FLAG_TEXT const char *

extern struct sm_flags {
#define SM_FLAG(name, type, value) SM_FLAG_##type name;
#include "native/flags.def"
} sm_flags;

/* Flags are separated by colons, commas or white space; a value may be quoted. */
void sm_flags_read(const char *text);

#endif
