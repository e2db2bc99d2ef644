/*
 * switch.S - what cannot be written in C: run a function on another stack, make a new fiber,
 * switch between fibers (System V x86-64: rbx, rbp, r12-r15, the control words of SSE and x87, and
 * here the FS base, are callee-saved).
 */
        .text

/* void sm_run_on(void *stack_pointer, void (*function)(void *), void *arg) */
        .globl  sm_run_on
        .hidden sm_run_on
        .type   sm_run_on, @function
sm_run_on:
        .cfi_startproc
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        movq    %rdi, %rsp
        movq    %rdx, %rdi
        callq   *%rsi
        movq    %rbp, %rsp
        popq    %rbp
        .cfi_def_cfa %rsp, 8
        retq
        .cfi_endproc
        .size   sm_run_on, .-sm_run_on

/* void *sm_fiber_prepare(void *stack_pointer, void (*function)(void *), void *arg):
   a context that sm_fiber_switch can load; it starts with function(arg). */
        .globl  sm_fiber_prepare
        .hidden sm_fiber_prepare
        .type   sm_fiber_prepare, @function
sm_fiber_prepare:
        .cfi_startproc
        leaq    -64(%rdi), %rax         /* starts at stack_pointer, as sm_run_on does */
        leaq    fiber_start(%rip), %rcx
        movq    %rcx, 56(%rax)
        movq    $0, 48(%rax)            /* rbp: end of the frame chain */
        movq    %rsi, 40(%rax)          /* rbx: function */
        movq    %rdx, 32(%rax)          /* r12: arg */
        movq    $0, 24(%rax)
        movq    $0, 16(%rax)
        movq    $0, 8(%rax)
        stmxcsr (%rax)
        fnstcw  4(%rax)
        retq
        .cfi_endproc
        .size   sm_fiber_prepare, .-sm_fiber_prepare

        .type   fiber_start, @function
fiber_start:
        .cfi_startproc
        .cfi_undefined %rip             /* unwinding ends here */
        movq    %r12, %rdi
        callq   *%rbx
        ud2
        .cfi_endproc
        .size   fiber_start, .-fiber_start

/* void sm_fiber_switch(void **save, void *load, uintptr_t fs_base, int has_fsgsbase) */
        .globl  sm_fiber_switch
        .hidden sm_fiber_switch
        .type   sm_fiber_switch, @function
sm_fiber_switch:
        .cfi_startproc
        pushq   %rbp
        pushq   %rbx
        pushq   %r12
        pushq   %r13
        pushq   %r14
        pushq   %r15
        subq    $8, %rsp
        stmxcsr (%rsp)
        fnstcw  4(%rsp)
        movq    %rsp, (%rdi)
        testl   %ecx, %ecx
        je      1f
        wrfsbase %rdx
        jmp     2f
1:      movq    %rsi, %rbx              /* arch_prctl(ARCH_SET_FS, fs_base) */
        movq    %rdx, %rsi
        movl    $0x1002, %edi
        movl    $158, %eax
        syscall
        movq    %rbx, %rsi
2:      movq    %rsi, %rsp
        ldmxcsr (%rsp)
        fldcw   4(%rsp)
        addq    $8, %rsp
        popq    %r15
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbx
        popq    %rbp
        retq
        .cfi_endproc
        .size   sm_fiber_switch, .-sm_fiber_switch

        .section .note.GNU-stack, "", @progbits
