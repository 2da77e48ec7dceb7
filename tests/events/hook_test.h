// Base of the tests of hooks: the parts of a session that hooks use.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include "capture/faults/fault_handler.h"
#include "capture/recorder.h"
#include "events/handlers/hook_places.h"
#include "events/handlers/slot_table.h"

namespace hearth::events {

class HookTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(faults_.install());
    plan_.natives = &no_natives_;
  }

  void prepare(int64_t interval, HookSampling* sampling) {
    sampling->interval = interval;
    sampling->recorder = &recorder_;
    sampling->pid = getpid();
    sampling->slots_by_thread.table = &slots_;
    sampling->slots_by_thread.search = SlotSearch::kSeekOrAdopt;
  }

  // Takes the samples: the sum of their weights.
  int64_t weight() {
    int64_t sum = 0;
    for (capture::Sample sample; ring_.pop(&sample);) sum += sample.weight;
    return sum;
  }

  capture::FaultHandler faults_;
  const capture::NativeMap no_natives_{};
  capture::WalkPlan plan_;
  capture::StackTree tree_{1 << 16};
  capture::SampleRing ring_{1 << 16};
  capture::Recorder recorder_{&plan_, &tree_, &ring_};
  SlotTable slots_;
};

}  // namespace hearth::events
