#include "findings/suppressions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"

/* ---- patterns ---- */

static bool is_end_anchor(const char *pattern)
{
    return pattern[0] == '$' && !pattern[1];
}

/* Only the last `*` is ever tried at another place: the earlier ones have the shortest match, which
   leaves the most for the rest. So a pattern of many stars takes at most quadratic time, where a
   recursion would take exponential time. Without `^` a pattern begins with a star. */
bool sm_pattern_matches(const char *pattern, const char *text)
{
    const char *retry = *pattern == '^' ? NULL : pattern, *from = text;
    pattern += *pattern == '^';
    for (;;) {
        if (!*pattern || (is_end_anchor(pattern) && !*text))
            return true;
        if (*pattern == '*') {
            retry = ++pattern;
            from = text;
        } else if (*text && *text == *pattern && !is_end_anchor(pattern)) {
            pattern++;
            text++;
        } else if (retry && *from) {
            text = ++from;
            pattern = retry;
        } else {
            return false;
        }
    }
}

/* ---- the file ---- */

static const char *const other_kinds[] = {"signal:"};
static const struct {
    const char *prefix, *family;
} families[] = {
    {"deadlock:", "lock-order"}, {"mutex:", "lock"}, /* ThreadSanitizer's */
#define SM_FAILURE(name, word, severity, family, about, advice) {family ":", family},
#include "abi/failures.def"
};

static char *trim(char *text)
{
    text += strspn(text, " \t\r\n");
    size_t length = strlen(text);
    while (length && strchr(" \t\r\n", text[length - 1]))
        text[--length] = 0;
    return text;
}

static bool is_other_kind(const char *line)
{
    for (size_t i = 0; i < sizeof other_kinds / sizeof *other_kinds; i++)
        if (strncmp(line, other_kinds[i], strlen(other_kinds[i])) == 0)
            return true;
    return false;
}

/* NULL: the line belongs to no family. */
static const char *family_of(const char *line, const char **pattern)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        size_t length = strlen(families[i].prefix);
        *pattern = line + length;
        if (*families[i].family && strncmp(line, families[i].prefix, length) == 0)
            return families[i].family;
    }
    return NULL;
}

static struct sm_suppression *add(struct sm_suppressions *list, const char *pattern,
                                  const char *reason, unsigned line)
{
    list->items = sm_resize(list->items, (list->n + 1) * sizeof *list->items);
    list->items[list->n] = (struct sm_suppression){
        .pattern = sm_copy_text(pattern), .reason = sm_copy_text(reason), .line = line};
    return &list->items[list->n++];
}

/* `above` is the comment on the line before, or empty. */
static bool read_line(struct sm_suppressions *list, char *text, const char *above, unsigned line)
{
    char *comment = strchr(text, '#');
    if (comment)
        *comment++ = 0;
    const char *reason = comment && *trim(comment) ? trim(comment) : *above ? above : NULL;
    text = trim(text);
    const char *pattern, *family = family_of(text, &pattern);
    if (family)
        add(list, pattern, reason, line)->family = family;
    else if (strncmp(text, "race:", 5) == 0)
        add(list, text + 5, reason, line);
    else if (strncmp(text, "race_top:", 9) == 0)
        add(list, text + 9, reason, line)->top_only = true;
    else if (strncmp(text, "called_from_lib:", 16) == 0)
        add(list, text + 16, reason, line)->library_only = true;
    else if (strncmp(text, "atomicity:", 10) == 0)
        add(list, text + 10, reason, line)->atomicity = true;
    else if (*text && !is_other_kind(text))
        return false;
    return true;
}

static bool read_lines(struct sm_suppressions *list, FILE *file, const char *name,
                       struct sm_error *error)
{
    char *text = NULL, above[256] = "";
    size_t room = 0;
    bool ok = true;
    for (unsigned line = 1; ok && getline(&text, &room, file) >= 0; line++) {
        const char *start = trim(text);
        if (*start == '#') {
            snprintf(above, sizeof above, "%s", start + 1 + strspn(start + 1, " "));
            continue;
        }
        ok = read_line(list, text, above, line) ||
             sm_fail(error, SM_STATUS_USAGE,
                     "%s:%u: not a suppression; a line is race:PATTERN, "
                     "race_top:PATTERN, called_from_lib:PATTERN, atomicity:PATTERN or, for "
                     "failures, lock:PATTERN, lock-order:PATTERN, memory:PATTERN, thread:PATTERN",
                     name, line);
        above[0] = 0;
    }
    free(text);
    fclose(file);
    return ok;
}

bool sm_suppressions_read(struct sm_suppressions *list, const char *path, struct sm_error *error)
{
    if (!path)
        return true;
    FILE *file = fopen(path, "re");
    if (!file)
        return sm_fail(error, SM_STATUS_USAGE, "cannot read the suppressions %s: %s", path,
                       strerror(errno));
    return read_lines(list, file, path, error);
}

bool sm_suppressions_read_text(struct sm_suppressions *list, const char *text, const char *name,
                               struct sm_error *error)
{
    if (!*text)
        return true;
    FILE *file = fmemopen((char *)text, strlen(text), "r");
    if (!file)
        return sm_fail(error, SM_STATUS_USAGE, "cannot read the suppressions of %s: %s", name,
                       strerror(errno));
    return read_lines(list, file, name, error);
}

void sm_suppressions_free(struct sm_suppressions *list)
{
    for (size_t i = 0; i < list->n; i++) {
        free(list->items[i].pattern);
        free(list->items[i].reason);
    }
    free(list->items);
    *list = (struct sm_suppressions){0};
}

/* ---- races ---- */

static bool matches(const char *pattern, const char *text)
{
    return text && sm_pattern_matches(pattern, text);
}

/* Only the native flavour knows the library of a place. */
static bool matches_place(const struct sm_suppression *suppression, const struct sm_place *place)
{
    const char *pattern = suppression->pattern;
    if (matches(pattern, place->module))
        return true;
    return !suppression->library_only &&
           (matches(pattern, place->function) || matches(pattern, place->file));
}

static bool matches_access(const struct sm_suppression *suppression, const struct sm_access *access)
{
    if (matches_place(suppression, &access->place))
        return true;
    for (uint32_t i = 0; !suppression->top_only && i < access->stack.n; i++)
        if (matches_place(suppression, &access->stack.frames[i]))
            return true;
    return false;
}

bool sm_suppressions_atomicity(struct sm_suppressions *list, const char *text)
{
    for (size_t i = 0; text && i < list->n; i++) {
        struct sm_suppression *suppression = &list->items[i];
        if (!suppression->atomicity || !sm_pattern_matches(suppression->pattern, text))
            continue;
        suppression->used++;
        return true;
    }
    return false;
}

/* Does the line apply to failures of this family? */
static bool is_about(const struct sm_suppression *suppression, const char *family,
                     const struct sm_harm_report *harm)
{
    return suppression->family ? strcmp(suppression->family, family) == 0
                               : harm->raced && !suppression->atomicity;
}

static bool matches_harm(const struct sm_suppression *suppression,
                         const struct sm_harm_report *harm)
{
    if (!suppression->library_only && sm_pattern_matches(suppression->pattern, harm->detail))
        return true;
    for (uint32_t i = 0; i < harm->n_steps; i++)
        if (matches(suppression->pattern, harm->steps[i].object) ||
            matches_access(suppression, &harm->steps[i].access))
            return true;
    return false;
}

bool sm_suppressions_harm(struct sm_suppressions *list, const struct sm_harm_report *harm)
{
    const char *family = sm_failure_families[sm_failure_of_word(harm->kind)];
    for (size_t i = 0; i < list->n; i++) {
        struct sm_suppression *suppression = &list->items[i];
        if (!is_about(suppression, family, harm) || !matches_harm(suppression, harm))
            continue;
        suppression->used++;
        return true;
    }
    return false;
}

bool sm_suppressions_match(struct sm_suppressions *list, const struct sm_data_race *race)
{
    for (size_t i = 0; i < list->n; i++) {
        struct sm_suppression *suppression = &list->items[i];
        if (suppression->atomicity || suppression->family)
            continue;
        bool variable =
            !suppression->library_only && sm_pattern_matches(suppression->pattern, race->variable);
        if (!variable && !matches_access(suppression, &race->first) &&
            !matches_access(suppression, &race->second))
            continue;
        suppression->used++;
        return true;
    }
    return false;
}
