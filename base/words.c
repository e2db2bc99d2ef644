#include "base/words.h"

#include <string.h>

#include "abi/control.h"

const char *const sm_model_words[] = {
#define SM_MODEL(name, word, needs) #word,
#include "abi/models.def"
    NULL};
const char *const sm_model_needs[] = {
#define SM_MODEL(name, word, needs) needs,
#include "abi/models.def"
    NULL};
const char *const sm_schedule_words[] = {
#define SM_SCHEDULE(name, word, about) #word,
#include "abi/schedules.def"
    NULL};
const char *const sm_schedule_texts[] = {
#define SM_SCHEDULE(name, word, about) about,
#include "abi/schedules.def"
};
const char *const sm_heuristic_words[] = {
#define SM_HEURISTIC(name, word, about) word,
#include "abi/heuristics.def"
    NULL};
const char *const sm_heuristic_texts[] = {
#define SM_HEURISTIC(name, word, about) about,
#include "abi/heuristics.def"
};
const char *const sm_failure_words[] = {"",
#define SM_FAILURE(name, word, severity, family, about, advice) word,
#include "abi/failures.def"
                                        NULL};
const char *const sm_failure_texts[] = {
    "",
#define SM_FAILURE(name, word, severity, family, about, advice) about,
#include "abi/failures.def"
};
const char *const sm_failure_advice[] = {
    "",
#define SM_FAILURE(name, word, severity, family, about, advice) (advice),
#include "abi/failures.def"
};
const char *const sm_failure_families[] = {
    "",
#define SM_FAILURE(name, word, severity, family, about, advice) family,
#include "abi/failures.def"
};
const uint8_t sm_failure_severities[] = {
    SM_SEVERITY_ERROR,
#define SM_FAILURE(name, word, severity, family, about, advice) SM_SEVERITY_##severity,
#include "abi/failures.def"
};
const char *const sm_cut_words[] = {
#define SM_CUT(id, word, text) word,
#include "abi/cuts.def"
    NULL};
const char *const sm_cut_texts[] = {
#define SM_CUT(id, word, text) (text),
#include "abi/cuts.def"
};
const char *const sm_role_words[] = {
#define SM_ROLE(name, word) word,
#include "abi/roles.def"
    NULL};
const char *const sm_carrier_words[] = {
    [SM_CARRIER_THREAD] = "thread",
    [SM_CARRIER_FIBER] = "fiber",
    [SM_CARRIERS] = NULL,
};
const char *const sm_volatile_words[] = {
    [SM_VOLATILE_PLAIN] = "plain",
    [SM_VOLATILE_RELAXED] = "relaxed",
    [SM_VOLATILE_SEQ_CST] = "seq_cst",
    [SM_VOLATILES] = NULL,
};
const char *const sm_color_words[] = {"auto", "always", "never", NULL};
const char *const sm_on_words[] = {"here", "slurm", "parallel", "script", NULL};
const char *const sm_fail_on_words[] = {"destructive", "race", "any", "violation", NULL};
const char *const sm_flag_words[] = {"no", "yes", NULL};

static size_t smallest(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Edits (insert, delete, replace, swap neighbours) from one word to the other. */
static size_t distance(const char *a, const char *b)
{
    enum { LONGEST = 40 };
    size_t rows[3][LONGEST + 1], n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST)
        return n + m;
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *now = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            now[j] = smallest(above[j] + 1, now[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                two_above[j - 2] + 1 < now[j])
                now[j] = two_above[j - 2] + 1;
        }
    }
    return rows[n % 3][m];
}

const char *sm_nearest_word(const char *word, const char *const *words, size_t n)
{
    const char *best = NULL;
    size_t least = strlen(word) / 3 + 1; /* a third of the letters may be wrong, and one more */
    for (size_t i = 0; i < n; i++) {
        size_t edits = distance(word, words[i]);
        if (edits <= least && (!best || edits < distance(word, best)))
            best = words[i];
    }
    return best;
}

int sm_failure_of_word(const char *word)
{
    int kind = SM_FAILURES - 1;
    while (kind > SM_FAILURE_NONE && (!word || strcmp(sm_failure_words[kind], word) != 0))
        kind--;
    return kind;
}
