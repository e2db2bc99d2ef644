/*
 * llvm_gaps.cpp - the plug-in's entry, and what the LLVM C API lacks (see llvm_gaps.h).
 *
 * The only C++ of the controlled flavour's pass. No decisions are made here: every function makes
 * one query or one change.
 */
#include "plugin/llvm_gaps.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#if __has_include(<llvm/Plugins/PassPlugin.h>)
#include <llvm/Plugins/PassPlugin.h>
#else
#include <llvm/Passes/PassPlugin.h>
#endif
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

using namespace llvm;

/* Plug-in entry. */

namespace
{

struct PreparePass : PassInfoMixin<PreparePass> {
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &)
    {
        sm_prepare_run(wrap(&module));
        return PreservedAnalyses::none();
    }
    static bool isRequired()
    {
        return true;
    }
};

/* State that the first part of the pass leaves to the second: one module at a time. */
using State = std::shared_ptr<sm_pass *>;

struct StartPass : PassInfoMixin<StartPass> {
    State state;
    explicit StartPass(State s) : state(std::move(s)) {}
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &)
    {
        *state = sm_pass_start(wrap(&module));
        return *state ? PreservedAnalyses::none() : PreservedAnalyses::all();
    }
    static bool isRequired()
    {
        return true;
    }
};

struct FinishPass : PassInfoMixin<FinishPass> {
    State state;
    explicit FinishPass(State s) : state(std::move(s)) {}
    PreservedAnalyses run(Module &, ModuleAnalysisManager &)
    {
        if (!*state)
            return PreservedAnalyses::all();
        sm_pass_finish(std::exchange(*state, nullptr));
        return PreservedAnalyses::none();
    }
    static bool isRequired()
    {
        return true;
    }
};

/* Before any optimisation: locals are promoted, but no load has been merged yet. SCCP ignores
 * memory, too; it folds the branches on the memory order in inlined atomic wrappers, which have one
 * access for each order. */
void addFirstPasses(ModulePassManager &manager, const State &state)
{
    manager.addPass(PreparePass());
    manager.addPass(AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/false));
    manager.addPass(createModuleToFunctionPassAdaptor(PromotePass()));
    manager.addPass(createModuleToFunctionPassAdaptor(SCCPPass()));
    manager.addPass(StartPass(state));
}

/* Later versions of LLVM pass more arguments to the callbacks, which are not needed here. */
void registerCallbacks(PassBuilder &builder)
{
    auto state = std::make_shared<sm_pass *>();
    builder.registerPipelineStartEPCallback(
        [state](ModulePassManager &manager, auto...) { addFirstPasses(manager, state); });
    builder.registerOptimizerLastEPCallback(
        [state](ModulePassManager &manager, auto...) { manager.addPass(FinishPass(state)); });
}

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo()
{
    return {LLVM_PLUGIN_API_VERSION, "stalemate", LLVM_VERSION_STRING, registerCallbacks};
}

/* Control flow. */

static Instruction *instruction(LLVMValueRef value)
{
    return cast<Instruction>(unwrap(value));
}

static MDNode *unlikely(LLVMContext &context)
{
    return MDBuilder(context).createBranchWeights(1, 100000);
}

LLVMValueRef sm_split_then(LLVMValueRef condition, LLVMValueRef before)
{
    Instruction *position = instruction(before);
    return wrap(SplitBlockAndInsertIfThen(unwrap(condition), position->getIterator(), false,
                                          unlikely(position->getContext())));
}

void sm_split_then_else(LLVMValueRef condition, LLVMValueRef before, LLVMValueRef *then_end,
                        LLVMValueRef *else_end)
{
    Instruction *position = instruction(before), *then_terminator, *else_terminator;
    SplitBlockAndInsertIfThenElse(unwrap(condition), position->getIterator(), &then_terminator,
                                  &else_terminator, unlikely(position->getContext()));
    *then_end = wrap(then_terminator);
    *else_end = wrap(else_terminator);
}

void sm_move_before(LLVMValueRef moved, LLVMValueRef position)
{
    Instruction *next = instruction(position);
    instruction(moved)->moveBefore(*next->getParent(), next->getIterator());
}

LLVMValueRef sm_add_phi(LLVMBasicBlockRef block, LLVMTypeRef type)
{
    return wrap(PHINode::Create(unwrap(type), 2, "", unwrap(block)->begin()));
}

LLVMValueRef sm_after_allocas(LLVMValueRef function)
{
    BasicBlock &entry = cast<Function>(unwrap(function))->getEntryBlock();
    return wrap(&*entry.getFirstNonPHIOrDbgOrAlloca());
}

LLVMValueRef sm_invoke_to_call(LLVMValueRef invoke)
{
    return wrap(changeToCall(cast<InvokeInst>(unwrap(invoke))));
}

bool sm_touches_memory(LLVMValueRef value)
{
    return instruction(value)->mayReadOrWriteMemory();
}

/* Functions and modules. */

LLVMValueRef sm_clone_function(LLVMValueRef function, LLVMValueRef *mapped, size_t n)
{
    ValueToValueMapTy map;
    Function *copy = CloneFunction(cast<Function>(unwrap(function)), map);
    copy->setComdat(nullptr);
    for (size_t i = 0; i < n; i++)
        mapped[i] = wrap(static_cast<Value *>(map[unwrap(mapped[i])]));
    return wrap(copy);
}

LLVMValueRef sm_move_to_end(LLVMModuleRef module, const char *prefix)
{
    std::vector<Function *> moved;
    for (Function &function : *unwrap(module))
        if (function.getName().starts_with(prefix))
            moved.push_back(&function);
    for (Function *function : moved) {
        function->removeFromParent();
        unwrap(module)->getFunctionList().push_back(function);
    }
    return moved.empty() ? nullptr : wrap(moved.front());
}

void sm_add_constructor(LLVMModuleRef module, LLVMValueRef function)
{
    appendToGlobalCtors(*unwrap(module), cast<Function>(unwrap(function)), 0);
}

void sm_add_destructor(LLVMModuleRef module, LLVMValueRef function)
{
    appendToGlobalDtors(*unwrap(module), cast<Function>(unwrap(function)), 0);
}

char *sm_demangle(const char *name)
{
    std::string readable = demangle(name);
    return readable == name ? nullptr : strdup(readable.c_str());
}

/* Debug information. A StringRef of an MDString ends in a NUL, being a StringMap's key. */

static const char *text(StringRef string)
{
    return string.empty() ? "" : string.data();
}

template <typename Node> static Node *as(LLVMMetadataRef node)
{
    return dyn_cast_or_null<Node>(unwrap(node));
}

const char *sm_di_name(LLVMMetadataRef node)
{
    if (auto *variable = as<DIVariable>(node))
        return text(variable->getName());
    if (auto *scope = as<DIScope>(node))
        return text(scope->getName());
    return "";
}

const char *sm_di_linkage_name(LLVMMetadataRef node)
{
    auto *subprogram = as<DISubprogram>(node);
    return subprogram ? text(subprogram->getLinkageName()) : "";
}

LLVMMetadataRef sm_di_scope(LLVMMetadataRef node)
{
    if (auto *global = as<DIGlobalVariable>(node))
        if (DIDerivedType *member = global->getStaticDataMemberDeclaration())
            return wrap(member->getScope());
    if (auto *variable = as<DIVariable>(node))
        return wrap(variable->getScope());
    auto *scope = as<DIScope>(node);
    return scope ? wrap(scope->getScope()) : nullptr;
}

LLVMMetadataRef sm_di_base_type(LLVMMetadataRef node)
{
    if (auto *variable = as<DIVariable>(node))
        return wrap(variable->getType());
    if (auto *derived = as<DIDerivedType>(node))
        return wrap(derived->getBaseType());
    auto *composite = as<DICompositeType>(node);
    return composite ? wrap(composite->getBaseType()) : nullptr;
}

size_t sm_di_element_count(LLVMMetadataRef node)
{
    auto *composite = as<DICompositeType>(node);
    return composite ? composite->getElements().size() : 0;
}

LLVMMetadataRef sm_di_element(LLVMMetadataRef node, size_t index)
{
    return wrap(as<DICompositeType>(node)->getElements()[index]);
}

LLVMMetadataRef sm_di_return_type(LLVMMetadataRef node)
{
    auto *subprogram = as<DISubprogram>(node);
    if (!subprogram || !subprogram->getType() || subprogram->getType()->getTypeArray().size() == 0)
        return nullptr;
    return wrap(subprogram->getType()->getTypeArray()[0]);
}

LLVMMetadataRef sm_di_subprogram_of_scope(LLVMMetadataRef node)
{
    auto *scope = as<DILocalScope>(node);
    return scope ? wrap(scope->getSubprogram()) : nullptr;
}

bool sm_di_is_artificial(LLVMMetadataRef node)
{
    auto *subprogram = as<DISubprogram>(node);
    return subprogram && subprogram->isArtificial();
}

bool sm_di_is_bit_field(LLVMMetadataRef node)
{
    auto *member = as<DIDerivedType>(node);
    return member && member->isBitField();
}

bool sm_di_is_static_member(LLVMMetadataRef node)
{
    auto *member = as<DIDerivedType>(node);
    return member && member->isStaticMember();
}

bool sm_di_is_inline_namespace(LLVMMetadataRef node)
{
    auto *space = as<DINamespace>(node);
    return space && (space->getExportSymbols() || space->getName().empty());
}

bool sm_di_is_float(LLVMMetadataRef node)
{
    auto *basic = as<DIBasicType>(node);
    return basic && basic->getEncoding() == dwarf::DW_ATE_float;
}

/* The variable that the global represents, or a part of one. */
static DIGlobalVariableExpression *stands_for(LLVMValueRef value)
{
    SmallVector<DIGlobalVariableExpression *, 1> found;
    if (auto *global = dyn_cast<GlobalVariable>(unwrap(value)))
        global->getDebugInfo(found);
    return found.empty() ? nullptr : found[0];
}

LLVMMetadataRef sm_di_global_variable(LLVMValueRef value)
{
    auto *expression = stands_for(value);
    return expression ? wrap(expression->getVariable()) : nullptr;
}

bool sm_di_global_is_part(LLVMValueRef value, uint64_t *offset)
{
    auto *expression = stands_for(value);
    auto part = expression ? expression->getExpression()->getFragmentInfo() : std::nullopt;
    *offset = part ? part->OffsetInBits / 8 : 0;
    return part.has_value();
}

/* Only records for the value itself, nothing computed from it. A constant may be the value of many
   variables, and identifies none. */
/* A declaration, an assignment to the variable in this place, or its value as what is stored here,
   to which optimisers turn the declaration. */
static bool tells_storage(DbgVariableRecord &record, Value *place)
{
    const DIExpression *expression = record.getExpression();
    if (record.isDbgAssign())
        return record.getAddress() == place &&
               record.getAddressExpression()->getNumElements() == 0 &&
               expression->getNumElements() == 0;
    return record.isDbgDeclare()
               ? expression->getNumElements() == 0
               : expression->getNumElements() == 1 && expression->startsWithDeref();
}

LLVMMetadataRef sm_di_stored_variable(LLVMValueRef alloca)
{
    auto *metadata =
        dyn_cast_if_present<LocalAsMetadata>(ValueAsMetadata::getIfExists(unwrap(alloca)));
    if (metadata)
        for (DbgVariableRecord *record : metadata->getAllDbgVariableRecordUsers())
            if (tells_storage(*record, unwrap(alloca)))
                return wrap(record->getVariable());
    return nullptr;
}

size_t sm_di_local_variables(LLVMValueRef value, LLVMMetadataRef *variables, size_t room)
{
    size_t n = 0;
    auto *metadata =
        dyn_cast_if_present<LocalAsMetadata>(ValueAsMetadata::getIfExists(unwrap(value)));
    if (!metadata)
        return 0;
    for (DbgVariableRecord *record : metadata->getAllDbgVariableRecordUsers()) {
        if (record->getExpression()->getNumElements() != 0)
            continue;
        if (n < room)
            variables[n] = wrap(record->getVariable());
        n++;
    }
    return n;
}

void sm_di_each_type(LLVMModuleRef module, sm_di_type_visitor *visit, void *context)
{
    DebugInfoFinder finder;
    finder.processModule(*unwrap(module));
    for (DIType *type : finder.types())
        visit(context, wrap(type));
}
