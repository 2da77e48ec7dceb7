// The C functions of faults/safe_load.h, with the labels that the fault handler looks for: at a *_at label
// the load is skipped, its result register already holds the fallback.
asm(R"(
  .text
  .p2align 4
  .globl hearth_safe_load, hearth_safe_load_at, hearth_safe_load_done
  .hidden hearth_safe_load, hearth_safe_load_at, hearth_safe_load_done
  .type hearth_safe_load, @function
hearth_safe_load:
  .cfi_startproc
  endbr64
  movq %rsi, %rax
hearth_safe_load_at:
  movq (%rdi), %rax
hearth_safe_load_done:
  ret
  .cfi_endproc
  .size hearth_safe_load, . - hearth_safe_load

  .p2align 4
  .globl hearth_safe_load32, hearth_safe_load32_at, hearth_safe_load32_done
  .hidden hearth_safe_load32, hearth_safe_load32_at, hearth_safe_load32_done
  .type hearth_safe_load32, @function
hearth_safe_load32:
  .cfi_startproc
  endbr64
  movl %esi, %eax
hearth_safe_load32_at:
  movl (%rdi), %eax
hearth_safe_load32_done:
  ret
  .cfi_endproc
  .size hearth_safe_load32, . - hearth_safe_load32

  .p2align 4
  .globl hearth_guarded_call, hearth_guarded_call_faulted
  .hidden hearth_guarded_call, hearth_guarded_call_faulted
  .type hearth_guarded_call, @function
hearth_guarded_call:
  .cfi_startproc
  endbr64
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  subq $8, %rsp
  movq %rsp, (%rdi)
  movq %rsi, %rax
  movq %rdx, %rdi
  movq %rcx, %rsi
  movq %r8, %rdx
  call *%rax
  xorl %eax, %eax
1:
  addq $8, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  .cfi_def_cfa %rsp, 8
  ret
hearth_guarded_call_faulted:
  movl $1, %eax
  jmp 1b
  .cfi_endproc
  .size hearth_guarded_call, . - hearth_guarded_call
)");
