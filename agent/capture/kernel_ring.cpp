#include "capture/kernel_ring.h"

#include <linux/perf_event.h>

namespace hearth::capture {
namespace {

class Reader {
 public:
  explicit Reader(void* page)
      : header_(static_cast<perf_event_mmap_page*>(page)),
        data_(static_cast<const char*>(page) + header_->data_offset),
        size_(header_->data_size),
        head_(__atomic_load_n(&header_->data_head, __ATOMIC_ACQUIRE)),
        tail_(header_->data_tail) {}

  // Records start at multiples of 8, and so does the ring's end: a word never wraps.
  uint64_t word(uint64_t offset) const {
    return *reinterpret_cast<const uint64_t*>(data_ + ((tail_ + offset) & (size_ - 1)));
  }
  bool at_end() const { return tail_ >= head_; }
  void advance(uint64_t bytes) { tail_ += bytes; }
  void finish() { __atomic_store_n(&header_->data_tail, head_, __ATOMIC_RELEASE); }

 private:
  perf_event_mmap_page* header_;
  const char* data_;
  uint64_t size_;
  uint64_t head_;
  uint64_t tail_;
};

uint32_t read_chain(const Reader& ring, uint64_t entries, Frame* frames, uint32_t max_frames) {
  uint32_t count = 0;
  for (uint64_t i = 0; i < entries && count < max_frames; i++) {
    uint64_t ip = ring.word(16 + i * 8);
    if (ip == static_cast<uint64_t>(PERF_CONTEXT_USER)) break;
    if (ip >= static_cast<uint64_t>(PERF_CONTEXT_MAX)) continue;
    frames[count++] = Frame::of(RawKind::kKernel, ip);
  }
  return count;
}

}  // namespace

bool has_kernel_record(void* page) {
  return !Reader(page).at_end();
}

uint32_t read_kernel_ring(void* page, Frame* frames, uint32_t max_frames) {
  uint32_t frame_count = 0;
  Reader ring(page);
  while (!ring.at_end()) {
    uint64_t head = ring.word(0);  // u32 type, u16 misc, u16 size
    auto type = static_cast<uint32_t>(head);
    uint64_t size = head >> 48;
    if (size < 8) break;
    if (type == PERF_RECORD_SAMPLE) frame_count = read_chain(ring, ring.word(8), frames, max_frames);
    ring.advance(size);
  }
  ring.finish();
  return frame_count;
}

}  // namespace hearth::capture
