/*
 * requests.c - see requests.h.
 */
#include "plugin/requests.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/* Valgrind's preamble and the instruction that marks a request, as LLVM writes them. */
static bool is_request(LLVMValueRef instruction)
{
    static const char preamble[] = "rolq $$3,  %rdi ; rolq $$13, %rdi";
    if (!LLVMIsACallInst(instruction) || !LLVMIsAInlineAsm(LLVMGetCalledValue(instruction)))
        return false;
    size_t length;
    const char *code = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(instruction), &length);
    struct sm_text text = {0};
    sm_text_add_n(&text, code, length);
    bool found = sm_starts_with(sm_text_get(&text), preamble) &&
                 strstr(sm_text_get(&text), "xchgq %rbx,%rbx") &&
                 LLVMGetNumArgOperands(instruction) == 2 &&
                 LLVMTypeOf(instruction) == LLVMTypeOf(LLVMGetOperand(instruction, 1));
    sm_text_free(&text);
    return found;
}

/* Operands: the request's address, and the result without Valgrind. */
static void replace(struct sm_pass *pass, LLVMValueRef instruction)
{
    static const char name[] = "sm_client_request";
    LLVMValueRef request = LLVMGetOperand(instruction, 0);
    LLVMTypeRef type = LLVMFunctionType(pass->void_type, &pass->pointer, 1, false);
    LLVMValueRef function = LLVMGetNamedFunction(pass->module, name);
    if (!function)
        function = LLVMAddFunction(pass->module, name, type);
    LLVMPositionBuilderBefore(pass->builder, instruction);
    LLVMSetCurrentDebugLocation2(pass->builder, LLVMInstructionGetDebugLoc(instruction));
    LLVMBuildCall2(pass->builder, type, function, &request, 1, "");
    LLVMReplaceAllUsesWith(instruction, LLVMGetOperand(instruction, 1));
    LLVMInstructionEraseFromParent(instruction);
}

static void replace_in(struct sm_pass *pass, LLVMBasicBlockRef block)
{
    for (LLVMValueRef instruction = LLVMGetFirstInstruction(block), next; instruction;
         instruction = next) {
        next = LLVMGetNextInstruction(instruction);
        if (is_request(instruction))
            replace(pass, instruction);
    }
}

void sm_replace_requests(struct sm_pass *pass)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(pass->module); function;
         function = LLVMGetNextFunction(function))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
             block = LLVMGetNextBasicBlock(block))
            replace_in(pass, block);
}
