/*
 * detect_entry.cpp - the entry of the detect flavour's plug-in.
 *
 * Overrides the weak entry of llvm_gaps.cpp, which this plug-in is linked with. The pass
 * runs when the optimiser is done, so what it adds is left as it is: only the inline paths
 * are inlined, and what that leaves behind is tidied.
 */
#include "detect_run.h"
#include "llvm_gaps.h"

#include <llvm/Passes/PassBuilder.h>
#if __has_include(<llvm/Plugins/PassPlugin.h>)
#include <llvm/Plugins/PassPlugin.h>
#else
#include <llvm/Passes/PassPlugin.h>
#endif
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>

using namespace llvm;

namespace {

struct DetectPass : PassInfoMixin<DetectPass> {
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
        return sm_detect_run(wrap(&module)) ? PreservedAnalyses::none() : PreservedAnalyses::all();
    }
    static bool isRequired() { return true; }
};

void addPasses(ModulePassManager &manager) {
    manager.addPass(DetectPass());
    manager.addPass(AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/false));
    manager.addPass(createModuleToFunctionPassAdaptor(EarlyCSEPass()));
}

void registerCallbacks(PassBuilder &builder) {
    builder.registerOptimizerLastEPCallback(
        [](ModulePassManager &manager, OptimizationLevel, auto...) { addPasses(manager); });
}

} // namespace

extern "C" PassPluginLibraryInfo llvmGetPassPluginInfo() {
    return {LLVM_PLUGIN_API_VERSION, "stalemate-detect", LLVM_VERSION_STRING, registerCallbacks};
}
