#include <gtest/gtest.h>
#include <sys/mman.h>

#include <memory>

#include "capture/faults/fault_handler.h"
#include "capture/unwind/stack_cache.h"

namespace hearth::capture {
namespace {

// Three checkpoints, of two words, none, and one.
class UnchangedWords : public ::testing::Test {
 protected:
  UnchangedWords() {
    handler_.install();
    for (uint32_t i = 0; i < 3; i++) cache_->words[i] = {reinterpret_cast<uintptr_t>(&stack_[i]), stack_[i]};
    cache_->checkpoints[0].words = 2;
    cache_->checkpoints[1].words = 2;
    cache_->checkpoints[2].words = 3;
    cache_->checkpoint_count = 3;
  }
  ~UnchangedWords() override { handler_.remove(); }

  FaultHandler handler_;
  std::unique_ptr<StackCache> cache_ = std::make_unique<StackCache>();
  uintptr_t stack_[3] = {5, 6, 7};
};

TEST_F(UnchangedWords, KeepTheirCheckpoints) {
  EXPECT_EQ(cache_->unchanged(), 3U);
  stack_[2] = 0;
  EXPECT_EQ(cache_->unchanged(), 2U);
  stack_[1] = 0;
  EXPECT_EQ(cache_->unchanged(), 0U);
}

TEST_F(UnchangedWords, OfMemoryThatIsGoneAreNone) {
  constexpr size_t kPage = 4096;
  void* page = mmap(nullptr, kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  cache_->words[2].address = reinterpret_cast<uintptr_t>(page);
  EXPECT_EQ(cache_->unchanged(), 0U);
  munmap(page, kPage);
}

TEST_F(UnchangedWords, OfNothingAreNone) {
  cache_->checkpoint_count = 0;
  EXPECT_EQ(cache_->unchanged(), 0U);
}

}  // namespace
}  // namespace hearth::capture
