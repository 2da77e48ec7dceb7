// The agent's log: one line for each message, "hearth: …", on standard error or in the log file. Thread safe; outside
// signals.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

namespace hearth {

enum class LogLevel { kDebug, kInfo, kWarn, kError, kNone };
inline constexpr LogLevel kUsualLogLevel = LogLevel::kWarn;  // standard error belongs to the program

class Log {
 public:
  // Throws Error and changes nothing if the file cannot be opened.
  void configure(LogLevel least, const std::string& file, bool quiet);

  // Sends messages to standard output, not standard error, unless the log was configured before.
  void prefer_standard_output();

  void debug(std::string_view message) { write(LogLevel::kDebug, message); }
  void info(std::string_view message) { write(LogLevel::kInfo, message); }
  void warn(std::string_view message) { write(LogLevel::kWarn, message); }
  void error(std::string_view message) { write(LogLevel::kError, message); }

 private:
  void write(LogLevel level, std::string_view message);

  std::mutex mutex_;
  LogLevel least_ = kUsualLogLevel;
  std::string file_;
  bool is_configured_ = false;
  bool uses_standard_output_ = false;
};

}  // namespace hearth
