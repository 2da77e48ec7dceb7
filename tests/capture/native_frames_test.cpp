#include "capture/unwind/native_frames.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <ucontext.h>

#include <csignal>
#include <string>
#include <vector>

#include "capture/fault_handler.h"
#include "symbols/native_modules.h"

namespace hearth::capture {
namespace {

symbols::NativeModules* g_modules;
std::vector<Registers>* g_walked;
bool g_reached_root;
RuleCache g_rules;

void walk_from_signal(int, siginfo_t*, void* context) {
  Registers at = Registers::of(static_cast<ucontext_t*>(context));
  bool returned = false;
  for (int i = 0; i < 100; i++) {
    g_walked->push_back(at);
    NativeStep step = step_native(g_modules->map(), &g_rules, &at, returned);
    g_reached_root = step == NativeStep::kEndOfStack;
    if (step != NativeStep::kStepped) return;
    returned = true;
  }
}

__attribute__((noinline)) void innermost() {
  raise(SIGUSR1);
}
__attribute__((noinline)) void middle(int depth) {
  char room[300];
  asm volatile("" : : "r"(room) : "memory");
  if (depth > 0) {
    middle(depth - 1);
  } else {
    innermost();
  }
  asm volatile("" : : "r"(room) : "memory");
}
void* thread_body(void*) {
  middle(5);
  return nullptr;
}

class NativeFrames : public testing::Test {
 protected:
  void SetUp() override {
    g_modules = &modules_;
    g_walked = &walked_;
    g_reached_root = false;
    g_rules.clear();
    walked_.reserve(200);  // the handler may not allocate
    modules_.refresh();
    faults_.install();
    struct sigaction action {};
    action.sa_sigaction = walk_from_signal;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGUSR1, &action, &before_);
  }
  void TearDown() override { sigaction(SIGUSR1, &before_, nullptr); }

  std::string names() {
    std::string text;
    for (size_t i = 0; i < walked_.size(); i++) text += modules_.resolve(walked_[i].pc - (i > 0 ? 1 : 0)).name + ";";
    return text;
  }
  static int count(const std::string& text, const std::string& what) {
    int found = 0;
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) found++;
    return found;
  }

  symbols::NativeModules modules_;
  std::vector<Registers> walked_;
  FaultHandler faults_;
  struct sigaction before_ {};
};

TEST_F(NativeFrames, WalksAThreadToItsRoot) {
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, nullptr, thread_body, nullptr), 0);
  pthread_join(thread, nullptr);
  EXPECT_TRUE(g_reached_root);
  EXPECT_EQ(count(names(), "middle"), 6) << names();
  EXPECT_EQ(count(names(), "thread_body"), 1) << names();
  // Debian's libc has no symbol for the function that a thread begins in.
  EXPECT_EQ(modules_.resolve(walked_.back().pc - 1).library, "libc.so.6");
}

TEST_F(NativeFrames, WalksTheMainThreadToItsRoot) {
  middle(2);
  EXPECT_TRUE(g_reached_root);
  EXPECT_EQ(count(names(), "middle"), 3) << names();
  EXPECT_EQ(count(names(), ";_start;"), 1) << names();
}

TEST_F(NativeFrames, ModulesAreFoundByTheirCode) {
  auto pc = reinterpret_cast<uintptr_t>(&pthread_create);
  const NativeModule* module = find_module(modules_.map(), pc);
  ASSERT_NE(module, nullptr);
  EXPECT_LE(module->start, pc);
  EXPECT_GT(module->end, pc);
  EXPECT_EQ(find_module(modules_.map(), 4096), nullptr);
  EXPECT_EQ(find_module(modules_.map(), UINTPTR_MAX), nullptr);
}

TEST_F(NativeFrames, AWildFrameEndsTheWalk) {
  Registers wild = {4096, 0x1000, 0x1008};
  EXPECT_EQ(step_native(modules_.map(), &g_rules, &wild, false), NativeStep::kFailed);
  Registers far = {4096, 0x1000, UINTPTR_MAX - 7};
  EXPECT_EQ(step_native(modules_.map(), &g_rules, &far, false), NativeStep::kFailed);
}

}  // namespace
}  // namespace hearth::capture
