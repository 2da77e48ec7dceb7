#include "capture/unwind/native/native_frames.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <ucontext.h>

#include <csignal>
#include <string>
#include <vector>

#include "capture/faults/fault_handler.h"
#include "symbols/elf/native_modules.h"

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
    NativeStep step = step_native({g_modules->map(), &g_rules}, &at, returned);
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

// A frame as a frame pointer shows it, of code that no module holds.
struct FramesByPointer {
  NativeMap nothing{nullptr, 0};
  uintptr_t words[8] = {};
  NativeCode code{&nothing, &g_rules};

  Registers at(uintptr_t fp_word) const {
    return {4096, reinterpret_cast<uintptr_t>(words), reinterpret_cast<uintptr_t>(words + fp_word)};
  }
};

// Puts a return address where a call leaves it.
void put_unsaved(uintptr_t pc, FramesByPointer* frames, Registers* called) {
#if defined(__x86_64__)
  static_cast<void>(called);
  frames->words[0] = pc;
#elif defined(__aarch64__)
  static_cast<void>(frames);
  called->lr = pc;
#endif
}

__attribute__((noinline)) uintptr_t behind_a_call() {
  return reinterpret_cast<uintptr_t>(__builtin_return_address(0));
}

TEST_F(NativeFrames, AFramePointerWithoutARuleIsAGuessUnlessTrusted) {
  FramesByPointer frames;
  frames.words[2] = 0x1234;
  frames.words[3] = behind_a_call();
  Registers caller = frames.at(2);
  EXPECT_EQ(step_native(frames.code, &caller, true), NativeStep::kGuessed);
  EXPECT_EQ(caller.pc, frames.words[3]);
  EXPECT_EQ(caller.sp, reinterpret_cast<uintptr_t>(frames.words + 4));
  EXPECT_EQ(caller.fp, 0x1234U);
  frames.code.frame_pointers = FramePointers::kTrusted;
  caller = frames.at(2);
  EXPECT_EQ(step_native(frames.code, &caller, true), NativeStep::kStepped);
}

TEST_F(NativeFrames, AFramePointerLeadsBehindACall) {
  FramesByPointer frames;
  frames.code.frame_pointers = FramePointers::kFirst;
  frames.words[3] = reinterpret_cast<uintptr_t>(&behind_a_call) + 1;
  Registers caller = frames.at(2);
  EXPECT_EQ(step_native(frames.code, &caller, true), NativeStep::kFailed);
  frames.words[3] = reinterpret_cast<uintptr_t>(&frames.words);
  EXPECT_EQ(step_native(frames.code, &caller, true), NativeStep::kFailed);
}

#if defined(__x86_64__)
TEST_F(NativeFrames, WithoutAFrameTheReturnAddressIsOnTop) {
  static const uint8_t code[] = {0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x90, 0x48, 0x89, 0xe5, 0x90,
                                 0x5d, 0xc3, 0,    0,    0,    0,    0,    0,    0};
  struct Place {
    int offset;
    int slot;  // of the return address
  };
  for (Place place : {Place{0, 0}, Place{4, 0}, Place{5, 1}, Place{6, 1}, Place{9, 5}, Place{10, 5}, Place{11, 0}}) {
    FramesByPointer frames;
    frames.code.frame_pointers = FramePointers::kFirst;
    for (uintptr_t& word : frames.words) word = behind_a_call();
    Registers caller = frames.at(4);
    caller.pc = reinterpret_cast<uintptr_t>(code + place.offset);
    if (place.slot == 1) frames.words[0] = caller.fp;
    EXPECT_EQ(step_native(frames.code, &caller, false), NativeStep::kStepped);
    EXPECT_EQ(caller.sp, reinterpret_cast<uintptr_t>(frames.words + place.slot + 1)) << place.offset;
  }
}
#elif defined(__aarch64__)
TEST_F(NativeFrames, WithoutAFrameTheReturnAddressIsInItsRegister) {
  // bti c; stp x29,x30,[sp,#-16]!; mov x29,sp; mov x0,#0; ldp x29,x30,[sp],#16; ret
  static const uint32_t code[] = {0xd503245f, 0xa9bf7bfd, 0x910003fd, 0xd2800000, 0xa8c17bfd, 0xd65f03c0};
  struct Place {
    int instruction;
    int words;  // from sp to the caller's
  };
  for (Place place : {Place{0, 0}, Place{1, 0}, Place{2, 2}, Place{3, 6}, Place{4, 6}, Place{5, 0}}) {
    FramesByPointer frames;
    frames.code.frame_pointers = FramePointers::kFirst;
    for (uintptr_t& word : frames.words) word = behind_a_call();
    Registers caller = frames.at(4);
    caller.lr = frames.words[1];
    caller.pc = reinterpret_cast<uintptr_t>(code + place.instruction);
    if (place.words == 2) frames.words[0] = caller.fp;
    EXPECT_EQ(step_native(frames.code, &caller, false), NativeStep::kStepped);
    EXPECT_EQ(caller.sp, reinterpret_cast<uintptr_t>(frames.words + place.words)) << place.instruction;
  }
}
#endif

TEST_F(NativeFrames, AFramePointerSkipsNoJavaFrames) {
  FramesByPointer frames;
  frames.code.frame_pointers = FramePointers::kFirst;
  frames.words[5] = behind_a_call();
  frames.code.last_java_sp = reinterpret_cast<uintptr_t>(frames.words + 3);
  Registers caller = frames.at(4);
  EXPECT_EQ(step_native(frames.code, &caller, true), NativeStep::kFailed);
  frames.code.last_java_sp = reinterpret_cast<uintptr_t>(frames.words + 6);
  EXPECT_EQ(step_native(frames.code, &caller, true), NativeStep::kStepped);
}

TEST_F(NativeFrames, AFramePointerOfZeroIsTheRootOnlyWhereFramePointersAreTrusted) {
  FramesByPointer frames;
  Registers root = {4096, reinterpret_cast<uintptr_t>(frames.words), 0};
  EXPECT_EQ(step_native(frames.code, &root, true),
            kFramePointersAreKept ? NativeStep::kEndOfStack : NativeStep::kFailed);
  frames.code.frame_pointers = FramePointers::kFirst;
  EXPECT_EQ(step_native(frames.code, &root, true), NativeStep::kEndOfStack);
  frames.code.last_java_sp = UINTPTR_MAX;
  EXPECT_EQ(step_native(frames.code, &root, true), NativeStep::kFailed) << "Java called this";
}

// An interrupted function may not have set its frame pointer yet.
TEST_F(NativeFrames, RulesComeFirstInTheInterruptedFrame) {
  FramesByPointer frames;
  frames.code = {modules_.map(), &g_rules, FramePointers::kFirst};
  frames.words[5] = behind_a_call();
  Registers interrupted = frames.at(4);
  put_unsaved(behind_a_call(), &frames, &interrupted);
  interrupted.pc = reinterpret_cast<uintptr_t>(&behind_a_call);
  Registers in_a_call = interrupted;
  EXPECT_EQ(step_native(frames.code, &interrupted, false), NativeStep::kStepped);
  EXPECT_EQ(interrupted.sp, reinterpret_cast<uintptr_t>(frames.words) + kCallBytes);
  EXPECT_EQ(step_native(frames.code, &in_a_call, true), NativeStep::kStepped);
  EXPECT_EQ(in_a_call.sp, reinterpret_cast<uintptr_t>(frames.words + 6));
}

TEST_F(NativeFrames, AWildFrameEndsTheWalk) {
  Registers wild = {4096, 0x1000, 0x1008};
  EXPECT_EQ(step_native({modules_.map(), &g_rules}, &wild, false), NativeStep::kFailed);
  Registers far = {4096, 0x1000, UINTPTR_MAX - 7};
  EXPECT_EQ(step_native({modules_.map(), &g_rules}, &far, false), NativeStep::kFailed);
}

}  // namespace
}  // namespace hearth::capture
