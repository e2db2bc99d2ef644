#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "base/words.h"
#include "checker/check.h"
#include "commands/cc.h"
#include "commands/commands.h"

static int cc_main(int argc, char **argv)
{
    return sm_cc_main(false, argc, argv);
}

static int cxx_main(int argc, char **argv)
{
    return sm_cc_main(true, argc, argv);
}

struct command {
    const char *name;
    int (*main)(int argc, char **argv);
    const char *operands, *summary, *example;
};

static const struct command commands[] = {
#define SM_COMMAND(name, main, operands, summary, example) {name, main, operands, summary, example},
#include "commands/commands.def"
};
enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

static const struct command *find(const char *name)
{
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

void sm_command_help(const char *name, enum sm_command_bit bit)
{
    const struct command *command = find(name);
    printf("usage: stalemate %s %s\n%s\n\n", name, command->operands, command->summary);
    sm_settings_help(bit, stdout);
    printf("\nexample:\n  %s\n", command->example);
}

/* All other options are clang's. stalemate-cc passes this one on, too. */
static int compiler_help(const struct command *command)
{
    printf("usage: stalemate %s %s\n%s\n\n"
           "options:\n"
           "  --detect         build for stalemate detect: threads run in parallel\n"
           "  ARGS             as for clang; -g gives places, -O1 is a good level\n\n"
           "For build systems: CC=stalemate-cc CXX=stalemate-c++\n"
           "\nexample:\n  %s\n",
           command->name, command->operands, command->summary, command->example);
    return SM_STATUS_OK;
}

static bool wants_help(int argc, char **argv)
{
    return argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
}

static int help(FILE *to)
{
    fputs("usage: stalemate COMMAND ...\n"
          "Finds out whether the data races of a C or C++ program matter.\n\n",
          to);
    for (size_t i = 0; i < N_COMMANDS; i++)
        fprintf(to, "  %-9s %-28s %s\n", commands[i].name, commands[i].operands,
                commands[i].summary);
    fputs("\nexample:\n"
          "  stalemate cc -g -O1 -pthread -o prog prog.c\n"
          "  stalemate hunt -- ./prog\n"
          "Options: stalemate COMMAND --help. Manual: man stalemate, man stalemate-COMMAND.\n"
          "Exit status: 0 nothing bad found, 1 something found, 2 wrong command,\n"
          "3 the program cannot be run, 70 internal error.\n",
          to);
    return to == stdout ? SM_STATUS_OK : SM_STATUS_USAGE;
}

static int unknown(const char *name)
{
    const char *names[N_COMMANDS];
    for (size_t i = 0; i < N_COMMANDS; i++)
        names[i] = commands[i].name;
    const char *nearest = sm_nearest_word(name, names, N_COMMANDS);
    if (nearest)
        fprintf(stderr, "stalemate: unknown command '%s'; did you mean '%s'?\n", name, nearest);
    else
        fprintf(stderr, "stalemate: unknown command '%s'; for a list type: stalemate --help\n",
                name);
    return SM_STATUS_USAGE;
}

/* Build systems use the compilers under their own names. */
static const struct command *by_own_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    if (strcmp(name, "stalemate-cc") == 0)
        return find("cc");
    return strcmp(name, "stalemate-c++") == 0 ? find("c++") : NULL;
}

/* If standard files are closed, our own files would get their numbers, and be written to. */
static void open_standard_files(void)
{
    int fd;
    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

static int run_command(int argc, char **argv)
{
    if (argc < 2)
        return help(stderr);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help(stdout);
    if (strcmp(argv[1], "--version") == 0)
        return puts("stalemate " SM_VERSION) < 0;
    const struct command *command = find(argv[1]);
    if (!command)
        return unknown(argv[1]);
    if ((command->main == cc_main || command->main == cxx_main) && wants_help(argc - 1, argv + 1))
        return compiler_help(command);
    signal(SIGPIPE, SIG_IGN); /* a reader that goes away shows as a write error */
    return command->main(argc - 1, argv + 1);
}

/* Output that could not be written is an error, except if the reader went away. */
static int finish(int status)
{
    errno = 0;
    bool failed = fflush(stdout) != 0 || ferror(stdout);
    if (!failed || errno == EPIPE)
        return status;
    fprintf(stderr, "stalemate: cannot write standard output%s%s\n", errno ? ": " : "",
            errno ? strerror(errno) : "");
    return SM_STATUS_USAGE;
}

int main(int argc, char **argv)
{
    open_standard_files();
    const struct command *compiler = by_own_name(argc ? argv[0] : "");
    return compiler ? compiler->main(argc, argv) : finish(run_command(argc, argv));
}
