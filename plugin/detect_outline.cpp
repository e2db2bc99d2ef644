/*
 * detect_outline.cpp - see detect_outline.h. Loops have no C API.
 */
#include "plugin/detect_outline.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace
{

constexpr unsigned MostInLoop = 64, MostInFunction = 8;

constexpr const char *InlineName = "sm_inline_", *OutlineName = "sm_outline_";

/* The function to call instead of the check; null: this is no call of a check that has one. */
Function *outlined(const CallBase &call)
{
    const Function *callee = call.getCalledFunction();
    if (!callee || !callee->getName().starts_with(InlineName))
        return nullptr;
    StringRef check = callee->getName().drop_front(StringRef(InlineName).size());
    return call.getModule()->getFunction((OutlineName + check).str());
}

template <typename Blocks> unsigned count(const Blocks &blocks)
{
    unsigned n = 0;
    for (const BasicBlock &block : blocks)
        for (const Instruction &instruction : block)
            if (const auto *call = dyn_cast<CallBase>(&instruction))
                n += outlined(*call) != nullptr;
    return n;
}

/* History events name the frame they belong to, which is not that of the function called here. */
Value *frame(IRBuilder<> &builder, Type *type)
{
    Value *address =
        builder.CreateIntrinsic(builder.getPtrTy(), Intrinsic::frameaddress, {builder.getInt32(0)});
    return builder.CreatePtrToInt(address, type);
}

void outline(BasicBlock &block)
{
    for (Instruction &instruction : make_early_inc_range(block)) {
        auto *call = dyn_cast<CallInst>(&instruction);
        Function *callee = call ? outlined(*call) : nullptr;
        if (!callee)
            continue;
        IRBuilder<> builder(call);
        SmallVector<Value *, 2> arguments(call->args());
        if (arguments.size() < callee->arg_size())
            arguments.push_back(frame(builder, callee->getArg(1)->getType()));
        builder.CreateCall(callee, arguments)->setCallingConv(callee->getCallingConv());
        call->eraseFromParent();
    }
}

void outline(Function &function, LoopInfo &loops)
{
    DenseMap<const Loop *, unsigned> counts;
    if (count(function) <= MostInFunction)
        return;
    for (const Loop *loop : loops.getLoopsInPreorder())
        counts[loop] = count(make_pointee_range(loop->blocks()));
    for (BasicBlock &block : function) {
        const Loop *loop = loops.getLoopFor(&block);
        if (!loop || counts[loop] > MostInLoop)
            outline(block);
    }
}

} // namespace

void sm_outline_checks(Module &module, FunctionAnalysisManager &functions)
{
    for (Function &function : module)
        if (!function.isDeclaration() && !function.getName().starts_with(InlineName) &&
            !function.getName().starts_with(OutlineName))
            outline(function, functions.getResult<LoopAnalysis>(function));
    for (Function &function : make_early_inc_range(module))
        if (function.getName().starts_with(OutlineName) && function.use_empty())
            function.eraseFromParent();
}
