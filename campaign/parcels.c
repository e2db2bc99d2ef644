#include "campaign/parcels.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/now.h"
#include "campaign/lease.h"

#define BEAT_PERIOD 0.5    /* seconds */
#define MISSED_SECONDS 2.0 /* a parcel has no entry: its worker may be about to make one */
#define START "start"
#define ROOT "root"
enum { PATH_SIZE = 4096 };

/* An entry of todo or busy. */
struct parcel_entry {
    char name[SM_PARCEL_NAME_SIZE], parent[SM_PARCEL_NAME_SIZE];
    char worker[SM_PARCEL_NAME_SIZE]; /* busy */
    double left;
};

/* A parcel that a result of this round names. */
struct named_parcel {
    char name[SM_PARCEL_NAME_SIZE], parent[SM_PARCEL_NAME_SIZE];
    double left, missed; /* missed: since when it has no entry; 0: it has one */
    bool done;
};

struct sm_parcels {
    char *directory;
    char worker[SM_PARCEL_NAME_SIZE];
    uint64_t made; /* names */
    unsigned round;
    bool claims;
    struct parcel_entry claimed;
    struct sm_beat beat;
    double last_beat;
    struct sm_leases leases;
    struct named_parcel *named;
    size_t n_named, n_done;
    struct sm_part sum; /* of those done */
};

/* ---- paths ---- */

static void in_round(const struct sm_parcels *parcels, char path[PATH_SIZE], const char *folder,
                     const char *name)
{
    snprintf(path, PATH_SIZE, "%s/round-%u/%s/%s", parcels->directory, parcels->round, folder,
             name);
}

static void in_directory(const struct sm_parcels *parcels, char path[PATH_SIZE], const char *folder,
                         const char *name)
{
    snprintf(path, PATH_SIZE, "%s/%s/%s", parcels->directory, folder, name);
}

static void entry_path(const struct sm_parcels *parcels, char path[PATH_SIZE],
                       const struct parcel_entry *entry, const char *worker)
{
    char name[256];
    snprintf(name, sizeof name, "%s,%s,%.0f%s%s", entry->name, entry->parent, entry->left,
             worker ? "@" : "", worker ? worker : "");
    in_round(parcels, path, worker ? "busy" : "todo", name);
}

static bool parse_entry(const char *text, struct parcel_entry *entry)
{
    *entry = (struct parcel_entry){0};
    return sscanf(text, "%39[^,],%39[^,],%lf@%39s", entry->name, entry->parent, &entry->left,
                  entry->worker) >= 3;
}

static bool is_done(const struct sm_parcels *parcels, const char *name)
{
    char path[PATH_SIZE];
    in_round(parcels, path, "done", name);
    return access(path, F_OK) == 0;
}

static bool complain(struct sm_error *error, const char *what, const char *path)
{
    return sm_fail(error, SM_STATUS_USAGE,
                   "cannot %s %s: %s; when that is mended, start the command again: it goes on "
                   "from what is there",
                   what, path, strerror(errno));
}

/* ---- files ---- */

static bool write_all(int fd, const char *bytes, size_t size)
{
    while (size) {
        ssize_t n = write(fd, bytes, size);
        if (n < 0)
            return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

static bool write_file(const char *path, const struct sm_buffer *text, struct sm_error *error)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool ok = fd >= 0 && write_all(fd, text->data, text->size) && fsync(fd) == 0;
    int reason = errno;
    if (fd >= 0 && close(fd) != 0 && ok) {
        reason = errno;
        ok = false;
    }
    errno = reason;
    if (!ok)
        complain(error, "write", path);
    if (!ok && fd >= 0)
        unlink(path);
    return ok;
}

/* NFS may repeat a call whose answer was lost: then the link exists, and it is ours. */
static bool link_file(const char *from, const char *to)
{
    struct stat status;
    if (link(from, to) == 0)
        return true;
    int reason = errno;
    bool ours = stat(from, &status) == 0 && status.st_nlink > 1;
    errno = reason;
    return ours;
}

/* False without an error: it exists. */
static bool put_file(const struct sm_parcels *parcels, const char *path,
                     const struct sm_buffer *text, struct sm_error *error)
{
    char tmp[PATH_SIZE], name[64];
    snprintf(name, sizeof name, "%s.tmp", parcels->worker);
    in_directory(parcels, tmp, "tmp", name);
    if (!write_file(tmp, text, error))
        return false;
    bool ok = link_file(tmp, path);
    if (!ok && errno != EEXIST)
        complain(error, "write", path);
    unlink(tmp);
    return ok;
}

static bool read_text(const char *path, struct sm_buffer *text)
{
    char chunk[1 << 14];
    ssize_t n;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    text->size = 0;
    while ((n = read(fd, chunk, sizeof chunk)) > 0)
        sm_buffer_add(text, chunk, (size_t)n);
    close(fd);
    if (!text->data)
        sm_buffer_add(text, "", 0);
    return n == 0;
}

/* ---- the plan ---- */

void sm_parcels_plan_free(struct sm_parcels_plan *plan)
{
    sm_buffer_free(&plan->lines);
    sm_buffer_free(&plan->input);
    sm_list_free(&plan->environment);
}

bool sm_parcels_read_plan(const char *directory, struct sm_parcels_plan *plan,
                          struct sm_error *error)
{
    char path[PATH_SIZE];
    struct sm_buffer environment = {0};
    *plan = (struct sm_parcels_plan){0};
    snprintf(path, sizeof path, "%s/plan", directory);
    if (!read_text(path, &plan->lines))
        return errno == ENOENT ? false : complain(error, "read", path);
    snprintf(path, sizeof path, "%s/input", directory);
    if (!read_text(path, &plan->input))
        return complain(error, "read", path);
    snprintf(path, sizeof path, "%s/environment", directory);
    if (!read_text(path, &environment))
        return complain(error, "read", path);
    for (size_t at = 0; at < environment.size; at += strlen(environment.data + at) + 1)
        sm_list_add(&plan->environment, environment.data + at);
    sm_buffer_free(&environment);
    return true;
}

static size_t line_length(const char *line)
{
    return strcspn(line, "\n");
}

static const char *next_line(const char *line)
{
    line += line_length(line);
    return *line ? line + 1 : line;
}

/* "key value": the first line that differs is named. */
static bool compare_plans(const char *directory, const char *theirs, const char *ours,
                          struct sm_error *error)
{
    while (*theirs || *ours) {
        size_t n = line_length(theirs);
        if (n != line_length(ours) || strncmp(theirs, ours, n) != 0)
            return sm_fail(error, SM_STATUS_USAGE,
                           "%s was made for another exploration: there '%.*s', here '%.*s'; give "
                           "another directory, or the program and options that it was made for",
                           directory, (int)(n < 300 ? n : 300), theirs,
                           (int)(line_length(ours) < 300 ? line_length(ours) : 300), ours);
        theirs = next_line(theirs);
        ours = next_line(ours);
    }
    return true;
}

/* ---- making ---- */

static bool make(const char *base, const char *name, struct sm_error *error)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", base, name);
    return mkdir(path, 0777) == 0 || complain(error, "make", path);
}

/* A round with one parcel, in a directory that no other worker knows. */
static bool fill_round(const char *base, const void *bytes, size_t size, struct sm_error *error)
{
    char path[PATH_SIZE];
    struct sm_buffer text = {0};
    struct sm_left_over root = {.name = ROOT, .size = size, .bytes = bytes};
    struct sm_part_file file = {.rest = &root, .n_rest = 1};
    sm_part_file_write(&file, &text);
    snprintf(path, sizeof path, "%s/done/" START, base);
    bool ok = make(base, "todo", error) && make(base, "busy", error) && make(base, "done", error) &&
              write_file(path, &text, error);
    sm_buffer_free(&text);
    if (!ok)
        return false;
    snprintf(path, sizeof path, "%s/todo/" ROOT "," START ",0", base);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd >= 0)
        close(fd);
    return fd >= 0 || complain(error, "make", path);
}

static void remove_all(const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *item;
    while (folder && (item = readdir(folder))) {
        char inner[PATH_SIZE];
        if (strcmp(item->d_name, ".") == 0 || strcmp(item->d_name, "..") == 0)
            continue;
        snprintf(inner, sizeof inner, "%s/%s", path, item->d_name);
        if (unlink(inner) != 0)
            remove_all(inner);
    }
    if (folder)
        closedir(folder);
    rmdir(path);
}

/* rename(2) does not replace a directory that is not empty: only one worker succeeds. */
static bool put_directory(const char *from, const char *to, struct sm_error *error)
{
    if (rename(from, to) == 0)
        return true;
    bool there = errno == ENOTEMPTY || errno == EEXIST;
    if (!there)
        complain(error, "make", to);
    remove_all(from);
    return there;
}

static bool write_plan(const char *base, const struct sm_parcels_plan *plan, struct sm_error *error)
{
    char path[PATH_SIZE];
    struct sm_buffer environment = {0};
    for (size_t i = 0; i < plan->environment.n; i++)
        sm_buffer_add(&environment, plan->environment.items[i],
                      strlen(plan->environment.items[i]) + 1);
    snprintf(path, sizeof path, "%s/environment", base);
    bool ok = write_file(path, &environment, error);
    snprintf(path, sizeof path, "%s/input", base);
    ok = ok && write_file(path, &plan->input, error);
    snprintf(path, sizeof path, "%s/plan", base);
    ok = ok && write_file(path, &plan->lines, error);
    sm_buffer_free(&environment);
    return ok;
}

/* mkdtemp(3) gives access to the owner only; this is what mkdir(2) would have given. */
static void open_to_all(const char *path)
{
    mode_t mask = umask(0);
    umask(mask);
    chmod(path, 0777 & ~mask);
}

static bool make_directory(const char *directory, const struct sm_parcels_plan *plan,
                           struct sm_error *error)
{
    static const char *const folders[] = {"workers", "asks", "violations", "tmp", "round-1"};
    char *base = sm_print("%s.XXXXXX", directory), path[PATH_SIZE];
    bool ok = mkdtemp(base) || complain(error, "make", base);
    if (ok) {
        open_to_all(base);
        for (size_t i = 0; ok && i < sizeof folders / sizeof *folders; i++)
            ok = make(base, folders[i], error);
        snprintf(path, sizeof path, "%s/round-1", base);
        ok = ok && fill_round(path, NULL, 0, error) && write_plan(base, plan, error);
        if (ok)
            ok = put_directory(base, directory, error);
        else
            remove_all(base);
    }
    free(base);
    return ok;
}

static void name_worker(struct sm_parcels *parcels)
{
    uint64_t random = 0;
    if (getrandom(&random, sizeof random, 0) != sizeof random)
        random = (uint64_t)getpid() << 32 ^ (uint64_t)(sm_now() * 1e9);
    snprintf(parcels->worker, sizeof parcels->worker, "%016" PRIx64, random);
}

static bool join(struct sm_parcels *parcels, struct sm_error *error)
{
    char path[PATH_SIZE];
    struct sm_buffer nothing = {0};
    in_directory(parcels, path, "workers", parcels->worker);
    if (!sm_beat_write(path, &parcels->beat))
        return complain(error, "write", path);
    in_directory(parcels, path, "asks", parcels->worker);
    return write_file(path, &nothing, error);
}

/* Any existing one, also of another worker: the plan says what it is. */
static bool agree(const char *directory, const struct sm_parcels_plan *plan, struct sm_error *error)
{
    struct sm_parcels_plan theirs;
    bool ok = sm_parcels_read_plan(directory, &theirs, error);
    if (!ok && !error->status)
        sm_fail(error, SM_STATUS_USAGE,
                "%s is no directory of parcels: there is no file 'plan' in it; give one that does "
                "not exist yet",
                directory);
    ok = ok && compare_plans(directory, theirs.lines.data, plan->lines.data, error);
    sm_parcels_plan_free(&theirs);
    return ok;
}

static void begin_round(struct sm_parcels *parcels);

struct sm_parcels *sm_parcels_open(const char *directory, const struct sm_parcels_plan *plan,
                                   double lease, struct sm_error *error)
{
    struct sm_parcels *parcels = sm_new(sizeof *parcels);
    struct stat status;
    parcels->directory = sm_copy_text(directory);
    parcels->leases.seconds = lease;
    name_worker(parcels);
    sm_beat_init(&parcels->beat);
    bool ok = stat(directory, &status) == 0 || make_directory(directory, plan, error);
    if (ok && agree(directory, plan, error) && join(parcels, error)) {
        begin_round(parcels);
        return parcels;
    }
    sm_parcels_close(parcels);
    return NULL;
}

void sm_parcels_close(struct sm_parcels *parcels)
{
    char path[PATH_SIZE];
    if (!parcels)
        return;
    sm_parcels_release(parcels);
    in_directory(parcels, path, "workers", parcels->worker);
    unlink(path);
    in_directory(parcels, path, "asks", parcels->worker);
    unlink(path);
    sm_leases_free(&parcels->leases);
    sm_part_free(&parcels->sum);
    free(parcels->named);
    free(parcels->directory);
    free(parcels);
}

/* ---- what is named, and what is done ---- */

static void name_parcel(struct sm_parcels *parcels, const char *name, const char *parent,
                        double left)
{
    parcels->named = sm_resize(parcels->named, (parcels->n_named + 1) * sizeof *parcels->named);
    struct named_parcel *new = &parcels->named[parcels->n_named++];
    *new = (struct named_parcel){.left = left};
    snprintf(new->name, sizeof new->name, "%s", name);
    snprintf(new->parent, sizeof new->parent, "%s", parent);
}

static void begin_round(struct sm_parcels *parcels)
{
    char path[PATH_SIZE];
    do {
        snprintf(path, sizeof path, "%s/round-%u", parcels->directory, ++parcels->round + 1);
    } while (access(path, F_OK) == 0);
    parcels->n_named = parcels->n_done = 0;
    parcels->claims = false;
    sm_part_free(&parcels->sum);
    name_parcel(parcels, START, START, 0);
}

static bool is_over(const struct sm_parcels *parcels)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/round-%u", parcels->directory, parcels->round + 1);
    return access(path, F_OK) == 0;
}

static bool take_result(struct sm_parcels *parcels, size_t i, struct sm_error *error)
{
    char path[PATH_SIZE], name[SM_PARCEL_NAME_SIZE];
    struct sm_part_file file;
    in_round(parcels, path, "done", parcels->named[i].name);
    if (!sm_part_file_read(&file, path, error))
        return false;
    memcpy(name, parcels->named[i].name, sizeof name);
    parcels->named[i].done = true;
    parcels->n_done++;
    sm_part_add(&parcels->sum, &file.part);
    for (uint64_t k = 0; k < file.n_rest; k++)
        name_parcel(parcels, file.rest[k].name, name, file.rest[k].left);
    sm_part_file_free(&file);
    return true;
}

/* Parcels come after the result that names them, so one pass finds all. */
static bool look_at_results(struct sm_parcels *parcels, struct sm_error *error)
{
    for (size_t i = 0; i < parcels->n_named; i++)
        if (!parcels->named[i].done && !take_result(parcels, i, error) && error->status)
            return false;
    return true;
}

bool sm_parcels_are_done(const struct sm_parcels *parcels)
{
    return parcels->n_done == parcels->n_named;
}

/* ---- entries ---- */

struct parcel_entries {
    struct parcel_entry *all;
    size_t n;
};

static void list(const struct sm_parcels *parcels, const char *folder,
                 struct parcel_entries *entries)
{
    char path[PATH_SIZE];
    struct parcel_entry entry;
    struct dirent *item;
    in_round(parcels, path, folder, "");
    DIR *open = opendir(path);
    while (open && (item = readdir(open))) {
        if (!parse_entry(item->d_name, &entry))
            continue;
        entries->all = sm_resize(entries->all, (entries->n + 1) * sizeof *entries->all);
        entries->all[entries->n++] = entry;
    }
    if (open)
        closedir(open);
}

static bool has(const struct parcel_entries *entries, const char *name)
{
    for (size_t i = 0; i < entries->n; i++)
        if (strcmp(entries->all[i].name, name) == 0)
            return true;
    return false;
}

static bool make_entry(const struct sm_parcels *parcels, const struct parcel_entry *entry,
                       const char *worker)
{
    char path[PATH_SIZE];
    entry_path(parcels, path, entry, worker);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static void drop_entry(const struct sm_parcels *parcels, const struct parcel_entry *entry,
                       const char *worker)
{
    char path[PATH_SIZE];
    entry_path(parcels, path, entry, worker);
    unlink(path);
}

/* For any worker, unless it is done. */
static void give_back(const struct sm_parcels *parcels, const struct parcel_entry *entry,
                      const char *worker)
{
    char from[PATH_SIZE], to[PATH_SIZE];
    entry_path(parcels, from, entry, worker);
    entry_path(parcels, to, entry, NULL);
    if (is_done(parcels, entry->name))
        unlink(from);
    else
        rename(from, to);
}

static void bury_the_dead(struct sm_parcels *parcels, const struct parcel_entries *busy)
{
    for (size_t i = 0; i < busy->n; i++) {
        char path[PATH_SIZE];
        const struct parcel_entry *entry = &busy->all[i];
        if (strcmp(entry->worker, parcels->worker) == 0)
            continue;
        in_directory(parcels, path, "workers", entry->worker);
        if (!sm_lease_is_over(&parcels->leases, entry->worker, path))
            continue;
        give_back(parcels, entry, entry->worker);
        unlink(path);
        in_directory(parcels, path, "asks", entry->worker);
        unlink(path);
        snprintf(path, sizeof path, "%s/tmp/%s.tmp", parcels->directory, entry->worker);
        unlink(path);
    }
}

static void find_missing(struct sm_parcels *parcels, const struct parcel_entries *todo,
                         const struct parcel_entries *busy)
{
    for (size_t i = 0; i < parcels->n_named; i++) {
        struct named_parcel *named = &parcels->named[i];
        if (named->done || has(todo, named->name) || has(busy, named->name)) {
            named->missed = 0;
            continue;
        }
        named->missed = named->missed > 0 ? named->missed : sm_now();
        if (sm_now() - named->missed < MISSED_SECONDS)
            continue;
        struct parcel_entry entry = {.left = named->left};
        memcpy(entry.name, named->name, sizeof entry.name);
        memcpy(entry.parent, named->parent, sizeof entry.parent);
        make_entry(parcels, &entry, NULL);
        named->missed = 0;
    }
}

/* ---- claiming ---- */

/* The largest first; one of unknown size may be of any size. */
static int compare_sizes(const void *a, const void *b)
{
    const struct parcel_entry *first = a, *second = b;
    double x = first->left > 0 ? first->left : 1e300, y = second->left > 0 ? second->left : 1e300;
    return (x < y) - (x > y);
}

static bool read_parcel(const struct sm_parcels *parcels, const struct parcel_entry *entry,
                        struct sm_buffer *bytes, struct sm_error *error)
{
    char path[PATH_SIZE];
    struct sm_part_file file;
    bool ok = false;
    in_round(parcels, path, "done", entry->parent);
    if (!sm_part_file_read(&file, path, error))
        return false;
    for (uint64_t i = 0; i < file.n_rest; i++)
        if (strcmp(file.rest[i].name, entry->name) == 0)
            ok = sm_part_file_parcel(&file.rest[i], path, bytes);
    sm_part_file_free(&file);
    if (ok || is_done(parcels, entry->name))
        return ok;
    return sm_fail(error, SM_STATUS_USAGE,
                   "%s is damaged: it lacks the parcel %s; remove %s and explore again", path,
                   entry->name, parcels->directory);
}

/* False without an error: another worker has it, or it is done. */
static bool take(struct sm_parcels *parcels, const struct parcel_entry *entry,
                 struct sm_buffer *bytes, struct sm_error *error)
{
    char from[PATH_SIZE], to[PATH_SIZE];
    entry_path(parcels, from, entry, NULL);
    entry_path(parcels, to, entry, parcels->worker);
    if (rename(from, to) != 0 && access(to, F_OK) != 0)
        return false;
    if (is_done(parcels, entry->name) || !read_parcel(parcels, entry, bytes, error)) {
        unlink(to);
        return false;
    }
    parcels->claims = true;
    parcels->claimed = *entry;
    return true;
}

static bool take_one(struct sm_parcels *parcels, struct parcel_entries *todo,
                     struct sm_buffer *bytes, struct sm_error *error)
{
    if (todo->n)
        qsort(todo->all, todo->n, sizeof *todo->all, compare_sizes);
    for (size_t i = 0; i < todo->n; i++)
        if (take(parcels, &todo->all[i], bytes, error))
            return true;
        else if (error->status)
            return false;
    return false;
}

enum sm_claim sm_parcels_claim(struct sm_parcels *parcels, struct sm_buffer *bytes,
                               struct sm_error *error)
{
    struct parcel_entries todo = {0}, busy = {0};
    enum sm_claim claim = SM_CLAIM_NOTHING;
    if (is_over(parcels))
        begin_round(parcels);
    list(parcels, "todo", &todo);
    if (take_one(parcels, &todo, bytes, error)) {
        claim = SM_CLAIM_PARCEL;
        sm_parcels_beat(parcels, 0, parcels->claimed.left);
    } else if (error->status || !look_at_results(parcels, error)) {
        claim = SM_CLAIM_ERROR;
    } else if (sm_parcels_are_done(parcels) && !is_over(parcels)) {
        claim = SM_CLAIM_END;
    } else {
        list(parcels, "busy", &busy);
        bury_the_dead(parcels, &busy);
        find_missing(parcels, &todo, &busy);
    }
    free(todo.all);
    free(busy.all);
    return claim;
}

void sm_parcels_release(struct sm_parcels *parcels)
{
    if (parcels->claims)
        give_back(parcels, &parcels->claimed, parcels->worker);
    parcels->claims = false;
}

/* ---- committing ---- */

/* Truncates the parent's file once all its parcels are done. */
static void cut_parent(const struct sm_parcels *parcels, const char *parent)
{
    char path[PATH_SIZE];
    struct sm_part_file file;
    struct sm_error ignored = {0};
    bool all = true;
    in_round(parcels, path, "done", parent);
    if (!sm_part_file_read(&file, path, &ignored))
        return;
    for (uint64_t i = 0; all && i < file.n_rest; i++)
        all = is_done(parcels, file.rest[i].name);
    int cut = all ? truncate(path, (off_t)file.head_size) : 0;
    (void)cut; /* what stays only takes space */
    sm_part_file_free(&file);
}

/* The first belongs to this worker, the others to any. If there is no space for an entry,
   find_missing makes it later. */
static void enter_rest(struct sm_parcels *parcels, const struct sm_left_over *rest, size_t n,
                       const char *parent)
{
    parcels->claims = n > 0;
    for (size_t i = 0; i < n; i++) {
        struct parcel_entry entry = {.left = rest[i].left};
        memcpy(entry.name, rest[i].name, sizeof entry.name);
        snprintf(entry.parent, sizeof entry.parent, "%s", parent);
        make_entry(parcels, &entry, i ? NULL : parcels->worker);
        if (i == 0)
            parcels->claimed = entry;
    }
}

bool sm_parcels_commit(struct sm_parcels *parcels, const struct sm_part *part,
                       struct sm_left_over *rest, size_t n, struct sm_error *error)
{
    char path[PATH_SIZE];
    struct sm_buffer text = {0};
    struct sm_part_file file = {.part = *part, .rest = rest, .n_rest = n};
    const struct parcel_entry before = parcels->claimed;
    for (size_t i = 0; i < n; i++)
        snprintf(rest[i].name, sizeof rest[i].name, "%s-%" PRIu64, parcels->worker,
                 ++parcels->made);
    sm_part_file_write(&file, &text);
    in_round(parcels, path, "done", before.name);
    bool ok = put_file(parcels, path, &text, error);
    sm_buffer_free(&text);
    if (!ok && error->status)
        return false;
    drop_entry(parcels, &before, parcels->worker);
    parcels->claims = false;
    if (ok) {
        enter_rest(parcels, rest, n, before.name);
        cut_parent(parcels, before.parent);
    }
    parcels->last_beat = 0;
    return ok;
}

bool sm_parcels_begin_again(struct sm_parcels *parcels, const void *bytes, size_t size,
                            struct sm_error *error)
{
    char *base = sm_print("%s/tmp/%s.XXXXXX", parcels->directory, parcels->worker);
    char *to = sm_print("%s/round-%u", parcels->directory, parcels->round + 1);
    bool ok = mkdtemp(base) || complain(error, "make", base);
    if (ok)
        open_to_all(base);
    ok = ok && fill_round(base, bytes, size, error) && put_directory(base, to, error);
    free(base);
    free(to);
    if (ok)
        begin_round(parcels);
    return ok;
}

/* ---- workers among themselves ---- */

static void write_beat(struct sm_parcels *parcels, uint64_t executions, double left)
{
    char path[PATH_SIZE];
    parcels->last_beat = sm_now();
    parcels->beat.executions = executions;
    parcels->beat.left = left;
    snprintf(parcels->beat.parcel, sizeof parcels->beat.parcel, "%s",
             parcels->claims ? parcels->claimed.name : "-");
    in_directory(parcels, path, "workers", parcels->worker);
    sm_beat_write(path, &parcels->beat); /* on a full disk it is overwritten in place */
}

bool sm_parcels_beat(struct sm_parcels *parcels, uint64_t executions, double left)
{
    char path[PATH_SIZE];
    if (sm_now() - parcels->last_beat > BEAT_PERIOD)
        write_beat(parcels, executions, left);
    if (!parcels->claims)
        return true;
    entry_path(parcels, path, &parcels->claimed, parcels->worker);
    return !is_over(parcels) && access(path, F_OK) == 0;
}

bool sm_parcels_is_asked(struct sm_parcels *parcels)
{
    char path[PATH_SIZE], name[SM_PARCEL_NAME_SIZE] = "";
    in_directory(parcels, path, "asks", parcels->worker);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, name, sizeof name - 1);
    if (fd >= 0)
        close(fd);
    name[n > 0 ? n : 0] = 0;
    return parcels->claims && strcmp(name, parcels->claimed.name) == 0;
}

static bool is_asked(const char *path, const char *parcel)
{
    struct sm_buffer text = {0};
    bool asked = read_text(path, &text) && strcmp(text.data, parcel) == 0;
    sm_buffer_free(&text);
    return asked;
}

/* Only those that were not asked yet. */
void sm_parcels_ask(struct sm_parcels *parcels)
{
    char path[PATH_SIZE], best_path[PATH_SIZE];
    struct parcel_entries busy = {0};
    struct sm_beat best = {.left = -1};
    list(parcels, "busy", &busy);
    for (size_t i = 0; i < busy.n; i++) {
        struct sm_beat beat;
        in_directory(parcels, path, "workers", busy.all[i].worker);
        if (!sm_beat_read(path, &beat) || strcmp(beat.parcel, busy.all[i].name) != 0)
            continue;
        beat.left = beat.left > 0 ? beat.left : 1e300;
        in_directory(parcels, path, "asks", busy.all[i].worker);
        if (beat.left <= best.left || is_asked(path, beat.parcel))
            continue;
        best = beat;
        memcpy(best_path, path, sizeof best_path);
    }
    free(busy.all);
    int fd = best.left > 0 ? open(best_path, O_WRONLY | O_TRUNC | O_CLOEXEC) : -1;
    if (fd >= 0) {
        (void)!write(fd, best.parcel, strlen(best.parcel));
        close(fd);
    }
}

/* ---- sums ---- */

static void add_todo(struct sm_parcels *parcels, double *left)
{
    struct parcel_entries todo = {0};
    list(parcels, "todo", &todo);
    for (size_t i = 0; i < todo.n; i++)
        *left += todo.all[i].left;
    free(todo.all);
}

const struct sm_part *sm_parcels_sum(struct sm_parcels *parcels, uint64_t *executions, double *left,
                                     struct sm_error *error)
{
    char path[PATH_SIZE];
    struct parcel_entries busy = {0};
    if (is_over(parcels) && !parcels->claims)
        begin_round(parcels);
    if (!look_at_results(parcels, error))
        return NULL;
    *executions = parcels->sum.executions;
    *left = 0;
    add_todo(parcels, left);
    list(parcels, "busy", &busy);
    for (size_t i = 0; i < busy.n; i++) {
        struct sm_beat beat;
        in_directory(parcels, path, "workers", busy.all[i].worker);
        if (!sm_beat_read(path, &beat))
            continue;
        *executions += beat.executions;
        *left += beat.left;
    }
    free(busy.all);
    return &parcels->sum;
}

/* ---- violations ---- */

char *sm_parcels_violation(const struct sm_parcels *parcels, unsigned number, const char *ending)
{
    return sm_print("%s/violations/%s-%u.%s", parcels->directory, parcels->worker, number, ending);
}

bool sm_parcels_keep_violation(const struct sm_parcels *parcels, uint64_t key,
                               const struct sm_buffer *text, const char *witness,
                               struct sm_error *error)
{
    char *path = sm_print("%s/violations/%016" PRIx64 ".json", parcels->directory, key);
    bool kept = put_file(parcels, path, text, error);
    free(path);
    if (!kept)
        unlink(witness);
    return kept || !error->status;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool ends_in(const char *name, const char *ending)
{
    size_t n = strlen(name), m = strlen(ending);
    return n > m && strcmp(name + n - m, ending) == 0;
}

bool sm_parcels_violations(const struct sm_parcels *parcels, struct sm_list *texts)
{
    char path[PATH_SIZE];
    struct sm_list names = {0};
    struct sm_buffer text = {0};
    struct dirent *item;
    bool ok = true;
    in_directory(parcels, path, "violations", "");
    DIR *folder = opendir(path);
    while (folder && (item = readdir(folder)))
        if (ends_in(item->d_name, ".json"))
            sm_list_add(&names, item->d_name);
    if (folder)
        closedir(folder);
    if (names.n)
        qsort(names.items, names.n, sizeof *names.items, compare_texts);
    for (size_t i = 0; ok && i < names.n; i++) {
        in_directory(parcels, path, "violations", names.items[i]);
        ok = read_text(path, &text);
        if (ok)
            sm_list_add(texts, text.data);
    }
    sm_buffer_free(&text);
    sm_list_free(&names);
    return ok;
}
