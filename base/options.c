#include "base/options.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/find.h"
#include "base/words.h"

enum kind {
    KIND_NUMBER,
    KIND_SECONDS,
    KIND_TEXT,
    KIND_FLAG,
    KIND_LIST,
    KIND_SLICE,
    KIND_MODEL,
    KIND_SCHEDULE,
    KIND_HEURISTIC,
    KIND_CARRIER,
    KIND_VOLATILE,
    KIND_COLOR,
    KIND_FAIL_ON,
    KIND_ON,
};

static const char *const *const words_of[] = {
    [KIND_FLAG] = sm_flag_words,
    [KIND_MODEL] = sm_model_words,
    [KIND_SCHEDULE] = sm_schedule_words,
    [KIND_HEURISTIC] = sm_heuristic_words,
    [KIND_CARRIER] = sm_carrier_words,
    [KIND_VOLATILE] = sm_volatile_words,
    [KIND_COLOR] = sm_color_words,
    [KIND_FAIL_ON] = sm_fail_on_words,
    [KIND_ON] = sm_on_words,
};

enum level { LEVEL_MAIN, LEVEL_MORE };

struct setting {
    const char *name;
    enum kind kind;
    size_t offset; /* in struct sm_settings */
    unsigned commands;
    enum level level;
    const char *argument;
    int64_t low, high;
    const char *help;
};

#define RUN SM_COMMAND_RUN
#define REPLAY SM_COMMAND_REPLAY
#define CHECK SM_COMMAND_CHECK
#define HUNT (SM_COMMAND_HUNT | SM_COMMAND_FIX)
#define FIX SM_COMMAND_FIX
#define HUNT_ALONE SM_COMMAND_HUNT
#define VERIFY SM_COMMAND_VERIFY
#define DETECT SM_COMMAND_DETECT
#define REPORT SM_COMMAND_REPORT
#define ATOMICITY SM_COMMAND_ATOMICITY
#define MERGE SM_COMMAND_MERGE
#define CAMPAIGN SM_COMMAND_CAMPAIGN
#define HARNESS SM_COMMAND_HARNESS
static const struct setting table[] = {
#define SM_SETTING(kind, name, field, commands, level, argument, low, high, help)                  \
    {                                                                                              \
        name,     KIND_##kind,   offsetof(struct sm_settings, field),                              \
        commands, LEVEL_##level, argument,                                                         \
        low,      high,          help},
#include "base/options.def"
};
#undef RUN
#undef REPLAY
#undef CHECK
#undef HUNT
#undef FIX
#undef HUNT_ALONE
#undef VERIFY
#undef DETECT
#undef REPORT
#undef ATOMICITY
#undef MERGE
#undef CAMPAIGN
#undef HARNESS
enum { N_SETTINGS = sizeof table / sizeof table[0] };

/* Where options are being read from, in the order in which they override each other. */
struct source {
    enum { FROM_FILE = 1, FROM_ENVIRONMENT, FROM_COMMAND_LINE } rank;
    const char *name; /* prefix of error messages: "stalemate.conf:3" */
};

struct parser {
    struct sm_settings *settings;
    unsigned command;
    bool program;              /* operands are a program and its arguments */
    bool skipping;             /* in a section of the file for another command */
    int list_rank[N_SETTINGS]; /* the source that filled the list */
    struct sm_error *error;
};

/* ---- one option ---- */

static const struct setting *find(const char *name, size_t length)
{
    for (size_t i = 0; i < N_SETTINGS; i++)
        if (strlen(table[i].name) == length && strncmp(table[i].name, name, length) == 0)
            return &table[i];
    return NULL;
}

static bool unknown(struct parser *parser, const struct source *source, const char *name,
                    size_t length)
{
    const char *names[N_SETTINGS], *dashes = source->rank == FROM_FILE ? "" : "--";
    size_t n = 0;
    for (size_t i = 0; i < N_SETTINGS; i++)
        if (table[i].commands & parser->command)
            names[n++] = table[i].name;
    char *word = sm_print("%.*s", (int)length, name);
    const char *nearest = sm_nearest_word(word, names, n);
    if (nearest)
        sm_fail(parser->error, SM_STATUS_USAGE, "%s: unknown option %s%s; did you mean %s%s?",
                source->name, dashes, word, dashes, nearest);
    else
        sm_fail(parser->error, SM_STATUS_USAGE,
                "%s: unknown option %s%s; for a list of options add --help", source->name, dashes,
                word);
    free(word);
    return false;
}

static bool wrong_value(struct parser *parser, const struct source *source,
                        const struct setting *setting, const char *value, const char *wanted)
{
    return sm_fail(parser->error, SM_STATUS_USAGE, "%s: %s%s wants %s, not '%s'", source->name,
                   source->rank == FROM_FILE ? "" : "--", setting->name, wanted, value);
}

static bool set_word(struct parser *parser, const struct source *source,
                     const struct setting *setting, const char *value, uint64_t *field)
{
    const char *const *words = words_of[setting->kind];
    size_t n = (size_t)setting->high + 1;
    struct sm_buffer wanted = {0};
    for (size_t i = 0; i < n; i++) {
        if (strcmp(words[i], value) == 0) {
            *field = i;
            sm_buffer_free(&wanted);
            return true;
        }
        sm_buffer_print(&wanted, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " or ", words[i]);
    }
    wrong_value(parser, source, setting, value, wanted.data);
    sm_buffer_free(&wanted);
    return false;
}

static bool set_number(struct parser *parser, const struct source *source,
                       const struct setting *setting, const char *value, uint64_t *field)
{
    char *end, wanted[80];
    errno = 0;
    unsigned long long number = strtoull(value, &end, 10);
    if (isdigit((unsigned char)*value) && !*end && !errno && number <= INT64_MAX &&
        (int64_t)number >= setting->low && (int64_t)number <= setting->high) {
        *field = number;
        return true;
    }
    snprintf(wanted, sizeof wanted, "a whole number from %" PRId64 " to %" PRId64, setting->low,
             setting->high);
    return wrong_value(parser, source, setting, value, wanted);
}

static bool set_seconds(struct parser *parser, const struct source *source,
                        const struct setting *setting, const char *value, double *field)
{
    char *end;
    errno = 0;
    double number = strtod(value, &end);
    if (*value && !*end && !errno && number >= (double)setting->low &&
        number <= (double)setting->high) {
        *field = number;
        return true;
    }
    return wrong_value(parser, source, setting, value, "a number of seconds");
}

static bool set_text(struct parser *parser, const struct source *source,
                     const struct setting *setting, const char *value, char **field)
{
    if (!*value)
        return wrong_value(parser, source, setting, value, setting->argument);
    free(*field);
    *field = sm_copy_text(value);
    return true;
}

static bool add_to_list(struct parser *parser, const struct source *source,
                        const struct setting *setting, const char *value, struct sm_list *field)
{
    int *rank = &parser->list_rank[setting - table];
    if (*rank != (int)source->rank)
        sm_list_free(field);
    *rank = source->rank;
    sm_list_add(field, value);
    return true;
}

/* I/N, with I from 1 to N. */
static bool set_slice(struct parser *parser, const struct source *source,
                      const struct setting *setting, const char *value, struct sm_slice *field)
{
    char *end = NULL;
    uint64_t index = isdigit((unsigned char)*value) ? strtoull(value, &end, 10) : 0, of = 0;
    if (end && *end == '/' && isdigit((unsigned char)end[1]))
        of = strtoull(end + 1, &end, 10);
    if (index && index <= of && of <= (uint64_t)setting->high && !*end) {
        *field = (struct sm_slice){index, of};
        return true;
    }
    return wrong_value(parser, source, setting, value, "I/N with I from 1 to N, as in 2/5");
}

static bool set(struct parser *parser, const struct source *source, const struct setting *setting,
                const char *value)
{
    void *field = (char *)parser->settings + setting->offset;
    switch (setting->kind) {
    case KIND_NUMBER:
        return set_number(parser, source, setting, value, field);
    case KIND_SECONDS:
        return set_seconds(parser, source, setting, value, field);
    case KIND_TEXT:
        return set_text(parser, source, setting, value, field);
    case KIND_LIST:
        return add_to_list(parser, source, setting, value, field);
    case KIND_SLICE:
        return set_slice(parser, source, setting, value, field);
    default:
        return set_word(parser, source, setting, value, field);
    }
}

/* ---- words: the command line and the environment ---- */

static bool belongs(struct parser *parser, const struct source *source,
                    const struct setting *setting)
{
    if ((setting->commands & parser->command) || source->rank != FROM_COMMAND_LINE)
        return true;
    return unknown(parser, source, setting->name, strlen(setting->name));
}

/* One option, whose value may be in the next word. Returns the number of words, 0 on error. */
static int parse_option(struct parser *parser, const struct source *source, char **words)
{
    const char *name = words[0] + 2;
    size_t length = strcspn(name, "=");
    const struct setting *setting = find(name, length);
    if (!setting)
        return unknown(parser, source, name, length), 0;
    if (!belongs(parser, source, setting))
        return 0;
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    int used = 1;
    if (!value && setting->kind == KIND_FLAG) {
        value = "yes";
    } else if (!value) {
        value = words[1];
        used = 2;
    }
    if (!value) {
        sm_fail(parser->error, SM_STATUS_USAGE, "%s: --%s needs a value: --%s %s", source->name,
                setting->name, setting->name, setting->argument);
        return 0;
    }
    if (!(setting->commands & parser->command))
        return used;
    return set(parser, source, setting, value) ? used : 0;
}

static bool take_options(struct parser *parser, const struct source *source, char **words)
{
    struct sm_list *operands = &parser->settings->operands;
    bool options_end = false;
    while (*words) {
        if (options_end || (*words)[0] != '-' || !(*words)[1]) {
            sm_list_add(operands, *words++);
            options_end |= parser->program;
            continue;
        }
        if (strcmp(*words, "--help") == 0 || strcmp(*words, "-h") == 0)
            return parser->settings->help = true;
        if (strcmp(*words, "-o") == 0 && (parser->command & SM_COMMAND_HARNESS)) {
            char *output[] = {"--output", words[1], NULL};
            int used = parse_option(parser, source, output);
            if (!used)
                return false;
            words += used;
            continue;
        }
        if ((*words)[1] != '-')
            return sm_fail(parser->error, SM_STATUS_USAGE,
                           "%s: unknown option %s; options start with --", source->name, *words);
        options_end = !(*words)[2];
        int used = options_end ? 1 : parse_option(parser, source, words);
        if (!used)
            return false;
        words += used;
    }
    return true;
}

bool sm_split_words(const char *text, struct sm_list *words)
{
    struct sm_buffer word = {0};
    bool in_word = false;
    char quote = 0;
    for (; *text; text++) {
        if (!quote && isspace((unsigned char)*text)) {
            if (in_word)
                sm_list_add(words, word.data);
            in_word = false;
            continue;
        }
        if (!in_word) {
            word.size = 0;
            sm_buffer_add(&word, "", 0);
            in_word = true;
        }
        if (quote ? *text == quote : *text == '\'' || *text == '"')
            quote = quote ? 0 : *text;
        else if (*text == '\\' && quote != '\'' && text[1])
            sm_buffer_add(&word, ++text, 1);
        else
            sm_buffer_add(&word, text, 1);
    }
    if (in_word)
        sm_list_add(words, word.data);
    sm_buffer_free(&word);
    return !quote;
}

static bool parse_environment(struct parser *parser)
{
    static const struct source source = {FROM_ENVIRONMENT, SM_OPTIONS_ENV};
    const char *text = getenv(SM_OPTIONS_ENV);
    struct sm_list words = {0};
    bool ok = true;
    if (!text)
        return true;
    if (!sm_split_words(text, &words))
        ok = sm_fail(parser->error, SM_STATUS_USAGE, "%s: a quote is not closed", source.name);
    if (ok && words.n)
        ok = take_options(parser, &source, words.items);
    if (ok && parser->settings->operands.n)
        ok = sm_fail(parser->error, SM_STATUS_USAGE,
                     "%s: '%s' is no option; only options can be given there", source.name,
                     parser->settings->operands.items[0]);
    sm_list_free(&words);
    return ok;
}

/* ---- stalemate.conf ---- */

static unsigned command_bit(const char *name)
{
    static const struct {
        const char *name;
        unsigned bit;
    } commands[] = {{"run", SM_COMMAND_RUN},       {"replay", SM_COMMAND_REPLAY},
                    {"hunt", SM_COMMAND_HUNT},     {"check", SM_COMMAND_CHECK},
                    {"verify", SM_COMMAND_VERIFY}, {"detect", SM_COMMAND_DETECT},
                    {"report", SM_COMMAND_REPORT}, {"atomicity", SM_COMMAND_ATOMICITY},
                    {"merge", SM_COMMAND_MERGE},   {"campaign", SM_COMMAND_CAMPAIGN},
                    {"fix", SM_COMMAND_FIX},       {"harness", SM_COMMAND_HARNESS}};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(commands[i].name, name) == 0)
            return commands[i].bit;
    return 0;
}

static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1]))
        text[--length] = 0;
    return text;
}

/* [COMMAND]: the following lines are for that command only. */
static bool parse_section(struct parser *parser, const struct source *source, char *line)
{
    char *end = strchr(line, ']');
    if (!end || end[1])
        return sm_fail(parser->error, SM_STATUS_USAGE,
                       "%s: expected `[COMMAND]`, as in: [atomicity]", source->name);
    *end = 0;
    unsigned bit = command_bit(line + 1);
    if (!bit)
        return sm_fail(parser->error, SM_STATUS_USAGE, "%s: no command '%s' takes options",
                       source->name, line + 1);
    parser->skipping = bit != parser->command;
    return true;
}

static bool parse_line(struct parser *parser, const struct source *source, char *line)
{
    line = trim(line);
    if (!*line || *line == '#')
        return true;
    if (*line == '[')
        return parse_section(parser, source, line);
    char *equals = strchr(line, '=');
    if (!equals)
        return sm_fail(parser->error, SM_STATUS_USAGE,
                       "%s: expected `name = value`, as in: seed = 7", source->name);
    *equals = 0;
    char *name = trim(line);
    const struct setting *setting = find(name, strlen(name));
    if (!setting)
        return unknown(parser, source, name, strlen(name));
    if (parser->skipping || !(setting->commands & parser->command))
        return true;
    return set(parser, source, setting, trim(equals + 1));
}

static bool parse_file(struct parser *parser, const char *path)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return errno == ENOENT || errno == ENOTDIR ||
               sm_fail(parser->error, SM_STATUS_USAGE, "%s: %s", path, strerror(errno));
    char *line = NULL;
    size_t room = 0;
    bool ok = true;
    for (int number = 1; ok && getline(&line, &room, file) >= 0; number++) {
        char *name = sm_print("%s:%d", path, number);
        struct source source = {FROM_FILE, name};
        ok = parse_line(parser, &source, line);
        free(name);
    }
    free(line);
    fclose(file);
    return ok;
}

static bool parse_file_beside(struct parser *parser, const char *program)
{
    char path[PATH_MAX];
    struct sm_error ignored; /* a missing program is reported by the code that starts it */
    if (!sm_find_program(program, path, &ignored))
        return true;
    char *file = sm_print("%s/" SM_OPTIONS_FILE, dirname(path));
    bool ok = parse_file(parser, file);
    free(file);
    return ok;
}

/* ---- all sources ---- */

static uint64_t default_trials(unsigned command)
{
    return command == SM_COMMAND_DETECT ? 1 : command == SM_COMMAND_ATOMICITY ? 2 : 0;
}

static void set_defaults(struct sm_settings *settings, unsigned command)
{
    *settings = (struct sm_settings){.expect_exit = SM_NO_EXPECTATION,
                                     .trials = default_trials(command),
                                     .lease = 20,
                                     .threads = 2,
                                     .calls = 2,
                                     .combinations = 1000,
                                     .size = 2};
#define SM_OPTION(type, name, default_value, help) settings->options.name = default_value;
#include "abi/options.def"
    if (command == SM_COMMAND_ATOMICITY) {
        settings->options.schedule = SM_SCHEDULE_STEERED;
        settings->options.atomicity = SM_ATOMICITY_SETS;
    }
    if (command == SM_COMMAND_RUN || command == SM_COMMAND_DETECT)
        settings->options.schedule = SM_SCHEDULES; /* with --trials several, in turn */
    if (command != SM_COMMAND_HUNT && command != SM_COMMAND_CAMPAIGN && command != SM_COMMAND_FIX)
        return;
    /* It lies as much as possible, and goes through all schedules and heuristics. */
    settings->options.model = SM_MODEL_OOTA;
    settings->options.schedule = SM_SCHEDULES;
    settings->options.heuristic = SM_HEURISTICS;
    settings->options.sample = 2;
}

/* The command line is read twice: first to find the program, and with it the file. */
static bool parse_sources(struct parser *parser, const struct source *command_line, char **words)
{
    struct sm_settings *settings = parser->settings;
    set_defaults(settings, parser->command);
    if (!take_options(parser, command_line, words) || settings->help)
        return settings->help;
    char *program =
        parser->program && settings->operands.n ? sm_copy_text(settings->operands.items[0]) : NULL;
    sm_settings_free(settings);
    set_defaults(settings, parser->command);
    memset(parser->list_rank, 0, sizeof parser->list_rank);
    bool ok = (!program || parse_file_beside(parser, program)) && parse_environment(parser) &&
              take_options(parser, command_line, words);
    free(program);
    return ok;
}

bool sm_settings_parse(struct sm_settings *settings, enum sm_command_bit command, bool program,
                       char **argv, struct sm_error *error)
{
    struct source command_line = {FROM_COMMAND_LINE, argv[0]};
    struct parser parser = {
        .settings = settings, .command = command, .program = program, .error = error};
    return parse_sources(&parser, &command_line, argv + 1);
}

bool sm_settings_parse_plan(struct sm_settings *settings, enum sm_command_bit command,
                            const char *text, struct sm_error *error)
{
    static const struct source source = {FROM_COMMAND_LINE, "the options of the shards"};
    struct parser parser = {.settings = settings, .command = command, .error = error};
    struct sm_list words = {0};
    set_defaults(settings, command);
    bool ok = sm_split_words(text, &words) ||
              sm_fail(error, SM_STATUS_USAGE, "%s: a quote is not closed", source.name);
    ok = ok && (!words.n || take_options(&parser, &source, words.items));
    sm_list_free(&words);
    return ok;
}

void sm_settings_free(struct sm_settings *settings)
{
    sm_list_free(&settings->watch);
    sm_list_free(&settings->variables);
    sm_list_free(&settings->units);
    sm_list_free(&settings->sets);
    sm_list_free(&settings->include);
    sm_list_free(&settings->exclude);
    sm_list_free(&settings->needs);
    sm_list_free(&settings->waits);
    sm_list_free(&settings->may_fail);
    sm_list_free(&settings->operands);
    free(settings->expect);
    free(settings->parcels);
    free(settings->suppressions);
    free(settings->baseline);
    free(settings->oracle);
    free(settings->record);
    free(settings->json);
    free(settings->out);
    free(settings->html);
    free(settings->sarif);
    free(settings->junit);
    free(settings->trace);
    free(settings->dot);
    free(settings->output);
    free(settings->object);
    free(settings->init);
    free(settings->destroy);
    settings->output = settings->object = settings->init = settings->destroy = NULL;
    settings->html = settings->sarif = settings->junit = settings->trace = settings->dot = NULL;
    settings->oracle = settings->record = settings->json = settings->out = NULL;
    settings->expect = settings->suppressions = settings->baseline = NULL;
}

bool sm_settings_color(const struct sm_settings *settings, int fd)
{
    const char *no = getenv("NO_COLOR");
    if (settings->color != SM_COLOR_AUTO)
        return settings->color == SM_COLOR_ALWAYS;
    return isatty(fd) && !(no && *no);
}

/* ---- back to words ---- */

void sm_quote_word(const char *word, struct sm_buffer *to)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_./=+:,@%";
    if (*word && strspn(word, plain) == strlen(word)) {
        sm_buffer_text(to, word);
        return;
    }
    sm_buffer_text(to, "'");
    for (; *word; word++)
        sm_buffer_add(to, *word == '\'' ? "'\\''" : word, *word == '\'' ? 4 : 1);
    sm_buffer_text(to, "'");
}

static void repeat_text(const struct setting *setting, const char *value, struct sm_buffer *to)
{
    sm_buffer_print(to, " --%s ", setting->name);
    sm_quote_word(value, to);
}

static void repeat(const struct setting *setting, const void *field, const void *usual,
                   struct sm_buffer *to)
{
    const uint64_t *number = field;
    switch (setting->kind) {
    case KIND_TEXT:
        if (*(char *const *)field)
            repeat_text(setting, *(char *const *)field, to);
        break;
    case KIND_LIST:
        for (size_t i = 0; i < ((const struct sm_list *)field)->n; i++)
            repeat_text(setting, ((const struct sm_list *)field)->items[i], to);
        break;
    case KIND_SLICE: {
        const struct sm_slice *slice = field;
        if (slice->of)
            sm_buffer_print(to, " --%s %" PRIu64 "/%" PRIu64, setting->name, slice->index,
                            slice->of);
        break;
    }
    case KIND_SECONDS:
        if (*(const double *)field != *(const double *)usual)
            sm_buffer_print(to, " --%s %g", setting->name, *(const double *)field);
        break;
    case KIND_NUMBER:
        if (*number != *(const uint64_t *)usual || strcmp(setting->name, "seed") == 0)
            sm_buffer_print(to, " --%s %" PRIu64, setting->name, *number);
        break;
    case KIND_FLAG:
        if (*number)
            sm_buffer_print(to, " --%s", setting->name);
        break;
    default: /* no word: all, as hunt takes schedules and heuristics */
        if (*number != *(const uint64_t *)usual && words_of[setting->kind][*number])
            repeat_text(setting, words_of[setting->kind][*number], to);
    }
}

static void repeat_all(const struct sm_settings *settings, const struct sm_settings *usual,
                       unsigned commands, const char *const *but, struct sm_buffer *to)
{
    for (size_t i = 0; i < N_SETTINGS; i++) {
        bool skip = !(table[i].commands & commands);
        for (size_t j = 0; but[j]; j++)
            skip |= strcmp(table[i].name, but[j]) == 0;
        if (!skip)
            repeat(&table[i], (const char *)settings + table[i].offset,
                   (const char *)usual + table[i].offset, to);
    }
}

void sm_settings_repeat(const struct sm_settings *settings, struct sm_buffer *to)
{
    static const char *const but[] = {"record", "json", "quiet", "verbose", "color", NULL};
    struct sm_settings usual;
    set_defaults(&usual, SM_COMMAND_RUN);
    if (settings->options.schedule != SM_SCHEDULES)
        usual.options.schedule = SM_SCHEDULE_RANDOM;
    repeat_all(settings, &usual, ~0u, but, to);
}

void sm_settings_plan(const struct sm_settings *settings, enum sm_command_bit command,
                      struct sm_buffer *to)
{
    static const char *const but[] = {"record", "json", "quiet",   "verbose", "color",
                                      "out",    "jobs", "time",    "shard",   "on",
                                      "tasks",  "copy", "parcels", "lease",   NULL};
    struct sm_settings usual;
    set_defaults(&usual, command);
    repeat_all(settings, &usual, command, but, to);
}

/* In lines of at most `columns` columns, all but the first indented. */
static void put_wrapped(const char *text, size_t columns, int indent, FILE *to)
{
    while (strlen(text) > columns) {
        size_t length = columns;
        while (length && text[length] != ' ')
            length--;
        if (!length)
            break;
        fprintf(to, "%.*s\n%*s", (int)length, text, indent, "");
        text += length + 1;
    }
    fprintf(to, "%s\n", text);
}

static void help_line(const struct setting *setting, FILE *to)
{
    enum { HELP_COLUMN = 20, HELP_WIDTH = 80 };
    struct sm_buffer text = {0};
    sm_buffer_text(&text, setting->help);
    const char *const *words = setting->kind == KIND_FLAG ? NULL : words_of[setting->kind];
    for (int64_t i = 0; words && i <= setting->high; i++)
        sm_buffer_print(&text, "%s %s", i ? "," : ":", words[i]);
    int used = fprintf(to, "  --%s %-*s ", setting->name, 14 - (int)strlen(setting->name),
                       setting->argument);
    put_wrapped(text.data, HELP_WIDTH - (size_t)(used > HELP_COLUMN ? used : HELP_COLUMN),
                HELP_COLUMN, to);
    sm_buffer_free(&text);
}

static void help_group(const char *heading, enum sm_command_bit command, enum level level, FILE *to)
{
    bool any = false;
    for (size_t i = 0; i < N_SETTINGS; i++) {
        if (!(table[i].commands & command) || table[i].level != level)
            continue;
        fputs(any ? "" : heading, to);
        any = true;
        help_line(&table[i], to);
    }
}

void sm_settings_help(enum sm_command_bit command, FILE *to)
{
    help_group("frequent options:\n", command, LEVEL_MAIN, to);
    help_group("\nfurther options:\n", command, LEVEL_MORE, to);
}
