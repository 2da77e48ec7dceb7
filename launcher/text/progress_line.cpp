#include "launcher/text/progress_line.h"
#include "base/formatted.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace hearth::launcher {
namespace {

constexpr int kBarWidth = 20;

int64_t whole_seconds(std::chrono::milliseconds time) {
  return std::chrono::ceil<std::chrono::seconds>(time).count();
}

}  // namespace

std::string progress_text(const std::string& label, std::chrono::milliseconds passed, std::chrono::milliseconds total) {
  passed = std::min(passed, total);
  auto filled = static_cast<size_t>(total.count() == 0 ? kBarWidth : passed.count() * kBarWidth / total.count());
  auto seconds = std::chrono::floor<std::chrono::seconds>(passed).count();
  return formatted("profiling {}  [{:<{}}] {}/{} s", label, std::string(filled, '='), kBarWidth, seconds,
                   whole_seconds(total));
}

ProgressLine::ProgressLine(std::string label) : label_(std::move(label)), on_terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (on_terminal_) print(stderr, "\r\033[K");
}

void ProgressLine::show(std::chrono::milliseconds passed, std::chrono::milliseconds total) {
  if (on_terminal_) print(stderr, "\r{}\033[K", progress_text(label_, passed, total));
}

}  // namespace hearth::launcher
