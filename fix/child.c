/* child.c - see child.h. */
#include "fix/child.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void become(const char *path, char *const *words, const char *directory,
                             const char *log)
{
    int output = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (input < 0 || output < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0)
        _exit(SM_STATUS_INTERNAL);
    if (!directory || chdir(directory) == 0)
        execv(path, words);
    _exit(SM_STATUS_INTERNAL);
}

static int run(const char *path, char *const *words, const char *directory, const char *log)
{
    int status = -1;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        become(path, words, directory, log);
    if (pid < 0 || waitpid(pid, &status, 0) < 0 || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

json_t *sm_child_json(const struct sm_settings *settings, enum sm_command_bit bit,
                      const char *command, const struct sm_list *options, const char *directory)
{
    struct sm_list words = {0}, plan = {0};
    struct sm_buffer text = {0};
    char *file = sm_print("%s/%s.json", directory, command);
    char *log = sm_print("%s/%s.log", directory, command);
    const char *const fixed[] = {"stalemate", command, "--quiet", "--json",
                                 file,        "--out", directory};
    for (size_t i = 0; i < sizeof(fixed) / sizeof(*fixed); i++)
        sm_list_add(&words, fixed[i]);
    if (bit)
        sm_settings_plan(settings, bit, &text);
    if (text.data && sm_split_words(text.data, &plan))
        for (size_t i = 0; i < plan.n; i++)
            sm_list_add(&words, plan.items[i]);
    for (size_t i = 0; options && i < options->n; i++)
        sm_list_add(&words, options->items[i]);
    sm_list_add(&words, "--");
    for (size_t i = 0; i < settings->operands.n; i++)
        sm_list_add(&words, settings->operands.items[i]);
    unlink(file);
    run("/proc/self/exe", words.items, NULL, log);
    json_t *json = json_load_file(file, 0, NULL);
    sm_buffer_free(&text);
    sm_list_free(&plan);
    sm_list_free(&words);
    free(file);
    free(log);
    return json;
}

bool sm_child_shell(const char *command, const char *directory)
{
    char *log = sm_print("%s/stalemate-build.log", directory);
    char *words[] = {"sh", "-c", (char *)command, NULL};
    int status = run("/bin/sh", words, directory, log);
    free(log);
    return status == 0;
}
