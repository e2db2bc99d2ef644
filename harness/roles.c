/* roles.c - finds the role of each function. See library.h; the rules are in docs/harness.md. */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness/library.h"

/* ---- words of names: set_try_remove, setTryRemove ---- */

static bool begins_word(const char *name, const char *at)
{
    return at == name || !isalpha((unsigned char)at[-1]) ||
           (isupper((unsigned char)*at) && islower((unsigned char)at[-1]));
}

static bool ends_word(const char *at)
{
    return !isalpha((unsigned char)*at) || isupper((unsigned char)*at);
}

static bool has_word(const char *name, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = name; *at; at++)
        if (begins_word(name, at) && strncasecmp(at, word, length) == 0 && ends_word(at + length))
            return true;
    return false;
}

/* One of several words, separated by blanks. */
static bool has_any_word(const char *name, const char *words)
{
    struct sm_list list = {0};
    bool found = false;
    sm_split_words(words, &list);
    for (size_t i = 0; i < list.n; i++)
        found |= has_word(name, list.items[i]);
    sm_list_free(&list);
    return found;
}

#define CREATES "create new make alloc init initialize initialise setup construct open"
#define INITIALISES "init initialize initialise setup construct create open start"
#define RESETS INITIALISES " reset clear"
#define DESTROYS "destroy free delete del close fini deinit dispose cleanup teardown shutdown stop"
#define QUERIES                                                                                    \
    "get size count length len is has contains peek top front back empty full read load find "     \
    "lookup value sum total snapshot available"
#define TAKES_OUT "pop take dequeue remove receive get fetch"
#define ACQUIRES "alloc malloc acquire reserve borrow lock trylock enter begin pin checkout"
#define RELEASES "free release return recycle dealloc unlock leave exit end unpin checkin"
#define KEYS "key k id name which from to account"
#define INDICES "index idx i j pos position slot bit bucket lane level expected old compare current"
#define TIME_LIMITS "timeout ms milliseconds usec nsec deadline"

/* ---- parameters ---- */

static bool is_record_pointer(const struct sm_parameter *parameter)
{
    return parameter->kind == SM_PARAMETER_OBJECT || parameter->kind == SM_PARAMETER_RESOURCE ||
           parameter->kind == SM_PARAMETER_RECORD_IN || parameter->kind == SM_PARAMETER_RECORD_OUT;
}

static struct sm_parameter *object_of(const struct sm_callable *function)
{
    for (size_t i = 0; i < function->n; i++)
        if (function->parameters[i].kind == SM_PARAMETER_OBJECT)
            return &function->parameters[i];
    return NULL;
}

static size_t count_objects(const struct sm_callable *function)
{
    size_t n = 0;
    for (size_t i = 0; i < function->n; i++)
        n += function->parameters[i].kind == SM_PARAMETER_OBJECT;
    return n;
}

static bool returns_void(const struct sm_callable *function)
{
    return strcmp(function->result.type, "void") == 0;
}

bool sm_callable_has_results(const struct sm_callable *function)
{
    if (!returns_void(function))
        return true;
    for (size_t i = 0; i < function->n; i++) {
        enum sm_parameter_kind kind = function->parameters[i].kind;
        if (kind == SM_PARAMETER_OUT || kind == SM_PARAMETER_OUT_POINTER ||
            kind == SM_PARAMETER_RECORD_OUT)
            return true;
    }
    return false;
}

/* ---- the object ---- */

static const struct sm_parameter *first_record_pointer(const struct sm_callable *function)
{
    for (size_t i = 0; i < function->n; i++)
        if (is_record_pointer(&function->parameters[i]))
            return &function->parameters[i];
    return NULL;
}

static size_t count_operations_on(const struct sm_library *library, const char *type)
{
    size_t n = 0;
    for (size_t i = 0; i < library->n; i++) {
        const struct sm_parameter *first = first_record_pointer(&library->functions[i]);
        n += first && strcmp(first->pointee, type) == 0;
    }
    return n;
}

static bool is_type_named(const char *type, const char *name)
{
    return strcmp(type, name) == 0 ||
           (strncmp(type, "struct ", 7) == 0 && strcmp(type + 7, name) == 0);
}

/* The type that most functions take a pointer to. */
static bool find_object(struct sm_library *library, const char *wanted, struct sm_error *error)
{
    const struct sm_parameter *best = NULL;
    size_t most = 0;
    for (size_t i = 0; i < library->n; i++) {
        const struct sm_parameter *first = first_record_pointer(&library->functions[i]);
        if (!first || (wanted && !is_type_named(first->pointee, wanted)))
            continue;
        size_t n = count_operations_on(library, first->pointee);
        if (n > most) {
            best = first;
            most = n;
        }
    }
    if (wanted && !best)
        return sm_fail(error, SM_STATUS_USAGE, "harness: no function of %s takes a %s *",
                       library->header, wanted);
    library->object = best ? sm_copy_text(best->pointee) : NULL;
    library->object_complete = best && best->complete;
    return true;
}

static void mark_objects(struct sm_library *library)
{
    for (size_t i = 0; i < library->n; i++)
        for (size_t k = 0; k < library->functions[i].n; k++) {
            struct sm_parameter *parameter = &library->functions[i].parameters[k];
            if (library->object && is_record_pointer(parameter) &&
                strcmp(parameter->pointee, library->object) == 0)
                parameter->kind = SM_PARAMETER_OBJECT;
        }
}

/* ---- who creates it, who destroys it ---- */

/* Can it be called before there is an object? Its numbers are sizes. */
static bool can_create(const struct sm_callable *function, size_t first)
{
    for (size_t i = first; i < function->n; i++) {
        enum sm_parameter_kind kind = function->parameters[i].kind;
        if (kind != SM_PARAMETER_NUMBER && kind != SM_PARAMETER_STRING &&
            kind != SM_PARAMETER_PAYLOAD)
            return false;
    }
    return !function->variadic;
}

static bool returns_object(const struct sm_library *library, const struct sm_callable *function)
{
    return library->object && !object_of(function) && is_record_pointer(&function->result) &&
           strcmp(function->result.pointee, library->object) == 0 && can_create(function, 0);
}

static bool stores_object(const struct sm_library *library, const struct sm_callable *function)
{
    if (!library->object || !function->n ||
        function->parameters[0].kind != SM_PARAMETER_OUT_POINTER || !can_create(function, 1))
        return false;
    const char *pointee = function->parameters[0].pointee;
    size_t length = strlen(library->object);
    return strncmp(pointee, library->object, length) == 0 && strcmp(pointee + length, " *") == 0;
}

static bool fills_object(const struct sm_library *library, const struct sm_callable *function)
{
    return library->object && library->object_complete && function->n &&
           function->parameters[0].kind == SM_PARAMETER_OBJECT && can_create(function, 1);
}

static bool resets_state(const struct sm_library *library, const struct sm_callable *function)
{
    return !library->object && can_create(function, 0);
}

static bool takes_object_alone(const struct sm_library *library, const struct sm_callable *function)
{
    return !function->variadic &&
           (library->object ? function->n == 1 && object_of(function) : function->n == 0);
}

typedef bool suits(const struct sm_library *library, const struct sm_callable *function);

static int find_role(const struct sm_library *library, suits *suits, const char *words)
{
    for (size_t i = 0; i < library->n; i++)
        if (suits(library, &library->functions[i]) &&
            (!words || has_any_word(library->functions[i].name, words)))
            return (int)i;
    return SM_NO_FUNCTION;
}

static int first_of(int a, int b)
{
    return a != SM_NO_FUNCTION ? a : b;
}

static void find_creator(struct sm_library *library)
{
    library->create = first_of(find_role(library, returns_object, CREATES),
                               find_role(library, returns_object, NULL));
    if (library->create == SM_NO_FUNCTION)
        library->create = find_role(library, stores_object, NULL);
    if (library->create == SM_NO_FUNCTION)
        library->create = find_role(library, fills_object, INITIALISES);
    if (library->create == SM_NO_FUNCTION)
        library->create = find_role(library, resets_state, RESETS);
}

static bool name_role(struct sm_library *library, const char *option, const char *name, int *role,
                      struct sm_error *error)
{
    *role = sm_library_find(library, name);
    return *role != SM_NO_FUNCTION ||
           sm_fail(error, SM_STATUS_USAGE, "harness: --%s %s: %s declares no such function", option,
                   name, library->header);
}

static bool check_creator(struct sm_library *library, struct sm_error *error)
{
    const struct sm_callable *create =
        library->create == SM_NO_FUNCTION ? NULL : &library->functions[library->create];
    if (!create && !library->object)
        return sm_fail(error, SM_STATUS_USAGE,
                       "harness: no function of %s takes an object, and none puts global state "
                       "back; write one, as `void reset(void)`, and name it: --init reset",
                       library->header);
    if (!create && !library->object_complete)
        return sm_fail(error, SM_STATUS_USAGE,
                       "harness: no function of %s creates a %s; name one that returns a pointer "
                       "to it, and takes numbers at most: --init FUNC",
                       library->header, library->object);
    if (!create)
        return true;
    library->create_by_pointer = stores_object(library, create);
    library->create_fills = !library->create_by_pointer && fills_object(library, create);
    if (returns_object(library, create) || library->create_by_pointer || library->create_fills ||
        resets_state(library, create))
        return true;
    return sm_fail(error, SM_STATUS_USAGE,
                   "harness: %s cannot create a %s: it must return a pointer to it, or fill one "
                   "in, and take numbers, strings and void pointers else",
                   create->declaration, library->object ? library->object : "state");
}

static bool find_life(struct sm_library *library, const struct sm_settings *settings,
                      struct sm_error *error)
{
    find_creator(library);
    library->destroy = find_role(library, takes_object_alone, DESTROYS);
    if (settings->init && !name_role(library, "init", settings->init, &library->create, error))
        return false;
    if (settings->destroy &&
        !name_role(library, "destroy", settings->destroy, &library->destroy, error))
        return false;
    if (library->destroy != SM_NO_FUNCTION &&
        !takes_object_alone(library, &library->functions[library->destroy]))
        return sm_fail(error, SM_STATUS_USAGE, "harness: %s must take the object alone",
                       library->functions[library->destroy].declaration);
    return check_creator(library, error);
}

/* ---- operations ---- */

static void leave_out(struct sm_callable *function, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void leave_out(struct sm_callable *function, const char *format, ...)
{
    char text[512];
    va_list arguments;
    if (function->why_not)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    function->why_not = sm_copy_text(text);
}

static bool is_same_pointer(const struct sm_parameter *a, const struct sm_parameter *b)
{
    return *b->pointee && strcmp(a->pointee, b->pointee) == 0;
}

/* Another operation that returns such a pointer. */
static int find_source(const struct sm_library *library, const struct sm_parameter *parameter)
{
    for (size_t i = 0; i < library->n; i++) {
        const struct sm_callable *function = &library->functions[i];
        if ((int)i != library->create && is_record_pointer(&function->result) &&
            is_same_pointer(&function->result, parameter))
            return (int)i;
    }
    return SM_NO_FUNCTION;
}

/* A pointer to a struct that is not the object. */
static void settle_record(const struct sm_library *library, struct sm_callable *function,
                          struct sm_parameter *parameter)
{
    int source = find_source(library, parameter);
    bool filled_in = parameter->kind == SM_PARAMETER_RECORD_OUT &&
                     (function->queries || has_any_word(function->name, TAKES_OUT));
    if (filled_in)
        return;
    if (source != SM_NO_FUNCTION && parameter->complete) {
        parameter->kind = SM_PARAMETER_NODE;
        function->reuses = source;
    } else if (source != SM_NO_FUNCTION) {
        parameter->kind = SM_PARAMETER_RESOURCE;
        function->needs = source;
    } else if (parameter->complete) {
        parameter->kind = SM_PARAMETER_NODE;
    } else {
        leave_out(function, "nothing returns the %s * that it takes", parameter->pointee);
    }
}

static void settle_parameters(const struct sm_library *library, struct sm_callable *function)
{
    for (size_t i = 0; i < function->n; i++) {
        struct sm_parameter *parameter = &function->parameters[i];
        if (parameter->kind == SM_PARAMETER_UNKNOWN)
            leave_out(function, "no %s can be made up for its parameter %zu", parameter->type,
                      i + 1);
        else if (parameter->kind != SM_PARAMETER_OBJECT && is_record_pointer(parameter))
            settle_record(library, function, parameter);
    }
}

static size_t count_values(const struct sm_callable *function)
{
    size_t n = 1 + function->result.fields.n;
    for (size_t i = 0; i < function->n; i++)
        n += 1 + function->parameters[i].fields.n;
    return n;
}

static void settle_function(const struct sm_library *library, struct sm_callable *function)
{
    if (function->variadic)
        leave_out(function, "it takes a variable number of arguments");
    if (library->object && !object_of(function))
        leave_out(function, "it takes no %s *", library->object);
    if (count_objects(function) > 1)
        leave_out(function, "it takes more than one %s *", library->object);
    if (takes_object_alone(library, function) &&
        has_any_word(function->name, INITIALISES " " DESTROYS))
        leave_out(function, "by its name it creates or destroys");
    settle_parameters(library, function);
    if (!returns_void(function) && function->result.kind == SM_PARAMETER_UNKNOWN)
        leave_out(function, "a result of type %s cannot be compared", function->result.type);
    if (count_values(function) > SM_HARNESS_VALUES + 1)
        leave_out(function, "it has too many parameters and results");
}

static bool is_query(const struct sm_callable *function)
{
    const struct sm_parameter *object = object_of(function);
    return (object && object->constant) ||
           (has_any_word(function->name, QUERIES) && sm_callable_has_results(function) &&
            !has_any_word(function->name, "set add and test inc dec pop take"));
}

static void settle_functions(struct sm_library *library, const struct sm_settings *settings)
{
    for (size_t i = 0; i < library->n; i++) {
        struct sm_callable *function = &library->functions[i];
        if ((int)i == library->create || (int)i == library->destroy)
            continue;
        if (sm_list_has(&settings->exclude, function->name) ||
            (settings->include.n && !sm_list_has(&settings->include, function->name)))
            continue;
        function->queries = is_query(function);
        settle_function(library, function);
        function->operates = !function->why_not;
    }
}

/* ---- which numbers are passed ---- */

/* How many operations take a number there? */
static size_t count_numbers_at(const struct sm_library *library, size_t at)
{
    size_t n = 0;
    for (size_t i = 0; i < library->n; i++) {
        const struct sm_callable *function = &library->functions[i];
        n += function->operates && at < function->n &&
             function->parameters[at].kind == SM_PARAMETER_NUMBER;
    }
    return n;
}

/* A number is a key if its name says so; without such a name, if it is the first one and another
   operation takes one in the same place, as insert and contains do. */
static enum sm_domain domain_of(const struct sm_library *library,
                                const struct sm_callable *function, size_t at)
{
    const struct sm_parameter *parameter = &function->parameters[at];
    if (has_any_word(parameter->name, TIME_LIMITS))
        return SM_DOMAIN_ZERO;
    if (parameter->boolean || has_any_word(parameter->name, INDICES))
        return SM_DOMAIN_INDEX;
    if (parameter->kind == SM_PARAMETER_STRING || has_any_word(parameter->name, KEYS))
        return SM_DOMAIN_KEY;
    if (parameter->kind != SM_PARAMETER_NUMBER ||
        has_any_word(parameter->name, "value val v new desired data item amount delta n count"))
        return SM_DOMAIN_VALUE;
    bool first = at == 0 || function->parameters[at - 1].kind == SM_PARAMETER_OBJECT;
    return first && function->queries                   ? SM_DOMAIN_KEY
           : first && count_numbers_at(library, at) > 1 ? SM_DOMAIN_KEY
                                                        : SM_DOMAIN_VALUE;
}

static void choose_domains(struct sm_library *library)
{
    for (size_t i = 0; i < library->n; i++) {
        struct sm_callable *function = &library->functions[i];
        for (size_t k = 0; function->operates && k < function->n; k++)
            function->parameters[k].domain = domain_of(library, function, k);
    }
}

/* ---- what must have been called before ---- */

/* The parameter that can take what `source` returns. */
static struct sm_parameter *resource_of(const struct sm_callable *function,
                                        const struct sm_callable *source)
{
    for (size_t i = 0; i < function->n; i++) {
        struct sm_parameter *parameter = &function->parameters[i];
        bool number = parameter->kind == SM_PARAMETER_NUMBER &&
                      source->result.kind == SM_PARAMETER_NUMBER && !source->result.boolean;
        bool pointer = parameter->kind == SM_PARAMETER_PAYLOAD && *source->result.pointee &&
                       strcmp(parameter->pointee, source->result.pointee) == 0;
        if (number || pointer)
            return parameter;
    }
    return NULL;
}

static size_t count_inputs(const struct sm_callable *function)
{
    size_t n = 0;
    for (size_t i = 0; i < function->n; i++)
        n += function->parameters[i].kind != SM_PARAMETER_OBJECT;
    return n;
}

static void set_needs(struct sm_library *library, size_t function, int source)
{
    struct sm_callable *needs = &library->functions[function];
    struct sm_parameter *resource = resource_of(needs, &library->functions[source]);
    needs->needs = source;
    if (!resource)
        return;
    resource->kind = SM_PARAMETER_RESOURCE;
}

/* free after alloc, unlock after lock: by name, and if the one can take what the other returns. */
static void guess_needs(struct sm_library *library, size_t at)
{
    struct sm_callable *function = &library->functions[at];
    if (!function->operates || function->needs != SM_NO_FUNCTION ||
        !has_any_word(function->name, RELEASES))
        return;
    for (size_t i = 0; i < library->n; i++) {
        const struct sm_callable *source = &library->functions[i];
        if (!source->operates || i == at || !has_any_word(source->name, ACQUIRES))
            continue;
        if (resource_of(function, source) || !count_inputs(function)) {
            set_needs(library, at, (int)i);
            return;
        }
    }
}

/* FUNC=OTHER of --needs and --waits; OTHER may be empty. */
static bool parse_pair(const struct sm_library *library, const char *option, const char *text,
                       int *function, int *other, struct sm_error *error)
{
    size_t length = strcspn(text, "=");
    char *first = sm_copy_text(text), *second = first + length;
    first[length] = 0;
    second += text[length] == '=';
    second[strcspn(second, ":")] = 0;
    *function = sm_library_find(library, first);
    *other = sm_library_find(library, second);
    bool ok = *function != SM_NO_FUNCTION && (*other != SM_NO_FUNCTION || !*second) &&
              text[length] && library->functions[*function].operates;
    free(first);
    return ok || sm_fail(error, SM_STATUS_USAGE,
                         "harness: --%s wants FUNC=OTHER, two functions that are called, not "
                         "'%s'; see --list",
                         option, text);
}

static bool set_all_needs(struct sm_library *library, const struct sm_settings *settings,
                          struct sm_error *error)
{
    int function, other;
    for (size_t i = 0; i < library->n; i++)
        guess_needs(library, i);
    for (size_t i = 0; i < settings->needs.n; i++) {
        if (!parse_pair(library, "needs", settings->needs.items[i], &function, &other, error))
            return false;
        library->functions[function].needs = SM_NO_FUNCTION;
        if (other != SM_NO_FUNCTION)
            set_needs(library, (size_t)function, other);
    }
    return true;
}

static bool set_all_waits(struct sm_library *library, const struct sm_settings *settings,
                          struct sm_error *error)
{
    int function, other;
    for (size_t i = 0; i < settings->waits.n; i++) {
        const char *text = settings->waits.items[i], *tokens = strchr(text, ':');
        if (!parse_pair(library, "waits", text, &function, &other, error))
            return false;
        library->functions[function].waits_for = other;
        library->functions[function].tokens = tokens ? (unsigned)atoi(tokens + 1) : 0;
    }
    for (size_t i = 0; i < settings->may_fail.n; i++) {
        function = sm_library_find(library, settings->may_fail.items[i]);
        if (function == SM_NO_FUNCTION)
            return sm_fail(error, SM_STATUS_USAGE, "harness: --may-fail %s: no such function",
                           settings->may_fail.items[i]);
        library->functions[function].may_fail = true;
    }
    return true;
}

/* A function that another one needs is called, too. */
static void drop_unmet_needs(struct sm_library *library)
{
    for (size_t i = 0; i < library->n; i++) {
        struct sm_callable *function = &library->functions[i];
        if (function->operates && function->needs != SM_NO_FUNCTION &&
            !library->functions[function->needs].operates) {
            leave_out(function, "it needs %s, which is not called",
                      library->functions[function->needs].name);
            function->operates = false;
        }
    }
}

/* ---- all of it ---- */

static bool check_names(const struct sm_library *library, const char *option,
                        const struct sm_list *names, struct sm_error *error)
{
    for (size_t i = 0; i < names->n; i++)
        if (sm_library_find(library, names->items[i]) == SM_NO_FUNCTION)
            return sm_fail(error, SM_STATUS_USAGE, "harness: --%s %s: %s declares no such function",
                           option, names->items[i], library->header);
    return true;
}

static bool any_operates(const struct sm_library *library)
{
    for (size_t i = 0; i < library->n; i++)
        if (library->functions[i].operates)
            return true;
    return false;
}

static void say_left_out(const struct sm_library *library)
{
    bool any = false;
    for (size_t i = 0; i < library->n; i++) {
        const struct sm_callable *function = &library->functions[i];
        if (function->why_not)
            fprintf(stderr, "stalemate: harness: left out: %s: %s\n", function->declaration,
                    function->why_not);
        any |= function->why_not != NULL;
    }
    if (any)
        fputs("  to test such a function, declare one around it that takes numbers, in a header "
              "of your own; --exclude FUNC if it is not meant to be called\n",
              stderr);
}

bool sm_library_roles(struct sm_library *library, const struct sm_settings *settings,
                      struct sm_error *error)
{
    if (!library->n)
        return sm_fail(error, SM_STATUS_USAGE,
                       "harness: %s declares no function; give the header that does, not one that "
                       "includes it",
                       library->header);
    if (!check_names(library, "include", &settings->include, error) ||
        !check_names(library, "exclude", &settings->exclude, error) ||
        !find_object(library, settings->object, error))
        return false;
    mark_objects(library);
    if (!find_life(library, settings, error))
        return false;
    settle_functions(library, settings);
    choose_domains(library);
    if (!set_all_needs(library, settings, error) || !set_all_waits(library, settings, error))
        return false;
    drop_unmet_needs(library);
    if (!settings->quiet)
        say_left_out(library);
    return any_operates(library) ||
           sm_fail(error, SM_STATUS_USAGE, "harness: no function of %s can be called from threads",
                   library->header);
}
