#include "session/allocation_engine.h"

#include <string>
#include <vector>

#include "base/error.h"

namespace hearth::session {
namespace {

uintptr_t find_in_libjvm(vm::Vm* vm, const std::string& name) {
  for (const symbols::NativeFunction& function : vm->modules.find(name)) {
    if (function.library == "libjvm.so") return function.address;
  }
  return 0;
}

// The functions were called ..._event before JDK 10. The object is their second argument since then, and in the JDK 8
// that has the flight recorder (8u262); the name with its parameters identifies JDK 8.
events::TlabFunctions find_tlab_functions(vm::Vm* vm) {
  std::lock_guard<std::mutex> lock(vm->modules_mutex);
  vm->modules.refresh();
  for (const char* suffix : {"", "_event"}) {
    events::TlabFunctions found;
    found.new_tlab = find_in_libjvm(vm, std::string("AllocTracer::send_allocation_in_new_tlab") + suffix);
    found.outside = find_in_libjvm(vm, std::string("AllocTracer::send_allocation_outside_tlab") + suffix);
    if (found.new_tlab == 0 || found.outside == 0) continue;
    found.passes_object =
        find_in_libjvm(vm, "_ZN11AllocTracer33send_allocation_in_new_tlab_eventE11KlassHandlemm") == 0;
    return found;
  }
  return {};
}

}  // namespace

std::unique_ptr<events::EventSource> make_allocation_engine(vm::Vm* vm, const options::Options& options,
                                                            const capture::WalkPlan& plan, capture::NameTable* classes,
                                                            events::LiveObjects* live) {
  events::AllocationView view = {vm->java_vm, &plan.vm, &plan.access, options.live ? live : nullptr, classes};
  bool has_sampler = events::has_allocation_sampler(vm->java_vm);
  if (has_sampler && !options.tlab) return events::make_allocation_sampler(view);
  if (options.exact) throw Error("exact needs the allocation sampler of JDK 11 or newer", "use a newer JDK");
  if (options.live) throw Error("live needs the allocation sampler of JDK 11 or newer", "use a newer JDK");
  events::TlabFunctions functions = find_tlab_functions(vm);
  if (functions.new_tlab != 0) return events::make_tlab_hooks(view, functions);
  constexpr const char* kMissing = "this JVM's libjvm.so has no symbols, by which the TLAB hooks find AllocTracer";
  if (has_sampler)
    throw Error(kMissing, "use event=alloc without tlab, or install the symbols (Debian: openjdk-N-dbg)");
  throw Error(std::string("allocations need JDK 11 or the TLAB hooks: ") + kMissing,
              "install the symbols (Debian: openjdk-8-dbg), or use a newer JDK");
}

std::string blind_spot(const vm::Vm& vm, const events::EventSource& engine) {
  // Only in JDK 8, with the collectors that have a contiguous Eden.
  bool stubs_allocate = vm.structs->boolean_flag("FastTLABRefill") && !vm.structs->boolean_flag("UseG1GC");
  if (!stubs_allocate || engine.engine() != events::kTlabEngine) return "";
  return "this JVM's stubs take TLABs without a call of its tracer, so allocations are missing; start it with "
         "-XX:-FastTLABRefill";
}

}  // namespace hearth::session
