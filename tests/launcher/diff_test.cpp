#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "launcher/line/command_line.h"
#include "launcher/text/columns.h"
#include "launcher/words.h"

namespace hearth::launcher {
namespace {

DiffRequest request(const Words& arguments) {
  return std::get<DiffRequest>(parse_command_line(arguments));
}

std::string text_of(std::string_view before, std::string_view after, const TextStyle& style,
                    const profile::DifferenceOptions& options = {}) {
  return diff_text({profile::read_collapsed(before), profile::read_collapsed(after), options}, options, style);
}

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) found++;
  return found;
}

TEST(Diff, WordsAreReadAsTheyAreMeant) {
  DiffRequest plain = request({"diff", "a.pb.gz", "b.html"});
  EXPECT_EQ(plain.inputs[0], Words{"a.pb.gz"});
  EXPECT_EQ(plain.inputs[1], Words{"b.html"});
  EXPECT_EQ(plain.format, DiffFormat::kText);
  EXPECT_EQ(plain.options.scale, profile::Scale::kShares);
  EXPECT_FALSE(plain.fail_above);
  DiffRequest all = request({"diff", "--absolute", "--fail-above", "5%", "-e", "wall", "--top", "3", "--samples", "-s",
                             "-X", "idle", "-o", "json", "a", "-"});
  EXPECT_EQ(all.options.scale, profile::Scale::kAmounts);
  EXPECT_EQ(all.fail_above, 5);
  EXPECT_EQ(all.options.write.event, "wall");
  EXPECT_EQ(all.options.write.lens, profile::Lens::kSamples);
  EXPECT_EQ(all.options.limit, 3u);
  EXPECT_EQ(all.format, DiffFormat::kJson);
  EXPECT_TRUE(all.names.simple);
}

TEST(Diff, SeveralRunsAreGivenOnBothSidesOfDashes) {
  DiffRequest runs = request({"diff", "--per", "1000,2e3", "a", "b", "--", "c", "-"});
  EXPECT_EQ(runs.inputs[0], (Words{"a", "b"}));
  EXPECT_EQ(runs.inputs[1], (Words{"c", "-"}));
  EXPECT_EQ(runs.options.operations[0], 1000);
  EXPECT_EQ(runs.options.operations[1], 2000);
  EXPECT_EQ(runs.options.scale, profile::Scale::kAmounts);
  EXPECT_EQ(request({"diff", "--per=5", "a", "b"}).options.operations[1], 5);
  EXPECT_NE(refusal({"diff", "a", "--"}).find("before -- and after"), std::string::npos);
  EXPECT_NE(refusal({"diff", "--", "a"}).find("before -- and after"), std::string::npos);
  EXPECT_NE(refusal({"diff", "a", "--", "b", "--json"}).find("put options before"), std::string::npos);
  EXPECT_NE(refusal({"diff", "-", "--", "a", "-"}).find("standard input"), std::string::npos);
  EXPECT_NE(refusal({"diff", "--per", "1", "--normalize", "a", "b"}).find("exclude"), std::string::npos);
  for (const char* number : {"", "0", "-1", "x", "1,", "1,x", "1,2,3", "inf", "nan", "1;2"})
    EXPECT_NE(refusal({"diff", "a", "b", formatted("--per={}", number)}), "") << number;
}

TEST(Diff, TextReportsOperationsAndRuns) {
  profile::DifferenceOptions options;
  options.scale = profile::Scale::kAmounts;
  options.operations[0] = options.operations[1] = 1000;
  EXPECT_NE(
      text_of("a 2500\n", "a 5000\n", {120, false}, options).find("total   2.5 samples before, 5 after per operation"),
      std::string::npos)
      << text_of("a 2500\n", "a 5000\n", {120, false}, options);
}

TEST(Diff, TheFormatIsGivenOrThatOfTheFile) {
  auto told = [](Words words) {
    words.insert(words.end(), {"a", "b"});
    DiffRequest read = request(words);
    return std::pair(read.format, read.output);
  };
  EXPECT_EQ(told({"diff", "-o", "html"}), std::pair(DiffFormat::kPage, std::string()));
  EXPECT_EQ(told({"diff", "-o", "x.html"}), std::pair(DiffFormat::kPage, std::string("x.html")));
  EXPECT_EQ(told({"diff", "-f", "x.json"}), std::pair(DiffFormat::kJson, std::string("x.json")));
  EXPECT_EQ(told({"diff", "-f", "x.json", "-o", "html"}), std::pair(DiffFormat::kPage, std::string("x.json")));
  EXPECT_EQ(told({"diff", "--json"}), std::pair(DiffFormat::kJson, std::string()));
  EXPECT_EQ(told({"diff", "-f", "x"}), std::pair(DiffFormat::kText, std::string("x")));
  EXPECT_EQ(told({"diff", "-f", "-", "-o", "folded"}), std::pair(DiffFormat::kCollapsed, std::string()));
}

TEST(Diff, MistakesAreReported) {
  EXPECT_NE(refusal({"diff"}).find("BEFORE and AFTER"), std::string::npos);
  EXPECT_NE(refusal({"diff", "a"}).find("BEFORE and AFTER"), std::string::npos);
  EXPECT_NE(refusal({"diff", "a", "b", "c"}).find("a, b, c"), std::string::npos);
  EXPECT_NE(refusal({"diff", "-", "-"}).find("standard input"), std::string::npos);
  EXPECT_NE(refusal({"diff", "a", "b", "--absolute", "--normalize"}).find("exclude"), std::string::npos);
  EXPECT_NE(refusal({"diff", "a", "b", "-o", "yaml"}).find("text, html, json, collapsed"), std::string::npos);
  EXPECT_NE(refusal({"diff", "a", "b", "-o", "yaml", "-f", "x.html"}).find("text, html, json"), std::string::npos);
  EXPECT_NE(refusal({"diff", "a", "b", "--title", "x"}).find("-o html"), std::string::npos);
  EXPECT_NE(refusal({"diff", "a", "b", "--json", "-o", "html"}).find("-o json"), std::string::npos);
  for (const char* file : {"d.pb.gz", "d.pb", "d.pprof"})
    EXPECT_NE(refusal({"diff", "a", "b", "-f", file}).find("cannot be written as pprof"), std::string::npos) << file;
  for (const char* percent : {"x", "-1", "101", "", "5%%", "%"})
    EXPECT_NE(refusal({"diff", "a", "b", formatted("--fail-above={}", percent)}), "") << percent;
}

TEST(Diff, TextReportsChangesAndChance) {
  std::string text =
      text_of("a;b 100\na;c 800\na;d 100\na;x 90\n", "a;b 400\na;c 800\na;d 101\na;n 90\n", {120, false});
  EXPECT_NE(text.find("+19.6 ±"), std::string::npos) << text;
  EXPECT_NE(text.find("new  n\n"), std::string::npos) << text;
  EXPECT_NE(text.find("vanished  x\n"), std::string::npos) << text;
  EXPECT_EQ(text.find(" d\n"), std::string::npos) << text;
  EXPECT_NE(text.find("1 more method changed, within the sampling error"), std::string::npos) << text;
}

TEST(Diff, TextReportsThatNothingChanged) {
  EXPECT_NE(
      text_of("a 100\nb 90\n", "a 98\nb 93\n", {120, false}).find("No method changed by more than the sampling error"),
      std::string::npos);
}

TEST(Diff, TextFitsTheTerminal) {
  std::string name = "com/example/" + std::string(300, 'x') + ".run";
  std::string text = text_of(name + " 10\nb 100\n", name + " 500\nb 100\n", {100, true});
  size_t begin = 0;
  for (size_t end = text.find('\n'); end != std::string::npos; begin = end + 1, end = text.find('\n', begin))
    EXPECT_LE(columns_of(text.substr(begin, end - begin)), 108u) << text.substr(begin, end - begin);  // bold included
}

TEST(Diff, PrintsNothingThatATerminalObeys) {
  profile::Profile made = profile::read_collapsed("a 10\n");
  made.metadata.title = made.metadata.runtime = made.metadata.event = "\x1b]0;owned\x07";
  profile::Profile read = profile::read_pprof(profile::write_pprof(made, {}));
  std::string text = diff_text({read, read, {}}, {}, {120, false});
  EXPECT_NE(text.find("owned"), std::string::npos) << text;
  EXPECT_EQ(text.find_first_of("\x1b\x07"), std::string::npos) << text;
}

TEST(Diff, TopLimitsEachTable) {
  profile::DifferenceOptions options;
  options.limit = 2;
  std::string before = "rest 1000\n", after = before;
  for (int i = 0; i < 9; i++) {
    before += formatted("m{} 10\n", i);
    after += formatted("m{} {}\n", i, 500 + i);
  }
  std::string text = text_of(before, after, {120, false}, options);
  EXPECT_EQ(count(text, "… and 8 more"), 2u) << text;
}

TEST(Diff, FailsAboveALimitAndOnlyOutsideChance) {
  namespace fs = std::filesystem;
  fs::path folder = fs::temp_directory_path() / formatted("hearth-diff-{}", ::getpid());
  fs::create_directory(folder);
  auto file = [&](const char* name, const std::string& content) {
    replace_file(folder / name, content);
    return (folder / name).string();
  };
  std::string base = file("base", "a 500\nb 500\n"), slow = file("slow", "a 500\nb 900\n"),
              noise = file("noise", "a 500\nb 540\n"), wrong = file("wrong", "a\n");
  auto passes = [&](const std::string& after, const char* limit) {
    return run_diff_command(
        request({"diff", "--absolute", "--fail-above", limit, base, after, "-o", folder / "out.txt"}));
  };
  EXPECT_FALSE(passes(slow, "5%"));
  EXPECT_TRUE(passes(slow, "60"));
  EXPECT_TRUE(passes(noise, "0"));
  EXPECT_FALSE(passes(slow, "0"));
  EXPECT_TRUE(passes(base, "0"));
  EXPECT_THROW(passes(wrong, "0"), Error);
  try {
    passes(file("wrong.pb.gz", "no profile\n"), "0");
    ADD_FAILURE() << "read";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("its name ends as that of a pprof file, but it is not one"),
              std::string::npos)
        << error.what();
  }
  EXPECT_TRUE(passes(file("renamed.pb.gz", "a 500\nb 500\n"), "0"));
  EXPECT_FALSE(read_file(folder / "out.txt").empty());
  fs::remove_all(folder);
}

}  // namespace
}  // namespace hearth::launcher
