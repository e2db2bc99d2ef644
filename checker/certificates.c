/*
 * hb with prescience: is each future value certified?
 *
 * A read of a later store needs a certificate if a path of happens-before and reads-from leads from
 * the read back to the store (circular.c), or may lead through unrecorded accesses. Without a path
 * the store can be executed first, and the read is of an earlier store.
 *
 * A certificate (witness/certificate.h) is a run of the store's thread alone, from the read on.
 * Checked here: all events after the read are of that thread, or of threads that it joins; none of
 * them reads a future value; together with the events before the read it is a legal execution, by
 * the same axioms; and it ends with the same store. So the store does not depend on the read, which
 * is not in the run. Earlier reads of future values that are not stored before this read are not in
 * it either: they have their own certificates.
 */
#include <stdio.h>
#include <stdlib.h>

#include "checker/happens.h"

/* ---- the run as an execution ---- */

struct certified_run {
    struct sm_record *records;
    uint32_t n;
    uint32_t *place; /* by record of the witness before the read: its number in the run */
};

static bool is_beyond(uint64_t rf, uint64_t read)
{
    return rf >= read && rf < SM_RF_NONE;
}

static uint64_t moved(const struct certified_run *run, uint64_t rf, uint64_t read, uint32_t begin)
{
    if (rf >= SM_RF_NONE)
        return rf;
    return rf < read ? run->place[rf] : begin + (rf - read);
}

/* Omits future reads whose store comes after the read, with their parts. */
static void take_past(struct certified_run *run, const struct sm_execution *x, uint32_t read)
{
    bool left_out = false;
    for (uint32_t i = 0; i < read; i++) {
        const struct sm_record *r = &x->records[i];
        if (r->kind != SM_EV_PART)
            left_out = (r->flags & SM_RECORD_FUTURE) && is_beyond(r->rf, read);
        run->place[i] = run->n;
        if (!left_out)
            run->records[run->n++] = *r;
    }
    for (uint32_t i = 0; i < run->n; i++)
        run->records[i].rf = moved(run, run->records[i].rf, read, run->n);
}

static void make_run(struct certified_run *run, const struct sm_execution *x,
                     const struct sm_certificate *certificate)
{
    uint32_t read = (uint32_t)certificate->read;
    run->records = sm_check_alloc(read + certificate->n_records, sizeof *run->records);
    run->place = sm_check_alloc(read + 1, sizeof *run->place);
    take_past(run, x, read);
    uint32_t begin = run->n;
    for (size_t i = 0; i < certificate->n_records; i++) {
        run->records[run->n] = certificate->records[i];
        run->records[run->n].rf = moved(run, certificate->records[i].rf, read, begin);
        run->n++;
    }
}

static bool is_legal(const struct sm_execution *x, const struct sm_certificate *certificate,
                     struct sm_verdict *verdict)
{
    struct certified_run run = {0};
    struct sm_check_options options = x->options;
    options.certified = false;
    make_run(&run, x, certificate);
    bool legal = sm_check_records(run.records, run.n, &options, verdict);
    free(run.records);
    free(run.place);
    return legal;
}

/* ---- conditions ---- */

static bool is_same_place(const struct sm_record *a, const struct sm_record *b)
{
    bool stores = a->kind == SM_EV_STORE || a->kind == SM_EV_ATOMIC_STORE || a->kind == SM_EV_RMW;
    return stores && a->thread == b->thread && a->addr == b->addr && a->size == b->size;
}

static uint64_t count_stores(const struct sm_record *records, uint64_t n,
                             const struct sm_record *store)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < n; i++)
        count += is_same_place(&records[i], store);
    return count;
}

/* Is it the same store of the thread: with as many before it to the same place? */
static bool makes_store(const struct sm_execution *x, const struct sm_certificate *certificate,
                        uint64_t store)
{
    const struct sm_record *wanted = &x->records[store];
    size_t n = certificate->n_records;
    if (!n || !is_same_place(&certificate->records[n - 1], wanted) ||
        certificate->records[n - 1].value != wanted->value)
        return false;
    return count_stores(x->records, certificate->read, wanted) +
               count_stores(certificate->records, n - 1, wanted) ==
           count_stores(x->records, store, wanted);
}

static bool is_joined(const struct sm_certificate *certificate, size_t event, uint32_t thread)
{
    for (size_t i = event + 1; i < certificate->n_records; i++) {
        const struct sm_record *r = &certificate->records[i];
        if (r->kind == SM_EV_JOIN && r->thread == thread &&
            r->old == certificate->records[event].thread)
            return true;
    }
    return false;
}

static bool is_alone(const struct sm_certificate *certificate, uint32_t thread)
{
    for (size_t i = 0; i < certificate->n_records; i++)
        if (certificate->records[i].thread != thread && !is_joined(certificate, i, thread))
            return false;
    return true;
}

static bool foresees(const struct sm_certificate *certificate)
{
    for (size_t i = 0; i < certificate->n_records; i++) {
        const struct sm_record *r = &certificate->records[i];
        if ((r->flags & SM_RECORD_FUTURE) || is_beyond(r->rf, certificate->read + i))
            return true;
    }
    return false;
}

/* ---- verdict ---- */

static const struct sm_certificate *find(const struct sm_execution *x, uint32_t read)
{
    for (size_t i = 0; i < x->options.n_certificates; i++)
        if (x->options.certificates[i].read == read)
            return &x->options.certificates[i];
    return NULL;
}

static bool refuse(struct sm_execution *x, const char *why, uint32_t read, uint64_t store)
{
    bool known = store < x->n_records;
    uint32_t events[] = {read, known ? (uint32_t)store : read};
    return sm_broken_record(x, SM_AXIOM_CERTIFICATE, why, known ? 2 : 1, events);
}

static bool refuse_run(struct sm_execution *x, const struct sm_verdict *run, uint32_t read,
                       uint64_t store)
{
    char why[256];
    (void)snprintf(why, sizeof why, "the certificate of {0} is no execution (%s)", run->axiom);
    return refuse(x, why, read, store);
}

static bool check_one(struct sm_execution *x, uint32_t read)
{
    uint64_t store = x->records[read].rf;
    const struct sm_certificate *certificate = find(x, read);
    struct sm_verdict run;
    if (!certificate || store >= x->n_records)
        return refuse(x, "{0} sees the future, and has no certificate", read, store);
    if (!makes_store(x, certificate, store))
        return refuse(x, "the certificate of {0} does not end with the store {1}", read, store);
    if (!is_alone(certificate, x->records[store].thread))
        return refuse(x, "the certificate of {0} has events of another thread than that of {1}",
                      read, store);
    if (foresees(certificate))
        return refuse(x, "in the certificate of {0} a value is read that is not stored yet", read,
                      store);
    if (!sm_initial_values_fit(x, certificate))
        return refuse(x, "the certificate of {0} begins with another initial value of memory", read,
                      store);
    return is_legal(x, certificate, &run) || refuse_run(x, &run, read, store);
}

bool sm_check_certificates(struct sm_execution *x, uint32_t *n)
{
    *n = 0;
    for (uint32_t e = 0; e < x->events.n; e++) {
        if (!(x->events.at[e].flags & SM_RECORD_FUTURE) ||
            (x->options.all_watched && !sm_leads_back(x, e)))
            continue;
        if (!check_one(x, x->events.at[e].record))
            return false;
        ++*n;
    }
    return true;
}
