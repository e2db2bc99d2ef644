/* text.c - see text.h. */
#include "fix/text.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t behind(const struct sm_source_file *source, size_t at, const char *end)
{
    const char *found = strstr(source->text + at, end);
    return found ? (size_t)(found - source->text) + strlen(end) : source->size;
}

static size_t behind_quote(const struct sm_source_file *source, size_t at)
{
    char quote = source->text[at++];
    while (at < source->size && source->text[at] != quote)
        at += source->text[at] == '\\' ? 2 : 1;
    return at < source->size ? at + 1 : source->size;
}

size_t sm_skip_token(const struct sm_source_file *source, size_t at)
{
    const char *text = source->text + at;
    if (text[0] == '/' && text[1] == '*')
        return behind(source, at + 2, "*/");
    if (text[0] == '/' && text[1] == '/')
        return sm_line_end(source, at);
    if (text[0] == '"' || text[0] == '\'')
        return behind_quote(source, at);
    return at < source->size ? at + 1 : at;
}

size_t sm_skip_blanks(const struct sm_source_file *source, size_t at)
{
    for (;;) {
        const char *text = source->text + at;
        if (isspace((unsigned char)*text))
            at++;
        else if (text[0] == '/' && (text[1] == '*' || text[1] == '/'))
            at = sm_skip_token(source, at);
        else
            return at;
    }
}

static void add_argument(const struct sm_source_file *source, struct sm_call_text *call,
                         size_t start, size_t end)
{
    while (start < end && isspace((unsigned char)source->text[start]))
        start++;
    while (end > start && isspace((unsigned char)source->text[end - 1]))
        end--;
    if (call->n < SM_MAX_ARGUMENTS && (end > start || call->n))
        call->arguments[call->n++] = (struct sm_span){start, end};
}

/* From the parenthesis that opens. */
static bool read_arguments(const struct sm_source_file *source, size_t open,
                           struct sm_call_text *call)
{
    size_t start = open + 1, depth = 0;
    for (size_t at = start; at < source->size; at = sm_skip_token(source, at)) {
        char c = source->text[at];
        if (c == ')' && !depth) {
            add_argument(source, call, start, at);
            call->close = at;
            return true;
        }
        if (c == ',' && !depth) {
            add_argument(source, call, start, at);
            start = at + 1;
        }
        depth += strchr("([{", c) && c;
        depth -= strchr(")]}", c) && c;
    }
    return false;
}

bool sm_call_from(const struct sm_source_file *source, size_t at, struct sm_call_text *call)
{
    *call = (struct sm_call_text){0};
    while (at < source->size &&
           (isspace((unsigned char)source->text[at]) || source->text[at] == '.'))
        at++;
    call->name.start = at;
    while (is_word(source->text[at]))
        at++;
    call->name.end = at;
    at = sm_skip_blanks(source, at);
    return call->name.end > call->name.start && source->text[at] == '(' &&
           read_arguments(source, at, call);
}

bool sm_call_around(const struct sm_source_file *source, size_t at, struct sm_call_text *call)
{
    size_t depth = 0;
    while (at > 0 && (depth || source->text[at - 1] != '(')) {
        char c = source->text[--at];
        if (c == ';' || c == '{')
            return false;
        depth += c == ')';
        depth -= c == '(';
    }
    if (!at)
        return false;
    at--;
    while (at && isspace((unsigned char)source->text[at - 1]))
        at--;
    while (at && is_word(source->text[at - 1]))
        at--;
    return sm_call_from(source, at, call);
}
