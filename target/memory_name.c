/* The name of memory in the user's source: from the variable of the debug information that holds
   the address down through arrays and structs, as far as the types are the user's own. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "abi/library_name.h"
#include "base/memory.h"
#include "target/symbols_internal.h"

/* ---- where the variables are ---- */

static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, type);
}

/* Clang's DWARF 5 refers to the address by an index into a table. */
static bool address_of(Dwarf_Die *die, Dwarf_Addr *address)
{
    Dwarf_Attribute location, resolved;
    Dwarf_Op *operation;
    size_t n;
    if (!dwarf_attr(die, DW_AT_location, &location) ||
        dwarf_getlocation(&location, &operation, &n) != 0 || n != 1)
        return false;
    if (operation->atom == DW_OP_addr) {
        *address = operation->number;
        return true;
    }
    return operation->atom == DW_OP_addrx &&
           dwarf_getlocation_attr(&location, operation, &resolved) == 0 &&
           dwarf_formaddr(&resolved, address) == 0;
}

static void note(struct sm_located_variables *variables, Dwarf_Die *die, Dwarf_Addr bias)
{
    Dwarf_Die type;
    Dwarf_Addr address;
    Dwarf_Word size;
    if (!address_of(die, &address) || !type_of(die, &type) ||
        dwarf_aggregate_size(&type, &size) != 0)
        return;
    variables->items = sm_resize(variables->items, (variables->n + 1) * sizeof *variables->items);
    variables->items[variables->n++] = (struct sm_located_variable){
        .start = address + bias, .end = address + bias + size, .die = *die};
}

static void note_children(struct sm_located_variables *variables, Dwarf_Die *scope, Dwarf_Addr bias)
{
    Dwarf_Die child;
    if (dwarf_child(scope, &child) != 0)
        return;
    do {
        int tag = dwarf_tag(&child);
        if (tag == DW_TAG_variable)
            note(variables, &child, bias);
        else if (tag == DW_TAG_namespace || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block)
            note_children(variables, &child, bias);
    } while (dwarf_siblingof(&child, &child) == 0);
}

static struct sm_located_variables *variables_of(struct sm_symbols *symbols, Dwfl_Module *module)
{
    for (size_t i = 0; i < symbols->n_variables; i++)
        if (symbols->variables[i].module == module)
            return &symbols->variables[i];
    symbols->variables =
        sm_resize(symbols->variables, (symbols->n_variables + 1) * sizeof *symbols->variables);
    struct sm_located_variables *variables = &symbols->variables[symbols->n_variables++];
    *variables = (struct sm_located_variables){.module = module};
    Dwarf_Addr bias;
    for (Dwarf_Die *unit = NULL; (unit = dwfl_module_nextcu(module, unit, &bias));)
        note_children(variables, unit, bias);
    return variables;
}

void sm_located_variables_free(struct sm_symbols *symbols)
{
    for (size_t i = 0; i < symbols->n_variables; i++)
        free(symbols->variables[i].items);
    free(symbols->variables);
}

static struct sm_located_variable *variable_at(struct sm_symbols *symbols, uint64_t address)
{
    Dwfl_Module *module = symbols->dwfl ? dwfl_addrmodule(symbols->dwfl, address) : NULL;
    const char *path =
        module ? dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL) : NULL;
    struct sm_located_variables *variables =
        path && !sm_of_language(path) ? variables_of(symbols, module) : NULL;
    for (size_t i = 0; variables && i < variables->n; i++)
        if (address >= variables->items[i].start && address < variables->items[i].end)
            return &variables->items[i];
    return NULL;
}

/* ---- down through the type ---- */

struct path {
    struct sm_buffer name;
    char *type;      /* the library's type at which it ends */
    Dwarf_Die at;    /* the type to continue with */
    Dwarf_Word left; /* bytes from its start */
    unsigned size;   /* of the access; 0: of a whole object, such as a mutex */
};

static bool is_of_library(Dwarf_Die *die)
{
    const char *file = dwarf_decl_file(die);
    return file && sm_library_file(file);
}

/* With its namespaces, as written in the source. */
static char *qualified(Dwarf_Die *die)
{
    Dwarf_Die *scopes = NULL;
    struct sm_buffer text = {0};
    int n = dwarf_getscopes_die(die, &scopes);
    for (int i = n; i-- > 1;)
        if (dwarf_tag(&scopes[i]) == DW_TAG_namespace && dwarf_diename(&scopes[i]))
            sm_buffer_print(&text, "%s::", dwarf_diename(&scopes[i]));
    free(scopes);
    sm_buffer_text(&text, dwarf_diename(die) ? dwarf_diename(die) : "struct");
    sm_library_name(text.data);
    return text.data;
}

static bool is_alias(int tag)
{
    return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
           tag == DW_TAG_atomic_type;
}

/* One level; false at the end. */
static bool follow_alias(struct path *path)
{
    Dwarf_Die type;
    bool library = dwarf_tag(&path->at) == DW_TAG_typedef && is_of_library(&path->at);
    if (!type_of(&path->at, &type))
        return false;
    Dwarf_Die peeled = type;
    while (is_alias(dwarf_tag(&peeled)) && type_of(&peeled, &type))
        peeled = type;
    int tag = dwarf_tag(&peeled);
    if (library && (tag == DW_TAG_structure_type || tag == DW_TAG_union_type)) {
        path->type = qualified(&path->at);
        return false;
    }
    path->at = peeled;
    return true;
}

static Dwarf_Word length_of(Dwarf_Die *range)
{
    Dwarf_Attribute attribute;
    Dwarf_Word count = 0;
    if (dwarf_attr(range, DW_AT_count, &attribute) && dwarf_formudata(&attribute, &count) == 0)
        return count;
    if (dwarf_attr(range, DW_AT_upper_bound, &attribute) &&
        dwarf_formudata(&attribute, &count) == 0)
        return count + 1;
    return 0;
}

static bool follow_array(struct path *path)
{
    Dwarf_Die element, range;
    Dwarf_Word size, whole;
    if (!type_of(&path->at, &element) || dwarf_aggregate_size(&path->at, &whole) != 0 ||
        dwarf_child(&path->at, &range) != 0)
        return false;
    size = whole;
    do {
        Dwarf_Word n = length_of(&range);
        if (n == 0 || size / n == 0)
            return false;
        size /= n;
        sm_buffer_print(&path->name, "[%lu]", (unsigned long)(path->left / size));
        path->left %= size;
    } while (dwarf_siblingof(&range, &range) == 0);
    path->at = element;
    return true;
}

static bool has_byte(Dwarf_Die *member, Dwarf_Word offset, Dwarf_Word *start, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    Dwarf_Word size;
    *start = 0;
    if (dwarf_attr(member, DW_AT_data_member_location, &attribute))
        dwarf_formudata(&attribute, start);
    return type_of(member, type) && dwarf_aggregate_size(type, &size) == 0 && offset >= *start &&
           offset < *start + size;
}

/* A copy of a whole struct is named after the struct, not after its first field. */
static bool follow_struct(struct path *path)
{
    Dwarf_Die member, type;
    Dwarf_Word start, size;
    if (is_of_library(&path->at)) {
        path->type = qualified(&path->at);
        return false;
    }
    bool whole = path->size && dwarf_aggregate_size(&path->at, &size) == 0 && size <= path->size;
    if (whole || dwarf_child(&path->at, &member) != 0)
        return false;
    do {
        int tag = dwarf_tag(&member);
        if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
            dwarf_attr(&member, DW_AT_external, &(Dwarf_Attribute){0}) ||
            !has_byte(&member, path->left, &start, &type))
            continue;
        if (tag == DW_TAG_member && dwarf_diename(&member))
            sm_buffer_print(&path->name, ".%s", dwarf_diename(&member));
        path->left -= start;
        path->at = type;
        return true;
    } while (dwarf_siblingof(&member, &member) == 0);
    return false;
}

static bool follow(struct path *path)
{
    int tag = dwarf_tag(&path->at);
    if (is_alias(tag))
        return follow_alias(path);
    if (tag == DW_TAG_array_type)
        return follow_array(path);
    if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type)
        return follow_struct(path);
    return false;
}

char *sm_symbols_memory(struct sm_symbols *symbols, uint64_t address, unsigned size, char **type)
{
    enum { DEEPEST = 32 };
    struct sm_located_variable *variable = variable_at(symbols, address);
    *type = NULL;
    Dwarf_Attribute attribute;
    const char *name = variable && dwarf_attr_integrate(&variable->die, DW_AT_name, &attribute)
                           ? dwarf_formstring(&attribute)
                           : NULL;
    if (!name)
        return sm_symbols_variable(symbols, address);
    struct path path = {.left = address - variable->start, .size = size};
    sm_buffer_text(&path.name, name);
    if (type_of(&variable->die, &path.at))
        for (int depth = 0; depth < DEEPEST && follow(&path); depth++)
            continue;
    *type = path.type;
    return path.name.data;
}
