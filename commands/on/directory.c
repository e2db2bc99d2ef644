#include "commands/on/tasks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/write.h"
#include "campaign/campaign.h"
#include "target/input.h"
#include "target/spawn.h"

bool sm_on_make_directory(struct sm_on *on, const char *name)
{
    char *path = sm_print("%s/%s", on->base, name);
    bool ok = mkdir(path, 0777) == 0 || errno == EEXIST ||
              sm_fail(&on->error, SM_STATUS_USAGE, "cannot make the directory %s: %s", path,
                      strerror(errno));
    free(path);
    return ok;
}

bool sm_on_write(struct sm_on *on, const char *name, const struct sm_buffer *text)
{
    char *path = sm_print("%s/%s", on->base, name);
    bool ok = sm_write_text(text, path, &on->error);
    free(path);
    return ok;
}

bool sm_on_read(const struct sm_on *on, const char *name, struct sm_buffer *text)
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

bool sm_on_locate(struct sm_on *on)
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

/* Another command may not continue from here. */
bool sm_on_agree(struct sm_on *on)
{
    struct sm_buffer plan = {0}, old = {0};
    sm_buffer_print(&plan, "%zu tasks in %s\n", on->n, on->directory);
    sm_on_add_command(on, &plan);
    sm_on_add_operands(on, &plan);
    sm_buffer_text(&plan, "\n");
    bool there = sm_on_read(on, "plan", &old);
    bool ok =
        !there || (old.data && old.size == plan.size && memcmp(old.data, plan.data, old.size) == 0);
    if (!ok)
        sm_fail(&on->error, SM_STATUS_USAGE,
                "%s has the tasks of another command; give another directory with --out DIR, or "
                "remove it\nit was made for: %.*s",
                on->base, (int)(old.size < 900 ? old.size : 900), old.data ? old.data : "");
    else if (!there)
        ok = sm_on_write(on, "plan", &plan);
    sm_buffer_free(&plan);
    sm_buffer_free(&old);
    return ok;
}

bool sm_on_keep_input(struct sm_on *on)
{
    struct sm_buffer text = {0};
    if (sm_on_read(on, "input", &text)) {
        sm_buffer_free(&text);
        return true;
    }
    int fd = sm_input_spool(STDIN_FILENO, &on->error);
    if (fd < 0)
        return false;
    struct sm_capture all = {.fd = fd, .pass_to = -1};
    sm_capture_read(&all, &text);
    close(fd);
    bool ok = sm_on_write(on, "input", &text);
    sm_buffer_free(&text);
    return ok;
}
