// A thread that allocates, and the allocation sampler of a JVM that loses count, as in JDK 17 and JDK 11: the bytes
// that the sampler counts, the TLAB ends that it sets, and the objects that it reports.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>

#include "capture/unwind/java/vm_layout.h"
#include "events/alloc/own_points.h"

namespace hearth::events {

class MadeUpSampler {
 public:
  struct Sizes {
    int64_t tlab = 1 << 20;
    int64_t largest_tlab = 1 << 30;
    int64_t between_collections = 300 << 20;
  };

  MadeUpSampler(int64_t interval, const Sizes& sizes, bool is_first)
      : sizes_(sizes), is_first_(is_first), distance_(1.0 / static_cast<double>(interval)) {
    thread_.waste_limit = least_waste();
    thread_.point = draw();
  }

  // Called with each object that the sampler shows.
  std::function<void(const ShownObject&)> show;

  uintptr_t thread() const { return reinterpret_cast<uintptr_t>(&thread_); }

  capture::AllocationLayout layout() const {
    capture::AllocationLayout layout;
    layout.known = layout.loses_count = layout.has_tlab_limits = true;
    layout.forgets_point = is_first_;
    layout.allocated_bytes = offsetof(Thread, bytes);
    layout.tlab_start = offsetof(Thread, start);
    layout.tlab_top = offsetof(Thread, top);
    layout.tlab_end = offsetof(Thread, end);
    layout.waste_limit = offsetof(Thread, waste_limit);
    layout.sample_point = offsetof(Thread, point);
    return layout;
  }

  void allocate(int64_t size) {
    until_collection_ -= size;
    if (until_collection_ < 0) collect();
    if (left() >= size) {
      take(size);
    } else {
      allocate_slowly(size);
    }
  }

 private:
  struct Thread {
    int64_t bytes = 0;
    uintptr_t start = 0;
    uintptr_t top = 0;
    uintptr_t end = 0;
    int64_t waste_limit = 0;  // in words
    int64_t point = 0;
  };

  int64_t least_waste() const { return sizes_.tlab / 64 / 8; }
  int64_t left() const { return static_cast<int64_t>(thread_.end - thread_.top); }
  int64_t draw() { return static_cast<int64_t>(distance_(random_)) + 1; }

  uintptr_t take(int64_t size) {
    uintptr_t address = thread_.top;
    thread_.top += static_cast<uintptr_t>(size);
    return address;
  }

  void give_up_tlab() {
    thread_.bytes += static_cast<int64_t>(thread_.top - thread_.start);
    thread_.start = thread_.top = thread_.end = hard_end_ = 0;
  }

  void collect() {
    give_up_tlab();
    thread_.waste_limit = least_waste();
    until_collection_ = sizes_.between_collections;
  }

  void allocate_slowly(int64_t size) {
    thread_.end = hard_end_;
    bool sets_point = !is_first_;
    uintptr_t address = 0;
    bool is_outside = false;
    if (left() >= size) {
      address = take(size);
      sets_point = true;
    } else if (left() > thread_.waste_limit * 8) {
      thread_.waste_limit += 4;
      is_outside = true;
    } else {
      give_up_tlab();
      is_outside = !begin_tlab(size);
      sets_point |= !is_outside;
      if (!is_outside) address = take(size);
    }
    if (is_outside) {
      address = outside_ += static_cast<uintptr_t>(size);
      thread_.bytes += size;
    }
    int64_t in_tlab = is_outside ? 0 : counted_in_tlab_;
    look(address, size, in_tlab);
    if (sets_point) set_end(is_first_ || in_tlab != 0);
  }

  bool begin_tlab(int64_t size) {
    int64_t all = std::min(sizes_.tlab + size, sizes_.largest_tlab);
    if (all < size + 64) return false;
    thread_.start = thread_.top = eden_;
    eden_ += static_cast<uintptr_t>(all);
    thread_.end = hard_end_ = eden_;
    thread_.waste_limit = least_waste();
    return true;
  }

  void look(uintptr_t address, int64_t size, int64_t in_tlab) {
    int64_t counted = in_tlab + size;
    if (counted < thread_.point) {
      thread_.point -= counted;
      return;
    }
    thread_.point = draw();
    show({thread(), address, size});
  }

  void set_end(bool begins_count) {
    if (begins_count) counted_in_tlab_ = 0;
    int64_t whole = thread_.point / 8 * 8;
    counted_in_tlab_ += left() > whole ? thread_.point : left();
    if (left() > whole) thread_.end = thread_.top + static_cast<uintptr_t>(whole);
  }

  Sizes sizes_;
  bool is_first_;
  std::mt19937_64 random_{1};
  std::exponential_distribution<double> distance_;
  Thread thread_;
  uintptr_t hard_end_ = 0;
  int64_t counted_in_tlab_ = 0;
  int64_t until_collection_ = 0;
  uintptr_t eden_ = 1UL << 32;
  uintptr_t outside_ = 1UL << 52;
};

}  // namespace hearth::events
