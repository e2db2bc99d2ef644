/*
 * witness-forge WAY FROM TO: changes one thing in a witness, repairs what ties its parts together,
 * and writes it. Ways: of the first certificate
 *   no-certificate  left out
 *   no-store        its last record left out
 *   value           the store has another value
 *   thread          its first record is another thread's
 *   promised        its first record reads the store that it is to justify
 * and of the records
 *   initial         the first read of an initial value, and all others of it, read another one
 *   read            the last read of a store has another value than the store
 *   number          the last record is of thread 2^31
 *   nothing         the twin: nothing is changed
 */
#include <stdio.h>
#include <string.h>

#include "witness/witness.h"

static struct sm_certificate *first(struct sm_witness *witness)
{
    return witness->certificates.n ? &witness->certificates.at[0] : NULL;
}

static void read_promised(struct sm_certificate *certificate)
{
    struct sm_record *r = &certificate->records[0];
    const struct sm_record *store = &certificate->records[certificate->n_records - 1];
    r->kind = SM_EV_LOAD;
    r->addr = store->addr;
    r->size = store->size;
    r->value = store->value;
    r->rf = certificate->read + certificate->n_records - 1;
    r->flags |= SM_RECORD_FUTURE | SM_RECORD_LIED;
}

static bool change_certificate(struct sm_witness *witness, const char *way)
{
    struct sm_certificate *certificate = first(witness);
    if (!certificate || certificate->n_records < 2)
        return false;
    if (strcmp(way, "no-certificate") == 0)
        witness->certificates.n = 0;
    else if (strcmp(way, "no-store") == 0)
        certificate->n_records--;
    else if (strcmp(way, "value") == 0)
        certificate->records[certificate->n_records - 1].value++;
    else if (strcmp(way, "thread") == 0)
        certificate->records[0].thread = witness->records[certificate->read].thread;
    else if (strcmp(way, "promised") == 0)
        read_promised(certificate);
    else
        return false;
    return true;
}

static bool change_initial(struct sm_witness *witness)
{
    struct sm_record *found = NULL;
    for (size_t i = 0; i < witness->n_records; i++) {
        struct sm_record *r = &witness->records[i];
        if (r->rf != SM_RF_INITIAL || r->kind != SM_EV_LOAD)
            continue;
        if (!found)
            found = r;
        if (r->addr == found->addr)
            r->value ^= 4;
    }
    return found;
}

static bool change_read(struct sm_witness *witness)
{
    for (size_t i = witness->n_records; i > 0; i--) {
        struct sm_record *r = &witness->records[i - 1];
        if (r->kind == SM_EV_LOAD && r->rf < witness->n_records) {
            r->value ^= 4;
            return true;
        }
    }
    return false;
}

static bool change_number(struct sm_witness *witness)
{
    if (witness->n_records)
        witness->records[witness->n_records - 1].thread = 1u << 31;
    return witness->n_records;
}

static bool change(struct sm_witness *witness, const char *way)
{
    if (strcmp(way, "nothing") == 0)
        return true;
    if (strcmp(way, "initial") == 0)
        return change_initial(witness);
    if (strcmp(way, "read") == 0)
        return change_read(witness);
    if (strcmp(way, "number") == 0)
        return change_number(witness);
    return change_certificate(witness, way);
}

int main(int argc, char **argv)
{
    struct sm_witness witness;
    char why[SM_WHY_SIZE] = "";
    if (argc != 4 || !sm_witness_read(argv[2], &witness, why)) {
        fprintf(stderr, "witness-forge: %s\n", why);
        return 2;
    }
    bool changed = change(&witness, argv[1]);
    witness.seal = sm_witness_seal(&witness);
    if (!changed || !sm_witness_write(argv[3], &witness, why)) {
        fprintf(stderr, "witness-forge: cannot do that: %s\n", why);
        return 2;
    }
    sm_witness_free(&witness);
    return 0;
}
