#define _GNU_SOURCE
#include "core/libc/callers.h"

#include <link.h>
#include <stdint.h>
#include <string.h>

#include "base/sys.h"

/* Published by the release of n_objects; objects that do not fit do not count. */
enum { OBJECTS = 256 };
static struct loaded_object {
    uintptr_t start, end;
} objects[OBJECTS] SM_SELDOM;
static uint32_t n_objects;

static struct loaded_object extent(const struct dl_phdr_info *info)
{
    struct loaded_object object = {UINTPTR_MAX, 0};
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type != PT_LOAD)
            continue;
        object.start = start < object.start ? start : object.start;
        object.end = start + segment->p_memsz > object.end ? start + segment->p_memsz : object.end;
    }
    return object;
}

static bool lies_in(uintptr_t address, const struct loaded_object *object)
{
    return address - object->start < object->end - object->start;
}

bool sm_all_callers_count;

static bool is_instrumented(const void *pc)
{
    uint32_t n = __atomic_load_n(&n_objects, __ATOMIC_ACQUIRE); /* see add */
    for (uint32_t i = 0; i < n; i++)
        if (lies_in((uintptr_t)pc, &objects[i]))
            return true;
    return false;
}

static void add(struct loaded_object object)
{
    uint32_t n = n_objects;
    if (n == OBJECTS || is_instrumented((const void *)object.start))
        return;
    sm_seldom_touch(&objects[n], sizeof *objects);
    objects[n] = object;
    __atomic_store_n(&n_objects, n + 1, __ATOMIC_RELEASE); /* after the object */
}

static int add_if_inside(struct dl_phdr_info *info, size_t size, void *inside)
{
    (void)size;
    struct loaded_object object = extent(info);
    if (!lies_in((uintptr_t)inside, &object))
        return 0;
    add(object);
    return 1;
}

void sm_callers_add(const void *inside)
{
    if (!is_instrumented(inside))
        dl_iterate_phdr(add_if_inside, (void *)inside);
}

static int add_if_cxx(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    if (strstr(info->dlpi_name, "/libstdc++.so") || strstr(info->dlpi_name, "/libc++.so"))
        add(extent(info));
    return 0;
}

void sm_callers_init(void)
{
    dl_iterate_phdr(add_if_cxx, NULL);
}

bool sm_caller_counts(const void *pc)
{
    return sm_all_callers_count || is_instrumented(pc);
}
