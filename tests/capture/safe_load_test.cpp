#include "capture/faults/safe_load.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <csignal>

#include "capture/faults/fault_handler.h"

namespace hearth::capture {
namespace {

class SafeLoad : public testing::Test {
 protected:
  void SetUp() override {
    hole_ = static_cast<char*>(mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    faults_.install();
  }
  void TearDown() override { munmap(hole_, 4096); }
  uintptr_t hole() const { return reinterpret_cast<uintptr_t>(hole_); }

  char* hole_ = nullptr;
  FaultHandler faults_;
};

TEST_F(SafeLoad, ReadsMappedMemory) {
  uint64_t value = 0x1122334455667788;
  EXPECT_EQ(load(reinterpret_cast<uintptr_t>(&value)), value);
  EXPECT_EQ(load32(reinterpret_cast<uintptr_t>(&value)), 0x55667788u);
}

TEST_F(SafeLoad, ReturnsTheFallbackForUnmappedMemory) {
  EXPECT_EQ(load(hole(), 7), 7u);
  EXPECT_EQ(load32(hole(), 8), 8u);
  EXPECT_EQ(load(8, 9), 9u);
  EXPECT_EQ(load(0x8000000000000000, 10), 10u);  // not canonical: a general protection fault
}

void read_from(void* address, void* result, void*) {
  *static_cast<char*>(result) = *static_cast<volatile char*>(address);
}

TEST_F(SafeLoad, AFaultingGuardedCallReturns) {
  char result = 'x';
  char there = 'y';
  EXPECT_FALSE(guarded(read_from, hole_, &result, nullptr));
  EXPECT_EQ(result, 'x');
  EXPECT_TRUE(guarded(read_from, &there, &result, nullptr));
  EXPECT_EQ(result, 'y');
}

void guard_inside(void* address, void* outcome, void*) {
  char ignored = 0;
  *static_cast<bool*>(outcome) = guarded(read_from, address, &ignored, nullptr);
  read_from(address, &ignored, nullptr);
}

TEST_F(SafeLoad, GuardsNest) {
  bool inner = true;
  EXPECT_FALSE(guarded(guard_inside, hole_, &inner, nullptr));
  EXPECT_FALSE(inner);
}

TEST_F(SafeLoad, TheSignalMaskIsAsBefore) {
  char result = 0;
  ASSERT_FALSE(guarded(read_from, hole_, &result, nullptr));
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  EXPECT_FALSE(sigismember(&mask, SIGSEGV));
}

void* g_seen_address;
char* g_hole;
void open_the_hole(int, siginfo_t* info, void*) {
  g_seen_address = info->si_addr;
  mprotect(g_hole, 4096, PROT_READ | PROT_WRITE);
}

TEST(FaultHandler, FaultsOfOthersGoToTheHandlerBefore) {
  struct sigaction before {};
  struct sigaction theirs {};
  theirs.sa_sigaction = open_the_hole;
  theirs.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &theirs, &before);
  g_hole = static_cast<char*>(mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  FaultHandler faults;
  faults.install();
  EXPECT_EQ(*static_cast<volatile char*>(g_hole), 0);
  EXPECT_EQ(g_seen_address, g_hole);
  faults.remove();
  struct sigaction now {};
  sigaction(SIGSEGV, nullptr, &now);
  EXPECT_EQ(now.sa_sigaction, open_the_hole);
  sigaction(SIGSEGV, &before, nullptr);
  munmap(g_hole, 4096);
}

TEST(FaultHandler, IsRenewedWhereOthersHaveCoveredIt) {
  struct sigaction before {};
  sigaction(SIGSEGV, nullptr, &before);
  FaultHandler faults;
  ASSERT_TRUE(faults.install());
  ASSERT_TRUE(faults.renew());
  struct sigaction theirs {};
  theirs.sa_sigaction = open_the_hole;
  theirs.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &theirs, nullptr);
  ASSERT_TRUE(faults.renew());
  EXPECT_EQ(load(0), 0u);
  faults.remove();
  struct sigaction now {};
  sigaction(SIGSEGV, nullptr, &now);
  EXPECT_EQ(now.sa_sigaction, open_the_hole);
  sigaction(SIGSEGV, &before, nullptr);
}

TEST(FaultHandler, SeveralSessionsShareOneInAnyOrder) {
  struct sigaction before {};
  sigaction(SIGSEGV, nullptr, &before);
  for (int round = 0; round < 10; round++) {
    FaultHandler first, second;
    ASSERT_TRUE(first.install());
    ASSERT_TRUE(second.install());
    first.remove();
    uint64_t word = 1;
    EXPECT_EQ(load(reinterpret_cast<uintptr_t>(&word)), 1u);
    EXPECT_EQ(load(0), 0u);
    second.remove();
  }
  struct sigaction now {};
  sigaction(SIGSEGV, nullptr, &now);
  EXPECT_EQ(now.sa_sigaction, before.sa_sigaction);
}

}  // namespace
}  // namespace hearth::capture
