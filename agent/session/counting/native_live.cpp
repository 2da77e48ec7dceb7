#include "session/counting/native_live.h"

#include <map>
#include <utility>

#include "base/error.h"
#include "base/formatted.h"
#include "profile/formats/amount_text.h"

namespace hearth::session {

events::LiveAllocations* NativeLive::begin() {
  if (table_ != nullptr) {
    table_->clear();
    is_resumed_ = true;
    return table_.get();
  }
  auto table = std::make_unique<events::LiveAllocations>(kMost);
  if (!table->ok())
    throw Error("there is no memory to follow native memory",
                "raise the limit on address space (ulimit -v), or use nofree");
  table_ = std::move(table);
  return table_.get();
}

std::vector<SampleCounts::Part> NativeLive::samples(uint16_t event) const {
  std::vector<SampleCounts::Part> parts;
  if (table_ == nullptr) return parts;
  std::map<std::pair<SampleCounts::Key, uint16_t>, SampleCounts::Count> counts;
  table_->each([&](const events::LiveAllocations::Allocation& one) {
    SampleCounts::Count& count = counts[{{one.thread, one.stack, event, one.state, one.labels}, one.span}];
    count.samples++;
    count.weight += one.bytes;
    count.objects += one.objects;
  });
  parts.reserve(counts.size());
  for (const auto& [key, count] : counts) parts.push_back({key.first, profile::kNoTime, count, key.second});
  return parts;
}

std::string NativeLive::note() const {
  if (table_ == nullptr) return "";
  if (table_->missed() == 0)
    return is_resumed_ ? "native-live begins with the last resume: releases during the pause were not seen" : "";
  return formatted("native-live lacks {} allocations, {}: more are live than a session follows; use a longer interval",
                   table_->missed(), profile::amount_text(table_->missed_bytes(), "bytes"));
}

}  // namespace hearth::session
