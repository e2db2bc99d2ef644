/* race_text.c - a race, or a harm, as text. Also compiled into the native runtime: see race.h. */
#include <string.h>

#include "abi/library_name.h"
#include "findings/harm.h"
#include "findings/race.h"

void sm_sink_print(struct sm_sink *sink, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    sink->print(sink, format, arguments);
    va_end(arguments);
}

/* With -g0 the function is known, but not the file. */
static bool is_forgotten(const struct sm_place *frame)
{
    return !frame->line && frame->file && strcmp(frame->file, "?") == 0 &&
           (!frame->function || strcmp(frame->function, "?") == 0);
}

/* Folded: so many inner frames are not shown. */
static void put_frame(const struct sm_place *frame, uint32_t folded, struct sm_sink *sink)
{
    if (is_forgotten(frame)) {
        sm_sink_print(sink, "      (its place is no longer known)\n");
        return;
    }
    sm_sink_print(sink, "      %s", frame->function ? frame->function : "(unknown function)");
    if (frame->line && frame->file)
        sm_sink_print(sink, "  %s:%u:%u", frame->file, frame->line, frame->column);
    else if (frame->line)
        sm_sink_print(sink, "  (compiler-generated)"); /* its line is that of the class */
    if (folded)
        sm_sink_print(sink, "  (%u more inside, of the library)", folded);
    sm_sink_print(sink, "\n");
}

static bool is_library(const struct sm_place *frame)
{
    return frame->file && sm_library_file(frame->file);
}

/* Of a library's frames only the outermost is shown: the call. */
static void put_stack(const struct sm_stack *stack, struct sm_sink *sink)
{
    uint32_t folded = 0;
    for (uint32_t i = 0; i < stack->n; i++) {
        if (is_library(&stack->frames[i]) && i + 1 < stack->n &&
            is_library(&stack->frames[i + 1])) {
            folded++;
            continue;
        }
        put_frame(&stack->frames[i], folded, sink);
        folded = 0;
    }
}

static void put_locks(const struct sm_access *access, struct sm_sink *sink)
{
    for (uint32_t i = 0; i < access->n_locks; i++) {
        const struct sm_held_lock *lock = &access->locks[i];
        sm_sink_print(sink, "    holding the lock %s%sat 0x%lx%s\n", lock->name ? lock->name : "",
                      lock->name ? " " : "", (unsigned long)lock->address,
                      lock->taken.n ? ", taken at" : "");
        put_stack(&lock->taken, sink);
    }
}

/* ", thread 2 of the parallel region at x.c:12" */
static void put_member(const struct sm_team_member *member, struct sm_sink *sink)
{
    if (!member->size)
        return;
    sm_sink_print(sink, ", thread %u of %s parallel region", member->number,
                  member->region.n ? "the" : "a");
    if (member->region.n)
        sm_sink_print(sink, " at %s:%u", member->region.frames[0].file,
                      member->region.frames[0].line);
}

/* ---- threads by number and start function, accesses by place ---- */

const char *sm_access_start(const struct sm_access *access)
{
    for (uint32_t i = access->stack.n; i-- > 0;) {
        const struct sm_place *frame = &access->stack.frames[i];
        if (frame->line && !is_library(frame))
            return frame->function;
    }
    return NULL;
}

static void put_thread(const struct sm_access *access, struct sm_sink *sink)
{
    const char *start = access->member.size ? NULL : sm_access_start(access);
    sm_sink_print(sink, "thread %u", access->thread);
    if (start)
        sm_sink_print(sink, " \u00b7 %.*s", (int)strcspn(start, "("), start);
}

static const struct sm_place *user_frame(const struct sm_access *access)
{
    for (uint32_t i = 0; i < access->stack.n; i++)
        if (access->stack.frames[i].file && access->stack.frames[i].line &&
            !is_library(&access->stack.frames[i]))
            return &access->stack.frames[i];
    return NULL;
}

const char *sm_access_verb(const char *kind)
{
    static const struct {
        const char *kind, *verb;
    } verbs[] = {{"read", "reads"},          {"write", "writes"}, {"atomic-read", "reads"},
                 {"atomic-write", "writes"}, {"rmw", "updates"},  {"free", "frees"}};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i].kind, kind) == 0)
            return verbs[i].verb;
    return "accesses it";
}

static void put_side(const struct sm_access *access, struct sm_sink *sink)
{
    const struct sm_place *frame = user_frame(access);
    const char *function = frame->function ? frame->function : "";
    sm_sink_print(sink, "%.*s%s%s:%u %s", (int)strcspn(function, "("), function,
                  *function ? "() " : "", frame->file, frame->line, sm_access_verb(access->kind));
}

/* "producer() ring.c:9 writes while consumer() ring.c:17 reads; nothing orders the two" */
static void put_sentence(const struct sm_data_race *race, struct sm_sink *sink)
{
    bool reads =
        strcmp(race->second.kind, "read") == 0 || strcmp(race->second.kind, "atomic-read") == 0;
    if (!user_frame(&race->first) || !user_frame(&race->second))
        return;
    sm_sink_print(sink, "    ");
    put_side(reads ? &race->first : &race->second, sink);
    sm_sink_print(sink, " while ");
    put_side(reads ? &race->second : &race->first, sink);
    sm_sink_print(sink, "; nothing orders the two\n");
}

static void put_access(const struct sm_access *access, struct sm_sink *sink)
{
    sm_sink_print(sink, "    %s by ", access->kind);
    put_thread(access, sink);
    put_member(&access->member, sink);
    if (access->has_value)
        sm_sink_print(sink, ", value 0x%lx", (unsigned long)access->value);
    sm_sink_print(sink, "\n");
    put_stack(&access->stack, sink);
    put_locks(access, sink);
}

/* "table[]" is one variable; the first element that was seen to race is more specific. */
static void put_variable(const struct sm_data_race *race, struct sm_sink *sink)
{
    const char *brackets = strstr(race->variable, "[]");
    if (race->element < 0 || !brackets)
        sm_sink_print(sink, "%s", race->variable);
    else
        sm_sink_print(sink, "%.*s[%ld]%s", (int)(brackets - race->variable), race->variable,
                      (long)race->element, brackets + 2);
}

static void put_block(const struct sm_race_heap *block, struct sm_sink *sink)
{
    sm_sink_print(sink, "    in a heap block of %lu bytes, %lu from its start",
                  (unsigned long)block->size, (unsigned long)block->offset);
    if (block->allocated.n)
        sm_sink_print(sink, ", allocated by thread %u", block->thread);
    sm_sink_print(sink, "\n");
    put_stack(&block->allocated, sink);
}

static void put_creation(const struct sm_access *access, struct sm_sink *sink)
{
    if (access->member.size || (access->parent == SM_UNKNOWN_THREAD && !access->created.n))
        return;
    sm_sink_print(sink, "    thread %u was created", access->thread);
    if (access->parent != SM_UNKNOWN_THREAD)
        sm_sink_print(sink, " by thread %u", access->parent);
    sm_sink_print(sink, "\n");
    put_stack(&access->created, sink);
}

void sm_race_print_text(const struct sm_data_race *race, const char *heading, struct sm_sink *sink)
{
    sm_sink_print(sink, "%sdata race on ", heading);
    put_variable(race, sink);
    if (race->count)
        sm_sink_print(sink, ", seen %lu time%s", (unsigned long)race->count,
                      race->count == 1 ? "" : "s");
    sm_sink_print(sink, "\n");
    put_sentence(race, sink);
    put_access(&race->second, sink);
    put_access(&race->first, sink);
    if (race->has_memory)
        sm_sink_print(sink, "    memory held 0x%lx when the race was found\n",
                      (unsigned long)race->memory);
    if (race->block.size)
        put_block(&race->block, sink);
    put_creation(&race->second, sink);
    if (race->first.thread != race->second.thread)
        put_creation(&race->first, sink);
    if (race->advice)
        sm_sink_print(sink, "    what to do (not tried): %s\n", race->advice);
}

static void put_step(const struct sm_harm_step *step, struct sm_sink *sink)
{
    const struct sm_access *access = &step->access;
    if (step->object && step->role)
        sm_sink_print(sink, "    '%s' %s by ", step->object, step->role);
    else
        sm_sink_print(sink, step->role ? "    %s by " : "    in ", step->role);
    put_thread(access, sink);
    sm_sink_print(sink, "\n");
    put_stack(&access->stack, sink);
    put_locks(access, sink);
}

/* A thread that has two steps is described once. */
static bool is_first_of_thread(const struct sm_harm_report *report, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (report->steps[i].access.thread == report->steps[n].access.thread)
            return false;
    return true;
}

void sm_harm_print_text(const struct sm_harm_report *report, const char *heading,
                        struct sm_sink *sink)
{
    sm_sink_print(sink, "%s%s: %s\n", heading, report->kind, report->detail);
    for (uint32_t i = 0; i < report->n_steps; i++)
        put_step(&report->steps[i], sink);
    for (uint32_t i = 0; i < report->n_steps; i++)
        if (is_first_of_thread(report, i))
            put_creation(&report->steps[i].access, sink);
    sm_sink_print(sink, "    what to do: %s\n", report->advice);
}
