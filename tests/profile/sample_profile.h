// A small profile with something of everything, for tests of the formats.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "profile/model/profile.h"

namespace hearth::profile {

using Stack = std::initializer_list<std::pair<std::string_view, FrameKind>>;  // outermost first

NodeId stack(Profile& profile, Stack frames);

void add(Profile& profile, Stack frames, std::initializer_list<int64_t> values, LabelSetId labels = 0);

// An empty one; its only values are numbers of samples.
Profile counted();

// cpu: samples and nanoseconds; Java of every kind, Clojure, C++, native, kernel, thread, marker; labels; lines;
// quality; 8 samples.
Profile sample_profile();

// A page's payload read, as of a file that is no larger.
Profile decoded(std::string_view payload);

// The stacks with their values as text, sorted, kinds annotated, to compare two profiles.
std::string dump(const Profile& profile);

}  // namespace hearth::profile
