/*
 * certificate.h - the proof that a future value is not out of thin air: under hb the thread of its
 * store, running alone from the read on, can make that store (docs/memory-models.md).
 *
 * A certificate is that run: the records of the witness before the read, then those here, numbered
 * from `read` on: rf < read is a record of the witness, and rf = read + i is record i of these. The
 * last is the store. The read and its value are not in the run.
 *
 * In the file, for each certificate: `read` and `n_records`, 8 bytes each, then the records.
 */
#ifndef SM_WITNESS_CERTIFICATE_H
#define SM_WITNESS_CERTIFICATE_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/record.h"
#include "base/memory.h"

struct sm_certificate {
    uint64_t read; /* the record that it is for */
    struct sm_record *records;
    size_t n_records;
};

struct sm_certificates {
    struct sm_certificate *at;
    size_t n;
};

/* Copies the records. */
void sm_certificates_add(struct sm_certificates *certificates, uint64_t read,
                         const struct sm_record *records, size_t n_records);
void sm_certificates_free(struct sm_certificates *certificates);
void sm_certificates_encode(const struct sm_certificates *certificates, struct sm_buffer *to);
/* False if the bytes are not certificates. */
bool sm_certificates_decode(struct sm_certificates *certificates, const void *bytes, size_t size);

#endif
