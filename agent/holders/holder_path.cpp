#include "holders/holder_path.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

#include "base/formatted.h"
#include "base/text_parts.h"

namespace hearth::holders {
namespace {

constexpr std::string_view kThread = "thread ";

// The fields between a thread and the value of one of its thread-locals, after the first.
constexpr std::string_view kToThreadLocal[] = {"java.lang.ThreadLocal$ThreadLocalMap.table",
                                               "java.lang.ThreadLocal$ThreadLocalMap$Entry[]",
                                               "java.lang.ThreadLocal$ThreadLocalMap$Entry.value"};

// Where a path goes through the thread-locals of a thread: the number of its first steps up to a value; 0: nowhere.
size_t steps_to_thread_local(const HolderPath& path) {
  constexpr size_t kBefore = 2, kAll = kBefore + std::size(kToThreadLocal);
  if (path.size() <= kAll || !starts_with(path[0], kThread)) return 0;
  if (path[1] != "java.lang.Thread.threadLocals" && path[1] != "java.lang.Thread.inheritableThreadLocals") return 0;
  return std::equal(std::begin(kToThreadLocal), std::end(kToThreadLocal), path.begin() + kBefore) ? kAll : 0;
}

// How many times the `length` steps at `begin` follow each other.
size_t repetitions(const HolderPath& path, size_t begin, size_t length) {
  size_t times = 1;
  auto cycle = path.begin() + static_cast<ptrdiff_t>(begin);
  for (size_t at = begin + length; at + length <= path.size(); at += length, ++times)
    if (!std::equal(cycle, cycle + static_cast<ptrdiff_t>(length), path.begin() + static_cast<ptrdiff_t>(at))) break;
  return times;
}

const char* primitive_name(char type) {
  switch (type) {
    case 'Z':
      return "boolean";
    case 'B':
      return "byte";
    case 'C':
      return "char";
    case 'S':
      return "short";
    case 'I':
      return "int";
    case 'J':
      return "long";
    case 'F':
      return "float";
    case 'D':
      return "double";
    default:
      return "?";
  }
}

}  // namespace

HolderPath folded(const HolderPath& path) {
  constexpr size_t kLongestCycle = 4, kFewest = 3;
  HolderPath short_path;
  size_t at = steps_to_thread_local(path);
  if (at > 0) short_path.push_back("thread-local of " + path[0]);
  while (at < path.size()) {
    size_t length = 1, times = 1;
    for (; length <= kLongestCycle; ++length) {
      times = repetitions(path, at, length);
      if (times >= kFewest) break;
    }
    if (times < kFewest) {
      short_path.push_back(path[at++]);
      continue;
    }
    std::vector<std::string> cycle(path.begin() + static_cast<ptrdiff_t>(at),
                                   path.begin() + static_cast<ptrdiff_t>(at + length));
    short_path.push_back(length == 1 ? formatted("{} × {:L}", cycle[0], times)
                                     : formatted("({}) × {:L}", joined(cycle, " → "), times));
    at += length * times;
  }
  return short_path;
}

std::string class_name_of(const std::string& signature) {
  size_t dimensions = std::min(signature.find_first_not_of('['), signature.size());
  std::string name;
  if (dimensions < signature.size() && signature[dimensions] == 'L') {
    name = signature.substr(dimensions + 1, signature.find(';') - dimensions - 1);
    std::replace(name.begin(), name.end(), '/', '.');
  } else {
    name = primitive_name(dimensions < signature.size() ? signature[dimensions] : '?');
  }
  while (dimensions-- > 0) name += "[]";
  return name;
}

}  // namespace hearth::holders
