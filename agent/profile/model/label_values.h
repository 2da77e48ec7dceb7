// What samples are labelled with. Where stacks begin with their thread, `thread` is a label of them.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "profile/model/profile.h"

namespace hearth::profile {

inline constexpr std::string_view kThreadLabel = "thread";
// Of the span that a sample was taken in, by tracing's names: lower-case hexadecimal.
inline constexpr std::string_view kTraceIdLabel = "trace_id";
inline constexpr std::string_view kSpanIdLabel = "span_id";

bool is_span_label(std::string_view key);

// As people see it: "512 bytes".
std::string label_text(const Label& label);

// All that there are, by their names.
std::vector<std::string> label_keys(const Profile& profile);

// What to tell who asks for a label that no sample has: the nearest one, and which there are.
std::string label_keys_text(const Profile& profile, std::string_view asked);

// "a, b, c and 14 more": the first of them, long ones cut.
std::string some_of(const std::vector<std::string>& words);

// The values of one label, as people see them.
class LabelValues {
 public:
  LabelValues(const Profile& profile, std::string_view key);
  LabelValues(LabelValues&&) = default;
  LabelValues(const LabelValues&) = delete;  // threads_ are views of thread_names_

  // "" where the sample lacks the label.
  std::string_view of(const Profile::Sample& sample) const;

 private:
  void know_threads(const Profile& profile);

  std::vector<std::string> texts_;  // by label set
  std::unordered_map<FunctionId, std::string> thread_names_;
  std::vector<std::string_view> threads_;  // by node; empty where no thread is asked for
};

}  // namespace hearth::profile
