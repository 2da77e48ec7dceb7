#include "capture/arch/protection_keys.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <csignal>

#include "capture/faults/fault_handler.h"
#include "capture/faults/safe_load.h"

namespace hearth::capture {
namespace {

constexpr size_t kPage = 4096;
constexpr uint64_t kWritten = 0x1122334455667788;

// What the handler reads, before, in and after the scope.
struct Reads {
  uintptr_t address;
  bool in_use;
  uint64_t values[3];
};
Reads g_reads;

void read_thrice(int) {
  g_reads.values[0] = load(g_reads.address);
  {
    ReadableKeys readable(g_reads.in_use);
    g_reads.values[1] = load(g_reads.address);
  }
  g_reads.values[2] = load(g_reads.address);
}

class ProtectionKeys : public testing::Test {
 protected:
  void SetUp() override {
    if (!uses_protection_keys()) GTEST_SKIP() << "this machine has no protection keys";
    key_ = pkey_alloc(0, 0);
    if (key_ < 0) GTEST_SKIP() << "no key is left";
    page_ = static_cast<uint64_t*>(mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    *page_ = kWritten;
    ASSERT_EQ(pkey_mprotect(page_, kPage, PROT_READ, key_), 0);
    faults_.install();
    signal(SIGUSR1, read_thrice);
  }
  void TearDown() override {
    signal(SIGUSR1, SIG_DFL);
    if (page_ != nullptr) munmap(page_, kPage);
    if (key_ >= 0) pkey_free(key_);
  }
  void read_in_handler(bool in_use) {
    g_reads = {reinterpret_cast<uintptr_t>(page_), in_use, {}};
    raise(SIGUSR1);
  }

  int key_ = -1;
  uint64_t* page_ = nullptr;
  FaultHandler faults_;
};

TEST_F(ProtectionKeys, AreReadableInTheScopeOnly) {
  read_in_handler(true);
  EXPECT_EQ(g_reads.values[0], 0u);
  EXPECT_EQ(g_reads.values[1], kWritten);
  EXPECT_EQ(g_reads.values[2], 0u);
  EXPECT_EQ(*page_, kWritten);
}

TEST_F(ProtectionKeys, AreLeftAloneWithoutThem) {
  read_in_handler(false);
  EXPECT_EQ(g_reads.values[1], 0u);
}

}  // namespace
}  // namespace hearth::capture
