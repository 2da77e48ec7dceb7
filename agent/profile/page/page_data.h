// The data of a flame graph page, version 2. The page contains base64 of raw deflate of this payload, in which a varint
// is an unsigned LEB128, and texts are front-coded: a varint, the number of bytes shared with the previous text; a
// varint, the number of new bytes; the new bytes (UTF-8).
//
// 1. A varint, the length of the header, then the header: JSON, UTF-8.
//      format 2; title, event, producer, runtime, program, pid, host: text; values: [{type, unit, interval: of each of
//      several events}, …]; lens: index of the value shown first; view: {reverse, inverted: bool, minwidth: percent,
//      kinds, lines: bool, whether frames that differ in them are separate at first, sort: "name" or "width", of
//      siblings at first, highlights: [pattern, …], tree: bool, whether the page opens on its tree}; transforms:
//      [{type, what, replacement, gaps, enabled}, …], applied to stacks at first; interval (unit of the last
//      value), start_unix_ms, duration_ns; quality: see quality.h; labels: [{key, unit}, …], by number, without unit
//      for labels with text values; time: null, or {step_ns, count}: length and number of the steps from the
//      profile's start on that rows are divided into; names, frames, nodes, words, label_sets, rows: their counts
//    Of a difference also difference: {normalized: bool, sides: [before, after]}, each with a name and the header's
//    fields of its own profile; values are then those before and as many after, and lens is of the first half. Where
//    the first value is "samples", a weight's deviation follows from how many samples it has.
// 2. The names of frames, sorted bytewise, front-coded.
// 3. The frames, most used first: a varint, the name's index; a byte, the kind (FrameKind); a varint, the line, 0 where
//    it is not known.
// 4. The nodes of the call tree in preorder, without the root, as columns, all varints:
//      the number of levels from the previous node up to the parent: 0 for its child, and 0 for the first node;
//      the frame's index.
//    Siblings are ordered by name, kind and line, no two equal in all, so equal profiles give equal bytes.
// 5. The words, texts that labels have, sorted bytewise, front-coded. Then the label sets: a varint, how many labels;
//    for each two varints, the key's number, and the word's index or, of a number, that in zigzag.
// 6. The rows, the self values of nodes, without their children, in the order of the nodes, as columns, all
//    varints:
//      for each node, how many rows it has;
//      for each row its label set, where there is any: 0 for none, else from 1 on in their order;
//      where there are times its step: 0 for no time, else from 1 on;
//      for each value type the row's value;
//      for each value type with "deviations" the row's standard deviation.
//    A node's rows are ordered by label set, then time.
//
// Version 1 had no labels, times and lines: frames had a name and a kind, each node its values (and deviations) where
// now its row count is, and after these the parts of merged frames by kind, which are no longer read.
#pragma once

#include <string>
#include <string_view>

#include "profile/formats/formats.h"
#include "profile/model/profile.h"

namespace hearth::profile {

// Applies include, exclude and minwidth of the options. Throws FormatError for negative values (a difference of
// profiles), which the payload cannot represent.
std::string encode_page_data(const Profile& profile, const WriteOptions& options);

// Throws FormatError for anything but a payload of version 2 or 1, or if it expands to far more than a file of `stored`
// bytes may contain.
Profile decode_page_data(std::string_view payload, size_t stored);

// The title of an output: the option, else the profile's own, else its event.
std::string page_title(const Profile& profile, const WriteOptions& options);

}  // namespace hearth::profile
