/*
 * mutants.c - witnesses that were changed and written again, so that every checksum fits: none is
 * accepted with another meaning, none takes more than 2 s or 200 MB.
 *
 * A mutant is accepted if it can be read and the checker calls it legal. Its meaning is what was
 * run, the choices, the records and how it ended; a model in which the same records are legal is no
 * lie.
 *
 * Usage: witness-mutants WITNESS N SEED [KEEP]: KEEP gets the last mutant, for other commands.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/random.h"
#include "checker/check.h"
#include "witness/witness.h"

enum { SECONDS = 2 };
static const rlim_t memory = 200ul << 20;
static struct sm_random stream;

static uint64_t below(uint64_t n)
{
    return n ? sm_random_next(&stream) % n : 0;
}

/* ---- changes ---- */

static void change_record(struct sm_record *record)
{
    static const uint64_t odd[] = {0, 1, SM_RF_INITIAL, SM_RF_PARTS, SM_RF_NONE, 1ul << 63};
    uint64_t value = below(2) ? odd[below(6)] : below(64);
    switch (below(10)) {
    case 0:
        record->kind = (uint8_t)below(SM_EVENTS + 1);
        break;
    case 1:
        record->size = (uint8_t)below(10);
        break;
    case 2:
        record->order = (uint8_t)below(8);
        break;
    case 3:
        record->flags ^= (uint8_t)(1u << below(7));
        break;
    case 4:
        record->thread = below(2) ? (uint32_t)below(6) : 1u << 31;
        break;
    case 5:
        record->addr += below(2) ? 4 : (uint64_t)-4;
        break;
    case 6:
        record->value = value;
        break;
    case 7:
        record->old = value;
        break;
    default:
        record->rf = value;
    }
}

/* One is dropped, the last one half of the time; or comes twice; or two change places. */
static void move_record(struct sm_witness *witness)
{
    struct sm_record *records = witness->records;
    size_t n = witness->n_records, i = below(2) ? n - 1 : below(n), k = below(n);
    struct sm_record swap = records[i];
    switch (below(3)) {
    case 0:
        memmove(&records[i], &records[i + 1], (--witness->n_records - i) * sizeof *records);
        break;
    case 1:
        records[k] = records[i];
        break;
    default:
        records[i] = records[k];
        records[k] = swap;
    }
}

static void change_header(struct sm_witness *witness)
{
    uint64_t *const numbers[] = {&witness->end,
                                 &witness->status,
                                 &witness->end_thread,
                                 &witness->events,
                                 &witness->watch_mode,
                                 &witness->lie_mode,
                                 &witness->seal,
                                 &witness->options.volatile_as,
                                 &witness->options.prescient};
    *numbers[below(sizeof numbers / sizeof *numbers)] ^= 1 + below(3);
}

static void change_choices(struct sm_witness *witness)
{
    if (!witness->n_choices || below(3) == 0)
        witness->n_choices -= witness->n_choices != 0;
    else
        witness->choices[below(witness->n_choices)].pick ^= 1;
}

static void change(struct sm_witness *witness)
{
    switch (below(8)) {
    case 0:
        change_header(witness);
        break;
    case 1:
        change_choices(witness);
        break;
    case 2:
    case 3:
        move_record(witness);
        break;
    default:
        change_record(&witness->records[below(witness->n_records)]);
    }
}

/* ---- judging ---- */

static bool same_bytes(const void *a, size_t n, const void *b, size_t m)
{
    return n == m && (!n || memcmp(a, b, n) == 0);
}

static bool means_the_same(const struct sm_witness *a, const struct sm_witness *b)
{
    return same_bytes(a->records, a->n_records * sizeof *a->records, b->records,
                      b->n_records * sizeof *b->records) &&
           same_bytes(a->choices, a->n_choices * sizeof *a->choices, b->choices,
                      b->n_choices * sizeof *b->choices) &&
           a->end == b->end && a->status == b->status && a->end_thread == b->end_thread &&
           a->events == b->events && a->watch_mode == b->watch_mode && a->lie_mode == b->lie_mode &&
           a->options.volatile_as == b->options.volatile_as &&
           a->options.prescient == b->options.prescient;
}

static bool is_accepted(const char *path)
{
    struct sm_witness witness;
    char why[SM_WHY_SIZE];
    struct sm_verdict verdict;
    if (!sm_witness_read(path, &witness, why) || !sm_witness_is_whole(&witness, why))
        return false;
    struct sm_check_options options = sm_check_options_of(&witness);
    return sm_check_records(witness.records, witness.n_records, &options, &verdict);
}

/* 0: refused, 1: accepted, 2: it took too long or too much, or crashed. */
static int judge(const char *path)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_AS, &(struct rlimit){memory, memory});
        alarm(SECONDS);
        _exit(is_accepted(path));
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) < 2
               ? WEXITSTATUS(status)
               : 2;
}

int main(int argc, char **argv)
{
    char why[SM_WHY_SIZE], path[4096];
    struct sm_witness original;
    int n = argc > 3 ? atoi(argv[2]) : 0, accepted = 0, wrong = 0;
    if (argc < 4 || !sm_witness_read(argv[1], &original, why)) {
        fprintf(stderr, "%s\n", argc < 4 ? "usage: witness-mutants WITNESS N SEED [KEEP]" : why);
        return 2;
    }
    stream = sm_random_seed(strtoull(argv[3], NULL, 10), 1);
    snprintf(path, sizeof path, "%s", argc > 4 ? argv[4] : "mutant.smw");
    if (!is_accepted(argv[1])) {
        printf("%s itself is not accepted\n", argv[1]);
        return 1;
    }
    for (int i = 0; i < n; i++) {
        struct sm_witness mutant;
        if (!sm_witness_read(argv[1], &mutant, why))
            return 2;
        change(&mutant);
        bool same = means_the_same(&original, &mutant);
        if (!sm_witness_write(path, &mutant, why))
            return 2;
        int verdict = judge(path);
        accepted += verdict == 1;
        if (verdict == 2 || (verdict == 1 && !same)) {
            printf("%s, seed %s: mutant %d %s\n", argv[1], argv[3], i,
                   verdict == 2 ? "took too much, or crashed" : "is accepted");
            wrong++;
        }
        sm_witness_free(&mutant);
    }
    printf("%s: %d mutants, %d accepted that mean the same, %d wrong\n", argv[1], n, accepted,
           wrong);
    return wrong != 0;
}
