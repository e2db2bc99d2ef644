/* The file of verify --expect. */
#include "commands/expected.h"
#include "file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct sm_explored explored;
    struct sm_error error;
    explored = (struct sm_explored){0};
    sm_expected_read(fuzz_file(data, size), &explored, &error);
    return 0;
}
