/*
 * asm_text.c - see asm_text.h.
 */
#include "plugin/asm_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names of registers ---- */

static bool legacy_register(const char *name, struct sm_asm_argument *argument)
{
    static const char *const names[8][4] = {
        {"al", "ax", "eax", "rax"},  {"cl", "cx", "ecx", "rcx"},  {"dl", "dx", "edx", "rdx"},
        {"bl", "bx", "ebx", "rbx"},  {"spl", "sp", "esp", "rsp"}, {"bpl", "bp", "ebp", "rbp"},
        {"sil", "si", "esi", "rsi"}, {"dil", "di", "edi", "rdi"},
    };
    static const char *const high[] = {"ah", "ch", "dh", "bh"};
    for (unsigned i = 0; i < 8; i++)
        for (unsigned size = 0; size < 4; size++)
            if (strcmp(name, names[i][size]) == 0) {
                argument->base.number = i;
                argument->size = 1u << size;
                return true;
            }
    for (unsigned i = 0; i < 4; i++)
        if (strcmp(name, high[i]) == 0) {
            argument->base.number = i;
            argument->size = 1;
            argument->high = true;
            return true;
        }
    return false;
}

static bool numbered_register(const char *name, struct sm_asm_argument *argument)
{
    char *end;
    if (name[0] != 'r' || !isdigit((unsigned char)name[1]))
        return false;
    unsigned long number = strtoul(name + 1, &end, 10);
    if (number < 8 || number > 15 || strlen(end) > 1 || (*end && !strchr("dwb", *end)))
        return false;
    argument->base.number = (unsigned)number;
    argument->size = *end == 'd' ? 4 : *end == 'w' ? 2 : *end == 'b' ? 1 : 8;
    return true;
}

static bool read_register(const char *name, struct sm_asm_argument *argument)
{
    *argument = (struct sm_asm_argument){.kind = SM_ASM_REGISTER, .base.present = true};
    return legacy_register(name, argument) || numbered_register(name, argument);
}

/* ---- words ---- */

struct cursor {
    const char *at;
    bool intel;
};

static void skip_blanks(struct cursor *cursor)
{
    while (*cursor->at == ' ' || *cursor->at == '\t')
        cursor->at++;
}

static bool take(struct cursor *cursor, char wanted)
{
    skip_blanks(cursor);
    if (*cursor->at != wanted)
        return false;
    cursor->at++;
    return true;
}

/* A word in lower case; false if there is none or it is too long. */
static bool take_word(struct cursor *cursor, char *word, size_t room)
{
    size_t n = 0;
    skip_blanks(cursor);
    while (isalnum((unsigned char)*cursor->at) || *cursor->at == '_' || *cursor->at == '.') {
        if (n + 1 == room)
            return false;
        word[n++] = (char)tolower((unsigned char)*cursor->at++);
    }
    word[n] = '\0';
    return n != 0;
}

static bool take_number(struct cursor *cursor, int64_t *value)
{
    char *end;
    skip_blanks(cursor);
    const char *start = cursor->at + (*cursor->at == '-' || *cursor->at == '+');
    if (!isdigit((unsigned char)*start))
        return false;
    *value =
        *cursor->at == '-' ? -(int64_t)strtoull(start, &end, 0) : (int64_t)strtoull(start, &end, 0);
    if (isalpha((unsigned char)*end) || *end == '_') /* 1f, 0ffh */
        return false;
    cursor->at = end;
    return true;
}

/* ---- arguments ---- */

static bool apply_modifier(char modifier, struct sm_asm_argument *argument)
{
    switch (modifier) {
    case 'b':
    case 'w':
    case 'k':
    case 'q':
        argument->size = modifier == 'b' ? 1 : modifier == 'w' ? 2 : modifier == 'k' ? 4 : 8;
        return true;
    case 'h':
        argument->size = 1;
        argument->high = true;
        return true;
    case 'l':
        argument->kind = SM_ASM_LABEL;
        return true;
    case 'a': /* the memory that the operand points to */
        argument->kind = SM_ASM_ADDRESS;
        argument->base.operand = true;
        return true;
    case 'c': /* a constant without its dollar sign */
    case 'P':
        return true;
    default:
        return false;
    }
}

/* After the dollar sign: `0` or `{0:b}`. */
static bool take_operand(struct cursor *cursor, struct sm_asm_argument *argument)
{
    bool braced = *cursor->at == '{';
    char *end;
    cursor->at += braced;
    if (!isdigit((unsigned char)*cursor->at))
        return false;
    unsigned number = (unsigned)strtoul(cursor->at, &end, 10);
    *argument = (struct sm_asm_argument){.kind = SM_ASM_OPERAND,
                                         .base = {.present = true, .number = number}};
    cursor->at = end;
    if (!braced)
        return true;
    if (*cursor->at == ':') {
        if (!apply_modifier(cursor->at[1], argument))
            return false;
        cursor->at += 2;
    }
    return *cursor->at++ == '}';
}

/* A base or an index: %rax, or an operand. */
static bool take_name(struct cursor *cursor, struct sm_asm_name *name)
{
    struct sm_asm_argument argument;
    char word[16];
    if (take(cursor, '$')) {
        if (!take_operand(cursor, &argument) || argument.kind != SM_ASM_OPERAND)
            return false;
        *name = (struct sm_asm_name){true, true, argument.base.number};
        return true;
    }
    if (!cursor->intel && !take(cursor, '%'))
        return false;
    if (!take_word(cursor, word, sizeof word) || !read_register(word, &argument) ||
        argument.size < 4)
        return false;
    *name = (struct sm_asm_name){true, false, argument.base.number};
    return true;
}

/* After the displacement: (base, index, scale). */
static bool take_att_address(struct cursor *cursor, struct sm_asm_argument *argument)
{
    int64_t scale = 1;
    argument->kind = SM_ASM_ADDRESS;
    if (!take(cursor, '(') || !take_name(cursor, &argument->base))
        return false;
    if (take(cursor, ',') && !take_name(cursor, &argument->index))
        return false;
    if (argument->index.present && take(cursor, ',') && !take_number(cursor, &scale))
        return false;
    argument->scale = (unsigned)scale;
    return take(cursor, ')');
}

static bool take_att_argument(struct cursor *cursor, struct sm_asm_argument *argument)
{
    char word[16];
    int64_t value = 0;
    *argument = (struct sm_asm_argument){0};
    skip_blanks(cursor);
    if (cursor->at[0] == '$' && cursor->at[1] == '$') {
        cursor->at += 2;
        argument->kind = SM_ASM_IMMEDIATE;
        return take_number(cursor, &argument->value);
    }
    if (take(cursor, '%'))
        return take_word(cursor, word, sizeof word) && read_register(word, argument);
    bool displaced = take_number(cursor, &value);
    if (displaced)
        take(cursor, '+');
    if (take(cursor, '$')) { /* 8+%0: behind the memory operand */
        bool ok = take_operand(cursor, argument);
        argument->value = value;
        return ok && (!displaced || argument->kind == SM_ASM_OPERAND);
    }
    argument->value = value;
    return take_att_address(cursor, argument);
}

/* Inside the brackets: names and numbers that are added up. */
static bool take_intel_address(struct cursor *cursor, struct sm_asm_argument *argument)
{
    argument->kind = SM_ASM_ADDRESS;
    argument->scale = 1;
    do {
        int64_t number;
        struct sm_asm_name *name = argument->base.present ? &argument->index : &argument->base;
        if (take_number(cursor, &number)) {
            argument->value += number;
            continue;
        }
        if (argument->index.present || !take_name(cursor, name))
            return false;
        if (take(cursor, '*')) {
            if (!take_number(cursor, &number))
                return false;
            argument->scale = (unsigned)number;
            if (name == &argument->base) {
                argument->index = argument->base;
                argument->base = (struct sm_asm_name){0};
            }
        }
        skip_blanks(cursor);
    } while (take(cursor, '+') || *cursor->at == '-');
    return take(cursor, ']');
}

static unsigned pointer_size(const char *word)
{
    static const char *const words[] = {"byte", "word", "dword", "qword", "oword", "xmmword"};
    static const unsigned char sizes[] = {1, 2, 4, 8, 16, 16};
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0)
            return sizes[i];
    return 0;
}

static bool take_intel_argument(struct cursor *cursor, struct sm_asm_argument *argument)
{
    char word[16];
    unsigned size = 0;
    *argument = (struct sm_asm_argument){0};
    if (take_number(cursor, &argument->value)) {
        argument->kind = SM_ASM_IMMEDIATE;
        return true;
    }
    if (take(cursor, '$'))
        return take_operand(cursor, argument);
    if (take(cursor, '['))
        return take_intel_address(cursor, argument);
    if (!take_word(cursor, word, sizeof word))
        return false;
    if ((size = pointer_size(word)) == 0)
        return read_register(word, argument);
    if (!take_word(cursor, word, sizeof word) || strcmp(word, "ptr") != 0)
        return false;
    bool ok = take(cursor, '[') ? take_intel_address(cursor, argument)
                                : take(cursor, '$') && take_operand(cursor, argument);
    argument->size = size;
    return ok;
}

static bool take_arguments(struct cursor *cursor, struct sm_asm_line *line)
{
    skip_blanks(cursor);
    if (!*cursor->at)
        return true;
    do {
        if (line->n_arguments == SM_ASM_ARGUMENTS)
            return false;
        struct sm_asm_argument *argument = &line->arguments[line->n_arguments++];
        if (!(cursor->intel ? take_intel_argument : take_att_argument)(cursor, argument))
            return false;
    } while (take(cursor, ','));
    skip_blanks(cursor);
    if (cursor->intel && line->n_arguments == 2) {
        struct sm_asm_argument first = line->arguments[0];
        line->arguments[0] = line->arguments[1];
        line->arguments[1] = first;
    }
    return !*cursor->at;
}

/* ---- lines ---- */

static bool is_repeat(const char *word)
{
    return strcmp(word, "rep") == 0 || strcmp(word, "repe") == 0 || strcmp(word, "repz") == 0 ||
           strcmp(word, "repne") == 0 || strcmp(word, "repnz") == 0;
}

/* Lock elision is a hint: without it the processor does the same. */
static bool is_elision(const char *word)
{
    return strcmp(word, "xacquire") == 0 || strcmp(word, "xrelease") == 0;
}

/* One statement. A prefix may stand alone, and belongs to the statement after it. */
static bool parse_statement(struct sm_asm_text *text, const char *statement, bool intel)
{
    struct cursor cursor = {statement, intel};
    skip_blanks(&cursor);
    while (*cursor.at) {
        if (text->n_lines == SM_ASM_LINES)
            return false;
        struct sm_asm_line *line = &text->lines[text->n_lines];
        if (!take_word(&cursor, line->mnemonic, sizeof line->mnemonic))
            return false;
        if (take(&cursor, ':')) /* a label: harmless unless something jumps to it */
            continue;
        if (strcmp(line->mnemonic, "lock") == 0) {
            line->lock = true;
        } else if (is_repeat(line->mnemonic)) {
            line->rep = true;
        } else if (!is_elision(line->mnemonic)) {
            text->n_lines++;
            return take_arguments(&cursor, line);
        }
        skip_blanks(&cursor);
    }
    return true;
}

/* Sections of the kernel that list the addresses of its lock prefixes. */
static bool is_section(const char *statement, bool *inside)
{
    while (isspace((unsigned char)*statement))
        statement++;
    if (strncmp(statement, ".pushsection", strlen(".pushsection")) == 0)
        *inside = true;
    if (!*inside)
        return false;
    if (strncmp(statement, ".popsection", strlen(".popsection")) == 0)
        *inside = false;
    return true;
}

static bool parse_statements(char *code, bool intel, struct sm_asm_text *text)
{
    bool inside = false;
    char *save = NULL;
    for (char *statement = strtok_r(code, "\n;", &save); statement;
         statement = strtok_r(NULL, "\n;", &save)) {
        if (is_section(statement, &inside))
            continue;
        for (char *tab = statement; *tab; tab++)
            if (isspace((unsigned char)*tab))
                *tab = ' ';
        if (!parse_statement(text, statement, intel))
            return false;
    }
    /* a prefix without its instruction */
    return text->n_lines == SM_ASM_LINES ||
           !(text->lines[text->n_lines].lock || text->lines[text->n_lines].rep);
}

/* ---- the whole ---- */

/* The text of one dialect, without comments; the result is never longer. */
static void choose_dialect(const char *code, size_t length, bool intel, char *out)
{
    unsigned part = 0; /* 0: outside of $( $); else 1 + number of the alternative */
    for (size_t i = 0; i < length; i++) {
        char next = i + 1 < length ? code[i + 1] : '\0';
        if (code[i] == '$' && (next == '(' || next == '|' || next == ')')) {
            part = next == '(' ? 1 : next == '|' ? part + 1 : 0;
            i++;
        } else if (part && part != (intel ? 2u : 1u)) {
            continue;
        } else if (code[i] == '#') {
            while (i + 1 < length && code[i + 1] != '\n')
                i++;
        } else if (code[i] == '/' && next == '*') {
            const char *end = strstr(code + i, "*/");
            i = end ? (size_t)(end - code) + 1 : length;
        } else if (code[i] == '$' && next == '$') { /* not the start of `$(` */
            *out++ = code[i++];
            *out++ = '$';
        } else {
            *out++ = code[i];
        }
    }
    *out = '\0';
}

bool sm_asm_parse(const char *code, size_t length, bool intel, struct sm_asm_text *text)
{
    char *source = strndup(code, length), *chosen = malloc(length + 1);
    *text = (struct sm_asm_text){0};
    bool ok = source && chosen;
    if (ok) {
        choose_dialect(source, strlen(source), intel, chosen);
        ok = parse_statements(chosen, intel, text);
    }
    free(source);
    free(chosen);
    return ok;
}

/* ---- constraints ---- */

static bool parse_braced(const char *word, struct sm_asm_constraint *constraint)
{
    char name[16];
    struct sm_asm_argument argument;
    const char *end = strchr(word, '}');
    size_t length = end ? (size_t)(end - word) - 1 : sizeof name;
    if (length >= sizeof name)
        return false;
    memcpy(name, word + 1, length);
    name[length] = '\0';
    if (strncmp(name, "@cc", 3) == 0) {
        snprintf(constraint->condition, sizeof constraint->condition, "%.7s", name + 3);
        return true;
    }
    if (read_register(name, &argument))
        constraint->register_number = (int)argument.base.number;
    return true; /* a register of another kind: not supported */
}

static int letter_register(const char *word)
{
    static const char letters[] = "acdb..SD";
    const char *found = strchr(letters, word[0]);
    return word[1] == '\0' && found && word[0] != '.' ? (int)(found - letters) : -1;
}

static bool parse_constraint(const char *word, struct sm_asm_constraint *constraint)
{
    *constraint = (struct sm_asm_constraint){.tied = -1, .register_number = -1};
    for (; *word && strchr("=*&%!+", *word); word++) {
        constraint->output |= *word == '=';
        constraint->indirect |= *word == '*';
        constraint->label |= *word == '!';
    }
    if (*word == '{')
        return parse_braced(word, constraint);
    if (isdigit((unsigned char)*word))
        constraint->tied = atoi(word);
    else
        constraint->register_number = letter_register(word);
    return *word != '\0';
}

bool sm_asm_constraints_parse(const char *words, size_t length, struct sm_asm_constraints *all)
{
    char *copy = strndup(words, length), *save = NULL;
    bool ok = copy != NULL;
    *all = (struct sm_asm_constraints){0};
    for (char *word = ok ? strtok_r(copy, ",", &save) : NULL; ok && word;
         word = strtok_r(NULL, ",", &save)) {
        if (word[0] == '~') {
            all->memory |= strcmp(word, "~{memory}") == 0;
            continue;
        }
        ok = all->n < SM_ASM_CONSTRAINTS && parse_constraint(word, &all->list[all->n++]);
    }
    free(copy);
    return ok;
}
