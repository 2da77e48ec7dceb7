#include "http/routes/pprof_request.h"

#include <algorithm>

#include "base/error.h"
#include "base/formatted.h"
#include "http/routes/json_options.h"

namespace hearth::http {
namespace {

// The value, which is taken away; none where the query does not have it.
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

// As Go: any number above 0 asks for it.
bool asks_for_collection(Query* query) {
  std::string text = take(query, "gc").value_or("0");
  return text.find_first_not_of("0123456789") == std::string::npos &&
         text.find_first_of("123456789") != std::string::npos;
}

// Go's endpoints have a text form, too; who scrapes them may say what is usual.
void check_is_no_text(Query* query) {
  std::string debug = take(query, "debug").value_or("0");
  if (debug != "0")
    throw Refusal(400, "bad_option", formatted("debug: cannot use \"{}\"", debug),
                  "leave it out; format=flat, traces or collapsed give text");
}

void check_shapes_output(const Query& query) {
  std::vector<options::OptionHelp> known = options::known_options();
  for (const auto& [key, value] : query) {
    bool samples = std::any_of(known.begin(), known.end(), [&key = key](const options::OptionHelp& option) {
      return option.name == key && !option.shapes_output;
    });
    if (samples)
      throw Refusal(400, "bad_option", formatted("option {} is not for this", key),
                    "the path says what is sampled; POST /api/start takes all options");
  }
}

options::Options output_of(const Query& query) {
  std::string options = options_text(query);
  check_shapes_output(query);
  try {
    return options::parse_options(options.empty() ? "dump" : "dump," + options);
  } catch (const Error& error) {
    throw Refusal(400, "bad_option", error.what());
  }
}

}  // namespace

const std::vector<PprofKind>& pprof_kinds() {
  // Who asks for allocations asks for the heap, too, and the same sampler finds both.
  constexpr std::string_view kAllocations = "event=alloc,live";
  static const auto* kinds = new std::vector<PprofKind>{
      {"profile", "event=cpu", "event=cpu", {"cpu"}, false, "CPU time"},
      {"allocs", "event=alloc", kAllocations, {"alloc"}, true, "objects and bytes allocated"},
      {"heap",
       kAllocations,
       kAllocations,
       {"alloc", "live"},
       true,
       "the same, and which of them the last collection of garbage left; <code>?gc=1</code>: one is made"},
      {"mutex", "event=lock", "event=lock", {"lock"}, true, "contentions and delay of threads that waited for locks"},
      {"wall", "event=wall", "event=wall", {"wall"}, false, "time on the clock, whatever a thread does"},
  };
  return *kinds;
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
