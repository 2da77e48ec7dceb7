#include "options/thread_filter.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/error.h"
#include "base/formatted.h"

namespace hearth::options {
namespace {

constexpr char kAccepted[] = "accepted: thread ids, ranges and names as 120-127;main;pool-.*, parted by semicolons";

// "120" or "120-127", and nothing else.
std::optional<std::pair<int, int>> id_range(std::string_view text) {
  std::pair<int, int> range;
  const char* end = text.data() + text.size();
  auto [after_first, error] = std::from_chars(text.data(), end, range.first);
  if (error != std::errc()) return std::nullopt;
  range.second = range.first;
  if (after_first == end) return range;
  if (*after_first != '-') return std::nullopt;
  auto [after_last, last_error] = std::from_chars(after_first + 1, end, range.second);
  if (last_error != std::errc() || after_last != end) return std::nullopt;
  return range;
}

constexpr int64_t kOfEachPart = 20;         // characters that take as much memory as a part without any
constexpr int64_t kMostTogether = 100'000;  // characters, each as often as it is repeated: about 20 MB

// The characters of a part, each as often as it is repeated; none where the part is too complex. regcomp(3) recurses
// with each bracket, and its memory multiplies with each {n}: a text from afar must not exhaust the process.
std::optional<int64_t> weight_of(std::string_view text) {
  constexpr size_t kLongest = 1000;
  constexpr int kDeepest = 50;
  constexpr int64_t kMostCopies = 1000;
  if (text.size() > kLongest) return std::nullopt;
  int depth = 0;
  int64_t copies = 1;
  for (size_t i = 0; i < text.size(); i++) {
    if (text[i] == '(' && ++depth > kDeepest) return std::nullopt;
    if (text[i] == ')') depth--;
    if (text[i] != '{') continue;
    // {n}, {n,} and {n,m}: the larger number.
    int64_t most = 1;
    for (const char* at = text.data() + i + 1; at < text.data() + text.size() && *at != '}';) {
      int64_t number = 1;
      auto [after, error] = std::from_chars(at, text.data() + text.size(), number);
      if (error == std::errc::result_out_of_range) return std::nullopt;
      most = std::max(most, number);
      at = std::max(after, at + 1);
    }
    copies *= most;
    if (copies > kMostCopies) return std::nullopt;
  }
  return kOfEachPart + copies * static_cast<int64_t>(text.size());
}

// POSIX's and not std::regex: that one recurses with the length of a name, on whatever stack it is called.
// Adds its weight to `weight`, that of all parts.
std::shared_ptr<const regex_t> compiled(std::string_view text, int64_t* weight) {
  std::optional<int64_t> own = weight_of(text);
  if (!own)
    throw Error("option filter: a regular expression is too long, too deep in brackets or repeats too much",
                "write a simpler one: at most 1,000 characters, 50 brackets in each other and 1,000 repetitions");
  *weight += *own;
  if (*weight > kMostTogether)
    throw Error("option filter: its regular expressions together are too long, or repeat too much",
                "write fewer or simpler ones: at most 100,000 characters, each counted as often as it is repeated");
  auto pattern = std::make_unique<regex_t>();
  int error = regcomp(pattern.get(), formatted("^({})$", text).c_str(), REG_EXTENDED | REG_NOSUB);
  if (error == 0) {
    return {pattern.release(), [](regex_t* owned) {
              regfree(owned);
              delete owned;
            }};
  }
  char why[128];
  regerror(error, pattern.get(), why, sizeof why);
  throw Error(formatted("option filter: \"{}\" is neither a thread id nor a regular expression ({})", text, why),
              ".* matches any text, a backslash before a special character that character");
}

}  // namespace

ThreadFilter::ThreadFilter(std::string_view text) : text_(text) {
  int64_t weight = 0;
  while (!text.empty()) {
    size_t end = text.find(';');
    if (end != 0) add(text.substr(0, end), &weight);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  if (accepts_all()) throw Error(formatted("option filter: \"{}\" names no thread", text_), kAccepted);
}

ThreadFilter ThreadFilter::of_added_threads() {
  ThreadFilter filter;
  filter.added_ = std::make_shared<Added>();
  return filter;
}

bool ThreadFilter::add_thread(int tid) const {
  if (!added_) return false;
  std::lock_guard<std::mutex> lock(added_->mutex);
  added_->ids.insert(tid);
  return true;
}

bool ThreadFilter::remove_thread(int tid) const {
  if (!added_) return false;
  std::lock_guard<std::mutex> lock(added_->mutex);
  added_->ids.erase(tid);
  return true;
}

void ThreadFilter::add(std::string_view part, int64_t* weight) {
  if (auto range = id_range(part)) {
    if (range->first <= 0 || range->second < range->first)
      throw Error(formatted("option filter: \"{}\" is not a range of thread ids", part), kAccepted);
    ids_.push_back(*range);
    return;
  }
  names_.push_back({std::string(part), compiled(part, weight)});
}

bool ThreadFilter::accepts(int tid, const std::string& name) const {
  if (accepts_all()) return true;
  if (added_) {
    std::lock_guard<std::mutex> lock(added_->mutex);
    return added_->ids.count(tid) > 0;
  }
  auto has_id = [tid](const std::pair<int, int>& range) { return tid >= range.first && tid <= range.second; };
  auto has_name = [&name](const Name& wanted) {
    return wanted.text == name || regexec(wanted.pattern.get(), name.c_str(), 0, nullptr, 0) == 0;
  };
  return std::any_of(ids_.begin(), ids_.end(), has_id) || std::any_of(names_.begin(), names_.end(), has_name);
}

}  // namespace hearth::options
