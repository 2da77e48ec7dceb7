#include "capture/kernel_ring.h"

#include <gtest/gtest.h>
#include <linux/perf_event.h>

#include <cstring>
#include <vector>

namespace hearth::capture {
namespace {

// A ring as the kernel writes it: one control page, one page of data.
class FakeRing {
 public:
  FakeRing() : pages_(2 * 4096 / 8) {
    control()->data_offset = 4096;
    control()->data_size = 4096;
  }
  perf_event_mmap_page* control() { return reinterpret_cast<perf_event_mmap_page*>(pages_.data()); }

  void put(uint64_t word) {
    pages_[512 + control()->data_head / 8 % 512] = word;
    control()->data_head += 8;
  }
  void put_sample(const std::vector<uint64_t>& chain) {
    put(PERF_RECORD_SAMPLE | (8 + 8 + chain.size() * 8) << 48);
    put(chain.size());
    for (uint64_t ip : chain) put(ip);
  }
  uint32_t read() { return read_kernel_ring(pages_.data(), frames, 8); }

  Frame frames[8];

 private:
  std::vector<uint64_t> pages_;
};

constexpr auto kKernel = static_cast<uint64_t>(PERF_CONTEXT_KERNEL);
constexpr auto kUser = static_cast<uint64_t>(PERF_CONTEXT_USER);

TEST(KernelRing, ReadsKernelFramesOnly) {
  FakeRing ring;
  ring.put_sample({kKernel, 0xffffffff81000010, 0xffffffff81000020, kUser, 0x400000});
  ASSERT_EQ(ring.read(), 2u);
  EXPECT_EQ(ring.frames[0].value, 0xffffffff81000010u);
  EXPECT_EQ(ring.frames[1].kind(), RawKind::kKernel);
  EXPECT_EQ(ring.control()->data_tail, ring.control()->data_head);
}

TEST(KernelRing, TheNewestOfSeveralSamplesCounts) {
  FakeRing ring;
  ring.put_sample({kKernel, 0xffffffff81000010, 0xffffffff81000020});
  ring.put(PERF_RECORD_LOST | uint64_t{16} << 48);
  ring.put(0);
  ring.put_sample({kKernel, 0xffffffff81000030});
  ASSERT_EQ(ring.read(), 1u);
  EXPECT_EQ(ring.frames[0].value, 0xffffffff81000030u);
}

TEST(KernelRing, RecordsGoOnAtTheStartAfterTheEnd) {
  FakeRing ring;
  for (int i = 0; i < 300; i++) {
    ring.put_sample({kKernel, 0xffffffff81000000 + i});
    ASSERT_EQ(ring.read(), 1u);
    ASSERT_EQ(ring.frames[0].value, 0xffffffff81000000 + i);
  }
}

TEST(KernelRing, EmptyAndBrokenRingsGiveNothing) {
  FakeRing ring;
  EXPECT_EQ(ring.read(), 0u);
  ring.put(0);  // a record of no size would never end
  EXPECT_EQ(ring.read(), 0u);
  EXPECT_EQ(ring.read(), 0u);
}

TEST(KernelRing, NoMoreFramesThanThereIsRoomFor) {
  FakeRing ring;
  std::vector<uint64_t> chain = {kKernel};
  for (uint64_t i = 0; i < 30; i++) chain.push_back(0xffffffff81000000 + i);
  ring.put_sample(chain);
  EXPECT_EQ(ring.read(), 8u);
}

}  // namespace
}  // namespace hearth::capture
