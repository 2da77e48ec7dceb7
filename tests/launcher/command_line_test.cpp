#include "launcher/line/command_line.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "launcher/line/typed_values.h"
#include "launcher/words.h"
#include "options/event_table.h"
#include "options/options.h"

namespace hearth::launcher {
namespace {

using std::chrono::milliseconds;

ProfileRequest profile(const Words& arguments) {
  return std::get<ProfileRequest>(parse_command_line(arguments));
}

TEST(CommandLine, CollectsByDefault) {
  ProfileRequest request = profile({"1234"});
  EXPECT_EQ(request.action, Action::kCollect);
  EXPECT_EQ(request.target, "1234");
  EXPECT_EQ(request.duration, milliseconds(60'000));
  EXPECT_EQ(request.format, "traces,flat");
}

TEST(CommandLine, TheActionMayBeAnywhere) {
  for (const Words& arguments :
       {Words{"start", "-e", "cpu", "clojure.main"}, Words{"-e", "cpu", "start", "clojure.main"},
        Words{"clojure.main", "start", "-e", "cpu"}}) {
    ProfileRequest request = profile(arguments);
    EXPECT_EQ(request.action, Action::kStart);
    EXPECT_EQ(request.target, "clojure.main");
    EXPECT_EQ(request.capture, Words{"event=cpu"});
  }
}

TEST(CommandLine, TranslatesFlagsToTheAgentsOptions) {
  ProfileRequest request = profile(
      {"-d", "10", "-i", "1ms", "-tsa", "-I", "a*", "-I", "b", "-X", "c", "--title", "My page", "-f", "x.html", "7"});
  EXPECT_EQ(
      agent_options(Action::kStart, request, "/w/x.html"),
      "start,interval=1ms,timeout=20000ms,file=/w/x.html,flamegraph,threads,simple,ann,include=a*,include=b,exclude=c,"
      "title=My page");
  EXPECT_EQ(agent_options(Action::kStart, request, ""),
            "start,interval=1ms,timeout=20000ms,threads,simple,ann,include=a*,include=b,exclude=c,title=My page");
  EXPECT_EQ(agent_options(Action::kStop, request, ""),
            "stop,flamegraph,threads,simple,ann,include=a*,include=b,exclude=c,title=My page");
  EXPECT_EQ(agent_options(Action::kStatus, request, ""), "status");
}

TEST(CommandLine, OnlyACollectEndsByItself) {
  EXPECT_EQ(agent_options(Action::kStart, profile({"-d", "500ms", "7"}), ""), "start,timeout=10500ms");
  EXPECT_EQ(agent_options(Action::kStart, profile({"start", "7"}), ""), "start");
  EXPECT_EQ(collect_text("Profiling started: cpu, engine x, for 13 s\n", milliseconds(3000)),
            "Profiling started: cpu, engine x, for 3 s");
}

TEST(CommandLine, AStopWithoutOptionsKeepsTheOutputOfTheStart) {
  EXPECT_EQ(agent_options(Action::kStop, profile({"stop", "7"}), ""), "stop");
  EXPECT_EQ(agent_options(Action::kDump, profile({"dump", "-o", "flat=5", "7"}), ""), "dump,flat=5");
  EXPECT_EQ(agent_options(Action::kStop, profile({"stop", "-f", "x", "7"}), "/x"), "stop,file=/x,traces,flat");
}

TEST(CommandLine, TwoValuesAreOneTooMany) {
  EXPECT_EQ(refusal({"-e", "cpu", "-e", "wall", "7"}), "--event was given twice, cpu and wall; give it once");
  EXPECT_NE(refusal({"-d", "1", "--duration=2", "7"}).find("--duration was given twice"), std::string::npos);
  EXPECT_EQ(profile({"-t", "-t", "7"}).output, Words{"threads"});
}

TEST(CommandLine, AnOptionWithADefaultNeedsNoValue) {
  EXPECT_EQ(profile({"-e", "cpu", "--alloc", "-f", "x.pb.gz", "7"}).capture, (Words{"event=cpu", "alloc"}));
  EXPECT_EQ(profile({"--alloc", "-f", "x.pb.gz", "7"}).file, "x.pb.gz");
  EXPECT_EQ(profile({"7", "--wall", "--alloc"}).capture, (Words{"wall", "alloc"}));
  EXPECT_EQ(profile({"--wall", "20ms", "--alloc=1m", "7"}).capture, (Words{"wall=20ms", "alloc=1m"}));
  EXPECT_EQ(refusal({"-d", "1", "--alloc", "1234"}),
            "which JVM? 1234 was read as the value of --alloc; give PID or NAME, too, or put it first");
  EXPECT_NE(refusal({"--alloc", "--alloc", "1m", "7"}).find("twice"), std::string::npos);
}

TEST(CommandLine, AnOptionIsNoValueAndAFlagHasNone) {
  EXPECT_EQ(refusal({"status", "--wait", "x", "7"}).rfind("--wait x: not a duration; ", 0), 0U);
  EXPECT_EQ(refusal({"-d", "x", "7"}).rfind("-d x: not a duration; ", 0), 0U);
  EXPECT_EQ(refusal({"-d", "-f", "x.html", "7"}), "-d needs a value, but -f is an option");
  EXPECT_EQ(refusal({"--title", "--samples", "7"}), "--title needs a value, but --samples is an option");
  EXPECT_EQ(refusal({"--live=5", "7"}), "--live takes no value, but 5 was given");
  EXPECT_EQ(refusal({"--threads=no", "7"}), "--threads takes no value, but no was given");
  EXPECT_EQ(refusal({"report", "--top", "--json", "x"}), "--top needs a value, but --json is an option");
  EXPECT_EQ(profile({"-f", "-", "-o", "collapsed", "7"}).file, "");
  EXPECT_EQ(profile({"-X", "-[x", "--title=-t", "-f", "x.html", "7"}).output, (Words{"exclude=-[x", "title=-t"}));
}

TEST(CommandLine, OptionsOfThePageAreRefusedForOtherFormats) {
  EXPECT_NE(refusal({"-o", "collapsed", "--reverse", "7"}).find("--reverse applies to a flame graph"),
            std::string::npos);
  EXPECT_NE(refusal({"--title", "x", "7"}), "");
  EXPECT_NE(refusal({"stop", "-f", "x.collapsed", "--title", "x", "7"}), "");
  EXPECT_EQ(refusal({"stop", "--reverse", "7"}), "") << "the start may have said flamegraph";
  EXPECT_EQ(refusal({"-f", "x.pb.gz", "--title", "x", "7"}), "") << "pprof keeps it";
  EXPECT_NE(refusal({"convert", "a.pb.gz", "b.collapsed", "--inverted"}), "");
  EXPECT_EQ(refusal({"convert", "a.pb.gz", "b.html", "--inverted"}), "");
}

TEST(CommandLine, PprofHoldsEveryEvent) {
  EXPECT_NE(refusal({"convert", "-e", "wall", "a.html", "b.pb.gz"}).find("pprof contains all"), std::string::npos);
  EXPECT_EQ(refusal({"stop", "-e", "wall", "-o", "pprof", "7"}), "");  // there it chooses the session
  EXPECT_EQ(refusal({"-e", "wall", "-o", "pprof", "7"}), "");
}

TEST(CommandLine, TheHelpOfAnActionListsItsOptions) {
  auto help = [](const char* action) { return std::get<ShowText>(parse_command_line({action, "--help"})).text; };
  auto has = [](const std::string& text, const char* flag) { return text.find(flag) != std::string::npos; };
  EXPECT_TRUE(has(help("stop"), "hearth stop [OPTIONS]") && has(help("stop"), "--title") &&
              has(help("stop"), "--event"));
  EXPECT_FALSE(has(help("stop"), "--interval") || has(help("stop"), "--duration"));
  EXPECT_TRUE(has(help("collect"), "--duration") && has(help("start"), "--interval"));
  EXPECT_FALSE(has(help("start"), "--duration"));
  EXPECT_FALSE(has(help("status"), "--file") || has(help("status"), "--title"));
  EXPECT_TRUE(has(help("status"), "--libpath"));
}

TEST(CommandLine, CommasOfAListAreTheAgentsOwnSeparators) {
  EXPECT_EQ(profile({"-F", "pcaddr,vtable", "7"}).capture, Words{"features=pcaddr+vtable"});
  EXPECT_EQ(profile({"--filter", "120-127,132,main", "7"}).capture, Words{"filter=120-127;132;main"});
}

TEST(CommandLine, WithoutTarget) {
  EXPECT_TRUE(std::holds_alternative<ListJvms>(parse_command_line({"list"})));
  EXPECT_EQ(std::get<ShowText>(parse_command_line({"version"})).text, "hearth " HEARTH_VERSION "\n");
  EXPECT_EQ(std::get<ShowText>(parse_command_line({"-v"})).text, "hearth " HEARTH_VERSION "\n");
  EXPECT_NE(std::get<ShowText>(parse_command_line({"--help"})).text.find("Actions:"), std::string::npos);
  EXPECT_NE(refusal({}).find("which JVM?"), std::string::npos);
  EXPECT_NE(refusal({"stop"}).find("which JVM?"), std::string::npos);
}

TEST(CommandLine, SuggestsTheNearestWord) {
  EXPECT_EQ(refusal({"--evnt", "cpu", "7"}), "unknown option --evnt; did you mean --event?");
  EXPECT_EQ(refusal({"--intervall=1ms", "7"}), "unknown option --intervall; did you mean --interval?");
  EXPECT_EQ(refusal({"strat", "7"}), "unknown action strat; did you mean start?");
}

TEST(CommandLine, RefusesOptionsWithoutEffect) {
  EXPECT_NE(refusal({"stop", "-i", "1ms", "7"}), "");
  EXPECT_NE(refusal({"stop", "--wall", "1ms", "7"}), "");
  EXPECT_NE(refusal({"status", "-e", "cpu", "7"}), "");
  EXPECT_NE(refusal({"status", "-f", "x.html", "7"}), "");
  EXPECT_NE(refusal({"list", "--title", "x"}), "");
  EXPECT_NE(refusal({"start", "-d", "5", "7"}).find("--timeout"), std::string::npos);
  EXPECT_NE(refusal({"--total", "--samples", "7"}), "");
  EXPECT_NE(refusal({"start", "7", "8"}), "");
  EXPECT_NE(refusal({"-d"}).find("--duration needs a value"), std::string::npos);
}

TEST(CommandLine, TheEventOfAStopOrAConvertSelectsOne) {
  auto start = std::get<ProfileRequest>(parse_command_line({"start", "-e", "cpu", "--wall", "20ms", "7"}));
  EXPECT_EQ(start.capture, (Words{"event=cpu", "wall=20ms"}));
  auto stop = std::get<ProfileRequest>(parse_command_line({"stop", "-e", "wall", "7"}));
  EXPECT_EQ(agent_options(Action::kStop, stop, ""), "stop,event=wall");
  auto convert = std::get<ConvertRequest>(parse_command_line({"convert", "-e", "wall", "a", "b.html"}));
  EXPECT_EQ(convert.options.event, "wall");
}

TEST(CommandLine, ASessionIsNamed) {
  ProfileRequest start = profile({"start", "--session", "fine", "-i", "1ms", "7"});
  EXPECT_EQ(agent_options(Action::kStart, start, ""), "start,session=fine,interval=1ms");
  EXPECT_EQ(agent_options(Action::kPause, profile({"pause", "--session", "3", "-e", "cpu", "7"}), ""),
            "pause,session=3,event=cpu");
  EXPECT_EQ(agent_options(Action::kResume, profile({"resume", "7"}), ""), "resume");
  ProfileRequest dump = profile({"dump", "--session", "3", "-e", "cpu", "7"});
  EXPECT_EQ(agent_options(Action::kDump, dump, ""), "dump,session=3,event=cpu");
  EXPECT_EQ(agent_options(Action::kStatus, dump, ""), "status,session=3,event=cpu");
  ProfileRequest stop = profile({"stop", "-e", "alloc", "-f", "a.pb.gz", "7"});
  EXPECT_EQ(agent_options(Action::kStop, stop, "/a.pb.gz"), "stop,event=alloc,file=/a.pb.gz,pprof");
  EXPECT_EQ(agent_options(Action::kStatus, stop, ""), "status");  // which ends with the session that has just ended
  EXPECT_NE(refusal({"metrics", "--session", "fine", "7"}).find("--session belongs to"), std::string::npos);
}

TEST(CommandLine, ACommaCanBeInATextAlone) {
  EXPECT_EQ(profile({"-f", "x.html", "--title", "a, b\\", "7"}).output, Words{"title=a\\, b\\\\"});
  EXPECT_NE(refusal({"-I", "a", "-I", "b,c", "7"}).find("b,c"), std::string::npos);
  EXPECT_NE(refusal({"start", "--store=/a,b", "7"}).find("/a,b: a comma"), std::string::npos);
  EXPECT_EQ(refusal({"start", "--store=/s", "--push=http://me:se,cret@a:1", "7"}),
            "--push: a comma separates the agent's options; write %2C in its place");
}

TEST(CommandLine, TakesSeveralEvents) {
  for (const Words& line :
       {Words{"start", "-e", "alloc,cpu,lock", "7"}, Words{"start", "--event=alloc,cpu,lock", "7"}}) {
    options::Options options = options::parse_options(agent_options(Action::kStart, profile(line), ""));
    EXPECT_TRUE(options::samples(options, options::Event::kCpu) &&
                options::interval_of(options, options::Event::kAlloc) &&
                options::interval_of(options, options::Event::kLock))
        << line[1];
  }
  for (const char* action : {"stop", "dump", "pause", "resume"}) {
    ProfileRequest request = profile({action, "-e", "alloc,cpu", "7"});
    options::Options options = options::parse_options(agent_options(request.action, request, ""));
    EXPECT_TRUE(options::samples(options, options::Event::kCpu) &&
                options::interval_of(options, options::Event::kAlloc))
        << action;
  }
  ProfileRequest injected = profile({"start", "-e", "cpu,file=/x", "7"});
  EXPECT_THROW(options::parse_options(agent_options(Action::kStart, injected, "")), Error);
}

TEST(CommandLine, NamesOptionsOfAsyncProfiler) {
  EXPECT_EQ(refusal({"--nobatch", "7"}), "--nobatch is an option of async-profiler: hearth has no such option");
  EXPECT_EQ(refusal({"--all", "7"}), "--all is an option of async-profiler: name the events: -e cpu,wall,alloc,lock");
  for (const char* flag : {"--fdtransfer", "--sched", "--quiet", "--log", "--proc"})
    EXPECT_EQ(refusal({flag, "7"}).find("did you mean"), std::string::npos) << flag;
  EXPECT_NE(refusal({"--exat", "7"}).find("did you mean --exact?"), std::string::npos);
  for (const char* action : {"load", "check", "meminfo"})
    EXPECT_EQ(refusal({action, "7"}).find(std::string(action) + " is an action of async-profiler: "), 0u)
        << refusal({action, "7"});
  EXPECT_EQ(refusal({"report", "--all", "x.html"}), "unknown option --all; hearth --help lists them")
      << "a report starts no events";
}

TEST(CommandLine, GuessesOnlySimilarWords) {
  for (const char* flag : {"--bogus", "--preciise", "--json"})
    EXPECT_EQ(refusal({flag, "7"}), std::string("unknown option ") + flag + "; hearth --help lists them");
}

TEST(CommandLine, RefusesFilesOfOtherFormats) {
  for (const Words& line :
       {Words{"-f", "x.pdf", "7"}, Words{"start", "-f", "x-%p.PDF", "7"}, Words{"stop", "-f", "x.pdf", "7"},
        Words{"dump", "-f", "x.pdf", "7"}, Words{"launch", "-f", "x.pdf", "--", "java"}, Words{"convert", "a", "x.pdf"},
        Words{"-o", "pdf", "7"}, Words{"convert", "-o", "pdf", "a", "-"}})
    EXPECT_NE(refusal(line).find("hearth does not write PDF"), std::string::npos) << refusal(line);
  EXPECT_NE(refusal({"-f", "x.pdf", "7"}).find(".html, .pb.gz, .jfr, .otlp, .collapsed, and .txt"), std::string::npos);
  EXPECT_NE(refusal({"-f", "x.svg", "7"}).find("SVG"), std::string::npos);
  EXPECT_NE(refusal({"-f", "x.json", "7"}).find("JSON"), std::string::npos);
  EXPECT_NE(refusal({"diff", "a", "b", "-f", "x.jfr"}).find("a difference cannot be written as jfr"),
            std::string::npos);
  for (const char* name : {"x.txt", "x", "x.log", "x.1234"})
    EXPECT_EQ(profile({"-f", name, "7"}).format, "traces,flat");
  EXPECT_EQ(profile({"-f", "x.jfr", "7"}).format, "jfr");
  EXPECT_EQ(profile({"-f", "x.jfr", "-o", "collapsed", "7"}).format, "collapsed");
}

TEST(CommandLine, Convert) {
  auto request = std::get<ConvertRequest>(
      parse_command_line({"convert", "a.pb.gz", "b.html", "--total", "-X", "idle*", "-X", "x,y", "--minwidth", "0.5"}));
  EXPECT_EQ(request.inputs, Words{"a.pb.gz"});
  EXPECT_EQ(request.output, "b.html");
  ASSERT_EQ(request.formats.size(), 1u);
  EXPECT_EQ(request.formats[0].format, profile::Format::kFlameGraph);
  EXPECT_EQ(request.options.lens, profile::Lens::kTotal);
  auto lens = [](const Words& words) { return std::get<ConvertRequest>(parse_command_line(words)).options.lens; };
  EXPECT_EQ(lens({"convert", "a.pb.gz", "b.html"}), profile::Lens::kUsual);
  EXPECT_EQ(lens({"convert", "--samples", "a.pb.gz", "b.html"}), profile::Lens::kSamples);
  EXPECT_EQ(request.options.exclude, (Words{"idle*", "x,y"}));
  EXPECT_DOUBLE_EQ(request.options.minwidth, 0.5);
  EXPECT_EQ(std::get<ConvertRequest>(parse_command_line({"convert", "-", "-", "-o", "collapsed"})).output, "-");
  EXPECT_EQ(std::get<ConvertRequest>(parse_command_line({"convert", "a", "b", "c.html"})).inputs, (Words{"a", "b"}));
}

TEST(CommandLine, SamplesAreChosenByLabels) {
  Words chosen = {"--label", "endpoint:/a:b", "--label=state:"};
  auto labels_of = [&](Words words) {
    words.insert(words.end(), chosen.begin(), chosen.end());
    Request request = parse_command_line(words);
    if (auto* convert = std::get_if<ConvertRequest>(&request)) return convert->options.labels;
    if (auto* report = std::get_if<ReportRequest>(&request)) return report->options.labels;
    return std::get<DiffRequest>(request).options.write.labels;
  };
  for (const Words& words : {Words{"convert", "a.pb.gz", "b.pb.gz"}, Words{"report", "a"}, Words{"diff", "a", "b"}}) {
    std::vector<profile::LabelChoice> labels = labels_of(words);
    ASSERT_EQ(labels.size(), 2u) << words[0];
    EXPECT_EQ(labels[0].key, "endpoint");
    EXPECT_EQ(labels[0].value, "/a:b");
    EXPECT_EQ(labels[1].value, "");
  }
  EXPECT_EQ(refusal({"report", "a", "--label", "main"}),
            "--label: cannot use \"main\"; write KEY:VALUE, like thread:main");
}

TEST(CommandLine, SamplesAreChosenByStatesAndTimes) {
  Request request = parse_command_line({"report", "a", "--state", "parked,sleeping", "--from", "10s", "--to=-1m"});
  const auto& report = std::get<ReportRequest>(request);
  ASSERT_EQ(report.options.labels.size(), 2u);
  EXPECT_EQ(report.options.labels[0].key, "state");
  EXPECT_EQ(report.options.labels[0].value, "parked");
  EXPECT_EQ(report.options.labels[1].value, "sleeping");
  EXPECT_EQ(report.time.from, "10s");
  EXPECT_EQ(report.time.to, "-1m");
}

TEST(CommandLine, OptionsDefineHowAPageOpens) {
  Words shape = {"--transform", "replace:/a,b/c/", "--transform", "merge-similar",
                 "--highlight", "/x,y/",           "--sort",      "width"};
  Words words = {"convert", "a.pb.gz", "b.html"};
  words.insert(words.end(), shape.begin(), shape.end());
  profile::WriteOptions options = std::get<ConvertRequest>(parse_command_line(words)).options;
  ASSERT_EQ(options.transforms.size(), 2u);
  EXPECT_EQ(options.transforms[0].what, "/a,b/");
  EXPECT_EQ(options.transforms[1].type, "merge-similar");
  EXPECT_EQ(options.highlights, Words{"/x,y/"});
  EXPECT_TRUE(options.sort_by_width);
  words = {"-f", "x.html", "7"};
  words.insert(words.end(), shape.begin(), shape.end());
  EXPECT_EQ(profile(words).output,
            (Words{"transform=replace:/a\\,b/c/", "transform=merge-similar", "highlight=/x\\,y/", "sort=width"}));
  EXPECT_NE(refusal({"convert", "a", "b.html", "--transform", "fitler:x"}).find("did you mean filter?"),
            std::string::npos);
  EXPECT_NE(refusal({"-f", "x.html", "--transform", "hide:/x", "7"}).find("--transform hide:/x: pattern"),
            std::string::npos);
  EXPECT_NE(refusal({"convert", "a", "b.html", "--sort", "size"}).find("by name or by width"), std::string::npos);
  EXPECT_NE(refusal({"convert", "a", "b.collapsed", "--highlight", "x"}).find("applies to a flame graph"),
            std::string::npos);
}

TEST(CommandLine, ConvertAcceptsTheOptionsOfTextLikeCollect) {
  auto request = std::get<ConvertRequest>(
      parse_command_line({"convert", "a.html", "-", "-o", "traces=2,flat", "--dot", "-s", "-a"}));
  ASSERT_EQ(request.formats.size(), 2u);
  EXPECT_EQ(request.formats[0].format, profile::Format::kTraces);
  EXPECT_EQ(request.formats[0].rows, 2);
  EXPECT_EQ(request.formats[1].rows, 0);
  EXPECT_TRUE(request.names.dots && request.names.simple && request.options.annotate);
}

TEST(CommandLine, Report) {
  auto request = std::get<ReportRequest>(parse_command_line({"report", "a.pb.gz"}));
  EXPECT_EQ(request.file, "a.pb.gz");
  EXPECT_EQ(request.options.lens, profile::Lens::kTotal);
  EXPECT_EQ(request.limit, 20u);
  EXPECT_FALSE(request.json);
  request = std::get<ReportRequest>(
      parse_command_line({"report", "--json", "--by", "thread", "--top", "5", "--samples", "-I", "a*", "-"}));
  EXPECT_EQ(request.label, "thread");
  EXPECT_EQ(request.limit, 5u);
  EXPECT_EQ(request.options.lens, profile::Lens::kSamples);
  EXPECT_EQ(request.options.include, Words{"a*"});
  EXPECT_TRUE(request.json);
  EXPECT_NE(refusal({"report", "--by", "", "a"}), "");
  EXPECT_EQ(refusal({"report"}), "report on what? give a FILE");
  EXPECT_EQ(refusal({"report", "a", "b"}), "report takes one FILE, not a, b");
  for (const char* wrong : {"0", "-1", "x", "1x"}) EXPECT_NE(refusal({"report", "--top", wrong, "a"}), "") << wrong;
}

TEST(CommandLine, TheControlServer) {
  EXPECT_EQ(agent_options(Action::kHttp, profile({"http", "7"}), ""), "http=0");
  EXPECT_EQ(agent_options(Action::kHttp, profile({"http", "--port", "[::1]:80", "--token", "/t", "7"}), ""),
            "http=[::1]:80,token=/t");
  EXPECT_EQ(agent_options(Action::kHttp, profile({"http", "--socket", "/run/h.sock", "7"}), ""),
            "http=unix:/run/h.sock");
  EXPECT_EQ(agent_options(Action::kStopHttp, profile({"stop-http", "7"}), ""), "stop-http");
  EXPECT_NE(refusal({"start", "--port", "80", "7"}).find("--port belongs to http"), std::string::npos);
  EXPECT_NE(refusal({"http", "--port", "80", "--socket", "/s", "7"}).find("exclude"), std::string::npos);
}

TEST(CommandLine, OneJvmAtATime) {
  EXPECT_EQ(refusal({"12", "13"}), "give one PID or NAME, not 12 and 13");
  EXPECT_EQ(refusal({"stop", "a", "b"}), "give one PID or NAME, not a and b");
  EXPECT_EQ(refusal({"reprot", "x.html"}), "unknown action reprot; did you mean report?");
}

TEST(CommandLine, ATimeoutStartsAndReturns) {
  ProfileRequest request = profile({"--timeout", "10m", "-f", "x.html", "7"});
  EXPECT_EQ(request.action, Action::kStart);
  EXPECT_EQ(request.capture, Words{"timeout=10m"});
  EXPECT_NE(refusal({"-d", "5", "--timeout", "3", "7"}).find("exclude each other"), std::string::npos);
  EXPECT_NE(refusal({"collect", "--timeout", "3", "7"}).find("use -d"), std::string::npos);
}

TEST(CommandLine, ConvertRefuses) {
  EXPECT_EQ(refusal({"copy"}), "copy to where? give a directory");
  EXPECT_EQ(refusal({"copy", "a", "b"}), "copy takes one DIR, not a, b");
  EXPECT_EQ(refusal({"convert"}), "convert what? give IN and OUT, like profile.pb.gz profile.html");
  EXPECT_EQ(refusal({"convert", "a"}), "convert a to what? give OUT, too: a file, or - for standard output");
  EXPECT_EQ(refusal({"convert", "-", "-", "c.html"}), "standard input can be one of the profiles, not several");
  EXPECT_NE(refusal({"convert", "--stacks", "--rewrite", "f", "a", "b.html"}).find("exclude each other"),
            std::string::npos);
  EXPECT_NE(refusal({"convert", "--stacks", "-o", "pprof", "a", "b"}).find("leave out -o"), std::string::npos);
  EXPECT_EQ(refusal({"convert", "--stacks", "a", "-"}), "");
  EXPECT_NE(refusal({"convert", "a", "-"}).find("-o"), std::string::npos);
  EXPECT_NE(refusal({"convert", "a", "b.doc"}).find("-o"), std::string::npos);
  EXPECT_NE(refusal({"convert", "a", "b.html", "--minwidth", "wide"}).find("percentage"), std::string::npos);
  EXPECT_NE(refusal({"convert", "a", "b.html", "-i", "1ms"}).find("unknown option -i"), std::string::npos);
}

TEST(Duration, UnitsAndLimits) {
  EXPECT_EQ(parse_duration("-d", "10"), milliseconds(10'000));
  EXPECT_EQ(parse_duration("-d", "10s"), milliseconds(10'000));
  EXPECT_EQ(parse_duration("-d", "500ms"), milliseconds(500));
  EXPECT_EQ(parse_duration("-d", "1m"), milliseconds(60'000));
  EXPECT_EQ(parse_duration("-d", "2h"), milliseconds(7'200'000));
  for (const char* wrong : {"", "0", "-1", "1.5", "3x", "s", "10 s", "99999999999999999999", "9223372036854775807d"})
    EXPECT_THROW(parse_duration("-d", wrong), UsageError) << wrong;
}

TEST(FormatWords, FromOptionOrFileName) {
  EXPECT_EQ(format_words("", "x.html"), "flamegraph");
  EXPECT_EQ(format_words("", "x-%p.pb.gz"), "pprof");
  EXPECT_EQ(format_words("", "x-%p.otlp"), "otlp");
  EXPECT_EQ(format_words("", "x.collapsed"), "collapsed");
  EXPECT_EQ(format_words("", "profile"), "traces,flat");
  EXPECT_EQ(format_words("", "x.txt"), "traces,flat");
  EXPECT_EQ(format_words("collapsed", "x.html"), "collapsed");
  EXPECT_EQ(format_words("flat=20,traces", ""), "flat=20,traces");
  EXPECT_EQ(format_words("tree", "x.html"), "tree");
  for (const char* wrong : {"flat=x", "flat=", "traces=0", "flat=99999999999", "svg", "tree=1", "tree,flat",
                            "html,flat", "html=3", "flat,,traces"})
    EXPECT_THROW(format_words(wrong, ""), UsageError) << wrong;
}

}  // namespace
}  // namespace hearth::launcher
