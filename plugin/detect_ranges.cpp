/*
 * detect_ranges.cpp - see detect_ranges.h.
 *
 * A range begins as one access of an innermost loop and is then moved outwards: out of a loop in
 * which it does not change, it is checked once; out of a loop whose iterations append its pieces
 * end to end, it grows. Ranges of one loop that differ only at their ends are merged.
 */
#include "plugin/detect_loops.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

using namespace llvm;
using Range = sm_range_draft;

void sm_loops::addPreheaders()
{
    for (Loop *loop : info.getLoopsInPreorder())
        if (!loop->getLoopPreheader())
            InsertPreheaderForLoop(loop, &dominators, &info, nullptr, false);
}

struct sm_loops *sm_loops_new(LLVMValueRef function, sm_synchronises *synchronises)
{
    return new sm_loops(*cast<Function>(unwrap(function)), synchronises);
}

void sm_loops_free(struct sm_loops *loops)
{
    delete loops;
}

bool sm_is_silent(sm_loops *loops, BasicBlock *block)
{
    auto known = loops->silent.find(block);
    if (known != loops->silent.end())
        return known->second;
    bool silent = true;
    for (Instruction &instruction : *block)
        silent = silent && !loops->synchronises(wrap(&instruction));
    return loops->silent[block] = silent;
}

static bool isSilent(sm_loops *loops, Loop *loop)
{
    for (BasicBlock *block : loop->blocks())
        if (!sm_is_silent(loops, block))
            return false;
    return true;
}

/* Left only at its latch, so that what dominates the latch is executed in each iteration. */
static bool isCounted(sm_loops *loops, Loop *loop)
{
    BasicBlock *latch = loop->getLoopLatch();
    if (!latch || !loop->getLoopPreheader() || loop->getExitingBlock() != latch)
        return false;
    const SCEV *taken = loops->evolution.getBackedgeTakenCount(loop);
    return !isa<SCEVCouldNotCompute>(taken) &&
           loops->evolution.getTypeSizeInBits(taken->getType()) <= 64;
}

/* Is the block executed in the first iteration of the loop, whichever exit ends it, and in the same
   epoch as in all other iterations? */
static bool isDoneAtFirst(sm_loops *loops, Loop *loop, BasicBlock *block)
{
    SmallVector<BasicBlock *> ends;
    if (!loop->getLoopPreheader() || !isSilent(loops, loop))
        return false;
    loop->getExitingBlocks(ends);
    loop->getLoopLatches(ends);
    return all_of(ends, [&](BasicBlock *end) { return loops->dominators.dominates(block, end); });
}

static const SCEV *taken(sm_loops *loops, Loop *loop)
{
    return loops->evolution.getNoopOrZeroExtend(loops->evolution.getBackedgeTakenCount(loop),
                                                loops->word);
}

static const SCEV *turns(sm_loops *loops, Loop *loop)
{
    return loops->evolution.getAddExpr(taken(loops, loop), loops->evolution.getOne(loops->word));
}

/* The constant step of an address that moves evenly in the loop; 0 if it does not. */
static int64_t stepIn(sm_loops *loops, const SCEV *address, Loop *loop)
{
    auto *recurrence = dyn_cast<SCEVAddRecExpr>(address);
    if (!recurrence || recurrence->getLoop() != loop || !recurrence->isAffine())
        return 0;
    auto *step = dyn_cast<SCEVConstant>(recurrence->getStepRecurrence(loops->evolution));
    if (!step || step->getAPInt().getSignificantBits() > 32)
        return 0;
    return step->getAPInt().getSExtValue();
}

/* Where an address that moves by `step` is lowest: for a negative step, in the last iteration. */
static const SCEV *lowest(sm_loops *loops, const SCEV *address, Loop *loop, int64_t step)
{
    ScalarEvolution &evolution = loops->evolution;
    const SCEV *start = cast<SCEVAddRecExpr>(address)->getStart();
    if (step > 0)
        return start;
    const SCEV *back = evolution.getConstant(loops->word, (uint64_t)step, true);
    return evolution.getAddExpr(start, evolution.getMulExpr(taken(loops, loop), back));
}

static bool isInvariant(sm_loops *loops, const SCEV *scev, Loop *loop)
{
    return loops->evolution.isLoopInvariant(scev, loop);
}

/* Moves the range out of the enclosing loop; false if that is impossible. */
static bool moveOut(sm_loops *loops, Range &range)
{
    Loop *outer = range.loop->getParentLoop();
    if (!outer || !isDoneAtFirst(loops, outer, range.loop->getLoopPreheader()) ||
        !isInvariant(loops, range.count, outer))
        return false;
    if (isInvariant(loops, range.start, outer)) {
        range.loop = outer;
        return true;
    }
    if (!isCounted(loops, outer))
        return false;
    int64_t step = stepIn(loops, range.start, outer);
    auto *count = dyn_cast<SCEVConstant>(range.count);
    if (!step || !count || count->getAPInt().getActiveBits() > 32 || range.step != range.size)
        return false;
    if ((uint64_t)(step < 0 ? -step : step) != range.size * count->getAPInt().getZExtValue())
        return false;
    range.start = lowest(loops, range.start, outer, step);
    range.count = loops->evolution.getMulExpr(range.count, turns(loops, outer));
    range.loop = outer;
    return true;
}

bool sm_distance_of(sm_loops *loops, const SCEV *from, const SCEV *to, int64_t *distance)
{
    auto *bytes = dyn_cast<SCEVConstant>(loops->evolution.getMinusSCEV(to, from));
    if (!bytes || bytes->getAPInt().getSignificantBits() > 32)
        return false;
    *distance = bytes->getAPInt().getSExtValue();
    return true;
}

bool sm_loops_distance(struct sm_loops *loops, LLVMValueRef from, LLVMValueRef to,
                       int64_t *distance)
{
    ScalarEvolution &evolution = loops->evolution;
    return sm_distance_of(loops, evolution.getSCEV(unwrap(from)), evolution.getSCEV(unwrap(to)),
                          distance);
}

/* One range for both, if they are the same but for a step at one end: a[i - 1] and a[i]. */
static bool merge(sm_loops *loops, Range &kept, const Range &other)
{
    if (kept.loop != other.loop || kept.count != other.count || kept.step != other.step ||
        kept.size != other.size || kept.write != other.write)
        return false;
    int64_t bytes, step = (int64_t)kept.step;
    if (!sm_distance_of(loops, kept.start, other.start, &bytes))
        return false;
    if (bytes != 0 && bytes != step && bytes != -step)
        return false;
    if (bytes < 0)
        kept.start = other.start;
    if (bytes)
        kept.count = loops->evolution.getAddExpr(kept.count, loops->evolution.getOne(loops->word));
    return true;
}

static void keep(sm_loops *loops, const Range &range)
{
    for (Range &kept : loops->ranges)
        if (merge(loops, kept, range))
            return;
    loops->ranges.push_back(range);
}

static bool isExpandable(sm_loops *loops, const Range &range)
{
    SCEVExpander expander(loops->evolution, loops->function.getParent()->getDataLayout(), "sm");
    Instruction *before = range.loop->getLoopPreheader()->getTerminator();
    return expander.isSafeToExpandAt(range.start, before) &&
           expander.isSafeToExpandAt(range.count, before);
}

bool sm_loops_add(struct sm_loops *loops, const struct sm_loop_access *access)
{
    ScalarEvolution &evolution = loops->evolution;
    BasicBlock *block = cast<Instruction>(unwrap(access->instruction))->getParent();
    Loop *loop = loops->info.getLoopFor(block);
    if (!loop || !isDoneAtFirst(loops, loop, block))
        return false;
    const SCEV *address =
        evolution.getPtrToIntExpr(evolution.getSCEV(unwrap(access->address)), loops->word);
    if (isa<SCEVCouldNotCompute>(address))
        return false;
    Range range = {loop,          address,    evolution.getOne(loops->word), 0, access->size,
                   access->write, access->row};
    if (!isInvariant(loops, address, loop)) {
        if (!isCounted(loops, loop))
            return false;
        int64_t step = stepIn(loops, address, loop);
        if (step == 0)
            return false;
        range.step = (uint64_t)(step < 0 ? -step : step);
        range.start = lowest(loops, address, loop, step);
        range.count = turns(loops, loop);
        /* further apart, a separate check costs no more than an element of a range */
        if (range.step > 2 * access->size) {
            if (access->word && range.step % 8 == 0 && isExpandable(loops, range))
                loops->words.push_back(range);
            return false;
        }
    }
    while (moveOut(loops, range))
        ;
    if (!isExpandable(loops, range))
        return false;
    keep(loops, range);
    return true;
}

static void expand(sm_loops *loops, const Range &range,
                   void (*show)(void *context, const struct sm_range *), void *context)
{
    SCEVExpander expander(loops->evolution, loops->function.getParent()->getDataLayout(), "sm");
    Instruction *before = range.loop->getLoopPreheader()->getTerminator();
    struct sm_range shown = {range.row,
                             range.write,
                             wrap(before),
                             wrap(expander.expandCodeFor(range.start, loops->word, before)),
                             wrap(expander.expandCodeFor(range.count, loops->word, before)),
                             range.step};
    show(context, &shown);
}

/* Writes first: they cover reads of the same bytes. */
void sm_loops_each(struct sm_loops *loops, void (*show)(void *context, const struct sm_range *),
                   void *context)
{
    for (bool write : {true, false})
        for (const Range &range : loops->ranges)
            if (range.write == write)
                expand(loops, range, show, context);
}

static bool isAlike(const Range &a, const Range &b)
{
    return a.loop == b.loop && a.count == b.count && a.step == b.step && a.write == b.write;
}

/* The word at `bytes` from the start of the first. */
static Range *wordAt(sm_loops *loops, const Range &first, int64_t bytes)
{
    for (Range &word : loops->words) {
        int64_t distance;
        if (word.size && isAlike(first, word) &&
            sm_distance_of(loops, first.start, word.start, &distance) && distance == bytes)
            return &word;
    }
    return nullptr;
}

/* The stripe that begins with a word, in order of address; consumes its words. */
static struct sm_stripes take(sm_loops *loops, Range &first)
{
    struct sm_stripes stripes = {{}, 0, first.write, nullptr, nullptr, nullptr, first.step};
    int64_t room = (int64_t)std::min<uint64_t>(first.step, 8ul * SM_STRIPES_MAX);
    Range *word = &first;
    for (int64_t bytes = 8; word; bytes += 8) {
        stripes.rows[stripes.n++] = word->row;
        word->size = 0;
        word = bytes < room ? wordAt(loops, first, bytes) : nullptr;
    }
    return stripes;
}

void sm_loops_each_stripes(struct sm_loops *loops,
                           void (*show)(void *context, const struct sm_stripes *), void *context)
{
    SCEVExpander expander(loops->evolution, loops->function.getParent()->getDataLayout(), "sm");
    for (Range &first : loops->words) {
        if (!first.size || wordAt(loops, first, -8) || !wordAt(loops, first, 8))
            continue;
        Instruction *before = first.loop->getLoopPreheader()->getTerminator();
        struct sm_stripes stripes = take(loops, first);
        stripes.before = wrap(before);
        stripes.start = wrap(expander.expandCodeFor(first.start, loops->word, before));
        stripes.count = wrap(expander.expandCodeFor(first.count, loops->word, before));
        show(context, &stripes);
    }
}
