#include "witness/certificate.h"

#include <stdlib.h>
#include <string.h>

struct certificate_head {
    uint64_t read, n_records;
};

void sm_certificates_add(struct sm_certificates *certificates, uint64_t read,
                         const struct sm_record *records, size_t n_records)
{
    certificates->at =
        sm_resize(certificates->at, (certificates->n + 1) * sizeof *certificates->at);
    certificates->at[certificates->n++] = (struct sm_certificate){
        read, sm_copy_bytes(records, n_records * sizeof *records), n_records};
}

void sm_certificates_free(struct sm_certificates *certificates)
{
    for (size_t i = 0; i < certificates->n; i++)
        free(certificates->at[i].records);
    free(certificates->at);
    *certificates = (struct sm_certificates){0};
}

void sm_certificates_encode(const struct sm_certificates *certificates, struct sm_buffer *to)
{
    for (size_t i = 0; i < certificates->n; i++) {
        const struct sm_certificate *certificate = &certificates->at[i];
        struct certificate_head head = {certificate->read, certificate->n_records};
        sm_buffer_add(to, &head, sizeof head);
        sm_buffer_add(to, certificate->records, certificate->n_records * sizeof(struct sm_record));
    }
}

bool sm_certificates_decode(struct sm_certificates *certificates, const void *bytes, size_t size)
{
    const char *at = bytes;
    for (size_t left = size; left;) {
        struct certificate_head head;
        if (left < sizeof head)
            return false;
        memcpy(&head, at, sizeof head);
        at += sizeof head;
        left -= sizeof head;
        if (head.n_records > left / sizeof(struct sm_record))
            return false;
        /* Copied first: they may be unaligned in the section. */
        struct sm_record *records = sm_copy_bytes(at, head.n_records * sizeof *records);
        sm_certificates_add(certificates, head.read, records, head.n_records);
        free(records);
        at += head.n_records * sizeof(struct sm_record);
        left -= head.n_records * sizeof(struct sm_record);
    }
    return true;
}
