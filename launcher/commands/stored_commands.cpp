#include "launcher/commands/stored_commands.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <utility>

#include "base/formatted.h"
#include "base/text_parts.h"
#include "launcher/line/agent_flag_words.h"
#include "launcher/line/usage_error.h"
#include "profile/model/event_view.h"

namespace hearth::launcher {
namespace {

constexpr const char* kAboutConvert = R"(IN and OUT are files, or - for standard input and output. IN may be a JFR
recording, pprof, OTLP, collapsed stacks, or a page that hearth wrote; hearth
recognises the format. Several IN, such as the profiles of the JVMs of one test
run, are merged into one OUT, without the times of their samples.

A program can rewrite stacks; all other data of the profile is kept:
  hearth convert --stacks IN.pb.gz stacks.txt
  sed 's/.*;com.acme/com.acme/' stacks.txt > changed.txt
  hearth convert --rewrite changed.txt IN.pb.gz OUT.html
Give both the same --include, --exclude, --label, --dot and --simple.
)";

constexpr const char* kAboutReport = R"(FILE is a JFR recording, pprof, OTLP, collapsed stacks, or a page that hearth
wrote; - is standard input. The report has the quality of the profile, its hottest
methods (self: while innermost; total: while anywhere in the stack) and its hottest
paths. A line of a path is a chain of calls that share nearly all of their
weight, outermost first; the calls below it follow.
)";

constexpr const char* kAboutDiff = R"(BEFORE and AFTER are profiles of one event in JFR recordings, pprof, OTLP,
collapsed stacks, or pages that hearth wrote; - is standard input. By default shares
of the total are compared. --absolute compares amounts, for runs that did the same
work; --per compares amounts per operation, if the number of operations is known.
± is the sampling error: 95 of 100 pairs of profiles of an unchanged program
differ by less. It follows from the number of samples (unknown for stacks written
with --total) or, with several runs on each side, from how much these differ, if
that is more. Numbers that a JVM or Clojure assigns to names at each start
(fn--123, lambdas, thread ids) are ignored.

The page shows both profiles at once. json is one object, with all methods and
both trees. collapsed has lines of STACK BEFORE AFTER, samples unless --total,
for readers of difffolded.
Exit status: 3 if the self or total value of a method grew by more than
  --fail-above and by more than the sampling error; else 0.
)";

// "5" or "5%".
double percent(const char* option, const std::string& typed) {
  std::string text = typed.substr(0, typed.find('%') + 1 == typed.size() ? typed.size() - 1 : typed.size());
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !(number >= 0 && number <= 100))
    throw UsageError(formatted("{} {}: not a percentage from 0 to 100", option, typed));
  return number;
}

std::vector<TypedFormat> convert_formats(const std::string& typed, const std::string& output) {
  if (!typed.empty()) return parse_formats(typed);
  if (output == "-") throw UsageError("for standard output give the format with -o");
  try {
    profile::refuse_foreign_file(output);
    return {{profile::format_of_file(output)}};
  } catch (const profile::FormatError& error) {
    throw UsageError(formatted("{}; or give the format with -o", error.what()));
  }
}

void add_label_choice(OptionParser* parser) {
  parser->add_value("--label", "KEY:VALUE",
                    "Only samples with this label, like thread:main (repeatable: any value of one key, all keys); * at "
                    "either end of VALUE; KEY: is lacking it",
                    true);
  parser->add_value("--state", "STATE[,STATE]",
                    "Only samples of threads in these states, like sleeping; as --label state:STATE");
}

void add_time_choice(OptionParser* parser) {
  parser->add_value("--from", "TIME",
                    "Only samples from then on: 10s after the start, -10s before the end, 10:02:30, 2026-11-23T10:02");
  parser->add_value("--to", "TIME", "Only samples before that time");
}

TimeWords read_time_choice(const OptionParser& parser) {
  return {parser.last("--from"), parser.last("--to")};
}

profile::LabelChoice parse_label(const std::string& typed) {
  try {
    return profile::label_choice(typed);
  } catch (const profile::FormatError& error) {
    throw UsageError(formatted("--label: {}", error.what()));
  }
}

template <size_t N>
void add_agent_flags(const std::array<std::string_view, N>& keys, OptionParser* parser) {
  for (const AgentFlag& flag : agent_flags())
    if (std::find(keys.begin(), keys.end(), flag.row->name) != keys.end()) add_agent_flag(flag, parser);
}

// Reads the options that all commands on stored profiles have.
void read_stored_options(const OptionParser& parser, profile::WriteOptions* options, profile::NameStyle* names) {
  refuse_exclusions(parser);
  options->event = parser.last("--event");
  options->annotate = parser.has("--ann");
  options->lines = parser.has("--lines");
  options->include = parser.all("--include");
  options->exclude = parser.all("--exclude");
  for (const std::string& typed : parser.all("--label")) options->labels.push_back(parse_label(typed));
  const std::string states = parser.last("--state");
  for (std::string_view state : parts_of(states, ','))
    if (!state.empty()) options->labels.push_back({std::string(profile::kStateLabel), std::string(state)});
  names->simple = parser.has("--simple");
  names->dots = parser.has("--dot");
}

// Reads the options of the page, for commands that can write one.
void read_page_options(const OptionParser& parser, profile::WriteOptions* options) {
  options->title = parser.last("--title");
  options->reverse = parser.has("--reverse");
  options->inverted = parser.has("--inverted");
  if (parser.has("--sort")) options->sort_by_width = parse_sort(parser.last("--sort"));
  for (const std::string& typed : parser.all("--transform")) options->transforms.push_back(parse_transform(typed));
  for (const std::string& typed : parser.all("--highlight")) parse_highlight(typed, &options->highlights);
}

[[noreturn]] void refuse_difference_as(std::string_view what, const std::string& file) {
  throw UsageError(
      formatted("-f {}: a difference cannot be written as {}; use text, html, json or collapsed", file, what));
}

void refuse_binary_file(const std::string& file) {
  constexpr std::pair<std::string_view, std::string_view> kEndings[] = {
      {".pb", "pprof"}, {".pb.gz", "pprof"}, {".pprof", "pprof"}, {".jfr", "jfr"}};
  for (auto [ending, format] : kEndings)
    if (file.size() >= ending.size() && file.compare(file.size() - ending.size(), ending.size(), ending) == 0)
      refuse_difference_as(format, file);
}

// Refuses the extension of a format that hearth does not have: the file would get text.
void refuse_foreign_file(const std::string& file) {
  try {
    profile::refuse_foreign_file(file);
  } catch (const profile::FormatError&) {
    refuse_difference_as(std::filesystem::path(file).extension().string().substr(1), file);
  }
}

// The value of -o may be a file, too.
void read_diff_output(const OptionParser& parser, DiffRequest* request) {
  constexpr std::pair<std::string_view, DiffFormat> kWords[] = {
      {"text", DiffFormat::kText}, {"html", DiffFormat::kPage},           {"flamegraph", DiffFormat::kPage},
      {"json", DiffFormat::kJson}, {"collapsed", DiffFormat::kCollapsed}, {"folded", DiffFormat::kCollapsed},
  };
  constexpr std::pair<std::string_view, DiffFormat> kEndings[] = {
      {".txt", DiffFormat::kText},  {".html", DiffFormat::kPage},           {".htm", DiffFormat::kPage},
      {".json", DiffFormat::kJson}, {".collapsed", DiffFormat::kCollapsed}, {".folded", DiffFormat::kCollapsed},
  };
  if (parser.has("--json") && parser.has("--output")) throw UsageError("--json means -o json; give one of them");
  std::string typed = parser.has("--json") ? "json" : parser.last("--output");
  request->output = parser.last("--file");
  refuse_binary_file(request->output);
  if (request->output == "-") request->output.clear();
  const auto* word = std::find_if(std::begin(kWords), std::end(kWords), [&](auto& one) { return one.first == typed; });
  bool is_word = word != std::end(kWords);
  if (is_word) request->format = word->second;
  if (!typed.empty() && !is_word && !request->output.empty())
    throw UsageError(formatted("-o {} is not a format; use text, html, json or collapsed", typed));
  if (!typed.empty() && !is_word) request->output = typed;
  std::string ending = std::filesystem::path(request->output).extension();
  const auto* known =
      std::find_if(std::begin(kEndings), std::end(kEndings), [&](auto& one) { return one.first == ending; });
  if (!is_word && known != std::end(kEndings))
    request->format = known->second;
  else if (!is_word && !typed.empty())
    throw UsageError(
        formatted("-o {} is neither a format nor a file name of one; formats are text, html, json, collapsed, "
                  "files end in .txt, .html, .json, .collapsed",
                  typed));
  else if (!is_word)
    refuse_foreign_file(request->output);
  for (const char* name : kPageOptions)
    if (parser.has(name) && request->format != DiffFormat::kPage)
      throw UsageError(formatted("{} applies to a page; give -o html or a FILE that ends in .html", name));
}

}  // namespace

Request convert_request(const std::vector<std::string>& arguments) {
  OptionParser parser("hearth convert [OPTIONS] IN... OUT");
  parser.add_value("-o,--output", "FORMAT",
                   "collapsed, flamegraph (html), pprof, jfr, otlp, flat[=N], traces[=N]; else by OUT's name");
  parser.add_flag("--stacks", "Write each stack once, one per line, of all events");
  parser.add_value(
      "--rewrite", "FILE",
      "Replace each stack by its line in FILE, which has one for each line of --stacks; an empty line drops it");
  add_event_choice(&parser);
  add_label_choice(&parser);
  add_time_choice(&parser);
  add_agent_flags(
      std::array<std::string_view, 15>{"samples", "total", "title", "include", "exclude", "minwidth", "transform",
                                       "highlight", "sort", "reverse", "inverted", "ann", "simple", "dot", "lines"},
      &parser);
  if (!parser.parse(arguments)) return ShowText{parser.help() + "\n" + kAboutConvert};
  std::vector<std::string> words = parser.words();
  if (words.empty()) throw UsageError("convert what? give IN and OUT, like profile.pb.gz profile.html");
  if (words.size() == 1)
    throw UsageError(formatted("convert {} to what? give OUT, too: a file, or - for standard output", words[0]));
  ConvertRequest request;
  request.output = words.back();
  words.pop_back();
  if (std::count(words.begin(), words.end(), "-") > 1)
    throw UsageError("standard input can be one of the profiles, not several");
  request.inputs = words;
  request.lists_stacks = parser.has("--stacks");
  request.rewrite = parser.last("--rewrite");
  if (request.lists_stacks && parser.has("--rewrite")) throw UsageError("--stacks and --rewrite exclude each other");
  bool is_text = parser.last("--output").empty() || parser.last("--output") == "collapsed";
  if (request.lists_stacks && !is_text) throw UsageError("--stacks writes text; leave out -o");
  if (!request.lists_stacks) request.formats = convert_formats(parser.last("--output"), request.output);
  refuse_page_options(parser, request.formats);
  refuse_event_of_pprof(parser, request.formats);
  read_stored_options(parser, &request.options, &request.names);
  request.time = read_time_choice(parser);
  if (parser.has("--total")) request.options.lens = profile::Lens::kTotal;
  if (parser.has("--samples")) request.options.lens = profile::Lens::kSamples;
  read_page_options(parser, &request.options);
  request.options.minwidth = parser.has("--minwidth") ? percent("--minwidth", parser.last("--minwidth")) : 0;
  return request;
}

void read_path(const OptionParser& parser, ReportRequest* request) {
  for (const std::string& work : parser.all("--path")) {
    size_t equals = work.find('=');
    if (equals == 0 || equals == std::string::npos)
      throw UsageError(formatted("--path {}: give a label and its value, like endpoint=/checkout", work));
    request->path_of.push_back({work.substr(0, equals), work.substr(equals + 1)});
  }
  if (request->path_of.empty()) return;
  for (const char* other : {"--event", "--locks", "--by", "--ratio", "--samples", "--include", "--exclude"})
    if (parser.has(other)) throw UsageError(formatted("--path and {} exclude each other", other));
}

Request report_request(const std::vector<std::string>& arguments) {
  OptionParser parser("hearth report [OPTIONS] FILE");
  parser.add_flag("--json", "One JSON object");
  add_event_choice(&parser);
  parser.add_flag("--locks", "Holders of locks, else wakers, else waits for locks: the first of these events in FILE");
  add_label_choice(&parser);
  add_time_choice(&parser);
  parser.add_value("--path", "KEY=VALUE",
                   "Where the time of work with this label went over all its threads, like endpoint=/checkout: "
                   "states, and which locks, threads, files and servers it waited for",
                   true);
  parser.add_value("--by", "LABEL", "Break down by the values of a label, like thread");
  parser.add_value("--ratio", "EVENT",
                   "Of each method also the value divided by that of EVENT, like -e instructions --ratio cycles");
  parser.add_value("--top", "N", "Rows of each table (20)");
  add_agent_flags(
      std::array<std::string_view, 8>{"samples", "total", "include", "exclude", "ann", "simple", "dot", "lines"},
      &parser);
  if (!parser.parse(arguments)) return ShowText{parser.help() + "\n" + kAboutReport};
  std::vector<std::string> words = parser.words();
  if (words.empty()) throw UsageError("report on what? give a FILE");
  if (words.size() > 1) throw UsageError(formatted("report takes one FILE, not {}", joined(words, ", ")));
  ReportRequest request;
  request.file = words[0];
  read_stored_options(parser, &request.options, &request.names);
  request.time = read_time_choice(parser);
  request.options.lens = parser.has("--samples") ? profile::Lens::kSamples : profile::Lens::kTotal;
  request.json = parser.has("--json");
  request.is_of_locks = parser.has("--locks");
  if (request.is_of_locks && parser.has("--event")) throw UsageError("--locks and --event exclude each other");
  read_path(parser, &request);
  request.label = parser.last("--by");
  if (parser.has("--by") && request.label.empty()) throw UsageError("--by needs the name of a label, like thread");
  request.ratio = parser.last("--ratio");
  if (parser.has("--ratio") && request.ratio.empty())
    throw UsageError("--ratio needs an event of the profile, like cycles");
  if (parser.has("--top")) request.limit = parse_rows(parser.last("--top"));
  return request;
}

// BEFORE and AFTER, or several of each separated by "--".
void read_sides(const std::vector<std::string>& words, const std::vector<std::string>* behind, DiffRequest* request) {
  bool are_two = behind == nullptr && words.size() == 2;
  if (behind == nullptr && words.size() < 2) throw UsageError("diff of what? give BEFORE and AFTER, two profiles");
  if (behind == nullptr && !are_two)
    throw UsageError(formatted("diff takes BEFORE and AFTER, or several of each as BEFORE... -- AFTER..., not {}",
                               joined(words, ", ")));
  if (behind != nullptr && (words.empty() || behind->empty()))
    throw UsageError("diff of what? give one or several runs before -- and after it");
  request->inputs[0] = are_two ? std::vector{words[0]} : words;
  request->inputs[1] = are_two ? std::vector{words[1]} : *behind;
  size_t from_stdin = 0;
  for (const auto& side : request->inputs) {
    for (const std::string& input : side) {
      if (input == "-") ++from_stdin;
      if (input.size() > 1 && input[0] == '-')
        throw UsageError(formatted("{} comes after --, where only files may be; put options before the files", input));
    }
  }
  if (from_stdin > 1) throw UsageError("standard input can be one of the profiles, not several");
}

// "1000", for both sides, or "1000,2000".
void read_operations(const std::string& typed, profile::DifferenceOptions* options) {
  const char *at = typed.data(), *end = at + typed.size();
  for (size_t side : {0, 1}) {
    auto [behind, error] = std::from_chars(at, end, options->operations[side]);
    bool is_last = behind == end, goes_on = side == 0 && !is_last && *behind == ',';
    if (error != std::errc() || !std::isnormal(options->operations[side]) || options->operations[side] < 0 ||
        !(is_last || goes_on))
      throw UsageError(formatted("--per {}: not a number of operations, or two separated by a comma", typed));
    if (is_last && side == 0) options->operations[1] = options->operations[0];
    if (is_last) return;
    at = behind + 1;
  }
}

Request diff_request(const std::vector<std::string>& arguments) {
  OptionParser parser("hearth diff [OPTIONS] BEFORE AFTER | BEFORE... -- AFTER...");
  parser.add_value("-o,--output", "FORMAT", "text, html, json, collapsed, or a FILE as for -f (text)");
  parser.add_value("-f,--file", "FILE",
                   "Write to FILE; its name selects the format: .html, .json, .collapsed, else text");
  parser.add_flag("--json", "One JSON object; same as -o json");
  parser.add_flag("--normalize", "Compare shares of each profile's own total; the default");
  parser.add_flag("--absolute", "Compare samples, time or bytes, not shares");
  parser.add_value("--per", "N[,M]", "Compare amounts per operation; each run did N operations, those of AFTER did M");
  parser.add_value(
      "--fail-above", "PERCENT",
      "Exit with 3 if a method grew by more: percentage points, or with --absolute percent of the total before");
  add_event_choice(&parser);
  add_label_choice(&parser);
  add_time_choice(&parser);
  parser.add_value("--top", "N", "Rows of each table (20)");
  add_agent_flags(
      std::array<std::string_view, 14>{"samples", "total", "title", "include", "exclude", "transform", "highlight",
                                       "sort", "reverse", "inverted", "ann", "simple", "dot", "lines"},
      &parser);
  auto parting = std::find(arguments.begin(), arguments.end(), "--");
  if (!parser.parse({arguments.begin(), parting})) return ShowText{parser.help() + "\n" + kAboutDiff};
  for (const char* other : {"--absolute", "--per"})
    if (parser.has("--normalize") && parser.has(other))
      throw UsageError(formatted("--normalize and {} exclude each other", other));
  DiffRequest request;
  std::vector<std::string> behind(parting == arguments.end() ? parting : parting + 1, arguments.end());
  read_sides(parser.words(), parting == arguments.end() ? nullptr : &behind, &request);
  read_diff_output(parser, &request);
  profile::WriteOptions& write = request.options.write;
  read_stored_options(parser, &write, &request.names);
  request.time = read_time_choice(parser);
  if (parser.has("--total")) write.lens = profile::Lens::kTotal;
  if (parser.has("--samples")) write.lens = profile::Lens::kSamples;
  read_page_options(parser, &write);
  if (parser.has("--per")) read_operations(parser.last("--per"), &request.options);
  if (parser.has("--absolute") || parser.has("--per")) request.options.scale = profile::Scale::kAmounts;
  if (parser.has("--top")) request.options.limit = parse_rows(parser.last("--top"));
  if (parser.has("--fail-above")) request.fail_above = percent("--fail-above", parser.last("--fail-above"));
  return request;
}

}  // namespace hearth::launcher
