#include "analysis/sets.h"

#include <string.h>

#include "analysis/declared.h"
#include "base/sys.h"
#include "base/table.h"
#include "runtime/heap.h"
#include "runtime/intercept/annotations.h"
#include "runtime/module.h"

struct heap_block { /* a block of the heap */
    uintptr_t start;
    size_t size;
    size_t element;   /* size of one struct in it; 0: unknown */
    const char *type; /* of that */
    struct sm_set *sets;
};

struct variable {
    const struct sm_global *global;
    const struct sm_module *module;
};

static bool everything;
static struct sm_table by_key;     /* low address of an object, module -> struct sm_set */
static struct sm_table blocks;     /* start -> struct heap_block */
static struct sm_table starts_in;  /* granule of 8 bytes -> bit mask of the locations in it */
static struct sm_set *named;       /* declared ones */
static struct variable *variables; /* by address */
static size_t n_variables;
static const struct sm_module *newest; /* that the variables were read up to */

/* ---- global variables ---- */

static size_t count_variables(void)
{
    size_t n = 0;
    for (const struct sm_module *module = sm_modules; module; module = module->next)
        n += module->n_globals;
    return n;
}

static uintptr_t address_of(const struct variable *variable)
{
    return (uintptr_t)variable->global->address;
}

static void sift_down(size_t root, size_t n)
{
    for (size_t child; (child = 2 * root + 1) < n; root = child) {
        if (child + 1 < n && address_of(&variables[child]) < address_of(&variables[child + 1]))
            child++;
        if (address_of(&variables[root]) >= address_of(&variables[child]))
            return;
        struct variable swap = variables[root];
        variables[root] = variables[child];
        variables[child] = swap;
    }
}

/* Heapsort: libc's may allocate. */
static void sort_variables(void)
{
    for (size_t i = n_variables / 2; i-- > 0;)
        sift_down(i, n_variables);
    for (size_t n = n_variables; n-- > 1;) {
        struct variable swap = variables[0];
        variables[0] = variables[n];
        variables[n] = swap;
        sift_down(0, n);
    }
}

static void read_variables(void)
{
    size_t n = 0;
    if (variables)
        sm_free(variables, (n_variables + 1) * sizeof *variables);
    n_variables = count_variables();
    variables = sm_alloc((n_variables + 1) * sizeof *variables);
    for (const struct sm_module *module = sm_modules; module; module = module->next) {
        for (size_t i = 0; i < module->n_globals; i++)
            variables[n++] = (struct variable){&module->globals[i], module};
        newest = module;
    }
    sort_variables();
}

static const struct variable *find_variable(uintptr_t addr)
{
    size_t low = 0, high = n_variables;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (address_of(&variables[middle]) <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    const struct variable *found = low ? &variables[low - 1] : NULL;
    return found && addr - address_of(found) < found->global->size ? found : NULL;
}

/* ---- sets ---- */

void sm_sets_start(bool one_set)
{
    everything = one_set;
    sm_table_clear(&by_key);
    sm_table_clear(&blocks);
    sm_table_clear(&starts_in);
    named = NULL;
    read_variables();
}

static struct sm_set *make(uintptr_t low, uintptr_t high, const char *name)
{
    struct sm_set *set = sm_alloc(sizeof *set);
    *set = (struct sm_set){.low = low, .high = high};
    sm_format(set->name, sizeof set->name, "%s", name ? name : "?");
    return set;
}

/* The set of a struct is named by its type, wherever it is; that of a scalar by its name. */
static struct sm_set *make_struct(uintptr_t low, uintptr_t high, const char *type, const char *name)
{
    struct sm_set *set = make(low, high, type && *type ? type : name);
    set->type = type;
    return set;
}

static struct sm_set *by_name(const char *name)
{
    for (struct sm_set *set = named; set; set = set->next)
        if (strcmp(set->name, name) == 0)
            return set;
    struct sm_set *set = make(0, 0, name);
    set->next = named;
    named = set;
    return set;
}

static struct sm_set *of_everything(void)
{
    struct sm_set *set = by_name("all memory");
    set->low = 1;
    set->high = UINTPTR_MAX;
    return set;
}

bool sm_set_is_named(const char *name)
{
    const struct sm_set *set = named;
    while (set && strcmp(set->name, name) != 0)
        set = set->next;
    return set;
}

const char *sm_set_of_file(const struct sm_module *module)
{
    const char *slash = strrchr(module->source, '/');
    return slash ? slash + 1 : module->source;
}

static struct sm_set *of_file(const struct sm_module *module)
{
    void **place = sm_table_at(&by_key, (uintptr_t)module);
    if (!*place) {
        struct sm_set *set = make(0, 0, sm_set_of_file(module));
        set->module = module;
        *place = set;
    }
    return *place;
}

static struct sm_set *of_variable(const struct variable *variable, uintptr_t addr)
{
    const struct sm_global *global = variable->global;
    size_t size = global->element ? global->element : global->size;
    if (!global->element && !global->local)
        return of_file(variable->module);
    uintptr_t start = address_of(variable), low = start + (addr - start) / size * size;
    void **place = sm_table_at(&by_key, low);
    if (!*place)
        *place = make_struct(low, low + size, global->type, global->name);
    return *place;
}

/* ---- the heap ---- */

static void forget_sets(struct heap_block *block)
{
    for (struct sm_set *set = block->sets, *next; set; set = next) {
        next = set->next;
        sm_works_forget(&set->works);
        *sm_table_at(&by_key, set->low) = NULL;
        if (!set->works.works) /* else it is in use by active units */
            sm_free(set, sizeof *set);
    }
    block->sets = NULL;
}

/* The size of one struct of the block, if it is accessed by this site. */
static size_t element_size(const struct heap_block *block, const struct sm_site *site)
{
    size_t size = site && SM_SITE_TEXT(site, object) ? site->object_size : 0;
    if (!size)
        return 0;
    /* An access after the struct's end is to a flexible array; a struct that does not divide the
       block is its head. */
    bool head = site->offset >= size || block->size % size;
    return head ? block->size : size;
}

static struct heap_block *block_of(uintptr_t start, size_t size, const struct sm_site *site)
{
    void **place = sm_table_at(&blocks, start);
    struct heap_block *block = *place;
    if (!block) {
        block = sm_alloc(sizeof *block);
        *block = (struct heap_block){.start = start, .size = size};
        *place = block;
    }
    size_t element = element_size(block, site);
    if (element > block->element) {
        forget_sets(block);
        block->element = element;
        block->type = SM_SITE_TEXT(site, object);
    }
    return block;
}

static struct sm_set *of_heap(uintptr_t addr, uintptr_t start, size_t size,
                              const struct sm_site *site)
{
    struct heap_block *block = block_of(start, size, site);
    size_t element = block->element ? block->element : block->size;
    SM_ASSERT(element); /* no address is in an empty block */
    uintptr_t low = start + (addr - start) / element * element;
    void **place = sm_table_at(&by_key, low);
    if (*place)
        return *place;
    struct sm_set *set =
        make_struct(low, low + element, block->type, site ? SM_SITE_TEXT(site, variable) : "?");
    set->next = block->sets;
    block->sets = set;
    *place = set;
    return set;
}

/* ---- all memory ---- */

/* On a stack, or in memory that the program mapped. */
static struct sm_set *of_access(uintptr_t addr, const struct sm_site *site)
{
    bool known = site && SM_SITE_TEXT(site, object) && site->object_size > site->offset;
    uintptr_t low = known ? addr - site->offset : addr;
    uintptr_t high = known ? low + site->object_size : addr + 1;
    void **place = sm_table_at(&by_key, low);
    struct sm_set *set = *place;
    if (set && set->high == high)
        return set;
    if (set) /* another variable is there now */
        sm_works_forget(&set->works);
    set = make_struct(low, high, known ? SM_SITE_TEXT(site, object) : NULL,
                      site ? SM_SITE_TEXT(site, variable) : "?");
    *place = set;
    return set;
}

struct sm_set *sm_set_find(uintptr_t addr, const struct sm_site *site)
{
    const struct sm_note *note = sm_note_find(SM_NOTE_ATOMIC_SET, addr);
    const char *declared = note ? note->text : sm_declared_set(site);
    if (declared)
        return by_name(declared);
    if (everything)
        return of_everything();
    uintptr_t start;
    size_t size;
    uint32_t owner;
    if (sm_heap_owns((const void *)addr))
        return sm_heap_block(addr, &start, &size, &owner) && size ? of_heap(addr, start, size, site)
                                                                  : NULL;
    if (newest && newest->next)
        read_variables(); /* a library was loaded */
    const struct variable *variable = find_variable(addr);
    return variable ? of_variable(variable, addr) : of_access(addr, site);
}

bool sm_set_covers(const struct sm_set *set, uintptr_t addr)
{
    if (addr >= set->low && addr < set->high)
        return true;
    if (set->low)
        return false;
    const struct sm_note *note = sm_note_find(SM_NOTE_ATOMIC_SET, addr);
    if (note || !set->module)
        return note && strcmp(note->text, set->name) == 0;
    const struct variable *variable = find_variable(addr);
    return variable && variable->module == set->module && !variable->global->element &&
           !variable->global->local;
}

/* ---- locations ---- */

static unsigned locations_in(uintptr_t granule, unsigned from, unsigned to, uintptr_t *locations)
{
    void **place = sm_table_at(&starts_in, granule + 1);
    uintptr_t mask = (uintptr_t)*place | 1u << from;
    unsigned n = 0;
    if (to < 8)
        mask |= 1u << to;
    *place = (void *)mask;
    for (unsigned i = from; i < to; i++)
        if (mask >> i & 1)
            locations[n++] = granule * 8 + i;
    return n;
}

unsigned sm_set_locations(uintptr_t addr, unsigned size, uintptr_t locations[SM_MAX_LOCATIONS])
{
    unsigned from = addr % 8, to = from + size > 8 ? 8 : from + size;
    unsigned n = locations_in(addr / 8, from, to, locations);
    if (from + size > 8)
        n += locations_in(addr / 8 + 1, 0, from + size - 8, locations + n);
    return n;
}

void sm_sets_forget(uintptr_t low, uintptr_t high)
{
    void **place = sm_table_at(&blocks, low);
    struct heap_block *block = *place;
    if (block) {
        forget_sets(block);
        *place = NULL;
    }
    for (uintptr_t granule = low / 8; granule * 8 < high; granule++)
        if (sm_table_get(&starts_in, granule + 1))
            *sm_table_at(&starts_in, granule + 1) = NULL;
}
