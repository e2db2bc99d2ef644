#include "commands/on.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/write.h"
#include "campaign/campaign.h"
#include "target/input.h"
#include "target/spawn.h"

enum { MOST_TRIES = 3, POLL_MS = 500, DEFAULT_TASKS = 16 };

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

/* `stalemate hunt` and the options that all tasks have. */
static void add_command(const struct on *on, struct sm_buffer *to)
{
    sm_quote_word(on->self, to);
    sm_buffer_print(to, " %s", on->word);
    sm_settings_plan(on->settings, on->command, to);
    if (on->settings->time > 0)
        sm_buffer_print(to, " --time %g", on->settings->time);
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

/* What is over, with 0 or 1, is not made again. A status is put in place by rename. */
static bool write_task(struct on *on)
{
    struct sm_buffer text = {0};
    sm_buffer_print(&text,
                    "#!/bin/sh\n# task.sh I: task I of %zu; what came of it is in status/I\n"
                    "i=$1\nbase=",
                    on->n);
    sm_quote_word(on->base, &text);
    sm_buffer_text(&text, "\njobs=${SLURM_CPUS_PER_TASK:-");
    sm_buffer_print(&text, "%lu}\ncd ",
                    (unsigned long)(on->settings->on == SM_ON_PARALLEL ? 1
                                    : on->settings->jobs               ? on->settings->jobs
                                                                       : 1));
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

static bool prepare(struct on *on)
{
    return make(on, "") && agree(on) && keep_input(on) && make(on, "status") && make(on, "log") &&
           write_task(on) && write_job(on);
}

/* ---- what is over ---- */

static size_t count_over(struct on *on)
{
    size_t n = 0;
    for (size_t i = 0; i < on->n; i++) {
        char name[32];
        struct sm_buffer text = {0};
        snprintf(name, sizeof name, "status/%zu", i + 1);
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

/* ---- GNU parallel ---- */

static pid_t start_parallel(struct on *on)
{
    struct sm_buffer command = {0};
    sm_buffer_text(&command, "exec parallel --will-cite --retries 3");
    if (on->settings->jobs)
        sm_buffer_print(&command, " -j %lu", (unsigned long)on->settings->jobs);
    sm_buffer_text(&command, " --joblog ");
    add_path(on, &command, "joblog");
    sm_buffer_text(&command, " sh ");
    add_path(on, &command, "task.sh");
    sm_buffer_text(&command, " '{}' '>'");
    add_path(on, &command, "log/'{}'");
    sm_buffer_print(&command, " '2>&1' ::: $(seq %zu) </dev/null", on->n);
    pid_t pid = fork();
    if (pid == 0) {
        execl("/bin/sh", "sh", "-c", command.data, (char *)NULL);
        _exit(127);
    }
    sm_buffer_free(&command);
    if (pid < 0)
        sm_fail(&on->error, SM_STATUS_TARGET, "cannot start a process: %s", strerror(errno));
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
            wipe(on);
            fprintf(stderr,
                    "stalemate: %s: %zu of %zu tasks are over; the same command goes on with the "
                    "others\n",
                    on->word, count_over(on), on->n);
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

static void add_shards(const struct on *on, struct sm_list *words)
{
    for (size_t i = 1; i <= on->n; i++) {
        char *path = sm_print("%s/shard-%zu", on->base, i);
        if (access(path, F_OK) == 0)
            sm_list_add(words, path);
        free(path);
    }
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
        add_shards(on, &words);
    }
    fflush(NULL);
    unsetenv(SM_OPTIONS_ENV); /* its options are in the plan */
    execv(on->self, words.items);
    sm_fail(&on->error, SM_STATUS_INTERNAL, "cannot run %s: %s", on->self, strerror(errno));
    sm_list_free(&words);
}

static bool run(struct on *on)
{
    switch ((enum sm_on_id)on->settings->on) {
    case SM_ON_SLURM:
        return by_slurm(on);
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
