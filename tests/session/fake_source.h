// A source of samples without a JVM. The test sees its calls and decides how it behaves.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "events/event_source.h"

namespace hearth::session {

struct FakeSourceScript {
  std::string engine = "fake";
  std::string refusal;  // reason of start() to fail; "": it starts
  std::string trouble;
  bool is_quiescent = true;  // after disable()
  int breakpoints = 0;
  int own_tid = 0;
  int64_t own_cpu_ns = 0;
  std::vector<std::string> calls;
  std::function<void()> on_call_counts;
};

class FakeSource : public events::EventSource {
 public:
  // `script` outlives the source.
  explicit FakeSource(FakeSourceScript* script) : script_(script) {}
  std::string engine() const override { return script_->engine; }
  bool follows_threads() const override { return false; }
  void start(const events::EventPlan& plan) override {
    if (!script_->refusal.empty()) throw Error(script_->refusal, "try another");
    script_->calls.push_back("start " + std::to_string(plan.event) + " " + std::to_string(plan.interval));
  }
  bool attach_thread(capture::ThreadSlot*) override { return true; }
  int64_t detach_thread(capture::ThreadSlot*) override { return 0; }
  int64_t cpu_ns(const capture::ThreadSlot&) const override { return 0; }
  void disable() override { script_->calls.emplace_back("disable"); }
  bool is_quiescent() const override { return script_->is_quiescent; }
  void stop() override { script_->calls.emplace_back("stop"); }
  bool remove_breakpoints() override { return std::exchange(script_->breakpoints, 0) != 0; }
  int own_tid() const override { return script_->own_tid; }
  int64_t own_cpu_ns() const override { return script_->own_cpu_ns; }
  std::string trouble() const override { return script_->trouble; }
  std::vector<events::CallCounts> call_counts() const override {
    if (script_->on_call_counts) script_->on_call_counts();
    return {};
  }

 private:
  FakeSourceScript* script_;
};

inline std::function<std::unique_ptr<events::EventSource>()> maker_of(FakeSourceScript* script) {
  return [script] { return std::make_unique<FakeSource>(script); };
}

}  // namespace hearth::session
