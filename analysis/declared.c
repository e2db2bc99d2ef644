#include "analysis/declared.h"

#include <string.h>

#include "base/module.h"
#include "base/sys.h"
#include "base/table.h"
#include "runtime/control.h"

static struct sm_table by_site; /* site -> name of its set, or NONE */
#define NONE ((void *)1)

/* ---- lines ---- */

struct line { /* three words; missing ones are empty */
    const char *words[3];
    size_t lengths[3];
};

static const char *read_line(const char *text, struct line *line)
{
    *line = (struct line){{"", "", ""}, {0}};
    for (int i = 0; i < 3 && *text && *text != '\n'; i++) {
        line->words[i] = text;
        while (*text && *text != ' ' && *text != '\n')
            text++;
        line->lengths[i] = (size_t)(text - line->words[i]);
        while (*text == ' ')
            text++;
    }
    return *text == '\n' ? text + 1 : text;
}

static bool is_word(const struct line *line, int i, const char *text)
{
    return strlen(text) == line->lengths[i] && memcmp(text, line->words[i], line->lengths[i]) == 0;
}

/* ---- lookup ---- */

static char *copy_name(const struct line *line)
{
    char *name = sm_alloc(line->lengths[1] + 1);
    memcpy(name, line->words[1], line->lengths[1]);
    return name;
}

const char *sm_declared_set(const struct sm_site *site)
{
    if (!sm_control->declarations[0] || !site)
        return NULL;
    void **place = sm_table_at(&by_site, (uintptr_t)site);
    struct line line;
    for (const char *text = sm_control->declarations; !*place && *text;) {
        text = read_line(text, &line);
        if (is_word(&line, 0, "set") && is_word(&line, 2, SM_SITE_TEXT(site, variable)))
            *place = copy_name(&line);
    }
    if (!*place)
        *place = NONE;
    return *place == NONE ? NULL : *place;
}

static bool is_about(const struct line *line, const struct sm_set *set)
{
    return !line->lengths[2] || is_word(line, 2, set->name) ||
           (set->type && is_word(line, 2, set->type));
}

static bool has_unit(const char *text, const struct sm_function *function, const struct sm_set *set)
{
    struct line line;
    while (*text) {
        text = read_line(text, &line);
        if (is_word(&line, 0, "unit") && is_word(&line, 1, function->name) && is_about(&line, set))
            return true;
    }
    return false;
}

bool sm_declared_unit(const struct sm_function *function, const struct sm_set *set)
{
    return has_unit(sm_control->declarations, function, set);
}

/* ---- inference ---- */

void sm_infer_unit(const struct sm_function *function, const struct sm_set *set)
{
    size_t used = strlen(sm_control->inferred);
    if (has_unit(sm_control->inferred, function, set))
        return;
    size_t more = strlen(function->name) + strlen(set->name) + 8;
    if (used + more < SM_DECLARATIONS)
        sm_format(sm_control->inferred + used, SM_DECLARATIONS - used, "unit %s %s\n",
                  function->name, set->name);
}

/* ---- unknown names ---- */

static bool has_function(const struct sm_module *module, const struct line *line)
{
    for (uint32_t i = 0; i < module->n_functions; i++)
        if (is_word(line, 1, module->functions[i].name))
            return true;
    return false;
}

static bool has_variable(const struct sm_module *module, const struct line *line)
{
    for (uint32_t i = 0; i < module->n_sites; i++)
        if (is_word(line, 2, SM_SITE_TEXT(&module->sites[i], variable)))
            return true;
    return false;
}

/* The names of sets: see make_struct and of_file in sets.c. */
static bool has_set(const struct sm_module *module, const struct line *line)
{
    for (uint32_t i = 0; i < module->n_sites; i++) {
        const char *object = SM_SITE_TEXT(&module->sites[i], object);
        if (object && is_word(line, 2, object))
            return true;
    }
    for (uint64_t i = 0; i < module->n_globals; i++)
        if ((module->globals[i].type && is_word(line, 2, module->globals[i].type)) ||
            is_word(line, 2, module->globals[i].name))
            return true;
    return is_word(line, 2, sm_set_of_file(module)) || has_variable(module, line);
}

static bool has(bool (*in)(const struct sm_module *module, const struct line *line),
                const struct line *line)
{
    const struct sm_module *module = sm_modules;
    while (module && !in(module, line))
        module = module->next;
    return module;
}

static bool is_declared_set(const struct line *unit)
{
    struct line line;
    for (const char *text = sm_control->declarations; *text;) {
        text = read_line(text, &line);
        if (is_word(&line, 0, "set") && line.lengths[1] == unit->lengths[2] &&
            memcmp(line.words[1], unit->words[2], unit->lengths[2]) == 0)
            return true;
    }
    return false;
}

static void tell_undeclared(const struct line *line, int word, enum sm_declared_kind kind)
{
    sm_control->undeclared.kind = kind;
    sm_format(sm_control->undeclared.name, sizeof sm_control->undeclared.name, "%.*s",
              (int)line->lengths[word], line->words[word]);
}

static void check_names(void)
{
    struct line line;
    for (const char *text = sm_control->declarations; *text;) {
        text = read_line(text, &line);
        bool unit = is_word(&line, 0, "unit");
        if (!unit && !has(has_variable, &line))
            return tell_undeclared(&line, 2, SM_DECLARED_VARIABLE);
        if (unit && !has(has_function, &line))
            return tell_undeclared(&line, 1, SM_DECLARED_FUNCTION);
        if (unit && line.lengths[2] && !has(has_set, &line) && !is_declared_set(&line))
            return tell_undeclared(&line, 2, SM_DECLARED_TYPE);
    }
}

void sm_declared_start(void)
{
    sm_table_clear(&by_site);
    sm_control->inferred[0] = 0;
    sm_control->undeclared.name[0] = 0;
    check_names();
}

void sm_declared_end(void)
{
    struct sm_undeclared *undeclared = &sm_control->undeclared;
    if (undeclared->kind == SM_DECLARED_TYPE && sm_set_is_named(undeclared->name))
        undeclared->name[0] = 0;
}
