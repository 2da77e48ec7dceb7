// A line on a terminal that is redrawn as time passes; nothing if standard error is not a terminal.
#pragma once

#include <chrono>
#include <string>

namespace hearth::launcher {

// "profiling 1234 clojure.main  [=====     ] 5/10 s"
std::string progress_text(const std::string& label, std::chrono::milliseconds passed, std::chrono::milliseconds total);

class ProgressLine {
 public:
  explicit ProgressLine(std::string label);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();  // clears the line

  void show(std::chrono::milliseconds passed, std::chrono::milliseconds total);

 private:
  std::string label_;
  bool on_terminal_;
};

}  // namespace hearth::launcher
