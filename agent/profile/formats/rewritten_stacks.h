// Writes stacks as text, for a program to rewrite, and puts the rewritten stacks into the profile.
#pragma once

#include <string>
#include <string_view>

#include "profile/formats/formats.h"
#include "profile/model/profile.h"

namespace hearth::profile {

// Each stack with samples of any event once, one per line, in the notation of collapsed stacks. Uses the options
// include, exclude and labels. The order depends only on the profile and the options. Throws FormatError as
// only_labelled() does.
std::string stack_lines(const Profile& stored, const WriteOptions& options);

// The profile with the stack of each of these lines replaced by the same line of `lines`, and dropped if that is empty.
// Samples keep their labels, times and values. Frames keep their kinds and lines if the new stack or the profile has
// frames of the same text; others take the kind of the frame that they replace. Throws FormatError for a different
// number of lines, and if all are empty.
Profile rewritten_stacks(const Profile& stored, const WriteOptions& options, std::string_view lines);

}  // namespace hearth::profile
