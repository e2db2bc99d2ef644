/* void bare_switch(void **save, void *load): the least a switch of stacks can cost on x86-64:
   the six registers that a callee must keep, and the stack pointer. */
    .text
    .globl bare_switch
    .type bare_switch, @function
bare_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size bare_switch, . - bare_switch
    .section .note.GNU-stack, "", @progbits
