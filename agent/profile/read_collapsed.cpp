#include <algorithm>
#include <charconv>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "base/formatted.h"
#include "profile/formats.h"
#include "profile/frame_text.h"
#include "profile/utf8.h"

namespace hearth::profile {
namespace {

constexpr size_t kShownOfBadLine = 80;

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

class CollapsedReader {
 public:
  explicit CollapsedReader(std::string_view text) : text_(text) { profile_.value_types = {{"samples", "count"}}; }

  Profile read() {
    while (!text_.empty()) {
      size_t end = text_.find('\n');
      ++line_number_;
      read_line(text_.substr(0, end));
      text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    }
    profile_.quality.samples = static_cast<uint64_t>(std::max<int64_t>(sum_, 0));
    return std::move(profile_);
  }

 private:
  struct OpenFrame {
    size_t end;  // in the line before
    NodeId node;
  };

  void read_line(std::string_view line);
  int64_t read_count(std::string_view line, std::string_view digits) const;
  NodeId read_stack(std::string_view stack);
  LocationId location(std::string_view frame);
  [[noreturn]] void fail(std::string_view line, std::string_view problem) const;

  std::string_view text_;
  size_t line_number_ = 0;
  int64_t sum_ = 0;
  Profile profile_;
  std::unordered_map<std::string_view, LocationId> locations_;
  // The stack of the line before: what this line shares with it is known already.
  std::string_view stack_before_;
  std::vector<OpenFrame> open_;
};

void CollapsedReader::read_line(std::string_view line) {
  size_t last = line.find_last_not_of(" \t\r");
  if (last == std::string_view::npos) return;
  line = line.substr(0, last + 1);
  size_t blank = line.find_last_of(" \t");
  if (blank == std::string_view::npos) fail(line, "a line is frames parted by ';', a blank and a count");
  std::string_view stack = line.substr(0, blank);
  int64_t count = read_count(line, line.substr(blank + 1));
  if (stack.find_first_not_of(" \t") == std::string_view::npos) fail(line, "there is no frame before the count");
  profile_.add(read_stack(stack), 0, &count);
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

NodeId CollapsedReader::read_stack(std::string_view stack) {
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
    at = end + 1;
  }
  stack_before_ = stack;
  return node;
}

LocationId CollapsedReader::location(std::string_view frame) {
  auto [entry, is_new] = locations_.try_emplace(frame, 0);
  if (is_new) {
    NamedFrame named = frame_of_text(frame);
    entry->second = profile_.location(profile_.function(named.name, named.kind), 0);
  }
  return entry->second;
}

void CollapsedReader::fail(std::string_view line, std::string_view problem) const {
  std::string shown = valid_utf8(line.substr(0, kShownOfBadLine));
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < ' ') c = '?';
  if (line.size() > kShownOfBadLine) shown += "…";
  throw FormatError(formatted("line {} of the collapsed stacks: {}; read '{}'", line_number_, problem, shown));
}

}  // namespace

Profile read_collapsed(std::string_view text) {
  return CollapsedReader(text).read();
}

}  // namespace hearth::profile
