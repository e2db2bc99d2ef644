/*
 * mutants.c - witnesses that were changed and written again, so that every checksum of the file
 * fits; of every second mutant the seal, too, which ties the parts of a witness together. None is
 * accepted with another meaning, and none takes more than 2 s of CPU time or 200 MB in check,
 * replay or report.
 *
 * Without its seal no mutant may be read. With it a mutant may be a legal execution, of another
 * program: then replay must say that this program does not do that.
 *
 * Usage: witness-mutants STALEMATE STORE WITNESS N SEED EVERY: WITNESS is in STORE and is put back
 * at the end. Every EVERY-th mutant goes through the commands, the others through the checker
 * alone.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/random.h"
#include "checker/check.h"
#include "witness/witness.h"

/* A process that waits spends no CPU time; the alarm is for it, however slow the machine. */
enum { CPU_SECONDS = 2, ALARM_SECONDS = 120 };
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

/* An execution is its records and its end. Choices among which no event depends, and options that
   rule no access of it, may differ: replay and check decide by them what they decide without. */
static bool is_same_execution(const struct sm_witness *a, const struct sm_witness *b)
{
    return same_bytes(a->records, a->n_records * sizeof *a->records, b->records,
                      b->n_records * sizeof *b->records) &&
           a->end == b->end && a->status == b->status && a->end_thread == b->end_thread &&
           a->events == b->events;
}

static bool is_unchanged(const struct sm_witness *a, const struct sm_witness *b)
{
    return is_same_execution(a, b) &&
           same_bytes(a->choices, a->n_choices * sizeof *a->choices, b->choices,
                      b->n_choices * sizeof *b->choices) &&
           a->watch_mode == b->watch_mode && a->lie_mode == b->lie_mode &&
           a->options.volatile_as == b->options.volatile_as &&
           a->options.prescient == b->options.prescient;
}

static int accepts(const char *path)
{
    struct sm_witness witness;
    char why[SM_WHY_SIZE];
    struct sm_verdict verdict;
    if (!sm_witness_read(path, &witness, why) || !sm_witness_is_whole(&witness, why))
        return 0;
    struct sm_check_options options = sm_check_options_of(&witness);
    return sm_check_records(witness.records, witness.n_records, &options, &verdict);
}

enum { TOO_MUCH = -1 };

/* The child's exit status. */
static int await(pid_t child)
{
    int status;
    struct rusage used;
    if (wait4(child, &status, 0, &used) != child || !WIFEXITED(status) ||
        (rlim_t)used.ru_maxrss << 10 > memory)
        return TOO_MUCH;
    return WEXITSTATUS(status);
}

static void limit(void)
{
    setrlimit(RLIMIT_CPU, &(struct rlimit){CPU_SECONDS, CPU_SECONDS});
    alarm(ALARM_SECONDS);
}

static int check(const char *path)
{
    pid_t child = fork();
    if (child == 0) {
        limit();
        setrlimit(RLIMIT_AS, &(struct rlimit){memory, memory});
        _exit(accepts(path));
    }
    return await(child);
}

static int command(const char *stalemate, const char *name, const char *operand)
{
    pid_t child = fork();
    if (child == 0) {
        int nothing = open("/dev/null", O_RDWR);
        limit();
        for (int i = 0; nothing >= 0 && i < 3; i++)
            dup2(nothing, i);
        execl(stalemate, stalemate, name, operand, (char *)NULL);
        _exit(127);
    }
    return await(child);
}

/* Of what can be replayed: 3 says that the replay departed. */
static bool is_reproduced(const char *stalemate, const char *path)
{
    int status = command(stalemate, "replay", path);
    return status == 0 || status == 1;
}

struct subject {
    const char *stalemate, *store, *path;
    struct sm_witness original;
    int n, every, legal, same, wrong;
};

static void complain(struct subject *subject, int mutant, const char *what)
{
    printf("%s: mutant %d: %s\n", subject->path, mutant, what);
    subject->wrong++;
}

/* Status 70 is a fault of ours; 2 says that the witness cannot be read. */
static bool is_right(int status, bool readable)
{
    return readable ? status >= 0 && status < 70 : status == 2;
}

static void try_commands(struct subject *subject, int mutant, bool readable)
{
    static const char *const names[] = {"check", "replay"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!is_right(command(subject->stalemate, names[i], subject->path), readable))
            complain(subject, mutant, names[i]);
    if (!is_right(command(subject->stalemate, "report", subject->store), true))
        complain(subject, mutant, "report");
}

static void judge(struct subject *subject, int mutant, bool same, bool sealed)
{
    int accepted = check(subject->path);
    subject->legal += accepted == 1;
    subject->same += accepted == 1 && same;
    if (accepted == TOO_MUCH)
        complain(subject, mutant, "too much for the checker");
    if (accepted == 1 && !same && !sealed)
        complain(subject, mutant, "accepted without its seal");
    if (accepted == 1 && !same && is_reproduced(subject->stalemate, subject->path))
        complain(subject, mutant, "replay says that it is reproduced, and it has another meaning");
    if (mutant % subject->every == 0)
        try_commands(subject, mutant, same || sealed);
}

static bool read_again(const char *path, struct sm_witness *witness)
{
    char why[SM_WHY_SIZE];
    bool ok = sm_witness_read(path, witness, why);
    if (!ok)
        fprintf(stderr, "%s: %s\n", path, why);
    return ok;
}

static bool write_to(const char *path, const struct sm_witness *witness)
{
    char why[SM_WHY_SIZE];
    bool ok = sm_witness_write(path, witness, why);
    if (!ok)
        fprintf(stderr, "%s: %s\n", path, why);
    return ok;
}

static bool judge_all(struct subject *subject, const char *kept)
{
    for (int i = 0; i < subject->n; i++) {
        struct sm_witness mutant;
        bool sealed = i % 2;
        if (!read_again(kept, &mutant))
            return false;
        change(&mutant);
        bool same = sealed ? is_same_execution(&subject->original, &mutant)
                           : is_unchanged(&subject->original, &mutant);
        if (sealed)
            mutant.seal = sm_witness_seal(&mutant);
        if (!write_to(subject->path, &mutant))
            return false;
        judge(subject, i, same, sealed);
        sm_witness_free(&mutant);
    }
    return true;
}

int main(int argc, char **argv)
{
    if (argc != 7) {
        fprintf(stderr, "usage: witness-mutants STALEMATE STORE WITNESS N SEED EVERY\n");
        return 2;
    }
    struct subject subject = {.stalemate = argv[1],
                              .store = argv[2],
                              .path = argv[3],
                              .n = atoi(argv[4]),
                              .every = atoi(argv[6])};
    char kept[4096];
    snprintf(kept, sizeof kept, "%s.kept", subject.path);
    stream = sm_random_seed(strtoull(argv[5], NULL, 10), 1);
    if (!read_again(subject.path, &subject.original) || !write_to(kept, &subject.original))
        return 2;
    if (check(kept) != 1 || !is_reproduced(subject.stalemate, kept)) {
        printf("%s itself is not accepted\n", subject.path);
        return 1;
    }
    if (!judge_all(&subject, kept) || rename(kept, subject.path) != 0)
        return 2;
    printf("%s: %d mutants, %d legal, %d of them mean the same, %d wrong\n", subject.path,
           subject.n, subject.legal, subject.same, subject.wrong);
    return subject.wrong != 0;
}
