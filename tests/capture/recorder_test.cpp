// The recorder in a signal handler on stacks of different kinds.
#include "capture/recorder.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <csignal>
#include <memory>
#include <thread>

#include "capture/faults/fault_handler.h"
#include "symbols/elf/native_modules.h"

namespace hearth::capture {
namespace {

Recorder* g_recorder;
ThreadSlot* g_slot;

void record_here(int, siginfo_t*, void* context) {
  SampleInfo info;
  info.weight = 7;
  g_recorder->record(static_cast<ucontext_t*>(context), g_slot, info, nullptr, 0);
}

class RecorderOnAlternateStack : public testing::Test {
 protected:
  void SetUp() override {
    modules_.refresh();
    plan_.natives = modules_.map();
    ASSERT_TRUE(faults_.install());
    g_recorder = &recorder_;
    g_slot = &slot_;
    struct sigaction action {};
    action.sa_sigaction = record_here;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ASSERT_EQ(sigaction(SIGUSR2, &action, nullptr), 0);
  }
  void TearDown() override { signal(SIGUSR2, SIG_DFL); }

  // One sample of a thread with an alternate stack of so many bytes; 0: with none.
  void sample_on(size_t bytes) {
    std::thread([bytes] {
      Mapping memory;
      if (bytes > 0) {
        memory = Mapping(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), bytes);
        stack_t alternate{};
        alternate.ss_sp = memory.as<void>();
        alternate.ss_size = bytes;
        ASSERT_EQ(sigaltstack(&alternate, nullptr), 0);
      }
      raise(SIGUSR2);
      stack_t none{};
      none.ss_flags = SS_DISABLE;
      sigaltstack(&none, nullptr);
    }).join();
  }

  symbols::NativeModules modules_;
  FaultHandler faults_;
  WalkPlan plan_;
  StackTree tree_{1 << 16};
  SampleRing ring_{1 << 10};
  Recorder recorder_{&plan_, &tree_, &ring_};
  ThreadSlot slot_;
};

TEST_F(RecorderOnAlternateStack, WalksWithoutOneAndOnALargeOne) {
  sample_on(0);
  sample_on(size_t{64} << 10);
  EXPECT_EQ(recorder_.counters().samples, 2u);
  EXPECT_EQ(recorder_.counters().lost, 0u);
}

TEST_F(RecorderOnAlternateStack, LosesTheWeightAndNothingElseOnASmallOne) {
  sample_on(size_t{16} << 10);
  EXPECT_EQ(recorder_.counters().samples, 0u);
  EXPECT_EQ(recorder_.counters().lost, 1u);
  EXPECT_EQ(recorder_.counters().lost_weight[0], 7);
}

}  // namespace
}  // namespace hearth::capture
