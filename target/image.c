#include "target/image.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/memory.h"

#define CONTROLLED_LIBRARY "libstalemate_rt.so"
#define DETECT_LIBRARY "libstalemate_detect.so"

/* ---- looking into it ---- */

struct elf_image {
    int fd;
    Elf *elf;
};

static bool image_open(const char *path, struct elf_image *image)
{
    elf_version(EV_CURRENT);
    image->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (image->fd < 0)
        return false;
    image->elf = elf_begin(image->fd, ELF_C_READ_MMAP, NULL);
    return true;
}

static void image_close(struct elf_image *image)
{
    elf_end(image->elf);
    close(image->fd);
}

static Elf_Scn *section_of_type(Elf *elf, GElf_Word type, Elf_Scn *after, GElf_Shdr *header)
{
    Elf_Scn *section = after;
    while ((section = elf_nextscn(elf, section)))
        if (gelf_getshdr(section, header) && header->sh_type == type)
            return section;
    return NULL;
}

/* Programs link the runtime as a shared library, so it is in DT_NEEDED. */
static bool needs(Elf *elf, const char *library)
{
    GElf_Shdr header;
    Elf_Scn *dynamic = section_of_type(elf, SHT_DYNAMIC, NULL, &header);
    Elf_Data *data = dynamic ? elf_getdata(dynamic, NULL) : NULL;
    GElf_Dyn entry;
    for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++) {
        if (entry.d_tag != DT_NEEDED)
            continue;
        const char *name = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
        if (name && strncmp(name, library, strlen(library)) == 0)
            return true;
    }
    return false;
}

static bool check_elf(const char *path, Elf *elf, struct sm_error *error)
{
    GElf_Ehdr header;
    if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header))
        return sm_fail(error, SM_STATUS_USAGE,
                       "%s: not a compiled program (no ELF file); Stalemate runs programs built "
                       "with: stalemate cc",
                       path);
    if (header.e_machine != EM_X86_64 || (header.e_type != ET_EXEC && header.e_type != ET_DYN))
        return sm_fail(error, SM_STATUS_USAGE, "%s: not an executable for x86-64 Linux", path);
    if (needs(elf, CONTROLLED_LIBRARY))
        return true;
    if (needs(elf, DETECT_LIBRARY))
        return sm_fail(error, SM_STATUS_USAGE,
                       "%s: built with --detect, for native race detection: run it by itself, or "
                       "with: stalemate detect; for this command build it without --detect",
                       path);
    return sm_fail(error, SM_STATUS_USAGE,
                   "%s: not built with Stalemate; build it with: stalemate cc -g -o PROGRAM "
                   "FILES... (or CC=stalemate-cc)",
                   path);
}

bool sm_image_check(const char *path, struct sm_error *error)
{
    struct elf_image image;
    if (!image_open(path, &image))
        return sm_fail(error, SM_STATUS_USAGE, "%s: %s", path, strerror(errno));
    bool ok = check_elf(path, image.elf, error);
    image_close(&image);
    return ok;
}

/* ---- build-id ---- */

static bool find_note(Elf *elf, char id[SM_BUILD_ID_SIZE])
{
    GElf_Shdr header;
    for (Elf_Scn *section = NULL; (section = section_of_type(elf, SHT_NOTE, section, &header));) {
        Elf_Data *data = elf_getdata(section, NULL);
        GElf_Nhdr note;
        size_t offset = 0, name, bytes;
        while (data && (offset = gelf_getnote(data, offset, &note, &name, &bytes)) > 0) {
            if (note.n_type != NT_GNU_BUILD_ID || note.n_descsz * 2 >= SM_BUILD_ID_SIZE)
                continue;
            const unsigned char *at = (const unsigned char *)data->d_buf + bytes;
            for (unsigned i = 0; i < note.n_descsz; i++)
                snprintf(id + 2 * i, 3, "%02x", at[i]);
            return true;
        }
    }
    return false;
}

static void hash_file(int fd, char id[SM_BUILD_ID_SIZE])
{
    char chunk[1 << 16];
    ssize_t got;
    XXH3_state_t *state = XXH3_createState();
    XXH3_64bits_reset(state);
    for (off_t at = 0; (got = pread(fd, chunk, sizeof chunk, at)) > 0; at += got)
        XXH3_64bits_update(state, chunk, (size_t)got);
    snprintf(id, SM_BUILD_ID_SIZE, "xxh3:%016lx", (unsigned long)XXH3_64bits_digest(state));
    XXH3_freeState(state);
}

void sm_image_build_id(const char *path, char id[SM_BUILD_ID_SIZE])
{
    struct elf_image image;
    id[0] = 0;
    if (!image_open(path, &image))
        return;
    if (!image.elf || !find_note(image.elf, id))
        hash_file(image.fd, id);
    image_close(&image);
}
