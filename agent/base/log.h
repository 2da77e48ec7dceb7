// What the agent says of itself: one line a message, "hearth: …" on standard error, or to the log file. Thread safe;
// outside signals.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

namespace hearth {

enum class LogLevel { kDebug, kInfo, kWarn, kError, kNone };
inline constexpr LogLevel kUsualLogLevel = LogLevel::kWarn;  // the standard error is the program's

class Log {
 public:
  // Throws Error when the file cannot be opened; then nothing is changed.
  void configure(LogLevel least, const std::string& file, bool quiet);

  void debug(std::string_view message) { write(LogLevel::kDebug, message); }
  void info(std::string_view message) { write(LogLevel::kInfo, message); }
  void warn(std::string_view message) { write(LogLevel::kWarn, message); }
  void error(std::string_view message) { write(LogLevel::kError, message); }

 private:
  void write(LogLevel level, std::string_view message);

  std::mutex mutex_;
  LogLevel least_ = kUsualLogLevel;
  std::string file_;
};

}  // namespace hearth
