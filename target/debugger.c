#include "target/debugger.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TICK_MS = 20 };

struct session {
    const struct sm_debugger *debugger;
    struct sm_error *error;
    pid_t process, gdb;
    int requests, answers; /* our ends */
    int gdb_requests, gdb_answers;
    struct sm_buffer line; /* an incomplete request */
};

/* ---- gdb ---- */

static const char script[] = "set pagination off\n"
                             "set confirm off\n"
                             "set breakpoint pending on\n"
                             "handle SIGCHLD nostop noprint pass\n"
                             "python exec(open('/proc/self/fd/%d').read())\n"
                             "set pagination on\n"
                             "set confirm on\n";

static int write_file(const char *name, const char *text)
{
    int fd = memfd_create(name, 0);
    if (fd >= 0 && write(fd, text, strlen(text)) < 0)
        close(fd), fd = -1;
    return fd;
}

static int write_script(void)
{
    char text[sizeof script + 16];
    snprintf(text, sizeof text, script, write_file("debugger.py", sm_debugger_py));
    return write_file("gdb-commands", text);
}

static void set_number(const char *name, int number)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    setenv(name, text, 1);
}

static _Noreturn void exec_gdb(const struct session *session)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", write_script());
    set_number("STALEMATE_REQUESTS", session->gdb_requests);
    set_number("STALEMATE_ANSWERS", session->gdb_answers);
    close(session->requests);
    close(session->answers);
    signal(SIGINT, SIG_DFL);
    execlp("gdb", "gdb", "-q", "-nx", "-x", path, (char *)NULL);
    _exit(127);
}

/* ---- the program ---- */

static void end_process(struct session *session)
{
    if (session->process <= 0)
        return;
    kill(-session->process, SIGKILL);
    waitpid(session->process, NULL, 0);
    session->process = 0;
}

static bool start_process(struct session *session)
{
    const struct sm_debugger *debugger = session->debugger;
    session->process = sm_target_start_traced(debugger->target, debugger->options, session->error);
    return session->process > 0;
}

static bool restart(struct session *session)
{
    end_process(session);
    return session->debugger->prepare(session->debugger->context, session->error) &&
           start_process(session);
}

/* ---- requests ---- */

static void send_answer(const struct session *session, enum sm_debug_action action,
                        const struct sm_buffer *text)
{
    static const char *const words[] = {
        [SM_DEBUG_STAY] = "stay", [SM_DEBUG_CONTINUE] = "continue", [SM_DEBUG_AGAIN] = "again"};
    struct sm_buffer message = {0};
    sm_buffer_print(&message, "%s\n", words[action]);
    if (text->size)
        sm_buffer_add(&message, text->data, text->size);
    sm_buffer_add(&message, "", 1);
    for (size_t sent = 0; sent < message.size;) {
        ssize_t n = write(session->answers, message.data + sent, message.size - sent);
        if (n <= 0)
            break; /* gdb has gone: waitpid will show it */
        sent += (size_t)n;
    }
    sm_buffer_free(&message);
}

static void handle(struct session *session, const char *request)
{
    struct sm_buffer text = {0};
    enum sm_debug_action action = SM_DEBUG_STAY;
    if (strcmp(request, "restart") == 0 && !restart(session))
        sm_buffer_text(&text, "0");
    else if (strcmp(request, "restart") == 0 || strcmp(request, "process") == 0)
        sm_buffer_print(&text, "%d", (int)session->process);
    else
        action = session->debugger->answer(session->debugger->context, request, &text);
    send_answer(session, action, &text);
    sm_buffer_free(&text);
}

static void read_requests(struct session *session)
{
    char byte;
    while (read(session->requests, &byte, 1) == 1) {
        if (byte != '\n') {
            sm_buffer_add(&session->line, &byte, 1);
            continue;
        }
        handle(session, session->line.size ? session->line.data : "");
        sm_buffer_free(&session->line);
        session->line = (struct sm_buffer){0};
    }
}

/* gdb has the terminal and gets its Ctrl-C; we only pass on the program's output, and answer. */
static int serve(struct session *session)
{
    int status;
    struct pollfd request = {.fd = session->requests, .events = POLLIN};
    while (waitpid(session->gdb, &status, WNOHANG) == 0) {
        sm_target_pass_output(session->debugger->target);
        if (poll(&request, 1, TICK_MS) > 0)
            read_requests(session);
    }
    sm_target_pass_output(session->debugger->target);
    return status;
}

/* ---- all together ---- */

static bool open_pipes(struct session *session)
{
    int requests[2], answers[2];
    if (pipe2(requests, O_CLOEXEC) != 0 || pipe2(answers, O_CLOEXEC) != 0)
        return false;
    session->requests = requests[0];
    session->answers = answers[1];
    session->gdb_requests = requests[1];
    session->gdb_answers = answers[0];
    fcntl(session->requests, F_SETFL, O_NONBLOCK);
    fcntl(session->gdb_requests, F_SETFD, 0);
    fcntl(session->gdb_answers, F_SETFD, 0);
    return true;
}

static void close_pipes(const struct session *session)
{
    close(session->requests);
    close(session->answers);
    close(session->gdb_requests);
    close(session->gdb_answers);
}

bool sm_debugger_run(const struct sm_debugger *debugger, struct sm_error *error)
{
    struct session session = {.debugger = debugger, .error = error};
    if (!start_process(&session))
        return false;
    if (!open_pipes(&session)) {
        end_process(&session);
        return sm_fail(error, SM_STATUS_INTERNAL, "no pipe for gdb");
    }
    signal(SIGINT, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    fflush(NULL);
    session.gdb = fork();
    if (session.gdb == 0)
        exec_gdb(&session);
    int status = session.gdb < 0 ? -1 : serve(&session);
    end_process(&session);
    close_pipes(&session);
    sm_buffer_free(&session.line);
    if (session.gdb < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
        return sm_fail(error, SM_STATUS_USAGE, "gdb cannot be run; install it: apt install gdb");
    return true;
}
