/* Suppressions: reading the file, and matching its patterns with texts of their own. */
#include "file.h"
#include "findings/suppress.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sm_suppressions list = {0};
    struct sm_error error;
    if (sm_suppressions_read(&list, fuzz_file(data, size), &error)) {
        for (size_t i = 0; i < list.n; i++)
            sm_pattern_matches(list.items[i].pattern, list.items[list.n - 1 - i].pattern);
        sm_suppressions_atomicity(&list, "set bank: transfer at bank.c:12 and audit at bank.c:30");
        json_decref(sm_suppressions_json(&list));
    }
    sm_suppressions_free(&list);
    return 0;
}
