#include "profile/formats/read_collapsed.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "base/formatted.h"
#include "profile/codec/utf8.h"
#include "profile/formats/formats.h"
#include "profile/formats/frame_text.h"

namespace hearth::profile {
namespace {

constexpr size_t kShownOfBadLine = 80;
// Limits that no profiler reaches; a file of another kind may have no line breaks, or nothing else.
constexpr size_t kLongestLine = size_t{64} << 20;
constexpr size_t kDeepestStack = 1'000'000;

size_t common_prefix(std::string_view a, std::string_view b) {
  size_t size = std::min(a.size(), b.size());
  size_t at = 0;
  for (; at + sizeof(uint64_t) <= size; at += sizeof(uint64_t)) {
    uint64_t left;
    uint64_t right;
    std::memcpy(&left, a.data() + at, sizeof left);
    std::memcpy(&right, b.data() + at, sizeof right);
    if (left != right) return at + static_cast<size_t>(__builtin_ctzll(left ^ right)) / 8;
  }
  while (at < size && a[at] == b[at]) ++at;
  return at;
}

}  // namespace

void CollapsedReader::feed(std::string_view piece) {
  if (!begun_line_.empty()) {
    size_t end = piece.find('\n');
    begun_line_ += piece.substr(0, end);
    if (begun_line_.size() > kLongestLine) read_line(begun_line_);
    if (end == std::string_view::npos) return;
    std::string line;
    line.swap(begun_line_);
    read_line(line);
    keep_line_before();
    piece.remove_prefix(end + 1);
  }
  for (size_t end; (end = piece.find('\n')) != std::string_view::npos; piece.remove_prefix(end + 1))
    read_line(piece.substr(0, end));
  keep_line_before();
  begun_line_ = piece;
}

Profile CollapsedReader::finish() {
  if (!begun_line_.empty()) read_line(begun_line_);
  profile_.quality.samples = static_cast<uint64_t>(std::max<int64_t>(sum_, 0));
  return std::move(profile_);
}

void CollapsedReader::keep_line_before() {
  if (stack_before_.data() == kept_stack_before_.data()) return;
  kept_stack_before_ = stack_before_;
  stack_before_ = kept_stack_before_;
}

void CollapsedReader::read_line(std::string_view line) {
  ++line_number_;
  if (line.size() > kLongestLine) fail(line, formatted("a line has at most {} MiB", kLongestLine >> 20));
  size_t last = line.find_last_not_of(" \t\r");
  if (last == std::string_view::npos) return;
  line = line.substr(0, last + 1);
  size_t blank = line.find_last_of(" \t");
  if (blank == std::string_view::npos) fail(line, "a line is frames parted by ';', a blank and a count");
  std::string_view stack = line.substr(0, blank);
  int64_t count = read_count(line, line.substr(blank + 1));
  if (stack.find_first_not_of(" \t") == std::string_view::npos) fail(line, "there is no frame before the count");
  profile_.add(read_stack(line, stack), 0, &count);
  sum_ = saturating_sum(sum_, count);
}

int64_t CollapsedReader::read_count(std::string_view line, std::string_view digits) const {
  int64_t count = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  bool whole = end == digits.data() + digits.size();
  if (error == std::errc::result_out_of_range && whole) fail(line, "the count is more than 2^63-1");
  if (error != std::errc() || !whole) fail(line, "the count after the last blank must be an integer");
  return count;
}

NodeId CollapsedReader::read_stack(std::string_view line, std::string_view stack) {
  size_t common = common_prefix(stack, stack_before_);
  auto shared = [&](const OpenFrame& frame) {
    return frame.end <= common && (frame.end == stack.size() || stack[frame.end] == ';');
  };
  while (!open_.empty() && !shared(open_.back())) open_.pop_back();
  size_t at = open_.empty() ? 0 : open_.back().end + 1;
  NodeId node = open_.empty() ? 0 : open_.back().node;
  while (at <= stack.size()) {
    size_t end = std::min(stack.find(';', at), stack.size());
    node = profile_.child(node, location(stack.substr(at, end - at)));
    open_.push_back({end, node});
    if (open_.size() > kDeepestStack) fail(line, formatted("a stack has at most {} frames", kDeepestStack));
    at = end + 1;
  }
  stack_before_ = stack;
  return node;
}

LocationId CollapsedReader::location(std::string_view frame) {
  uint32_t id =
      spelling_index_.find_or_claim(hash_of(frame), [&](uint32_t known) { return spellings_[known].text == frame; });
  if (id == spellings_.size()) {
    NamedFrame named = frame_of_text(frame);
    spellings_.push_back({texts_.copy(frame), profile_.location(profile_.function(named.name, named.kind), 0)});
  }
  return spellings_[id].location;
}

void CollapsedReader::fail(std::string_view line, const std::string& problem) const {
  std::string shown = shown_text(line.substr(0, kShownOfBadLine));
  if (line.size() > kShownOfBadLine) shown += "…";
  throw FormatError(formatted("line {} of the collapsed stacks: {}; read '{}'", line_number_, problem, shown));
}

Profile read_collapsed(std::string_view text) {
  CollapsedReader reader;
  reader.feed(text);
  return reader.finish();
}

}  // namespace hearth::profile
