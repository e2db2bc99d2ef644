#include "findings/verdict.h"

#include <stddef.h>

const char *const sm_verdict_words[] = {
#define SM_VERDICT(name, word, meaning, advice) word,
#include "findings/verdicts.def"
    NULL};
const char *const sm_verdict_meanings[] = {
#define SM_VERDICT(name, word, meaning, advice) meaning,
#include "findings/verdicts.def"
};
const char *const sm_verdict_advice[] = {
#define SM_VERDICT(name, word, meaning, advice) advice,
#include "findings/verdicts.def"
};
const char *const sm_trials_end_words[] = {
#define SM_TRIALS_END(name, word, about) word,
#include "findings/trials_end.def"
    NULL};
const char *const sm_trials_end_about[] = {
#define SM_TRIALS_END(name, word, about) about,
#include "findings/trials_end.def"
};
