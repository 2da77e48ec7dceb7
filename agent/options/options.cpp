#include "options/options.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/formatted.h"
#include "base/nearest_word.h"
#include "options/asprof_options.h"
#include "options/event_options.h"
#include "options/event_table.h"
#include "options/option_setters.h"
#include "options/option_table.h"
#include "options/option_text.h"
#include "options/option_values.h"
#include "options/store_options.h"

namespace hearth::options {
namespace {

[[noreturn]] void refuse_key(std::string_view key) {
  if (is_event_word(key)) throw Error(formatted("unknown option \"{}\"", key), formatted("write event={}", key));
  if (key == "svg") read_value(key, [&] { profile::format_of_word(key); });
  std::string_view instead = instead_of_asprof_option(key, Grammar::kOptions);
  if (instead.empty()) instead = instead_of_asprof_action(key, Grammar::kOptions);
  if (!instead.empty()) throw Error(formatted("{} is an option of async-profiler: {}", key, instead));
  std::vector<std::string_view> known;
  for (const OptionRow& row : option_rows())
    if (row.name != "reply") known.push_back(row.name);
  auto nearest = nearest_word(key, known);
  throw Error(formatted("unknown option \"{}\"", key),
              nearest ? formatted("did you mean \"{}\"?", *nearest) : "hearth --help lists the options");
}

// Reads the options of one text. A repeated value that differs is refused, as on the command line: async-profiler
// keeps the last one, and nobody learns of the first.
class Reader {
 public:
  explicit Reader(Options* options) : options_(options) {}
  void read_word(std::string_view word);
  void read(std::string_view key, bool has_value, const std::string& value);
  void finish();

 private:
  void refuse_second_value(const OptionRow& row, const std::string& value);
  void check_exclusions() const;

  Options* options_;
  std::map<std::string_view, std::string> values_;  // by name
};

void Reader::refuse_second_value(const OptionRow& row, const std::string& value) {
  std::string& first = values_[row.name];
  bool is_list = row.takes == Takes::kValues || row.name == "event";
  if (!is_list && !first.empty() && !value.empty() && first != value)
    throw Error(formatted("option {}", repetition_text(row, "", first, value)));
  if (!value.empty()) first = value;
}

void Reader::check_exclusions() const {
  for (const Contradiction& both : kContradictions) {
    if (values_.count(both.one) > 0 && values_.count(both.other) > 0)
      throw Error(formatted("options {}", exclusion_text(both, "")));
  }
}

void Reader::read_word(std::string_view word) {
  size_t equals = word.find('=');
  std::string_view key = word.substr(0, equals);
  if (option_named(key) == nullptr && continues_events(*options_, word))
    return set_event(options_, word, *option_named("event"));
  bool has_value = equals != std::string_view::npos;
  std::string value(has_value ? word.substr(equals + 1) : "");
  read(key, has_value, value);
}

void Reader::read(std::string_view key, bool has_value, const std::string& value) {
  const OptionRow* row = option_named(key);
  if (row == nullptr) refuse_key(key);
  if (row->takes == Takes::kNothing && has_value)
    throw Error(formatted("option {}: takes no value, but \"{}\" was read", key, value),
                formatted("write just {}", key));
  bool needs_value = row->takes == Takes::kValue || row->takes == Takes::kValues;
  if (needs_value && !has_value)
    throw Error(formatted("option {}: needs a value", key), formatted("write {}=…; accepted: {}", key, row->accepts));
  refuse_second_value(*row, value);
  setter_of(row->name)(options_, value, *row);
  if (row->shapes_output()) options_->has_output_option = true;
  if (row->group != Group::kLog) options_->only_sets_log = false;
}

// The name determines the format unless an option does.
void check_file_name(const Options& options) {
  if (!options.formats.empty()) return;
  read_value("file", [&] { profile::refuse_foreign_file(options.file); });
}

void check_together(const Options& options) {
  check_file_name(options);
  bool asks = options.action == Action::kStatus || options.action == Action::kMetrics ||
              options.action == Action::kList || options.action == Action::kVersion ||
              options.action == Action::kHolders || options.action == Action::kStopHttp;
  if (asks && !options.formats.empty())
    throw Error("an output format was given with an action that makes no profile", "use it with start, stop or dump");
  size_t texts = 0;
  for (profile::Format format : options.formats)
    texts += format == profile::Format::kFlat || format == profile::Format::kTraces ? 1 : 0;
  if (options.formats.size() > 1 && texts != options.formats.size())
    throw Error("two output formats were given",
                "give one of collapsed, flamegraph, pprof, jfr, otlp, or flat and traces together");
  if (!options.http.empty() && options.action != Action::kNone && options.action != Action::kStart)
    throw Error("option http: an action was given that does not go with it", "give it with start, or alone");
  if (options.http.empty() && !options.token_file.empty())
    throw Error("option token: it is the secret of http, which was not given", "give http=PORT with it");
  if (options.http.empty() && options.keep && !(options.is_about_store && options.action == Action::kStart))
    throw Error("option keep: there is neither http nor a store that it bounds", "give http=PORT or store=DIR with it");
  if (options.ttsp && !(options.begin.empty() && options.end.empty()))
    throw Error("option ttsp: begin or end was given, too, and ttsp is both", "give one or the other");
  if (!options.begin.empty() && options.begin == options.end)
    throw Error(formatted("option end: begin names {}, too", options.end), "give two different functions");
}

bool gives_interval(const Options::RawEvents& raw) {
  const auto& rows = event_rows();
  const auto& counters = raw.counters;
  return !raw.interval.empty() || std::any_of(rows.begin(), rows.end(), [&](const EventRow& row) {
    return !raw.own[row.event].value_or("").empty();
  }) || std::any_of(counters.begin(), counters.end(), [](const auto& one) { return !one.second.empty(); });
}

// A resumed event keeps its interval: samples at another would not belong into the same profile.
void check_pause(const Options& options) {
  bool pauses = options.action == Action::kPause, resumes = options.action == Action::kResume;
  if (!pauses && !resumes) return;
  const char* action = pauses ? "pause" : "resume";
  if (options.has_output_option)
    throw Error(formatted("an output was given with {}, which makes no profile", action), "give it with stop or dump");
  if (gives_interval(options.raw))
    throw Error(formatted("an interval was given with {}", action), "leave it out: events keep that of their start");
}

void check_session(const Options& options) {
  if (options.session.empty()) return;
  constexpr Action kAboutOne[] = {Action::kStart, Action::kStop,   Action::kPause,  Action::kResume,
                                  Action::kDump,  Action::kStatus, Action::kHolders};
  bool is_about_one = std::find(std::begin(kAboutOne), std::end(kAboutOne), options.action) != std::end(kAboutOne);
  if (!is_about_one || options.is_about_store)
    throw Error("option session: nothing that was given is about a session",
                "give it with start, stop, pause, resume, dump, status or heap-holders");
  bool is_number = options.session.find_first_not_of("0123456789") == std::string::npos;
  if (options.action == Action::kStart && is_number)
    throw Error(formatted("option session: cannot use \"{}\" as a name", options.session),
                "numbers are given to sessions as they start; begin it with a letter");
}

// The secret option that a comma in the password of its URL may have split: the password's tail, up to an @, follows as
// another option. Null if there is none.
const OptionRow* split_secret(std::string_view text) {
  while (!text.empty()) {
    std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    const OptionRow* row = option_named(part.substr(0, part.find('=')));
    if (row != nullptr && row->is_secret && part.find('@') == part.npos && text.find('@') != text.npos) return row;
  }
  return nullptr;
}

// Checks and resolves combinations of options.
void Reader::finish() {
  Options& options = *options_;
  check_exclusions();
  check_together(options);
  if (options.ttsp) {
    options.begin = "SafepointSynchronize::begin";
    options.end = "RuntimeService::record_safepoint_synchronized";
  }
  resolve_store(&options);
  check_session(options);
  check_pause(options);
  resolve_events(&options);
}

Options read_options(std::string_view text) {
  Options options;
  Reader reader(&options);
  for (const std::string& word : option_words(text)) reader.read_word(word);
  reader.finish();
  return options;
}

}  // namespace

Options parse_options(std::string_view text) {
  try {
    return read_options(text);
  } catch (const Error&) {
    const OptionRow* secret = split_secret(text);
    if (secret == nullptr) throw;
    throw Error(formatted("option {}: cannot read the options after it", secret->name),
                "write a comma in its URL as %2C");
  }
}

Options options_of(const std::vector<OptionSetting>& settings) {
  Options options;
  Reader reader(&options);
  for (const OptionSetting& setting : settings)
    reader.read(setting.name, setting.value.has_value(), setting.value.value_or(""));
  reader.finish();
  return options;
}

std::string reply_option(std::string_view text) {
  constexpr std::string_view kKey = ",reply=";
  size_t at = text.rfind(kKey);
  if (at == std::string_view::npos) return "";
  text.remove_prefix(at + kKey.size());
  return std::string(text.substr(0, text.find(',')));
}

}  // namespace hearth::options
