// The launcher against the table of options.
#include <gtest/gtest.h>

#include "base/formatted.h"
#include "launcher/line/agent_flags.h"
#include "launcher/line/command_line.h"
#include "launcher/words.h"
#include "options/contradictions.h"
#include "options/event_table.h"
#include "options/option_table.h"

namespace hearth::launcher {
namespace {

std::string help(Words arguments) {
  arguments.emplace_back("--help");
  return std::get<ShowText>(parse_command_line(arguments)).text;
}

TEST(Entries, TheHelpHasEachFlagItsWordsAndItsDefault) {
  std::string all = help({}), launch = help({"launch"});
  for (const options::OptionRow& row : options::option_rows()) {
    std::string line = formatted("{}--{}{}", row.flag_letter == 0 ? "  " : formatted("-{},", row.flag_letter), row.name,
                                 row.other_flag.empty() ? " " : formatted(",--{} ", row.other_flag));
    if (row.name == "http") continue;  // --port and --socket of hearth http
    bool is_flag = row.comes_by(options::kByLine);
    EXPECT_EQ(all.find(line) != std::string::npos, is_flag) << line;
    if (!is_flag) continue;
    EXPECT_NE(all.find(row.words), std::string::npos) << row.name;
    std::string usual = row.usual.empty() ? "" : formatted("(default: {})", row.usual);
    EXPECT_NE(all.find(usual), std::string::npos) << row.name;
  }
  for (const AgentFlag& flag : agent_flags()) EXPECT_NE(launch.find(flag.names), std::string::npos) << flag.name;
}

TEST(Entries, TheLauncherTakesEachExample) {
  for (const AgentFlag& flag : agent_flags()) {
    Words words = {"launch", "-f", "x.html"};
    words.push_back(flag.type.empty() ? flag.name : formatted("{}={}", flag.name, flag.row->example));
    words.insert(words.end(), {"--", "java"});
    EXPECT_EQ(refusal(words), "") << flag.name;
  }
}

TEST(Entries, TheLauncherTakesAndListsEachEvent) {
  std::string all = help({});
  for (const options::EventRow& row : options::event_rows()) {
    EXPECT_EQ(refusal({"launch", "-f", "x.html", "-e", row.name, "--", "java"}), "") << row.name;
    EXPECT_EQ(refusal({"launch", "-f", "x.html", "-e", formatted("{},cpu", row.name), "--", "java"}), "");
    EXPECT_NE(all.find(row.name), std::string::npos) << row.name;
  }
}

TEST(Entries, TheLauncherRefusesContradictions) {
  for (const options::Contradicting& both : options::contradictions()) {
    Words words = {"launch", "-f", "x.html"};
    for (const options::GivenOption& one : both.options)
      words.push_back(formatted("--{}{}{}", one.name, one.value.empty() ? "" : "=", one.value));
    words.insert(words.end(), {"--", "java"});
    std::string message = refusal(words);
    for (size_t dashes = message.find("--"); dashes != std::string::npos; dashes = message.find("--"))
      message.erase(dashes, 2);
    EXPECT_NE(message.find(both.sentence), std::string::npos) << both.sentence << ": " << message;
  }
}

TEST(Entries, ARefusalShowsNoSecret) {
  EXPECT_EQ(refusal({"start", "--store=/s", "--push=http://me:secret@a:1", "--push=http://me:secret@b:1", "7"}),
            "--push was given twice; give it once");
}

}  // namespace
}  // namespace hearth::launcher
