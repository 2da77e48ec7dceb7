#include "events/handlers/freeze_signal.h"

#include <atomic>

#include "capture/signal_room.h"

namespace hearth::events {
namespace {

std::atomic<uint64_t> g_signals{0};

void on_freeze_signal(int, siginfo_t*, void*) {
  g_signals.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

constexpr capture::SignalHandler kFreezeSignalHandler = capture::SignalRoom::safe(on_freeze_signal);

uint64_t freeze_signals() {
  return g_signals.load(std::memory_order_relaxed);
}

}  // namespace hearth::events
