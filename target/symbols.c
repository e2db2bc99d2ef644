#include "target/symbols_internal.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/library_name.h"
#include "base/memory.h"
#include "target/call_argument.h"
#include "target/words.h"

/* From the C++ run-time library, declared here because its header is C++. */
char *__cxa_demangle(const char *name, char *to, size_t *size, int *status);

char *sm_demangle(const char *name)
{
    int status = -1;
    char *plain = strncmp(name, "_Z", 2) == 0 ? __cxa_demangle(name, NULL, NULL, &status) : NULL;
    if (!plain)
        return sm_copy_text(name);
    sm_library_name(plain);
    return plain;
}

/* "main::$_0::operator()" to "main::lambda"; in place, because the result is shorter. */
static void name_lambda(char *name)
{
    static const char call[] = "::operator()", word[] = "::lambda";
    char *lambda = strstr(name, "::$_");
    char *end = lambda ? lambda + 4 + strspn(lambda + 4, "0123456789") : NULL;
    if (!lambda || end == lambda + 4 || strncmp(end, call, strlen(call)) != 0)
        return;
    end += strlen(call);
    memcpy(lambda, word, sizeof word - 1);
    memmove(lambda + sizeof word - 1, end, strlen(end) + 1);
}

char *sm_function_name(char *demangled)
{
    static const char lambda[] = "{lambda";
    size_t depth = 0;
    char *end = strrchr(demangled, ')'), *in_lambda = strstr(demangled, lambda);
    for (char *at = end; end && at >= demangled; at--) {
        depth += *at == ')';
        if (*at == '(' && --depth == 0 && at > demangled &&
            (!in_lambda || in_lambda > at || strchr(in_lambda, '}') < at)) {
            *at = 0;
            break;
        }
    }
    name_lambda(demangled);
    return demangled;
}

/* Libraries of the language have no lines of the user's code, even if their debug information is
   installed: "memmove-vec-unaligned-erms.S:295" helps nobody. */
bool sm_of_language(const char *path)
{
    static const char *const names[] = {"libc.so.",       "libm.so.",      "ld-linux",
                                        "libpthread.so.", "libstdc++.so.", "libgcc_s.so.",
                                        "libatomic.so."};
    const char *slash = strrchr(path, '/');
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(slash ? slash + 1 : path, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* Of these libraries only the symbols are used, from debug files that the distribution has
   installed. libdw's standard search goes on to debuginfod, whose client is thirty libraries: a
   third of the time of `stalemate run --record` for a program in C++. */
static int find_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
                          const char *path, const char *link, GElf_Word sum, char **found)
{
    return (sm_of_language(path) ? dwfl_build_id_find_debuginfo : dwfl_standard_find_debuginfo)(
        module, data, name, base, path, link, sum, found);
}

static char *debuginfo_path = NULL; /* elfutils' default search path */

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = find_debuginfo,
    .section_address = dwfl_offline_section_address,
    .debuginfo_path = &debuginfo_path,
};

static bool is_runtime(const char *path)
{
    return strstr(path, "/libstalemate_rt.so") != NULL;
}

struct sm_symbols *sm_symbols_open(const struct sm_mapping *mappings, uint32_t n)
{
    struct sm_symbols *symbols = sm_new(sizeof *symbols);
    symbols->dwfl = dwfl_begin(&callbacks);
    if (!symbols->dwfl)
        return symbols;
    dwfl_report_begin(symbols->dwfl);
    for (uint32_t i = 0; i < n && i < SM_MAX_MODULES; i++)
        if (mappings[i].path[0] == '/')
            dwfl_report_elf(symbols->dwfl, mappings[i].path, mappings[i].path, -1, mappings[i].base,
                            true);
    dwfl_report_end(symbols->dwfl, NULL, NULL);
    return symbols;
}

static void free_functions(struct sm_symbols *symbols);

void sm_symbols_close(struct sm_symbols *symbols)
{
    if (symbols->dwfl)
        dwfl_end(symbols->dwfl);
    sm_located_variables_free(symbols);
    free_functions(symbols);
    for (size_t i = 0; i < SM_KNOWN_FRAMES; i++)
        sm_stack_free(&symbols->known[i].frames);
    free(symbols);
}

/* clang writes no address table (.debug_aranges), so units are searched one by one. */
static Dwarf_Die *find_unit(Dwfl_Module *module, Dwarf_Addr pc, Dwarf_Addr *bias)
{
    Dwarf_Die *unit = NULL;
    while ((unit = dwfl_module_nextcu(module, unit, bias)))
        if (dwarf_haspc(unit, pc - *bias) > 0)
            return unit;
    return NULL;
}

char *sm_simplify_path(char *path)
{
    char *to = path;
    for (const char *from = path; *from;) {
        size_t length = strcspn(from, "/") + (from[strcspn(from, "/")] == '/');
        bool up = strncmp(from, "../", 3) == 0, stay = strncmp(from, "./", 2) == 0;
        char *back = to - 1;
        while (up && back > path && back[-1] != '/')
            back--;
        if (up && back > path && strncmp(back, "../", 3) != 0)
            to = back;
        else if (!stay || to == path)
            memmove(to, from, length), to += length;
        from += length;
    }
    *to = 0;
    return path;
}

/* As given to the compiler, like the files of the site table. */
static char *file_name(Dwarf_Die *unit, const char *path)
{
    Dwarf_Attribute attribute;
    const char *directory =
        dwarf_attr(unit, DW_AT_comp_dir, &attribute) ? dwarf_formstring(&attribute) : NULL;
    size_t length = directory ? strlen(directory) : 0;
    bool below = path && length && strncmp(path, directory, length) == 0 && path[length] == '/';
    char *name = sm_copy_text(below ? path + length + 1 : path);
    return name ? sm_simplify_path(name) : NULL;
}

/* Code that the compiler merged from several lines has line 0: then the line of the code before it
   is used. A function's first instruction has a line. */
static Dwarf_Line *nearest_line(Dwarf_Die *unit, Dwarf_Addr pc)
{
    enum { MOST_ROWS = 32 };
    Dwarf_Line *line = dwarf_getsrc_die(unit, pc), *before = line;
    int number = 0;
    for (int i = 0; i < MOST_ROWS && before; i++) {
        if (dwarf_lineno(before, &number) != 0 || number)
            return before;
        if (dwarf_lineaddr(before, &pc) != 0)
            break;
        before = dwarf_getsrc_die(unit, pc - 1);
    }
    return line;
}

static void set_line(Dwarf_Die *unit, Dwarf_Addr pc, struct sm_place *place)
{
    Dwarf_Line *line = nearest_line(unit, pc);
    int number = 0, column = 0;
    if (!line)
        return;
    dwarf_lineno(line, &number);
    dwarf_linecol(line, &column);
    place->file = file_name(unit, dwarf_linesrc(line, NULL, NULL));
    place->line = (uint32_t)number;
    place->column = (uint32_t)column;
}

/* The place from which an inlined function was called. */
static void set_call_site(Dwarf_Die *inlined, Dwarf_Die *unit, struct sm_place *place)
{
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0, line = 0, column = 0;
    Dwarf_Files *files;
    size_t n;
    if (dwarf_attr(inlined, DW_AT_call_file, &attribute))
        dwarf_formudata(&attribute, &file);
    if (dwarf_attr(inlined, DW_AT_call_line, &attribute))
        dwarf_formudata(&attribute, &line);
    if (dwarf_attr(inlined, DW_AT_call_column, &attribute))
        dwarf_formudata(&attribute, &column);
    if (dwarf_getsrcfiles(unit, &files, &n) == 0 && file < n)
        place->file = file_name(unit, dwarf_filesrc(files, file, NULL, NULL));
    place->line = (uint32_t)line;
    place->column = (uint32_t)column;
}

static char *function_name(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    const char *name = NULL;
    if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute))
        name = dwarf_formstring(&attribute);
    if (!name)
        name = dwarf_diename(die);
    return name ? sm_demangle(name) : NULL;
}

/* ---- functions by address ---- */

/* Of one unit, sorted. dwarf_getscopes reads the whole unit for each address, and skips entries
   without addresses of their own: functions in namespaces would be unknown. A unit of C++ has ten
   thousand entries at its top, and an execution a thousand addresses: 10 s in place of 0.1. */
struct function_range {
    Dwarf_Addr low, high;
    Dwarf_Die die;
};
struct sm_unit_functions {
    struct sm_unit_functions *next;
    const void *unit;
    struct function_range *all;
    size_t n, room;
};

static void add_function(struct sm_unit_functions *functions, Dwarf_Die *die)
{
    Dwarf_Addr base, low, high;
    for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &low, &high)) > 0;) {
        if (functions->n == functions->room) {
            functions->room = functions->room ? 2 * functions->room : 64;
            functions->all = sm_resize(functions->all, functions->room * sizeof *functions->all);
        }
        functions->all[functions->n++] = (struct function_range){low, high, *die};
    }
}

static void add_functions(struct sm_unit_functions *functions, Dwarf_Die *parent)
{
    Dwarf_Die child;
    if (dwarf_child(parent, &child) != 0)
        return;
    do {
        if (dwarf_tag(&child) == DW_TAG_subprogram)
            add_function(functions, &child);
        else if (dwarf_tag(&child) == DW_TAG_namespace)
            add_functions(functions, &child);
    } while (dwarf_siblingof(&child, &child) == 0);
}

static int by_low(const void *a, const void *b)
{
    const struct function_range *x = a, *y = b;
    return (x->low > y->low) - (x->low < y->low);
}

static const struct sm_unit_functions *functions_of(struct sm_symbols *symbols, Dwarf_Die *unit)
{
    struct sm_unit_functions *functions = symbols->functions;
    while (functions && functions->unit != unit->addr)
        functions = functions->next;
    if (functions)
        return functions;
    functions = sm_new(sizeof *functions);
    *functions = (struct sm_unit_functions){.next = symbols->functions, .unit = unit->addr};
    symbols->functions = functions;
    add_functions(functions, unit);
    if (functions->n)
        qsort(functions->all, functions->n, sizeof *functions->all, by_low);
    return functions;
}

static void free_functions(struct sm_symbols *symbols)
{
    for (struct sm_unit_functions *unit = symbols->functions, *next; unit; unit = next) {
        next = unit->next;
        free(unit->all);
        free(unit);
    }
}

static bool find_function(const struct sm_unit_functions *functions, Dwarf_Addr pc,
                          Dwarf_Die *found)
{
    size_t low = 0, high = functions->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (functions->all[middle].low <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low || pc >= functions->all[low - 1].high)
        return false;
    *found = functions->all[low - 1].die;
    return true;
}

static bool child_with(Dwarf_Die *die, Dwarf_Addr pc, Dwarf_Die *child)
{
    if (dwarf_child(die, child) != 0)
        return false;
    do
        if (dwarf_haspc(child, pc) > 0)
            return true;
    while (dwarf_siblingof(child, child) == 0);
    return false;
}

enum { MOST_SCOPES = 64 };

/* The function that has the address and the scopes inside it, innermost last; how many. */
static int enclosing_scopes(struct sm_symbols *symbols, Dwarf_Die *unit, Dwarf_Addr pc,
                            Dwarf_Die *scopes)
{
    int n = 1;
    if (!find_function(functions_of(symbols, unit), pc, &scopes[0]))
        return 0;
    while (n < MOST_SCOPES && child_with(&scopes[n - 1], pc, &scopes[n]))
        n++;
    return n;
}

/* A function calls its watched copy from an instruction that has a line but no column. */
static bool is_dispatch(const struct sm_stack *stack, const struct sm_place *place)
{
    const struct sm_place *inner = stack->n ? &stack->frames[stack->n - 1] : NULL;
    return inner && !place->column && place->function && inner->function &&
           strcmp(place->function, inner->function) == 0;
}

/* A member function that the compiler generated. */
static bool is_implicit(Dwarf_Die *function)
{
    Dwarf_Attribute attribute;
    bool flag = false;
    return dwarf_attr_integrate(function, DW_AT_artificial, &attribute) &&
           dwarf_formflag(&attribute, &flag) == 0 && flag;
}

/* One frame for each function around pc, inlined or not. False if the debug information has
   none. */
static bool add_scopes(struct sm_symbols *symbols, Dwfl_Module *module, Dwarf_Addr pc,
                       struct sm_stack *stack)
{
    Dwarf_Addr bias;
    Dwarf_Die *unit = find_unit(module, pc, &bias), scopes[MOST_SCOPES];
    struct sm_place place = {0};
    if (!unit)
        return false;
    bool inlined = true;
    bool found = false;
    set_line(unit, pc - bias, &place);
    for (int i = enclosing_scopes(symbols, unit, pc - bias, scopes) - 1; i >= 0 && inlined; i--) {
        int tag = dwarf_tag(&scopes[i]);
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
            continue;
        place.function = function_name(&scopes[i]);
        if (is_implicit(&scopes[i])) { /* its line is that of the class */
            free(place.file);
            place.file = NULL;
        }
        sm_stack_add(stack, place);
        place = (struct sm_place){0};
        found = true;
        inlined = tag == DW_TAG_inlined_subroutine;
        if (inlined)
            set_call_site(&scopes[i], unit, &place);
    }
    sm_place_free(&place);
    return found;
}

/* "push.sm" is the watched copy of push. */
static char *symbol_name(const char *name)
{
    size_t length = strlen(name);
    char *plain = sm_copy_text(name);
    if (length > 3 && strcmp(name + length - 3, ".sm") == 0)
        plain[length - 3] = 0;
    char *result = sm_demangle(plain);
    free(plain);
    return result;
}

static void find_frames(struct sm_symbols *symbols, uint64_t pc, struct sm_known_frames *known)
{
    Dwfl_Module *module = symbols->dwfl ? dwfl_addrmodule(symbols->dwfl, pc) : NULL;
    struct sm_place place = {0};
    if (!module) {
        place.function = sm_print("0x%lx", (unsigned long)pc);
        sm_stack_add(&known->frames, place);
        return;
    }
    const char *path = dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    if (is_runtime(path))
        return;
    known->have_lines = !sm_of_language(path) && add_scopes(symbols, module, pc, &known->frames);
    if (known->have_lines)
        return;
    const char *name = dwfl_module_addrname(module, pc), *file = strrchr(path, '/');
    place.function = name ? symbol_name(name) : sm_print("(%s)", file ? file + 1 : path);
    sm_stack_add(&known->frames, place);
}

static const struct sm_known_frames *known_frames(struct sm_symbols *symbols, uint64_t pc)
{
    struct sm_known_frames *known = &symbols->known[pc % SM_KNOWN_FRAMES];
    if (known->is_set && known->pc == pc)
        return known;
    sm_stack_free(&known->frames);
    *known = (struct sm_known_frames){.is_set = true, .pc = pc};
    find_frames(symbols, pc, known);
    return known;
}

void sm_symbols_frames(struct sm_symbols *symbols, uint64_t pc, struct sm_stack *stack)
{
    const struct sm_known_frames *known = known_frames(symbols, pc);
    for (uint32_t i = 0; i < known->frames.n; i++)
        if (!known->have_lines || !is_dispatch(stack, &known->frames.frames[i]))
            sm_stack_add(stack, sm_place_copy(&known->frames.frames[i]));
}

/* ---- details of the runtime ---- */

/* The symbol of the variable, and the offset in it; NULL if there is none. */
static const char *find_variable(struct sm_symbols *symbols, uint64_t address, GElf_Off *offset)
{
    Dwfl_Module *module = symbols->dwfl ? dwfl_addrmodule(symbols->dwfl, address) : NULL;
    GElf_Sym symbol;
    const char *name =
        module ? dwfl_module_addrinfo(module, address, offset, &symbol, NULL, NULL, NULL) : NULL;
    return name && *offset < symbol.st_size ? name : NULL;
}

char *sm_symbols_variable(struct sm_symbols *symbols, uint64_t address)
{
    GElf_Off offset = 0;
    const char *name = find_variable(symbols, address, &offset);
    return name ? sm_demangle(name) : NULL;
}

/* "void Entry::with<int>" to "Entry::with". In place; returns it. */
static char *without_template(char *name)
{
    char *start = name, *last = name;
    int depth = 0;
    for (char *at = name; *at; at++) {
        depth += *at == '<' || *at == '(';
        depth -= *at == '>' || *at == ')';
        if (!depth && *at == ' ')
            start = last = at + 1;
        if (!depth && at[0] == ':' && at[1] == ':')
            last = at + 2;
    }
    last[strcspn(last, "<(")] = 0;
    return *last ? start : name;
}

/* An object without a symbol is named by the argument of the user's call. It keeps its first name
   in the whole text, and no two share one: parameters of one function are different objects in
   different threads. */
enum { MOST_CALLED = 16 };
struct expansion {
    struct sm_symbols *symbols;
    char *file; /* named last */
    struct {
        uint64_t address;
        char *name; /* "a.m" */
        unsigned number;
    } called[MOST_CALLED];
    size_t n;
};

/* After the first part of a sentence, a file is not named again. */
static void put_frame(struct expansion *expansion, const struct sm_place *place,
                      struct sm_buffer *to)
{
    if (!place || !place->file) {
        sm_buffer_print(to, "in %s",
                        place && place->function ? place->function
                                                 : "code without debug information");
        return;
    }
    bool again = expansion->file && strcmp(expansion->file, place->file) == 0;
    sm_buffer_print(to, "%s:%u", again && strchr(to->data, ';') ? "" : place->file, place->line);
    free(expansion->file);
    expansion->file = sm_copy_text(place->file);
}

static void put_code(struct expansion *expansion, uint64_t pc, struct sm_buffer *to)
{
    struct sm_stack stack = {0};
    sm_symbols_frames(expansion->symbols, pc, &stack);
    put_frame(expansion, stack.n ? &stack.frames[0] : NULL, to);
    sm_stack_free(&stack);
}

static unsigned count_called(const struct expansion *expansion, const char *name)
{
    unsigned count = 0;
    for (size_t i = 0; i < expansion->n; i++)
        count += strcmp(expansion->called[i].name, name) == 0;
    return count;
}

static const char *call_it(struct expansion *expansion, uint64_t address, const char *argument,
                           unsigned *number)
{
    size_t i = 0;
    while (i < expansion->n && expansion->called[i].address != address)
        i++;
    if (i == MOST_CALLED || (i == expansion->n && !argument))
        return NULL;
    if (i == expansion->n) {
        expansion->called[i].number = count_called(expansion, argument) + 1;
        expansion->called[i].address = address;
        expansion->called[i].name = sm_copy_text(argument);
        expansion->n++;
    }
    *number = expansion->called[i].number;
    return expansion->called[i].name;
}

/* The lock that an assumed repair adds is the runtime's. */
static bool is_new_lock(struct sm_symbols *symbols, uint64_t address)
{
    Dwfl_Module *module = symbols->dwfl ? dwfl_addrmodule(symbols->dwfl, address) : NULL;
    return module && is_runtime(dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
}

enum naming { HAS_NAME, AS_ARGUMENT, AS_OTHER_ARGUMENT, NAMELESS };

/* `unnamed`: text before the address of an object without a name. */
static enum naming put_name(struct expansion *expansion, uint64_t address, const char *argument,
                            const char *unnamed, struct sm_buffer *to)
{
    char *type, *name = sm_symbols_memory(expansion->symbols, address, 0, &type);
    unsigned number = 1;
    const char *called = name ? NULL : call_it(expansion, address, argument, &number);
    enum naming naming = name                                         ? HAS_NAME
                         : !called                                    ? NAMELESS
                         : !argument || strcmp(called, argument) == 0 ? AS_ARGUMENT
                                                                      : AS_OTHER_ARGUMENT;
    if (is_new_lock(expansion->symbols, address))
        sm_buffer_text(to, "the new lock");
    else if (name || called)
        sm_buffer_print(to, "'%s'", name ? name : called);
    else
        sm_buffer_print(to, "%s 0x%lx", unnamed, (unsigned long)address);
    if (number > 1)
        sm_buffer_print(to, " #%u", number);
    free(name);
    free(type);
    return naming;
}

/* Two classes may use one name for their locks, so the function is named, too. */
static void put_lock_place(struct expansion *expansion, const struct sm_place *place,
                           enum naming naming, const char *argument, struct sm_buffer *to)
{
    bool local = naming == AS_ARGUMENT || naming == AS_OTHER_ARGUMENT;
    char *function =
        local && place && place->function ? sm_function_name(sm_copy_text(place->function)) : NULL;
    sm_buffer_text(to, " (");
    put_frame(expansion, place, to);
    sm_buffer_print(to, "%s%s", function ? " in " : "", function ? without_template(function) : "");
    if (naming == AS_OTHER_ARGUMENT)
        sm_buffer_print(to, ", as '%s'", argument);
    sm_buffer_text(to, ")");
    free(function);
}

static void put_lock(struct expansion *expansion, uint64_t address, const struct sm_stack *stack,
                     struct sm_buffer *to)
{
    const struct sm_place *user = sm_stack_user_frame(stack);
    char *argument = user ? sm_call_argument(user) : NULL;
    enum naming naming = put_name(expansion, address, argument, "the object at", to);
    put_lock_place(expansion,
                   user       ? user
                   : stack->n ? &stack->frames[0]
                              : NULL,
                   naming, argument, to);
    free(argument);
}

/* Length of "{lock ADDRESS PC...}"; 0: it is none. */
static size_t expand_lock(struct expansion *expansion, const char *text, struct sm_buffer *to)
{
    struct sm_stack stack = {0};
    const char *end = strchr(text, '}');
    if (!end || strncmp(text, "{lock ", 6) != 0)
        return 0;
    char *at;
    uint64_t address = strtoull(text + 6, &at, 16);
    while (*at == ' ' && !sm_stack_user_frame(&stack))
        sm_symbols_frames(expansion->symbols, strtoull(at + 1, &at, 16), &stack);
    put_lock(expansion, address, &stack, to);
    sm_stack_free(&stack);
    return (size_t)(end - text) + 1;
}

/* The thread-local variable at an offset of its object file's segment. */
static const char *find_local(struct sm_symbols *symbols, uint64_t inside, uint64_t offset)
{
    Dwfl_Module *module = symbols->dwfl ? dwfl_addrmodule(symbols->dwfl, inside) : NULL;
    for (int i = 0, n = module ? dwfl_module_getsymtab(module) : 0; i < n; i++) {
        GElf_Sym symbol;
        GElf_Addr unused; /* as if the value were an address */
        const char *name = dwfl_module_getsym_info(module, i, &symbol, &unused, NULL, NULL, NULL);
        if (name && GELF_ST_TYPE(symbol.st_info) == STT_TLS && offset >= symbol.st_value &&
            offset - symbol.st_value < symbol.st_size)
            return name;
    }
    return NULL;
}

static void put_local(struct sm_symbols *symbols, uint64_t inside, uint64_t offset,
                      struct sm_buffer *to)
{
    const char *name = find_local(symbols, inside, offset);
    char *shown = name ? sm_demangle(name) : NULL;
    if (shown)
        sm_buffer_print(to, "'%s', ", shown);
    free(shown);
}

char *sm_symbols_expand(struct sm_symbols *symbols, const char *text)
{
    struct expansion expansion = {.symbols = symbols};
    struct sm_buffer to = {0};
    sm_buffer_text(&to, "");
    while (*text) {
        unsigned long address, offset;
        int length = 0;
        if (sscanf(text, "{code %lx}%n", &address, &length) == 1 && length)
            put_code(&expansion, address, &to);
        else if (sscanf(text, "{data %lx}%n", &address, &length) == 1 && length)
            put_name(&expansion, address, NULL, "the object at", &to);
        else if (sscanf(text, "{name %lx}%n", &address, &length) == 1 && length)
            put_name(&expansion, address, NULL, "at", &to);
        else if (sscanf(text, "{local %lx %lx}%n", &address, &offset, &length) == 2 && length)
            put_local(symbols, address, offset, &to);
        else if ((length = (int)expand_lock(&expansion, text, &to)) == 0)
            sm_buffer_add(&to, text, (size_t)(length = 1));
        text += length;
    }
    for (size_t i = 0; i < expansion.n; i++)
        free(expansion.called[i].name);
    free(expansion.file);
    return to.data;
}
