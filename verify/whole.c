#include "verify/whole.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/module.h"
#include "runtime/thread.h"

struct image {
    const char *bytes;
    size_t size;
};

static struct image map_executable(void)
{
    struct stat status;
    struct image image = {0};
    long fd = sm_syscall(SYS_openat, (long)AT_FDCWD, "/proc/self/exe", (long)O_RDONLY, 0L);
    if (fd < 0)
        return image;
    if (sm_syscall(SYS_fstat, fd, &status) == 0) {
        size_t size = (size_t)status.st_size;
        long at = sm_syscall(SYS_mmap, 0L, size, (long)PROT_READ, (long)MAP_PRIVATE, fd, 0L);
        if (at > 0)
            image = (struct image){(const char *)at, size};
    }
    sm_syscall(SYS_close, fd);
    return image;
}

/* The contents of the section; NULL: it is not in the file. */
static const char *contents(struct image image, const Elf64_Shdr *section)
{
    bool inside =
        section->sh_offset <= image.size && section->sh_size <= image.size - section->sh_offset;
    return inside ? image.bytes + section->sh_offset : NULL;
}

/* Names may end in a version: "printf@GLIBC_2.2.5". */
static bool is(const char *name, const char *known)
{
    size_t length = strlen(known);
    return strncmp(name, known, length) == 0 && (name[length] == 0 || name[length] == '@');
}

/* Functions of libstdc++ and libgcc: they make events of their own (threads, conditions, memory),
   or change only what the exception takes with it. */
static bool is_of_cxx_runtime(const char *name)
{
    static const char *const beginnings[] = {
        "_Unwind_Resume",
        "_ZNSt18condition_variable",
        "_ZNSt6thread",
        "_ZSt9terminatev",
        "_ZTI",
        "_ZTVN10__cxxabiv1",
        "_ZTVNSt6thread6_StateE",
        "_ZTVSt9bad_alloc",
        "_ZTVSt9exception",
        "_ZdaPv",
        "_ZdlPv",
        "_Znam",
        "_Znwm",
        "__cxa_allocate_exception",
        "__cxa_atexit",
        "__cxa_begin_catch",
        "__cxa_end_catch",
        "__cxa_free_exception",
        "__cxa_guard_",
        "__cxa_pure_virtual",
        "__cxa_rethrow",
        "__cxa_throw",
        "__dso_handle",
        "__gxx_personality_v0",
        "__libc_single_threaded",
    };
    for (size_t i = 0; i < SM_ARRAY_SIZE(beginnings); i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return strncmp(name, "_ZSt", 4) == 0 && strstr(name, "__throw_");
}

/* Its changes are events, or are reported byte by byte; or the call counts as an effect itself. */
static bool shows_its_effects(const char *name)
{
    static const char *const shown[] = {
#define SHOWN_IF_LIBRARY(name) #name,
#define SHOWN_IF_LIBRARY_BOTH(name)
#define SHOWN_IF_LIBRARY_CONTROLLED(name)
#define SHOWN_IF_BOTH(name)
#define SHOWN_IF_CONTROLLED(name)
#define SHOWN_IF_NATIVE(name)
#define SHOWN_IF_NOBODY(name)
#define SM_LIBC(result, name, parameters, arguments, by, blocks, before, after, verify)
#define SM_LIBC_C(name, by, blocks, edges, memory, verify) SHOWN_IF_##by(name)
#include "core/libc.def"
        "realloc", "reallocarray", "memcpy", "memmove", "memset", "syscall", "__errno_location",
    };
    if (strncmp(name, "sm_lib_", 7) == 0)
        name += 7;
    for (size_t i = 0; i < SM_ARRAY_SIZE(shown); i++)
        if (is(name, shown[i]))
            return true;
    return is_of_cxx_runtime(name);
}

static bool may_be_called(const char *name)
{
    static const char *const known[] = {
#define NAME_IF_KNOWN(name) #name,
#define NAME_IF_UNKNOWN(name)
#define SM_LIBC(result, name, parameters, arguments, by, blocks, before, after, verify)            \
    NAME_IF_##verify(name)
#define SM_LIBC_C(name, by, blocks, edges, memory, verify) NAME_IF_##verify(name)
#include "core/libc.def"
        "__VERIFIER_assume",      "__VERIFIER_atomic_begin",
        "__VERIFIER_atomic_end",  "__VERIFIER_error",
        "__VERIFIER_nondet_bool", "__VERIFIER_nondet_int",
        "__VERIFIER_nondet_uint", "reach_error",
    };
    if (strncmp(name, "stalemate_", 10) == 0 ||
        (strncmp(name, "sm_", 3) == 0 && strncmp(name, "sm_lib_", 7) != 0))
        return true;
    if (strncmp(name, "sm_lib_", 7) == 0) /* in place of the function of that name */
        name += 7;
    for (size_t i = 0; i < SM_ARRAY_SIZE(known); i++)
        if (is(name, known[i]))
            return true;
    return false;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The file was instrumented, or comes with the compiler; each name is one object file. */
static bool is_instrumented(const char *file, uint32_t nth)
{
    static const char *const start_up[] = {"", "Scrt1.o", "crt1.o", "rcrt1.o", "crtstuff.c"};
    for (size_t i = 0; i < SM_ARRAY_SIZE(start_up); i++)
        if (strcmp(file, start_up[i]) == 0)
            return true;
    for (const struct sm_module *module = sm_modules; module; module = module->next)
        if (strcmp(base_name(module->source), file) == 0 && nth-- == 0)
            return true;
    return false;
}

struct symbols {
    const Elf64_Sym *all;
    size_t n;
    const char *names;
    size_t names_size;
};

static const char *name_of(const struct symbols *symbols, size_t i)
{
    return symbols->all[i].st_name < symbols->names_size ? symbols->names + symbols->all[i].st_name
                                                         : "?";
}

static uint32_t count_before(const struct symbols *symbols, size_t symbol)
{
    uint32_t n = 0;
    for (size_t i = 1; i < symbol; i++)
        n += ELF64_ST_TYPE(symbols->all[i].st_info) == STT_FILE &&
             strcmp(name_of(symbols, i), name_of(symbols, symbol)) == 0;
    return n;
}

static bool are_known(const struct symbols *symbols, bool (*is_fine)(const char *name))
{
    for (size_t i = 1; i < symbols->n; i++) {
        const Elf64_Sym *symbol = &symbols->all[i];
        const char *name = name_of(symbols, i);
        if (symbol->st_shndx == SHN_UNDEF && !may_be_called(name) && !(is_fine && is_fine(name)))
            return false;
        if (ELF64_ST_TYPE(symbol->st_info) == STT_FILE &&
            !is_instrumented(name, count_before(symbols, i)))
            return false;
    }
    return symbols->n > 1;
}

static bool read_symbols(struct image image, struct symbols *symbols)
{
    const Elf64_Ehdr *header = (const void *)image.bytes;
    if (image.size < sizeof *header || header->e_shoff > image.size ||
        header->e_shnum > (image.size - header->e_shoff) / sizeof(Elf64_Shdr))
        return false;
    const Elf64_Shdr *sections = (const void *)(image.bytes + header->e_shoff);
    for (unsigned i = 0; i < header->e_shnum; i++) {
        const Elf64_Shdr *table = &sections[i];
        if (table->sh_type != SHT_SYMTAB || table->sh_link >= header->e_shnum)
            continue;
        const Elf64_Shdr *names = &sections[table->sh_link];
        *symbols = (struct symbols){.all = (const void *)contents(image, table),
                                    .n = table->sh_size / sizeof(Elf64_Sym),
                                    .names = contents(image, names),
                                    .names_size = names->sh_size};
        return symbols->all && symbols->names;
    }
    return false;
}

/* ---- accesses that are not seen ---- */

enum unseen_by { BY_PREFIX, BY_NAME, BY_CALL };

static uint32_t row_of(const char *name, bool called)
{
    static const struct {
        const char *symbol;
        enum unseen_by by;
    } rows[] = {
#define SM_UNSEEN(symbol, text) {symbol, BY_PREFIX},
#define SM_UNSEEN_C(name) {#name, BY_NAME},
#define SM_UNSEEN_SHARED(name) {#name, BY_CALL},
#include "abi/unseen.def"
    };
    for (uint32_t i = 0; i < SM_ARRAY_SIZE(rows); i++)
        if (rows[i].by == BY_PREFIX ? strncmp(name, rows[i].symbol, strlen(rows[i].symbol)) == 0
                                    : (rows[i].by == BY_CALL) == called && is(name, rows[i].symbol))
            return i + 1;
    return 0;
}

/* Of the C or C++ library, or ours: what is called there is known by its name. */
static bool is_usual_library(const char *path)
{
    static const char *const usual[] = {
        "ld-linux", "libatomic.",  "libc.",  "libdl.",       "libgcc_s.",  "libm.",
        "libomp.",  "libpthread.", "librt.", "libstalemate", "libstdc++.", "linux-vdso.",
    };
    for (size_t i = 0; i < SM_ARRAY_SIZE(usual); i++)
        if (strncmp(base_name(path), usual[i], strlen(usual[i])) == 0)
            return true;
    return false;
}

static bool has_module(const struct sm_mapping *mapping)
{
    for (const struct sm_module *module = sm_modules; module; module = module->next)
        if ((uintptr_t)module - mapping->start < mapping->end - mapping->start)
            return true;
    return false;
}

static bool has_foreign_code(const struct symbols *symbols)
{
    for (size_t i = 1; i < symbols->n; i++)
        if (ELF64_ST_TYPE(symbols->all[i].st_info) == STT_FILE &&
            !is_instrumented(name_of(symbols, i), count_before(symbols, i)))
            return true;
    for (uint32_t i = 0; i < sm_control->n_mappings; i++)
        if (!is_usual_library(sm_control->mappings[i].path) &&
            !has_module(&sm_control->mappings[i]))
            return true;
    return false;
}

static uint32_t find_unseen(const struct symbols *symbols)
{
    uint32_t row = 0;
    for (size_t i = 1; i < symbols->n && !row; i++)
        if (symbols->all[i].st_shndx == SHN_UNDEF)
            row = row_of(name_of(symbols, i), false);
    bool foreign = !row && !sm_option(trust_foreign) && has_foreign_code(symbols);
    return foreign ? row_of(" foreign", false) : row;
}

static bool do_others_run(void)
{
    for (const struct sm_thread *t = sm_thread_by_id(0); t; t = t->next)
        if (t != sm_running() && t->state != SM_THREAD_ENDED)
            return true;
    return false;
}

void sm_whole_called(const char *name)
{
    bool mapped = *name == ' '; /* threads that come later use it */
    if (!sm_control->explored.unseen && (mapped || do_others_run()))
        sm_control->explored.unseen = row_of(name, !mapped);
}

static struct {
    bool looked, known, shows;
    uint32_t unseen;
} program;

static void look(void)
{
    struct symbols symbols;
    struct image image = program.looked ? (struct image){0} : map_executable();
    program.looked = true;
    if (!image.bytes)
        return;
    bool read = read_symbols(image, &symbols);
    program.known = read && are_known(&symbols, NULL);
    program.shows = program.known || (read && are_known(&symbols, shows_its_effects));
    program.unseen = read                       ? find_unseen(&symbols)
                     : sm_option(trust_foreign) ? 0
                                                : row_of(" foreign", false);
    sm_syscall(SYS_munmap, image.bytes, image.size);
}

bool sm_whole_is_known(void)
{
    look();
    return program.known;
}

bool sm_whole_shows_effects(void)
{
    look();
    return program.shows;
}

uint32_t sm_whole_unseen(void)
{
    look();
    return program.unseen ? program.unseen : sm_control->explored.unseen;
}
