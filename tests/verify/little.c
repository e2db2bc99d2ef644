#include "little.h"

#include <stdio.h>
#include <string.h>

static uint64_t random_state;

void little_seed(uint64_t seed)
{
    random_state = seed;
}

static int below(int n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int)((random_state >> 33) % (uint64_t)n);
}

bool little_is_plain(const struct instruction *instruction)
{
    return strchr("RW", instruction->op) && instruction->variable != ATOMIC;
}

static void add(struct program *program, int thread, char op, int variable)
{
    program->code[thread][program->length[thread]++] = (struct instruction){op, variable, 0};
}

/* A thread locks and unlocks at most once, around some of its accesses. */
static void make_thread(struct program *program, int thread)
{
    int accesses = 1 + below(3), from = below(6), until = from + 1 + below(2);
    for (int i = 0; i < accesses; i++) {
        int variable = below(VARIABLES);
        char op = "RWWR"[below(4)];
        if (i == from)
            add(program, thread, 'L', 0);
        add(program, thread, variable == ATOMIC && below(3) == 0 ? 'U' : op, variable);
        if (i >= from && (i + 1 == until || (i + 1 == accesses && until > accesses)))
            add(program, thread, 'M', 0);
    }
}

static void print_one(const struct instruction *instruction, char *to, size_t size)
{
    char name = "xyz"[instruction->variable];
    const char *order = instruction->variable == ATOMIC ? " sc" : "";
    switch (instruction->op) {
    case 'R':
        snprintf(to, size, "R %c%s", name, order);
        break;
    case 'W':
    case 'U':
        snprintf(to, size, "%c %c %d%s", instruction->op, name, instruction->value, order);
        break;
    default:
        snprintf(to, size, "%c m", instruction->op);
    }
}

static void finish(struct program *program)
{
    int value = 0;
    for (int t = 0; t < THREADS && program->length[t]; t++)
        for (int i = 0; i < program->length[t]; i++) {
            char one[32];
            program->code[t][i].value = ++value;
            print_one(&program->code[t][i], one, sizeof one);
            strcat(program->text, i ? "; " : t ? " | " : "");
            strcat(program->text, one);
        }
}

void little_parse(struct program *program, const char *text)
{
    char copy[256], *rest = copy;
    *program = (struct program){0};
    snprintf(copy, sizeof copy, "%s", text);
    int t = 0;
    for (char *part; (part = strtok_r(rest, "|", &rest)); t++)
        for (char *code; (code = strtok_r(part, ";", &part));) {
            code += *code == ' ';
            add(program, t, *code, strchr("RWU", *code) ? code[2] - 'x' : 0);
        }
    finish(program);
}

void little_make(struct program *program)
{
    *program = (struct program){0};
    int threads = 2 + below(2);
    for (int t = 0; t < threads; t++)
        make_thread(program, t);
    finish(program);
}
