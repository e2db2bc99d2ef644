/*
 * detect_before.cpp - accesses that an earlier access covers. See detect_ranges.h.
 *
 * Why the addresses can be compared: let `first` dominate `later`, and take the last execution of
 * `first` before an execution of `later`. Values computed before `first` (those that both addresses
 * are made of) are not computed again between the two: otherwise a path would lead from there to
 * `later` that avoids `first`, and `first` would not dominate it. So both addresses are made of the
 * same values, even in a loop, and a constant difference between them is exact.
 */
#include "plugin/detect_loops.h"

#include <set>

using namespace llvm;

namespace
{

/* Bounds the work on huge functions. */
constexpr size_t MOST_BLOCKS = 256, MOST_ACCESSES = 64;

} // namespace

static Instruction *instructionOf(const sm_loop_access &access)
{
    return cast<Instruction>(unwrap(access.instruction));
}

/* To the end of the block if there is no `to`. */
static bool isSilentBetween(sm_loops *loops, const Instruction *from, const Instruction *to)
{
    for (; from != to; from = from->getNextNode())
        if (loops->synchronises(wrap(from)))
            return false;
    return true;
}

/* May the thread synchronise in a block on a path from `first` to `later` that does not pass
   through `first` again? */
static bool isSilentWay(sm_loops *loops, BasicBlock *first, BasicBlock *later)
{
    std::set<BasicBlock *> seen;
    std::vector<BasicBlock *> open(pred_begin(later), pred_end(later));
    while (!open.empty()) {
        BasicBlock *block = open.back();
        open.pop_back();
        if (block == first || !loops->dominators.isReachableFromEntry(block) ||
            !seen.insert(block).second)
            continue;
        if (seen.size() > MOST_BLOCKS || !sm_is_silent(loops, block))
            return false;
        open.insert(open.end(), pred_begin(block), pred_end(block));
    }
    return true;
}

/* From every execution of `first`, which dominates it, to the next of `later`. */
static bool isQuietBetween(sm_loops *loops, const Instruction *first, const Instruction *later)
{
    auto *from = const_cast<BasicBlock *>(first->getParent());
    auto *to = const_cast<BasicBlock *>(later->getParent());
    if (from == to)
        return isSilentBetween(loops, first, later);
    return isSilentBetween(loops, first, nullptr) && isSilentBetween(loops, &to->front(), later) &&
           isSilentWay(loops, from, to);
}

static bool covers(sm_loops *loops, const sm_loop_access &first, const sm_loop_access &later)
{
    int64_t distance;
    return (first.write || !later.write) && first.size >= later.size &&
           sm_loops_distance(loops, first.address, later.address, &distance) && distance >= 0 &&
           (uint64_t)distance + later.size <= first.size;
}

static bool standsFor(sm_loops *loops, const sm_loop_access &first, const sm_loop_access &later)
{
    const Instruction *one = instructionOf(first), *other = instructionOf(later);
    return covers(loops, first, later) && loops->dominators.dominates(one, other) &&
           isQuietBetween(loops, one, other);
}

static std::vector<sm_loop_access> &madeFrom(sm_loops *loops, LLVMValueRef address)
{
    ScalarEvolution &evolution = loops->evolution;
    return loops->made[evolution.getPointerBase(evolution.getSCEV(unwrap(address)))];
}

void sm_loops_made(struct sm_loops *loops, const struct sm_loop_access *access)
{
    madeFrom(loops, access->address).push_back(*access);
}

bool sm_loops_made_before(struct sm_loops *loops, const struct sm_loop_access *access)
{
    const std::vector<sm_loop_access> &made = madeFrom(loops, access->address);
    size_t end = made.size();
    while (end && made[end - 1].row >= access->row)
        end--;
    for (size_t i = end; i-- > 0 && end - i <= MOST_ACCESSES;)
        if (standsFor(loops, made[i], *access))
            return true;
    return false;
}
