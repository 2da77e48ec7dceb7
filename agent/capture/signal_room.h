// Declares functions as signal safe; for the signal-safe libraries only.
#pragma once

#include "capture/signal_safe.h"

#ifndef HEARTH_SIGNAL_ROOM
#error "only the libraries hearth_capture and hearth_handlers may declare a function as signal safe"
#endif

namespace hearth::capture {

struct SignalRoom {
  template <typename Signature>
  static constexpr SignalSafe<Signature> safe(Signature* function) {
    return SignalSafe<Signature>(function);
  }
};

}  // namespace hearth::capture
