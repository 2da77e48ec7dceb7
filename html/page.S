    .section .rodata
    .macro page name, file
    .global \name
    .hidden \name
    .global \name\()_end
    .hidden \name\()_end
\name:
    .incbin "\file"
\name\()_end:
    .byte 0
    .endm

    page hearth_flame_graph_page, HEARTH_FLAME_GRAPH
    page hearth_console_page, HEARTH_CONSOLE
    .section .note.GNU-stack, "", %progbits
