/* fuzz-unpack WITNESS: its sections on standard output, as the target `witness` takes them. */
#include <stdio.h>
#include <string.h>

#include "witness/container.h"
#include "witness/witness.h"

int main(int argc, char **argv)
{
    struct sm_section *sections;
    uint32_t n;
    char why[SM_WHY_SIZE] = "usage: fuzz-unpack WITNESS";
    if (argc != 2 ||
        !sm_container_read(argv[1], SM_WITNESS_VERSION, &sections, &n, why, sizeof why)) {
        fprintf(stderr, "%s\n", why);
        return 2;
    }
    putchar(0);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t size = (uint32_t)sections[i].size;
        putchar((int)sections[i].id);
        fwrite(&size, sizeof size, 1, stdout);
        fwrite(sections[i].data, 1, size, stdout);
    }
    return fflush(stdout) ? 1 : 0;
}
