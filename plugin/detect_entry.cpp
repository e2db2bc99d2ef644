/*
 * detect_entry.cpp - the entry of the detect flavour's plug-in.
 *
 * Linked before the entry of llvm_gaps.cpp (detect.cmake). The pass runs when code is simplified
 * and inlined, loops have their final shape, and nothing has been vectorised yet: so loops whose
 * checks are moved out of them can still be vectorised, and no access is wider than the program's
 * own.
 */
#include "plugin/asm.h"
#include "plugin/detect_outline.h"
#include "plugin/detect_run.h"
#include "plugin/llvm_gaps.h"
#include "plugin/results.h"
#include "plugin/vptr.h"

#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#if __has_include(<llvm/Plugins/PassPlugin.h>)
#include <llvm/Plugins/PassPlugin.h>
#else
#include <llvm/Passes/PassPlugin.h>
#endif
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>

using namespace llvm;

namespace
{

/* `stalemate cc --detect` compiles as for ThreadSanitizer. Its attribute keeps LLVM from inventing
   or widening loads: the instrumented accesses must be those of the program. A function without it
   was excluded by the program: no_sanitize("thread"). */
struct MarkPass : PassInfoMixin<MarkPass> {
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &)
    {
        sm_asm_lower(wrap(&module), false);
        sm_vptr_guard(wrap(&module));
        sm_results_mark(wrap(&module));
        sm_results_check(wrap(&module));
        for (Function &function : module)
            if (!function.isDeclaration() && !function.hasFnAttribute(Attribute::SanitizeThread))
                function.addFnAttr(Attribute::DisableSanitizerInstrumentation);
        return PreservedAnalyses::none();
    }
    static bool isRequired()
    {
        return true;
    }
};

/* ThreadSanitizer's own pass comes later: it must not instrument anything. */
struct UnmarkPass : PassInfoMixin<UnmarkPass> {
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &)
    {
        for (Function &function : module) {
            function.removeFnAttr(Attribute::SanitizeThread);
            if (!function.isDeclaration())
                function.addFnAttr(Attribute::DisableSanitizerInstrumentation);
        }
        return PreservedAnalyses::all();
    }
    static bool isRequired()
    {
        return true;
    }
};

struct DetectPass : PassInfoMixin<DetectPass> {
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &)
    {
        return sm_detect_run(wrap(&module)) ? PreservedAnalyses::none() : PreservedAnalyses::all();
    }
    static bool isRequired()
    {
        return true;
    }
};

/* See detect_outline.h. */
struct OutlinePass : PassInfoMixin<OutlinePass> {
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &manager)
    {
        sm_outline_checks(
            module, manager.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager());
        return PreservedAnalyses::none();
    }
    static bool isRequired()
    {
        return true;
    }
};

void addChecks(ModulePassManager &manager)
{
    manager.addPass(DetectPass());
    manager.addPass(UnmarkPass());
}

/* At the end: until then a check is one call, opaque to the passes in between. */
void expandChecks(ModulePassManager &manager)
{
    manager.addPass(OutlinePass());
    manager.addPass(AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/false));
    manager.addPass(createModuleToFunctionPassAdaptor(EarlyCSEPass()));
}

void registerCallbacks(PassBuilder &builder)
{
    builder.registerPipelineStartEPCallback(
        [](ModulePassManager &manager, OptimizationLevel) { manager.addPass(MarkPass()); });
    builder.registerOptimizerEarlyEPCallback(
        [](ModulePassManager &manager, OptimizationLevel, auto...) { addChecks(manager); });
    builder.registerOptimizerLastEPCallback(
        [](ModulePassManager &manager, OptimizationLevel, auto...) { expandChecks(manager); });
}

} // namespace

extern "C" PassPluginLibraryInfo llvmGetPassPluginInfo()
{
    return {LLVM_PLUGIN_API_VERSION, "stalemate-detect", LLVM_VERSION_STRING, registerCallbacks};
}
