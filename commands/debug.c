#include "commands/debug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "findings/story.h"
#include "findings/voice.h"
#include "report/events.h"

/* ---- words ---- */

static void put_event(const struct sm_debug *debug, size_t i, struct sm_buffer *text)
{
    const struct sm_witness *witness = debug->witness;
    struct sm_place place = sm_voice_place(witness, i);
    sm_buffer_print(text, "event %zu of %zu: ", i + 1, witness->n_records);
    sm_voice_thread_label(text, witness, witness->records[i].thread);
    sm_buffer_text(text, ": ");
    sm_event_label(witness, i, text);
    if (place.file) {
        sm_buffer_text(text, " at ");
        sm_voice_line(text, &place);
    }
    const char *surprise = sm_event_surprise(witness, i);
    if (surprise)
        sm_buffer_print(text, " (%s)", surprise);
    sm_buffer_text(text, "\n");
    sm_place_free(&place);
}

static void put_lines(const struct sm_list *lines, struct sm_buffer *text)
{
    for (size_t i = 0; i < lines->n; i++)
        sm_buffer_print(text, "%s\n", lines->items[i]);
}

/* ---- where ---- */

/* Records so far; the last one is the current event. */
static size_t come(const struct sm_debug *debug)
{
    size_t n = debug->control->trace_records;
    return n < debug->witness->n_records ? n : debug->witness->n_records;
}

static bool has_ended(const struct sm_debug *debug)
{
    return come(debug) == debug->witness->n_records && debug->control->stopped != SM_DEBUG_AT_EVENT;
}

static enum sm_debug_action where(struct sm_debug *debug, const char *argument,
                                  struct sm_buffer *text)
{
    (void)argument;
    size_t n = come(debug);
    if (!n) {
        sm_buffer_text(text, "before the first event\n");
        return SM_DEBUG_STAY;
    }
    put_event(debug, n - 1, text);
    if (has_ended(debug))
        sm_buffer_print(text, "then %s: %s\n%s\n", debug->witness->failure_kind,
                        debug->witness->failure_detail,
                        debug->control->trace_hash == debug->witness->trace_hash
                            ? "all events are as recorded"
                            : "the events are not as recorded");
    return SM_DEBUG_STAY;
}

static enum sm_debug_action threads(struct sm_debug *debug, const char *argument,
                                    struct sm_buffer *text)
{
    (void)argument;
    for (uint32_t i = 0; i < sm_event_threads(debug->witness); i++) {
        sm_voice_thread_label(text, debug->witness, i);
        sm_buffer_text(text, "\n");
    }
    return SM_DEBUG_STAY;
}

/* A fatal signal stops gdb before the runtime sees it. */
static enum sm_debug_action got_signal(struct sm_debug *debug, const char *argument,
                                       struct sm_buffer *text)
{
    (void)argument;
    (void)text;
    debug->control->stopped = SM_DEBUG_AT_END;
    return SM_DEBUG_STAY;
}

static enum sm_debug_action story(struct sm_debug *debug, const char *argument,
                                  struct sm_buffer *text)
{
    struct sm_list lines = {0};
    (void)argument;
    sm_story_tell(debug->witness, "it", &lines);
    put_lines(&lines, text);
    sm_list_free(&lines);
    return SM_DEBUG_STAY;
}

/* ---- going ---- */

static enum sm_debug_action run_to(struct sm_debug *debug, size_t i, struct sm_buffer *text)
{
    bool back = i < come(debug);
    sm_buffer_print(text, "%s to ", back ? "back" : "on");
    put_event(debug, i, text);
    debug->control->stop_at = i + 1;
    debug->control->stopped = SM_DEBUG_RUNS;
    return back ? SM_DEBUG_AGAIN : SM_DEBUG_CONTINUE;
}

/* A number from 1 on, as events are shown; false if the execution has no such event. */
static bool parse_event(const struct sm_debug *debug, const char *argument, size_t *i,
                        struct sm_buffer *text)
{
    char *end;
    unsigned long n = strtoul(argument, &end, 10);
    if (end != argument && !*end && n >= 1 && n <= debug->witness->n_records) {
        *i = n - 1;
        return true;
    }
    sm_buffer_print(text, "'%s' is no event: they are 1 to %zu\n", argument,
                    debug->witness->n_records);
    return false;
}

static enum sm_debug_action go_to(struct sm_debug *debug, const char *argument,
                                  struct sm_buffer *text)
{
    size_t i;
    if (!parse_event(debug, argument, &i, text))
        return SM_DEBUG_STAY;
    return run_to(debug, i, text);
}

static enum sm_debug_action next_lie(struct sm_debug *debug, const char *argument,
                                     struct sm_buffer *text)
{
    (void)argument;
    for (size_t i = come(debug); i < debug->witness->n_records; i++)
        if (sm_event_surprise(debug->witness, i))
            return run_to(debug, i, text);
    sm_buffer_text(text, "no read from here on saw another value than the newest; to the last one "
                         "that did: stalemate back\n");
    return SM_DEBUG_STAY;
}

/* The current event, if it is a read; not if the execution has ended: then the failure is
   current. */
static bool is_at_read(const struct sm_debug *debug, size_t *read)
{
    *read = come(debug) - 1;
    return come(debug) && !has_ended(debug) &&
           (sm_is_read(&debug->witness->records[*read]) ||
            debug->witness->records[*read].kind == SM_EV_RMW);
}

/* From a read to its store. */
static enum sm_debug_action back_to_store(struct sm_debug *debug, size_t read,
                                          struct sm_buffer *text)
{
    size_t n = debug->witness->n_records, source = sm_event_source(debug->witness, read);
    if (source != n)
        return run_to(debug, source, text);
    size_t missed = sm_event_missed(debug->witness, read);
    sm_buffer_text(text, "no store of this execution: it saw the value at the start\n");
    if (missed == n)
        return SM_DEBUG_STAY;
    sm_buffer_text(text, "the store that it did not see: ");
    return run_to(debug, missed, text);
}

static enum sm_debug_action back(struct sm_debug *debug, const char *argument,
                                 struct sm_buffer *text)
{
    size_t read, at = come(debug);
    if (*argument)
        return go_to(debug, argument, text);
    if (is_at_read(debug, &read))
        return back_to_store(debug, read, text);
    for (size_t i = has_ended(debug) ? at : at ? at - 1 : 0; i-- > 0;)
        if (sm_event_surprise(debug->witness, i))
            return run_to(debug, i, text);
    if (at > 1)
        return run_to(debug, at - 2, text);
    sm_buffer_text(text, "there is nothing before this\n");
    return SM_DEBUG_STAY;
}

/* ---- why ---- */

/* The last lie up to the current event. */
static size_t in_question(const struct sm_debug *debug)
{
    size_t at = come(debug), i = at;
    while (i-- > 0)
        if (sm_event_surprise(debug->witness, i))
            return i;
    return at ? at - 1 : 0;
}

static enum sm_debug_action why(struct sm_debug *debug, const char *argument,
                                struct sm_buffer *text)
{
    size_t i = in_question(debug);
    if (*argument && !parse_event(debug, argument, &i, text))
        return SM_DEBUG_STAY;
    struct sm_why reason = sm_why(debug->reasons, i);
    put_event(debug, i, text);
    put_lines(&reason.lines, text);
    if (reason.kind == SM_WHY_NOT)
        sm_buffer_text(text, "it saw the newest store, and races with nothing before it\n");
    sm_list_free(&reason.lines);
    return SM_DEBUG_STAY;
}

enum sm_debug_action sm_debug_answer(void *context, const char *request, struct sm_buffer *text)
{
    static const struct {
        const char *word;
        enum sm_debug_action (*answer)(struct sm_debug *debug, const char *argument,
                                       struct sm_buffer *text);
    } all[] = {{"story", story}, {"where", where},      {"threads", threads},
               {"back", back},   {"goto", go_to},       {"next-lie", next_lie},
               {"why", why},     {"signal", got_signal}};
    size_t length = strcspn(request, " ");
    const char *argument = request + length + strspn(request + length, " ");
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strlen(all[i].word) == length && strncmp(all[i].word, request, length) == 0)
            return all[i].answer(context, argument, text);
    sm_buffer_print(text, "no such command: %s\n", request);
    return SM_DEBUG_STAY;
}
