#include "commands/on/tasks.h"

#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "commands/on/bundle.h"
#include "target/spawn.h"

/* A task in the directory $1 where the bundle was unpacked. */
static bool write_run(struct sm_on *on)
{
    struct sm_buffer text = {0};
    sm_buffer_text(&text, "#!/bin/sh\n# run.sh HERE I: task I, in HERE\nhere=$1 i=$2");
    sm_on_add_jobs_of_task(on, &text);
    sm_buffer_text(&text, "mkdir \"$here/log\" \"$here/status\"\ncd \"$here/work\" || exit 3\n");
    sm_on_add_environment(&text);
    sm_buffer_text(&text, SM_LIBRARIES_ENV "=\"$here/libraries\" \"$here/bin/stalemate\"");
    sm_on_add_options(on, &text);
    sm_buffer_print(&text, " --quiet --jobs \"$jobs\" --shard \"$i/%zu\" --out \"$here/shard-$i\"",
                    on->n);
    sm_on_add_operands(on, &text);
    sm_buffer_text(&text, " <\"$here/input\" >\"$here/log/$i\" 2>&1\n"
                          "echo $? >\"$here/status/$i\"\n");
    bool ok = sm_on_write(on, "run.sh", &text);
    sm_buffer_free(&text);
    return ok;
}

/* Identifies a node that sees our directory after all. */
bool sm_on_keep_token(struct sm_on *on, struct sm_buffer *token)
{
    uint64_t number = 0;
    if (sm_on_read(on, "token", token) && token->size > 1) {
        sm_buffer_add(token, "", 1);
        return true;
    }
    (void)!getrandom(&number, sizeof number, 0);
    token->size = 0;
    sm_buffer_print(token, "%016lx", (unsigned long)number);
    return sm_on_write(on, "token", token);
}

/* The same for srun, which transfers the bundle and the result by its standard streams, and for GNU
   parallel, which copies files. The status is the last part of the result: a truncated one has
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

static bool write_boot(struct sm_on *on)
{
    struct sm_buffer text = {0}, token = {0};
    bool ok = sm_on_keep_token(on, &token);
    sm_buffer_text(&text, "# boot.sh I [-]: task I on a node that may see nothing of ours\n"
                          "i=$1 where=${2:-return/$1}\nbase=");
    sm_quote_word(on->base, &text);
    sm_buffer_print(&text, "\ntoken=%s\n%s", ok ? token.data : "", boot);
    ok = ok && sm_on_write(on, "boot.sh", &text);
    sm_buffer_free(&token);
    sm_buffer_free(&text);
    return ok;
}

/* srun.sh I OPTIONS...: task I by srun. */
static bool write_srun(struct sm_on *on)
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
    bool ok = sm_on_write(on, "srun.sh", &text);
    sm_buffer_free(&text);
    return ok;
}

bool sm_on_prepare_copies(struct sm_on *on)
{
    return !on->settings->copy ||
           (sm_on_make_directory(on, "return") && write_run(on) && write_boot(on) &&
            write_srun(on) && sm_bundle_make(on->settings, on->self, on->base, &on->error));
}

/* Unpacks the result of a task that was copied. */
void sm_on_unpack(struct sm_on *on, size_t task)
{
    struct sm_buffer command = {0}, ignored = {0};
    char *path = sm_print("%s/return/%zu", on->base, task);
    if (on->settings->copy && access(path, F_OK) == 0) {
        sm_buffer_text(&command, "tar -C ");
        sm_on_add_path(on, &command, "");
        sm_buffer_text(&command, " -xf ");
        sm_quote_word(path, &command);
        sm_on_capture(command.data, &ignored);
        unlink(path);
    }
    free(path);
    sm_buffer_free(&command);
    sm_buffer_free(&ignored);
}
