// Every entry against the table of options: the agent's parser here, and the lists that Java, Clojure and the console
// keep in their own languages.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/formatted.h"
#include "options/contradictions.h"
#include "options/event_table.h"
#include "options/option_table.h"
#include "options/refusal.h"

namespace hearth::options {
namespace {

using Names = std::set<std::string>;

// A line that the option can be given in: the action that it belongs to, and the option that it needs.
std::string line_with(const OptionRow& row, std::string_view value) {
  const std::map<std::string_view, std::string> kNeeds = {
      {"token", "http=0,"},
      {"keep", "http=0,"},
      {"session", "start,"},
      {"http", "start,"},
      {"from", "dump,store,"},
      {"to", "dump,store,"},
      {"push-labels", "start,store=/s,push=http://localhost:4040,"},
      {"push-token", "start,store=/s,push=http://localhost:4040,"},
      {"push-credentials", "start,store=/s,push=http://localhost:4040,"},
      {"push-ca", "start,store=/s,push=https://localhost:4040,"},
      {"push-tenant", "start,store=/s,push=http://localhost:4040,"},
      {"store", "start,"}};
  auto needs = kNeeds.find(row.name);
  std::string before = needs != kNeeds.end()         ? needs->second
                       : row.group == Group::kStore  ? "start,store=/s,"
                       : row.group == Group::kAction ? ""
                                                     : "start,";
  return formatted("{}{}{}{}", before, row.name, value.empty() ? "" : "=", value);
}

std::string text_of(const Options& o) {
  std::string events;
  for (const EventRow& row : event_rows()) events += formatted("{} ", interval_of(o, row.event).value_or(-1));
  return events + formatted("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}",
                            o.memory_limit.value_or(256 << 20), static_cast<int>(o.log_level.value_or(kUsualLogLevel)),
                            o.java_depth, o.java_kept, static_cast<int>(o.stacks), o.flat_limit, o.traces_limit,
                            o.write.minwidth, o.write.sort_by_width, o.window_ns, o.budget, o.freeze_ns,
                            o.keep ? o.keep->count : StoreLimits().count, o.keep ? o.keep->bytes : StoreLimits().bytes,
                            o.chunk_bytes, o.chunk_ns, o.jfr_omits, o.clock == RecordingClock::kTsc,
                            o.jfr_sync.value_or(""));
}

std::string source(const char* path) {
  std::ifstream file(std::string(HEARTH_SOURCE_DIR) + "/" + path);
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_GT(text.str().size(), 100U) << path;
  return text.str();
}

Names names_in(const std::string& text, const char* pattern) {
  std::regex word(pattern);
  Names names;
  for (std::sregex_iterator found(text.begin(), text.end(), word), end; found != end; ++found)
    names.insert((*found)[1].str());
  return names;
}

Names rows_by(Entry entry) {
  Names names;
  for (const OptionRow& row : option_rows())
    if (row.comes_by(entry)) names.emplace(row.name);
  return names;
}

TEST(Entries, RowsAreWhole) {
  Names names;
  std::set<char> letters;
  for (const OptionRow& row : option_rows()) {
    EXPECT_TRUE(names.emplace(row.name).second) << row.name;
    EXPECT_TRUE(row.flag_letter == 0 || letters.insert(row.flag_letter).second) << row.name;
    EXPECT_FALSE(row.words.empty()) << row.name;
    bool takes_value = row.takes != Takes::kNothing;
    EXPECT_EQ(takes_value, !row.accepts.empty()) << row.name;
    EXPECT_EQ(takes_value, !row.example.empty()) << row.name;
    EXPECT_EQ(takes_value && row.comes_by(kByLine), !row.flag_type.empty()) << row.name;
    EXPECT_TRUE(row.comes_by(kByAgent)) << row.name;
  }
}

TEST(Entries, TheAgentTakesEachExampleAndRefusesAValueWhereNoneBelongs) {
  for (const OptionRow& row : option_rows()) {
    EXPECT_EQ(refusal_of(line_with(row, row.example)), "accepted") << row.name;
    std::string wrong = refusal_of(line_with(row, row.takes == Takes::kNothing ? "x" : ""));
    bool may_be_bare = row.takes == Takes::kOptionalValue && row.name != "store";
    std::string expected = may_be_bare ? "accepted" : formatted("option {}: ", row.name);
    EXPECT_EQ(wrong.rfind(expected, 0), 0U) << wrong;
  }
}

TEST(Entries, DefaultsAreThoseOfTheParser) {
  for (const OptionRow& row : option_rows()) {
    if (row.usual.empty()) continue;
    bool may_be_bare = row.takes == Takes::kOptionalValue;
    std::string without = line_with(row, "");
    if (!may_be_bare) without.resize(without.size() - row.name.size());
    EXPECT_EQ(text_of(parse_options(line_with(row, row.usual))), text_of(parse_options(without))) << row.name;
    if (row.name == "event") continue;  // its default and its example are the same
    EXPECT_NE(text_of(parse_options(line_with(row, row.example))), text_of(parse_options(without))) << row.name;
  }
}

TEST(Entries, TheAgentTakesEachEventAloneAndWithAnother) {
  for (const EventRow& row : event_rows()) {
    const char* other = row.event == Event::kCpu ? "wall" : "cpu";
    if (row.event == Event::kTrace) continue;  // alone it is an option without its value
    for (const char* pattern : {"start,event={1},{0}", "start,event={1},event={0}", "start,event={0},event={1}"}) {
      std::string text = format_args(pattern, fmt::make_format_args(row.name, other));
      Options options = parse_options(text);
      EXPECT_EQ(interval_of(options, row.event), row.usual) << text;
      EXPECT_TRUE(samples(options, event_row(other)->event)) << text;
    }
    EXPECT_EQ(option_named(row.name) != nullptr, row.has_option) << row.name;
  }
}

TEST(Entries, TheAgentRefusesContradictions) {
  for (const Contradicting& both : contradictions()) {
    std::string text = "start";
    for (const GivenOption& one : both.options)
      text += formatted(",{}{}{}", one.name, one.value.empty() ? "" : "=", one.value);
    EXPECT_NE(refusal_of(text).find(both.sentence), std::string::npos) << text << ": " << refusal_of(text);
  }
}

TEST(Entries, ARefusalShowsNoSecret) {
  std::string refusal = refusal_of("start,store=/s,push=http://me:secret@a:1,push=http://me:secret@b:1");
  EXPECT_EQ(refusal, "option push was given twice; give it once");
  for (const char* tail :
       {"secret@a:1", "x=secret@a:1", "interval=secret@a:1", "secret,dot@a:1", "secret,title=b@a:1"}) {
    refusal = refusal_of(formatted("start,store=/s,push=http://me:1,{}", tail));
    EXPECT_EQ(refusal, "option push: cannot read the options after it; write a comma in its URL as %2C") << refusal;
    EXPECT_EQ(refusal.find("secret"), std::string::npos) << refusal;
  }
  EXPECT_NE(refusal_of("start,store=/s,push=http://me:1@a,windw=1m").find("did you mean \"window\"?"),
            std::string::npos);
}

TEST(Entries, TheFormOfTheConsoleHasEachOptionOfHttp) {
  std::string text = source("html/console/model/form.js");
  text = text.substr(text.find("const KNOWN = ["));
  text.resize(text.find("\n];"));
  EXPECT_EQ(names_in(text, "\\['([a-z-]+)', \\{"), rows_by(kByHttp));
}

TEST(Entries, ClojureHasItsKeys) {
  std::string text = source("java/clojure/hearth/options.clj");
  text = text.substr(text.find("(def ^:private of-agent #{"));
  text.resize(text.find("})"));
  Names keys = names_in(text, ":([a-z-]+)[\\s}]?");
  keys.erase("private");
  keys.insert({"title", "transform"});  // hearth.options shapes these itself
  EXPECT_EQ(keys, rows_by(kByClojure));
}

}  // namespace
}  // namespace hearth::options
