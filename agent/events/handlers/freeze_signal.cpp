#include "events/handlers/freeze_signal.h"

#include <atomic>

namespace hearth::events {
namespace {

std::atomic<uint64_t> g_signals{0};

}  // namespace

void on_freeze_signal(int, siginfo_t*, void*) {
  g_signals.fetch_add(1, std::memory_order_relaxed);
}

uint64_t freeze_signals() {
  return g_signals.load(std::memory_order_relaxed);
}

}  // namespace hearth::events
