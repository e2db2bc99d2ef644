#include "target/record.h"
#include "base/words.h"
#include "target/assume.h"
#include "target/initial.h"
#include "target/words.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void copy_list(struct sm_list *to, const struct sm_list *from)
{
    for (size_t i = 0; i < from->n; i++)
        sm_list_add(to, from->items[i]);
}

static void copy_input(struct sm_buffer *to, int fd)
{
    char chunk[1 << 14];
    ssize_t got;
    for (off_t at = 0; (got = pread(fd, chunk, sizeof chunk, at)) > 0; at += got)
        sm_buffer_add(to, chunk, (size_t)got);
}

static void copy_objects(struct sm_witness *witness, const struct sm_control *control)
{
    witness->objects = sm_new(SM_MAX_MODULES * sizeof *witness->objects);
    for (uint32_t i = 0; i < control->n_mappings && i < SM_MAX_MODULES; i++) {
        const struct sm_mapping *mapping = &control->mappings[i];
        char id[SM_BUILD_ID_SIZE];
        if (mapping->path[0] != '/')
            continue;
        sm_image_build_id(mapping->path, id);
        witness->objects[witness->n_objects++] = (struct sm_mapped_file){
            .path = sm_copy_text(mapping->path),
            .build_id = sm_copy_text(id),
            .base = mapping->base,
            .start = mapping->start,
            .end = mapping->end,
        };
    }
}

static uint32_t *list_bits(const uint8_t *bits, uint64_t n_sites, size_t *n)
{
    uint32_t *numbers = sm_new((n_sites + 1) * sizeof *numbers);
    *n = 0;
    for (uint32_t i = 0; i < n_sites && i < SM_WATCH_BITS; i++)
        if (bits[i / 8] >> i % 8 & 1)
            numbers[(*n)++] = i;
    return numbers;
}

static void set_bits(uint8_t *bits, const uint32_t *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (numbers[i] < SM_WATCH_BITS)
            bits[numbers[i] / 8] |= (uint8_t)(1 << numbers[i] % 8);
}

static void copy_watched(struct sm_witness *witness, const struct sm_control *control)
{
    witness->watch_mode = control->watch_mode;
    witness->lie_mode = control->lie_mode;
    if (control->watch_mode == SM_WATCH_LIST)
        witness->watched = list_bits(control->watch_bits, control->n_sites, &witness->n_watched);
    if (control->lie_mode == SM_LIE_LIST)
        witness->lied = list_bits(control->lie_bits, control->n_sites, &witness->n_lied);
    if (!control->options.sample)
        return;
    witness->n_sampled = control->n_sampled;
    witness->sampled =
        sm_copy_bytes(control->sampled, witness->n_sampled * sizeof *witness->sampled);
}

static void copy_ending(struct sm_witness *witness, const struct sm_outcome *outcome)
{
    const struct sm_failure *failure = &outcome->failure;
    witness->failure_kind = sm_copy_text(sm_failure_words[failure->kind]);
    witness->failure_detail = sm_copy_text(failure->detail ? failure->detail : "");
    witness->place = sm_place_copy(&failure->place);
    for (uint32_t i = 0; i < failure->stack.n; i++)
        sm_stack_add(&witness->stack, sm_place_copy(&failure->stack.frames[i]));
    witness->end = outcome->end;
    witness->status = (uint32_t)outcome->status;
    witness->end_thread = failure->thread;
    witness->events = outcome->events;
    witness->records_lost = outcome->records_lost;
    witness->choices_made = outcome->choices_made;
    witness->trace_hash = outcome->trace_hash;
}

void sm_record_execution(struct sm_witness *witness, const struct sm_target *target,
                         const struct sm_outcome *outcome, const struct sm_sites *sites)
{
    const struct sm_control *control = target->shared.control;
    *witness = (struct sm_witness){.options = control->options};
    witness->version = sm_copy_text(SM_VERSION);
    witness->program = sm_copy_text(target->path);
    witness->build_id = sm_copy_text(target->build_id);
    witness->directory =
        target->directory ? sm_copy_text(target->directory) : get_current_dir_name();
    copy_list(&witness->arguments, &target->arguments);
    copy_list(&witness->environment, &target->environment);
    copy_input(&witness->input, target->input);
    copy_objects(witness, control);
    copy_watched(witness, control);
    witness->repairs = sm_copy_text(control->repairs);
    copy_ending(witness, outcome);
    witness->n_choices = control->choices_out;
    witness->choices =
        sm_copy_bytes(target->shared.choices, witness->n_choices * sizeof *witness->choices);
    witness->n_records = control->trace_records;
    witness->records =
        sm_copy_bytes(target->shared.trace, witness->n_records * sizeof *witness->records);
    /* It was stopped from outside between counting an event and storing its record. */
    if (witness->end == SM_END_NONE && witness->n_records && !witness->records_lost)
        witness->events = sm_witness_count_events(witness);
    struct sm_buffer rows = {0};
    sm_sites_encode(sites, NULL, NULL, &rows);
    sm_sites_parse(rows.data, rows.size, &witness->sites);
    sm_buffer_free(&rows);
    sm_words_find(witness, control);
    sm_initial_declare(witness);
    witness->seal = sm_witness_seal(witness);
}

bool sm_record_load(const struct sm_witness *witness, struct sm_target *target,
                    struct sm_options *options, struct sm_error *error)
{
    struct sm_control *control = target->shared.control;
    if (witness->n_choices > control->choices_limit || witness->n_records > control->trace_limit ||
        witness->n_sampled > SM_MAX_SAMPLED)
        return sm_fail(error, SM_STATUS_USAGE,
                       "the witness is longer than this build of Stalemate can replay");
    if (witness->n_choices)
        memcpy(target->shared.choices, witness->choices,
               witness->n_choices * sizeof *witness->choices);
    if (witness->n_records)
        memcpy(target->shared.trace, witness->records,
               witness->n_records * sizeof *witness->records);
    control->choices_in = witness->n_choices;
    control->replay_records = witness->n_records;
    control->watch_mode = (uint32_t)witness->watch_mode;
    control->lie_mode = (uint32_t)witness->lie_mode;
    set_bits(control->watch_bits, witness->watched, witness->n_watched);
    set_bits(control->lie_bits, witness->lied, witness->n_lied);
    control->n_sampled = witness->n_sampled;
    if (witness->n_sampled)
        memcpy(control->sampled, witness->sampled, witness->n_sampled * sizeof *witness->sampled);
    if (!sm_assume_text(target, witness->repairs, error))
        return false;
    *options = witness->options;
    options->schedule = SM_SCHEDULE_REPLAY;
    /* It was stopped from outside: replay as far as it got. 0 would be no limit. */
    if (witness->end == SM_END_NONE)
        options->steps = witness->events ? witness->events : 1;
    return true;
}

bool sm_record_ends_alike(const struct sm_witness *witness, const struct sm_outcome *outcome)
{
    return witness->end == outcome->end && (uint32_t)witness->status == (uint32_t)outcome->status;
}
