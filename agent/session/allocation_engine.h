// Chooses the engine that samples allocations: the JVM's own sampler, or breakpoints on its TLAB tracer.
#pragma once

#include <memory>
#include <string>

#include "capture/store/name_table.h"
#include "capture/unwind/stack_walk.h"
#include "events/event_source.h"
#include "options/options.h"
#include "vm/vm.h"

namespace hearth::session {

// The arguments outlive the engine; with the option live, `live` follows the sampled objects. Throws Error with reason
// and remedy when none can run.
std::unique_ptr<events::EventSource> make_allocation_engine(vm::Vm* vm, const options::Options& options,
                                                            const capture::WalkPlan& plan, capture::NameTable* classes,
                                                            events::LiveObjects* live);

// Describes the allocations that the engine misses in this JVM, with the remedy; "" if there are none.
std::string blind_spot(const vm::Vm& vm, const events::EventSource& engine);

}  // namespace hearth::session
