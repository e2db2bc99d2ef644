/*
 * shell.S - the two places where the program's registers are saved.
 *
 * sm_check_shell keeps the integer registers; the code behind it uses no others.
 * sm_race_shell keeps the vector registers as well: reports call into libc.
 */
        .text

        .globl  sm_check_shell
        .hidden sm_check_shell
        .type   sm_check_shell, @function
sm_check_shell:
        .cfi_startproc
        pushq   %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        andq    $-16, %rsp
        pushq   %rax
        pushq   %rcx
        pushq   %rdx
        pushq   %rsi
        pushq   %rdi
        pushq   %r8
        pushq   %r9
        pushq   %r10
        call    sm_check_registers
        popq    %r10
        popq    %r9
        popq    %r8
        popq    %rdi
        popq    %rsi
        popq    %rdx
        popq    %rcx
        popq    %rax
        movq    %rbp, %rsp
        popq    %rbp
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size   sm_check_shell, . - sm_check_shell

/* 8 KiB are more than the state in the mask takes (x87, SSE, AVX, AVX-512). AMX's tiles are not
   saved: no code here touches them. */
        .globl  sm_race_shell
        .hidden sm_race_shell
        .type   sm_race_shell, @function
sm_race_shell:
        .cfi_startproc
        pushq   %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        subq    $8192, %rsp
        andq    $-64, %rsp
        /* the header of the area must be zero: xsave writes only part of it */
        movq    $0, 512(%rsp)
        movq    $0, 520(%rsp)
        movq    $0, 528(%rsp)
        movq    $0, 536(%rsp)
        movq    $0, 544(%rsp)
        movq    $0, 552(%rsp)
        movq    $0, 560(%rsp)
        movq    $0, 568(%rsp)
        movl    $0xe7, %eax
        xorl    %edx, %edx
        xsave   (%rsp)
        call    sm_race_found
        movl    $0xe7, %eax
        xorl    %edx, %edx
        xrstor  (%rsp)
        movq    %rbp, %rsp
        popq    %rbp
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size   sm_race_shell, . - sm_race_shell

        .section .note.GNU-stack,"",@progbits
