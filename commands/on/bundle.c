#include "commands/on/bundle.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* -n: of two libraries with one name the loader uses the first. */
static const char copy[] =
    "set -e\n"
    "libraries() { ldd \"$1\" | sed -n 's|.* => \\(/.*\\) (0x[0-9a-f]*)$|\\1|p'; }\n"
    "b=$base/bundle\n"
    "rm -rf \"$b\"\n"
    "mkdir -p \"$b/bin\" \"$b/lib/stalemate\" \"$b/libraries\" \"$b/work\"\n"
    "cp \"$self\" \"$b/bin/stalemate\"\n"
    "libraries \"$self\" | grep -v '/lib\\(c\\|m\\|pthread\\|dl\\|rt\\)\\.so' |\n"
    "    while read -r file; do cp -Ln \"$file\" \"$b/lib/stalemate\"; done\n"
    "libraries \"$1\" | { grep -v '^/lib\\|^/usr/lib' || :; } |\n"
    "    while read -r file; do cp -Ln \"$file\" \"$b/libraries\"; done\n"
    "cp -L --parents -- \"$@\" \"$b/work\"\n"
    "cp \"$base/input\" \"$base/run.sh\" \"$b\"\n"
    "tar -C \"$b\" -czf \"$b.tmp\" .\n"
    "mv \"$b.tmp\" \"$b.tar.gz\"\n"
    "rm -rf \"$b\"\n";

/* Below the directory in which the command was started. */
static bool is_below(const char *path)
{
    return path[0] != '/' && strncmp(path, "../", 3) != 0 && !strstr(path, "/../");
}

static void add_variable(struct sm_buffer *script, const char *name, const char *value)
{
    sm_buffer_print(script, "%s=", name);
    sm_quote_word(value, script);
    sm_buffer_text(script, "\n");
}

/* Words that are files: an argument is copied if it is one. */
static void add_files(struct sm_buffer *script, const struct sm_settings *settings)
{
    sm_buffer_text(script, "set --");
    for (size_t i = 0; i < settings->operands.n; i++) {
        struct stat status;
        const char *word = settings->operands.items[i];
        if (i && (!is_below(word) || stat(word, &status) != 0 || !S_ISREG(status.st_mode)))
            continue;
        sm_buffer_text(script, " ");
        sm_quote_word(word, script);
    }
    if (settings->suppressions && is_below(settings->suppressions)) {
        sm_buffer_text(script, " ");
        sm_quote_word(settings->suppressions, script);
    }
    sm_buffer_text(script, "\n");
}

bool sm_bundle_make(const struct sm_settings *settings, const char *self, const char *base,
                    struct sm_error *error)
{
    struct sm_buffer script = {0};
    const char *program = settings->operands.items[0];
    if (!strchr(program, '/') || !is_below(program))
        return sm_fail(error, SM_STATUS_USAGE,
                       "--copy: the program is copied to another directory, and is run there under "
                       "the same name; go to a directory above it, and give it as ./prog, not %s",
                       program);
    add_variable(&script, "self", self);
    add_variable(&script, "base", base);
    add_files(&script, settings);
    sm_buffer_text(&script, copy);
    int status = system(script.data);
    sm_buffer_free(&script);
    return (WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
           sm_fail(error, SM_STATUS_USAGE, "cannot copy %s and its libraries to %s/" SM_BUNDLE_FILE,
                   program, base);
}
