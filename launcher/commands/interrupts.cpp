#include "launcher/commands/interrupts.h"

#include <initializer_list>

namespace hearth::launcher {

Interrupts::Interrupts() {
  ::sigemptyset(&signals_);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&signals_, signal);
  ::sigprocmask(SIG_BLOCK, &signals_, &before_);
}

Interrupts::~Interrupts() {
  while (wait_for(std::chrono::nanoseconds(0))) continue;
  ::sigprocmask(SIG_SETMASK, &before_, nullptr);
}

bool Interrupts::wait_for(std::chrono::nanoseconds time) {
  constexpr int64_t kSecond = 1'000'000'000;
  timespec wait{};
  wait.tv_sec = time.count() / kSecond;
  wait.tv_nsec = time.count() % kSecond;
  return ::sigtimedwait(&signals_, nullptr, &wait) > 0;
}

}  // namespace hearth::launcher
