#include "profile/formats/read_pprof_comment.h"

#include <charconv>
#include <string>

#include "profile/codec/utf8.h"
#include "profile/formats/pprof_extensions.h"
#include "profile/model/quality.h"

namespace hearth::profile {
namespace {

constexpr std::string_view kOwn = "hearth.";  // prefix of all marks

bool read_text(std::string_view comment, Metadata* about) {
  for (const MetadataComment& known : kMetadataComments) {
    if (comment.substr(0, known.prefix.size()) != known.prefix) continue;
    about->*known.field = comment.substr(known.prefix.size());
    return true;
  }
  return false;
}

// "hearth.interval.wall=50000000"; hearth writes sample types before comments.
bool read_number(std::string_view comment, std::string_view prefix, int64_t ValueType::*field,
                 std::vector<ValueType>* types) {
  if (comment.substr(0, prefix.size()) != prefix) return false;
  comment.remove_prefix(prefix.size());
  size_t equals = comment.rfind('=');
  for (ValueType& type : *types) {
    if (equals == std::string_view::npos || type.type != comment.substr(0, equals)) continue;
    const char* last = comment.data() + comment.size();
    return std::from_chars(comment.data() + equals + 1, last, type.*field).ptr == last;
  }
  return false;
}

// "hearth.time_step_ns=20000000"
bool read_time_step(std::string_view comment, Metadata* about) {
  if (comment.substr(0, kTimeStepPrefix.size()) != kTimeStepPrefix) return false;
  int64_t step = 0;
  const char* last = comment.data() + comment.size();
  auto [end, error] = std::from_chars(comment.data() + kTimeStepPrefix.size(), last, step);
  if (error != std::errc() || end != last || step <= 0) return false;
  about->time_step_ns = step;
  return true;
}

bool read_own(std::string_view comment, Profile* profile) {
  return read_text(comment, &profile->metadata) ||
         read_number(comment, kIntervalPrefix, &ValueType::interval, &profile->value_types) ||
         read_number(comment, kThresholdPrefix, &ValueType::threshold, &profile->value_types) ||
         read_number(comment, kFollowedPrefix, &ValueType::followed_since_ns, &profile->value_types) ||
         read_number(comment, kLookedPrefix, &ValueType::looked_at_ns, &profile->value_types) ||
         read_time_step(comment, &profile->metadata) || read_quality_line(comment, profile->quality);
}

}  // namespace

void read_pprof_comment(std::string_view comment, Profile* profile) {
  std::string_view own = comment.substr(!comment.empty() && comment.front() == kHiddenComment ? 1 : 0);
  if (own.substr(0, kOwn.size()) != kOwn || !read_own(shown_text(own), profile))
    profile->metadata.comments.emplace_back(comment);
}

}  // namespace hearth::profile
