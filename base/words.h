/*
 * words.h - how users spell the enums of abi/control.h, and a line about each.
 *
 * Made of the lists in abi/ (models.def, schedules.def, heuristics.def, failures.def,
 * cuts.def). Each array of words ends in NULL.
 */
#ifndef SM_BASE_WORDS_H
#define SM_BASE_WORDS_H

#include <stddef.h>
#include <stdint.h>

extern const char *const sm_model_words[], *const sm_model_needs[];
extern const char *const sm_schedule_words[], *const sm_schedule_texts[];
extern const char *const sm_heuristic_words[], *const sm_heuristic_texts[];
extern const char *const sm_failure_words[], *const sm_failure_texts[]; /* "" for none */
extern const char *const sm_failure_advice[], *const sm_failure_families[];
extern const uint8_t sm_failure_severities[]; /* enum sm_severity */
extern const char *const sm_role_words[];
extern const char *const sm_cut_words[], *const sm_cut_texts[];
int sm_failure_of_word(const char *word); /* enum sm_failure_kind; NONE: not a kind */
extern const char *const sm_carrier_words[];
extern const char *const sm_volatile_words[];
extern const char *const sm_color_words[];
extern const char *const sm_fail_on_words[];
extern const char *const sm_on_words[];
extern const char *const sm_flag_words[]; /* no, yes */

/* The word most similar to `word`, or NULL if none is similar enough. */
const char *sm_nearest_word(const char *word, const char *const *words, size_t n);

#endif
