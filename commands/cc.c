/*
 * cc.c - see cc.h.
 *
 * The command line that is run:
 *   clang [--driver-mode=g++] <added: compiling, linking> <the user's arguments> <added: last>
 * What is added first can be overridden by the user (-g0, -O2); what is added last cannot.
 * clang ignores what a run does not need, and --start-no-unused-arguments keeps it quiet.
 */
#include "commands/cc.h"

#include "base/memory.h"
#include "base/status.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef SM_CLANG
#define SM_CLANG "clang-19"
#endif

enum { MAX_RESPONSE_DEPTH = 16 };

struct cc_request { /* what the user's arguments request */
    enum sm_flavour flavour;
    bool has_input;
    bool stops_before_linking;
    bool optimises;
    const char *lto; /* the option that requested it, or NULL; also the next two */
    const char *is_static;
    const char *thread_sanitizer;
    const char *memory_sanitizer; /* one that replaces malloc, or has its shadow where ours is */
    struct sm_list ignore_lists;  /* options that name one */
};

struct places { /* of files that come with Stalemate, found relative to the running program */
    char plugin[PATH_MAX];
    char libraries[PATH_MAX];
    char headers[PATH_MAX];
};

static void add_all(struct sm_list *words, ...)
{
    va_list list;
    va_start(list, words);
    for (const char *word; (word = va_arg(list, const char *)) != NULL;)
        sm_list_add(words, word);
    va_end(list);
}

/* Response files: @name stands for the words in it. clang reads them itself; they are
 * read here only to know what is requested. */

static char *next_word(char **cursor)
{
    char *in = *cursor, *out, *word, quote = 0;
    while (isspace((unsigned char)*in))
        in++;
    if (!*in)
        return NULL;
    for (word = out = in; *in && (quote || !isspace((unsigned char)*in)); in++) {
        if (*in == '\\' && in[1])
            *out++ = *++in;
        else if (quote ? *in == quote : *in == '"' || *in == '\'')
            quote = quote ? 0 : *in;
        else
            *out++ = *in;
    }
    *cursor = *in ? in + 1 : in;
    *out = '\0';
    return word;
}

static char *read_whole(const char *name)
{
    FILE *file = fopen(name, "r");
    char *text = NULL;
    size_t length = 0, got;
    if (!file)
        return NULL;
    do {
        text = sm_resize(text, length + 4097);
        got = fread(text + length, 1, 4096, file);
        length += got;
    } while (got);
    text[length] = '\0';
    fclose(file);
    return text;
}

static void expand(struct sm_list *words, const char *argument, int depth)
{
    char *text = argument[0] == '@' && depth < MAX_RESPONSE_DEPTH ? read_whole(argument + 1) : NULL;
    if (!text) {
        sm_list_add(words, argument);
        return;
    }
    char *cursor = text;
    for (char *word; (word = next_word(&cursor)) != NULL;)
        expand(words, word, depth + 1);
    free(text);
}

/* Understanding the arguments. */

static bool is_one_of(const char *argument, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(argument, list[i]) == 0)
            return true;
    return false;
}

static bool takes_value(const char *argument)
{
    static const char *const options[] = {
#define SM_CC_VALUE(option) option,
#define SM_CC_STOP(option)
#include "commands/cc_options.def"
    };
    return is_one_of(argument, options, sizeof options / sizeof *options);
}

static bool stops(const char *argument)
{
    static const char *const options[] = {
#define SM_CC_VALUE(option)
#define SM_CC_STOP(option) option,
#include "commands/cc_options.def"
    };
    return is_one_of(argument, options, sizeof options / sizeof *options) ||
           strncmp(argument, "-print-", 7) == 0 || strncmp(argument, "--print-", 8) == 0;
}

static bool starts_with(const char *argument, const char *prefix)
{
    return strncmp(argument, prefix, strlen(prefix)) == 0;
}

/* Is `name` one of the names in "-fsanitize=a,b,c"? */
static bool sanitizes(const char *argument, const char *name)
{
    if (!starts_with(argument, "-fsanitize="))
        return false;
    for (const char *at = strchr(argument, '=') + 1;; at++) {
        size_t length = strcspn(at, ",");
        if (length == strlen(name) && strncmp(at, name, length) == 0)
            return true;
        at += length;
        if (!*at)
            return false;
    }
}

static void read_option(struct cc_request *request, const char *argument)
{
    if (stops(argument))
        request->stops_before_linking = true;
    else if (starts_with(argument, "-O"))
        request->optimises = strcmp(argument, "-O0") != 0;
    else if (strcmp(argument, "-flto") == 0 || starts_with(argument, "-flto="))
        request->lto = argument;
    else if (strcmp(argument, "-fno-lto") == 0)
        request->lto = NULL;
    else if (strcmp(argument, "-static") == 0 || strcmp(argument, "--static") == 0 ||
             strcmp(argument, "-static-pie") == 0)
        request->is_static = argument;
    else if (starts_with(argument, "-fsanitize-ignorelist="))
        sm_list_add(&request->ignore_lists, argument);
    else if (sanitizes(argument, "thread"))
        request->thread_sanitizer = argument;
    else if (sanitizes(argument, "address") || sanitizes(argument, "memory") ||
             sanitizes(argument, "hwaddress") || sanitizes(argument, "leak") ||
             sanitizes(argument, "dataflow") || sanitizes(argument, "type"))
        request->memory_sanitizer = argument;
    else if (starts_with(argument, "-l"))
        request->has_input = true;
}

static void read_request(struct cc_request *request, const struct sm_list *words)
{
    for (size_t i = 0; i < words->n; i++) {
        const char *argument = words->items[i];
        if (strcmp(argument, "--") == 0) {
            request->has_input = request->has_input || i + 1 < words->n;
            return;
        }
        if (argument[0] != '-' || argument[1] == '\0')
            request->has_input = true;
        else
            read_option(request, argument);
        if (takes_value(argument))
            i++;
    }
}

static bool check_request(const struct cc_request *request, struct sm_error *error)
{
    if (request->lto)
        return sm_fail(error, SM_STATUS_USAGE,
                       "%s: the memory accesses must be instrumented before link-time "
                       "optimisation merges them; build without it (-fno-lto; CMake: "
                       "-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=OFF; Meson: -Db_lto=false)",
                       request->lto);
    if (request->thread_sanitizer)
        return sm_fail(error, SM_STATUS_USAGE,
                       "%s: Stalemate has its own race detector, and the two cannot share a "
                       "program; leave the option out",
                       request->thread_sanitizer);
    if (request->memory_sanitizer)
        return sm_fail(error, SM_STATUS_USAGE,
                       "%s: its runtime replaces malloc and maps memory where Stalemate's has its "
                       "own; build without it (Stalemate finds uses of freed memory, and "
                       "-fsanitize=undefined can be combined)",
                       request->memory_sanitizer);
    if (request->is_static && !request->stops_before_linking)
        return sm_fail(error, SM_STATUS_USAGE,
                       "%s: the runtime that controls the threads is a shared library; link "
                       "dynamically (leave the option out; configure: --disable-static-link or "
                       "its like)",
                       request->is_static);
    return true;
}

/* Where things are. */

static bool beside_program(char *path, const char *relative)
{
    char self[PATH_MAX], joined[2 * PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        return false;
    self[length] = '\0';
    *strrchr(self, '/') = '\0';
    snprintf(joined, sizeof joined, "%s/../%s", self, relative);
    return realpath(joined, path) != NULL;
}

static bool find_places(struct places *places, enum sm_flavour flavour, struct sm_error *error)
{
    const char *plugin = flavour == SM_FLAVOUR_DETECT ? "lib/stalemate/stalemate_detect_plugin.so"
                                                      : "lib/stalemate/stalemate_plugin.so";
    if (!beside_program(places->libraries, "lib/stalemate") ||
        !beside_program(places->plugin, plugin))
        return sm_fail(error, SM_STATUS_USAGE,
                       "%s is not beside this program; build it (cmake --build build) or install "
                       "again",
                       plugin);
    places->headers[0] = '\0';
    if (beside_program(places->headers, "include/stalemate.h"))
        *strrchr(places->headers, '/') = '\0';
    return true;
}

/* The command line. */

static void add_compiling(struct sm_list *command, const struct cc_request *request,
                          const struct places *places)
{
    char plugin[PATH_MAX + 32];
    snprintf(plugin, sizeof plugin, "-fpass-plugin=%s", places->plugin);
    add_all(command, plugin, "-g", "-D__STALEMATE__=1", NULL);
    /* -grecord-command-line: how `stalemate fix` must parse the source. _GLIBCXX_TSAN: libstdc++
       must not read both counts of a shared_ptr as one atomic, which they are not (clang sets it
       for the other flavour). */
    if (request->flavour != SM_FLAVOUR_DETECT)
        add_all(command, "-grecord-command-line", "-D_GLIBCXX_TSAN=1", NULL);
    if (*places->headers) /* after the system's own, so that it hides none of them */
        add_all(command, "-idirafter", places->headers, NULL);
    if (request->flavour == SM_FLAVOUR_DETECT) { /* see plugin/detect_entry.cpp */
        add_all(command, "-Xclang", "-fsanitize=thread", NULL);
        for (size_t i = 0; i < request->ignore_lists.n; i++)
            add_all(command, "-Xclang", request->ignore_lists.items[i], NULL);
    }
    if (!request->optimises) /* otherwise clang forbids even mem2reg at -O0 */
        add_all(command, "-Xclang", "-disable-O0-optnone", NULL);
}

/* First of all libraries, so that the runtime's functions come before the C library's;
 * kept even if the objects given so far do not need it. */
static void add_linking(struct sm_list *command, enum sm_flavour flavour,
                        const struct places *places)
{
    const char *runtime = flavour == SM_FLAVOUR_DETECT ? "-lstalemate_detect" : "-lstalemate_rt";
    add_all(command, "-L", places->libraries, "-Xlinker", "--push-state", "-Xlinker",
            "--no-as-needed", runtime, "-Xlinker", "--pop-state", "-Xlinker", "-rpath", "-Xlinker",
            places->libraries, "-Xlinker", "-z", "-Xlinker", "now", "-pthread", NULL);
    /* The runtimes keep pointers into the site tables of libraries, and their exit handlers. */
    add_all(command, "-Xlinker", "-z", "-Xlinker", "nodelete", NULL);
    /* Each row of the site table has four pointers: their relocations, 24 bytes each, were 3.5 of
       the 76 MB that zstd needed. */
    if (flavour == SM_FLAVOUR_DETECT)
        add_all(command, "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", NULL);
}

/* Frame addresses identify the frames of watched functions, so frame pointers are needed. */
static void add_users(struct sm_list *command, int argc, char **argv)
{
    bool added = false;
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0 && !added) {
            add_all(command, "--start-no-unused-arguments", "-fno-omit-frame-pointer",
                    "--end-no-unused-arguments", NULL);
            added = true;
        }
        sm_list_add(command, argv[i]);
    }
    if (!added)
        add_all(command, "--start-no-unused-arguments", "-fno-omit-frame-pointer",
                "--end-no-unused-arguments", NULL);
}

static const char *clang_name(void)
{
    const char *name = getenv("STALEMATE_CLANG");
    return name && *name ? name : SM_CLANG;
}

static bool run(const struct sm_list *command, struct sm_error *error)
{
    signal(SIGPIPE, SIG_DFL); /* `stalemate` ignores it, and clang would inherit that */
    execvp(command->items[0], command->items);
    return sm_fail(error, SM_STATUS_USAGE,
                   "cannot run %s: %s; install it, or name the clang that this Stalemate was "
                   "built for in the environment variable STALEMATE_CLANG",
                   command->items[0], strerror(errno));
}

static void build_command(struct sm_list *command, bool cxx, const struct cc_request *request,
                          const struct places *places)
{
    sm_list_add(command, clang_name());
    if (cxx)
        sm_list_add(command, "--driver-mode=g++");
    sm_list_add(command, "--start-no-unused-arguments");
    add_compiling(command, request, places);
    if (request->has_input && !request->stops_before_linking)
        add_linking(command, request->flavour, places);
    sm_list_add(command, "--end-no-unused-arguments");
}

/* Removes --detect from the words, wherever a build system puts it. Returns how many are left. */
static int take_flavour(enum sm_flavour *flavour, int argc, char **argv)
{
    int kept = 0;
    bool options = true;
    for (int i = 0; i < argc; i++) {
        options = options && strcmp(argv[i], "--") != 0;
        if (options && strcmp(argv[i], "--detect") == 0)
            *flavour = SM_FLAVOUR_DETECT;
        else
            argv[kept++] = argv[i];
    }
    return kept;
}

int sm_cc_main(bool cxx, int argc, char **argv)
{
    struct cc_request request = {0};
    struct places places;
    struct sm_list command = {0}, expanded = {0};
    struct sm_error error;
    argv++, argc--;
    argc = take_flavour(&request.flavour, argc, argv);
    for (int i = 0; i < argc; i++)
        expand(&expanded, argv[i], 0);
    read_request(&request, &expanded);
    if (check_request(&request, &error) && find_places(&places, request.flavour, &error)) {
        build_command(&command, cxx, &request, &places);
        add_users(&command, argc, argv);
        run(&command, &error);
    }
    sm_list_free(&command);
    sm_list_free(&expanded);
    sm_list_free(&request.ignore_lists);
    return sm_error_print(&error);
}
