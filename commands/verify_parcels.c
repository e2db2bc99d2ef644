#include "commands/verify_parcels.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/words.h"
#include "target/image.h"

/* ---- the plan ---- */

static void add_words(struct sm_buffer *lines, char *const *words)
{
    for (; *words; words++) {
        sm_buffer_text(lines, " ");
        for (const char *c = *words; *c; c++)
            if (*c == '\n')
                sm_buffer_text(lines, "\\n");
            else
                sm_buffer_add(lines, c, 1);
    }
}

static void add_expected(struct sm_buffer *lines, const struct sm_explored *expected)
{
    uint32_t n = expected->n_allowed + expected->n_forbidden;
    for (uint32_t i = 0; i < n; i++)
        sm_buffer_print(lines, "%s %lx\n", i < expected->n_allowed ? "allow" : "forbid",
                        (unsigned long)expected->expected[i]);
}

static void add_objects(struct sm_buffer *lines, const struct sm_control *control)
{
    for (uint32_t i = 0; i < control->n_mappings; i++) {
        char id[SM_BUILD_ID_SIZE];
        sm_image_build_id(control->mappings[i].path, id);
        sm_buffer_print(lines, "object %s at %lx\n", id, (unsigned long)control->mappings[i].base);
    }
}

void sm_verify_plan(struct sm_parcels_plan *plan, const struct sm_settings *settings,
                    const struct sm_options *options, const struct sm_explored *expected,
                    const struct sm_target *target)
{
    struct sm_buffer *lines = &plan->lines;
    lines->size = 0;
    sm_buffer_print(lines, "stalemate " SM_VERSION " %08x\nbuild %s\narguments",
                    sm_control_version(), target->build_id);
    add_words(lines, target->arguments.items + 1);
    sm_buffer_print(lines, "\nmodel %s\nvolatile %s\nbound %lu\nsymmetry %lu\nprescient %lu\n",
                    sm_model_words[options->model], sm_volatile_words[options->volatile_as],
                    (unsigned long)options->bound, (unsigned long)options->symmetry,
                    (unsigned long)options->prescient);
    sm_buffer_print(lines, "expect-exit %lu\nexpect %s\n", (unsigned long)options->expect_exit,
                    settings->expect ? "yes" : "no");
    add_expected(lines, expected);
    add_objects(lines, target->shared.control);
    if (*target->shared.control->repairs)
        sm_buffer_print(lines, "repairs\n%s\n", target->shared.control->repairs);
}

/* ---- helpers ---- */

static _Noreturn void leave(void)
{
    _exit(SM_STATUS_OK);
}

static void wait_for_go(int fd)
{
    char byte;
    if (read(fd, &byte, 1) != 1)
        leave();
    close(fd);
}

bool sm_crew_start(struct sm_crew *crew, size_t n, struct sm_error *error)
{
    int ends[2];
    pid_t parent = getpid();
    *crew = (struct sm_crew){.pids = sm_new((n + 1) * sizeof *crew->pids), .go = -1};
    if (!n)
        return true;
    if (pipe(ends) != 0)
        return sm_fail(error, SM_STATUS_TARGET, "cannot make a pipe: %s", strerror(errno));
    for (size_t i = 0; i < n; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            close(ends[1]);
            if (getppid() != parent)
                leave();
            crew->is_helper = true;
            crew->n = 0;
            wait_for_go(ends[0]);
            return true;
        }
        if (pid > 0)
            crew->pids[crew->n++] = pid;
    }
    close(ends[0]);
    crew->go = ends[1];
    return true;
}

void sm_crew_go(struct sm_crew *crew)
{
    for (size_t i = 0; i < crew->n; i++)
        (void)!write(crew->go, "", 1);
    if (crew->go >= 0)
        close(crew->go);
    crew->go = -1;
}

bool sm_crew_end(struct sm_crew *crew, int stop)
{
    bool ok = true;
    if (crew->go >= 0)
        close(crew->go);
    for (size_t i = 0; stop && i < crew->n; i++)
        kill(crew->pids[i], stop);
    for (size_t i = 0; i < crew->n; i++) {
        int status = 0;
        while (waitpid(crew->pids[i], &status, 0) < 0 && errno == EINTR)
            continue;
        ok &= WIFEXITED(status) && WEXITSTATUS(status) <= SM_STATUS_FOUND;
    }
    free(crew->pids);
    return ok;
}
