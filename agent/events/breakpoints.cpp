#include "events/breakpoints.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/formatted.h"
#include "events/threads/sigtrap_blocked_threads.h"

namespace hearth::events {
namespace {

using capture::BreakpointCode;
using capture::kBreakpoint;

std::string hex(const uint8_t* bytes, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; i++) text += formatted("{}{:02x}", i == 0 ? "" : " ", bytes[i]);
  return text;
}

}  // namespace

void Breakpoints::open() {
  if (memory_) return;
  if (std::string thread = thread_that_blocks_sigtrap(); !thread.empty())
    throw Error(formatted("{} blocks SIGTRAP, so a breakpoint that it meets would end the JVM", thread),
                "let it block fewer signals, or do without breakpoints: event=alloc instead of tlab (JDK 11 or newer), "
                "no begin=, end= or ttsp");
  // /proc/self/mem leaves the pages' protection as it is: code never becomes writable, not even for a moment.
  UniqueFd memory(::open("/proc/self/mem", O_RDWR | O_CLOEXEC));
  if (!memory) throw Error(formatted("breakpoints need /proc/self/mem ({})", std::strerror(errno)));
  if (!capture::take_breakpoints())
    throw Error("another library has taken SIGTRAP over, which breakpoints need", "restart the JVM");
  memory_ = std::move(memory);
}

void Breakpoints::set(const Place& place, capture::TrapAction action) {
  open();
  uint8_t code[capture::FirstInstruction::kLongest] = {};
  auto offset = static_cast<off_t>(place.address);
  if (pread(memory_.get(), code, sizeof code, offset) <= 0)
    throw Error(formatted("cannot read the code of {} ({})", place.name, std::strerror(errno)));
  Breakpoint breakpoint = {place.address, {}, {}};
  std::memcpy(&breakpoint.covered, code, sizeof breakpoint.covered);
  if (!capture::decode(code, place.address, &breakpoint.instruction))
    throw Error(formatted("a breakpoint on {} is not possible: its first instruction ({}) is none of the usual ones",
                          place.name, hex(code, sizeof code)),
                "take a function that it calls or that calls it");
  if (!capture::set_trap(place.address, breakpoint.instruction, action))
    throw Error(formatted("{} different functions have had breakpoints, and no more can", capture::kMaxTraps),
                "restart the JVM");
  set_.push_back(breakpoint);
  if (pwrite(memory_.get(), &kBreakpoint, sizeof kBreakpoint, offset) != sizeof kBreakpoint) {
    int error = errno;
    set_.pop_back();
    throw Error(formatted("cannot write a breakpoint into the code of {} ({})", place.name, std::strerror(error)),
                "the kernel forbids it here (proc_mem.force_override)");
  }
}

void Breakpoints::clear() {
  for (const Breakpoint& breakpoint : set_) {
    auto offset = static_cast<off_t>(breakpoint.address);
    BreakpointCode now = 0;
    // The library may have been unloaded, and other memory mapped in its place.
    if (pread(memory_.get(), &now, sizeof now, offset) == sizeof now && now == kBreakpoint)
      pwrite(memory_.get(), &breakpoint.covered, sizeof now, offset);
    capture::set_trap(breakpoint.address, breakpoint.instruction, {});
  }
  set_.clear();
  memory_.reset();
}

}  // namespace hearth::events
