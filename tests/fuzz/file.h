/* file.h - the input of a fuzz target as a file that has a name. */
#ifndef SM_TESTS_FUZZ_FILE_H
#define SM_TESTS_FUZZ_FILE_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Holds these bytes until the next call. */
const char *fuzz_file(const void *data, size_t size);

#endif
