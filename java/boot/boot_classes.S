    .macro class_file name, path
    .global \name, \name\()_end
    .hidden \name, \name\()_end
\name:
    .incbin "\path"
\name\()_end:
    .endm

    .section .rodata
    class_file hearth_binder_class, "hearth/boot/Binder.class"
    class_file hearth_calls_class, "java/lang/HearthCalls.class"
    class_file hearth_exceptions_class, "java/lang/HearthExceptions.class"
    class_file hearth_waits_class, "java/lang/HearthWaits.class"
    .section .note.GNU-stack, "", @progbits
