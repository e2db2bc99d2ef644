/*
 * spawn.h - starts the program under test in a fixed environment.
 *
 * The program gets a process group of its own, no address randomisation, the usual stack limit (it
 * decides where the kernel puts libraries), default signals, and no descriptors but 0, 1, 2 and the
 * runtime's, which are moved to high numbers: the program's own descriptors have the numbers that
 * they would have without Stalemate.
 */
#ifndef SM_TARGET_SPAWN_H
#define SM_TARGET_SPAWN_H

#include <sys/types.h>

#include "base/status.h"
#include "target/shared.h"

struct sm_spawn {
    const char *path;       /* absolute */
    char *const *arguments; /* from argv[0] on, ends in NULL */
    char *const *environment;
    const char *directory; /* NULL: the current one */
    int input, output, errors;
    const struct sm_shared *shared;
    int server_fd;        /* -1: no fork server */
    bool wait_for_tracer; /* do not start before a debugger has attached */
};

/* The process, or -1. Returns when the program has been executed, or could not be. */
pid_t sm_spawn_program(const struct sm_spawn *spawn, struct sm_error *error);

/* In the driver's environment: a directory with libraries of the program, copied there from
   elsewhere (commands/on/bundle.h). */
#define SM_LIBRARIES_ENV "STALEMATE_LIBRARIES"
/* "LD_LIBRARY_PATH=..." with that directory before the value in `environment`; NULL: there is none.
   It is only for the loader: the recorded environment of the program does not have it. */
char *sm_spawn_library_path(char *const *environment);

/* The environment for the program: ours without the entries of environment.def. */
void sm_spawn_environment(struct sm_list *environment);

/* Disables address randomisation for our children; warns once if that is forbidden. */
void sm_spawn_fix_addresses(void);

#endif
