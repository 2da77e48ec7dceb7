// The always-on profile: samples without an end at low rates, in windows that go to a store. See store_sources.h for
// the sessions that sample.
//
// Calls come one at a time under the agent's lock, on attached threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "always_on/always_on_figures.h"
#include "always_on/cost_meter.h"
#include "always_on/flight_recorder.h"
#include "always_on/store_push.h"
#include "always_on/store_sources.h"
#include "always_on/window_clock.h"
#include "base/log.h"
#include "options/options.h"
#include "push/push_loop.h"
#include "store/window_store.h"

namespace hearth::always_on {

class AlwaysOn {
 public:
  struct Callbacks {
    StoreSources::Callbacks sources;
    // The thread that pushes windows calls these, perhaps after the store has been destroyed.
    std::function<void()> own_thread_begins, own_thread_ends;
    std::function<JvmIdentity()> jvm;
  };
  // Throws Error where the store cannot be written or a file that pushing needs cannot be read.
  AlwaysOn(const options::Options& options, Log* log, vm::Vm* vm, Callbacks callbacks);

  // Throws Error where nothing can be sampled or a trigger cannot work.
  void start(JNIEnv* env);
  // Stores the samples taken until now and ends the own session.
  void stop(JNIEnv* env);

  // Work for write(), which takes only the store's own lock: no command waits for a disk.
  struct Ended {
    std::optional<profile::Profile> window;
    std::string freeze_reason;  // "": the flight recorder has no trigger
  };
  void write(const Ended& ended);
  // Call it at due_ns(), always on the same thread: measures the cost, and ends the window when it is over.
  Ended turn(JNIEnv* env);
  // Ends the window now, unless it has just begun, for a query that includes the last moment.
  Ended flush(JNIEnv* env);
  // Call it when turn() throws: delays the next call.
  void put_off();
  uint64_t due_ns() const { return due_ns_; }  // CLOCK_MONOTONIC

  StoreSources& sources() { return sources_; }
  store::WindowStore& store() { return store_; }
  std::string status() const;
  AlwaysOnFigures figures() const;
  bool watches_labels() const { return recorder_.watches_labels(); }

 private:
  void begin_window();
  std::optional<profile::Profile> end_window(JNIEnv* env);
  std::string reason_to_freeze(JNIEnv* env);
  bool should_change_rates();
  void set_due();

  const options::Options options_;  // as they were asked for
  Log* const log_;
  const Callbacks callbacks_;
  const std::optional<options::PushTarget> push_target_;  // checked before the store makes its directory
  store::WindowStore store_;
  std::unique_ptr<push::PushLoop> push_;  // null: nothing is pushed
  CostMeter cost_;
  FlightRecorder recorder_;
  StoreSources sources_;
  WindowClock clock_;
  uint64_t due_ns_ = 0;
  std::atomic<uint64_t> frozen_{0};
};

}  // namespace hearth::always_on
