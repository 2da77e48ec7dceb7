#include "options/options.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "options/event_table.h"
#include "options/http_address.h"
#include "options/option_values.h"
#include "options/refusal.h"
#include "options/sampled_events.h"

namespace hearth::options {
namespace {

TEST(Options, DefaultsAreThoseOfTheField) {
  Options options = parse_options("start");
  EXPECT_EQ(options.action, Action::kStart);
  EXPECT_TRUE(samples(options, Event::kCpu));
  EXPECT_FALSE(samples(options, Event::kWall));
  EXPECT_EQ(interval_of(options, Event::kCpu), 10'000'000);
  EXPECT_EQ(options.java_depth, 2048u);
  EXPECT_FALSE(options.clojure.has_value());
}

TEST(Options, AWholeLine) {
  Options options = parse_options(
      "start,event=ctimer,interval=500us,jstackdepth=100,threads,simple,sig,ann,lib,dot,norm,total,file=/tmp/"
      "%p.html,flamegraph,"
      "title=A "
      "title,minwidth=0.5,reverse,inverted,include=java/*,include=*parse,exclude=*sleep,timeout=2m,quiet,clojure=off");
  EXPECT_EQ(options.engine, CpuEngine::kThreadTimer);
  EXPECT_EQ(interval_of(options, Event::kCpu), 500'000);
  EXPECT_EQ(options.java_depth, 100u);
  EXPECT_TRUE(options.threads && options.simple_names && options.signatures && options.library_names && options.dots &&
              options.normalize);
  EXPECT_TRUE(options.write.annotate && options.write.reverse && options.write.inverted);
  EXPECT_EQ(options.write.lens, profile::Lens::kTotal);
  EXPECT_EQ(options.file, "/tmp/%p.html");
  ASSERT_EQ(options.formats.size(), 1u);
  EXPECT_EQ(options.formats[0], profile::Format::kFlameGraph);
  EXPECT_EQ(options.write.title, "A title");
  EXPECT_DOUBLE_EQ(options.write.minwidth, 0.5);
  EXPECT_EQ(options.write.include.size(), 2u);
  EXPECT_EQ(options.write.exclude.size(), 1u);
  EXPECT_EQ(options.timeout_ns, 120'000'000'000);
  EXPECT_EQ(options.clojure, false);
}

TEST(Options, Durations) {
  EXPECT_EQ(interval_of(parse_options("start,interval=200000"), Event::kCpu), 200'000);
  EXPECT_EQ(interval_of(parse_options("start,interval=1ms"), Event::kCpu), 1'000'000);
  EXPECT_EQ(interval_of(parse_options("start,interval=1s"), Event::kCpu), 1'000'000'000);
  EXPECT_EQ(parse_options("start,timeout=90").timeout_ns, 90'000'000'000);
  EXPECT_EQ(parse_options("start,timeout=01:02:03").timeout_ns, 3723'000'000'000);
}

TEST(Options, SettingsAreReadAsTheirText) {
  Options options = options_of({{"start"}, {"event", "alloc,cpu"}, {"alloc", "1m"}, {"title", "a,b=c"}, {"threads"}});
  EXPECT_EQ(options.action, Action::kStart);
  EXPECT_TRUE(samples(options, Event::kCpu) && options.threads);
  EXPECT_EQ(interval_of(options, Event::kAlloc), 1 << 20);
  EXPECT_EQ(options.write.title, "a,b=c");
  EXPECT_THROW(options_of({{"start"}, {"cpu"}}), Error) << "an event is a value";
  EXPECT_THROW(options_of({{"threads", "x"}}), Error);
  EXPECT_THROW(options_of({{"title"}}), Error);
  EXPECT_THROW(options_of({{"samples"}, {"total"}}), Error);
}

TEST(Options, SeveralEvents) {
  for (const char* text : {"start,event=alloc,cpu,lock", "start,event=alloc\\,cpu\\,lock",
                           "start,event=alloc,event=cpu,event=lock", "start,event=alloc,cpu,alloc,lock,lock"}) {
    Options options = parse_options(text);
    EXPECT_TRUE(samples(options, Event::kCpu) && interval_of(options, Event::kAlloc) &&
                interval_of(options, Event::kLock))
        << text;
    EXPECT_FALSE(samples(options, Event::kWall)) << text;
    EXPECT_EQ(options.write.event, "alloc") << text;
  }
  Options first = parse_options("start,event=alloc,ctimer,interval=1m");
  EXPECT_EQ(interval_of(first, Event::kAlloc), 1 << 20);
  EXPECT_EQ(first.engine, CpuEngine::kThreadTimer);
  EXPECT_EQ(first.raw.cpu, "ctimer");
  EXPECT_TRUE(parse_options("start,event=cpu\\,live").live);
  EXPECT_EQ(interval_of(parse_options("start,event=cpu,interval=1ms,wall,event=wall"), Event::kCpu), 1'000'000);
  EXPECT_EQ(refusal_of("start,event=cpu\\,file=/x").rfind("option event: cannot use \"file=/x\"", 0), 0U);
  EXPECT_NE(refusal_of("start,event=cpu\\,"), "accepted");
  EXPECT_NE(refusal_of("start,event=cpu,ctimer").find("cpu and ctimer were given"), std::string::npos);
  EXPECT_EQ(refusal_of("start,cpu"), "unknown option \"cpu\"; write event=cpu");
}

TEST(Options, TheIntervalIsThatOfTheFirstEvent) {
  for (const char* text : {"start,event=alloc,cpu,interval=200000", "start,interval=200000,event=alloc,cpu",
                           "start,event=alloc,interval=200000,event=cpu", "start,event=alloc\\,cpu,interval=200000"}) {
    Options options = parse_options(text);
    EXPECT_EQ(interval_of(options, Event::kAlloc), 200'000) << text;
    EXPECT_EQ(interval_of(options, Event::kCpu), 10'000'000) << text;
  }
  EXPECT_EQ(interval_of(parse_options("start,event=alloc,cpu,interval=64k"), Event::kAlloc), 64 << 10);
  Options of_cpu = parse_options("start,event=ctimer,alloc,wall,lock,interval=1ms");
  EXPECT_EQ(interval_of(of_cpu, Event::kCpu), 1'000'000);
  EXPECT_EQ(interval_of(of_cpu, Event::kAlloc), 512 << 10);
  EXPECT_EQ(interval_of(of_cpu, Event::kWall), 50'000'000);
  EXPECT_EQ(interval_of(of_cpu, Event::kLock), 10'000);
  EXPECT_EQ(interval_of(parse_options("start,event=lock,cpu,interval=0"), Event::kLock), 0);
  EXPECT_EQ(interval_of(parse_options("start,event=wall,itimer,interval=1ms"), Event::kCpu), 10'000'000);
  EXPECT_EQ(
      refusal_of("start,event=cpu,alloc,interval=64k"),
      "option interval: cannot use \"64k\"; accepted: for cpu, a whole number with ns, us, ms or s, from 100us to "
      "1h; alone it is nanoseconds");
  EXPECT_EQ(refusal_of("start,event=alloc,cpu,interval=1ms"),
            "option interval: cannot use \"1ms\"; accepted: for alloc, 0 to 1g bytes; k, m, g are 1024 each");
}

TEST(Options, OptionsOfTheLogAloneStartNothing) {
  for (const char* text : {"", "loglevel=info", "quiet,log=/tmp/x"})
    EXPECT_TRUE(parse_options(text).only_sets_log) << text;
  for (const char* text : {"start", "event=cpu,loglevel=info", "file=a.html"})
    EXPECT_FALSE(parse_options(text).only_sets_log) << text;
}

TEST(Options, RefusesFilesOfOtherFormats) {
  for (const char* text : {"start,file=/x.pdf", "stop,file=/x.pdf", "dump,file=/x-%p.PDF"})
    EXPECT_NE(refusal_of(text).find("hearth does not write PDF"), std::string::npos) << refusal_of(text);
  EXPECT_EQ(refusal_of("start,file=/x.pdf").rfind("option file: cannot write /x.pdf", 0), 0U);
  EXPECT_EQ(parse_options("stop,collapsed,file=/x.pdf").file, "/x.pdf");
  EXPECT_EQ(parse_options("stop,file=/x.txt").file, "/x.txt");
}

TEST(Options, Recordings) {
  Options options = parse_options("start,jfr,file=/x.jfr,chunksize=1m,chunktime=2m,jfropts=5");
  EXPECT_EQ(options.formats, std::vector<profile::Format>{profile::Format::kJfr});
  EXPECT_EQ(options.chunk_bytes, 1 << 20);
  EXPECT_EQ(options.chunk_ns, 120'000'000'000);
  EXPECT_EQ(options.jfr_omits, kNoSystem | kNoLibraries);
  EXPECT_EQ(parse_options("start,jfropts=mem").jfr_omits, 0U);
  EXPECT_FALSE(parse_options("start,jfr,file=/x.jfr").jfr_sync);
  EXPECT_EQ(parse_options("start,jfrsync").jfr_sync, "default");
  EXPECT_EQ(parse_options("start,jfrsync=profile").jfr_sync, "profile");
  EXPECT_EQ(parse_options("start,jfrsync=+jdk.CPULoad+a.Own").jfr_sync, "+jdk.CPULoad+a.Own");
  EXPECT_NE(refusal_of("start,jfrsync=+"), "accepted");
  EXPECT_EQ(parse_options("start,clock=tsc").clock, RecordingClock::kTsc);
  EXPECT_EQ(parse_options("start,clock=monotonic").clock, RecordingClock::kMonotonic);
  EXPECT_NE(refusal_of("start,clock=sun"), "accepted");
  for (const char* text : {"start,chunksize=1k", "start,chunksize=x", "start,jfropts=32", "start,chunktime=0"})
    EXPECT_NE(refusal_of(text).find("option "), std::string::npos) << text;
}

TEST(Options, TheWallClockAloneAndWithAnotherEvent) {
  Options alone = parse_options("start,event=wall");
  EXPECT_FALSE(samples(alone, Event::kCpu));
  EXPECT_EQ(interval_of(alone, Event::kWall), 50'000'000);
  EXPECT_EQ(interval_of(parse_options("start,event=wall,interval=10ms"), Event::kWall), 10'000'000);
  EXPECT_EQ(interval_of(parse_options("start,event=wall,wall=10ms"), Event::kWall), 10'000'000);
  EXPECT_FALSE(samples(parse_options("start,wall"), Event::kCpu));

  Options both = parse_options("start,wall=20ms,event=ctimer,interval=1ms");
  EXPECT_TRUE(samples(both, Event::kCpu));
  EXPECT_EQ(both.engine, CpuEngine::kThreadTimer);
  EXPECT_EQ(interval_of(both, Event::kCpu), 1'000'000);
  EXPECT_EQ(interval_of(both, Event::kWall), 20'000'000);
  EXPECT_EQ(interval_of(parse_options("start,event=cpu,interval=1ms,wall"), Event::kWall), 50'000'000);

  EXPECT_NE(refusal_of("start,event=wall,interval=10ms,wall=20ms"), "accepted");
  EXPECT_NE(refusal_of("start,event=wall,interval=20us"), "accepted");
  EXPECT_NE(refusal_of("start,event=cpu,interval=99us"), "accepted");
  EXPECT_EQ(interval_of(parse_options("start,event=cpu,interval=100us"), Event::kCpu), 100'000);
}

TEST(Options, AllocationsAloneAndWithAnotherEvent) {
  EXPECT_FALSE(interval_of(parse_options("start"), Event::kAlloc).has_value());
  Options alone = parse_options("start,event=alloc");
  EXPECT_FALSE(samples(alone, Event::kCpu));
  EXPECT_EQ(interval_of(alone, Event::kAlloc), 512 << 10);
  EXPECT_EQ(interval_of(parse_options("start,event=alloc,interval=64k"), Event::kAlloc), 64 << 10);
  EXPECT_EQ(interval_of(parse_options("start,event=alloc,alloc=2m"), Event::kAlloc), 2 << 20);
  EXPECT_EQ(interval_of(parse_options("start,alloc=1000"), Event::kAlloc), 1000);
  EXPECT_EQ(interval_of(parse_options("start,alloc=0"), Event::kAlloc), 0);
  EXPECT_FALSE(samples(parse_options("start,alloc"), Event::kCpu));
  Options tlab = parse_options("start,tlab");
  EXPECT_TRUE(tlab.tlab && !samples(tlab, Event::kCpu) && interval_of(tlab, Event::kAlloc));
  EXPECT_TRUE(samples(parse_options("start,event=cpu,tlab,alloc=1m"), Event::kCpu));
  EXPECT_FALSE(alone.tlab);
  Options live = parse_options("start,live,alloc=4k");
  EXPECT_TRUE(live.live && !samples(live, Event::kCpu));
  EXPECT_EQ(interval_of(live, Event::kAlloc), 4 << 10);
  EXPECT_THROW(parse_options("start,live,tlab"), Error);
  EXPECT_EQ(interval_of(parse_options("start,exact"), Event::kAlloc), 0);
  EXPECT_THROW(parse_options("start,exact,alloc=4k"), Error);

  Options all = parse_options("start,event=cpu,interval=1ms,wall=20ms,alloc=1m");
  EXPECT_TRUE(samples(all, Event::kCpu));
  EXPECT_EQ(interval_of(all, Event::kCpu), 1'000'000);
  EXPECT_EQ(interval_of(all, Event::kWall), 20'000'000);
  EXPECT_EQ(interval_of(all, Event::kAlloc), 1 << 20);
  EXPECT_EQ(all.write.event, "cpu");

  for (const char* bad :
       {"alloc=x", "alloc=2g", "alloc=-1", "event=alloc,interval=1ms", "event=alloc,interval=1k,alloc=2k"})
    EXPECT_NE(refusal_of(std::string("start,") + bad), "accepted") << bad;
  EXPECT_EQ(
      refusal_of("start,wall,alloc,interval=1000000"),
      "option interval: several events were given; give it by wall=, alloc=, lock=, nativemem=, nativelock= or io=");
}

TEST(Options, AStopMayChooseTheEventOfText) {
  EXPECT_EQ(parse_options("stop").write.event, "");
  EXPECT_EQ(parse_options("stop,event=wall").write.event, "wall");
  EXPECT_EQ(parse_options("dump,event=ctimer").write.event, "cpu");
  EXPECT_EQ(parse_options("start,event=wall").write.event, "wall");
  EXPECT_FALSE(parse_options("stop,event=wall").has_output_option);
  EXPECT_EQ(parse_options("stop,event=live").write.event, "live");
  EXPECT_EQ(parse_options("event=live,dump").write.event, "live");
  EXPECT_EQ(parse_options("stop,event=alloc").write.event, "alloc");
}

TEST(Options, LocksGoWithTheOthersOrAlone) {
  Options alone = parse_options("start,lock");
  EXPECT_FALSE(samples(alone, Event::kCpu));
  EXPECT_EQ(interval_of(alone, Event::kLock), 10'000);
  EXPECT_EQ(interval_of(parse_options("start,event=lock,interval=1ms"), Event::kLock), 1'000'000);
  Options beside = parse_options("start,event=cpu,interval=1ms,lock=0,wall");
  EXPECT_TRUE(samples(beside, Event::kCpu));
  EXPECT_EQ(interval_of(beside, Event::kCpu), 1'000'000);
  EXPECT_EQ(interval_of(beside, Event::kLock), 0);
  EXPECT_FALSE(interval_of(parse_options("start,event=cpu"), Event::kLock));
  EXPECT_EQ(parse_options("stop,event=lock").write.event, "lock");
  for (const char* bad :
       {"lock=2h", "lock=-1", "event=lock,interval=1ms,lock=2ms", "lock,wall,interval=1ms", "lock,ttsp"})
    EXPECT_NE(refusal_of(std::string("start,") + bad), "accepted") << bad;
}

TEST(Options, TwoIntervalsOfAnEventAreRefused) {
  EXPECT_EQ(refusal_of("start,alloc=1k,alloc=2k"), "option alloc was given twice, 1k and 2k; give it once");
  for (const char* bad : {"event=cpu,event=ctimer", "interval=1ms,interval=2ms", "wall=10ms,wall=20ms"})
    EXPECT_NE(refusal_of(std::string("start,") + bad), "accepted") << bad;
  EXPECT_EQ(interval_of(parse_options("start,alloc=1k,alloc"), Event::kAlloc), 1 << 10);
}

TEST(Options, OptionsOfClocksAreRefusedForAllocationsAlone) {
  EXPECT_EQ(refusal_of("start,event=alloc,ttsp"),
            "option ttsp: nothing is allocated, and no lock taken, on the way to a safepoint; leave it out or add "
            "event=cpu or wall");
  for (const char* bad : {"alloc,features=pcaddr", "live,features=vtable", "exact,features=comptask", "tlab,ttsp"})
    EXPECT_NE(refusal_of(std::string("start,") + bad), "accepted") << bad;
  for (const char* good : {"event=cpu,alloc,features=pcaddr", "wall,alloc,ttsp", "ttsp", "alloc,begin=a"})
    EXPECT_EQ(refusal_of(std::string("start,") + good), "accepted") << good;
}

TEST(Options, UnknownKeyNamesTheNearest) {
  EXPECT_EQ(refusal_of("start,intervall=1ms"), "unknown option \"intervall\"; did you mean \"interval\"?");
  EXPECT_NE(refusal_of("zzzzzzzz").find("unknown option \"zzzzzzzz\""), std::string::npos);
}

TEST(Options, NameTheOptionsOfAsyncProfiler) {
  EXPECT_EQ(refusal_of("start,all"), "all is an option of async-profiler: name the events: event=cpu,wall,alloc,lock");
  for (const char* key : {"fdtransfer", "proc=1", "check", "meminfo", "load"}) {
    std::string refusal = refusal_of(std::string("start,") + key);
    EXPECT_NE(refusal.find(" is an option of async-profiler: "), std::string::npos) << refusal;
  }
  EXPECT_EQ(refusal_of("start,event=cpu,wall,alloc,lock"), "accepted") << "as the answer to all says";
}

TEST(Options, BadValuesListTheAcceptedOnes) {
  EXPECT_EQ(refusal_of("start,event=1cpu"), "option event: cannot use \"1cpu\"; accepted: " + std::string(kEventWords));
  EXPECT_EQ(refusal_of("start,event=cpuu"), "accepted") << "it could be a function; perf_counter_of() looks for it";
  EXPECT_EQ(
      refusal_of("start,event=live"),
      "option event: live is an option, not an event; give live alone, or with event=cpu (the launcher's --live)");
  for (const char* bad : {"interval=",
                          "interval=abc",
                          "interval=-1",
                          "interval=1parsec",
                          "interval=9999999999999999999s",
                          "interval=1",
                          "interval=2h",
                          "wall=1",
                          "wall=x",
                          "wall=2h",
                          "jstackdepth=0",
                          "jstackdepth=9000",
                          "jstackdepth=10x",
                          "jstackdepth=10/11",
                          "jstackdepth=10/",
                          "jstackdepth=/5",
                          "features=",
                          "features=pcaddr+stats",
                          "filter=",
                          "filter=9-3",
                          "timeout=0",
                          "timeout=1:2",
                          "timeout=1:99:00",
                          "minwidth=101",
                          "sort=size",
                          "minwidth=x",
                          "flat=0",
                          "clojure=maybe",
                          "loglevel=loud",
                          "file=",
                          "cstack=lbr"}) {
    std::string refusal = refusal_of(std::string("start,") + bad);
    std::string key(bad, std::string_view(bad).find('='));
    EXPECT_NE(refusal.find("option " + key), std::string::npos) << bad << ": " << refusal;
    EXPECT_NE(refusal.find("accepted: "), std::string::npos) << bad << ": " << refusal;
  }
}

TEST(Options, TransformsAndHighlightsMayHoldCommas) {
  profile::WriteOptions write =
      parse_options("stop,transform=filter:a\\, b,transform=group:thread,highlight=/x/").write;
  ASSERT_EQ(write.transforms.size(), 2u);
  EXPECT_EQ(write.transforms[0].what, "a, b");
  EXPECT_EQ(write.highlights, std::vector<std::string>{"/x/"});
  EXPECT_EQ(refusal_of("stop,transform=group"), "option transform: transform group needs a label, like group:thread");
  EXPECT_NE(refusal_of("stop,highlight=/x").find("option highlight: pattern /x begins with /"), std::string::npos);
}

TEST(Options, SuperfluousAndMissingValuesAreRefused) {
  EXPECT_EQ(refusal_of("start,threads=yes"),
            "option threads: takes no value, but \"yes\" was read; write just threads");
  EXPECT_NE(refusal_of("start,event").find("option event: needs a value"), std::string::npos);
}

TEST(Options, DeepStacksCanBeCutShorter) {
  EXPECT_EQ(parse_options("start,jstackdepth=300").java_kept, 300u);
  Options options = parse_options("start,jstackdepth=300/20");
  EXPECT_EQ(options.java_depth, 300u);
  EXPECT_EQ(options.java_kept, 20u);
}

TEST(Options, FeaturesAreRefusedByName) {
  EXPECT_TRUE(parse_options("start,features=pcaddr").pc_addresses);
  EXPECT_TRUE(parse_options("start,features=pcaddr+pcaddr").pc_addresses);
  EXPECT_EQ(refusal_of("start,features=pcaddr+stats"),
            "option features: cannot use \"stats\"; accepted: pcaddr, vtable, comptask; + between several");
}

TEST(Options, AWindowInTime) {
  Options options = parse_options("start,begin=A::b,end=c");
  EXPECT_EQ(options.begin, "A::b");
  EXPECT_EQ(options.end, "c");
  EXPECT_EQ(parse_options("start,ttsp").begin, "SafepointSynchronize::begin");
  EXPECT_EQ(parse_options("start,ttsp").end, "RuntimeService::record_safepoint_synchronized");
  EXPECT_NE(refusal_of("start,ttsp,begin=a").find("option ttsp"), std::string::npos);
  EXPECT_NE(refusal_of("start,begin=a,end=a").find("option end"), std::string::npos);
  EXPECT_NE(refusal_of("start,begin="), "accepted");
}

TEST(Options, TheFilterOfThreads) {
  EXPECT_TRUE(parse_options("start").filter.accepts_all());
  EXPECT_TRUE(parse_options("start,filter=12;main,threads").filter.accepts(7, "main"));
  EXPECT_FALSE(parse_options("start,filter=12;main,threads").filter.accepts(7, "other"));
  EXPECT_NE(refusal_of("start,filter=(").find("option filter: \"(\""), std::string::npos);
}

TEST(Options, ImpossibleCombinations) {
  EXPECT_NE(refusal_of("start,stop"), "accepted");
  EXPECT_NE(refusal_of("stop,collapsed,flamegraph"), "accepted");
  EXPECT_NE(refusal_of("status,collapsed"), "accepted");
  EXPECT_EQ(refusal_of("stop,flat=20,traces=10"), "accepted");
}

TEST(Options, KnowsWhetherAnOptionOfTheOutputWasGiven) {
  EXPECT_FALSE(parse_options("stop").has_output_option);
  EXPECT_FALSE(parse_options("stop,loglevel=warn").has_output_option);
  EXPECT_TRUE(parse_options("stop,threads").has_output_option);
  EXPECT_TRUE(parse_options("stop,file=a.html").has_output_option);
}

TEST(Options, TheReplyIsFoundInAnInvalidLine) {
  EXPECT_EQ(reply_option("start,evnt=cpu,reply=/tmp/a"), "/tmp/a");
  EXPECT_EQ(reply_option("start,reply=/tmp/a,nonsense"), "/tmp/a");
  EXPECT_EQ(reply_option("start,title=reply"), "");
}

TEST(Options, EmptyPartsDoNoHarm) {
  EXPECT_EQ(parse_options("").action, Action::kNone);
  EXPECT_EQ(parse_options(",start,,").action, Action::kStart);
}

TEST(Options, AControlServerComesWithASessionOrAlone) {
  EXPECT_EQ(parse_options("http=7070").http, "7070");
  EXPECT_EQ(parse_options("start,event=cpu,http=[::1]:0,token=/t").token_file, "/t");
  EXPECT_EQ(parse_options("stop-http").action, Action::kStopHttp);
  EXPECT_NE(refusal_of("stop,http=7070").find("option http"), std::string::npos);
  EXPECT_NE(refusal_of("start,token=/t").find("option token"), std::string::npos);
  for (const char* wrong :
       {"http=", "http=x", "http=65536", "http=-1", "http=:80", "http=::1:80", "http=[]:80", "http=a:", "http=unix:"})
    EXPECT_NE(refusal_of(wrong).find("option http: cannot use"), std::string::npos) << wrong;
}

TEST(Options, HttpAddresses) {
  OptionLabel option = {"http", kHttpAddresses};
  EXPECT_EQ(parse_http_address("80", option).host, "127.0.0.1");
  EXPECT_EQ(parse_http_address("0.0.0.0:80", option).host, "0.0.0.0");
  EXPECT_EQ(parse_http_address("[::1]:80", option).host, "::1");
  EXPECT_EQ(parse_http_address("[::1]:80", option).port, 80);
  EXPECT_EQ(parse_http_address("unix:/run/h.sock", option).unix_path, "/run/h.sock");
}

TEST(Options, SessionsHaveNamesAndNumbers) {
  EXPECT_EQ(parse_options("start,session=web-1.a").session, "web-1.a");
  EXPECT_EQ(parse_options("stop,session=3").session, "3");
  EXPECT_NE(refusal_of("start,session=3").find("begin it with a letter"), std::string::npos);
  for (const char* wrong : {"start,session=", "start,session=a b", "stop,session=a/b"})
    EXPECT_NE(refusal_of(wrong).find("option session: "), std::string::npos) << wrong;
  EXPECT_NE(refusal_of("metrics,session=a").find("start, stop, pause, resume, dump, status or heap-holders"),
            std::string::npos);
  EXPECT_NE(refusal_of("start,store=/x,session=a").find("option session"), std::string::npos);
}

TEST(Options, APauseTakesEventsWithoutIntervals) {
  Options options = parse_options("pause,event=cpu,alloc,session=a");
  EXPECT_EQ(options.action, Action::kPause);
  EXPECT_TRUE(samples(options, Event::kCpu) && interval_of(options, Event::kAlloc));
  EXPECT_EQ(parse_options("resume").action, Action::kResume);
  for (const char* wrong : {"pause,event=cpu,interval=1ms", "resume,alloc=64k", "pause,wall=1ms", "resume,lock=1ms"})
    EXPECT_NE(refusal_of(wrong).find("an interval was given"), std::string::npos) << wrong;
  EXPECT_NE(refusal_of("pause,file=/tmp/x").find("makes no profile"), std::string::npos);
  EXPECT_NE(refusal_of("pause,resume").find("another action"), std::string::npos);
}

TEST(Options, CallsAreNamedByEventAndTrace) {
  Options called = parse_options("start,event=com.acme.Shop.buy,interval=100");
  EXPECT_EQ(event_names(called), (std::vector<std::string>{"calls"}));
  EXPECT_EQ(interval_of(called, Event::kCalls), 100);
  EXPECT_TRUE(called.called.at(0).pattern.matches_class("com/acme/Shop"));
  Options traced = parse_options("start,event=cpu,trace=com.acme.Shop.buy:50ms,trace=my.ns/foo");
  EXPECT_EQ(event_names(traced), (std::vector<std::string>{"cpu", "trace"}));
  EXPECT_EQ(traced.traced.at(0).shortest_ns, 50'000'000);
  EXPECT_EQ(traced.traced.at(1).text, "my.ns/foo");
  EXPECT_FALSE(traced.traced.at(1).shortest_ns);
  EXPECT_EQ(interval_of(traced, Event::kTrace), 0);
  EXPECT_EQ(interval_of(parse_options("start,trace=A.b,interval=1ms"), Event::kTrace), 1'000'000);
}

TEST(Options, ExceptionsAreChosenByNameOrByTheirMessages) {
  Options few = parse_options("start,event=cpu,event=exception");
  EXPECT_EQ(event_names(few), (std::vector<std::string>{"cpu", "exception"}));
  EXPECT_EQ(interval_of(few, Event::kException), 0);
  EXPECT_FALSE(few.messages);
  Options all = parse_options("start,messages,interval=1");
  EXPECT_EQ(event_names(all), (std::vector<std::string>{"exception"}));
  EXPECT_EQ(interval_of(all, Event::kException), 1);
  EXPECT_TRUE(all.messages);
  EXPECT_EQ(interval_of(parse_options("start,event=cpu,exception@100"), Event::kException), 100);
}

TEST(Options, CallsThatNoMethodCanBeOfAreRefused) {
  for (const char* text :
       {"start,trace=buy", "start,trace=", "start,trace=A.b:", "start,trace=A.b:soon", "start,trace=A.b:-1ms",
        "start,trace=A.b:2h", "start,trace=A.b:1000000000000d", "start,event=A.", "start,event=cpu,A.b"})
    EXPECT_THROW(parse_options(text), Error) << text;
}

}  // namespace
}  // namespace hearth::options
