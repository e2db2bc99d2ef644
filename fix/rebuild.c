/* rebuild.c - see rebuild.h. */
#include "fix/rebuild.h"

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/options.h"
#include "fix/child.h"

static bool copy_tree(const char *from, const char *to)
{
    struct sm_buffer command = {0};
    sm_buffer_text(&command, "cp -a ");
    sm_quote_word(from, &command);
    sm_buffer_text(&command, "/. .");
    bool ok = sm_child_shell(command.data, to);
    sm_buffer_free(&command);
    return ok;
}

/* Writes the edited sources over those of the copy. */
static bool write_sources(struct sm_patch *patch, const char *copy)
{
    bool ok = true;
    for (size_t i = 0; i < patch->sources.n; i++) {
        struct sm_source_file *source = patch->sources.items[i];
        char *text = source->n ? sm_edits_apply(source) : NULL;
        char *path = sm_print("%s%s", copy, source->path + strlen(patch->directory));
        FILE *file = text ? fopen(path, "w") : NULL;
        ok = ok && (!text || (file && fputs(text, file) >= 0));
        if (file)
            ok = fclose(file) == 0 && ok;
        free(path);
        free(text);
    }
    return ok;
}

/* If there is no build command: one compilation of all units. */
static char *usual_command(const struct sm_patch *patch, const struct sm_source_units *units,
                           const char *program)
{
    struct sm_buffer text = {0};
    char self[PATH_MAX] = "";
    size_t n = strlen(patch->directory);
    if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
        return NULL;
    sm_quote_word(self, &text);
    sm_buffer_print(&text, " %s -g -O1 -pthread -o ", units->items[0].cxx ? "c++" : "cc");
    sm_buffer_print(&text, ".%s", program + n);
    for (size_t i = 0; i < units->items[0].flags.n; i++) {
        sm_buffer_text(&text, " ");
        sm_quote_word(units->items[0].flags.items[i], &text);
    }
    for (size_t i = 0; i < units->n; i++) {
        bool below = strncmp(units->items[i].file, patch->directory, n) == 0;
        sm_buffer_text(&text, below ? " ." : " ");
        sm_quote_word(units->items[i].file + (below ? n : 0), &text);
    }
    return text.data;
}

static bool build(const struct sm_patch *patch, const struct sm_source_units *units,
                  const char *command, const char *program, const char *copy)
{
    char *usual = command ? NULL : usual_command(patch, units, program);
    bool ok = (command || usual) && sm_child_shell(command ? command : usual, copy);
    free(usual);
    return ok;
}

static bool make_copy(struct sm_rebuilt *rebuilt, struct sm_patch *patch)
{
    const char *temporary = getenv("TMPDIR");
    rebuilt->copy = sm_print("%s/stalemate-fix-XXXXXX", temporary ? temporary : "/tmp");
    if (mkdtemp(rebuilt->copy))
        return copy_tree(patch->directory, rebuilt->copy) && write_sources(patch, rebuilt->copy);
    free(rebuilt->copy);
    rebuilt->copy = NULL;
    return false;
}

bool sm_rebuild(struct sm_rebuilt *rebuilt, struct sm_patch *patch,
                const struct sm_source_units *units, const char *command, const char *old_program,
                char **why)
{
    char path[PATH_MAX];
    size_t n = strlen(patch->directory);
    *rebuilt = (struct sm_rebuilt){0};
    if (!realpath(old_program, path) || strncmp(path, patch->directory, n) != 0)
        *why = sm_print("%s is not below %s, where the sources are", old_program, patch->directory);
    else if (!make_copy(rebuilt, patch))
        *why = sm_print("cannot copy %s to try the patch", patch->directory);
    else if (!build(patch, units, command, path, rebuilt->copy))
        *why = sm_copy_text("the patched program does not build; try --build CMD");
    else
        rebuilt->program = sm_print("%s%s", rebuilt->copy, path + n);
    if (rebuilt->program && access(rebuilt->program, X_OK) != 0)
        *why = sm_print("the build has not made %s", rebuilt->program);
    return !*why;
}

bool sm_rebuilt_keep(struct sm_rebuilt *rebuilt, const char *directory)
{
    struct sm_buffer command = {0};
    char path[PATH_MAX];
    sm_buffer_text(&command, "cp ");
    sm_quote_word(rebuilt->program, &command);
    sm_buffer_text(&command, " program");
    mkdir(directory, 0777);
    bool ok = sm_child_shell(command.data, directory) && realpath(directory, path);
    if (ok) {
        free(rebuilt->program);
        rebuilt->program = sm_print("%s/program", path);
    }
    sm_buffer_free(&command);
    return ok;
}

static int drop(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    return remove(path);
}

void sm_rebuilt_close(struct sm_rebuilt *rebuilt)
{
    if (rebuilt->copy)
        nftw(rebuilt->copy, drop, 16, FTW_DEPTH | FTW_PHYS);
    free(rebuilt->copy);
    free(rebuilt->program);
    *rebuilt = (struct sm_rebuilt){0};
}
