/*
 * detect_words.c - neighbours: accesses to adjacent words that are checked together.
 *
 * The cells of `p->x`, `p->y` and `p->z` in one block are adjacent. Comparing all of them at once,
 * with one call if that fails, costs little more than checking a single access. The check carries
 * the row of each, so a report still names the field and the line.
 *
 * Why that is correct: the block is entered at its beginning, and between the first and the last of
 * the accesses nothing synchronises or fails to return; so all are executed or none, in one epoch,
 * and whatever races with one of them in its place also races with it in the place of the first.
 */
#include "plugin/detect_pass.h"

#include "native/paths.h"
#include "plugin/detect_ranges.h"
#include "plugin/hook.h"

#include <stdio.h>

struct word_group {
    uint32_t rows[2 * SM_WORDS_MAX]; /* by distance from the first, in words */
    bool has[2 * SM_WORDS_MAX];      /* the first access is in the middle */
};

bool sm_is_word(const struct sm_row *row)
{
    return row->size == 8 && (row->kind == SM_SITE_LOAD || row->kind == SM_SITE_STORE) &&
           LLVMGetAlignment(row->instruction) >= 8;
}

/* The accesses of the block that are neighbours of the first, up to the next synchronisation. */
static void collect(struct sm_pass *pass, const struct sm_unit *unit, struct sm_loops *loops,
                    uint32_t first, struct word_group *group)
{
    enum { WORD_WINDOW = 64 };
    const struct sm_row *head = &pass->rows[first];
    uint32_t end = unit->first_row + unit->n_rows;
    group->rows[SM_WORDS_MAX] = first;
    group->has[SM_WORDS_MAX] = true;
    for (uint32_t i = first + 1; i < end && i < first + WORD_WINDOW; i++) {
        const struct sm_row *row = &pass->rows[i];
        int64_t distance;
        if (!sm_is_word(row) || row->kind != head->kind)
            continue;
        if (LLVMGetInstructionParent(row->instruction) !=
                LLVMGetInstructionParent(head->instruction) ||
            sm_synchronises_between(head->instruction, row->instruction))
            return;
        if (!sm_loops_distance(loops, sm_row_address(head), sm_row_address(row), &distance) ||
            distance % 8 || distance / 8 < -SM_WORDS_MAX || distance / 8 >= SM_WORDS_MAX)
            continue;
        group->rows[distance / 8 + SM_WORDS_MAX] = i;
        group->has[distance / 8 + SM_WORDS_MAX] = true;
    }
}

/* A struct sm_words. */
static LLVMValueRef describe(struct sm_pass *pass, const uint32_t *rows, unsigned n, uint64_t step)
{
    LLVMValueRef fields[SM_WORDS_MAX + 2] = {sm_constant(pass, n), sm_constant(pass, step)};
    for (unsigned i = 0; i < n; i++)
        fields[i + 2] = sm_hook_site(pass, rows[i]);
    LLVMValueRef value = LLVMConstStructInContext(pass->context, fields, n + 2, false);
    LLVMValueRef global = LLVMAddGlobal(pass->module, LLVMTypeOf(value), "sm.words");
    LLVMSetInitializer(global, value);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    return global;
}

/* One check for rows[0 .. n), before the access `first`, which is `before` words into them. */
static void emit(struct sm_pass *pass, const uint32_t *rows, unsigned n, uint32_t first,
                 unsigned before)
{
    char name[32];
    const struct sm_row *head = &pass->rows[first];
    snprintf(name, sizeof name, "%s_words%u", head->kind == SM_SITE_STORE ? "write" : "read", n);
    LLVMPositionBuilderBefore(pass->builder, sm_check_place(head));
    LLVMSetCurrentDebugLocation2(pass->builder, NULL);
    LLVMValueRef address = LLVMBuildPtrToInt(pass->builder, sm_row_address(head), pass->i64, "");
    address = LLVMBuildSub(pass->builder, address, sm_constant(pass, 8ul * before), "");
    LLVMValueRef arguments[] = {address, describe(pass, rows, n, 0)};
    sm_path_call(pass, name, arguments, 2);
    for (unsigned i = 0; i < n; i++)
        pass->rows[rows[i]].size = 0;
}

void sm_stripes_check(struct sm_pass *pass, const struct sm_stripes *stripes)
{
    LLVMPositionBuilderBefore(pass->builder, stripes->before);
    LLVMSetCurrentDebugLocation2(pass->builder, NULL);
    LLVMValueRef arguments[] = {stripes->start, stripes->count,
                                describe(pass, stripes->rows, stripes->n, stripes->step)};
    sm_path_call(pass, stripes->write ? "write_stripes" : "read_stripes", arguments, 3);
    for (unsigned i = 0; i < stripes->n; i++)
        pass->rows[stripes->rows[i]].size = 0;
}

void sm_words_check(struct sm_pass *pass, const struct sm_unit *unit, struct sm_loops *loops)
{
    uint32_t end = unit->first_row + unit->n_rows;
    for (uint32_t i = unit->first_row; i < end; i++) {
        if (!sm_is_word(&pass->rows[i]))
            continue;
        struct word_group group = {0};
        collect(pass, unit, loops, i, &group);
        unsigned from = SM_WORDS_MAX, to = SM_WORDS_MAX + 1;
        while (from > 0 && group.has[from - 1] && to - from < SM_WORDS_MAX)
            from--;
        while (to < 2 * SM_WORDS_MAX && group.has[to] && to - from < SM_WORDS_MAX)
            to++;
        if (to - from > 1)
            emit(pass, &group.rows[from], to - from, i, SM_WORDS_MAX - from);
    }
}
