#include "http/routes/pprof_request.h"

#include "base/error.h"
#include "base/formatted.h"
#include "http/routes/json_options.h"
#include "options/event_table.h"
#include "options/option_table.h"
#include "profile/model/event_view.h"

namespace hearth::http {
namespace {

// Removes the parameter and returns its value; none where the query does not have it.
std::optional<std::string> take(Query* query, const std::string& name) {
  size_t times = query->count(name);
  if (times == 0) return std::nullopt;
  if (times > 1) throw Refusal(400, "bad_option", formatted("{}: it was given twice", name), "give it once");
  auto found = query->find(name);
  std::string value = std::move(found->second);
  query->erase(found);
  return value;
}

std::chrono::seconds seconds_of(const std::string& text) {
  constexpr size_t kMostDigits = 4;
  bool is_number =
      !text.empty() && text.size() <= kMostDigits && text.find_first_not_of("0123456789") == std::string::npos;
  std::chrono::seconds seconds(is_number ? std::stoi(text) : 0);
  if (seconds.count() < 1 || seconds > kLongestPprofTime)
    throw Refusal(400, "bad_option", formatted("seconds: cannot use \"{}\"", text),
                  formatted("accepted: whole numbers from 1 to {}", kLongestPprofTime.count()));
  return seconds;
}

// As in Go, any number above 0 asks for it.
bool asks_for_collection(Query* query) {
  std::string text = take(query, "gc").value_or("0");
  return text.find_first_not_of("0123456789") == std::string::npos &&
         text.find_first_of("123456789") != std::string::npos;
}

// Go's endpoints also have a text form; debug=0, which scrapers may send, is not it.
void check_is_no_text(Query* query) {
  std::string debug = take(query, "debug").value_or("0");
  if (debug != "0")
    throw Refusal(400, "bad_option", formatted("debug: cannot use \"{}\"", debug),
                  "leave it out; format=flat, traces or collapsed give text");
}

void check_shapes_output(const Query& query) {
  for (const auto& [key, value] : query) {
    const options::OptionRow* row = options::option_named(key);
    if (row != nullptr && row->comes_by(options::kByHttp) && !row->shapes_output())
      throw Refusal(400, "bad_option", formatted("option {} is not for this", key),
                    "the path names the event; POST /api/start takes all options");
  }
}

options::Options output_of(const Query& query) {
  check_shapes_output(query);
  return request_options("dump", query).options;
}

}  // namespace

const std::vector<PprofKind>& pprof_kinds() {
  static const auto* kinds = [] {
    // Sessions for allocations sample live objects as well: the same sampler finds both.
    const std::string allocations = formatted("{},{}", profile::kAllocEvent, profile::kLiveEvent);
    auto* all = new std::vector<PprofKind>;
    for (const options::EventRow& row : options::event_rows()) {
      bool is_alloc = row.event == options::Event::kAlloc;
      std::vector<std::string> shown = {row.name};
      if (row.event == options::Event::kNativeMemory) shown.emplace_back(profile::kNativeLiveEvent);
      std::string needed = row.name;
      all->push_back({row.pprof_path, needed, is_alloc ? allocations : needed, shown,
                      row.serves == options::Serves::kOne, row.pprof_words});
      if (is_alloc)
        all->push_back(
            {"heap",
             allocations,
             allocations,
             {profile::kAllocEvent, profile::kLiveEvent},
             true,
             "the same, and which of them the last garbage collection left; <code>?gc=1</code>: collects now"});
    }
    return all;
  }();
  return *kinds;
}

options::Options start_of(std::string_view events) {
  return options::options_of({{"start"}, {"event", std::string(events)}});
}

PprofRequest pprof_request(Query query) {
  PprofRequest request;
  if (auto seconds = take(&query, "seconds")) request.time = seconds_of(*seconds);
  request.format = &format_of(take(&query, "format").value_or("pprof"));
  request.collects_garbage = asks_for_collection(&query);
  check_is_no_text(&query);
  std::vector<profile::LabelChoice> labels = take_labels(&query);
  request.output = output_of(query);
  request.output.write.labels = std::move(labels);
  return request;
}

}  // namespace hearth::http
