#include "commands/on.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/write.h"
#include "campaign/campaign.h"
#include "commands/bundle.h"
#include "target/input.h"
#include "target/spawn.h"

enum { MOST_TRIES = 3, POLL_MS = 500, DEFAULT_TASKS = 16, MOST_SRUNS = 64 };

enum place_in_queue { NOT_QUEUED, TASK_WAITS, TASK_RUNS };

struct on {
    const struct sm_settings *settings;
    enum sm_command_bit command;
    const char *word;
    char self[PATH_MAX], base[PATH_MAX], directory[PATH_MAX];
    size_t n; /* tasks; each has an entry below */
    struct on_task {
        bool over;                  /* with status 0 or 1 */
        enum place_in_queue queued; /* as the backend says */
        unsigned tries, missed;
        pid_t srun; /* copied: the process that waits for it here; 0: none */
    } *tasks;
    struct sm_list jobs;     /* of Slurm */
    struct sm_list excluded; /* nodes on which a task was lost */
    bool shown;
    struct sm_error error;
};

/* ---- words for a shell ---- */

static void add_operands(const struct on *on, struct sm_buffer *to)
{
    sm_buffer_text(to, " --");
    for (size_t i = 0; i < on->settings->operands.n; i++) {
        sm_buffer_text(to, " ");
        sm_quote_word(on->settings->operands.items[i], to);
    }
}

static void add_path(const struct on *on, struct sm_buffer *to, const char *name)
{
    char *path = sm_print("%s/%s", on->base, name);
    sm_quote_word(path, to);
    free(path);
}

static bool is_verify(const struct on *on)
{
    return on->command == SM_COMMAND_VERIFY;
}

/* `hunt` and the options that all tasks have. */
static void add_options(const struct on *on, struct sm_buffer *to)
{
    sm_buffer_print(to, " %s", on->word);
    sm_settings_plan(on->settings, on->command, to);
    if (on->settings->time > 0)
        sm_buffer_print(to, " --time %g", on->settings->time);
}

static void add_command(const struct on *on, struct sm_buffer *to)
{
    sm_quote_word(on->self, to);
    add_options(on, to);
}

/* All tasks have the environment of this command, in its order too: GNU parallel changes that, and
   nodes have variables of their own. */
static void add_environment(struct sm_buffer *to)
{
    struct sm_list environment = {0};
    sm_spawn_environment(&environment);
    sm_buffer_text(to, "env -i");
    for (size_t i = 0; i < environment.n; i++) {
        sm_buffer_text(to, " ");
        sm_quote_word(environment.items[i], to);
    }
    sm_buffer_text(to, " \\\n    ");
    sm_list_free(&environment);
}

/* The task's number is in the shell's variable i. */
static void add_task(const struct on *on, struct sm_buffer *to)
{
    add_environment(to);
    add_command(on, to);
    sm_buffer_text(to, " --quiet --jobs \"$jobs\" ");
    if (is_verify(on)) {
        sm_buffer_text(to, "--out \"$base/worker-$i\" --parcels ");
        add_path(on, to, "parcels");
    } else {
        sm_buffer_print(to, "--shard \"$i/%zu\" --out \"$base/shard-$i\"", on->n);
    }
    add_operands(on, to);
}

/* ---- the directory ---- */

static bool make(struct on *on, const char *name)
{
    char *path = sm_print("%s/%s", on->base, name);
    bool ok = mkdir(path, 0777) == 0 || errno == EEXIST ||
              sm_fail(&on->error, SM_STATUS_USAGE, "cannot make the directory %s: %s", path,
                      strerror(errno));
    free(path);
    return ok;
}

static bool write_file(struct on *on, const char *name, const struct sm_buffer *text)
{
    char *path = sm_print("%s/%s", on->base, name);
    bool ok = sm_write_text(text, path, &on->error);
    free(path);
    return ok;
}

static bool read_file(const struct on *on, const char *name, struct sm_buffer *text)
{
    char chunk[4096], *path = sm_print("%s/%s", on->base, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = -1;
    free(path);
    text->size = 0;
    while (fd >= 0 && (n = read(fd, chunk, sizeof chunk)) > 0)
        sm_buffer_add(text, chunk, (size_t)n);
    if (fd >= 0)
        close(fd);
    return n == 0;
}

static bool locate(struct on *on)
{
    const char *out = on->settings->out ? on->settings->out : SM_OUT_DEFAULT;
    char whole[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", on->self, sizeof on->self - 1);
    on->self[n > 0 ? n : 0] = 0;
    mkdir(out, 0777);
    if (n <= 0 || !getcwd(on->directory, sizeof on->directory) || !realpath(out, whole))
        return sm_fail(&on->error, SM_STATUS_USAGE, "cannot use the directory %s: %s", out,
                       strerror(errno));
    snprintf(on->base, sizeof on->base, "%.*s/on", PATH_MAX - 4, whole);
    return true;
}

/* Another command may not go on from here. */
static bool agree(struct on *on)
{
    struct sm_buffer plan = {0}, old = {0};
    sm_buffer_print(&plan, "%zu tasks in %s\n", on->n, on->directory);
    add_command(on, &plan);
    add_operands(on, &plan);
    sm_buffer_text(&plan, "\n");
    bool there = read_file(on, "plan", &old);
    bool ok =
        !there || (old.data && old.size == plan.size && memcmp(old.data, plan.data, old.size) == 0);
    if (!ok)
        sm_fail(&on->error, SM_STATUS_USAGE,
                "%s has the tasks of another command; give another directory with --out DIR, or "
                "remove it\nit was made for: %.*s",
                on->base, (int)(old.size < 900 ? old.size : 900), old.data ? old.data : "");
    else if (!there)
        ok = write_file(on, "plan", &plan);
    sm_buffer_free(&plan);
    sm_buffer_free(&old);
    return ok;
}

static bool keep_input(struct on *on)
{
    struct sm_buffer text = {0};
    if (read_file(on, "input", &text)) {
        sm_buffer_free(&text);
        return true;
    }
    int fd = sm_input_spool(STDIN_FILENO, &on->error);
    if (fd < 0)
        return false;
    struct sm_capture all = {.fd = fd, .pass_to = -1};
    sm_capture_read(&all, &text);
    close(fd);
    bool ok = write_file(on, "input", &text);
    sm_buffer_free(&text);
    return ok;
}

/* Workers of a task. */
static void add_jobs_of_task(const struct on *on, struct sm_buffer *to)
{
    bool given = on->settings->on != SM_ON_PARALLEL && on->settings->jobs;
    sm_buffer_print(to, "\njobs=${SLURM_CPUS_PER_TASK:-%lu}\n",
                    (unsigned long)(given ? on->settings->jobs : 1));
}

/* What is over, with 0 or 1, is not made again. A status is put in place by rename. */
static bool write_task(struct on *on)
{
    struct sm_buffer text = {0};
    sm_buffer_print(&text,
                    "#!/bin/sh\n# task.sh I: task I of %zu; what came of it is in status/I\n"
                    "i=$1\nbase=",
                    on->n);
    sm_quote_word(on->base, &text);
    add_jobs_of_task(on, &text);
    sm_buffer_text(&text, "cd ");
    sm_quote_word(on->directory, &text);
    sm_buffer_text(&text,
                   " || exit 3\ncase $(cat \"$base/status/$i\" 2>/dev/null) in 0 | 1) exit 0 ;; "
                   "esac\n");
    add_task(on, &text);
    sm_buffer_text(&text, " <\"$base/input\"\nstatus=$?\n"
                          "echo $status >\"$base/status/.$i.$$\" &&\n"
                          "    mv \"$base/status/.$i.$$\" \"$base/status/$i\"\nexit $status\n");
    bool ok = write_file(on, "task.sh", &text);
    sm_buffer_free(&text);
    return ok;
}

static bool write_job(struct on *on)
{
    struct sm_buffer text = {0};
    sm_buffer_text(&text, "#!/bin/sh\nexec sh ");
    add_path(on, &text, "task.sh");
    sm_buffer_text(&text, " \"$SLURM_ARRAY_TASK_ID\"\n");
    bool ok = write_file(on, "job.sh", &text);
    sm_buffer_free(&text);
    return ok;
}

/* ---- copies ---- */

/* A task where the bundle was unpacked: in $1. */
static bool write_run(struct on *on)
{
    struct sm_buffer text = {0};
    sm_buffer_text(&text, "#!/bin/sh\n# run.sh HERE I: task I, in HERE\nhere=$1 i=$2");
    add_jobs_of_task(on, &text);
    sm_buffer_text(&text, "mkdir \"$here/log\" \"$here/status\"\ncd \"$here/work\" || exit 3\n");
    add_environment(&text);
    sm_buffer_text(&text, SM_LIBRARIES_ENV "=\"$here/libraries\" \"$here/bin/stalemate\"");
    add_options(on, &text);
    sm_buffer_print(&text, " --quiet --jobs \"$jobs\" --shard \"$i/%zu\" --out \"$here/shard-$i\"",
                    on->n);
    add_operands(on, &text);
    sm_buffer_text(&text, " <\"$here/input\" >\"$here/log/$i\" 2>&1\n"
                          "echo $? >\"$here/status/$i\"\n");
    bool ok = write_file(on, "run.sh", &text);
    sm_buffer_free(&text);
    return ok;
}

/* Known by it: a node that sees our directory after all. */
static bool keep_token(struct on *on, struct sm_buffer *token)
{
    uint64_t number = 0;
    if (read_file(on, "token", token) && token->size > 1) {
        sm_buffer_add(token, "", 1);
        return true;
    }
    (void)!getrandom(&number, sizeof number, 0);
    token->size = 0;
    sm_buffer_print(token, "%016lx", (unsigned long)number);
    return write_file(on, "token", token);
}

/* The same for srun, which brings the bundle and takes the result by its standard streams, and for
   GNU parallel, which copies files. Of the result the status comes last: one that is cut short has
   none. */
static const char boot[] =
    "echo \"node $SLURMD_NODENAME\" >&2\n"
    "here=$(mktemp -d \"${TMPDIR:-/tmp}/stalemate.XXXXXX\") || exit 3\n"
    "trap 'rm -rf \"$here\"' EXIT\n"
    "trap 'exit 3' HUP INT TERM\n"
    "if [ \"$(cat \"$base/token\" 2>/dev/null)\" = \"$token\" ]; then\n"
    "    sh \"$base/task.sh\" \"$i\" >\"$base/log/$i\" 2>&1\n"
    "    status=$?\n"
    "    set -- -T /dev/null\n"
    "else\n"
    "    { [ \"$where\" = - ] || exec <" SM_BUNDLE_FILE "; tar -C \"$here\" -xzf -; } || exit 3\n"
    "    sh \"$here/run.sh\" \"$here\" \"$i\"\n"
    "    status=$(cat \"$here/status/$i\")\n"
    "    set -- \"log/$i\" \"status/$i\"\n"
    "    [ ! -d \"$here/shard-$i\" ] || set -- \"shard-$i\" \"$@\"\n"
    "fi\n"
    "[ \"$where\" = - ] || mkdir -p return\n"
    "tar -C \"$here\" -cf \"$where\" \"$@\" || exit 3\n"
    "[ \"$status\" -le 1 ]\n";

static bool write_boot(struct on *on)
{
    struct sm_buffer text = {0}, token = {0};
    bool ok = keep_token(on, &token);
    sm_buffer_text(&text, "# boot.sh I [-]: task I on a node that may see nothing of ours\n"
                          "i=$1 where=${2:-return/$1}\nbase=");
    sm_quote_word(on->base, &text);
    sm_buffer_print(&text, "\ntoken=%s\n%s", ok ? token.data : "", boot);
    ok = ok && write_file(on, "boot.sh", &text);
    sm_buffer_free(&token);
    sm_buffer_free(&text);
    return ok;
}

/* srun.sh I OPTIONS...: task I by srun. */
static bool write_srun(struct on *on)
{
    struct sm_buffer text = {0};
    sm_buffer_text(&text, "#!/bin/sh\n# srun.sh I OPTIONS...: task I, by srun with these options\n"
                          "i=$1\nshift\ncd ");
    sm_quote_word(on->base, &text);
    sm_buffer_print(
        &text,
        " || exit 3\nsrun --quiet --nodes=1 --ntasks=1 --chdir=/ --job-name=stalemate-%s "
        "\"$@\" \\\n    sh -c \"$(cat boot.sh)\" boot.sh \"$i\" - <" SM_BUNDLE_FILE
        " >\"return/.$i\" 2>\"log/$i.node\"\nstatus=$?\n"
        "mv \"return/.$i\" \"return/$i\"\nexit $status\n",
        on->word);
    bool ok = write_file(on, "srun.sh", &text);
    sm_buffer_free(&text);
    return ok;
}

static bool prepare_copies(struct on *on)
{
    return !on->settings->copy ||
           (make(on, "return") && write_run(on) && write_boot(on) && write_srun(on) &&
            sm_bundle_make(on->settings, on->self, on->base, &on->error));
}

static bool prepare(struct on *on)
{
    return make(on, "") && agree(on) && keep_input(on) && make(on, "status") && make(on, "log") &&
           write_task(on) && write_job(on) && prepare_copies(on);
}

/* ---- what is over ---- */

/* What the command prints, both streams; its status, or -1. */
static int capture(const char *command, struct sm_buffer *text)
{
    char chunk[4096], *all = sm_print("{ %s\n} 2>&1", command);
    size_t n;
    text->size = 0;
    FILE *pipe = popen(all, "re");
    free(all);
    if (!pipe)
        return -1;
    while ((n = fread(chunk, 1, sizeof chunk, pipe)) > 0)
        sm_buffer_add(text, chunk, n);
    int status = pclose(pipe);
    sm_buffer_add(text, "", 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* What came back of a task that was copied. */
static void unpack(struct on *on, size_t task)
{
    struct sm_buffer command = {0}, ignored = {0};
    char *path = sm_print("%s/return/%zu", on->base, task);
    if (on->settings->copy && access(path, F_OK) == 0) {
        sm_buffer_text(&command, "tar -C ");
        add_path(on, &command, "");
        sm_buffer_text(&command, " -xf ");
        sm_quote_word(path, &command);
        capture(command.data, &ignored);
        unlink(path);
    }
    free(path);
    sm_buffer_free(&command);
    sm_buffer_free(&ignored);
}

static size_t count_over(struct on *on)
{
    size_t n = 0;
    for (size_t i = 0; i < on->n; i++) {
        char name[32];
        struct sm_buffer text = {0};
        snprintf(name, sizeof name, "status/%zu", i + 1);
        unpack(on, i + 1);
        if (!on->tasks[i].over && read_file(on, name, &text) && text.size)
            on->tasks[i].over = text.data[0] <= '1' && text.data[1] == '\n';
        sm_buffer_free(&text);
        n += on->tasks[i].over;
    }
    return n;
}

/* All tasks are; or one worker of verify, which ends when everything is explored. */
static bool is_over(struct on *on)
{
    size_t n = count_over(on);
    return n == on->n || (is_verify(on) && n);
}

static void show(struct on *on, const char *where)
{
    size_t waits = 0, runs = 0, again = 0, over = count_over(on);
    if (on->settings->quiet || !isatty(STDERR_FILENO))
        return;
    for (size_t i = 0; i < on->n; i++) {
        waits += !on->tasks[i].over && on->tasks[i].queued == TASK_WAITS;
        runs += !on->tasks[i].over && on->tasks[i].queued == TASK_RUNS;
        again += on->tasks[i].tries > 1 ? on->tasks[i].tries - 1 : 0;
    }
    on->shown = true;
    fprintf(stderr, "\r\033[K%s on %s: %zu of %zu tasks are over, %zu run, %zu wait", on->word,
            where, over, on->n, runs, waits);
    if (again)
        fprintf(stderr, ", %zu were lost and submitted again", again);
    fflush(stderr);
}

static void wipe(struct on *on)
{
    if (on->shown)
        fputs("\r\033[K", stderr);
    on->shown = false;
}

static void pause_a_moment(void)
{
    struct pollfd interrupt = {.fd = sm_interrupt_fd(), .events = POLLIN};
    poll(&interrupt, 1, POLL_MS);
}

/* ---- Slurm ---- */

static bool write_jobs(struct on *on)
{
    struct sm_buffer text = {0};
    for (size_t i = 0; i < on->jobs.n; i++)
        sm_buffer_print(&text, "%s\n", on->jobs.items[i]);
    bool ok = write_file(on, "job", &text);
    sm_buffer_free(&text);
    return ok;
}

static void read_jobs(struct on *on)
{
    struct sm_buffer text = {0};
    if (read_file(on, "job", &text) && text.size)
        sm_split_words(text.data, &on->jobs);
    sm_buffer_free(&text);
}

static void add_numbers(const struct on *on, struct sm_buffer *to)
{
    const char *comma = "";
    for (size_t i = 0; i < on->n; i++) {
        const struct on_task *task = &on->tasks[i];
        if (task->over || task->queued || task->tries >= MOST_TRIES)
            continue;
        sm_buffer_print(to, "%s%zu", comma, i + 1);
        comma = ",";
    }
}

/* sbatch for these tasks; its answer is the number of the job, or what is wrong. */
static bool call_sbatch(const struct on *on, const char *numbers, bool excludes,
                        struct sm_buffer *answer)
{
    struct sm_buffer command = {0};
    sm_buffer_print(&command,
                    "sbatch --parsable --requeue --job-name=stalemate-%s --open-mode=append "
                    "--array=%s",
                    on->word, numbers);
    for (size_t i = 0; excludes && i < on->excluded.n; i++)
        sm_buffer_print(&command, "%s%s", i ? "," : " --exclude=", on->excluded.items[i]);
    sm_buffer_text(&command, " --output=");
    add_path(on, &command, "log/%a");
    sm_buffer_text(&command, " ");
    add_path(on, &command, "job.sh");
    int status = capture(command.data, answer);
    answer->data[strcspn(answer->data, ";\n")] = 0;
    sm_buffer_free(&command);
    return status == 0 && atol(answer->data) > 0;
}

static void note_submitted(struct on *on)
{
    for (size_t i = 0; i < on->n; i++) {
        struct on_task *task = &on->tasks[i];
        if (task->over || task->queued || task->tries >= MOST_TRIES)
            continue;
        task->tries++;
        task->queued = TASK_WAITS;
        task->missed = 0;
    }
}

/* The tasks that are neither over nor in the queue; on other nodes than those on which one was
   lost, if there are any. */
static bool submit(struct on *on)
{
    struct sm_buffer numbers = {0}, answer = {0};
    add_numbers(on, &numbers);
    bool ok = !numbers.size || call_sbatch(on, numbers.data, true, &answer) ||
              call_sbatch(on, numbers.data, false, &answer);
    if (!ok)
        sm_fail(&on->error, SM_STATUS_TARGET,
                "sbatch does not take the job: %s; partition, account and limits can be given in "
                "the variables SBATCH_PARTITION, SBATCH_ACCOUNT, SBATCH_TIMELIMIT",
                answer.data);
    if (ok && numbers.size) {
        note_submitted(on);
        sm_list_add(&on->jobs, answer.data);
        ok = write_jobs(on);
    }
    sm_buffer_free(&numbers);
    sm_buffer_free(&answer);
    return ok;
}

static void note_line(struct on *on, const char *line)
{
    char state[32];
    unsigned long number;
    if (sscanf(line, "%lu %31s", &number, state) == 2 && number >= 1 && number <= on->n)
        on->tasks[number - 1].queued =
            strcmp(state, "RUNNING") == 0 || strcmp(state, "COMPLETING") == 0 ? TASK_RUNS
                                                                              : TASK_WAITS;
}

/* False: nobody answers; the controller may be about to start again. One job after the other: of a
   list squeue shows nothing if one of them is forgotten. */
static bool look_at_queue(struct on *on)
{
    struct sm_buffer answer = {0};
    bool ok = true;
    for (size_t i = 0; i < on->n; i++)
        on->tasks[i].queued = NOT_QUEUED;
    for (size_t i = 0; ok && i < on->jobs.n; i++) {
        char *command = sm_print("squeue -h -r -j %s -o '%%K %%T'", on->jobs.items[i]);
        int status = capture(command, &answer);
        free(command);
        if (status != 0) {
            ok = answer.data && strstr(answer.data, "Invalid job id");
            continue;
        }
        for (const char *line = answer.data; line && *line; line += strcspn(line, "\n") + 1) {
            note_line(on, line);
            if (!line[strcspn(line, "\n")])
                break;
        }
    }
    sm_buffer_free(&answer);
    return ok;
}

/* Slurm remembers a job for some minutes after its end. */
static void exclude_node(struct on *on, size_t task)
{
    struct sm_buffer answer = {0};
    const char *last = on->jobs.n ? on->jobs.items[on->jobs.n - 1] : "0";
    char *command = sm_print("scontrol show -o job %s_%zu", last, task), name[256];
    const char *at = capture(command, &answer) == 0 ? strstr(answer.data, " NodeList=") : NULL;
    if (at && sscanf(at, " NodeList=%255[A-Za-z0-9_.-]", name) == 1 &&
        strcmp(name, "(null)") != 0 && !sm_list_has(&on->excluded, name))
        sm_list_add(&on->excluded, name);
    free(command);
    sm_buffer_free(&answer);
}

/* Missing for three looks: a status may come to us later than the end of its task. */
static void find_lost(struct on *on)
{
    enum { LOOKS = 3 };
    for (size_t i = 0; i < on->n; i++) {
        struct on_task *task = &on->tasks[i];
        task->missed = task->over || task->queued ? 0 : task->missed + 1;
        if (!task->missed)
            continue;
        if (task->missed < LOOKS)
            task->queued = TASK_WAITS;
        else
            exclude_node(on, i + 1);
    }
}

static bool has_hope(const struct on *on)
{
    for (size_t i = 0; i < on->n; i++)
        if (!on->tasks[i].over && (on->tasks[i].queued || on->tasks[i].tries < MOST_TRIES))
            return true;
    return false;
}

static void add_jobs(const struct on *on, struct sm_buffer *to)
{
    for (size_t i = 0; i < on->jobs.n; i++)
        sm_buffer_print(to, " %s", on->jobs.items[i]);
}

static void cancel_rest(struct on *on)
{
    struct sm_buffer command = {0}, answer = {0};
    sm_buffer_text(&command, "scancel");
    add_jobs(on, &command);
    if (on->jobs.n)
        capture(command.data, &answer);
    sm_buffer_free(&command);
    sm_buffer_free(&answer);
}

/* Jobs go on: that is what a queue is for. */
static void say_how_to_go_on(struct on *on)
{
    struct sm_buffer jobs = {0};
    add_jobs(on, &jobs);
    fprintf(stderr,
            "stalemate: %s: the jobs go on without this command; to follow them again, and to have "
            "the result, type the same command; to cancel them: scancel%s\n",
            on->word, jobs.data ? jobs.data : "");
    sm_buffer_free(&jobs);
}

static bool by_slurm(struct on *on)
{
    read_jobs(on);
    bool known = look_at_queue(on);
    if (!is_over(on) && known && !submit(on))
        return false;
    while (!is_over(on) && has_hope(on)) {
        if (sm_interrupt_signal()) {
            wipe(on);
            say_how_to_go_on(on);
            return false;
        }
        show(on, "slurm");
        pause_a_moment();
        if (!look_at_queue(on))
            continue;
        count_over(on);
        find_lost(on);
        if (!submit(on))
            return false;
    }
    wipe(on);
    cancel_rest(on);
    return true;
}

/* ---- processes of ours that run tasks elsewhere ---- */

static pid_t start(struct on *on, const char *command)
{
    pid_t pid = fork();
    if (pid == 0) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    if (pid < 0)
        sm_fail(&on->error, SM_STATUS_TARGET, "cannot start a process: %s", strerror(errno));
    return pid;
}

static void say_what_is_over(struct on *on)
{
    wipe(on);
    fprintf(stderr,
            "stalemate: %s: %zu of %zu tasks are over; the same command goes on with the others\n",
            on->word, count_over(on), on->n);
}

/* ---- Slurm, with copies: one srun for each task ---- */

static bool start_srun(struct on *on, size_t task)
{
    struct sm_buffer command = {0};
    sm_buffer_text(&command, "exec setsid sh ");
    add_path(on, &command, "srun.sh");
    sm_buffer_print(&command, " %zu", task);
    for (size_t i = 0; i < on->excluded.n; i++)
        sm_buffer_print(&command, "%s%s", i ? "," : " --exclude=", on->excluded.items[i]);
    on->tasks[task - 1].srun = start(on, command.data);
    on->tasks[task - 1].queued = TASK_RUNS;
    on->tasks[task - 1].tries++;
    sm_buffer_free(&command);
    return on->tasks[task - 1].srun > 0;
}

/* boot.sh says first where it is; if it did not come to that, too many may be excluded. */
static void exclude_where_failed(struct on *on, size_t task)
{
    char log[32], name[256];
    struct sm_buffer text = {0};
    snprintf(log, sizeof log, "log/%zu.node", task);
    if (!read_file(on, log, &text) || !text.size || sscanf(text.data, "node %255s", name) != 1)
        sm_list_free(&on->excluded);
    else if (!sm_list_has(&on->excluded, name))
        sm_list_add(&on->excluded, name);
    sm_buffer_free(&text);
}

static size_t look_at_sruns(struct on *on)
{
    size_t n = 0;
    for (size_t i = 0; i < on->n; i++) {
        int status = 0;
        struct on_task *task = &on->tasks[i];
        if (task->srun && waitpid(task->srun, &status, WNOHANG) != 0) {
            task->srun = 0;
            task->queued = NOT_QUEUED;
            if (status != 0)
                exclude_where_failed(on, i + 1);
        }
        n += task->srun != 0;
    }
    return n;
}

static bool start_sruns(struct on *on, size_t running)
{
    bool ok = true;
    for (size_t i = 0; ok && i < on->n && running < MOST_SRUNS; i++) {
        const struct on_task *task = &on->tasks[i];
        if (task->over || task->srun || task->tries >= MOST_TRIES)
            continue;
        ok = start_srun(on, i + 1);
        running++;
    }
    return ok;
}

static void end_sruns(struct on *on)
{
    for (size_t i = 0; i < on->n; i++)
        if (on->tasks[i].srun)
            kill(-on->tasks[i].srun, SIGTERM);
    while (look_at_sruns(on))
        poll(NULL, 0, POLL_MS / 5);
}

static bool by_srun(struct on *on)
{
    while (!is_over(on) && has_hope(on)) {
        if (sm_interrupt_signal()) {
            end_sruns(on);
            say_what_is_over(on);
            return false;
        }
        size_t running = look_at_sruns(on);
        count_over(on);
        if (!start_sruns(on, running))
            return false;
        show(on, "slurm");
        pause_a_moment();
    }
    wipe(on);
    return true;
}

/* ---- GNU parallel ---- */

/* The directory on the node is named after the token: two campaigns may have one node. To this
   machine GNU parallel copies nothing. */
static void add_copies(struct on *on, struct sm_buffer *command)
{
    struct sm_buffer token = {0}, task = {0};
    keep_token(on, &token);
    sm_buffer_text(&task, "if [ -e boot.sh ]; then sh boot.sh {}; else sh ");
    add_path(on, &task, "boot.sh");
    sm_buffer_text(&task, " {}; fi");
    sm_buffer_print(command,
                    " --workdir .stalemate-%s --basefile " SM_BUNDLE_FILE
                    " --basefile boot.sh --return 'return/{}' --cleanup ",
                    token.data);
    sm_quote_word(task.data, command);
    sm_buffer_free(&token);
    sm_buffer_free(&task);
}

static void add_own_place(struct on *on, struct sm_buffer *command)
{
    sm_buffer_text(command, " sh ");
    add_path(on, command, "task.sh");
    sm_buffer_text(command, " '{}' '>'");
    add_path(on, command, "log/'{}'");
    sm_buffer_text(command, " '2>&1'");
}

static pid_t start_parallel(struct on *on)
{
    struct sm_buffer command = {0};
    sm_buffer_text(&command, "cd ");
    add_path(on, &command, "");
    sm_buffer_text(&command, " && exec parallel --will-cite --retries 3");
    if (on->settings->jobs)
        sm_buffer_print(&command, " -j %lu", (unsigned long)on->settings->jobs);
    sm_buffer_text(&command, " --joblog joblog");
    if (on->settings->copy)
        add_copies(on, &command);
    else
        add_own_place(on, &command);
    sm_buffer_print(&command, " ::: $(seq %zu) </dev/null 2>log/parallel", on->n);
    pid_t pid = start(on, command.data);
    sm_buffer_free(&command);
    return pid;
}

static bool by_parallel(struct on *on)
{
    struct sm_buffer version = {0};
    bool there =
        capture("parallel --version", &version) == 0 && strstr(version.data, "GNU parallel");
    sm_buffer_free(&version);
    if (!there)
        return sm_fail(&on->error, SM_STATUS_TARGET,
                       "GNU parallel is not there; in Debian: apt install parallel");
    int status = 0;
    pid_t pid = start_parallel(on);
    while (pid > 0 && waitpid(pid, &status, WNOHANG) == 0) {
        if (sm_interrupt_signal()) { /* the first lets what runs end, the second does not */
            kill(pid, SIGTERM);
            poll(NULL, 0, POLL_MS);
            kill(pid, SIGTERM);
            waitpid(pid, &status, 0);
            say_what_is_over(on);
            return false;
        }
        show(on, "parallel");
        pause_a_moment();
    }
    wipe(on);
    return pid > 0;
}

/* ---- what would be run ---- */

static void print_task(const struct on *on, size_t i, struct sm_buffer *to)
{
    const char *out = on->settings->out ? on->settings->out : SM_OUT_DEFAULT;
    sm_buffer_print(to, "stalemate %s", on->word);
    sm_settings_plan(on->settings, on->command, to);
    if (on->settings->time > 0)
        sm_buffer_print(to, " --time %g", on->settings->time);
    if (is_verify(on))
        sm_buffer_print(to, " --parcels %s.parcels", out);
    else
        sm_buffer_print(to, " --shard %zu/%zu --out %s.shard-%zu", i, on->n, out, i);
    add_operands(on, to);
    sm_buffer_text(to, "\n");
}

static bool print_script(struct on *on)
{
    struct sm_buffer text = {0};
    const char *out = on->settings->out ? on->settings->out : SM_OUT_DEFAULT;
    sm_buffer_print(&text, "# %zu tasks, each on a machine of its own\n", on->n);
    for (size_t i = 1; i <= on->n; i++)
        print_task(on, i, &text);
    if (is_verify(on)) {
        sm_buffer_text(&text, "# each of them has the result, as has the same command later\n");
    } else {
        sm_buffer_text(&text, "# when all are over, where their directories are\n");
        sm_buffer_print(&text, "stalemate merge --out %s", out);
        for (size_t i = 1; i <= on->n; i++)
            sm_buffer_print(&text, " %s.shard-%zu", out, i);
        sm_buffer_text(&text, "\n");
    }
    bool ok = sm_write_text(&text, "-", &on->error);
    sm_buffer_free(&text);
    return ok;
}

/* ---- the end ---- */

static void name_lost(struct on *on)
{
    size_t over = count_over(on);
    if (over == on->n || is_verify(on))
        return;
    fprintf(stderr, "stalemate: %s: %zu of %zu tasks did not end:", on->word, on->n - over, on->n);
    for (size_t i = 0; i < on->n; i++)
        if (!on->tasks[i].over)
            fprintf(stderr, " %zu", i + 1);
    fprintf(stderr, "; what they printed is in %s/log; the same command tries them again\n",
            on->base);
}

static void add_common(const struct on *on, struct sm_list *words)
{
    const struct sm_settings *settings = on->settings;
    sm_list_add(words, "--out");
    sm_list_add(words, settings->out ? settings->out : SM_OUT_DEFAULT);
    if (settings->json) {
        sm_list_add(words, "--json");
        sm_list_add(words, settings->json);
    }
    if (settings->quiet)
        sm_list_add(words, "--quiet");
}

static bool add_shards(struct on *on, struct sm_list *words)
{
    size_t before = words->n;
    for (size_t i = 1; i <= on->n; i++) {
        char *path = sm_print("%s/shard-%zu/stalemate.db", on->base, i);
        bool there = access(path, F_OK) == 0;
        *strrchr(path, '/') = 0;
        if (there)
            sm_list_add(words, path);
        free(path);
    }
    return words->n > before ||
           sm_fail(&on->error, SM_STATUS_TARGET,
                   "%s: no task has left a result; what they printed is in %s/log", on->word,
                   on->base);
}

static bool add_verify(const struct on *on, struct sm_list *words)
{
    struct sm_buffer text = {0};
    add_command(on, &text);
    sm_buffer_text(&text, " --jobs 1 --parcels ");
    add_path(on, &text, "parcels");
    bool ok = sm_split_words(text.data, words);
    sm_buffer_free(&text);
    return ok;
}

/* Becomes the command that has the result. */
static void conclude(struct on *on)
{
    struct sm_list words = {0};
    bool ok = true;
    if (is_verify(on)) {
        add_verify(on, &words);
        add_common(on, &words);
        sm_list_add(&words, "--");
        for (size_t i = 0; i < on->settings->operands.n; i++)
            sm_list_add(&words, on->settings->operands.items[i]);
    } else {
        sm_list_add(&words, on->self);
        sm_list_add(&words, "merge");
        add_common(on, &words);
        ok = add_shards(on, &words);
    }
    fflush(NULL);
    unsetenv(SM_OPTIONS_ENV); /* its options are in the plan */
    if (ok && execv(on->self, words.items) != 0)
        sm_fail(&on->error, SM_STATUS_INTERNAL, "cannot run %s: %s", on->self, strerror(errno));
    sm_list_free(&words);
}

static bool run(struct on *on)
{
    switch ((enum sm_on_id)on->settings->on) {
    case SM_ON_SLURM:
        return on->settings->copy ? by_srun(on) : by_slurm(on);
    case SM_ON_PARALLEL:
        return by_parallel(on);
    default:
        return print_script(on);
    }
}

int sm_on(const struct sm_settings *settings, enum sm_command_bit command, const char *word)
{
    struct on on = {.settings = settings,
                    .command = command,
                    .word = word,
                    .n = settings->tasks ? settings->tasks : DEFAULT_TASKS};
    bool script = settings->on == SM_ON_SCRIPT;
    on.tasks = sm_new(on.n * sizeof *on.tasks);
    sm_interrupt_catch();
    bool ok = settings->operands.n ||
              sm_fail(&on.error, SM_STATUS_USAGE,
                      "%s: no program given; type: stalemate %s --on slurm -- PROGRAM ARGS...",
                      word, word);
    ok = ok && locate(&on) && (script || prepare(&on)) && run(&on);
    if (ok && !script) {
        name_lost(&on);
        conclude(&on);
        ok = false;
    }
    int status = ok || !on.error.status ? SM_STATUS_OK : sm_error_print(&on.error);
    free(on.tasks);
    sm_list_free(&on.jobs);
    sm_list_free(&on.excluded);
    sm_interrupt_finish();
    return status;
}
