    .section .rodata
    .global hearth_flame_graph_page
    .hidden hearth_flame_graph_page
    .global hearth_flame_graph_page_end
    .hidden hearth_flame_graph_page_end
hearth_flame_graph_page:
    .incbin HEARTH_PAGE_FILE
hearth_flame_graph_page_end:
    .byte 0
    .section .note.GNU-stack, "", @progbits
