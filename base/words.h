/* words.h - how users spell the enums of abi/control.h. Each array ends in NULL. */
#ifndef SM_BASE_WORDS_H
#define SM_BASE_WORDS_H

#include <stddef.h>

extern const char *const sm_model_words[];
extern const char *const sm_schedule_words[];
extern const char *const sm_heuristic_words[];
extern const char *const sm_carrier_words[];
extern const char *const sm_volatile_words[];
extern const char *const sm_color_words[];
extern const char *const sm_fail_on_words[];
extern const char *const sm_flag_words[]; /* no, yes */

/* The word most like `word`, or NULL when none is near enough to be a misspelling. */
const char *sm_nearest_word(const char *word, const char *const *words, size_t n);

#endif
