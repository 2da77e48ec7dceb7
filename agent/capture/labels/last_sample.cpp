#include "capture/labels/last_sample.h"

namespace hearth::capture {
namespace {

thread_local volatile uint64_t t_last_sample = 0;

}  // namespace

volatile uint64_t* last_sample_cell() {
  return &t_last_sample;
}

}  // namespace hearth::capture
