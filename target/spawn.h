/*
 * spawn.h - starts the program under test in surroundings that are always the same.
 *
 * The program gets a process group of its own, no address randomisation, the usual
 * stack limit (it decides where the kernel puts libraries), default signals, and no
 * descriptors but 0, 1, 2 and the runtime's, which are moved up to where the program's
 * own descriptors do not come: the numbers it sees are those it would see without us.
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
    const char *directory; /* NULL: where we are */
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
/* "LD_LIBRARY_PATH=..." with that directory before what `environment` has; NULL: there is none. It
   is for the loader: what is known of the program's environment is without it. */
char *sm_spawn_library_path(char *const *environment);

/* The environment for the program: ours without what environment.def lists. */
void sm_spawn_environment(struct sm_list *environment);

/* Switches off address randomisation for our children; warns once if that is forbidden. */
void sm_spawn_fix_addresses(void);

#endif
