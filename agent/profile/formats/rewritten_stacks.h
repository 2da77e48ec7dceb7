// Stacks as text, for a program to rewrite them, and the profile with the stacks that the program made of them.
#pragma once

#include <string>
#include <string_view>

#include "profile/formats/formats.h"
#include "profile/model/profile.h"

namespace hearth::profile {

// Each stack that has samples once, of all events, a line each, spelled as collapsed stacks are. Of the options
// include, exclude and labels count. The order follows from the profile and the options alone. Throws FormatError as
// only_labelled() does.
std::string stack_lines(const Profile& profile, const WriteOptions& options);

// The profile with the stack of each of these lines replaced by the text in the same line of `lines`, and without the
// stacks whose line is empty. Samples keep their labels, times and values. Frames keep their kinds and lines as far as
// the new stack or the profile has frames of the same text; others take the kind of the frame in whose place they are.
// Throws FormatError for another number of lines, and where all are empty.
Profile rewritten_stacks(const Profile& profile, const WriteOptions& options, std::string_view lines);

}  // namespace hearth::profile
