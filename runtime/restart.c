#define _GNU_SOURCE
#include "runtime/restart.h"

#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/single_threaded.h>

#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/engine.h"
#include "runtime/heap.h"
#include "runtime/intercept/names.h"
#include "runtime/intercept/signals.h"
#include "runtime/module.h"
#include "runtime/sched/carrier.h"
#include "runtime/thread.h"

enum { MAX_AREAS = 256, MAX_TLS = 32, MAX_DONORS = 4096, STDOUT_BUFFER = 1 << 16 };

struct area {
    char *at;
    char *copy;
    size_t size;
};

struct tls_block {
    ptrdiff_t offset; /* from the FS base */
    size_t size;
};

/* In separate memory: it must survive the restoring of our data. */
static struct kept_area {
    struct area areas[MAX_AREAS];
    uint32_t n_areas;
    struct area seldom;
    struct tls_block tls[MAX_TLS];
    uint32_t n_tls;
    size_t tls_size;
    void *initial_tls;
    struct sm_donor *donors[MAX_DONORS];
    void *context; /* of sm_restart_run, on the kernel's stack */
    struct sm_alloc_state allocated;
    unsigned long long n_loaded; /* libraries, ever loaded */
} *kept;

bool sm_restart_on(void)
{
    return kept != NULL;
}

/* ---- data to save ---- */

/* Libraries whose data holds the state of kernel threads, of libc's own heap and of the loader,
   which are not restarted. */
static bool is_system_library(const char *path)
{
    static const char *const names[] = {"/libc.so",  "/ld-linux", "/libpthread.so", "/libstdc++.so",
                                        "/libgcc_s", "/libm.so",  "linux-vdso.so"};
    for (size_t i = 0; i < SM_ARRAY_SIZE(names); i++)
        if (strstr(path, names[i]))
            return true;
    return false;
}

extern char __stop_sm_seldom[] __attribute__((visibility("hidden")));

/* ---- blocks that the program allocated before main ---- */

/* Adjacent blocks are merged. */
enum { MAX_EARLY = 64, NEIGHBOURS = 4096 };
static struct {
    char *at, *end;
} early[MAX_EARLY] SM_SELDOM; /* unchanged once saved */
static uint32_t n_early;
static bool early_lost;

void *sm_restart_early(void *block, size_t size)
{
    char *at = block, *end = at + size;
    if (!block || !sm_modules || kept)
        return block;
    for (uint32_t i = 0; i < n_early; i++)
        if (at <= early[i].end + NEIGHBOURS && end + NEIGHBOURS >= early[i].at) {
            early[i].at = at < early[i].at ? at : early[i].at;
            early[i].end = end > early[i].end ? end : early[i].end;
            return block;
        }
    early_lost |= n_early == MAX_EARLY;
    if (n_early < MAX_EARLY) {
        early[n_early].at = at;
        early[n_early++].end = end;
    }
    return block;
}

/* ---- areas ---- */

static struct area make_area(char *at, char *end)
{
    size_t size = (size_t)(end - at);
    return (struct area){at, sm_map(NULL, size), size};
}

static void add_area(char *at, char *end)
{
    if (at >= end)
        return;
    SM_ASSERT(kept->n_areas < MAX_AREAS);
    kept->areas[kept->n_areas++] = make_area(at, end);
}

/* All of it except our own tables that are restored only when touched. */
static void add_areas(char *at, char *end)
{
    if (__start_sm_seldom < at || __start_sm_seldom >= end) {
        add_area(at, end);
        return;
    }
    add_area(at, __start_sm_seldom);
    add_area(__stop_sm_seldom, end);
}

/* The writable segment without the part that the loader has made read-only. */
static void add_segment(const struct dl_phdr_info *info, const ElfW(Phdr) * segment)
{
    char *start = (char *)info->dlpi_addr + segment->p_vaddr;
    char *end = start + segment->p_memsz;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_GNU_RELRO)
            continue;
        uintptr_t low = info->dlpi_addr + header->p_vaddr, high = low + header->p_memsz;
        char *first = (char *)(low & ~4095ul), *last = (char *)(high & ~4095ul);
        if (first <= start && last > start && last <= end)
            start = last;
    }
    add_areas(start, end);
}

static int add_object(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    bool is_system = is_system_library(info->dlpi_name);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type == PT_LOAD && (header->p_flags & PF_W) && !is_system)
            add_segment(info, header);
        if (header->p_type == PT_TLS && info->dlpi_tls_data && !is_system) {
            SM_ASSERT(kept->n_tls < MAX_TLS);
            ptrdiff_t offset = (char *)info->dlpi_tls_data - (char *)pthread_self();
            kept->tls[kept->n_tls++] = (struct tls_block){offset, header->p_memsz};
            kept->tls_size += header->p_memsz;
        }
    }
    return 0;
}

/* ---- thread-local storage ---- */

void *sm_restart_save_tls(pthread_t handle)
{
    if (!kept->tls_size)
        return NULL;
    char *copy = sm_map(NULL, kept->tls_size), *to = copy;
    for (uint32_t i = 0; i < kept->n_tls; i++) {
        memcpy(to, (char *)handle + kept->tls[i].offset, kept->tls[i].size);
        to += kept->tls[i].size;
    }
    return copy;
}

void sm_restart_tls(pthread_t handle, const void *copy)
{
    const char *from = copy;
    for (uint32_t i = 0; i < kept->n_tls; i++) {
        memcpy((char *)handle + kept->tls[i].offset, from, kept->tls[i].size);
        from += kept->tls[i].size;
    }
}

struct sm_donor **sm_restart_donor(uint32_t number)
{
    return kept && number < MAX_DONORS ? &kept->donors[number] : NULL;
}

/* ---- libraries loaded by the program ---- */

static int count_loaded(struct dl_phdr_info *info, size_t size, void *n)
{
    (void)size;
    *(unsigned long long *)n = info->dlpi_adds;
    return 1;
}

static unsigned long long libraries_loaded(void)
{
    unsigned long long n = 0;
    dl_iterate_phdr(count_loaded, &n);
    return n;
}

/* The loader's records of a library are on the program's heap, which is emptied, and its data was
   not saved. */
static void refuse_libraries(void)
{
    static const char text[] =
        "the program loads a library while it runs (dlopen, or libc for a locale or a host name), "
        "and such an execution cannot be restarted; link the program with it, or use hunt";
    if (libraries_loaded() == kept->n_loaded)
        return;
    sm_control->end = SM_END_REFUSED;
    memcpy(sm_control->detail, text, sizeof text);
}

/* ---- saving and restoring ---- */

static void save_area(const struct area *area)
{
    memcpy(area->copy, area->at, area->size);
}

/* A buffer on the program's heap would vanish with it. */
void sm_restart_buffer(void)
{
    setvbuf(stdout, sm_map(NULL, STDOUT_BUFFER), _IOFBF, STDOUT_BUFFER);
}

static void save(void)
{
    kept = sm_map(NULL, sizeof *kept);
    sm_restart_buffer();
    dl_iterate_phdr(add_object, NULL);
    for (uint32_t i = 0; i < n_early; i++)
        add_area(early[i].at, early[i].end);
    sm_heap_each_early(add_area);
    add_area(&__libc_single_threaded, &__libc_single_threaded + 1);
    kept->n_loaded = libraries_loaded();
    kept->initial_tls = sm_restart_save_tls(pthread_self());
    kept->allocated = sm_alloc_save();
    kept->seldom = make_area(__start_sm_seldom, __stop_sm_seldom);
    SM_ASSERT(kept->seldom.size <= (size_t)SM_SELDOM_PAGE * SM_SELDOM_PAGES);
    memset(sm_seldom_touched, 0, sizeof sm_seldom_touched);
    save_area(&kept->seldom);
    for (uint32_t i = 0; i < kept->n_areas; i++)
        save_area(&kept->areas[i]);
}

/* Most of it is unchanged: not writing that again saves 1.6 us of the 9 us of a small execution. */
static void restore_bytes(const struct area *area, size_t from, size_t to)
{
    enum { COPY_BLOCK = 512 };
    for (size_t at = from; at < to; at += COPY_BLOCK) {
        size_t size = to - at < COPY_BLOCK ? to - at : COPY_BLOCK;
        if (memcmp(area->at + at, area->copy + at, size) != 0)
            memcpy(area->at + at, area->copy + at, size);
    }
}

static void restore_seldom(void)
{
    const struct area *seldom = &kept->seldom;
    for (size_t page = 0, from = 0; from < seldom->size; page++, from += SM_SELDOM_PAGE)
        if (sm_seldom_touched[page])
            restore_bytes(seldom, from,
                          seldom->size - from < SM_SELDOM_PAGE ? seldom->size
                                                               : from + SM_SELDOM_PAGE);
}

static void restore(void)
{
    sm_heap_reset();
    uint64_t signals = sm_signals_changed();
    struct sm_alloc_state now = sm_alloc_save();
    restore_seldom(); /* before the areas, which hold the marks of the pages */
    for (uint32_t i = 0; i < kept->n_areas; i++)
        restore_bytes(&kept->areas[i], 0, kept->areas[i].size);
    sm_restart_tls(pthread_self(), kept->initial_tls);
    sm_alloc_restore(&kept->allocated, &now);
    sm_signals_reinstall(signals);
}

/* ---- the loop ---- */

_Noreturn void sm_restart_leave(void)
{
    sm_names_done();
    sm_fiber_leave(kept->context);
}

void sm_restart_flush(void)
{
    if (!sm_engine->keeps_output)
        fflush(stdout);
}

size_t sm_restart_written(const char **text)
{
    *text = stdout->_IO_write_base;
    return (size_t)(stdout->_IO_write_ptr - stdout->_IO_write_base);
}

size_t sm_restart_output(const char **text)
{
    size_t size = sm_restart_written(text);
    __fpurge(stdout); /* leaves the bytes where they are */
    return size;
}

bool sm_restart_failed(void)
{
    return sm_control->end != SM_END_EXIT || sm_control->status != 0;
}

_Noreturn void sm_restart_run(struct sm_thread *(*start)(void), void (*execute)(void *), void *arg)
{
    if (sm_option(carrier) != SM_CARRIER_FIBER)
        sm_refuse("executions restart only where threads are fibers; use --carrier fiber");
    if (early_lost)
        sm_refuse("the program allocates so much before main that executions cannot be restarted; "
                  "use hunt --no-exact");
    sm_control->executions = 0;
    save();
    for (;;) {
        struct sm_thread *initial = start();
        void *stack = sm_donor_initial_stack(initial);
        sm_set_self(initial);
        sm_fiber_run(&kept->context, stack, execute, arg);
        sm_set_self(NULL);
        refuse_libraries();
        if (!sm_engine->next())
            break;
        __fpurge(stdout);
        restore();
    }
    for (;;)
        sm_syscall(SYS_exit_group, sm_restart_failed() ? 1L : 0L);
}
