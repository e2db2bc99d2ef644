/*
 * report.c - see report.h.
 */
#include "native/report.h"

#include <fcntl.h>
#include <string.h>

#include "abi/detect.h"
#include "base/module.h"
#include "base/sys.h"
#include "core/libc/callers.h"
#include "core/libc/descriptors.h"
#include "findings/suppressions.h"
#include "native/counters.h"
#include "native/finding.h"
#include "native/flags.h"
#include "native/known.h"
#include "native/modules.h"
#include "native/notes.h"
#include "native/uses.h"

uint64_t sm_counts[SM_DETECT_COUNTERS];

static uint32_t lock;       /* findings, ended histories */
static int driver_fd = -1;  /* -1: not started by `stalemate detect`: print text */
static int people_fd = 2;   /* where text for people goes */
static char log_path[4096]; /* empty: none */
static long logged_by;      /* the process that opened the log */
static long told_by;        /* the process that reported a race; under the lock */
static uint32_t n_parents;  /* races that the parent reported before the fork */

void sm_reports_lock(void)
{
    sm_lock_word(&lock, SM_LOCK_REPORTS);
}

void sm_reports_unlock(void)
{
    sm_unlock_word(&lock, SM_LOCK_REPORTS);
}

/* ---- the two sides ---- */

/* A thread marks a cell before it writes its history: the event may be about to appear. */
static bool find_event(const struct sm_collision *race, struct sm_side *side, uint64_t *position)
{
    enum { TRIES = 100 };
    for (unsigned i = 0; i < TRIES; i++) {
        if (sm_history_find(side->thread->history, race->other_epoch, race->addr, race->size,
                            race->other_kind & SM_ACCESS_WRITE, position, &side->site))
            return true;
        if (__atomic_load_n(&side->thread->ended, __ATOMIC_ACQUIRE)) /* its history is complete */
            return false;
        sm_syscall(SYS_sched_yield);
    }
    return false;
}

static bool is_of_call(const struct sm_site *site)
{
    return site == &sm_free_site || site == &sm_input_site || site == &sm_output_site ||
           site == &sm_use_site || site == &sm_life_site;
}

/* An access that a library call makes is reported at the call. */
static void name_call(struct sm_side *side)
{
    const struct sm_site *site = side->site;
    if (!is_of_call(site) || !side->trail.n)
        return;
    side->site = side->trail.frames[0];
    side->trail.n--;
    for (uint32_t i = 0; i < side->trail.n; i++)
        side->trail.frames[i] = side->trail.frames[i + 1];
}

/* The block that the access freed. */
static void find_block(const struct sm_side *side, uint64_t position,
                       struct sm_detected_race *finding)
{
    uintptr_t start;
    size_t usable;
    finding->in_heap = sm_history_range(side->thread->history, position, &start, &usable);
    if (finding->in_heap)
        sm_block_ended(start, usable, &finding->block);
}

static void find_first(const struct sm_collision *race, struct sm_detected_race *finding)
{
    struct sm_side *side = &finding->first;
    uint64_t position;
    *side = (struct sm_side){.thread = sm_thread_of_epoch(race->other_epoch),
                             .kind = race->other_kind,
                             .epoch = race->other_epoch};
    if (!find_event(race, side, &position)) {
        sm_count_event(SM_DETECT_NO_STACK);
        return;
    }
    sm_history_trail(side->thread->history, position, &side->trail);
    sm_history_locks(side->thread->history, position, &side->locks);
    if (side->site == &sm_free_site) {
        side->kind |= SM_ACCESS_FREE;
        find_block(side, position, finding);
    }
    name_call(side);
}

static void find_second(const struct sm_collision *race, struct sm_side *side)
{
    const struct sm_call_history *history = race->thread->history;
    *side = (struct sm_side){
        .thread = race->thread, .site = race->site, .kind = race->kind, .epoch = sm_own.epoch};
    sm_history_trail(history, history->n, &side->trail);
    sm_history_locks(history, history->n, &side->locks);
    name_call(side);
}

/* The name from a plain access is the best; a copy has a name for only one of its sides, and "*p"
   or "?[]" says how the memory was reached, not what it is. */
enum { NAME_NONE, NAME_FREED, NAME_COPIED, NAME_REACHED, NAME_PROPER };
static unsigned name_rank(const struct sm_site *site)
{
    if (!site || !*SM_SITE_TEXT(site, variable))
        return NAME_NONE;
    if (site == &sm_free_site)
        return NAME_FREED;
    bool copies =
        site->kind == SM_SITE_COPY || site->kind == SM_SITE_FILL || site->kind == SM_SITE_CALL;
    if (copies)
        return NAME_COPIED;
    return strpbrk(SM_SITE_TEXT(site, variable), "*?") ? NAME_REACHED : NAME_PROPER;
}

static bool is_called(const struct sm_global *global, const char *variable)
{
    size_t length = strlen(global->name);
    return strncmp(variable, global->name, length) == 0 && variable[length] == '[';
}

/* The element of an array, if the array's start is known: that of a global that the access names,
   or of a heap block, since a pointer to an array mostly points to the start of its block. */
static int64_t element_of(const struct sm_detected_race *finding, const struct sm_site *named)
{
    const struct sm_global *global = sm_global_at(finding->addr);
    if (!named->element || name_rank(named) < NAME_REACHED)
        return -1;
    if (global ? !is_called(global, SM_SITE_TEXT(named, variable)) : !finding->in_heap)
        return -1;
    uintptr_t start = global ? (uintptr_t)global->address : finding->block.start;
    return (int64_t)((finding->addr - start) / named->element);
}

/* If only library calls access it, or code by a pointer of which nothing is known: the name of the
   memory. */
static const char *name_of_memory(uintptr_t addr)
{
    static char descriptor[32]; /* under the lock */
    const struct sm_global *global = sm_global_at(addr);
    if (sm_descriptor_at(addr) < 0)
        return global ? global->name : "?";
    sm_format(descriptor, sizeof descriptor, SM_DESCRIPTOR_NAME, sm_descriptor_at(addr));
    return descriptor;
}

static void name_finding(struct sm_detected_race *finding)
{
    const struct sm_site *first = finding->first.site, *second = finding->second.site;
    const struct sm_site *named = name_rank(second) >= name_rank(first) ? second : first;
    const char *variable = named ? SM_SITE_TEXT(named, variable) : "";
    const char *memory = name_of_memory(finding->addr);
    bool better = !*variable || (strchr(variable, '?') && !strchr(memory, '?'));
    finding->variable = better ? memory : variable;
    finding->element = named ? element_of(finding, named) : -1;
}

/* ---- findings ---- */

/* Room for two stacks of long C++ names; pages that are not written are not touched. */
static struct report_output {
    struct sm_sink sink;
    char chars[1 << 20];
    size_t used;
} output; /* under the lock */

static void print(struct sm_sink *sink, const char *format, va_list arguments)
{
    struct report_output *to = (struct report_output *)sink;
    to->used += sm_vformat(to->chars + to->used, sizeof to->chars - to->used, format, arguments);
}

static struct sm_sink *empty_output(void)
{
    output.sink.print = print;
    output.used = 0;
    return &output.sink;
}

/* Each process has its own log, created when there is something to write. */
static int people(void)
{
    char name[sizeof log_path + 32];
    long process = sm_syscall(SYS_getpid);
    if (!*log_path || logged_by == process)
        return people_fd;
    sm_format(name, sizeof name, "%s.%ld", log_path, process);
    long fd = sm_syscall(SYS_open, name,
                         02001L | 0100L | 02000000L /* WRONLY APPEND CREAT CLOEXEC */, 0644L);
    logged_by = process;
    return people_fd = fd < 0 ? 2 : (int)fd;
}

void sm_reports_to(int fd, const char *path)
{
    sm_reports_lock();
    people_fd = fd;
    logged_by = 0;
    sm_format(log_path, sizeof log_path, "%s", path ? path : "");
    sm_reports_unlock();
}

const char *sm_reports_path(void)
{
    return log_path;
}

static void write_output(void)
{
    if (!output.used)
        return;
    int fd = driver_fd >= 0 ? driver_fd : people();
    for (size_t done = 0; done < output.used;) {
        long written = sm_syscall(SYS_write, (long)fd, output.chars + done, output.used - done);
        if (written <= 0)
            return;
        done += (size_t)written;
    }
}

static void told(void)
{
    told_by = sm_syscall(SYS_getpid);
    if (driver_fd < 0 && sm_flags.halt_on_error)
        sm_syscall(SYS_exit_group,
                   (long)(sm_flags.exitcode ? sm_flags.exitcode : SM_DETECT_STATUS));
}

/* For programs that are started directly; the command has its own. Under the lock. */
static struct sm_suppressions suppressions;
static uint32_t n_suppressed;

static void show(const struct sm_detected_race *finding)
{
    static struct sm_data_race race; /* under the lock */
    struct sm_sink *sink = empty_output();
    sm_finding_describe(finding, &race);
    if (driver_fd < 0 && sm_suppressions_match(&suppressions, &race)) {
        n_suppressed++;
        return;
    }
    if (driver_fd >= 0) {
        sm_sink_print(sink, "{\"process\":%ld,\"race\":", sm_syscall(SYS_getpid));
        sm_race_print_json(&race, sink);
        sm_sink_print(sink, "}\n");
    } else {
        sm_race_print_text(&race, "stalemate: ", sink);
    }
    write_output();
    told();
}

/* The contents of freed memory belong to libc. */
static bool read_memory(const struct sm_collision *race, struct sm_detected_race *finding)
{
    return !((finding->first.kind | finding->second.kind) & SM_ACCESS_FREE) &&
           sm_descriptor_at(race->addr) < 0 && race->size <= sizeof finding->memory &&
           sm_memory_copy(&finding->memory, race->addr, race->size);
}

static void tell_race(const struct sm_collision *race, struct sm_detected_race *finding,
                      uint32_t weight)
{
    struct sm_meeting meeting = {race->addr, {race->other_epoch, sm_own.epoch}};
    finding->has_memory = read_memory(race, finding);
    if (!sm_known_add(finding->first.site, finding->second.site, meeting, weight, &finding->number))
        return;
    sm_known_was_new(race->site, sm_epoch_slot(race->other_epoch));
    finding->in_heap = sm_block_find(race->addr, &finding->block);
    name_finding(finding);
    finding->advice = sm_finding_advice(finding);
    show(finding);
}

static void tell_freed(const struct sm_collision *race, struct sm_detected_race *finding)
{
    static struct sm_detected_harm harm; /* under the lock */
    name_finding(finding);
    sm_freed_describe(race, finding, &harm);
    sm_harm_found(&harm);
}

__attribute__((used)) void sm_race_found(const struct sm_collision *race)
{
    static struct sm_detected_race finding; /* under the lock */
    sm_thread_take_cancel(sm_current);
    if (sm_has_seen(sm_current, race->other_epoch))
        return;
    if (sm_note_benign(race->addr) || !sm_flags.report_bugs)
        return;
    uint32_t weight = sm_known_weight(race->site, sm_epoch_slot(race->other_epoch));
    if (!weight)
        return;
    sm_reports_lock();
    finding = (struct sm_detected_race){.addr = race->addr, .size = race->size};
    find_first(race, &finding);
    find_second(race, &finding.second);
    if (finding.first.kind & SM_ACCESS_FREE)
        tell_freed(race, &finding);
    else
        tell_race(race, &finding, weight);
    sm_reports_unlock();
}

/* ---- harm ---- */

static const uint8_t severities[] = {
    SM_SEVERITY_ERROR,
#define SM_FAILURE(name, word, severity, family, about, advice) SM_SEVERITY_##severity,
#include "abi/failures.def"
};
static uint32_t n_harms; /* those that count for the exit status; under the lock */

static bool is_wanted(enum sm_failure_kind kind)
{
    if (!sm_flags.report_bugs)
        return false;
    if (sm_harm_is_raced(kind))
        return true;
    return kind == SM_FAILURE_LOCK_ORDER ? sm_flags.detect_deadlocks : sm_flags.report_mutex_bugs;
}

/* A potential deadlock counts like a real one: no schedule is searched here in which it occurs. */
static bool is_counted(enum sm_failure_kind kind)
{
    return severities[kind] == SM_SEVERITY_ERROR || kind == SM_FAILURE_LOCK_ORDER;
}

/* False: suppressed. */
static bool show_harm(const struct sm_detected_harm *harm)
{
    static struct sm_harm_step steps[SM_HARM_SIDES]; /* under the lock */
    struct sm_harm_report report;
    struct sm_sink *sink = empty_output();
    sm_harm_describe(harm, steps, &report);
    if (driver_fd < 0 && sm_suppressions_harm(&suppressions, &report))
        return false;
    if (driver_fd >= 0) {
        sm_harm_print_json(&report, sink);
        sm_sink_print(sink, "\n");
    } else {
        sm_harm_print_text(&report, "stalemate: ", sink);
    }
    write_output();
    return true;
}

/* Each kind is reported once for its places. */
static bool is_known_harm(const struct sm_detected_harm *harm)
{
    enum { HARMS_KEPT = 256 };
    static uint64_t known[HARMS_KEPT];
    static uint32_t n;
    uint64_t key = harm->kind;
    for (uint32_t i = 0; i < harm->n; i++) /* a sum: a cycle may be entered anywhere */
        key += (uintptr_t)harm->sides[i].side.site * 0x9e3779b97f4a7c15u >> 8;
    for (uint32_t i = 0; i < n; i++)
        if (known[i] == key)
            return true;
    if (n == HARMS_KEPT) {
        sm_count_event(SM_DETECT_NO_ROOM);
        return true;
    }
    known[n++] = key;
    return false;
}

void sm_harm_found(const struct sm_detected_harm *harm)
{
    if (!is_wanted(harm->kind) || is_known_harm(harm))
        return;
    if (!show_harm(harm) || !is_counted(harm->kind))
        return;
    n_harms++;
    told();
}

/* ---- beginning and end ---- */

static int read_number(const char *text)
{
    int number = 0;
    while (*text >= '0' && *text <= '9')
        number = number * 10 + *text++ - '0';
    return number;
}

/* The entry of the environment, or NULL. */
static char **find_variable(char **environment, const char *name)
{
    size_t length = strlen(name);
    for (char **at = environment; *at; at++)
        if (strncmp(*at, name, length) == 0 && (*at)[length] == '=')
            return at;
    return NULL;
}

/* What the program may define. */
#define OF_PROGRAM __attribute__((weak, visibility("default")))
OF_PROGRAM const char *__tsan_default_options(void);
OF_PROGRAM const char *__tsan_default_suppressions(void);
OF_PROGRAM int __tsan_on_finalize(int failed);

static void read_suppressions(void)
{
    struct sm_error error = {0};
    if (!sm_suppressions_read(&suppressions, sm_flags.suppressions, &error))
        sm_refuse("%s (TSAN_OPTIONS=suppressions=FILE)", error.text);
    const char *own = __tsan_default_suppressions ? __tsan_default_suppressions() : "";
    if (!sm_suppressions_read_text(&suppressions, own, "__tsan_default_suppressions()", &error))
        sm_refuse("%s", error.text);
}

static void read_flags(char **environment)
{
    char **flags = find_variable(environment, SM_TSAN_OPTIONS_ENV);
    if (__tsan_default_options)
        sm_flags_read(__tsan_default_options());
    if (flags)
        sm_flags_read(*flags + sizeof SM_TSAN_OPTIONS_ENV);
    sm_all_callers_count = !sm_flags.ignore_noninstrumented_modules;
    read_suppressions();
    const char *path = sm_flags.log_path;
    if (path && strcmp(path, "stdout") == 0)
        sm_reports_to(1, NULL);
    else if (path && strcmp(path, "stderr") != 0)
        sm_reports_to(2, path);
}

/* The variable is removed: programs that this one starts are not checked. */
void sm_reports_init(char **environment)
{
    read_flags(environment);
    char **at = find_variable(environment, SM_DETECT_ENV);
    if (!at)
        return;
    driver_fd = read_number(*at + sizeof SM_DETECT_ENV);
    sm_syscall(SYS_fcntl, (long)driver_fd, (long)F_SETFD, (long)FD_CLOEXEC);
    /* Processes write at the same time: a file in memory has no lock for its position, and a line
       was overwritten by another process's in 5% of such runs. */
    sm_syscall(SYS_fcntl, (long)driver_fd, (long)F_SETFL, (long)O_APPEND);
    for (; *at; at++)
        at[0] = at[1];
}

/* Sites of unknown assembly, each once, as many as fit. Threads append concurrently: an entry is
   claimed by a compare-exchange from NULL. */
static const struct sm_site *unknown_asm[64];

void sm_report_unknown_asm(const struct sm_site *site)
{
    for (size_t i = 0; i < sizeof unknown_asm / sizeof *unknown_asm; i++) {
        const struct sm_site *there = NULL;
        /* relaxed: sites are constants of the program */
        if (__atomic_compare_exchange_n(&unknown_asm[i], &there, site, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED) ||
            there == site)
            return;
    }
}

static void put_unknown_asm(struct sm_sink *sink, bool *first)
{
    for (size_t i = 0; i < sizeof unknown_asm / sizeof *unknown_asm; i++) {
        const struct sm_site *site = __atomic_load_n(&unknown_asm[i], __ATOMIC_RELAXED);
        if (!site)
            return;
        const char *file = SM_SITE_TEXT(site, file);
        if (driver_fd >= 0)
            sm_sink_print(sink, "%s\"%s:%u: inline assembly that is not understood\"",
                          *first ? "" : ",", file, site->line);
        else
            sm_sink_print(sink, "stalemate: %s:%u: inline assembly that is not understood\n", file,
                          site->line);
        *first = false;
    }
}

static void put_notes(struct sm_sink *sink)
{
    static const char *const texts[] = {
#define SM_DETECT_COUNTER(name, text) text,
#include "native/counters.def"
    };
    bool first = true;
    for (unsigned i = 0; i < SM_DETECT_COUNTERS; i++) {
        if (!sm_counts[i])
            continue;
        if (driver_fd >= 0)
            sm_sink_print(sink, "%s\"%s: %lu\"", first ? "" : ",", texts[i], sm_counts[i]);
        else if (i != SM_DETECT_NO_STACK)
            sm_sink_print(sink, "stalemate: %s (%lu)\n", texts[i], sm_counts[i]);
        first = false;
    }
    put_unknown_asm(sink, &first);
}

void sm_reports_forked(void)
{
    lock = 0; /* held by a thread that does not exist here */
    n_parents = sm_known_pairs();
    n_suppressed = n_harms = 0;
    memset(sm_counts, 0, sizeof sm_counts);
}

/* -1: the program's own. */
static int exit_status(void)
{
    if (driver_fd >= 0)
        return -1;
    int failed = told_by == sm_syscall(SYS_getpid);
    if (__tsan_on_finalize)
        failed = __tsan_on_finalize(failed);
    return failed && sm_flags.exitcode ? sm_flags.exitcode : -1;
}

int sm_reports_finish(void)
{
    sm_reports_lock();
    struct sm_sink *sink = empty_output();
    if (driver_fd >= 0) {
        sm_sink_print(sink, "{\"process\":%ld,\"counts\":[", sm_syscall(SYS_getpid));
        for (uint32_t i = 0; i < sm_known_pairs(); i++)
            sm_sink_print(sink, "%s%lu", i ? "," : "", sm_known_count(i));
        sm_sink_print(sink, "],\"notes\":[");
        put_notes(sink);
        sm_sink_print(sink, "],\"sites\":%lu}\n", (unsigned long)sm_sites_added());
    } else {
        put_notes(sink);
        uint32_t n = sm_known_pairs() - n_parents - n_suppressed;
        if (n)
            sm_sink_print(sink, "stalemate: %u data race%s found\n", n, n == 1 ? "" : "s");
        if (n_harms)
            sm_sink_print(sink, "stalemate: %u failure%s of locks or memory found\n", n_harms,
                          n_harms == 1 ? "" : "s");
    }
    write_output();
    sm_reports_unlock();
    return exit_status();
}
