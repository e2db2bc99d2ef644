#include "campaign/part.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#define MAGIC 0x31545250314d53u /* "SM1PRT1" */

/* ---- races ---- */

static bool same_race(const struct sm_race *a, const struct sm_race *b)
{
    return (a->first.site == b->first.site && a->second.site == b->second.site) ||
           (a->first.site == b->second.site && a->second.site == b->first.site);
}

static struct sm_race *find_race(const struct sm_part *part, const struct sm_race *race)
{
    for (uint32_t i = 0; i < part->n_races; i++)
        if (same_race(&part->races[i], race))
            return &part->races[i];
    return NULL;
}

static void add_race(struct sm_part *to, const struct sm_race *race)
{
    struct sm_race *known = find_race(to, race);
    if (known) {
        known->count += race->count;
        return;
    }
    to->races = sm_resize(to->races, (to->n_races + 1) * sizeof *to->races);
    to->races[to->n_races++] = *race;
}

/* ---- outcomes: sorted ---- */

static int compare(const struct sm_part_outcome *a, const struct sm_part_outcome *b)
{
    size_t size = a->size < b->size ? a->size : b->size;
    int order = memcmp(a->text, b->text, size);
    return order ? order : (a->size > b->size) - (a->size < b->size);
}

static int compare_any(const void *a, const void *b)
{
    return compare(a, b);
}

static struct sm_part_outcome copy_outcome(const char *text, uint64_t size, uint64_t count)
{
    struct sm_part_outcome outcome = {.text = sm_new(size + 1), .size = size, .count = count};
    memcpy(outcome.text, text, size);
    return outcome;
}

/* As left by sm_outcomes_publish; returns where they end. */
static const char *read_outcomes(struct sm_part *part, const char *at, const char *end)
{
    uint32_t n = part->n_outcomes;
    part->n_outcomes = 0;
    part->outcomes = sm_new((n + 1) * sizeof *part->outcomes);
    while (part->n_outcomes < n) {
        struct sm_explored_outcome header;
        if ((size_t)(end - at) < sizeof header)
            return NULL;
        memcpy(&header, at, sizeof header);
        at += sizeof header;
        if (header.size > (size_t)(end - at))
            return NULL;
        part->outcomes[part->n_outcomes++] = copy_outcome(at, header.size, header.count);
        uint64_t padded = (header.size + 7) & ~7ul;
        at += padded < (size_t)(end - at) ? padded : (size_t)(end - at);
    }
    qsort(part->outcomes, n, sizeof *part->outcomes, compare_any);
    return at;
}

static void merge_outcomes(struct sm_part *to, const struct sm_part *part)
{
    struct sm_part_outcome *all = sm_new((to->n_outcomes + part->n_outcomes + 1) * sizeof *all);
    uint32_t n = 0, i = 0, j = 0;
    while (i < to->n_outcomes || j < part->n_outcomes) {
        const struct sm_part_outcome *other = &part->outcomes[j];
        int order = i == to->n_outcomes     ? 1
                    : j == part->n_outcomes ? -1
                                            : compare(&to->outcomes[i], other);
        all[n] =
            order <= 0 ? to->outcomes[i++] : copy_outcome(other->text, other->size, other->count);
        all[n++].count += order ? 0 : other->count;
        j += order >= 0;
    }
    free(to->outcomes);
    to->outcomes = all;
    to->n_outcomes = n;
}

/* ---- parts ---- */

void sm_part_take(struct sm_part *part, const struct sm_control *control,
                  const struct sm_explored_saved *counted, const char *outcomes, const char *end)
{
    const struct sm_explored *explored = &control->explored;
    *part = (struct sm_part){.executions = counted->executions,
                             .blocked = counted->blocked,
                             .stands_for = counted->stands_for,
                             .iterations = explored->iterations,
                             .states = explored->states,
                             .writes = explored->writes,
                             .cut = explored->cut,
                             .weak = explored->weak,
                             .sampled = explored->sampled,
                             .unseen = explored->unseen,
                             .n_races = control->n_races,
                             .n_outcomes = explored->n_outcomes};
    part->races = sm_copy_bytes(control->races, control->n_races * sizeof *part->races);
    read_outcomes(part, outcomes, end);
}

void sm_part_add(struct sm_part *to, const struct sm_part *part)
{
    to->executions += part->executions;
    to->blocked += part->blocked;
    to->stands_for = part->stands_for < SM_MOST_STOOD_FOR - to->stands_for
                         ? to->stands_for + part->stands_for
                         : SM_MOST_STOOD_FOR;
    to->iterations = part->iterations ? part->iterations : to->iterations;
    to->states = part->states ? part->states : to->states;
    to->writes = part->writes ? part->writes : to->writes;
    to->cut |= part->cut;
    to->weak |= part->weak;
    to->sampled |= part->sampled;
    to->unseen = part->unseen ? part->unseen : to->unseen;
    for (uint32_t i = 0; i < part->n_races; i++)
        add_race(to, &part->races[i]);
    merge_outcomes(to, part);
}

static void subtract_outcomes(struct sm_part *from, const struct sm_part *before)
{
    uint32_t n = 0;
    for (uint32_t i = 0, j = 0; i < from->n_outcomes; i++) {
        struct sm_part_outcome *outcome = &from->outcomes[i];
        while (j < before->n_outcomes && compare(&before->outcomes[j], outcome) < 0)
            j++;
        if (j < before->n_outcomes && compare(&before->outcomes[j], outcome) == 0)
            outcome->count -= before->outcomes[j].count;
        if (outcome->count)
            from->outcomes[n++] = *outcome;
        else
            free(outcome->text);
    }
    from->n_outcomes = n;
}

void sm_part_subtract(struct sm_part *from, const struct sm_part *before)
{
    uint32_t n = 0;
    from->executions -= before->executions;
    from->blocked -= before->blocked;
    if (from->stands_for < SM_MOST_STOOD_FOR)
        from->stands_for -= before->stands_for;
    for (uint32_t i = 0; i < from->n_races; i++) {
        const struct sm_race *old = find_race(before, &from->races[i]);
        from->races[i].count -= old ? old->count : 0;
        if (from->races[i].count)
            from->races[n++] = from->races[i];
    }
    from->n_races = n;
    subtract_outcomes(from, before);
}

void sm_part_free(struct sm_part *part)
{
    for (uint32_t i = 0; i < part->n_outcomes; i++)
        free(part->outcomes[i].text);
    free(part->outcomes);
    free(part->races);
    *part = (struct sm_part){0};
}

/* ---- files ---- */

struct head {
    uint64_t magic, size, hash; /* hash: of what follows it */
    struct sm_part part;        /* pointers have no meaning in a file */
    uint64_t n_rest;
};

static void write_outcomes(const struct sm_part *part, struct sm_buffer *to)
{
    static const char zeros[8];
    for (uint32_t i = 0; i < part->n_outcomes; i++) {
        const struct sm_part_outcome *outcome = &part->outcomes[i];
        struct sm_explored_outcome header = {outcome->count, outcome->size};
        sm_buffer_add(to, &header, sizeof header);
        sm_buffer_add(to, outcome->text, outcome->size);
        sm_buffer_add(to, zeros, -outcome->size & 7);
    }
}

static uint64_t hash_head(const char *head, size_t size)
{
    size_t after = offsetof(struct head, part);
    return XXH64(head + after, size - after, 0);
}

void sm_part_file_write(struct sm_part_file *file, struct sm_buffer *to)
{
    struct head head = {.magic = MAGIC, .part = file->part, .n_rest = file->n_rest};
    size_t rest = file->n_rest * sizeof *file->rest;
    head.part.races = NULL;
    head.part.outcomes = NULL;
    to->size = 0;
    sm_buffer_add(to, &head, sizeof head);
    sm_buffer_add(to, file->part.races, file->part.n_races * sizeof *file->part.races);
    write_outcomes(&file->part, to);
    uint64_t offset = file->head_size = to->size + rest;
    for (uint64_t i = 0; i < file->n_rest; i++) {
        struct sm_left_over *left = &file->rest[i], written;
        left->offset = offset;
        left->hash = XXH64(left->bytes, left->size, 0);
        offset += left->size;
        written = *left;
        written.bytes = NULL;
        sm_buffer_add(to, &written, sizeof written);
    }
    head.size = to->size;
    memcpy(to->data, &head, sizeof head);
    head.hash = hash_head(to->data, to->size);
    memcpy(to->data, &head, sizeof head);
    for (uint64_t i = 0; i < file->n_rest; i++)
        sm_buffer_add(to, file->rest[i].bytes, file->rest[i].size);
}

/* False: there are too few bytes. */
static bool read_at(int fd, void *to, size_t size, uint64_t offset)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = pread(fd, (char *)to + done, size - done, (off_t)(offset + done));
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

static bool parse(struct sm_part_file *file, const char *bytes, const struct head *head)
{
    const char *at = bytes + sizeof *head, *end = bytes + head->size;
    uint64_t races = head->part.n_races * sizeof *file->part.races;
    file->part = head->part;
    file->part.races = NULL;
    if (races > (size_t)(end - at)) {
        file->part.n_outcomes = file->part.n_races = 0;
        return false;
    }
    file->part.races = sm_copy_bytes(at, races);
    at = read_outcomes(&file->part, at + races, end);
    file->n_rest = head->n_rest;
    file->head_size = head->size;
    if (!at || (size_t)(end - at) != head->n_rest * sizeof *file->rest)
        return false;
    file->rest = sm_copy_bytes(at, (size_t)(end - at));
    return true;
}

static bool read_head(struct sm_part_file *file, int fd)
{
    struct stat status;
    struct head head;
    if (fstat(fd, &status) != 0 || !read_at(fd, &head, sizeof head, 0) || head.magic != MAGIC ||
        head.size < sizeof head || head.size > (uint64_t)status.st_size)
        return false;
    char *bytes = sm_new(head.size);
    bool ok = read_at(fd, bytes, head.size, 0) && hash_head(bytes, head.size) == head.hash &&
              parse(file, bytes, &head);
    free(bytes);
    return ok;
}

bool sm_part_file_read(struct sm_part_file *file, const char *path, struct sm_error *error)
{
    *file = (struct sm_part_file){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT
                   ? false
                   : sm_fail(error, SM_STATUS_USAGE, "cannot read %s: %s", path, strerror(errno));
    bool ok = read_head(file, fd);
    close(fd);
    if (!ok)
        sm_part_file_free(file);
    return ok || sm_fail(error, SM_STATUS_USAGE,
                         "%s is damaged; remove its directory of parcels and explore again", path);
}

void sm_part_file_free(struct sm_part_file *file)
{
    sm_part_free(&file->part);
    free(file->rest);
    *file = (struct sm_part_file){0};
}

bool sm_part_file_parcel(const struct sm_left_over *parcel, const char *path,
                         struct sm_buffer *bytes)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *block = sm_new(parcel->size + 1);
    bool ok = fd >= 0 && read_at(fd, block, parcel->size, parcel->offset) &&
              XXH64(block, parcel->size, 0) == parcel->hash;
    if (fd >= 0)
        close(fd);
    bytes->size = 0;
    if (ok)
        sm_buffer_add(bytes, block, parcel->size);
    free(block);
    return ok;
}
