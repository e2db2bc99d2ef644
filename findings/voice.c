#include "findings/voice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/library_name.h"
#include "base/printable.h"
#include "base/words.h"
#include "target/source_line.h"
#include "target/symbols.h"
#include "target/words.h"

/* ---- threads ---- */

const char *sm_voice_start(const struct sm_witness *witness, uint32_t thread)
{
    return thread < witness->threads.n ? witness->threads.items[thread] : "";
}

void sm_voice_thread_label(struct sm_buffer *to, const struct sm_witness *witness, uint32_t thread)
{
    const char *start = sm_voice_start(witness, thread);
    sm_buffer_print(to, "thread %u%s%s", thread, *start ? " \u00b7 " : "", start);
}

void sm_voice_thread(struct sm_buffer *to, const struct sm_witness *witness, uint32_t thread)
{
    const char *start = sm_voice_start(witness, thread);
    sm_buffer_print(to, "thread %u", thread);
    if (*start)
        sm_buffer_print(to, " (%s)", start);
}

/* ---- places ---- */

static const struct sm_user_call *call_of(const struct sm_witness *witness, size_t i)
{
    uint32_t number = witness->records[i].stack;
    const struct sm_site_row *row = sm_sites_find(&witness->sites, witness->records[i].site);
    bool own = row && !(row->flags & SM_SITE_IMPLICIT) && !sm_library_file(row->file);
    return number && number <= witness->n_calls && !own ? &witness->calls[number - 1] : NULL;
}

struct sm_place sm_voice_place(const struct sm_witness *witness, size_t i)
{
    const struct sm_user_call *call = call_of(witness, i);
    const struct sm_site_row *row = sm_sites_find(&witness->sites, witness->records[i].site);
    if (call && call->place.file)
        return sm_place_copy(&call->place);
    if (!row || strcmp(row->file, "?") == 0)
        return (struct sm_place){0};
    return (struct sm_place){.file = sm_copy_text(row->file),
                             .function = sm_demangle(row->function),
                             .line = row->line,
                             .column = row->column};
}

const char *sm_voice_callee(const struct sm_witness *witness, size_t i)
{
    const struct sm_user_call *call = call_of(witness, i);
    bool access = witness->records[i].site != SM_NO_SITE;
    return call && access && call->place.file ? call->callee : NULL;
}

void sm_voice_line(struct sm_buffer *to, const struct sm_place *place)
{
    if (place->file)
        sm_buffer_print(to, "%s:%u", place->file, place->line);
}

static FILE *open_source(const char *file, const char *directory)
{
    FILE *source = fopen(file, "r");
    if (source || *file == '/' || !directory)
        return source;
    char *path = sm_print("%s/%s", directory, file);
    source = fopen(path, "r");
    free(path);
    return source;
}

static char *trimmed(const char *line)
{
    line += strspn(line, " \t");
    size_t length = strlen(line);
    while (length && strchr(" \t\r\n", line[length - 1]))
        length--;
    return sm_printable(sm_print("%.*s", (int)length, line));
}

char *sm_voice_source(const struct sm_place *place, const char *directory)
{
    FILE *source = place->file && place->line ? open_source(place->file, directory) : NULL;
    if (!source)
        return NULL;
    char *line = sm_source_line(source, place->line), *text = line ? trimmed(line) : NULL;
    free(line);
    fclose(source);
    return text;
}

/* ---- memory ---- */

static const struct sm_named_memory *named(const struct sm_witness *witness, uint64_t addr)
{
    size_t low = 0, high = witness->n_names;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (witness->names[middle].addr == addr)
            return &witness->names[middle];
        if (witness->names[middle].addr < addr)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* A store by code that is not instrumented was noticed by the read that follows. */
static const struct sm_site_row *reader_of(const struct sm_witness *witness, size_t i)
{
    enum { NEAR = 64 };
    for (size_t k = i + 1; k < witness->n_records && k < i + NEAR; k++) {
        const struct sm_record *record = &witness->records[k];
        if (record->site != SM_NO_SITE && record->addr == witness->records[i].addr)
            return sm_sites_find(&witness->sites, record->site);
    }
    return NULL;
}

const char *sm_voice_memory(const struct sm_witness *witness, size_t i)
{
    const struct sm_record *record = &witness->records[i];
    const struct sm_named_memory *memory = record->addr ? named(witness, record->addr) : NULL;
    const struct sm_site_row *row = sm_sites_find(&witness->sites, record->site);
    if (!memory && !row && (record->flags & SM_RECORD_EXTERNAL))
        row = reader_of(witness, i);
    if (row && (row->flags & SM_SITE_BITFIELD))
        return row->variable; /* the value is that of the whole unit, so is the name */
    return memory ? memory->name : row ? row->variable : "";
}

const char *sm_voice_type(const struct sm_witness *witness, size_t i)
{
    const struct sm_named_memory *memory = named(witness, witness->records[i].addr);
    return memory ? memory->type : NULL;
}

/* ---- what the user's code does ---- */

/* "a::b<c::d>::e" to "e". */
static const char *last_component(const char *name)
{
    const char *last = name;
    size_t depth = 0;
    for (const char *at = name; *at; at++) {
        depth += *at == '<' || *at == '(';
        depth -= (*at == '>' || *at == ')') && depth;
        if (!depth && at[0] == ':' && at[1] == ':')
            last = at + 2;
    }
    return last;
}

static size_t plain_length(const char *name)
{
    return strcspn(name, "<(");
}

/* X::X: the component before the last is the same, except for the template arguments. */
static bool is_constructor(const char *name, const char *last)
{
    size_t length = plain_length(last);
    for (const char *at = name; at < last; at++)
        if ((at == name || at[-1] == ':') && strncmp(at, last, length) == 0 &&
            strcspn(at, "<(:") == length)
            return true;
    return false;
}

static void add_constructor(struct sm_buffer *to, const char *parameters)
{
    if (strstr(parameters, " const&)"))
        sm_buffer_text(to, "copies");
    else if (strstr(parameters, "&&)"))
        sm_buffer_text(to, "moves");
    else
        sm_buffer_text(to, "constructs");
}

static void add_call(struct sm_buffer *to, const char *callee)
{
    char *name = sm_function_name(sm_copy_text(callee));
    const char *last = last_component(name);
    if (strcmp(last, "operator=") == 0)
        sm_buffer_text(to, "assigns");
    else if (*last == '~')
        sm_buffer_text(to, "destroys");
    else if (is_constructor(name, last))
        add_constructor(to, callee + strlen(name));
    else if (strncmp(last, "operator", 8) == 0 && !strpbrk(last, "abcdfghijklmnqsuvwxyz "))
        sm_buffer_print(to, "calls %s", last);
    else
        sm_buffer_print(to, "calls %.*s()", (int)plain_length(last), last);
    free(name);
}

void sm_voice_act(struct sm_buffer *to, const char *kind, const char *callee)
{
    if (callee)
        add_call(to, callee);
    else
        sm_buffer_text(to, sm_access_verb(kind));
}

/* ---- races ---- */

const struct sm_place *sm_voice_user_place(const struct sm_access *access)
{
    const struct sm_place *user = sm_stack_user_frame(&access->stack);
    bool implicit = access->stack.n && !access->stack.frames[0].file; /* the compiler made it */
    bool own = access->place.file && !sm_library_file(access->place.file) && !implicit;
    return own || !user ? &access->place : user;
}

const char *sm_voice_user_callee(const struct sm_access *access)
{
    const struct sm_place *user = sm_voice_user_place(access);
    return user != &access->place && user > access->stack.frames ? user[-1].function : NULL;
}

void sm_voice_access(struct sm_buffer *to, const struct sm_access *access)
{
    const struct sm_place *place = sm_voice_user_place(access);
    if (place->function && strcmp(place->function, "?") != 0) {
        char *function = sm_function_name(sm_copy_text(place->function));
        sm_buffer_print(to, "%s()", function);
        free(function);
    } else {
        sm_buffer_print(to, "thread %u", access->thread);
    }
    if (place->file && place->line)
        sm_buffer_print(to, " %s:%u", place->file, place->line);
    sm_buffer_text(to, " ");
    sm_voice_act(to, access->kind, sm_voice_user_callee(access));
}

void sm_voice_race(struct sm_buffer *to, const char *variable, const char *object, const char *type,
                   const struct sm_access *first, const struct sm_access *second)
{
    sm_buffer_print(to, "race on %s", object ? object : variable);
    if (object && type)
        sm_buffer_print(to, " (%.*s)", (int)strcspn(type, "<"), type);
    if (!first || !second)
        return;
    sm_buffer_text(to, ": ");
    sm_voice_access(to, first);
    sm_buffer_text(to, " while ");
    sm_voice_access(to, second);
}

/* ---- failures ---- */

static void add_where(struct sm_buffer *to, const struct sm_place *place)
{
    if (place->file)
        sm_buffer_print(to, " at %s:%u", place->file, place->line);
    if (!place->function)
        return;
    char *function = sm_function_name(sm_copy_text(place->function));
    sm_buffer_print(to, " in %s", function);
    free(function);
}

/* The place that assert() prints was already said. Other texts are the program's own. */
static void add_assertion(struct sm_buffer *to, const struct sm_failure *failure, bool alone)
{
    static const char before[] = "Assertion `", after[] = "' failed";
    const char *text = strstr(failure->detail, before);
    const char *end = text ? strstr(text, after) : NULL;
    if (end)
        sm_buffer_print(to, "fails the assertion `%.*s'", (int)(end - text - (long)strlen(before)),
                        text + strlen(before));
    else
        sm_buffer_print(to, "fails: %s", failure->detail);
    sm_buffer_text(to, alone ? " by itself" : "");
    add_where(to, &failure->place);
}

static void add_detail(struct sm_buffer *to, const char *detail)
{
    for (; *detail; detail++)
        if (*detail == '\n')
            sm_buffer_text(to, "; ");
        else
            sm_buffer_add(to, detail, 1);
}

static void add_signal(struct sm_buffer *to, const struct sm_failure *failure, bool alone)
{
    static const char overflow[] = "stack overflow"; /* ": " and the signal */
    bool overflows = strncmp(failure->detail, overflow, strlen(overflow)) == 0;
    sm_buffer_text(to, overflows ? "overflows its stack" : "crashes");
    sm_buffer_text(to, alone ? " by itself" : "");
    add_where(to, &failure->place);
    sm_buffer_text(to, ": ");
    add_detail(to, failure->detail + (overflows ? strlen(overflow) + 2 : 0));
}

void sm_voice_failure(struct sm_buffer *to, const struct sm_failure *failure, const char *who)
{
    if (failure->kind == SM_FAILURE_SIGNAL || failure->kind == SM_FAILURE_ASSERT) {
        sm_buffer_print(to, "%s ", who ? who : "the program");
        if (failure->kind == SM_FAILURE_SIGNAL)
            add_signal(to, failure, !who);
        else
            add_assertion(to, failure, !who);
        return;
    }
    sm_buffer_text(to, sm_failure_words[failure->kind]);
    if (*sm_failure_families[failure->kind])
        add_where(to, &failure->place);
    sm_buffer_text(to, ": ");
    add_detail(to, failure->detail);
    if (!*sm_failure_families[failure->kind] && failure->kind != SM_FAILURE_DEADLOCK)
        add_where(to, &failure->place);
}

void sm_voice_failure_brief(struct sm_buffer *to, const struct sm_failure *failure)
{
    sm_buffer_text(to, sm_failure_words[failure->kind]);
    add_where(to, &failure->place);
    if (!failure->place.file)
        sm_buffer_print(to, ": %.*s", (int)strcspn(failure->detail, "\n"), failure->detail);
}

void sm_voice_failure_kind(struct sm_buffer *to, const struct sm_failure *failure)
{
    char who[32];
    if (failure->kind == SM_FAILURE_SIGNAL || failure->kind == SM_FAILURE_ASSERT)
        sm_buffer_print(to, "%s: ", sm_failure_words[failure->kind]);
    snprintf(who, sizeof who, "thread %u", failure->thread);
    sm_voice_failure(to, failure, who);
}

/* ---- stacks ---- */

static bool is_same_frame(const struct sm_place *a, const struct sm_place *b)
{
    return a->line == b->line && a->column == b->column && !a->file == !b->file &&
           !a->function == !b->function && (!a->file || strcmp(a->file, b->file) == 0) &&
           (!a->function || strcmp(a->function, b->function) == 0);
}

static bool is_system_frame(const struct sm_place *frame)
{
    return !frame->file || sm_library_file(frame->file);
}

static char *frame_text(const struct sm_place *frame)
{
    char *function = frame->function ? sm_function_name(sm_copy_text(frame->function)) : NULL;
    char *text = frame->file ? sm_print("%s  %s:%u:%u", function ? function : "(unknown function)",
                                        frame->file, frame->line, frame->column)
                             : sm_print("%s", function ? function : "(unknown function)");
    free(function);
    return text;
}

/* Frames i to end - 1, shown as one: consecutive system frames, or repetitions. */
static void add_frames(const struct sm_stack *stack, uint32_t i, uint32_t end,
                       struct sm_list *lines)
{
    char *text = frame_text(&stack->frames[i]), *line;
    bool same = is_same_frame(&stack->frames[i], &stack->frames[end - 1]);
    if (end - i == 1)
        line = sm_print("#%u %s", i, text);
    else if (same)
        line = sm_print("#%u to #%u %s (%u times)", i, end - 1, text, end - i);
    else
        line = sm_print("#%u to #%u (%u frames of libraries)", i, end - 1, end - i);
    sm_list_add(lines, line);
    free(line);
    free(text);
}

void sm_voice_stack(const struct sm_stack *stack, struct sm_list *lines)
{
    for (uint32_t i = 0, end; i < stack->n; i = end) {
        bool system = is_system_frame(&stack->frames[i]);
        for (end = i + 1; end < stack->n; end++)
            if (system ? !is_system_frame(&stack->frames[end])
                       : !is_same_frame(&stack->frames[i], &stack->frames[end]))
                break;
        add_frames(stack, i, end, lines);
    }
}

/* ---- models and numbers ---- */

const char *sm_voice_model(enum sm_model_id model)
{
    static const char *const texts[] = {
#define SM_MODEL(name, word, needs) [SM_MODEL_##name] = #word ": " needs,
#include "abi/models.def"
    };
    return model < SM_MODELS ? texts[model] : "";
}

void sm_voice_count(struct sm_buffer *to, uint64_t n)
{
    if (n >= 1000) {
        sm_voice_count(to, n / 1000);
        sm_buffer_print(to, ",%03u", (unsigned)(n % 1000));
    } else {
        sm_buffer_print(to, "%u", (unsigned)n);
    }
}

void sm_voice_repairs(struct sm_buffer *to, const char *repairs)
{
    if (!*repairs)
        return;
    sm_buffer_text(to, "assuming fix: ");
    for (const char *c = repairs; *c; c++)
        if (*c == '\n')
            sm_buffer_text(to, "; ");
        else
            sm_buffer_print(to, "%c", *c);
}
