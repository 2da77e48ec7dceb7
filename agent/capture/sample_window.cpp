#include "capture/sample_window.h"

#include <atomic>

#include "capture/signal_room.h"

namespace hearth::capture {
namespace {

std::atomic<bool> g_open{true};
std::atomic<uint64_t> g_openings{0};

void open_window(const ucontext_t*) {
  if (!g_open.exchange(true, std::memory_order_relaxed)) g_openings.fetch_add(1, std::memory_order_relaxed);
}

void close_window(const ucontext_t*) {
  g_open.store(false, std::memory_order_relaxed);
}

}  // namespace

constexpr TrapAction kOpenWindow = SignalRoom::safe(open_window);
constexpr TrapAction kCloseWindow = SignalRoom::safe(close_window);

bool window_is_open() {
  return g_open.load(std::memory_order_relaxed);
}

void set_window(bool open) {
  g_open.store(open, std::memory_order_relaxed);
}

uint64_t window_openings() {
  return g_openings.load(std::memory_order_relaxed);
}

}  // namespace hearth::capture
