/* Source names of the threads, places and memory of an execution. Looked up when it is recorded:
   later the program may have changed. */
#include "target/words.h"

#include <stdlib.h>
#include <string.h>

#include "abi/library_name.h"
#include "target/symbols.h"

/* ---- calls ---- */

const struct sm_place *sm_stack_user_frame(const struct sm_stack *stack)
{
    for (uint32_t i = 0; i < stack->n; i++)
        if (stack->frames[i].file && !sm_library_file(stack->frames[i].file))
            return &stack->frames[i];
    return NULL;
}

static struct sm_user_call user_call(struct sm_symbols *symbols, const struct sm_call_stack *seen)
{
    struct sm_stack stack = {0};
    struct sm_user_call call = {0};
    const struct sm_place *user = NULL;
    for (uint64_t i = 0; i < seen->depth && i < SM_CALL_DEPTH && !user; i++) {
        sm_symbols_frames(symbols, seen->pc[i], &stack);
        user = sm_stack_user_frame(&stack);
    }
    if (user)
        call.place = sm_place_copy(user);
    if (user && user > stack.frames)
        call.callee = sm_copy_text(user[-1].function);
    sm_stack_free(&stack);
    return call;
}

static void add_calls(struct sm_witness *witness, const struct sm_control *control,
                      struct sm_symbols *symbols)
{
    size_t n = control->n_calls < SM_MAX_CALLS ? control->n_calls : SM_MAX_CALLS;
    witness->calls = sm_new((n + 1) * sizeof *witness->calls);
    for (; witness->n_calls < n; witness->n_calls++)
        witness->calls[witness->n_calls] = user_call(symbols, &control->calls[witness->n_calls]);
}

/* ---- memory ---- */

struct asked {
    uint64_t addr;
    unsigned size;
    const struct sm_site_row *row;
};

static int by_addr(const void *a, const void *b)
{
    const struct asked *x = a, *y = b;
    return x->addr == y->addr ? (x->size > y->size) - (x->size < y->size)
                              : (x->addr > y->addr) - (x->addr < y->addr);
}

/* Only memory of the program or a library has a name: see runtime/region.h. */
static uint64_t real_address(const struct sm_control *control, uint64_t normal)
{
    uint64_t number = normal >> 56;
    return number && number <= control->n_mappings && number <= SM_MAX_MODULES
               ? control->mappings[number - 1].base + (normal << 8 >> 8)
               : 0;
}

struct allocation {
    uint64_t start, size;
};
struct allocations {
    struct allocation *items; /* by start */
    size_t n;
};

static int by_start(const void *a, const void *b)
{
    const struct allocation *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

static struct allocations list_blocks(const struct sm_witness *witness)
{
    struct allocations blocks = {.items = sm_new((witness->n_records + 1) * sizeof *blocks.items)};
    for (size_t i = 0; i < witness->n_records; i++)
        if (witness->records[i].kind == SM_EV_ALLOC)
            blocks.items[blocks.n++] =
                (struct allocation){witness->records[i].addr, witness->records[i].old};
    qsort(blocks.items, blocks.n, sizeof *blocks.items, by_start);
    return blocks;
}

static const struct allocation *block_of(const struct allocations *blocks, uint64_t addr)
{
    size_t low = 0, high = blocks->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (blocks->items[middle].start <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    const struct allocation *block = low ? &blocks->items[low - 1] : NULL;
    return block && addr - block->start < block->size ? block : NULL;
}

/* "p[]" with its index, if the block is an array of what is accessed. */
static char *element_name(const struct allocations *blocks, const struct asked *asked)
{
    const struct sm_site_row *row = asked->row;
    const char *brackets = row ? strstr(row->variable, "[]") : NULL;
    const struct allocation *block =
        brackets && !brackets[2] ? block_of(blocks, asked->addr) : NULL;
    if (!block || !row->size || *row->object || (asked->addr - block->start) % row->size)
        return NULL;
    return sm_print("%.*s[%lu]", (int)(brackets - row->variable), row->variable,
                    (unsigned long)((asked->addr - block->start) / row->size));
}

static size_t list_asked(const struct sm_witness *witness, struct asked *asked)
{
    for (size_t i = 0; i < witness->n_records; i++)
        asked[i] = (struct asked){witness->records[i].addr, witness->records[i].size,
                                  sm_sites_find(&witness->sites, witness->records[i].site)};
    qsort(asked, witness->n_records, sizeof *asked, by_addr);
    return witness->n_records;
}

static void add_names(struct sm_witness *witness, const struct sm_control *control,
                      struct sm_symbols *symbols)
{
    enum { MOST_NAMES = 20000 }; /* a line of META each */
    struct asked *asked = sm_new((witness->n_records + 1) * sizeof *asked);
    struct allocations blocks = list_blocks(witness);
    size_t n = list_asked(witness, asked);
    for (size_t i = 0; i < n && witness->n_names < MOST_NAMES; i++) {
        struct sm_named_memory memory = {.addr = asked[i].addr};
        if (!memory.addr || (i && asked[i - 1].addr == asked[i].addr))
            continue;
        uint64_t real = real_address(control, memory.addr);
        memory.name = real ? sm_symbols_memory(symbols, real, asked[i].size, &memory.type)
                           : element_name(&blocks, &asked[i]);
        if (!memory.name)
            continue;
        witness->names = sm_resize(witness->names, (witness->n_names + 1) * sizeof *witness->names);
        witness->names[witness->n_names++] = memory;
    }
    free(blocks.items);
    free(asked);
}

/* ---- threads ---- */

/* A start routine of a library, as that of std::thread, says nothing. */
static char *start_function(struct sm_symbols *symbols, uint64_t start)
{
    struct sm_stack stack = {0};
    if (start)
        sm_symbols_frames(symbols, start, &stack);
    const struct sm_place *frame = stack.n ? &stack.frames[stack.n - 1] : NULL;
    bool known = frame && frame->file && !sm_library_file(frame->file) && frame->function;
    char *name = known ? sm_copy_text(frame->function) : NULL;
    sm_stack_free(&stack);
    return name;
}

static char *outermost_function(struct sm_symbols *symbols, const struct sm_call_stack *seen)
{
    struct sm_stack stack = {0};
    for (uint64_t i = 0; i < seen->depth && i < SM_CALL_DEPTH; i++)
        sm_symbols_frames(symbols, seen->pc[i], &stack);
    const struct sm_place *frame = NULL;
    for (uint32_t i = 0; i < stack.n; i++)
        if (stack.frames[i].file && !sm_library_file(stack.frames[i].file))
            frame = &stack.frames[i];
    char *name = frame ? sm_copy_text(frame->function) : NULL;
    sm_stack_free(&stack);
    return name;
}

/* Without a start function: the outermost function of the user's in which the thread was seen;
   without any stack, the first one in which it was seen. */
static char *first_function(const struct sm_witness *witness, const struct sm_control *control,
                            struct sm_symbols *symbols, uint32_t thread)
{
    const struct sm_site_row *first = NULL;
    for (size_t i = 0; i < witness->n_records; i++) {
        const struct sm_record *record = &witness->records[i];
        if (record->thread != thread)
            continue;
        char *name = record->stack && record->stack <= witness->n_calls
                         ? outermost_function(symbols, &control->calls[record->stack - 1])
                         : NULL;
        if (name)
            return name;
        const struct sm_site_row *row = sm_sites_find(&witness->sites, record->site);
        if (!first && row && *row->function && !sm_library_file(row->file))
            first = row;
    }
    return first ? sm_demangle(first->function) : NULL;
}

char *sm_words_thread(const struct sm_control *control, struct sm_symbols *symbols, uint32_t thread)
{
    if (thread == 0)
        return sm_copy_text("main");
    return thread < SM_MAX_STARTS ? start_function(symbols, control->starts[thread]) : NULL;
}

static void add_threads(struct sm_witness *witness, const struct sm_control *control,
                        struct sm_symbols *symbols)
{
    for (uint32_t thread = 0; thread < control->n_threads && thread < SM_MAX_STARTS; thread++) {
        char *name = sm_words_thread(control, symbols, thread);
        if (!name)
            name = first_function(witness, control, symbols, thread);
        if (name)
            sm_function_name(name);
        sm_list_add(&witness->threads, name ? name : "");
        free(name);
    }
}

void sm_words_find(struct sm_witness *witness, const struct sm_control *control)
{
    struct sm_symbols *symbols = sm_symbols_open(control->mappings, control->n_mappings);
    add_calls(witness, control, symbols);
    add_names(witness, control, symbols);
    add_threads(witness, control, symbols);
    sm_symbols_close(symbols);
}
