// Access to the points at which the JVM's allocation sampler takes each thread's next sample.
#pragma once

#include <jvmti.h>

#include <cstdint>

#include "capture/unwind/java/java_frames.h"
#include "capture/unwind/java/vm_layout.h"

namespace hearth::events {

// True if `word` holds the calling thread's point, which no table of the JVM confirms. Allocates past several points at
// different intervals: the word must follow each time, as no other word does. Takes a few objects of 256 KiB, 100 if a
// point is far away. On an attached thread; `sampler`'s events are on. Afterwards the interval is `interval`, and this
// thread has drawn its point by it. Other threads that pass a point meanwhile may draw by another interval.
bool holds_sample_point(JNIEnv* env, jvmtiEnv* sampler, uintptr_t word, int64_t interval);

// Sets the points of all threads to their next object. A thread that lives when the interval becomes 0 keeps the point
// that it drew before, and a TLAB without one: hundreds of KB would be missed. Forces a garbage collection, which
// retires every TLAB, and sets the points in its pause, when no thread allocates. On an attached thread; `sampler`'s
// events are on, and its interval will be 0. False: this JVM keeps its points elsewhere, or does not collect, and no
// point was set.
bool bring_sample_points_here(JavaVM* java_vm, jvmtiEnv* sampler, const capture::VmLayout& layout,
                              const capture::ThreadAccess& access);

// Visits the JavaThreads of a JVM at a safepoint: at most 2^20, so that it ends on an invalid list, too. Takes no
// memory.
void visit_listed_threads(const capture::ThreadListLayout& layout, void (*visit)(void* with, uintptr_t thread),
                          void* with);

}  // namespace hearth::events
