/*
 * Runs the litmus test given on the command line, in the language of tests/litmus/litmus.def,
 * and says by stalemate_outcome what was read: by R and U as they stand in the program, then
 * the last values of x, y and z, unless there is a second argument. Not instrumented: the accesses
 * are in ../litmus/accesses.c.
 */
#include <stdio.h>

#include "../litmus/interpreter.h"

void stalemate_outcome(const char *format, ...);

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: %s 'W x 1; R y | W y 1; R x'\n", argv[0]);
        return 2;
    }
    char text[256] = "";
    int used = 0, n = litmus_run(argv[1]);
    for (int t = 0; t < n; t++)
        for (int i = 0; i < litmus_n_reads[t]; i++)
            used += snprintf(text + used, sizeof text - (size_t)used, "%d ", litmus_reads[t][i]);
    for (int l = 0; argc == 2 && l < LITMUS_LOCATIONS; l++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%c=%d ", "xyz"[l],
                         litmus_load(&litmus_locations[l].value, RLX));
    stalemate_outcome("%s", text);
    return 0;
}
