// The text of a frame in text outputs, and its inverse.
#pragma once

#include <string>
#include <string_view>

#include "profile/model/profile.h"

namespace hearth::profile {

// The name and the kind's suffix: _[k] on kernel frames always; _[0] _[1] _[j] _[i] on Java frames if `annotate`. A
// nameless frame is [unknown]. Since ';' separates frames and a line break ends a stack, ';' becomes '|' (as in
// async-profiler) and a line break a blank.
std::string frame_text(std::string_view name, FrameKind kind, bool annotate);

struct NamedFrame {
  std::string_view name;  // part of the text that was read
  FrameKind kind;
};

// The inverse, as far as possible: by suffix, else by kind_of_name().
NamedFrame frame_of_text(std::string_view text);

// By shape: [name tid=1] thread, other brackets marker (native when a library), the JVM's own names of stubs, a::b C++,
// a/b, Class.method, a.b.method or a$b.method Java, otherwise native.
FrameKind kind_of_name(std::string_view name);

bool is_java(FrameKind kind);

// The word of frames between two threads' stacks: "holds" for "[holds CLASS]", or "[holds]" where the class is unknown,
// and the same for "wakes". "": another frame.
inline constexpr std::string_view kHoldsWord = "holds", kWakesWord = "wakes";
std::string_view relation_word(std::string_view name);

}  // namespace hearth::profile
