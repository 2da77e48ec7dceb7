#include "capture/labels/thread_spans.h"

#include "capture/unwind/java/virtual_thread.h"

namespace hearth::capture {
namespace {

thread_local SpanCell t_span = {};
VirtualSpans g_virtual_spans;

}  // namespace

SpanCell current_span(const VmLayout& vm, const ThreadAccess& access) {
  if (!g_virtual_spans.any()) return t_span;
  CurrentJavaThread thread(vm, access);
  SpanCell carried = thread.is_java() ? g_virtual_spans.of(mounted_thread_id(vm, thread.address())) : SpanCell();
  return carried.check != 0 ? carried : t_span;
}

SpanCell* span_cell() {
  return &t_span;
}

VirtualSpans& virtual_spans() {
  return g_virtual_spans;
}

}  // namespace hearth::capture
