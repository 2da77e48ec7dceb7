// Labels of samples. If stacks begin with their thread, `thread` is a label.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "profile/model/profile.h"

namespace hearth::profile {

inline constexpr std::string_view kThreadLabel = "thread";
inline constexpr std::string_view kTidLabel = "tid";
// Ids of a sample's span, in tracing's terms: lower-case hexadecimal.
inline constexpr std::string_view kTraceIdLabel = "trace_id";
inline constexpr std::string_view kSpanIdLabel = "span_id";
inline constexpr std::string_view kIoLabel = "io";                  // what a call did: read, connect and so on
inline constexpr std::string_view kDescriptorLabel = "descriptor";  // kind of file or socket
inline constexpr std::string_view kPathLabel = "path";
inline constexpr std::string_view kPeerLabel = "peer";
inline constexpr std::string_view kSafepointLabel = "safepoint";  // the operation for which the JVM stopped a thread
inline constexpr std::string_view kMessageLabel = "message";      // of an exception, without its data
inline constexpr std::string_view kCatcherLabel = "caught";       // of an exception: the code that catches it

bool is_span_label(std::string_view key);

// As shown to people: "512 bytes".
std::string label_text(const Label& label);

// All keys, sorted by name.
std::vector<std::string> label_keys(const Profile& profile);

// The message for a label key that no sample has: the nearest key, and the existing ones.
std::string label_keys_text(const Profile& profile, std::string_view asked);

// "a, b, c and 14 more": the first ones, with long ones truncated.
std::string some_of(const std::vector<std::string>& words);

// The values of one label, as shown to people.
class LabelValues {
 public:
  LabelValues(const Profile& profile, std::string_view key);
  LabelValues(LabelValues&&) = default;
  LabelValues(const LabelValues&) = delete;  // threads_ are views of thread_names_

  // "" if the sample lacks the label.
  std::string_view of(const Profile::Sample& sample) const;

 private:
  void know_threads(const Profile& profile);

  std::vector<std::string> texts_;  // by label set
  std::unordered_map<FunctionId, std::string> thread_names_;
  std::vector<std::string_view> threads_;  // by node; empty unless the label is the thread
};

}  // namespace hearth::profile
