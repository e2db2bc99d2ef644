#include "witness/witness.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/printable.h"
#include "witness/container.h"

/* The numbers are the file format: never reuse one. */
enum section_id {
    SECTION_META = 1,
    SECTION_ARGUMENTS = 2,
    SECTION_ENVIRONMENT = 3,
    SECTION_INPUT = 4,
    SECTION_WATCHED = 5,
    SECTION_CHOICES = 6,
    SECTION_RECORDS = 7,
    SECTION_SITES = 8,
    SECTION_LIED = 9,
    SECTION_SAMPLED = 10,
    SECTION_CERTIFICATES = 11,
    SECTION_INITIAL = 12,
    SECTIONS_WRITTEN = 12,
};

enum { MAX_THREADS = 1 << 16 }; /* choices have 16 bits for it (abi/choice.h) */

/* ---- META: one `name=value` a line; control characters and '\' as \xHH ---- */

static void put_escaped(struct sm_buffer *to, const char *text)
{
    for (; text && *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == 0x7f || c == '\\')
            sm_buffer_print(to, "\\x%02x", c);
        else
            sm_buffer_add(to, text, 1);
    }
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* In place. Invalid escapes are kept. */
static char *unescape(char *text)
{
    char *to = text;
    for (char *from = text; *from; from++) {
        int high, low;
        if (from[0] == '\\' && from[1] == 'x' && (high = hex_digit(from[2])) >= 0 &&
            (low = hex_digit(from[3])) >= 0) {
            *to++ = (char)(high * 16 + low);
            from += 3;
        } else {
            *to++ = *from;
        }
    }
    *to = 0;
    return text;
}

static void put_place(struct sm_buffer *to, const char *name, const struct sm_place *place)
{
    if (!place->file && !place->function)
        return;
    sm_buffer_print(to, "%s=%u\t%u\t", name, place->line, place->column);
    put_escaped(to, place->file);
    sm_buffer_text(to, "\t");
    put_escaped(to, place->function);
    sm_buffer_text(to, "\n");
}

static void put_object(struct sm_buffer *to, const struct sm_mapped_file *object)
{
    sm_buffer_print(to, "object=%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%s\t", object->base,
                    object->start, object->end, object->build_id);
    put_escaped(to, object->path);
    sm_buffer_text(to, "\n");
}

static void put_call(struct sm_buffer *to, const struct sm_user_call *call)
{
    sm_buffer_print(to, "call=%u\t%u\t", call->place.line, call->place.column);
    put_escaped(to, call->place.file);
    sm_buffer_text(to, "\t");
    put_escaped(to, call->place.function);
    sm_buffer_text(to, "\t");
    put_escaped(to, call->callee);
    sm_buffer_text(to, "\n");
}

static void put_name(struct sm_buffer *to, const struct sm_named_memory *memory)
{
    sm_buffer_print(to, "name=%" PRIu64 "\t", memory->addr);
    put_escaped(to, memory->name);
    sm_buffer_text(to, "\t");
    put_escaped(to, memory->type);
    sm_buffer_text(to, "\n");
}

/* Threads, places and memory of the records, by their names in the source. */
static void put_words(struct sm_buffer *to, const struct sm_witness *witness)
{
    for (size_t i = 0; i < witness->n_calls; i++)
        put_call(to, &witness->calls[i]);
    for (size_t i = 0; i < witness->n_names; i++)
        put_name(to, &witness->names[i]);
    for (size_t i = 0; i < witness->threads.n; i++) {
        sm_buffer_text(to, "thread=");
        put_escaped(to, witness->threads.items[i]);
        sm_buffer_text(to, "\n");
    }
}

static void encode_meta(const struct sm_witness *witness, struct sm_buffer *to)
{
#define SM_WITNESS_TEXT(name)                                                                      \
    sm_buffer_text(to, #name "=");                                                                 \
    put_escaped(to, witness->name);                                                                \
    sm_buffer_text(to, "\n");
#define SM_WITNESS_NUMBER(name) sm_buffer_print(to, #name "=%" PRIu64 "\n", witness->name);
#include "witness/witness.def"
#define SM_OPTION(type, name, default_value, help)                                                 \
    sm_buffer_print(to, "option." #name "=%" PRIu64 "\n", witness->options.name);
#include "abi/options.def"
    put_place(to, "place", &witness->place);
    for (uint32_t i = 0; i < witness->stack.n; i++)
        put_place(to, "frame", &witness->stack.frames[i]);
    for (size_t i = 0; i < witness->n_objects; i++)
        put_object(to, &witness->objects[i]);
    put_words(to, witness);
}

/* The next field of a line whose fields are separated by tabs; "" after the last. */
static char *next_field(char **line)
{
    char *field = *line;
    char *tab = strchr(field, '\t');
    *line = tab ? tab + 1 : field + strlen(field);
    if (tab)
        *tab = 0;
    return field;
}

static char *owned_or_null(char *field)
{
    return *field ? sm_printable(sm_copy_text(unescape(field))) : NULL;
}

static struct sm_place parse_place(char **value)
{
    struct sm_place place = {0};
    place.line = (uint32_t)strtoul(next_field(value), NULL, 10);
    place.column = (uint32_t)strtoul(next_field(value), NULL, 10);
    place.file = owned_or_null(next_field(value));
    place.function = owned_or_null(next_field(value));
    return place;
}

static void add_object(struct sm_witness *witness, char *value)
{
    struct sm_mapped_file object;
    object.base = strtoull(next_field(&value), NULL, 10);
    object.start = strtoull(next_field(&value), NULL, 10);
    object.end = strtoull(next_field(&value), NULL, 10);
    object.build_id = sm_copy_text(next_field(&value));
    object.path = sm_copy_text(unescape(next_field(&value)));
    witness->objects =
        sm_resize(witness->objects, (witness->n_objects + 1) * sizeof *witness->objects);
    witness->objects[witness->n_objects++] = object;
}

static void add_call(struct sm_witness *witness, char *value)
{
    struct sm_user_call call = {.place = parse_place(&value)};
    call.callee = owned_or_null(next_field(&value));
    witness->calls = sm_resize(witness->calls, (witness->n_calls + 1) * sizeof *witness->calls);
    witness->calls[witness->n_calls++] = call;
}

/* Names are sorted by address; one out of order is skipped. */
static void add_name(struct sm_witness *witness, char *value)
{
    struct sm_named_memory memory = {.addr = strtoull(next_field(&value), NULL, 10)};
    memory.name = owned_or_null(next_field(&value));
    memory.type = owned_or_null(next_field(&value));
    if (!memory.name ||
        (witness->n_names && witness->names[witness->n_names - 1].addr >= memory.addr)) {
        free(memory.name);
        free(memory.type);
        return;
    }
    witness->names = sm_resize(witness->names, (witness->n_names + 1) * sizeof *witness->names);
    witness->names[witness->n_names++] = memory;
}

static void set_text(char **field, char *value)
{
    free(*field);
    *field = sm_copy_text(unescape(value));
}

static void set_place(struct sm_place *place, char *value)
{
    sm_place_free(place);
    *place = parse_place(&value);
}

static void decode_line(struct sm_witness *witness, const char *name, char *value)
{
#define SM_WITNESS_TEXT(field)                                                                     \
    if (strcmp(name, #field) == 0)                                                                 \
        set_text(&witness->field, value);
#define SM_WITNESS_NUMBER(field)                                                                   \
    if (strcmp(name, #field) == 0)                                                                 \
        witness->field = strtoull(value, NULL, 10);
#include "witness/witness.def"
#define SM_OPTION(type, field, default_value, help)                                                \
    if (strcmp(name, "option." #field) == 0)                                                       \
        witness->options.field = strtoull(value, NULL, 10);
#include "abi/options.def"
    if (strcmp(name, "place") == 0)
        set_place(&witness->place, value);
    else if (strcmp(name, "frame") == 0)
        sm_stack_add(&witness->stack, parse_place(&value));
    else if (strcmp(name, "object") == 0)
        add_object(witness, value);
    else if (strcmp(name, "call") == 0)
        add_call(witness, value);
    else if (strcmp(name, "name") == 0)
        add_name(witness, value);
    else if (strcmp(name, "thread") == 0)
        sm_list_add(&witness->threads, sm_printable(unescape(value)));
}

static void decode_meta(struct sm_witness *witness, const struct sm_section *section)
{
    char *text = sm_print("%.*s", (int)section->size, (const char *)section->data);
    char *rest = text, *line;
    while ((line = strsep(&rest, "\n"))) {
        char *equals = strchr(line, '=');
        if (!equals)
            continue;
        *equals = 0;
        decode_line(witness, line, equals + 1);
    }
    free(text);
}

/* ---- the other sections ---- */

static void encode_list(const struct sm_list *list, struct sm_buffer *to)
{
    for (size_t i = 0; i < list->n; i++)
        sm_buffer_add(to, list->items[i], strlen(list->items[i]) + 1);
}

static bool decode_list(struct sm_list *list, const struct sm_section *section)
{
    const char *at = section->data, *end = at + section->size;
    if (section->size && end[-1] != 0)
        return false;
    for (; at < end; at += strlen(at) + 1)
        sm_list_add(list, at);
    return true;
}

static bool decode_array(void **array, size_t *n, size_t item_size,
                         const struct sm_section *section)
{
    if (section->size % item_size != 0 || *array)
        return false;
    *array = sm_copy_bytes(section->data, section->size);
    *n = section->size / item_size;
    return true;
}

static bool decode_section(struct sm_witness *witness, const struct sm_section *section)
{
    switch (section->id) {
    case SECTION_META:
        decode_meta(witness, section);
        return true;
    case SECTION_ARGUMENTS:
        return decode_list(&witness->arguments, section);
    case SECTION_ENVIRONMENT:
        return decode_list(&witness->environment, section);
    case SECTION_INPUT:
        sm_buffer_add(&witness->input, section->data, section->size);
        return true;
    case SECTION_WATCHED:
        return decode_array((void **)&witness->watched, &witness->n_watched,
                            sizeof *witness->watched, section);
    case SECTION_LIED:
        return decode_array((void **)&witness->lied, &witness->n_lied, sizeof *witness->lied,
                            section);
    case SECTION_SAMPLED:
        return decode_array((void **)&witness->sampled, &witness->n_sampled,
                            sizeof *witness->sampled, section);
    case SECTION_CHOICES:
        return decode_array((void **)&witness->choices, &witness->n_choices,
                            sizeof *witness->choices, section);
    case SECTION_RECORDS:
        return decode_array((void **)&witness->records, &witness->n_records,
                            sizeof *witness->records, section);
    case SECTION_INITIAL:
        return decode_array((void **)&witness->initial, &witness->n_initial,
                            sizeof *witness->initial, section);
    case SECTION_CERTIFICATES:
        return sm_certificates_decode(&witness->certificates, section->data, section->size);
    case SECTION_SITES:
        sm_sites_free(&witness->sites);
        return sm_sites_parse(section->data, section->size, &witness->sites);
    default:
        return true; /* written by a newer Stalemate, and not needed for the rest */
    }
}

/* The sites that the witness refers to: one bit for each number up to the highest. */
struct used_sites {
    uint8_t *bits;
    uint32_t end;
};

static void mark_used(struct used_sites *used, uint32_t site)
{
    if (site < used->end)
        used->bits[site / 8] |= (uint8_t)(1 << site % 8);
}

static bool is_used(uint32_t number, void *context)
{
    const struct used_sites *used = context;
    return number < used->end && (used->bits[number / 8] >> number % 8 & 1);
}

static void encode_sites(const struct sm_witness *witness, struct sm_buffer *to)
{
    const struct sm_sites *sites = &witness->sites;
    struct used_sites used = {.end = sites->n ? sites->rows[sites->n - 1].number + 1 : 0};
    used.bits = sm_new(used.end / 8 + 1);
    for (size_t i = 0; i < witness->n_records; i++)
        mark_used(&used, witness->records[i].site);
    for (size_t i = 0; i < witness->certificates.n; i++)
        for (size_t k = 0; k < witness->certificates.at[i].n_records; k++)
            mark_used(&used, witness->certificates.at[i].records[k].site);
    sm_sites_encode(sites, is_used, &used, to);
    free(used.bits);
}

bool sm_witness_write(const char *path, const struct sm_witness *witness, char why[SM_WHY_SIZE])
{
    struct sm_buffer meta = {0}, arguments = {0}, environment = {0}, sites = {0},
                     certificates = {0};
    encode_meta(witness, &meta);
    encode_list(&witness->arguments, &arguments);
    encode_list(&witness->environment, &environment);
    encode_sites(witness, &sites);
    sm_certificates_encode(&witness->certificates, &certificates);
    const struct sm_section sections[SECTIONS_WRITTEN] = {
        {SECTION_META, meta.data, meta.size},
        {SECTION_ARGUMENTS, arguments.data, arguments.size},
        {SECTION_ENVIRONMENT, environment.data, environment.size},
        {SECTION_INPUT, witness->input.data, witness->input.size},
        {SECTION_WATCHED, witness->watched, witness->n_watched * sizeof *witness->watched},
        {SECTION_CHOICES, witness->choices, witness->n_choices * sizeof *witness->choices},
        {SECTION_RECORDS, witness->records, witness->n_records * sizeof *witness->records},
        {SECTION_SITES, sites.data, sites.size},
        {SECTION_LIED, witness->lied, witness->n_lied * sizeof *witness->lied},
        {SECTION_SAMPLED, witness->sampled, witness->n_sampled * sizeof *witness->sampled},
        {SECTION_CERTIFICATES, certificates.data, certificates.size},
        {SECTION_INITIAL, witness->initial, witness->n_initial * sizeof *witness->initial},
    };
    bool ok =
        sm_container_write(path, SM_WITNESS_VERSION, sections, SECTIONS_WRITTEN, why, SM_WHY_SIZE);
    sm_buffer_free(&meta);
    sm_buffer_free(&arguments);
    sm_buffer_free(&environment);
    sm_buffer_free(&sites);
    sm_buffer_free(&certificates);
    return ok;
}

/* Users of a witness rely on this: texts are never NULL, enums are in range. */
static bool is_sound(struct sm_witness *witness)
{
#define SM_WITNESS_TEXT(name)                                                                      \
    if (!witness->name)                                                                            \
        witness->name = sm_copy_text("");
#define SM_WITNESS_NUMBER(name)
#include "witness/witness.def"
    const struct sm_options *options = &witness->options;
    return witness->arguments.n > 0 && witness->program[0] == '/' && options->model < SM_MODELS &&
           options->schedule < SM_SCHEDULES && options->heuristic < SM_HEURISTICS &&
           options->carrier < SM_CARRIERS && options->volatile_as < SM_VOLATILES &&
           options->prescient <= 1 && witness->watch_mode <= SM_WATCH_LIST &&
           witness->lie_mode <= SM_LIE_LIST;
}

/* ---- seal ---- */

static uint64_t add_bytes(uint64_t seal, const void *bytes, size_t size)
{
    uint64_t with_size = XXH3_64bits_withSeed(&size, sizeof size, seal);
    return size ? XXH3_64bits_withSeed(bytes, size, with_size) : with_size;
}

static uint64_t add_list(uint64_t seal, const struct sm_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        seal = add_bytes(seal, list->items[i], strlen(list->items[i]) + 1);
    return seal;
}

uint64_t sm_witness_seal(const struct sm_witness *witness)
{
    uint64_t numbers[] = {witness->options.volatile_as,
                          witness->options.prescient,
                          witness->end,
                          witness->status,
                          witness->end_thread,
                          witness->events,
                          witness->watch_mode,
                          witness->lie_mode};
    uint64_t seal = add_bytes(0, numbers, sizeof numbers);
    seal = add_bytes(seal, witness->program, strlen(witness->program));
    seal = add_list(seal, &witness->arguments);
    seal = add_bytes(seal, witness->input.data, witness->input.size);
    seal = add_bytes(seal, witness->watched, witness->n_watched * sizeof *witness->watched);
    seal = add_bytes(seal, witness->lied, witness->n_lied * sizeof *witness->lied);
    seal = add_bytes(seal, witness->sampled, witness->n_sampled * sizeof *witness->sampled);
    seal = add_bytes(seal, witness->choices, witness->n_choices * sizeof *witness->choices);
    if (witness->repairs && *witness->repairs) /* older witnesses have none */
        seal = add_bytes(seal, witness->repairs, strlen(witness->repairs));
    return add_bytes(seal, witness->records, witness->n_records * sizeof *witness->records);
}

uint64_t sm_witness_count_events(const struct sm_witness *witness)
{
    uint64_t n = 0;
    for (size_t i = 0; i < witness->n_records; i++)
        n += witness->records[i].kind != SM_EV_PART &&
             !(witness->records[i].flags & SM_RECORD_EXTERNAL);
    return n;
}

static bool are_threads_sound(const struct sm_record *records, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (records[i].thread >= MAX_THREADS)
            return false;
    return true;
}

char *sm_witness_newest(const char *path)
{
    static const char ending[] = ".smw";
    size_t length = strlen(path), end = sizeof ending - 1;
    if (length > end && strcmp(path + length - end, ending) == 0)
        length -= end;
    return sm_print("%.*s.newest", (int)length, path);
}

/* Certificates are for records of the witness. */
static bool are_certificates_sound(const struct sm_witness *witness)
{
    for (size_t i = 0; i < witness->certificates.n; i++) {
        const struct sm_certificate *certificate = &witness->certificates.at[i];
        if (certificate->read >= witness->n_records ||
            !are_threads_sound(certificate->records, certificate->n_records))
            return false;
    }
    return true;
}

bool sm_witness_is_whole(const struct sm_witness *witness, char why[SM_WHY_SIZE])
{
    uint64_t events = sm_witness_count_events(witness);
    if (witness->n_records && !witness->records_lost && events != witness->events)
        snprintf(why, SM_WHY_SIZE, "damaged: it has %" PRIu64 " events and records of %" PRIu64,
                 witness->events, events);
    else if (sm_witness_seal(witness) != witness->seal)
        snprintf(why, SM_WHY_SIZE, "damaged: its parts are not of one execution");
    else
        return true;
    return false;
}

bool sm_witness_read(const char *path, struct sm_witness *witness, char why[SM_WHY_SIZE])
{
    struct sm_section *sections;
    uint32_t n;
    *witness = (struct sm_witness){0};
    bool ok = sm_container_read(path, SM_WITNESS_VERSION, &sections, &n, why, SM_WHY_SIZE);
    for (uint32_t i = 0; ok && i < n; i++) {
        ok = decode_section(witness, &sections[i]);
        if (!ok)
            snprintf(why, SM_WHY_SIZE, "damaged: section %u makes no sense", sections[i].id);
    }
    if (ok && !is_sound(witness)) {
        snprintf(why, SM_WHY_SIZE, "damaged: it does not say what to run, or how");
        ok = false;
    }
    if (ok && !are_threads_sound(witness->records, witness->n_records)) {
        snprintf(why, SM_WHY_SIZE, "damaged: a thread has a number over %d", MAX_THREADS);
        ok = false;
    }
    if (ok && !are_certificates_sound(witness)) {
        snprintf(why, SM_WHY_SIZE, "damaged: a certificate makes no sense");
        ok = false;
    }
    if (ok) {
        sm_printable(witness->version);
        sm_printable(witness->failure_kind);
        sm_printable(witness->failure_detail);
    }
    for (uint32_t i = 0; i < n; i++)
        free(sections[i].data);
    free(sections);
    if (!ok)
        sm_witness_free(witness);
    return ok;
}

static void free_words(struct sm_witness *witness)
{
    for (size_t i = 0; i < witness->n_calls; i++) {
        sm_place_free(&witness->calls[i].place);
        free(witness->calls[i].callee);
    }
    free(witness->calls);
    for (size_t i = 0; i < witness->n_names; i++) {
        free(witness->names[i].name);
        free(witness->names[i].type);
    }
    free(witness->names);
    sm_list_free(&witness->threads);
}

void sm_witness_free(struct sm_witness *witness)
{
#define SM_WITNESS_TEXT(name) free(witness->name);
#define SM_WITNESS_NUMBER(name)
#include "witness/witness.def"
    sm_place_free(&witness->place);
    sm_stack_free(&witness->stack);
    for (size_t i = 0; i < witness->n_objects; i++) {
        free(witness->objects[i].path);
        free(witness->objects[i].build_id);
    }
    free(witness->objects);
    free_words(witness);
    sm_list_free(&witness->arguments);
    sm_list_free(&witness->environment);
    sm_buffer_free(&witness->input);
    free(witness->watched);
    free(witness->lied);
    free(witness->sampled);
    free(witness->choices);
    free(witness->records);
    sm_certificates_free(&witness->certificates);
    free(witness->initial);
    sm_sites_free(&witness->sites);
    *witness = (struct sm_witness){0};
}
