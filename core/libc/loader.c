#include "core/libc/loader.h"

#include <elf.h>
#include <sys/auxv.h>

/* The end of the loader; the base itself if the kernel started the program without one. */
static uintptr_t end_of(uintptr_t base)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)base;
    const Elf64_Phdr *segments = (const Elf64_Phdr *)(base + (base ? header->e_phoff : 0));
    uintptr_t end = base;
    for (unsigned i = 0; base && i < header->e_phnum; i++)
        if (segments[i].p_type == PT_LOAD && base + segments[i].p_vaddr + segments[i].p_memsz > end)
            end = base + segments[i].p_vaddr + segments[i].p_memsz;
    return end;
}

bool sm_is_loader(uintptr_t pc)
{
    static uintptr_t base, end; /* every thread writes the same values */
    if (!__atomic_load_n(&end, __ATOMIC_ACQUIRE)) {
        base = getauxval(AT_BASE);
        __atomic_store_n(&end, base ? end_of(base) : 1, __ATOMIC_RELEASE); /* after base */
    }
    return pc - base < end - base;
}
