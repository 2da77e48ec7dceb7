#include "http/routes/difference_reply.h"

#include "base/formatted.h"

namespace hearth::http {
namespace {

bool take_flag(const std::string& name, Query* query) {
  auto flag = query->find(name);
  if (flag == query->end()) return false;
  if (!flag->second.empty() && flag->second != "true")
    throw Refusal(400, "bad_option", formatted("option {} takes no value", name), "write it alone");
  query->erase(name);
  return true;
}

std::string written(const profile::Difference& difference, const profile::DifferenceOptions& options,
                    const ResponseFormat& format) {
  if (format.word == "html") return write_difference_page(difference, options);
  if (format.word == "json") return write_difference_json(difference, options);
  if (format.word == "collapsed") return write_difference_collapsed(difference, options.write);
  throw Refusal(400, "bad_option", formatted("a difference is not written as {}", format.word),
                "accepted: .html, .json, .txt, .collapsed");
}

}  // namespace

profile::DifferenceOptions difference_options(Query query) {
  profile::DifferenceOptions options;
  bool is_normalized = take_flag("normalize", &query);
  if (take_flag("absolute", &query)) {
    if (is_normalized) throw Refusal(400, "bad_option", "normalize and absolute exclude each other", "give one");
    options.scale = profile::Scale::kAmounts;
  }
  options.write = write_options(std::move(query));
  return options;
}

Reply difference_reply(const profile::Profile& before, const profile::Profile& after, const ResponseFormat& format,
                       const profile::DifferenceOptions& options) {
  try {
    profile::Difference difference(before, after, options);
    return profile_reply(written(difference, options, format), format);
  } catch (const profile::FormatError& error) {
    throw Refusal(400, "not_comparable", formatted("{} and {}: {}", options.names[0], options.names[1], error.what()),
                  "compare two of one event, by labels that both have");
  }
}

}  // namespace hearth::http
