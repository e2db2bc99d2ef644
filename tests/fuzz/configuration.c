/* stalemate.conf beside a program, for the command that the first byte picks; what was understood
   is turned into words and back. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/options.h"
#include "file.h"

static char directory[] = "/tmp/fuzz-XXXXXX", program[64], conf[64];

static void clean_up(void)
{
    unlink(conf);
    unlink(program);
    rmdir(directory);
}

/* The file beside the program is a link to the input. */
static void start(void)
{
    if (!mkdtemp(directory))
        abort();
    snprintf(program, sizeof program, "%s/program", directory);
    snprintf(conf, sizeof conf, "%s/stalemate.conf", directory);
    FILE *file = fopen(program, "w");
    if (!file || fclose(file) || chmod(program, 0755) || symlink(fuzz_file("", 0), conf))
        abort();
    atexit(clean_up);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum sm_command_bit commands[] = {SM_COMMAND_RUN, SM_COMMAND_HUNT,
                                                   SM_COMMAND_VERIFY, SM_COMMAND_ATOMICITY};
    if (!*program)
        start();
    if (!size)
        return 0;
    fuzz_file(data + 1, size - 1);
    struct sm_settings settings = {0};
    struct sm_error error;
    char *argv[] = {"fuzz", "--", program, NULL};
    if (sm_settings_parse(&settings, commands[*data % 4], true, argv, &error)) {
        struct sm_buffer words = {0};
        sm_settings_repeat(&settings, &words);
        sm_buffer_free(&words);
    }
    sm_settings_free(&settings);
    return 0;
}
