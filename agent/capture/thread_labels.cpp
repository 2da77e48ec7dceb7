#include "capture/thread_labels.h"

namespace hearth::capture {
namespace {

__attribute__((tls_model("initial-exec"))) thread_local uint32_t t_labels = kNoLabels;

}  // namespace

uint32_t current_labels() {
  return t_labels;
}

uint32_t* label_cell() {
  return &t_labels;
}

}  // namespace hearth::capture
