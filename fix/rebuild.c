/* rebuild.c - see rebuild.h. */
#include "fix/rebuild.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <gelf.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/options.h"
#include "fix/child.h"

/* ---- by the user's command, in a copy ---- */

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

static bool write_source(struct sm_source_file *source, const char *path)
{
    char *text = sm_edits_apply(source);
    FILE *file = text ? fopen(path, "w") : NULL;
    bool ok = file && fputs(text, file) >= 0;
    if (file)
        ok = fclose(file) == 0 && ok;
    free(text);
    return ok;
}

/* Writes the edited sources over those of the copy. */
static bool write_sources(struct sm_patch *patch, const char *copy)
{
    bool ok = true;
    for (size_t i = 0; i < patch->sources.n; i++) {
        struct sm_source_file *source = patch->sources.items[i];
        char *path = sm_print("%s%s", copy, source->path + strlen(patch->directory));
        ok = ok && (!source->n || write_source(source, path));
        free(path);
    }
    return ok;
}

static bool build_copy(struct sm_rebuilt *rebuilt, struct sm_patch *patch, const char *command,
                       const char *program, char **why)
{
    size_t n = strlen(patch->directory);
    if (strncmp(program, patch->directory, n) != 0)
        *why = sm_print("%s is not below %s, where the sources are", program, patch->directory);
    else if (!copy_tree(patch->directory, rebuilt->directory) ||
             !write_sources(patch, rebuilt->directory))
        *why = sm_print("cannot copy %s to try the patch", patch->directory);
    else if (!sm_child_shell(command, rebuilt->directory))
        *why = sm_copy_text("the build command fails for the patched sources");
    else
        rebuilt->program = sm_print("%s%s", rebuilt->directory, program + n);
    return rebuilt->program != NULL;
}

/* ---- by the recorded flags ---- */

/* clang's overlay: it reads the edited text where it would read the source, which keeps its name.
 */
static bool write_overlay(struct sm_patch *patch, const char *directory)
{
    json_t *roots = json_array();
    bool ok = true;
    for (size_t i = 0; i < patch->sources.n; i++) {
        struct sm_source_file *source = patch->sources.items[i];
        char *path = sm_print("%s/%zu", directory, i);
        if (source->n) {
            ok = ok && write_source(source, path);
            json_array_append_new(roots, json_pack("{s:s, s:s, s:s}", "type", "file", "name",
                                                   source->path, "external-contents", path));
        }
        free(path);
    }
    json_t *overlay =
        json_pack("{s:i, s:b, s:o}", "version", 0, "use-external-names", 0, "roots", roots);
    char *path = sm_print("%s/overlay", directory);
    ok = ok && json_dump_file(overlay, path, 0) == 0;
    json_decref(overlay);
    free(path);
    return ok;
}

static void add_compiler(struct sm_buffer *text, bool cxx)
{
    char self[PATH_MAX] = "";
    if (readlink("/proc/self/exe", self, sizeof(self) - 1) > 0)
        sm_quote_word(self, text);
    sm_buffer_print(text, " %s -g -O1 -pthread", cxx ? "c++" : "cc");
}

static bool compile(const struct sm_source_unit *unit, size_t i, const char *directory)
{
    struct sm_buffer text = {0};
    sm_buffer_text(&text, "cd ");
    sm_quote_word(unit->directory, &text);
    sm_buffer_text(&text, " && ");
    add_compiler(&text, unit->cxx);
    for (size_t k = 0; k < unit->flags.n; k++) {
        sm_buffer_text(&text, " ");
        sm_quote_word(unit->flags.items[k], &text);
    }
    sm_buffer_print(&text, " -ivfsoverlay %s/overlay -o %s/%zu.o -c ", directory, directory, i);
    sm_quote_word(unit->file, &text);
    bool ok = sm_child_shell(text.data, directory);
    sm_buffer_free(&text);
    return ok;
}

static void add_needed(Elf *elf, Elf_Scn *section, struct sm_buffer *text)
{
    GElf_Shdr header;
    Elf_Data *data = elf_getdata(section, NULL);
    if (!data || !gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC)
        return;
    for (int i = 0; i < (int)(header.sh_size / header.sh_entsize); i++) {
        GElf_Dyn entry;
        const char *name;
        if (!gelf_getdyn(data, i, &entry) || entry.d_tag != DT_NEEDED)
            continue;
        name = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
        if (name && strncmp(name, "libstalemate", 12) != 0 && strncmp(name, "ld-", 3) != 0) {
            sm_buffer_text(text, " ");
            char *word = sm_print("-l:%s", name);
            sm_quote_word(word, text);
            free(word);
        }
    }
}

/* The libraries that the program was linked with. */
static void add_libraries(const char *program, struct sm_buffer *text)
{
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    elf_version(EV_CURRENT);
    Elf *elf = fd >= 0 ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
    for (Elf_Scn *at = elf ? elf_nextscn(elf, NULL) : NULL; at; at = elf_nextscn(elf, at))
        add_needed(elf, at, text);
    elf_end(elf);
    if (fd >= 0)
        close(fd);
}

static bool link_units(const struct sm_source_units *units, const char *program,
                       const char *directory)
{
    struct sm_buffer text = {0};
    bool cxx = false;
    for (size_t i = 0; i < units->n; i++)
        cxx |= units->items[i].cxx;
    add_compiler(&text, cxx);
    sm_buffer_print(&text, " -o %s/program", directory);
    for (size_t i = 0; i < units->n; i++)
        sm_buffer_print(&text, " %s/%zu.o", directory, i);
    add_libraries(program, &text);
    bool ok = sm_child_shell(text.data, directory);
    sm_buffer_free(&text);
    return ok;
}

static bool build_units(struct sm_rebuilt *rebuilt, struct sm_patch *patch,
                        const struct sm_source_units *units, const char *program, char **why)
{
    bool ok = write_overlay(patch, rebuilt->directory);
    for (size_t i = 0; ok && i < units->n; i++)
        ok = compile(&units->items[i], i, rebuilt->directory);
    if (ok && link_units(units, program, rebuilt->directory))
        rebuilt->program = sm_print("%s/program", rebuilt->directory);
    else
        *why = sm_copy_text("the flags that stalemate cc has recorded are not enough to build it");
    return rebuilt->program != NULL;
}

/* ---- both ---- */

static bool make_directory(struct sm_rebuilt *rebuilt)
{
    const char *temporary = getenv("TMPDIR");
    rebuilt->directory = sm_print("%s/stalemate-fix-XXXXXX", temporary ? temporary : "/tmp");
    if (mkdtemp(rebuilt->directory))
        return true;
    free(rebuilt->directory);
    rebuilt->directory = NULL;
    return false;
}

bool sm_rebuild(struct sm_rebuilt *rebuilt, struct sm_patch *patch,
                const struct sm_source_units *units, const char *command, const char *old_program,
                char **why)
{
    char path[PATH_MAX];
    *rebuilt = (struct sm_rebuilt){0};
    if (!realpath(old_program, path) || !make_directory(rebuilt))
        *why = sm_print("cannot make a directory to build it in: %s", strerror(errno));
    else if (command ? build_copy(rebuilt, patch, command, path, why)
                     : build_units(rebuilt, patch, units, path, why))
        if (access(rebuilt->program, X_OK) != 0)
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
    if (rebuilt->directory)
        nftw(rebuilt->directory, drop, 16, FTW_DEPTH | FTW_PHYS);
    free(rebuilt->directory);
    free(rebuilt->program);
    *rebuilt = (struct sm_rebuilt){0};
}
