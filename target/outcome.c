#include "target/outcome.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "abi/library_name.h"
#include "base/layout.h"
#include "base/printable.h"
#include "base/words.h"
#include "target/oracle.h"
#include "target/symbols.h"
#include "target/words.h"

static void take(struct sm_outcome *outcome, const struct sm_control *control,
                 const struct sm_ended *ended)
{
    *outcome = (struct sm_outcome){
        .exited = WIFEXITED(ended->wait_status) &&
                  (control->end == SM_END_EXIT || control->end == SM_END_NONE),
        .exit_status = WEXITSTATUS(ended->wait_status),
        .assumed = control->end == SM_END_ASSUME,
        .unvalidated = control->end == SM_END_UNVALIDATED || control->unvalidated,
        .end = control->end,
        .status = control->status,
        .events = control->events,
        .choices_made = control->choices_made,
        .trace_hash = control->trace_hash,
        .records_lost = control->trace_lost,
        .n_threads = control->n_threads,
        .seconds = ended->seconds,
    };
    outcome->failure.thread = control->end_thread;
}

/* ---- when there is nothing to judge ---- */

static bool not_attached(const struct sm_target *target, const struct sm_ended *ended,
                         struct sm_error *error)
{
    char how[80];
    if (target->shared.control->magic == SM_CONTROL_OTHER_VERSION)
        return sm_target_is_of_other_version(target, error);
    if (WIFSIGNALED(ended->wait_status))
        snprintf(how, sizeof how, "died of signal %d (%s)", WTERMSIG(ended->wait_status),
                 strsignal(WTERMSIG(ended->wait_status)));
    else
        snprintf(how, sizeof how, "exited with status %d", WEXITSTATUS(ended->wait_status));
    return sm_fail(error, SM_STATUS_TARGET,
                   "%s %s before it came under control; does it start without Stalemate? try: %s",
                   target->path, how, target->arguments.items[0]);
}

static bool memory_is_spent(const struct sm_target *target, struct sm_error *error)
{
    const struct sm_control *control = target->shared.control;
    uint64_t limit = target->limits.memory, recording = sm_shared_recorded(&target->shared);
    if (recording > limit / 2)
        return sm_fail(error, SM_STATUS_TARGET,
                       "the recording of %lu choices and %lu events took %lu of the %lu MiB of "
                       "memory; to allow more: --memory MIB; the schedule pct has fewer choices to "
                       "record: --schedule pct",
                       (unsigned long)control->choices_out, (unsigned long)control->trace_records,
                       (unsigned long)(recording >> 20), (unsigned long)(limit >> 20));
    return sm_fail(error, SM_STATUS_TARGET,
                   "the program used more than %lu MiB of memory and was stopped; "
                   "to allow more: --memory MIB",
                   (unsigned long)(limit >> 20));
}

static bool check_usable(const struct sm_target *target, const struct sm_ended *ended,
                         struct sm_error *error)
{
    const struct sm_control *control = target->shared.control;
    switch (ended->stop) {
    case SM_STOP_MEMORY:
        return memory_is_spent(target, error);
    case SM_STOP_OUTPUT:
        return sm_fail(error, SM_STATUS_TARGET,
                       "the program wrote more than 1024 MiB of output and was stopped; let it "
                       "write to a file of its own instead");
    case SM_STOP_DEADLINE:
        return sm_fail(error, SM_STATUS_TARGET, "the time was over; the program was stopped");
    case SM_STOP_INTERRUPT:
        return sm_fail(error, SM_STATUS_TARGET, "interrupted; the program was stopped");
    default:
        break;
    }
    if (control->end == SM_END_REFUSED)
        return sm_target_refused(target, error);
    if (control->end == SM_END_ERROR)
        return sm_fail(error, SM_STATUS_INTERNAL,
                       "internal error in the runtime: %.*s; please report it with the command "
                       "you typed",
                       SM_DETAIL_SIZE / 4, control->detail);
    if (!control->attached && ended->stop == SM_STOP_NONE)
        return not_attached(target, ended, error);
    return true;
}

/* ---- judging ---- */

static void set_failure(struct sm_outcome *outcome, enum sm_failure_kind kind, char *detail)
{
    outcome->failure.kind = kind;
    outcome->failure.detail = detail;
}

enum { NULL_PAGE = 4096 }; /* nothing is mapped there: a field of a struct behind a NULL pointer */

static bool has_address(int number)
{
    return number == SIGSEGV || number == SIGBUS;
}

/* Only stacks are mapped there, and all of them are writable: the address is below one. */
static bool is_in_stacks(uint64_t address)
{
    return address >= SM_REGION_STACK && address < SM_REGION_MAPS;
}

static void judge_signal(struct sm_outcome *outcome, int number, const struct sm_control *control)
{
    const char *name = sigabbrev_np(number);
    struct sm_buffer detail = {0};
    if (control->end == SM_END_SIGNAL && number == SIGSEGV && is_in_stacks(control->fault_addr))
        sm_buffer_text(&detail, "stack overflow: ");
    sm_buffer_print(&detail, "SIG%s (%s)", name ? name : "?", strsignal(number));
    if (control->end == SM_END_SIGNAL && has_address(number))
        sm_buffer_print(&detail, " at address 0x%lx%s", (unsigned long)control->fault_addr,
                        control->fault_addr < NULL_PAGE ? ", a NULL pointer" : "");
    if (control->end != SM_END_SIGNAL && number == SIGKILL)
        sm_buffer_text(&detail, ", sent from outside the program");
    set_failure(outcome, SM_FAILURE_SIGNAL, detail.data);
}

static bool judge_exit(struct sm_outcome *outcome, const struct sm_target *target,
                       const struct sm_expectation *expectation, struct sm_error *error)
{
    int status;
    if (outcome->exit_status != expectation->exit_status) {
        set_failure(outcome, SM_FAILURE_EXIT,
                    sm_print("exit status %d, expected %d", outcome->exit_status,
                             expectation->exit_status));
        return true;
    }
    if (!expectation->oracle)
        return true;
    if (!sm_oracle_ask(expectation->oracle, &target->output, target->limits.deadline, &status,
                       error))
        return false;
    if (status != 0)
        set_failure(outcome, SM_FAILURE_ORACLE,
                    sm_print("the oracle '%s' rejects the output (status %d)", expectation->oracle,
                             status));
    return true;
}

static char *detail_of(const struct sm_control *control)
{
    return sm_printable(sm_print("%.*s", SM_DETAIL_SIZE, control->detail));
}

static bool is_kind(int32_t kind)
{
    return kind > SM_FAILURE_NONE && kind < SM_FAILURES;
}

bool sm_outcome_judge(struct sm_outcome *outcome, const struct sm_target *target,
                      const struct sm_ended *ended, const struct sm_expectation *expectation,
                      struct sm_error *error)
{
    const struct sm_control *control = target->shared.control;
    take(outcome, control, ended);
    if (!check_usable(target, ended, error))
        return false;
    if (outcome->unvalidated)
        return true;
    if (ended->stop == SM_STOP_TIMEOUT)
        set_failure(outcome, SM_FAILURE_HANG,
                    sm_print("still running after %g s (--timeout)", target->limits.seconds));
    else if (control->end == SM_END_DEADLOCK)
        set_failure(outcome,
                    is_kind(control->status) ? (enum sm_failure_kind)control->status
                                             : SM_FAILURE_DEADLOCK,
                    detail_of(control));
    else if (control->end == SM_END_HANG)
        set_failure(outcome, SM_FAILURE_HANG, detail_of(control));
    else if (control->end == SM_END_ASSERT)
        set_failure(outcome, SM_FAILURE_ASSERT, detail_of(control));
    else if (control->end == SM_END_HARM && is_kind(control->status))
        set_failure(outcome, (enum sm_failure_kind)control->status, detail_of(control));
    else if (control->end == SM_END_SIGNAL)
        judge_signal(outcome, control->status, control);
    else if (WIFSIGNALED(ended->wait_status))
        judge_signal(outcome, WTERMSIG(ended->wait_status), control);
    else if (outcome->exited)
        return judge_exit(outcome, target, expectation, error);
    return true;
}

/* ---- places ---- */

static struct sm_place place_of_site(const struct sm_site_row *row)
{
    return (struct sm_place){.file = sm_copy_text(row->file),
                             .function = sm_demangle(row->function),
                             .line = row->line,
                             .column = row->column};
}

/* The innermost frame of the user's own code; if there is none, the innermost that has a line. */
static struct sm_place place_of_stack(const struct sm_stack *stack)
{
    const struct sm_place *user = sm_stack_user_frame(stack);
    if (user)
        return sm_place_copy(user);
    for (uint32_t i = 0; i < stack->n; i++)
        if (stack->frames[i].file)
            return sm_place_copy(&stack->frames[i]);
    return (struct sm_place){0};
}

static void locate_stack(struct sm_stack *to, const uint64_t *stack, uint32_t depth, uint32_t limit,
                         struct sm_symbols *symbols)
{
    for (uint32_t i = 0; i < depth && i < limit; i++)
        sm_symbols_frames(symbols, stack[i], to);
}

/* A deadlock is located where its first thread waits. Returns the site. */
static uint32_t locate_wait(struct sm_failure *failure, const struct sm_wait_place *wait,
                            struct sm_symbols *symbols)
{
    if (failure->thread != wait->thread) {
        failure->thread = wait->thread;
        sm_stack_free(&failure->stack);
        locate_stack(&failure->stack, wait->stack, wait->depth, SM_WAIT_DEPTH, symbols);
    }
    return wait->site;
}

/* The first place to show: the site, unless it is in a library and the stack has a frame of the
   user's. */
static struct sm_place place_at(uint32_t site, const struct sm_stack *stack,
                                const struct sm_sites *sites)
{
    const struct sm_site_row *row = sm_sites_find(sites, site);
    bool hidden = row && sm_library_file(row->file) && sm_stack_user_frame(stack);
    return row && !hidden ? place_of_site(row) : place_of_stack(stack);
}

/* ---- harm ---- */

static struct sm_related related_of(const struct sm_harm_spot *spot, struct sm_symbols *symbols,
                                    const struct sm_sites *sites)
{
    struct sm_related related = {
        .role = sm_role_words[spot->role < SM_ROLES ? spot->role : SM_ROLE_ACCESSED],
        .thread = spot->thread};
    locate_stack(&related.stack, spot->stack, spot->depth, SM_HARM_DEPTH, symbols);
    related.place = place_at(spot->site, &related.stack, sites);
    return related;
}

/* Replaces addresses by names. */
static void expand_detail(struct sm_failure *failure, struct sm_symbols *symbols)
{
    char *detail = sm_symbols_expand(symbols, failure->detail);
    free(failure->detail);
    failure->detail = detail;
}

/* The detail continues with the further places, so that one line has all of it. */
static void add_related(struct sm_failure *failure, const struct sm_harm *harm,
                        struct sm_symbols *symbols, const struct sm_sites *sites)
{
    struct sm_buffer detail = {0};
    sm_buffer_text(&detail, failure->detail);
    failure->related = sm_new((harm->n_places + 1) * sizeof *failure->related);
    for (uint32_t i = 0; i < harm->n_places && i < SM_HARM_PLACES; i++) {
        struct sm_related related = related_of(&harm->places[i], symbols, sites);
        failure->related[failure->n_related++] = related;
        if (related.place.file)
            sm_buffer_print(&detail, ", %s at %s:%u", related.role, related.place.file,
                            related.place.line);
    }
    free(failure->detail);
    failure->detail = detail.data;
}

struct sm_failure sm_failure_of_harm(const struct sm_harm *harm, struct sm_symbols *symbols,
                                     const struct sm_sites *sites)
{
    struct sm_failure failure = {
        .kind = is_kind((int32_t)harm->kind) ? (enum sm_failure_kind)harm->kind : SM_FAILURE_NONE,
        .thread = harm->at.thread,
        .detail = sm_printable(sm_print("%.*s", SM_HARM_DETAIL, harm->detail))};
    locate_stack(&failure.stack, harm->at.stack, harm->at.depth, SM_HARM_DEPTH, symbols);
    failure.place = place_at(harm->at.site, &failure.stack, sites);
    expand_detail(&failure, symbols);
    add_related(&failure, harm, symbols, sites);
    return failure;
}

/* ---- all of it ---- */

static void locate_failure(struct sm_failure *failure, const struct sm_control *control,
                           const struct sm_sites *sites, struct sm_symbols *symbols)
{
    locate_stack(&failure->stack, control->end_stack, control->end_depth, SM_STACK_DEPTH, symbols);
    expand_detail(failure, symbols);
    uint32_t site = control->end_site;
    if (control->end == SM_END_DEADLOCK && control->n_waits)
        site = locate_wait(failure, &control->waits[0], symbols);
    failure->place = place_at(site, &failure->stack, sites);
    if (control->end == SM_END_HARM)
        add_related(failure, &control->harm, symbols, sites);
}

struct sm_failures sm_failures_of_harms(const struct sm_harm *harms, uint32_t n,
                                        struct sm_symbols *symbols, const struct sm_sites *sites)
{
    struct sm_failures failures = {.items = sm_new((n + 1) * sizeof *failures.items)};
    while (failures.n < n) {
        failures.items[failures.n] = sm_failure_of_harm(&harms[failures.n], symbols, sites);
        failures.n++;
    }
    return failures;
}

void sm_failures_free(struct sm_failures *failures)
{
    for (size_t i = 0; i < failures->n; i++)
        sm_failure_free(&failures->items[i]);
    free(failures->items);
    *failures = (struct sm_failures){0};
}

static void locate_warnings(struct sm_outcome *outcome, const struct sm_control *control,
                            const struct sm_sites *sites, struct sm_symbols *symbols)
{
    outcome->warnings = sm_new((control->n_warnings + 1) * sizeof *outcome->warnings);
    for (uint32_t i = 0; i < control->n_warnings && i < SM_MAX_WARNINGS; i++)
        outcome->warnings[outcome->n_warnings++] =
            sm_failure_of_harm(&control->warnings[i], symbols, sites);
}

void sm_outcome_locate(struct sm_outcome *outcome, const struct sm_target *target,
                       const struct sm_sites *sites)
{
    const struct sm_control *control = target->shared.control;
    bool fails = outcome->failure.kind != SM_FAILURE_NONE && control->end != SM_END_NONE;
    if (!fails && !control->n_warnings)
        return;
    struct sm_symbols *symbols = sm_symbols_open(control->mappings, control->n_mappings);
    if (fails)
        locate_failure(&outcome->failure, control, sites, symbols);
    locate_warnings(outcome, control, sites, symbols);
    sm_symbols_close(symbols);
}

void sm_failure_free(struct sm_failure *failure)
{
    free(failure->detail);
    sm_place_free(&failure->place);
    sm_stack_free(&failure->stack);
    for (uint32_t i = 0; i < failure->n_related; i++) {
        sm_place_free(&failure->related[i].place);
        sm_stack_free(&failure->related[i].stack);
    }
    free(failure->related);
}

void sm_outcome_free(struct sm_outcome *outcome)
{
    sm_failure_free(&outcome->failure);
    for (uint32_t i = 0; i < outcome->n_warnings; i++)
        sm_failure_free(&outcome->warnings[i]);
    free(outcome->warnings);
}

static struct sm_stack copy_stack(const struct sm_stack *from)
{
    struct sm_stack copy = {0};
    for (uint32_t i = 0; i < from->n; i++)
        sm_stack_add(&copy, sm_place_copy(&from->frames[i]));
    return copy;
}

struct sm_failure sm_failure_copy(const struct sm_failure *failure)
{
    struct sm_failure copy = *failure;
    copy.detail = sm_copy_text(failure->detail);
    copy.place = sm_place_copy(&failure->place);
    copy.stack = copy_stack(&failure->stack);
    copy.related = sm_copy_bytes(failure->related, failure->n_related * sizeof *failure->related);
    for (uint32_t i = 0; i < failure->n_related; i++) {
        copy.related[i].place = sm_place_copy(&failure->related[i].place);
        copy.related[i].stack = copy_stack(&failure->related[i].stack);
    }
    return copy;
}
