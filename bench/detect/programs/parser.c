/* A recursive-descent parser of JSON. Threads take records of one text; names are interned. */
#include "bench.h"
#include <stdatomic.h>
#include <string.h>

#define BUCKETS 1024
#define STRIPES 16
#define ARENA (1 << 16)

enum kind { NUMBER, STRING, LIST, OBJECT };

struct value {
    enum kind kind;
    double number;
    const char *text; /* a string's, in the input */
    int length;
    const struct name *name; /* of a member */
    struct value *first, *next;
};

struct name {
    struct name *next;
    int length;
    char text[];
};

struct parser {
    const char *at;
    struct value values[ARENA / sizeof(struct value)];
    int n_values;
};

static int n_records, n_threads;
static char *text;
static int *starts;
static atomic_int next_record;
static struct name *names[BUCKETS];
static pthread_mutex_t locks[STRIPES];
static double totals[64][8];

static struct value *parse(struct parser *parser);

static const struct name *intern(const char *from, int length)
{
    uint32_t hash = 2166136261u;
    for (int i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)from[i]) * 16777619u;
    struct name **at = &names[hash % BUCKETS];
    pthread_mutex_lock(&locks[hash % STRIPES]);
    while (*at && ((*at)->length != length || memcmp((*at)->text, from, length) != 0))
        at = &(*at)->next;
    if (!*at) {
        *at = calloc(1, sizeof **at + length);
        (*at)->length = length;
        memcpy((*at)->text, from, length);
    }
    const struct name *name = *at;
    pthread_mutex_unlock(&locks[hash % STRIPES]);
    return name;
}

static void skip(struct parser *parser)
{
    while (*parser->at == ' ' || *parser->at == '\n')
        parser->at++;
}

static struct value *new_value(struct parser *parser, enum kind kind)
{
    struct value *value = &parser->values[parser->n_values++];
    memset(value, 0, sizeof *value);
    value->kind = kind;
    return value;
}

static struct value *parse_string(struct parser *parser)
{
    struct value *value = new_value(parser, STRING);
    value->text = ++parser->at;
    while (*parser->at != '"')
        parser->at++;
    value->length = (int)(parser->at++ - value->text);
    return value;
}

static struct value *parse_number(struct parser *parser)
{
    struct value *value = new_value(parser, NUMBER);
    double scale = 1;
    while (*parser->at >= '0' && *parser->at <= '9')
        value->number = value->number * 10 + (*parser->at++ - '0');
    if (*parser->at == '.')
        while (*++parser->at >= '0' && *parser->at <= '9')
            value->number += (*parser->at - '0') * (scale /= 10);
    return value;
}

static struct value *parse_member(struct parser *parser)
{
    struct value *key = parse_string(parser);
    skip(parser);
    parser->at++; /* the colon */
    struct value *value = parse(parser);
    value->name = intern(key->text, key->length);
    return value;
}

static struct value *parse_sequence(struct parser *parser, enum kind kind, char end,
                                    struct value *(*item)(struct parser *))
{
    struct value *value = new_value(parser, kind), **last = &value->first;
    for (parser->at++, skip(parser); *parser->at != end; skip(parser)) {
        *last = item(parser);
        last = &(*last)->next;
        skip(parser);
        if (*parser->at == ',')
            parser->at++;
    }
    parser->at++;
    return value;
}

static struct value *parse(struct parser *parser)
{
    skip(parser);
    switch (*parser->at) {
    case '"':
        return parse_string(parser);
    case '[':
        return parse_sequence(parser, LIST, ']', parse);
    case '{':
        return parse_sequence(parser, OBJECT, '}', parse_member);
    default:
        return parse_number(parser);
    }
}

static double total(const struct value *value)
{
    double sum = value->kind == NUMBER ? value->number : value->length;
    if (value->name)
        sum += value->name->length;
    for (const struct value *item = value->first; item; item = item->next)
        sum += total(item);
    return sum;
}

static void *worker(void *argument)
{
    int id = (int)(intptr_t)argument;
    struct parser *parser = malloc(sizeof *parser);
    double sum = 0;
    for (int i; (i = atomic_fetch_add(&next_record, 1)) < n_records;) {
        parser->at = text + starts[i];
        parser->n_values = 0;
        sum += (double)(long)total(parse(parser)); /* whole numbers add up in any order */
    }
    totals[id][0] = sum;
    free(parser);
    return NULL;
}

static void write_text(void)
{
    uint32_t seed = 31;
    char *to = text;
    for (int i = 0; i < n_records; i++) {
        starts[i] = (int)(to - text);
        to += sprintf(to, "{\"id\": %d, \"name\": \"user%u\", \"scores\": [", i,
                      next_random(&seed) % 10000);
        for (int j = 0; j < 12; j++)
            to += sprintf(to, "%s%u.%u", j ? ", " : "", next_random(&seed) % 1000,
                          next_random(&seed) % 100);
        to += sprintf(to, "],\n \"place\": {\"city%u\": \"street of some length\", \"x\": %u}}\n",
                      next_random(&seed) % 300, next_random(&seed) % 90);
    }
}

int main(int argc, char **argv)
{
    n_records = argument(argc, argv, 1, 150000);
    n_threads = argument(argc, argv, 2, 2);
    text = malloc((size_t)n_records * 256);
    starts = malloc(n_records * sizeof *starts);
    write_text();
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_init(&locks[i], NULL);
    run_threads(n_threads, worker);
    double sum = 0;
    for (int i = 0; i < n_threads; i++)
        sum += totals[i][0];
    printf("parser %.0f\n", sum);
    return 0;
}
