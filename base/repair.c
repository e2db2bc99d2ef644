#include "base/repair.h"

#include <string.h>

const char *const sm_order_words[SM_ORDERS + 1] = {
    [SM_ORDER_RELAXED] = "relaxed", [SM_ORDER_CONSUME] = "consume", [SM_ORDER_ACQUIRE] = "acquire",
    [SM_ORDER_RELEASE] = "release", [SM_ORDER_ACQ_REL] = "acq_rel", [SM_ORDER_SEQ_CST] = "seq_cst",
    [SM_ORDER_PLAIN] = "plain"};
static const char *const kind_words[] = {"order", "fence", "lock", "merge", NULL};
static const char *const access_words[] = {"any", "read", "write", "rmw", NULL};
static const char *const side_words[] = {"before", "after", NULL};

/* ---- words of a line ---- */

/* The rest of a line, and the first error in it. */
struct reader {
    const char *at, *end;
    const char *why;
};

struct repair_word {
    const char *start;
    size_t size;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next word; empty at the end of the line or at a comment. */
static struct repair_word next_word(struct reader *in)
{
    while (in->at < in->end && is_blank(*in->at))
        in->at++;
    struct repair_word word = {in->at, 0};
    if (in->at < in->end && *in->at == '#')
        in->at = in->end;
    while (in->at < in->end && !is_blank(*in->at))
        in->at++;
    word.size = word.start < in->end && *word.start == '#' ? 0 : (size_t)(in->at - word.start);
    return word;
}

static void complain(struct reader *in, const char *why)
{
    if (!in->why)
        in->why = why;
}

static bool is_word(struct repair_word word, const char *text)
{
    return word.size == strlen(text) && memcmp(word.start, text, word.size) == 0;
}

/* The word's index in a list that ends in NULL. */
static uint8_t choose(struct reader *in, struct repair_word word, const char *const *words,
                      const char *why)
{
    for (uint8_t i = 0; words[i]; i++)
        if (is_word(word, words[i]))
            return i;
    complain(in, why);
    return 0;
}

static void keep(struct reader *in, struct repair_word word, char *to, size_t size,
                 const char *missing)
{
    if (!word.size)
        complain(in, missing);
    else if (word.size >= size)
        complain(in, "a name is too long");
    else
        memcpy(to, word.start, word.size);
}

static void read_order(struct reader *in, struct repair_word word, struct sm_repair *repair)
{
    repair->order = choose(in, word, sm_order_words,
                           "an order is plain, relaxed, acquire, release, acq_rel or seq_cst");
}

static void read_variable(struct reader *in, struct sm_repair *repair)
{
    keep(in, next_word(in), repair->variable, sizeof repair->variable,
         "the name of the variable is missing");
}

/* ---- FILE:LINE[:COLUMN] and FILE:LINE[-LINE] ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Removes a number from the end of the word; false: there is none, or it does not fit. */
static bool take_number(struct repair_word *word, uint32_t *number)
{
    uint64_t value = 0, scale = 1;
    size_t size = word->size;
    while (size && is_digit(word->start[size - 1]) && scale < 10000000000u) {
        value += scale * (uint64_t)(word->start[--size] - '0');
        scale *= 10;
    }
    if (size == word->size || value > UINT32_MAX / 2)
        return false;
    word->size = size;
    *number = (uint32_t)value;
    return true;
}

static bool take_character(struct repair_word *word, char c)
{
    if (!word->size || word->start[word->size - 1] != c)
        return false;
    word->size--;
    return true;
}

/* `stretch`: two numbers are lines; otherwise the second one is a column. */
static void read_place(struct reader *in, struct repair_word word, bool stretch,
                       struct sm_repair *repair)
{
    struct repair_word one = word;
    uint32_t last, line;
    bool ok = take_number(&one, &last);
    struct repair_word two = one;
    bool both = ok && take_character(&two, stretch ? '-' : ':') && take_number(&two, &line);
    if (both && take_character(&two, ':') && two.size) {
        repair->line = line;
        repair->last = stretch ? last : line;
        repair->column = stretch ? 0 : last;
        word = two;
    } else if (ok && take_character(&one, ':') && one.size) {
        repair->line = repair->last = last;
        word = one;
    } else {
        complain(in, stretch ? "a stretch is FILE:LINE or FILE:LINE-LINE"
                             : "a place is FILE:LINE or FILE:LINE:COLUMN");
    }
    if (!repair->line || repair->last < repair->line)
        complain(in, "lines count from 1, and the last is not before the first");
    keep(in, word, repair->file, sizeof repair->file, "the name of the file is missing");
}

/* A place, or `variable NAME`. */
static void read_where(struct reader *in, bool stretch, struct sm_repair *repair)
{
    struct repair_word word = next_word(in);
    if (is_word(word, "variable"))
        read_variable(in, repair);
    else
        read_place(in, word, stretch, repair);
}

/* ---- kinds ---- */

static void check_order(struct reader *in, const struct sm_repair *repair)
{
    if (repair->access == SM_REPAIR_READ &&
        (repair->order == SM_ORDER_RELEASE || repair->order == SM_ORDER_ACQ_REL))
        complain(in, "a read does not release; acquire is what it can do");
    if (repair->access == SM_REPAIR_WRITE &&
        (repair->order == SM_ORDER_ACQUIRE || repair->order == SM_ORDER_ACQ_REL ||
         repair->order == SM_ORDER_CONSUME))
        complain(in, "a write does not acquire; release is what it can do");
    if (repair->access == SM_REPAIR_RMW && repair->order == SM_ORDER_PLAIN)
        complain(in, "a read-modify-write cannot be plain");
}

static void read_order_line(struct reader *in, struct sm_repair *repair)
{
    read_where(in, false, repair);
    repair->access =
        choose(in, next_word(in), access_words, "accesses are read, write, rmw or any");
    read_order(in, next_word(in), repair);
    check_order(in, repair);
}

static void read_fence_line(struct reader *in, struct sm_repair *repair)
{
    read_place(in, next_word(in), false, repair);
    repair->after = choose(in, next_word(in), side_words, "a fence is before or after its place");
    read_order(in, next_word(in), repair);
    if (repair->order == SM_ORDER_PLAIN || repair->order == SM_ORDER_RELAXED)
        complain(in, "a fence is acquire, release, acq_rel or seq_cst");
}

static void read_lock_line(struct reader *in, struct sm_repair *repair)
{
    struct repair_word name = next_word(in);
    repair->new_lock = is_word(name, "new");
    if (repair->new_lock)
        name = next_word(in);
    keep(in, name, repair->lock, sizeof repair->lock, "the name of the lock is missing");
    read_where(in, true, repair);
}

static void read_merge_line(struct reader *in, struct sm_repair *repair)
{
    read_place(in, next_word(in), true, repair);
    read_variable(in, repair);
    struct repair_word order = next_word(in);
    repair->order = SM_ORDER_SEQ_CST;
    if (order.size)
        read_order(in, order, repair);
    if (repair->order == SM_ORDER_PLAIN)
        complain(in, "a read-modify-write cannot be plain");
}

bool sm_repair_parse(const char *text, size_t size, struct sm_repair *repair, bool *blank,
                     const char **why)
{
    static void (*const read[SM_REPAIR_KINDS])(struct reader *, struct sm_repair *) = {
        [SM_REPAIR_ORDER] = read_order_line,
        [SM_REPAIR_FENCE] = read_fence_line,
        [SM_REPAIR_LOCK] = read_lock_line,
        [SM_REPAIR_MERGE] = read_merge_line};
    struct reader in = {text, text + size, NULL};
    struct repair_word kind = next_word(&in);
    memset(repair, 0, sizeof *repair);
    *blank = !kind.size;
    if (*blank)
        return true;
    repair->kind = choose(&in, kind, kind_words, "a line begins with order, fence, lock or merge");
    if (!in.why)
        read[repair->kind](&in, repair);
    if (!in.why && next_word(&in).size)
        complain(&in, "there is more in the line than a repair");
    *why = in.why;
    return !in.why;
}

int sm_repairs_parse(const char *text, struct sm_repair to[SM_MAX_REPAIRS],
                     struct sm_repair_error *error)
{
    int n = 0;
    for (error->line = 1; *text; error->line++) {
        size_t size = 0;
        while (text[size] && text[size] != '\n')
            size++;
        struct sm_repair repair;
        bool blank;
        if (!sm_repair_parse(text, size, &repair, &blank, &error->why))
            return -1;
        if (!blank && n == SM_MAX_REPAIRS) {
            error->why = "a file holds at most 64 repairs";
            return -1;
        }
        if (!blank)
            to[n++] = repair;
        text += size + (text[size] == '\n');
    }
    return n;
}

/* ---- printing ---- */

struct printer {
    char *to;
    size_t size, used;
};

static void put(struct printer *out, const char *text)
{
    for (; *text; text++)
        if (out->used + 1 < out->size)
            out->to[out->used++] = *text;
}

static void put_number(struct printer *out, char before, uint32_t number)
{
    char digits[12];
    size_t at = sizeof digits;
    digits[--at] = 0;
    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    digits[--at] = before;
    put(out, digits + at);
}

static void put_where(struct printer *out, const struct sm_repair *repair)
{
    if (!repair->line) {
        put(out, " variable ");
        put(out, repair->variable);
        return;
    }
    put(out, " ");
    put(out, repair->file);
    put_number(out, ':', repair->line);
    if (repair->column)
        put_number(out, ':', repair->column);
    if (repair->last != repair->line)
        put_number(out, '-', repair->last);
}

static void put_word(struct printer *out, const char *word)
{
    put(out, " ");
    put(out, word);
}

size_t sm_repair_print(const struct sm_repair *repair, char *to, size_t size)
{
    struct printer out = {to, size, 0};
    put(&out, kind_words[repair->kind]);
    if (repair->kind == SM_REPAIR_LOCK && repair->new_lock)
        put(&out, " new");
    if (repair->kind == SM_REPAIR_LOCK)
        put_word(&out, repair->lock);
    put_where(&out, repair);
    if (repair->kind == SM_REPAIR_ORDER)
        put_word(&out, access_words[repair->access]);
    if (repair->kind == SM_REPAIR_FENCE)
        put_word(&out, side_words[repair->after]);
    if (repair->kind == SM_REPAIR_MERGE)
        put_word(&out, repair->variable);
    if (repair->kind != SM_REPAIR_LOCK)
        put_word(&out, sm_order_words[repair->order]);
    if (size)
        to[out.used] = 0;
    return out.used;
}

/* ---- places ---- */

bool sm_repair_is_in(const struct sm_repair *repair, const char *file)
{
    size_t named = strlen(repair->file), size = strlen(file);
    const char *longer = named > size ? repair->file : file;
    size_t rest = named > size ? named - size : size - named, tail = named > size ? size : named;
    return tail && memcmp(longer + rest, named > size ? file : repair->file, tail) == 0 &&
           (!rest || longer[rest - 1] == '/');
}

bool sm_repair_is_at(const struct sm_repair *repair, const char *file, unsigned line,
                     unsigned column)
{
    return repair->line && line >= repair->line && line <= repair->last &&
           (!repair->column || column == repair->column) && sm_repair_is_in(repair, file);
}
