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
  hint #34
  mov x2, x0
  mov x0, x1
hearth_safe_load_at:
  ldr x0, [x2]
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
  hint #34
  mov x2, x0
  mov w0, w1
hearth_safe_load32_at:
  ldr w0, [x2]
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
  hint #34
  stp x29, x30, [sp, #-160]!
  .cfi_def_cfa_offset 160
  .cfi_offset x29, -160
  .cfi_offset x30, -152
  mov x29, sp
  stp x19, x20, [sp, #16]
  stp x21, x22, [sp, #32]
  stp x23, x24, [sp, #48]
  stp x25, x26, [sp, #64]
  stp x27, x28, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov x9, x1
  mov x0, x2
  mov x1, x3
  mov x2, x4
  blr x9
  mov w0, #0
1:
  ldp x19, x20, [sp, #16]
  ldp x21, x22, [sp, #32]
  ldp x23, x24, [sp, #48]
  ldp x25, x26, [sp, #64]
  ldp x27, x28, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  ldp x29, x30, [sp], #160
  .cfi_restore x29
  .cfi_restore x30
  .cfi_def_cfa_offset 0
  ret
hearth_guarded_call_faulted:
  mov w0, #1
  b 1b
  .cfi_endproc
  .size hearth_guarded_call, . - hearth_guarded_call
)");
