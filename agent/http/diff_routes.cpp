#include "base/formatted.h"
#include "http/json_options.h"
#include "http/profile_formats.h"
#include "http/routes.h"
#include "profile/difference.h"

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

// "ID.txt" is collapsed, which is a text; an id alone is for programs.
std::pair<std::string, const WireFormat*> after_and_format(const std::string& name) {
  constexpr std::string_view kText = ".txt";
  if (name.size() > kText.size() && name.compare(name.size() - kText.size(), kText.size(), kText) == 0)
    return {name.substr(0, name.size() - kText.size()), &format_of("collapsed")};
  auto [id, format] = id_and_format(name);
  return {id, format == nullptr ? &format_of("json") : format};
}

std::string written(const profile::Difference& difference, const profile::DifferenceOptions& options,
                    const WireFormat& format) {
  if (format.word == "html") return write_difference_page(difference, options);
  if (format.word == "json") return write_difference_json(difference, options);
  if (format.word == "collapsed") return write_difference_collapsed(difference, options.write);
  throw Refusal(400, "bad_option", formatted("a difference is not written as {}", format.word),
                "accepted: .html, .json, .txt, .collapsed");
}

Reply diff(Room* room, const Request& request) {
  profile::DifferenceOptions options = difference_options(request.query);
  const std::string& before = request.parts[0];
  auto [after, format] = after_and_format(request.parts[1]);
  options.names[0] = before;
  options.names[1] = after;
  room->check_unsent();
  Turns::Turn turn(&room->profiles, request.interruption);
  try {
    profile::Difference difference(room->store->load(before), room->store->load(after), options);
    return profile_reply(written(difference, options, *format), *format);
  } catch (const profile::FormatError& error) {
    throw Refusal(400, "not_comparable", formatted("{} and {}: {}", before, after, error.what()),
                  "compare two of one event, by labels that both have");
  }
}

}  // namespace

void add_diff_routes(Room* room, Router* router) {
  router->add({"GET", "/api/diff/{}/{}", [room](const Request& request) { return diff(room, request); }});
}

}  // namespace hearth::http
