#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

void command_add(struct command *command, const char *word)
{
    if (command->n + 1 >= SPAWN_ARGS) {
        fprintf(stderr, "harness: more than %d words in a command\n", SPAWN_ARGS);
        exit(2);
    }
    command->argv[command->n++] = word;
}

void command_print(const struct command *command)
{
    for (int i = 0; i < command->n; i++) {
        const char *word = command->argv[i];
        const char *quote = word[strcspn(word, " \t*?$&|;<>()\"")] ? "'" : "";
        printf("%s%s%s%s", i ? " " : "    ", quote, word, quote);
    }
    printf("\n");
}

int spawn(const struct command *command, const char *stdin_path, const char *log_path)
{
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, stdin_path, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, log_path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    int error =
        posix_spawn(&pid, command->argv[0], &actions, NULL, (char **)command->argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error) {
        fprintf(stderr, "harness: cannot start %s: %s\n", command->argv[0], strerror(error));
        exit(2);
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}
