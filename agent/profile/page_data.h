// What a flame graph page carries, version 1. In the page it is base64 of raw deflate of this payload:
//
// 1. A varint, the length of the header, then the header: JSON, UTF-8.
//      format 1; title, event, producer, runtime: text; values: [{type, unit, interval: of each of several
//      events}, …]; lens: index of the value shown first; view: {reverse, inverted: bool, minwidth: percent}; interval
//      (unit of the last value), start_unix_ms, duration_ns; quality: see quality.h; names, frames, nodes, mixed: how
//      many follow
//    Of a difference also difference: {normalized: bool, sides: [before, after]}, each with a name and the header's
//    fields of its own profile; values are then those before and as many after, and lens is of the first half. Where
//    the first value is "samples", a weight's deviation follows from how many samples it has.
// 2. The names, sorted bytewise, front-coded: a varint, how many bytes are those of the name before; a varint, how many
// are new;
//    the new ones (UTF-8).
// 3. The frames, most used first: a varint, the name's index; a byte, the kind (FrameKind).
// 4. The nodes of the call tree in preorder, root not included, a column after the other, all varints:
//      how many levels to go up from the node before to come to the parent: 0 for its child, and 0 for the first node;
//      the frame's index;
//      then for each value type the node's own value, without its children's.
//    Siblings are ordered by name, so equal profiles give equal bytes.
// 5. For each mixed node, which merges frames of several kinds (a method interpreted at first, then compiled): how many
//    nodes it comes after the mixed node before (the first: after the first node of all), how many kinds; for each a
//    byte, the kind, and a varint, what it holds of the last value with its children.
//
// A varint is unsigned LEB128. Source lines are not kept: frames that differ in the line only are one. Nor
// can merged frames be parted again by reading.
#pragma once

#include <string>
#include <string_view>

#include "profile/formats.h"
#include "profile/profile.h"

namespace hearth::profile {

// Applies include, exclude, annotate, minwidth of the options. Throws FormatError on negative values (a difference of
// profiles), which the payload cannot hold.
std::string encode_page_data(const Profile& profile, const WriteOptions& options);

// Throws FormatError on anything that is not a payload of version 1.
Profile decode_page_data(std::string_view payload);

// The title an output is given: the option, else the profile's own, else its event.
std::string page_title(const Profile& profile, const WriteOptions& options);

}  // namespace hearth::profile
