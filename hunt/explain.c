#include "hunt/explain.h"

#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "findings/interleaving.h"
#include "findings/racing.h"

/* Longer witnesses take too long to search. */
enum { MOST_RECORDS = 20000 };

/* A finding with a witness: races come first, failures after them. */
struct explained {
    struct sm_hunt_race *race;
    struct sm_hunt_failure *failure;
    const struct sm_watchlist *sites; /* of the race */
    size_t group;                     /* number of a finding with the same cause, or its own
                                         number */
    bool reaches, reached;            /* its pointer leads to another one; it is reached by a
                                         pointer of another one */
    bool publishes;                   /* its variable tells when that of another one may be read */
};

struct explanation {
    struct explained *items;
    size_t n;
    const struct sm_hunt_report *report;
    const struct sm_investigations *investigations; /* of the report's races, in their order */
};

static const struct sm_failure *failure_of(const struct explained *finding)
{
    return finding->race ? &finding->race->failure : &finding->failure->failure;
}

static char *witness_of(const struct explained *finding)
{
    return finding->race ? finding->race->witness : finding->failure->witness;
}

static size_t group_of(const struct explanation *all, size_t i)
{
    while (all->items[i].group != i)
        i = all->items[i].group;
    return i;
}

static void join(struct explanation *all, size_t a, size_t b)
{
    all->items[group_of(all, a)].group = group_of(all, b);
}

/* One was reached through the other. */
static void join_under(struct explanation *all, size_t i, size_t other)
{
    join(all, i, other);
    all->items[other].reaches = true;
    all->items[i].reached = true;
}

/* ---- by what the reports say ---- */

static bool is_same_place(const struct sm_place *a, const struct sm_place *b)
{
    return a->file && b->file && a->line == b->line && strcmp(a->file, b->file) == 0;
}

static bool is_same_failure(const struct sm_failure *a, const struct sm_failure *b)
{
    if (a->kind != b->kind)
        return false;
    return a->place.file || b->place.file ? is_same_place(&a->place, &b->place)
                                          : strcmp(a->detail, b->detail) == 0;
}

static bool is_same_object(const struct explained *a, const struct explained *b)
{
    return a->race && b->race && a->race->object && b->race->object &&
           strcmp(a->race->object, b->race->object) == 0;
}

static const struct sm_place *place_of_role(const struct sm_failure *failure, const char *role)
{
    for (uint32_t i = 0; i < failure->n_related; i++)
        if (strcmp(failure->related[i].role, role) == 0)
            return &failure->related[i].place;
    return NULL;
}

static bool is_same_block(const struct sm_failure *a, const struct sm_failure *b)
{
    const struct sm_place *allocated[] = {place_of_role(a, "allocated"),
                                          place_of_role(b, "allocated")};
    const struct sm_place *freed[] = {place_of_role(a, "freed"), place_of_role(b, "freed")};
    bool same_kind = !allocated[0] || !allocated[1] || is_same_place(allocated[0], allocated[1]);
    return same_kind && freed[0] && freed[1] && freed[0]->function && freed[1]->function &&
           strcmp(freed[0]->function, freed[1]->function) == 0;
}

static void compare_all(struct explanation *all)
{
    for (size_t i = 0; i < all->n; i++)
        for (size_t k = 0; k < i; k++) {
            const struct explained *a = &all->items[i], *b = &all->items[k];
            bool loose = !a->race || !b->race; /* two races must each be repaired */
            if (is_same_object(a, b) || is_same_block(failure_of(a), failure_of(b)) ||
                (loose && is_same_failure(failure_of(a), failure_of(b))))
                join(all, i, k);
        }
}

/* ---- by pointers ---- */

/* The witness of one finding. */
struct witnessed {
    const struct sm_witness *witness;
    struct sm_racing racing;
    size_t *allocations; /* ALLOC records */
    size_t n_allocations;
    bool *about; /* by allocation: the finding is about that block */
};

/* The heap block that holds the address, at that record: number of its allocation, or how many
   there are. */
static size_t block_of(const struct witnessed *seen, uint64_t addr, size_t at)
{
    for (size_t i = seen->n_allocations; i-- > 0;) {
        const struct sm_record *record = &seen->witness->records[seen->allocations[i]];
        if (seen->allocations[i] < at && addr >= record->addr && addr - record->addr < record->old)
            return i;
    }
    return seen->n_allocations;
}

/* For a failure the block is unknown: it may be any that a race shows a pointer to. */
static bool is_of_memory(const struct sm_hunt_failure *failure)
{
    return failure->racy && (failure->failure.kind == SM_FAILURE_SIGNAL ||
                             strcmp(sm_failure_families[failure->failure.kind], "memory") == 0);
}

static void note_blocks(struct witnessed *seen, const struct explained *finding)
{
    for (size_t i = 0; i < seen->n_allocations; i++)
        seen->about[i] = finding->failure && is_of_memory(finding->failure);
    for (size_t i = 0; finding->race && i < seen->racing.n; i++) {
        size_t to = seen->racing.items[i].to;
        const struct sm_record *record = &seen->witness->records[to];
        if (sm_watchlist_has(finding->sites, record->site))
            seen->about[block_of(seen, record->addr, to)] = true;
    }
    seen->about[seen->n_allocations] = false;
}

static struct witnessed open_witness(const struct sm_witness *witness,
                                     const struct sm_reasons *reasons,
                                     const struct explained *finding)
{
    struct witnessed seen = {.witness = witness, .racing = sm_racing_find(witness, reasons)};
    seen.allocations = sm_new((witness->n_records + 1) * sizeof *seen.allocations);
    seen.about = sm_new(witness->n_records + 1);
    for (size_t i = 0; i < witness->n_records; i++)
        if (witness->records[i].kind == SM_EV_ALLOC)
            seen.allocations[seen.n_allocations++] = i;
    note_blocks(&seen, finding);
    return seen;
}

static void close_witness(struct witnessed *seen)
{
    sm_racing_free(&seen->racing);
    free(seen->allocations);
    free(seen->about);
}

/* A race of the pair shows a pointer to the block that the finding is about. */
static bool leads_there(const struct witnessed *seen, const struct sm_racing_pair *pair)
{
    const struct sm_record *from = &seen->witness->records[pair->from],
                           *to = &seen->witness->records[pair->to];
    return (from->size == 8 && seen->about[block_of(seen, from->value, pair->to)]) ||
           (to->size == 8 && seen->about[block_of(seen, to->value, pair->to)]);
}

/* To which race the access belongs: the number of the finding, or n. */
static size_t race_of(const struct explanation *all, uint32_t site)
{
    size_t i = 0;
    while (i < all->n && !(all->items[i].sites && sm_watchlist_has(all->items[i].sites, site)))
        i++;
    return i;
}

static void follow_pointers(struct explanation *all, size_t i, const struct witnessed *seen)
{
    for (size_t k = 0; k < seen->racing.n; k++) {
        const struct sm_racing_pair *pair = &seen->racing.items[k];
        size_t other = race_of(all, seen->witness->records[pair->to].site);
        if (other == all->n || other == i || !leads_there(seen, pair))
            continue;
        join_under(all, i, other);
        return;
    }
}

/* What the reader saw of the writer's later stores: the variable that tells when it may read. */
static void follow_publication(struct explanation *all, size_t i, const struct sm_witness *witness,
                               const struct sm_reasons *reasons)
{
    size_t publication = witness->n_records;
    all->items[i].race->remedy = sm_why_remedy(reasons, &publication);
    size_t other = publication == witness->n_records
                       ? all->n
                       : race_of(all, witness->records[publication].site);
    if (other == all->n || other == i)
        return;
    join(all, i, other);
    all->items[other].publishes = true;
}

/* What the user calls a race of the report, whatever its verdict, that has the access; or NULL. */
static const char *racing_name(const struct explanation *all, uint32_t site)
{
    for (size_t i = 0; i < all->report->n_races; i++) {
        const struct sm_hunt_race *race = &all->report->races[i];
        if (sm_watchlist_has(all->investigations->items[i].sites, site))
            return race->object ? race->object : race->variable;
    }
    return NULL;
}

static void note_races(struct explanation *all, struct sm_hunt_failure *failure,
                       const struct witnessed *seen)
{
    failure->racy |= seen->racing.n > 0;
    for (size_t i = 0; i < seen->racing.n; i++) {
        const char *name = racing_name(all, seen->witness->records[seen->racing.items[i].to].site);
        if (name && !sm_list_has(&failure->races, name))
            sm_list_add(&failure->races, name);
    }
}

/* Of a failure that needs no stale value. */
static void add_interleaving_remedy(struct explained *finding, const struct sm_witness *witness)
{
    char **remedy = finding->race ? &finding->race->remedy : &finding->failure->remedy;
    if (!*remedy && witness->options.model == SM_MODEL_SC)
        *remedy = sm_interleaving_remedy(witness);
}

static void read_witness(struct explanation *all, size_t i)
{
    struct explained *finding = &all->items[i];
    struct sm_witness witness;
    char why[SM_WHY_SIZE];
    if (!sm_witness_read(witness_of(finding), &witness, why))
        return;
    if (witness.n_records <= MOST_RECORDS) {
        struct sm_reasons *reasons = sm_reasons_open(&witness);
        struct witnessed seen = open_witness(&witness, reasons, finding);
        if (finding->race)
            follow_publication(all, i, &witness, reasons);
        else
            note_races(all, finding->failure, &seen);
        add_interleaving_remedy(finding, &witness);
        follow_pointers(all, i, &seen);
        close_witness(&seen);
        sm_reasons_close(reasons);
    }
    sm_witness_free(&witness);
}

/* ---- which to read first ---- */

/* Publishing counts only among races under one model: data that breaks under pso is more important
   than its flag that needs a compiler, and its remedy names the flag. */
static int rank(const struct explained *finding)
{
    if (finding->reaches && !finding->reached)
        return 0;
    if (finding->failure)
        return finding->failure->racy ? 2 + 2 * SM_MODELS : 1;
    return 2 + 2 * (int)finding->race->model + !finding->publishes;
}

/* What needs the weakest reordering comes first; among races on one object, where each reaches the
   others, the model decides. */
static bool is_before(const struct explained *a, const struct explained *b)
{
    if (is_same_object(a, b) && a->race->model != b->race->model)
        return a->race->model < b->race->model;
    return rank(a) < rank(b);
}

static size_t first_of_group(const struct explanation *all, size_t i)
{
    size_t best = group_of(all, i);
    for (int turn = 0; turn < 2; turn++) /* the second: another race on the best one's object */
        for (size_t k = 0; k < all->n; k++)
            if (group_of(all, k) == group_of(all, i) &&
                (turn == 0 || is_same_object(&all->items[k], &all->items[best])) &&
                is_before(&all->items[k], &all->items[best]))
                best = k;
    return best;
}

static void note_causes(struct explanation *all)
{
    for (size_t i = 0; i < all->n; i++) {
        size_t first = first_of_group(all, i);
        if (first == i)
            continue;
        char *cause = sm_copy_text(witness_of(&all->items[first]));
        if (all->items[i].race)
            all->items[i].race->cause = cause;
        else
            all->items[i].failure->cause = cause;
    }
}

static void list_all(struct explanation *all, struct sm_hunt_report *report,
                     const struct sm_investigations *investigations)
{
    all->items = sm_new((report->n_races + report->n_failures + 1) * sizeof *all->items);
    for (size_t i = 0; i < report->n_races; i++)
        if (report->races[i].verdict == SM_VERDICT_DESTRUCTIVE && report->races[i].witness)
            all->items[all->n++] = (struct explained){.race = &report->races[i],
                                                      .sites = investigations->items[i].sites};
    for (size_t i = 0; i < report->n_failures; i++)
        if (report->failures[i].witness)
            all->items[all->n++] = (struct explained){.failure = &report->failures[i]};
    for (size_t i = 0; i < all->n; i++)
        all->items[i].group = i;
}

void sm_findings_explain(struct sm_hunt_report *report,
                         const struct sm_investigations *investigations)
{
    struct explanation all = {.report = report, .investigations = investigations};
    list_all(&all, report, investigations);
    for (size_t i = 0; i < all.n; i++)
        read_witness(&all, i);
    compare_all(&all);
    note_causes(&all);
    free(all.items);
}
