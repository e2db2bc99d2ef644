/*
 * spawn.h - runs a command to its end, for the harness.
 *
 * What the command prints goes to one log file, which is shown only when a test fails.
 */
#ifndef SM_TESTS_SPAWN_H
#define SM_TESTS_SPAWN_H

#include <stddef.h>

#define SPAWN_ARGS 64

struct command {
    int n;
    const char *argv[SPAWN_ARGS]; /* NULL-terminated: n < SPAWN_ARGS */
};

void command_add(struct command *command, const char *word);
/* As a shell would take it, to be pasted. */
void command_print(const struct command *command);

/* Wait status of the command. Ends the process when it cannot be started. */
int spawn(const struct command *command, const char *stdin_path, const char *log_path);

#endif
