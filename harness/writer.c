/* writer.c - see writer.h. */
#include "harness/writer.h"

#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Payloads of a type: one for each value that a call may be passed. */
struct payloads {
    const struct sm_parameter *types[SM_HARNESS_VALUES];
    size_t n;
};

struct test_writer {
    const struct sm_library *library;
    const struct sm_combinations *combinations;
    const struct sm_settings *settings;
    struct payloads payloads;
    FILE *to;
};

/* ---- numbers ---- */

/* The index among the functions that are called. */
static int number_of(const struct sm_library *library, int function)
{
    int n = 0;
    if (function == SM_NO_FUNCTION)
        return -1;
    for (int i = 0; i < function; i++)
        n += library->functions[i].operates;
    return n;
}

static size_t count_called(const struct sm_library *library)
{
    return (size_t)number_of(library, (int)library->n);
}

static size_t payload_number(struct payloads *payloads, const struct sm_parameter *parameter)
{
    size_t i = 0;
    while (i < payloads->n && strcmp(payloads->types[i]->pointee, parameter->pointee) != 0)
        i++;
    if (i == payloads->n && i + 1 < SM_HARNESS_VALUES)
        payloads->types[payloads->n++] = parameter;
    return i;
}

static void list_payloads(struct test_writer *writer)
{
    for (size_t i = 0; i < writer->library->n; i++) {
        const struct sm_callable *function = &writer->library->functions[i];
        for (size_t k = 0; function->operates && k < function->n; k++)
            if (function->parameters[k].kind == SM_PARAMETER_NODE)
                payload_number(&writer->payloads, &function->parameters[k]);
    }
}

/* ---- the table of functions ---- */

static bool is_handle(const struct sm_library *library, int function)
{
    for (size_t i = 0; i < library->n; i++) {
        const struct sm_callable *other = &library->functions[i];
        if (!other->operates || other->needs != function)
            continue;
        for (size_t k = 0; k < other->n; k++)
            if (other->parameters[k].kind == SM_PARAMETER_RESOURCE)
                return true;
    }
    return false;
}

struct values {
    struct sm_buffer text;
    size_t n;
};

static void add_value(struct values *values, const char *prefix, const char *name, const char *kind)
{
    sm_buffer_print(&values->text, "%s{\"%s%s\", STALEMATE_%s}", values->n++ ? ", " : "", prefix,
                    name, kind);
}

static void add_fields(struct values *values, const struct sm_parameter *record, const char *prefix)
{
    for (size_t i = 0; i < record->fields.n; i++)
        add_value(values, prefix, record->fields.items[i], "NUMBER");
}

static const char *or_result(const char *name)
{
    return *name ? name : "result";
}

static void add_argument(struct values *arguments, const struct sm_parameter *parameter)
{
    switch (parameter->kind) {
    case SM_PARAMETER_NUMBER:
    case SM_PARAMETER_IN:
    case SM_PARAMETER_RECORD:
        add_value(arguments, "", parameter->name, "NUMBER");
        break;
    case SM_PARAMETER_STRING:
        add_value(arguments, "", parameter->name, "TEXT");
        break;
    case SM_PARAMETER_PAYLOAD:
    case SM_PARAMETER_NODE:
        add_value(arguments, "", parameter->name, "POINTER");
        break;
    default:
        break;
    }
}

static void add_out(struct values *results, const struct sm_parameter *parameter)
{
    char *prefix = sm_print("%s.", or_result(parameter->name));
    if (parameter->kind == SM_PARAMETER_OUT)
        add_value(results, "*", or_result(parameter->name), parameter->boolean ? "BOOL" : "NUMBER");
    else if (parameter->kind == SM_PARAMETER_OUT_POINTER)
        add_value(results, "*", or_result(parameter->name), "POINTER");
    else if (parameter->kind == SM_PARAMETER_RECORD_OUT)
        add_fields(results, parameter, prefix);
    free(prefix);
}

static void add_result(const struct sm_library *library, struct values *results, int function)
{
    const struct sm_parameter *result = &library->functions[function].result;
    if (result->kind == SM_PARAMETER_RECORD)
        add_fields(results, result, ".");
    else if (*result->pointee)
        add_value(results, "", "", "POINTER");
    else if (result->kind == SM_PARAMETER_NUMBER)
        add_value(results, "", "",
                  result->boolean                ? "BOOL"
                  : is_handle(library, function) ? "HANDLE"
                                                 : "NUMBER");
}

static void put_values(struct values *values, FILE *to)
{
    fprintf(to, "{%s}", values->n ? values->text.data : "{\"\", STALEMATE_NUMBER}");
    sm_buffer_free(&values->text);
}

static void put_function(const struct test_writer *writer, int i)
{
    const struct sm_callable *function = &writer->library->functions[i];
    struct values arguments = {0}, results = {0};
    add_result(writer->library, &results, i);
    for (size_t k = 0; k < function->n; k++) {
        add_argument(&arguments, &function->parameters[k]);
        add_out(&results, &function->parameters[k]);
    }
    fprintf(writer->to, "    {\"%s\", %zu, %zu, ", function->name, arguments.n, results.n);
    put_values(&arguments, writer->to);
    fputs(", ", writer->to);
    put_values(&results, writer->to);
    fprintf(writer->to, ", %d, %d, %d, %d, %u},\n", number_of(writer->library, function->needs),
            number_of(writer->library, function->reuses), function->may_fail,
            number_of(writer->library, function->waits_for), function->tokens);
}

static void put_functions(const struct test_writer *writer)
{
    fputs("/* name, arguments, results; needs, reuses, may fail, waits for, tokens */\n"
          "static const struct stalemate_function functions[] = {\n",
          writer->to);
    for (size_t i = 0; i < writer->library->n; i++)
        if (writer->library->functions[i].operates)
            put_function(writer, (int)i);
    fputs("};\n\n", writer->to);
}

/* ---- payloads ---- */

static void put_payloads(const struct test_writer *writer)
{
    FILE *to = writer->to;
    const struct payloads *payloads = &writer->payloads;
    for (size_t i = 0; i < payloads->n; i++)
        fprintf(to, "static %s payload_%zu[PAYLOADS];\n", payloads->types[i]->pointee, i);
    fputs("static const struct stalemate_payloads payloads[] = {\n"
          "    {&stalemate_bytes[0][0], sizeof stalemate_bytes[0], STALEMATE_MOST_PAYLOADS},\n",
          to);
    for (size_t i = 0; i < payloads->n; i++)
        fprintf(to, "    {(const char *)payload_%zu, sizeof payload_%zu[0], PAYLOADS},\n", i, i);
    fputs("};\n\n/* Seen: the library reads what is written here. */\nstatic void reset(void)\n{\n",
          to);
    for (size_t i = 0; i < payloads->n; i++) {
        fprintf(to, "    memset(payload_%zu, 0, sizeof payload_%zu);\n", i, i);
        for (size_t k = 0; k < payloads->types[i]->fields.n; k++)
            fprintf(to, "    for (int i = 0; i < PAYLOADS; i++)\n        payload_%zu[i].%s = i;\n",
                    i, payloads->types[i]->fields.items[k]);
    }
    fputs("}\n\n", to);
}

/* ---- the object's life ---- */

static void put_creation_arguments(const struct test_writer *writer,
                                   const struct sm_callable *create, size_t first)
{
    for (size_t i = first; i < create->n; i++) {
        const struct sm_parameter *parameter = &create->parameters[i];
        fputs(i ? ", " : "", writer->to);
        if (parameter->kind == SM_PARAMETER_NUMBER)
            fprintf(writer->to, "(%s)%lu", parameter->type, (unsigned long)writer->settings->size);
        else
            fputs(parameter->kind == SM_PARAMETER_STRING ? "\"a\"" : "NULL", writer->to);
    }
    fputs(");\n", writer->to);
}

static void put_create(const struct test_writer *writer)
{
    const struct sm_library *library = writer->library;
    const struct sm_callable *create =
        library->create == SM_NO_FUNCTION ? NULL : &library->functions[library->create];
    FILE *to = writer->to;
    fputs("STALEMATE_UNSEEN static void *create(void)\n{\n", to);
    if (create && !library->object) { /* it exists: check_creator */
        fprintf(to, "    %s(", create->name);
        put_creation_arguments(writer, create, 0);
        fputs("    return NULL;\n}\n\n", to);
        return;
    }
    bool fills = !create || library->create_fills;
    fprintf(to, "    %s *object = %s", library->object,
            fills || library->create_by_pointer ? "" : create->name);
    if (fills)
        fprintf(to, "(%s *)calloc(1, sizeof *object);\n", library->object);
    else if (library->create_by_pointer)
        fputs("NULL;\n", to);
    if (create && (fills || library->create_by_pointer))
        fprintf(to, "    %s(%s", create->name, fills ? "object" : "&object");
    else if (create)
        fputs("(", to);
    if (create)
        put_creation_arguments(writer, create, fills || library->create_by_pointer);
    fputs("    return object;\n}\n\n", to);
}

static void put_destroy(const struct test_writer *writer)
{
    const struct sm_library *library = writer->library;
    FILE *to = writer->to;
    fputs("STALEMATE_UNSEEN static void destroy(void *object)\n{\n    (void)object;\n", to);
    if (library->destroy != SM_NO_FUNCTION && library->object)
        fprintf(to, "    %s((%s *)object);\n", library->functions[library->destroy].name,
                library->object);
    else if (library->destroy != SM_NO_FUNCTION)
        fprintf(to, "    %s();\n", library->functions[library->destroy].name);
    if (library->object && (library->create == SM_NO_FUNCTION || library->create_fills))
        fputs("    free(object);\n", to);
    fputs("}\n\n", to);
}

/* ---- calls ---- */

static void put_locals(FILE *to, const struct sm_callable *function)
{
    for (size_t i = 0, n = 0; i < function->n; i++) {
        const struct sm_parameter *parameter = &function->parameters[i];
        const char *type =
            parameter->kind == SM_PARAMETER_RECORD ? parameter->type : parameter->pointee;
        if (parameter->kind == SM_PARAMETER_IN)
            fprintf(to, "        %s p%zu = (%s)call->arguments[%zu];\n", type, i, type, n);
        else if (parameter->kind == SM_PARAMETER_OUT || parameter->kind == SM_PARAMETER_OUT_POINTER)
            fprintf(to, "        %s p%zu = (%s)0;\n", type, i, type);
        else if (parameter->kind == SM_PARAMETER_RECORD_OUT ||
                 parameter->kind == SM_PARAMETER_RECORD)
            fprintf(to, "        %s p%zu;\n        memset(&p%zu, 0, sizeof p%zu);\n", type, i, i,
                    i);
        for (size_t k = 0; parameter->kind == SM_PARAMETER_RECORD && k < parameter->fields.n; k++)
            fprintf(to, "        p%zu.%s = call->arguments[%zu];\n", i, parameter->fields.items[k],
                    n);
        struct values inputs = {0};
        add_argument(&inputs, parameter);
        n += inputs.n;
        sm_buffer_free(&inputs.text);
    }
}

static void put_node(struct test_writer *writer, const struct sm_callable *function,
                     const struct sm_parameter *parameter, size_t argument)
{
    size_t payload = payload_number(&writer->payloads, parameter);
    if (function->reuses != SM_NO_FUNCTION)
        fprintf(writer->to, "got->handle ? (%s *)(intptr_t)got->handle : ", parameter->pointee);
    fprintf(writer->to, "&payload_%zu[call->arguments[%zu] %% PAYLOADS]", payload, argument);
}

static void put_argument(struct test_writer *writer, const struct sm_callable *function, size_t i,
                         size_t argument)
{
    const struct sm_parameter *parameter = &function->parameters[i];
    FILE *to = writer->to;
    switch (parameter->kind) {
    case SM_PARAMETER_OBJECT:
        fprintf(to, "(%s *)object", parameter->pointee);
        break;
    case SM_PARAMETER_NUMBER:
        fprintf(to, "(%s)call->arguments[%zu]", parameter->type, argument);
        break;
    case SM_PARAMETER_STRING:
        fprintf(to, "stalemate_strings[call->arguments[%zu] & 3]", argument);
        break;
    case SM_PARAMETER_PAYLOAD:
        fprintf(to, "stalemate_bytes[call->arguments[%zu] %% STALEMATE_MOST_PAYLOADS]", argument);
        break;
    case SM_PARAMETER_NODE:
        put_node(writer, function, parameter, argument);
        break;
    case SM_PARAMETER_RESOURCE:
        fprintf(to, *parameter->pointee ? "(%s)(intptr_t)got->handle" : "(%s)got->handle",
                parameter->type);
        break;
    default:
        fprintf(to, "%sp%zu", parameter->kind == SM_PARAMETER_RECORD ? "" : "&", i);
    }
}

static void put_invocation(struct test_writer *writer, const struct sm_callable *function)
{
    fprintf(writer->to, "%s(", function->name);
    for (size_t i = 0, n = 0; i < function->n; i++) {
        struct values inputs = {0};
        fputs(i ? ", " : "", writer->to);
        put_argument(writer, function, i, n);
        add_argument(&inputs, &function->parameters[i]);
        n += inputs.n;
        sm_buffer_free(&inputs.text);
    }
    fputs(");\n", writer->to);
}

static void put_fields(FILE *to, const char *name, const struct sm_parameter *record)
{
    for (size_t i = 0; i < record->fields.n; i++)
        fprintf(to, "        stalemate_got(got, (long long)%s.%s);\n", name,
                record->fields.items[i]);
}

static void put_outs(FILE *to, const struct sm_callable *function)
{
    const struct sm_parameter *result = &function->result;
    if (result->kind == SM_PARAMETER_RECORD)
        put_fields(to, "result", result);
    else if (*result->pointee)
        fputs("        stalemate_got_pointer(got, result);\n", to);
    else if (result->kind == SM_PARAMETER_NUMBER)
        fputs("        stalemate_got(got, (long long)result);\n", to);
    for (size_t i = 0; i < function->n; i++) {
        const struct sm_parameter *parameter = &function->parameters[i];
        char *name = sm_print("p%zu", i);
        if (parameter->kind == SM_PARAMETER_OUT)
            fprintf(to, "        stalemate_got(got, (long long)%s);\n", name);
        else if (parameter->kind == SM_PARAMETER_OUT_POINTER)
            fprintf(to, "        stalemate_got_pointer(got, %s);\n", name);
        else if (parameter->kind == SM_PARAMETER_RECORD_OUT)
            put_fields(to, name, parameter);
        free(name);
    }
}

static void put_case(struct test_writer *writer, int i)
{
    const struct sm_callable *function = &writer->library->functions[i];
    fprintf(writer->to, "    case %d: { /* %s */\n", number_of(writer->library, i),
            function->declaration);
    put_locals(writer->to, function);
    fputs("        ", writer->to);
    if (strcmp(function->result.type, "void") != 0)
        fprintf(writer->to, "%s result = ", function->result.type);
    put_invocation(writer, function);
    put_outs(writer->to, function);
    fputs("        break;\n    }\n", writer->to);
}

static void put_calls(struct test_writer *writer)
{
    fputs(
        "STALEMATE_UNSEEN static void make_call(void *object, const struct stalemate_call *call,\n"
        "                                      struct stalemate_results *got)\n{\n"
        "    (void)object;\n    (void)got;\n    switch (call->function) {\n",
        writer->to);
    for (size_t i = 0; i < writer->library->n; i++)
        if (writer->library->functions[i].operates)
            put_case(writer, (int)i);
    fputs("    }\n}\n\n", writer->to);
}

/* ---- the file ---- */

/* As the test must include it: by its name if it is in the directory of the test, else by its
   path. */
static char *include_path(const struct test_writer *writer)
{
    char *header = sm_copy_text(writer->library->header);
    char *output = sm_copy_text(writer->settings->output ? writer->settings->output : ".");
    char *result = NULL, path[PATH_MAX];
    char *header_directory = realpath(dirname(header), NULL);
    char *output_directory = writer->settings->output ? realpath(dirname(output), NULL) : NULL;
    const char *slash = strrchr(writer->library->header, '/');
    if (output_directory && header_directory && strcmp(output_directory, header_directory) == 0)
        result = sm_copy_text(slash ? slash + 1 : writer->library->header);
    else if (output_directory && realpath(writer->library->header, path))
        result = sm_copy_text(path);
    free(header_directory);
    free(output_directory);
    free(header);
    free(output);
    return result ? result : sm_copy_text(writer->library->header);
}

static void put_head(const struct test_writer *writer)
{
    char *include = include_path(writer);
    const char *test = writer->settings->output ? writer->settings->output : "test.c";
    const char *compiler = writer->library->cxx ? "c++" : "cc";
    fprintf(writer->to,
            "/*\n"
            " * Written by `stalemate harness %s`: calls of the library from %lu threads, %zu "
            "combinations.\n"
            " *\n"
            " *     stalemate %s -g -O1 -pthread %s LIBRARY... -o test\n"
            " *     stalemate verify --first -- ./test\n"
            " */\n"
            "#include \"%s\"\n\n"
            "#include <stalemate_harness.h>\n\n",
            writer->library->header, (unsigned long)writer->settings->threads,
            writer->combinations->texts.n, compiler, test, include);
    if (writer->payloads.n)
        fprintf(writer->to, "#define PAYLOADS %lu\n\n",
                (unsigned long)(writer->settings->threads * writer->settings->calls + 4));
    free(include);
}

static void put_combinations(const struct test_writer *writer)
{
    fputs("static const char *const combinations[] = {\n", writer->to);
    for (size_t i = 0; i < writer->combinations->texts.n; i++)
        fprintf(writer->to, "    \"%s\",\n", writer->combinations->texts.items[i]);
    fputs("};\n\n", writer->to);
}

static void put_main(const struct test_writer *writer)
{
    char *finally = sm_combinations_finally(writer->library);
    size_t n = writer->combinations->texts.n, orders = writer->combinations->orders;
    fprintf(writer->to,
            "static struct stalemate_record records[%zu];\n"
            "static const struct stalemate_library library = {\n"
            "    functions, %zu, %d, create, destroy, make_call, reset, payloads, %zu,\n"
            "    \"%s\",\n"
            "    records, %zu};\n\n"
            "int main(int argc, char **argv)\n{\n"
            "    return stalemate_harness(&library, combinations, %zu, argc, argv);\n}\n",
            orders, count_called(writer->library), writer->library->object != NULL,
            writer->payloads.n + 1, finally, orders, n);
    free(finally);
}

void sm_harness_write(const struct sm_library *library, const struct sm_combinations *combinations,
                      const struct sm_settings *settings, FILE *to)
{
    struct test_writer writer = {library, combinations, settings, {{0}, 0}, to};
    list_payloads(&writer);
    put_head(&writer);
    put_functions(&writer);
    put_payloads(&writer);
    put_create(&writer);
    put_destroy(&writer);
    put_calls(&writer);
    put_combinations(&writer);
    put_main(&writer);
}

/* ---- --list ---- */

static void list_function(const struct sm_library *library, int i, FILE *to)
{
    static const char *const domains[] = {"another number in each call", "1 or 2", "0 or 1", "0"};
    const struct sm_callable *function = &library->functions[i];
    fprintf(to, "calls     %s%s\n", function->declaration, function->queries ? "  (a query)" : "");
    for (size_t k = 0; k < function->n; k++) {
        const struct sm_parameter *parameter = &function->parameters[k];
        struct values inputs = {0};
        add_argument(&inputs, parameter);
        sm_buffer_free(&inputs.text);
        if (inputs.n)
            fprintf(to, "            parameter %zu: %s\n", k + 1, domains[parameter->domain]);
        else if (parameter->kind == SM_PARAMETER_RESOURCE)
            fprintf(to, "            parameter %zu: what %s returned\n", k + 1,
                    library->functions[function->needs].name);
    }
    if (function->needs != SM_NO_FUNCTION)
        fprintf(to, "            after a success of %s by the same thread\n",
                library->functions[function->needs].name);
    if (function->waits_for != SM_NO_FUNCTION)
        fprintf(to, "            waits for %s, but for the first %u calls\n",
                library->functions[function->waits_for].name, function->tokens);
}

void sm_harness_list(const struct sm_library *library, FILE *to)
{
    char *finally = sm_combinations_finally(library);
    fprintf(to, "object    %s\n", library->object ? library->object : "none: global state");
    fprintf(to, "creates   %s\n",
            library->create == SM_NO_FUNCTION ? "nothing: zeroed memory"
                                              : library->functions[library->create].declaration);
    fprintf(to, "destroys  %s\n",
            library->destroy == SM_NO_FUNCTION ? "nothing"
                                               : library->functions[library->destroy].declaration);
    for (size_t i = 0; i < library->n; i++)
        if (library->functions[i].operates)
            list_function(library, (int)i, to);
    fprintf(to, "finally   %s\n", finally);
    free(finally);
}
