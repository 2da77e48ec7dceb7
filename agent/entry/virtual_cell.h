// The memory that Java writes for a virtual thread: its label number or its span.
#pragma once

#include <jni.h>

#include <cstdint>

#include "commands/agent.h"

namespace hearth::entry {

// Returns the cell of the calling virtual thread, given by its number, as a buffer; valid until the thread returns it.
// Null: its samples could not be found, or there is no memory. `Cells` is a capture::VirtualCells.
template <typename Cells>
jobject virtual_cell(JNIEnv* env, Cells* cells, jlong thread) {
  if (!commands::Agent::instance().vm().layout.thread_objects.known) return nullptr;
  auto number = static_cast<uint64_t>(thread);
  auto* cell = cells->take_cell(number);
  if (cell == nullptr) return nullptr;
  jobject buffer = env->NewDirectByteBuffer(cell, sizeof *cell);
  if (buffer == nullptr) cells->give_back(number);
  return buffer;
}

}  // namespace hearth::entry
