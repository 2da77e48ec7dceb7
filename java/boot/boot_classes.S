    .section .rodata
    .global hearth_binder_class
    .hidden hearth_binder_class
    .global hearth_binder_class_end
    .hidden hearth_binder_class_end
hearth_binder_class:
    .incbin "hearth/boot/Binder.class"
hearth_binder_class_end:
    .global hearth_calls_class
    .hidden hearth_calls_class
    .global hearth_calls_class_end
    .hidden hearth_calls_class_end
hearth_calls_class:
    .incbin "java/lang/HearthCalls.class"
hearth_calls_class_end:
    .global hearth_exceptions_class
    .hidden hearth_exceptions_class
    .global hearth_exceptions_class_end
    .hidden hearth_exceptions_class_end
hearth_exceptions_class:
    .incbin "java/lang/HearthExceptions.class"
hearth_exceptions_class_end:
    .section .note.GNU-stack, "", @progbits
