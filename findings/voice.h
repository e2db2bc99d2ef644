/*
 * voice.h - the wording of all findings.
 *
 * Every message and story says, in this order: what happened, where in the user's code, why it is
 * legal, what to do. The words for a thread, a place, a variable, a value, a model are made only
 * here, so that the terminal, the page, SARIF and gdb use the same names:
 *
 *   thread   "thread 1 · producer" as a label, "thread 1 (producer)" in a sentence
 *   place    the innermost frame outside the system's headers: "config.cpp:11 (reload)"
 *   memory   as the source writes it, elements by index: "ring[0]", "g_config"
 *   model    with what it needs: "pso: stores reordered (ARM, or the compiler; not x86)"
 *
 * Nothing is executed; all facts come from the witness or from a command's findings. story.h tells
 * the whole story of a witness.
 */
#ifndef SM_FINDINGS_VOICE_H
#define SM_FINDINGS_VOICE_H

#include "abi/control.h"
#include "findings/race.h"
#include "target/outcome.h"
#include "witness/witness.h"

/* ---- threads ---- */

/* The start function; "" if unknown. Borrowed. */
const char *sm_voice_start(const struct sm_witness *witness, uint32_t thread);
/* "thread 1 · producer" */
void sm_voice_thread_label(struct sm_buffer *to, const struct sm_witness *witness, uint32_t thread);
/* "thread 1 (producer)" */
void sm_voice_thread(struct sm_buffer *to, const struct sm_witness *witness, uint32_t thread);

/* ---- places ---- */

/* Where record i is in the user's code; the strings are the caller's (sm_place_free). All empty if
   unknown. */
struct sm_place sm_voice_place(const struct sm_witness *witness, size_t i);
/* The library's function that the user's code called there: "std::shared_ptr<Config>::operator=";
   NULL if the access is the user's own. Borrowed. */
const char *sm_voice_callee(const struct sm_witness *witness, size_t i);
/* "ring.c:9" */
void sm_voice_line(struct sm_buffer *to, const struct sm_place *place);
/* The source line, trimmed; to be freed, NULL if it cannot be read. A relative file is also looked
   for in `directory` (NULL: only in the current one). */
char *sm_voice_source(const struct sm_place *place, const char *directory);

/* ---- memory ---- */

/* "ring[0]", "g_config"; the site's name if the source has no name for it ("Point.x"); "" if
   nothing is known. Borrowed. */
const char *sm_voice_memory(const struct sm_witness *witness, size_t i);
/* The type, if it is the library's: "std::shared_ptr<Config>"; else NULL. Borrowed. */
const char *sm_voice_type(const struct sm_witness *witness, size_t i);
/* What the user's code does there: "reads", "writes", "assigns", "copies", "calls push_back()". */
void sm_voice_act(struct sm_buffer *to, const char *kind, const char *callee);

/* ---- races ---- */

/* Of an access with its stack: the user's frame, and what it called there (borrowed; NULL if
   nothing). Without a stack the place itself. */
const struct sm_place *sm_voice_user_place(const struct sm_access *access);
const char *sm_voice_user_callee(const struct sm_access *access);
/* "reload() config.cpp:11 assigns" */
void sm_voice_access(struct sm_buffer *to, const struct sm_access *access);
/* "race on g_config (std::shared_ptr): reload() config.cpp:11 assigns while worker() config.cpp:12
   copies". `variable` is the site's name, `object` the user's (or NULL), `type` the library's type
   of it (or NULL). Without the accesses (NULL) it ends before the colon. */
void sm_voice_race(struct sm_buffer *to, const char *variable, const char *object, const char *type,
                   const struct sm_access *first, const struct sm_access *second);

/* ---- failures ---- */

/* "thread 2 (consumer) crashes at ring.c:17 in consumer: SIGABRT (Aborted)"; without a `who` it is
   the program that fails, in every execution. One line. */
void sm_voice_failure(struct sm_buffer *to, const struct sm_failure *failure, const char *who);
/* Only kind and place: "use-after-free at config.cpp:27 in worker". */
void sm_voice_failure_brief(struct sm_buffer *to, const struct sm_failure *failure);
/* The same after its kind: "assert: thread 0 fails the assertion ...", "deadlock: thread 1
   holds". */
void sm_voice_failure_kind(struct sm_buffer *to, const struct sm_failure *failure);
/* The frames, innermost first, one a line without an end of line; system frames around the user's
   are folded into one, and so are repetitions. */
void sm_voice_stack(const struct sm_stack *stack, struct sm_list *lines);

/* ---- models and numbers ---- */

/* "pso: stores reordered (ARM, or the compiler; not x86)". Not to be freed. */
const char *sm_voice_model(enum sm_model_id model);
/* "1,999" */
void sm_voice_count(struct sm_buffer *to, uint64_t n);

/* "assuming fix: lock m a.c:4-9; merge a.c:12 n seq_cst": the repairs that an execution assumes
   (abi/repair.h). Nothing if there are none. */
void sm_voice_repairs(struct sm_buffer *to, const char *repairs);

#endif
