/*
 * calls.c - see calls.h.
 */
#include "plugin/calls.h"

#include "plugin/asm.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PARAMETERS = 8 };

static LLVMTypeKind argument_kind(LLVMValueRef call, unsigned index)
{
    return LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, index)));
}

/* (pointer, pointer or int, int...): a program may have its own function called memcpy. */
static bool looks_like_memory_call(LLVMValueRef call, uint8_t kind, bool checked)
{
    LLVMTypeKind second = kind == SM_SITE_COPY ? LLVMPointerTypeKind : LLVMIntegerTypeKind;
    return LLVMGetNumArgOperands(call) == (checked ? 4u : 3u) &&
           argument_kind(call, 0) == LLVMPointerTypeKind && argument_kind(call, 1) == second &&
           argument_kind(call, 2) == LLVMIntegerTypeKind &&
           LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind;
}

static bool read_memory_call(struct sm_call *call, LLVMValueRef value)
{
    static const struct {
        const char *name;
        uint8_t kind;
        bool checked;
    } known[] = {
#define SM_MEMORY_CALL(name, kind, checked) {#name, SM_SITE_##kind, checked},
#include "plugin/memory_calls.def"
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(call->name, known[i].name) != 0)
            continue;
        if (!looks_like_memory_call(value, known[i].kind, known[i].checked))
            return false;
        call->role = known[i].kind == SM_SITE_COPY ? SM_CALL_COPY : SM_CALL_FILL;
        call->checked = known[i].checked;
        return true;
    }
    return false;
}

static bool is_of(LLVMTypeRef type, char kind)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
        return kind == 'v';
    case LLVMPointerTypeKind:
        return kind == 'p';
    case LLVMFloatTypeKind:
        return kind == 'f';
    case LLVMDoubleTypeKind:
        return kind == 'd';
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) == (kind == 'i' ? 32 : kind == 'l' ? 64 : 0);
    default:
        return false;
    }
}

static bool has_signature(LLVMValueRef call, const char *signature)
{
    LLVMTypeRef type = LLVMGetCalledFunctionType(call), types[MOST_PARAMETERS];
    bool varies = LLVMIsFunctionVarArg(type);
    unsigned n = LLVMCountParamTypes(type);
    if (n + 1 + varies != strlen(signature) || n > MOST_PARAMETERS ||
        varies != (signature[n + 1] == '.') || !is_of(LLVMGetReturnType(type), *signature))
        return false;
    LLVMGetParamTypes(type, types);
    for (unsigned i = 0; i < n; i++)
        if (!is_of(types[i], signature[i + 1]))
            return false;
    return true;
}

static bool is_libc_call(LLVMValueRef call, const char *name)
{
    static const struct {
        const char *name, *signature;
    } known[] = {
#define SM_SIGNATURE(name, signature) {#name, signature},
#include "core/signatures.def"
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i].name) == 0)
            return has_signature(call, known[i].signature);
    return false;
}

static bool is_sanitizer_call(const char *name)
{
    static const char *const known[] = {
#define SM_TSAN_CHECK(name, size, kind) #name,
#define SM_TSAN_RANGE(name, kind) #name,
#include "core/tsan.def"
        "__tsan_vptr_update",
#define NAME(name) #name,
#define SM_SYSCALL_IN(name, n, nth) NAME(__sanitizer_syscall_post_impl_##name)
#define SM_SYSCALL_OUT(name, n, nth, size) NAME(__sanitizer_syscall_pre_impl_##name)
#include "core/syscalls.def"
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i]) == 0)
            return true;
    return false;
}

/* "_16" to 16; 0 for the generic form; false for anything else. */
static bool read_size_suffix(const char *suffix, uint32_t *size)
{
    static const char *const suffixes[] = {"", "_1", "_2", "_4", "_8", "_16"};
    for (unsigned i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        if (strcmp(suffix, suffixes[i]) == 0) {
            *size = i ? 1u << (i - 1) : 0;
            return true;
        }
    }
    return false;
}

static bool read_atomic_call(struct sm_call *call, LLVMValueRef value)
{
    static const struct {
        const char *word;
        uint8_t kind, op;
    } known[] = {
#define SM_ATOMIC_CALL(word, kind, op) {"__atomic_" #word, SM_SITE_##kind, SM_RMW_##op},
#include "plugin/atomic_calls.def"
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (!sm_starts_with(call->name, known[i].word) ||
            !read_size_suffix(call->name + strlen(known[i].word), &call->size))
            continue;
        call->generic = call->size == 0;
        if (call->generic && !LLVMIsAConstantInt(LLVMGetOperand(value, 0)))
            return false;
        if (call->generic)
            call->size = (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(value, 0));
        if (!call->size)
            return false;
        call->role = SM_CALL_ATOMIC;
        call->kind = known[i].kind;
        call->op = known[i].op;
        return true;
    }
    return false;
}

static bool read_intrinsic(struct sm_call *call)
{
    if (sm_starts_with(call->name, "llvm.memcpy.") || sm_starts_with(call->name, "llvm.memmove."))
        call->role = SM_CALL_COPY;
    else if (sm_starts_with(call->name, "llvm.memset."))
        call->role = SM_CALL_FILL;
    else if (strcmp(call->name, "llvm.x86.sse2.mfence") == 0)
        *call = (struct sm_call){.role = SM_CALL_FENCE, .order = SM_ORDER_SEQ_CST};
    else if (strcmp(call->name, "llvm.x86.sse2.lfence") == 0)
        *call = (struct sm_call){.role = SM_CALL_FENCE, .order = SM_ORDER_ACQUIRE};
    else if (strcmp(call->name, "llvm.x86.sse.sfence") == 0)
        *call = (struct sm_call){.role = SM_CALL_FENCE, .order = SM_ORDER_RELEASE};
    return call->role != SM_CALL_OTHER;
}

struct sm_call sm_call_read(LLVMValueRef value)
{
    LLVMValueRef called = LLVMGetCalledValue(value), callee = sm_direct_callee(value);
    struct sm_call call = {0};
    if (LLVMIsAInlineAsm(called)) {
        if (sm_asm_classify(called) == SM_ASM_UNKNOWN)
            call.role = SM_CALL_ASM;
        return call;
    }
    if (!callee || LLVMCountBasicBlocks(callee) != 0)
        return call;
    if (LLVMIsACallInst(value) && LLVMGetTailCallKind(value) == LLVMTailCallKindMustTail)
        return call;
    call.name = sm_value_name(callee);
    if (read_intrinsic(&call) || read_memory_call(&call, value) || read_atomic_call(&call, value))
        return call;
    if (is_libc_call(value, call.name) || is_sanitizer_call(call.name))
        call.role = SM_CALL_LIBRARY;
    return call;
}

uint8_t sm_call_order(LLVMValueRef argument)
{
    if (!LLVMIsAConstantInt(argument))
        return SM_ORDER_SEQ_CST;
    uint64_t order = LLVMConstIntGetZExtValue(argument);
    return order <= SM_ORDER_SEQ_CST ? (uint8_t)order : SM_ORDER_SEQ_CST;
}
