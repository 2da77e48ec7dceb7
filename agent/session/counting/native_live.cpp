#include "session/counting/native_live.h"

#include <algorithm>
#include <ctime>
#include <iterator>
#include <utility>

#include "base/clocks.h"
#include "base/error.h"
#include "base/formatted.h"
#include "capture/recorder.h"
#include "events/handlers/native_hooks.h"
#include "profile/formats/amount_text.h"

namespace hearth::session {
namespace {

constexpr int kSizeBits = 8;
constexpr uint64_t kSecond = 1'000'000'000;
// Where the ages after the first begin.
constexpr uint64_t kAgesNs[] = {kSecond, 10 * kSecond, 60 * kSecond, 600 * kSecond, 3600 * kSecond};
constexpr const char* kAgeWords[] = {"under 1 s", "1-10 s", "10-60 s", "1-10 min", "10-60 min", "over 1 h"};

}  // namespace

NativeLive::Begun NativeLive::begin() {
  forgotten_ = events::native_memory_forgotten();
  if (std::exchange(is_inherited_, false)) return {table_.get(), true};
  forgotten_++;  // by the source, which starts now
  since_unix_ns_ = clock_ns(CLOCK_REALTIME);
  is_resumed_ = table_ != nullptr;
  if (table_ == nullptr)
    make_table();
  else
    table_->clear();
  return {table_.get(), false};
}

void NativeLive::inherit(const NativeLive& before, const Change& change) {
  if (before.table_ == nullptr || before.forgotten_ != events::native_memory_forgotten()) return;
  make_table();
  before.table_->each_address([&](uintptr_t address, events::LiveAllocations::Allocation one) {
    if (change(&one)) table_->add(address, one);
  });
  since_unix_ns_ = before.since_unix_ns_;
  is_resumed_ = before.is_resumed_;
  is_inherited_ = true;
}

void NativeLive::make_table() {
  auto table = std::make_unique<events::LiveAllocations>(kMost);
  if (!table->ok())
    throw Error("there is no memory to follow native memory",
                "raise the limit on address space (ulimit -v), or use nofree");
  table_ = std::move(table);
}

std::vector<SampleCounts::Part> NativeLive::samples(uint16_t event, const SampleCounts::StepOf& step_of) const {
  if (table_ == nullptr) return {};
  uint64_t now = capture::now_ns();
  SampleCounts::Living living;
  table_->each([&](const events::LiveAllocations::Allocation& one) {
    uint64_t age_ns = now > one.time_ns ? now - one.time_ns : 0;
    uint16_t state = state_of_native_live(age_ns, static_cast<uint8_t>(one.state));
    SampleCounts::Key key = {one.thread, one.stack, event, state, one.labels};
    living.add(key, one.span, step_of(one.time_ns), one.bytes, one.objects);
  });
  return living.parts();
}

std::string NativeLive::note() const {
  if (table_ == nullptr) return "";
  if (table_->missed() == 0)
    return is_resumed_ ? "native-live begins with the last resume: releases during the pause were not seen" : "";
  return formatted("native-live lacks {} allocations, {}: more are live than a session follows; use a longer interval",
                   table_->missed(), profile::amount_text(table_->missed_bytes(), "bytes"));
}

uint16_t state_of_native_live(uint64_t age_ns, uint8_t size_class) {
  auto age = std::upper_bound(std::begin(kAgesNs), std::end(kAgesNs), age_ns) - std::begin(kAgesNs);
  return static_cast<uint16_t>(age << kSizeBits | size_class);
}

const char* native_age_word(uint16_t state) {
  return kAgeWords[state >> kSizeBits];
}

uint8_t size_class_of_native_live(uint16_t state) {
  return static_cast<uint8_t>(state);
}

}  // namespace hearth::session
