/*
 * libc.def against what the two runtimes export: every interceptor has a row, every row has its
 * interceptors, and no function has two rows.
 */
#include <elf.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum by {
    NOBODY = 0,
    CONTROLLED = 1,
    NATIVE = 2,
    BOTH = 3,
    LIBRARY = 4,
    LIBRARY_CONTROLLED = 5,
    LIBRARY_BOTH = 7
};

static const struct row {
    const char *name;
    enum by by;
} rows[] = {
#define SM_LIBC(result, name, parameters, arguments, by, blocks, before, after, verify) {#name, by},
#define SM_LIBC_C(name, by, blocks, edges, memory, verify) {#name, by},
#include "../../core/libc.def"
};
enum { N_ROWS = sizeof rows / sizeof rows[0] };

/* The dynamic symbols of a shared object. */
struct library {
    const char *bytes;
    size_t size;
    const Elf64_Sym *symbols;
    size_t n;
    const char *names;
};

static struct library open_library(const char *path)
{
    int fd = open(path, O_RDONLY);
    struct stat status;
    assert_true(fd >= 0 && fstat(fd, &status) == 0);
    struct library library = {.size = (size_t)status.st_size};
    library.bytes = mmap(NULL, library.size, PROT_READ, MAP_PRIVATE, fd, 0);
    assert_ptr_not_equal(library.bytes, MAP_FAILED);
    close(fd);
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)library.bytes;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(library.bytes + header->e_shoff);
    for (int i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type != SHT_DYNSYM)
            continue;
        library.symbols = (const Elf64_Sym *)(library.bytes + sections[i].sh_offset);
        library.n = sections[i].sh_size / sizeof *library.symbols;
        library.names = library.bytes + sections[sections[i].sh_link].sh_offset;
    }
    assert_non_null(library.symbols);
    return library;
}

static const char *exported(const struct library *library, size_t i)
{
    const Elf64_Sym *symbol = &library->symbols[i];
    bool ours = symbol->st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbol->st_info) != STB_LOCAL;
    return ours ? library->names + symbol->st_name : NULL;
}

static bool exports(const struct library *library, const char *name)
{
    for (size_t i = 0; i < library->n; i++)
        if (exported(library, i) && strcmp(exported(library, i), name) == 0)
            return true;
    return false;
}

/* Not of libc: hooks, annotations, the linker's. */
static bool is_ours(const char *name)
{
    static const char *const prefixes[] = {
        "sm_",      "stalemate_",        "__VERIFIER_",     "__tsan_",   "__sanitizer_",
        "Annotate", "WTFAnnotate",       "__start_sm",      "__stop_sm", "reach_error",
        "_init",    "RunningOnValgrind", "ValgrindSlowdown"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static const struct row *find(const char *name)
{
    for (size_t i = 0; i < N_ROWS; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

static int compare(const char *path, enum by flavour)
{
    struct library library = open_library(path);
    int wrong = 0, seen = 0;
    for (size_t i = 0; i < library.n; i++) {
        const char *name = exported(&library, i);
        if (!name || is_ours(name))
            continue;
        const struct row *row = find(name);
        seen++;
        if (!row || !(row->by & flavour))
            wrong++, print_error("%s exports %s: say so in core/libc.def\n", path, name);
    }
    for (size_t i = 0; i < N_ROWS; i++) {
        char library_name[80];
        snprintf(library_name, sizeof library_name, "sm_lib_%s", rows[i].name);
        if ((rows[i].by & flavour) && !exports(&library, rows[i].name))
            wrong++, print_error("%s has no interceptor of %s\n", path, rows[i].name);
        if ((rows[i].by & LIBRARY) && !exports(&library, library_name))
            wrong++, print_error("%s has no %s\n", path, library_name);
    }
    assert_true(seen > 100);
    munmap((void *)library.bytes, library.size);
    return wrong;
}

static void test_exports(void **state)
{
    (void)state;
    assert_int_equal(compare(CONTROLLED_LIBRARY, CONTROLLED), 0);
    assert_int_equal(compare(NATIVE_LIBRARY, NATIVE), 0);
}

static void test_signatures(void **state)
{
    static const char *const names[] = {
#define SM_SIGNATURE(name, signature) #name,
#include "../../core/signatures.def"
    };
    (void)state;
    size_t library = 0, n = sizeof names / sizeof *names;
    for (size_t i = 0; i < N_ROWS; i++)
        library += (rows[i].by & LIBRARY) != 0;
    assert_int_equal(n, library);
    for (size_t i = 0; i < n; i++)
        assert_true(find(names[i]) && (find(names[i])->by & LIBRARY));
}

static void test_unique(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_ROWS; i++)
        assert_ptr_equal(find(rows[i].name), &rows[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exports),
                                       cmocka_unit_test(test_signatures),
                                       cmocka_unit_test(test_unique)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
