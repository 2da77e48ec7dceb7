// The rules in use: whole walks through libc, libstdc++, threads and signals, held against libgcc's unwinder.
#include <gtest/gtest.h>
#include <signal.h>
#include <ucontext.h>
#include <unwind.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "capture/unwind/native/native_frames.h"
#include "symbols/elf/native_modules.h"

namespace hearth::symbols {
namespace {

using capture::NativeMap;
using capture::NativeStep;
using capture::Registers;

constexpr size_t kMaxFrames = 200;

struct Walk {
  std::vector<uintptr_t> pcs;
  NativeStep end = NativeStep::kFailed;
};

struct Walks {
  const NativeMap* map;
  Walk ours;
  capture::RuleCache rules;
  std::vector<uintptr_t> libgccs;

  // Walks from here, both ways. Frames of the callers on are the same.
  __attribute__((noinline)) void take() {
    _Unwind_Backtrace(
        [](_Unwind_Context* context, void* data) {
          auto* pcs = static_cast<std::vector<uintptr_t>*>(data);
          pcs->push_back(_Unwind_GetIP(context));
          return pcs->size() < kMaxFrames ? _URC_NO_REASON : _URC_END_OF_STACK;
        },
        &libgccs);
    ucontext_t context;
    ::getcontext(&context);
    Registers registers = Registers::of(&context);
    for (bool is_return_address = false; ours.pcs.size() < kMaxFrames;) {
      ours.pcs.push_back(registers.pc);
      ours.end = capture::step_native({map, &rules}, &registers, is_return_address);
      if (!capture::has_stepped(ours.end)) return;
      is_return_address = ours.end == NativeStep::kStepped;
    }
  }

  // libgcc ends a walk with a pc of 0 where the return address is undefined.
  void expect_same() {
    while (!libgccs.empty() && libgccs.back() == 0) libgccs.pop_back();
    ASSERT_GT(ours.pcs.size(), 2u);
    EXPECT_EQ(ours.end, NativeStep::kEndOfStack);
    // LLVM's unwinder leaves out the root if it has no rules, as in old C libraries.
    if (ours.pcs.size() == libgccs.size() + 1) ours.pcs.pop_back();
    EXPECT_EQ(std::vector<uintptr_t>(ours.pcs.begin() + 1, ours.pcs.end()),
              std::vector<uintptr_t>(libgccs.begin() + 1, libgccs.end()));
  }
};

Walks* current = nullptr;

class NativeWalk : public testing::Test {
 protected:
  void SetUp() override {
    modules_.refresh();
    walks_.map = modules_.map();
    current = &walks_;
  }
  void TearDown() override { current = nullptr; }
  NativeModules modules_;
  Walks walks_{};
  std::once_flag once_;
};

int compare_and_walk(const void* left, const void* right) {
  if (current->ours.pcs.empty()) current->take();
  return *static_cast<const int*>(left) - *static_cast<const int*>(right);
}

TEST_F(NativeWalk, FromHere) {
  walks_.take();
  walks_.expect_same();
}

TEST_F(NativeWalk, ThroughLibc) {
  int numbers[] = {3, 1, 2};
  std::qsort(numbers, 3, sizeof(int), compare_and_walk);
  walks_.expect_same();
}

TEST_F(NativeWalk, ThroughAnOnceAndAFunction) {
  std::function<void()> take = [this] { walks_.take(); };
  std::call_once(once_, take);
  walks_.expect_same();
}

TEST_F(NativeWalk, ToTheRootOfAThread) {
  std::thread thread([this] { walks_.take(); });
  thread.join();
  walks_.expect_same();
}

TEST_F(NativeWalk, ThroughASignal) {
  struct sigaction action {};
  struct sigaction previous {};
  action.sa_handler = [](int) { current->take(); };
  ASSERT_EQ(::sigaction(SIGUSR1, &action, &previous), 0);
  ::raise(SIGUSR1);
  ::sigaction(SIGUSR1, &previous, nullptr);
  walks_.expect_same();
}

}  // namespace
}  // namespace hearth::symbols
