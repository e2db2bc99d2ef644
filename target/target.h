/*
 * target.h - the program under test, to be executed repeatedly.
 *
 * One function executes it, in one of two ways: a new process for each execution, or
 * (`serve`) children of a fork server that waits just before main, which saves the loader's
 * work. Both give the same executions. Anything that outlives its execution
 * in the program's process group is killed.
 *
 * One execution at a time; use one target for each worker. sm_target_run waits for the
 * execution; to watch several targets at once, use its two halves, start and look.
 */
#ifndef SM_TARGET_TARGET_H
#define SM_TARGET_TARGET_H

#include <limits.h>
#include <sys/types.h>

#include "base/status.h"
#include "target/capture.h"
#include "target/image.h"
#include "target/shared.h"

/* Why the driver ended an execution. */
enum sm_stop {
    SM_STOP_NONE,
    SM_STOP_TIMEOUT,
    SM_STOP_MEMORY,
    SM_STOP_OUTPUT,
    SM_STOP_INTERRUPT,
    SM_STOP_DEADLINE,
};

struct sm_limits {
    double seconds;  /* 0: none */
    double deadline; /* of the whole command (--time), on the clock of sm_now; 0: none */
    uint64_t memory; /* bytes; sm_target_open sets three quarters of the machine's */
};

struct sm_target {
    char path[PATH_MAX];
    char build_id[SM_BUILD_ID_SIZE];
    struct sm_list arguments; /* from argv[0] on */
    struct sm_list environment;
    char *directory; /* NULL: the current one */
    int input;       /* read-only file; owned */
    struct sm_capture output, errors;
    struct sm_shared shared;
    struct sm_limits limits;
    bool serve;
    pid_t server;   /* 0: not running */
    int server_fd;  /* our end */
    double started; /* the current execution */
    /* Called now and then while it runs, and when it has ended; may be NULL. */
    void (*watcher)(const struct sm_target *target, void *context);
    void *watcher_context;
};

/* How often limits are checked and output is passed on, while nothing else happens. A program that
   allocates 10 GB/s exceeds its limit by 200 MB before we notice. */
enum { SM_TARGET_TICK_MS = 20 };

/* How an execution ended, seen from outside. The rest is in target->shared. */
struct sm_ended {
    enum sm_stop stop;
    int wait_status;
    double seconds;
};

/*
 * Finds and checks the program. Takes ownership of `input`, a descriptor from input.h. Outputs are
 * passed on to the two descriptors, -1 for none.
 */
bool sm_target_open(struct sm_target *target, const char *program, char *const *arguments,
                    int input, int output, int errors, struct sm_error *error);
void sm_target_close(struct sm_target *target);

/* For `serve`: starts the server now, so that the site table can be read before any
   execution. */
bool sm_target_prepare(struct sm_target *target, struct sm_error *error);

/* Says why it did not start, or did not continue; returns false. */
bool sm_target_is_of_other_version(const struct sm_target *target, struct sm_error *error);
bool sm_target_is_plain(const struct sm_target *target, struct sm_error *error);
bool sm_target_refused(const struct sm_target *target, struct sm_error *error);

/* One execution. The caller sets the `in` fields of the control block other than the options. */
bool sm_target_run(struct sm_target *target, const struct sm_options *options,
                   struct sm_ended *ended, struct sm_error *error);

/* With `serve`, the same in two halves. After the start, poll server_fd for reading, and call look
   at every tick, with whether it is readable, until the execution has ended. */
bool sm_target_start(struct sm_target *target, const struct sm_options *options,
                     struct sm_error *error);
enum sm_look { SM_LOOK_RUNNING, SM_LOOK_OVER, SM_LOOK_ERROR };
enum sm_look sm_target_look(struct sm_target *target, bool readable, struct sm_ended *ended,
                            struct sm_error *error);

/* Starts a process that waits for a debugger before it becomes the program. */
pid_t sm_target_start_traced(struct sm_target *target, const struct sm_options *options,
                             struct sm_error *error);
/* Passes on new output, also while something else waits for the program. Returns the size of the
   longer of the two so far. */
off_t sm_target_pass_output(struct sm_target *target);

#endif
