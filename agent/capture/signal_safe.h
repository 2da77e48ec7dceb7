// A function that a signal handler may run. Only the signal-safe libraries can make one (signal_room.h), so every
// function for the kernel or a breakpoint was built with their flags and checked by tests/capture.
#pragma once

#include <ucontext.h>
#include <csignal>

namespace hearth::capture {

template <typename Signature>
class SignalSafe {
 public:
  constexpr SignalSafe() = default;  // none
  constexpr Signature* get() const { return function_; }

 private:
  friend struct SignalRoom;
  constexpr explicit SignalSafe(Signature* function) : function_(function) {}

  Signature* function_ = nullptr;
};

using SignalHandler = SignalSafe<void(int signal, siginfo_t* info, void* context)>;

}  // namespace hearth::capture
