#include "capture/sample_window.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "capture/recorder.h"
#include "capture/signal_room.h"

namespace hearth::capture {
namespace {

std::atomic<bool> g_always_open{true};
std::atomic<int64_t> g_began_ns{0};  // of the current window; 0: there is none
std::atomic<uint64_t> g_openings{0};

struct Kept {
  std::atomic<uint64_t> number{0};  // 0: is being written
  std::atomic<int64_t> began_ns{0}, ended_ns{0};
  std::atomic<int> tid{0};
};
Kept g_kept[kKeptWindows];  // the last ones, by their number
std::atomic<uint64_t> g_windows{0};

// Its reader leaves out one that is written meanwhile.
void keep(int64_t began_ns) {
  uint64_t number = g_windows.fetch_add(1) + 1;
  Kept& kept = g_kept[number % kKeptWindows];
  kept.number = 0;
  kept.began_ns = began_ns;
  kept.ended_ns = static_cast<int64_t>(now_ns());
  kept.tid = static_cast<int>(syscall(SYS_gettid));
  kept.number = number;
}

void close_current() {
  int64_t began_ns = g_began_ns.exchange(0);
  if (began_ns != 0) keep(began_ns);
}

void open_window(const ucontext_t*) {
  int64_t none = 0;
  if (g_began_ns.compare_exchange_strong(none, static_cast<int64_t>(now_ns())))
    g_openings.fetch_add(1, std::memory_order_relaxed);
}

void close_window(const ucontext_t*) {
  close_current();
}

}  // namespace

constexpr TrapAction kOpenWindow = SignalRoom::safe(open_window);
constexpr TrapAction kCloseWindow = SignalRoom::safe(close_window);

bool window_is_open() {
  return g_always_open.load(std::memory_order_relaxed) || g_began_ns.load(std::memory_order_relaxed) != 0;
}

bool window_has(uint64_t at_ns) {
  if (g_always_open.load(std::memory_order_relaxed)) return true;
  int64_t began_ns = g_began_ns.load(std::memory_order_relaxed);
  return began_ns != 0 && static_cast<int64_t>(at_ns) >= began_ns;
}

void begin_windows(bool is_open, Outside outside) {
  g_began_ns = is_open ? static_cast<int64_t>(now_ns()) : 0;
  g_always_open = outside == Outside::kRecorded;
}

void end_windows() {
  g_always_open = true;
  close_current();
}

uint64_t window_openings() {
  return g_openings.load(std::memory_order_relaxed);
}

uint64_t closed_windows() {
  return g_windows;
}

bool read_window(uint64_t number, Window* window) {
  const Kept& kept = g_kept[number % kKeptWindows];
  if (kept.number != number) return false;
  *window = {kept.began_ns, kept.ended_ns, kept.tid};
  return kept.number == number;  // else a newer one has its place
}

}  // namespace hearth::capture
