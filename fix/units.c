/* units.c - see units.h. */
#include "fix/units.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "target/symbols.h"

/* ---- flags ---- */

/* Prefixes of flags that change what a parser sees. Those of `parted` may have their value in the
   next word. */
static const char *const parted[] = {"-I",      "-D",         "-U",      "-isystem",
                                     "-iquote", "-idirafter", "-include"};
static const char *const whole[] = {
    "-std=", "-pthread", "-fopenmp", "-march=", "-mcx16", "-fshort-enums", "-funsigned-char"};

static bool begins(const char *word, const char *prefix)
{
    return strncmp(word, prefix, strlen(prefix)) == 0;
}

static void take_flags(struct sm_list *flags, const struct sm_list *words)
{
    for (size_t i = 0; i < words->n; i++) {
        const char *word = words->items[i];
        for (size_t k = 0; k < sizeof(parted) / sizeof(*parted); k++)
            if (begins(word, parted[k])) {
                sm_list_add(flags, word);
                if (strcmp(word, parted[k]) == 0 && i + 1 < words->n)
                    sm_list_add(flags, words->items[++i]);
                break;
            }
        for (size_t k = 0; k < sizeof(whole) / sizeof(*whole); k++)
            if (begins(word, whole[k]))
                sm_list_add(flags, word);
    }
}

static bool take_text(struct sm_list *flags, const char *text)
{
    struct sm_list words = {0};
    bool ok = sm_split_words(text, &words);
    if (ok)
        take_flags(flags, &words);
    sm_list_free(&words);
    return ok;
}

/* clang writes "clang version 19.1.7 (...) /usr/bin/clang -g -I include ...": the command is what
   follows the version, if it was recorded. */
static bool take_producer(struct sm_list *flags, const char *producer)
{
    const char *command = producer ? strstr(producer, " /") : NULL;
    return command && strstr(command, " -") && take_text(flags, command);
}

/* ---- compile_commands.json ---- */

static bool is_file(const json_t *entry, const char *file)
{
    const char *directory = json_string_value(json_object_get(entry, "directory"));
    const char *name = json_string_value(json_object_get(entry, "file"));
    if (!directory || !name)
        return false;
    char *path =
        sm_simplify_path(*name == '/' ? sm_copy_text(name) : sm_print("%s/%s", directory, name));
    bool same = strcmp(path, file) == 0;
    free(path);
    return same;
}

static void take_entry(struct sm_list *flags, const json_t *entry)
{
    const char *command = json_string_value(json_object_get(entry, "command"));
    const json_t *arguments = json_object_get(entry, "arguments");
    struct sm_list words = {0};
    if (command)
        take_text(flags, command);
    for (size_t i = 0; i < json_array_size(arguments); i++)
        sm_list_add(&words, json_string_value(json_array_get(arguments, i)));
    take_flags(flags, &words);
    sm_list_free(&words);
}

static bool take_database(struct sm_source_unit *unit, const char *path)
{
    json_t *all = json_load_file(path, 0, NULL);
    bool found = false;
    for (size_t i = 0; i < json_array_size(all) && !found; i++) {
        const json_t *entry = json_array_get(all, i);
        found = is_file(entry, unit->file);
        if (found)
            take_entry(&unit->flags, entry);
    }
    json_decref(all);
    return found;
}

/* Beside the program, or in a directory above it. */
static bool take_databases(struct sm_source_unit *unit, const char *program)
{
    char *directory = sm_copy_text(program), *slash;
    bool found = false;
    while (!found && (slash = strrchr(directory, '/'))) {
        *slash = '\0';
        char *path = sm_print("%s/compile_commands.json", directory);
        found = take_database(unit, path);
        free(path);
    }
    free(directory);
    return found;
}

/* ---- units ---- */

static bool is_cxx(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot && (strcmp(dot, ".cc") == 0 || strcmp(dot, ".cpp") == 0 ||
                   strcmp(dot, ".cxx") == 0 || strcmp(dot, ".C") == 0);
}

static bool has_standard(const struct sm_list *flags)
{
    for (size_t i = 0; i < flags->n; i++)
        if (begins(flags->items[i], "-std="))
            return true;
    return false;
}

static struct sm_source_unit *add(struct sm_source_units *units, const char *file,
                                  const char *directory)
{
    units->items = sm_resize(units->items, (units->n + 1) * sizeof(*units->items));
    struct sm_source_unit *unit = &units->items[units->n++];
    *unit = (struct sm_source_unit){.directory = sm_copy_text(directory), .cxx = is_cxx(file)};
    unit->file =
        sm_simplify_path(*file == '/' ? sm_copy_text(file) : sm_print("%s/%s", directory, file));
    return unit;
}

static void complete(struct sm_source_unit *unit)
{
    if (!has_standard(&unit->flags))
        sm_list_add(&unit->flags, unit->cxx ? "-std=gnu++17" : "-std=gnu17");
}

void sm_units_add(struct sm_source_units *units, const char *file, const char *directory)
{
    complete(add(units, file, directory));
}

static const char *attribute(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute found;
    return dwarf_attr(die, name, &found) ? dwarf_formstring(&found) : NULL;
}

static void read_unit(struct sm_source_units *units, Dwarf_Die *die, const char *program)
{
    const char *name = attribute(die, DW_AT_name), *directory = attribute(die, DW_AT_comp_dir);
    char path[4096];
    if (!name || !directory)
        return;
    struct sm_source_unit *unit = add(units, name, directory);
    if (access(unit->file, R_OK) == 0) {
        if (!take_producer(&unit->flags, attribute(die, DW_AT_producer)) && realpath(program, path))
            take_databases(unit, path);
        complete(unit);
        return;
    }
    free(unit->file);
    free(unit->directory);
    units->n--;
}

bool sm_units_read(struct sm_source_units *units, const char *program, struct sm_error *error)
{
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    Dwarf *debug = fd >= 0 ? dwarf_begin(fd, DWARF_C_READ) : NULL;
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    uint8_t type;
    while (debug && dwarf_get_units(debug, unit, &unit, NULL, &type, &die, NULL) == 0)
        if (type == DW_UT_compile)
            read_unit(units, &die, program);
    if (debug)
        dwarf_end(debug);
    if (fd >= 0)
        close(fd);
    return units->n || sm_fail(error, SM_STATUS_USAGE,
                               "%s: its debug information names no source file that is here; "
                               "build it with stalemate cc, and keep its sources",
                               program);
}

void sm_units_free(struct sm_source_units *units)
{
    for (size_t i = 0; i < units->n; i++) {
        free(units->items[i].file);
        free(units->items[i].directory);
        sm_list_free(&units->items[i].flags);
    }
    free(units->items);
    *units = (struct sm_source_units){0};
}

const char *sm_units_directory(const struct sm_source_units *units)
{
    return units->n ? units->items[0].directory : ".";
}
