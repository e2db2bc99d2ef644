/*
 * manual DIRECTORY TEXTS: writes the manual pages and the shell completions.
 *
 * A build tool. It reads the lists that the commands themselves are made of (commands.def,
 * options.def), so that pages and completions cannot say anything else than --help; what a
 * list cannot say is in TEXTS/COMMAND.man, which follows the synopsis. Under DIRECTORY
 * everything lies as under an installation's share/.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/control.h"
#include "base/memory.h"
#include "base/words.h"

struct command_entry {
    const char *name, *operands, *summary, *example;
};
static const struct command_entry commands[] = {
#define SM_COMMAND(name, main, operands, summary, example) {name, operands, summary, example},
#include "commands/commands.def"
};
enum { N_PAGES = sizeof commands / sizeof commands[0] };

struct option {
    const char *kind, *name, *commands, *argument, *help;
    int64_t high;
};
static const struct option options[] = {
#define SM_SETTING(kind, name, field, commands, level, argument, low, high, help)                  \
    {#kind, name, #commands, argument, help, high},
#include "base/options.def"
};
enum { N_OPTIONS = sizeof options / sizeof options[0] };

/* Kinds whose values are words; see options.def. */
struct option_kind {
    const char *name;
    const char *const *words;
    const char *const *texts; /* a line about each, or NULL */
};
static const struct option_kind kinds[] = {
    {"MODEL", sm_model_words, sm_model_needs},
    {"SCHEDULE", sm_schedule_words, sm_schedule_texts},
    {"HEURISTIC", sm_heuristic_words, sm_heuristic_texts},
    {"CARRIER", sm_carrier_words, NULL},
    {"COLOR", sm_color_words, NULL},
    {"VOLATILE", sm_volatile_words, NULL},
    {"FAIL_ON", sm_fail_on_words, NULL},
    {"ON", sm_on_words, NULL},
};

static const struct option_kind *kind_of(const struct option *option)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, option->kind) == 0)
            return &kinds[i];
    return NULL;
}

static void put_words(const struct option *option, const char *separator, FILE *to)
{
    for (int64_t i = 0; i <= option->high; i++)
        fprintf(to, "%s%s", i ? separator : "", kind_of(option)->words[i]);
}

static bool is_word(const char *at, size_t length, const char *word)
{
    return length == strlen(word) && strncasecmp(at, word, length) == 0;
}

/* Is the command's name, in capitals, one of "RUN | HUNT"? fix takes what hunt takes, but for what
   is hunt's ALONE. */
static bool takes(const struct command_entry *command, const struct option *option)
{
    bool fix = strcmp(command->name, "fix") == 0, hunt = strcmp(command->name, "hunt") == 0;
    for (const char *at = option->commands; *at;) {
        size_t word = strcspn(at, " |");
        if (is_word(at, word, command->name) || (fix && is_word(at, word, "HUNT")) ||
            (hunt && is_word(at, word, "HUNT_ALONE")))
            return true;
        at += word;
        at += strspn(at, " |");
    }
    return false;
}

static bool is_flag(const struct option *option)
{
    return strcmp(option->kind, "FLAG") == 0;
}

static FILE *create(const char *directory, const char *prefix, const char *name)
{
    char *path = sm_print("%s/%s%s", directory, prefix, name);
    FILE *file = fopen(path, "we");
    if (!file) {
        perror(path);
        exit(1);
    }
    free(path);
    return file;
}

/* ---- manual pages ---- */

/* For roff a hyphen is a place to break, and a line that begins with a dot a request. */
static void put_roff(const char *text, FILE *to)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", to);
    for (; *text; text++) {
        if (*text == '-')
            fputs("\\-", to);
        else if (*text == '\\')
            fputs("\\e", to);
        else
            fputc(*text, to);
    }
}

static void put_head(const char *page, const char *summary, FILE *to)
{
    fputs(".TH ", to);
    for (const char *at = page; *at; at++)
        fputc(*at >= 'a' && *at <= 'z' ? *at - 'a' + 'A' : *at, to);
    fputs(" 1 \"\" \"Stalemate " SM_VERSION "\" \"User Commands\"\n.SH NAME\n", to);
    put_roff(page, to);
    fputs(" \\- ", to);
    put_roff(summary, to);
    fputs("\n.SH SYNOPSIS\n", to);
}

static void put_synopsis(const struct command_entry *command, FILE *to)
{
    fprintf(to, ".B stalemate %s\n", command->name);
    put_roff(command->operands, to);
    fputs("\n", to);
}

/* False if there is none. */
static bool put_text(const char *texts, const char *name, FILE *to)
{
    char bytes[4096], *path = sm_print("%s/%s.man", texts, name);
    FILE *from = fopen(path, "re");
    free(path);
    if (!from)
        return false;
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, from)) > 0;)
        fwrite(bytes, 1, n, to);
    fclose(from);
    return true;
}

static void put_meanings(const char *const *words, const char *const *texts, int64_t n, FILE *to)
{
    fputs(".RS\n", to);
    for (int64_t i = 0; i < n; i++) {
        fputs(".TP\n.B ", to);
        put_roff(words[i], to);
        fputs("\n", to);
        put_roff(texts[i], to);
        fputs(".\n", to);
    }
    fputs(".RE\n", to);
}

static void put_option(const struct option *option, FILE *to)
{
    fputs(".TP\n.B ", to);
    put_roff("--", to);
    put_roff(option->name, to);
    if (kind_of(option)) {
        fputs(" \\fI", to);
        put_words(option, "\\fR|\\fI", to);
    } else if (!is_flag(option)) {
        fprintf(to, " \\fI%s", option->argument);
    }
    fputs("\\fR\n", to);
    put_roff(option->help, to);
    fputs(".\n", to);
    if (kind_of(option) && kind_of(option)->texts)
        put_meanings(kind_of(option)->words, kind_of(option)->texts, option->high + 1, to);
}

static void put_options(const struct command_entry *command, FILE *to)
{
    bool any = false;
    for (size_t i = 0; i < N_OPTIONS; i++) {
        if (!takes(command, &options[i]))
            continue;
        if (!any)
            fputs(".SH OPTIONS\nA value may follow as the next word or after an equals sign.\n"
                  "Options can also be given in\n.B STALEMATE_OPTIONS\nand\n"
                  ".BR stalemate.conf :\nsee\n.BR stalemate (1).\n",
                  to);
        any = true;
        put_option(&options[i], to);
    }
    if (any)
        fputs(".TP\n.B \\-\\-help\nSay this in short.\n", to);
}

static void put_command_page(const struct command_entry *command, const char *texts, FILE *to)
{
    char *page = sm_print("stalemate-%s", command->name);
    put_head(page, command->summary, to);
    put_synopsis(command, to);
    fputs(".SH DESCRIPTION\n", to);
    if (!put_text(texts, command->name, to)) {
        put_roff(command->summary, to);
        fputs(".\n", to);
    }
    put_options(command, to);
    fputs(".SH EXAMPLE\n.nf\n", to);
    put_roff(command->example, to);
    fputs("\n.fi\n.SH SEE ALSO\n.BR stalemate (1)\nfor the exit statuses and the files.\n", to);
    free(page);
}

static void put_main_page(const char *texts, FILE *to)
{
    put_head("stalemate", "find out whether the data races of a C or C++ program matter", to);
    for (size_t i = 0; i < N_PAGES; i++) {
        put_synopsis(&commands[i], to);
        if (i + 1 < N_PAGES)
            fputs(".br\n", to);
    }
    fputs(".SH COMMANDS\n", to);
    for (size_t i = 0; i < N_PAGES; i++) {
        fprintf(to, ".TP\n.BR stalemate\\-%s (1)\n", commands[i].name);
        put_roff(commands[i].summary, to);
        fputs(".\n", to);
    }
    put_text(texts, "stalemate", to);
    fputs(".SH FAILURES\n", to);
    put_meanings(sm_failure_words + 1, sm_failure_texts + 1, SM_FAILURES - 1, to);
    fputs(".SH SEE ALSO\n.BR gdb (1),\n.BR clang (1)\n", to);
}

/* ---- completions ---- */

static void put_bash_values(const struct option *option, FILE *to)
{
    fprintf(to, "    --%s)", option->name);
    if (kind_of(option)) {
        fputs(" words=\"", to);
        put_words(option, " ", to);
        fputs("\" ;;\n", to);
    } else if (strcmp(option->argument, "FILE") == 0) {
        fputs(" return ;;\n", to);
    } else if (strcmp(option->argument, "DIR") == 0) {
        fputs(" mapfile -t COMPREPLY < <(compgen -d -- \"$cur\"); return ;;\n", to);
    } else {
        fputs(" compopt +o default 2>/dev/null; return ;;\n", to);
    }
}

static void put_bash(FILE *to)
{
    fputs("# bash completion for stalemate. Files are left to readline (-o default).\n"
          "_stalemate() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words= i\n"
          "    COMPREPLY=()\n"
          "    # --model=tso comes in three words\n"
          "    [[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD-2]}\n"
          "    [[ $cur == = ]] && cur=\n"
          "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
          "        [[ ${COMP_WORDS[i]} == -- ]] && return\n"
          "    done\n"
          "    if ((COMP_CWORD > 1)); then case $prev in\n",
          to);
    for (size_t i = 0; i < N_OPTIONS; i++)
        if (!is_flag(&options[i]))
            put_bash_values(&options[i], to);
    fputs("    esac; fi\n"
          "    [[ -z $words ]] && case ${COMP_WORDS[1]} in\n",
          to);
    for (size_t i = 0; i < N_PAGES; i++) {
        fprintf(to, "    %s) [[ $cur == -* ]] && words=\"--help", commands[i].name);
        for (size_t k = 0; k < N_OPTIONS; k++)
            if (takes(&commands[i], &options[k]))
                fprintf(to, " --%s", options[k].name);
        fprintf(to, "%s\" ;;\n", strstr(commands[i].operands, "--detect") ? " --detect" : "");
    }
    fputs("    esac\n    ((COMP_CWORD == 1)) && words=\"--help --version", to);
    for (size_t i = 0; i < N_PAGES; i++)
        fprintf(to, " %s", commands[i].name);
    fputs("\"\n"
          "    [[ -z $words ]] && return\n"
          "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
          "}\n"
          "complete -o default -F _stalemate stalemate\n",
          to);
}

/* Inside '...' and [...]. */
static void put_zsh_text(const char *text, FILE *to)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", to);
        else
            fprintf(to, "%s%c", strchr("[]:", *text) ? "\\" : "", *text);
    }
}

static void put_zsh_option(const struct option *option, FILE *to)
{
    bool repeats = strcmp(option->kind, "LIST") == 0;
    fprintf(to, " \\\n            '%s--%s%s[", repeats ? "*" : "", option->name,
            is_flag(option) ? "" : "=");
    put_zsh_text(option->help, to);
    fputs("]", to);
    if (kind_of(option)) {
        fprintf(to, ":%s:(", option->argument);
        put_words(option, " ", to);
        fputs(")", to);
    } else if (!is_flag(option)) {
        fprintf(to, ":%s:%s", option->argument,
                strcmp(option->argument, "FILE") == 0  ? "_files"
                : strcmp(option->argument, "DIR") == 0 ? "_files -/"
                                                       : " ");
    }
    fputs("'", to);
}

static void put_zsh(FILE *to)
{
    fputs("#compdef stalemate\n"
          "# zsh completion for stalemate.\n"
          "_stalemate() {\n"
          "    local -a commands\n"
          "    commands=(\n",
          to);
    for (size_t i = 0; i < N_PAGES; i++) {
        fprintf(to, "        '%s:", commands[i].name);
        put_zsh_text(commands[i].summary, to);
        fputs("'\n", to);
    }
    fputs("    )\n"
          "    if ((CURRENT == 2)); then\n"
          "        _describe -t commands command commands\n"
          "        return\n"
          "    fi\n"
          "    local command=$words[2]\n"
          "    shift words\n"
          "    ((CURRENT--))\n"
          "    case $command in\n",
          to);
    for (size_t i = 0; i < N_PAGES; i++) {
        fprintf(to, "    %s)\n        _arguments '--help[say this in short]'", commands[i].name);
        for (size_t k = 0; k < N_OPTIONS; k++)
            if (takes(&commands[i], &options[k]))
                put_zsh_option(&options[k], to);
        if (strstr(commands[i].operands, "--detect"))
            fputs(" \\\n            '--detect[for race detection with threads in parallel]'", to);
        fputs(" \\\n            '*:file:_files' ;;\n", to);
    }
    fputs("    esac\n"
          "}\n"
          "_stalemate \"$@\"\n",
          to);
}

/* ---- all of them ---- */

static void write_command_page(const char *directory, const char *texts,
                               const struct command_entry *command)
{
    char *name = sm_print("%s.1", command->name);
    FILE *file = create(directory, "man/man1/stalemate-", name);
    put_command_page(command, texts, file);
    fclose(file);
    free(name);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return fputs("usage: manual DIRECTORY TEXTS\n", stderr), 2;
    const char *directory = argv[1], *texts = argv[2];
    FILE *file = create(directory, "man/man1/", "stalemate.1");
    put_main_page(texts, file);
    fclose(file);
    for (size_t i = 0; i < N_PAGES; i++)
        write_command_page(directory, texts, &commands[i]);
    file = create(directory, "bash-completion/completions/", "stalemate");
    put_bash(file);
    fclose(file);
    file = create(directory, "zsh/site-functions/", "_stalemate");
    put_zsh(file);
    return fclose(file) == 0 ? 0 : 1;
}
