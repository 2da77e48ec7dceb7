#include "session/options.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "session/http_address.h"

namespace hearth::session {
namespace {

std::string refusal_of(std::string_view text) {
  try {
    parse_options(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Options, DefaultsAreThoseOfTheField) {
  Options options = parse_options("start");
  EXPECT_EQ(options.action, Action::kStart);
  EXPECT_TRUE(options.cpu);
  EXPECT_EQ(options.wall_interval_ns, 0);
  EXPECT_EQ(options.interval_ns, 10'000'000);
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
  EXPECT_EQ(options.interval_ns, 500'000);
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
  EXPECT_EQ(parse_options("start,interval=200000").interval_ns, 200'000);
  EXPECT_EQ(parse_options("start,interval=1ms").interval_ns, 1'000'000);
  EXPECT_EQ(parse_options("start,interval=1s").interval_ns, 1'000'000'000);
  EXPECT_EQ(parse_options("start,timeout=90").timeout_ns, 90'000'000'000);
  EXPECT_EQ(parse_options("start,timeout=01:02:03").timeout_ns, 3723'000'000'000);
}

TEST(Options, TheWallClockAloneAndBesideAnotherEvent) {
  Options alone = parse_options("start,event=wall");
  EXPECT_FALSE(alone.cpu);
  EXPECT_EQ(alone.wall_interval_ns, 50'000'000);
  EXPECT_EQ(parse_options("start,event=wall,interval=10ms").wall_interval_ns, 10'000'000);
  EXPECT_EQ(parse_options("start,event=wall,wall=10ms").wall_interval_ns, 10'000'000);
  EXPECT_FALSE(parse_options("start,wall").cpu);

  Options both = parse_options("start,wall=20ms,event=ctimer,interval=1ms");
  EXPECT_TRUE(both.cpu);
  EXPECT_EQ(both.engine, CpuEngine::kThreadTimer);
  EXPECT_EQ(both.interval_ns, 1'000'000);
  EXPECT_EQ(both.wall_interval_ns, 20'000'000);
  EXPECT_EQ(parse_options("start,event=cpu,interval=1ms,wall").wall_interval_ns, 50'000'000);

  EXPECT_NE(refusal_of("start,event=wall,interval=10ms,wall=20ms"), "accepted");
  EXPECT_NE(refusal_of("start,event=wall,interval=20us"), "accepted");
  EXPECT_NE(refusal_of("start,event=cpu,interval=99us"), "accepted");
  EXPECT_EQ(parse_options("start,event=cpu,interval=100us").interval_ns, 100'000);
}

TEST(Options, AllocationsAloneAndBesideAnotherEvent) {
  EXPECT_FALSE(parse_options("start").allocation_interval.has_value());
  Options alone = parse_options("start,event=alloc");
  EXPECT_FALSE(alone.cpu);
  EXPECT_EQ(alone.allocation_interval, 512 << 10);
  EXPECT_EQ(parse_options("start,event=alloc,interval=64k").allocation_interval, 64 << 10);
  EXPECT_EQ(parse_options("start,event=alloc,alloc=2m").allocation_interval, 2 << 20);
  EXPECT_EQ(parse_options("start,alloc=1000").allocation_interval, 1000);
  EXPECT_EQ(parse_options("start,alloc=0").allocation_interval, 0);
  EXPECT_FALSE(parse_options("start,alloc").cpu);
  Options tlab = parse_options("start,tlab");
  EXPECT_TRUE(tlab.tlab && !tlab.cpu && tlab.allocation_interval);
  EXPECT_TRUE(parse_options("start,event=cpu,tlab,alloc=1m").cpu);
  EXPECT_FALSE(alone.tlab);
  Options live = parse_options("start,live,alloc=4k");
  EXPECT_TRUE(live.live && !live.cpu);
  EXPECT_EQ(live.allocation_interval, 4 << 10);
  EXPECT_THROW(parse_options("start,live,tlab"), Error);
  EXPECT_EQ(parse_options("start,exact").allocation_interval, 0);
  EXPECT_THROW(parse_options("start,exact,alloc=4k"), Error);

  Options all = parse_options("start,event=cpu,interval=1ms,wall=20ms,alloc=1m");
  EXPECT_TRUE(all.cpu);
  EXPECT_EQ(all.interval_ns, 1'000'000);
  EXPECT_EQ(all.wall_interval_ns, 20'000'000);
  EXPECT_EQ(all.allocation_interval, 1 << 20);
  EXPECT_EQ(all.write.event, "cpu");

  for (const char* bad :
       {"alloc=x", "alloc=2g", "alloc=-1", "event=alloc,interval=1ms", "event=alloc,interval=1k,alloc=2k"})
    EXPECT_NE(refusal_of(std::string("start,") + bad), "accepted") << bad;
  EXPECT_EQ(refusal_of("start,wall,alloc,interval=1000000"),
            "option interval: it may be that of several events; give it by wall=, alloc= or lock=");
}

TEST(Options, AStopMaySayWhichEventTextShows) {
  EXPECT_EQ(parse_options("stop").write.event, "");
  EXPECT_EQ(parse_options("stop,event=wall").write.event, "wall");
  EXPECT_EQ(parse_options("dump,event=ctimer").write.event, "cpu");
  EXPECT_EQ(parse_options("start,event=wall").write.event, "wall");
  EXPECT_FALSE(parse_options("stop,event=wall").says_output);
  EXPECT_EQ(parse_options("stop,event=live").write.event, "live");
  EXPECT_EQ(parse_options("event=live,dump").write.event, "live");
  EXPECT_EQ(parse_options("stop,event=alloc").write.event, "alloc");
}

TEST(Options, LocksGoWithTheOthersOrAlone) {
  Options alone = parse_options("start,lock");
  EXPECT_FALSE(alone.cpu);
  EXPECT_EQ(alone.lock_interval_ns, 10'000);
  EXPECT_EQ(parse_options("start,event=lock,interval=1ms").lock_interval_ns, 1'000'000);
  Options beside = parse_options("start,event=cpu,interval=1ms,lock=0,wall");
  EXPECT_TRUE(beside.cpu);
  EXPECT_EQ(beside.interval_ns, 1'000'000);
  EXPECT_EQ(beside.lock_interval_ns, 0);
  EXPECT_FALSE(parse_options("start,event=cpu").lock_interval_ns);
  EXPECT_EQ(parse_options("stop,event=lock").write.event, "lock");
  for (const char* bad :
       {"lock=2h", "lock=-1", "event=lock,interval=1ms,lock=2ms", "lock,wall,interval=1ms", "lock,ttsp"})
    EXPECT_NE(refusal_of(std::string("start,") + bad), "accepted") << bad;
}

TEST(Options, TwoValuesOfAnEventAreOneTooMany) {
  EXPECT_EQ(refusal_of("start,alloc=1k,alloc=2k"), "option alloc: 1k and 2k were given; give one of them");
  for (const char* bad : {"event=cpu,event=wall", "interval=1ms,interval=2ms", "wall=10ms,wall=20ms"})
    EXPECT_NE(refusal_of(std::string("start,") + bad), "accepted") << bad;
  EXPECT_EQ(parse_options("start,alloc=1k,alloc").allocation_interval, 1 << 10);
}

TEST(Options, WhatTellsNothingOfAllocationsIsRefusedBesideThemAlone) {
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

TEST(Options, BadValuesSayWhatIsAccepted) {
  EXPECT_EQ(refusal_of("start,event=cpuu"),
            "option event: cannot use \"cpuu\"; accepted: cpu, cpu-clock, ctimer, itimer, wall, alloc, lock");
  EXPECT_EQ(refusal_of("start,event=live"),
            "option event: live is no event, but an option of its own; give live alone, or beside event=cpu (the "
            "launcher's --live)");
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
      parse_options("stop,transform=filter:a\x1f b,transform=group:thread,highlight=/x/").write;
  ASSERT_EQ(write.transforms.size(), 2u);
  EXPECT_EQ(write.transforms[0].what, "a, b");
  EXPECT_EQ(write.highlights, std::vector<std::string>{"/x/"});
  EXPECT_EQ(refusal_of("stop,transform=group"), "option transform: transform group wants a label, like group:thread");
  EXPECT_NE(refusal_of("stop,highlight=/x").find("option highlight: pattern /x begins with /"), std::string::npos);
}

TEST(Options, ValuesWhereNoneBelongAndNoneWhereOneDoes) {
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

TEST(Options, TellsWhetherAnythingWasSaidOfTheOutput) {
  EXPECT_FALSE(parse_options("stop").says_output);
  EXPECT_FALSE(parse_options("stop,loglevel=warn").says_output);
  EXPECT_TRUE(parse_options("stop,threads").says_output);
  EXPECT_TRUE(parse_options("stop,file=a.html").says_output);
}

TEST(Options, TheReplyIsFoundInALineThatCannotBeParsed) {
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
  OptionHelp option{"http", ""};
  EXPECT_EQ(parse_http_address("80", option).host, "127.0.0.1");
  EXPECT_EQ(parse_http_address("0.0.0.0:80", option).host, "0.0.0.0");
  EXPECT_EQ(parse_http_address("[::1]:80", option).host, "::1");
  EXPECT_EQ(parse_http_address("[::1]:80", option).port, 80);
  EXPECT_EQ(parse_http_address("unix:/run/h.sock", option).unix_path, "/run/h.sock");
}

TEST(Options, SessionsHaveNamesAndAreMeantByNumbersToo) {
  EXPECT_EQ(parse_options("start,session=web-1.a").session, "web-1.a");
  EXPECT_EQ(parse_options("stop,session=3").session, "3");
  EXPECT_NE(refusal_of("start,session=3").find("begin it with a letter"), std::string::npos);
  for (const char* wrong : {"start,session=", "start,session=a b", "stop,session=a/b"})
    EXPECT_NE(refusal_of(wrong).find("option session: "), std::string::npos) << wrong;
  EXPECT_NE(refusal_of("metrics,session=a").find("start, stop, pause, resume, dump or status"), std::string::npos);
  EXPECT_NE(refusal_of("start,store=/x,session=a").find("option session"), std::string::npos);
}

TEST(Options, APauseIsOfEventsAsTheyWereStarted) {
  Options options = parse_options("pause,event=cpu,alloc,session=a");
  EXPECT_EQ(options.action, Action::kPause);
  EXPECT_TRUE(options.cpu && options.allocation_interval);
  EXPECT_EQ(parse_options("resume").action, Action::kResume);
  for (const char* wrong : {"pause,event=cpu,interval=1ms", "resume,alloc=64k", "pause,wall=1ms", "resume,lock=1ms"})
    EXPECT_NE(refusal_of(wrong).find("an interval was given"), std::string::npos) << wrong;
  EXPECT_NE(refusal_of("pause,file=/tmp/x").find("makes no profile"), std::string::npos);
  EXPECT_NE(refusal_of("pause,resume").find("another action"), std::string::npos);
}

}  // namespace
}  // namespace hearth::session
