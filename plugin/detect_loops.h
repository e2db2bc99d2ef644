/*
 * detect_loops.h - the analyses of one function, in C++: for detect_ranges.cpp and
 * detect_before.cpp only.
 */
#ifndef SM_PLUGIN_DETECT_LOOPS_H
#define SM_PLUGIN_DETECT_LOOPS_H

#include "plugin/detect_ranges.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include <map>
#include <vector>

struct sm_range_draft {
    llvm::Loop *loop;                /* the outermost loop it was moved out of */
    const llvm::SCEV *start, *count; /* words; start is the lowest address */
    uint64_t step, size;
    bool write;
    uint32_t row;
};

struct sm_loops {
    llvm::Function &function;
    sm_synchronises *synchronises;
    llvm::TargetLibraryInfoImpl libraryImpl;
    llvm::TargetLibraryInfo library;
    llvm::AssumptionCache assumptions;
    llvm::DominatorTree dominators;
    llvm::LoopInfo info;
    llvm::ScalarEvolution evolution;
    llvm::Type *word;
    std::map<const llvm::BasicBlock *, bool> silent; /* nothing in it synchronises */
    std::vector<sm_range_draft> ranges, words;       /* words: parts of stripes, if they have any */
    std::map<const llvm::SCEV *, std::vector<sm_loop_access>> made; /* by what they start from */

    sm_loops(llvm::Function &f, sm_synchronises *s)
        : function(f), synchronises(s), libraryImpl(llvm::Triple(f.getParent()->getTargetTriple())),
          library(libraryImpl, &f), assumptions(f), dominators(f), info(dominators),
          evolution(f, library, assumptions, dominators, info),
          word(llvm::Type::getInt64Ty(f.getContext()))
    {
        addPreheaders();
    }

    /* Checks of a range go to the preheader. Late in the pipeline many loops have none: a guard
       branches straight to the header. */
    void addPreheaders();
};

bool sm_is_silent(sm_loops *loops, llvm::BasicBlock *block);
/* The distance from `from` to `to`, if it is constant. */
bool sm_distance_of(sm_loops *loops, const llvm::SCEV *from, const llvm::SCEV *to,
                    int64_t *distance);

#endif
