// Which of the two engines samples allocations here: the JVM's own sampler, or the hooks on its tracer of TLABs.
#pragma once

#include <memory>
#include <string>

#include "capture/name_table.h"
#include "capture/unwind/stack_walk.h"
#include "events/event_source.h"
#include "session/options.h"
#include "session/vm.h"

namespace hearth::session {

// What it is given outlives it; `live` follows what is sampled, when options want it. Throws Error with reason and
// remedy when none can run.
std::unique_ptr<events::EventSource> make_allocation_engine(Vm* vm, const Options& options,
                                                            const capture::WalkPlan& plan, capture::NameTable* classes,
                                                            events::LiveObjects* live);

// What the engine cannot see of this JVM, and the remedy; "" where it sees all.
std::string blind_spot(const Vm& vm, const events::EventSource& engine);

}  // namespace hearth::session
