#include "options/asprof/asprof_command.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "options/asprof/asprof_values.h"
#include "options/event_table.h"
#include "options/sampled_events.h"

namespace hearth::options {
namespace {

using Names = std::vector<std::string>;

std::string refusal_of(std::string_view text) {
  try {
    parse_asprof_command(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

Options options_of(std::string_view text) {
  return parse_asprof_command(text).options;
}

int64_t interval_in(std::string_view text, Event event) {
  return interval_of(options_of(text), event).value_or(-1);
}

TEST(AsprofCommand, AStartIsThatOfItsOwnSession) {
  AsprofCommand command = parse_asprof_command("start,event=cpu,interval=1ms,threads,file=/tmp/x.html");
  EXPECT_EQ(command.action, AsprofAction::kStart);
  EXPECT_EQ(command.options.action, Action::kStart);
  EXPECT_EQ(command.options.session, kAsprofSession);
  EXPECT_TRUE(command.options.speaks_asprof);
  EXPECT_TRUE(command.options.threads);
  EXPECT_TRUE(command.has_output);
  EXPECT_EQ(interval_of(command.options, Event::kCpu), 1'000'000);
}

TEST(AsprofCommand, WithoutAnEventItIsCpu) {
  EXPECT_EQ(event_names(options_of("start")), Names{"cpu"});
  EXPECT_EQ(event_names(options_of("start,cpu")), Names{"cpu"});
}

TEST(AsprofCommand, EventsAlone) {
  EXPECT_EQ(event_names(options_of("start,event=cpu,alloc,lock=1ms,wall")), (Names{"cpu", "wall", "alloc", "lock"}));
  EXPECT_EQ(event_names(options_of("start,alloc=1k")), Names{"alloc"});
  EXPECT_EQ(interval_in("start,lock=0", Event::kLock), 0);
  EXPECT_EQ(interval_in("start,alloc=0", Event::kAlloc), 512 << 10);  // 0 is the default there
  EXPECT_EQ(interval_in("start,wall=10ms", Event::kWall), 10'000'000);
  EXPECT_EQ(interval_in("start,event=wall,interval=20ms", Event::kWall), 20'000'000);
}

TEST(AsprofCommand, AllNamesWhatHearthHas) {
  AsprofCommand command = parse_asprof_command("start,all,alloc=262143,file=x.jfr.html");
  EXPECT_EQ(event_names(command.options), (Names{"cpu", "wall", "alloc", "lock", "nativemem", "nativelock"}));
  EXPECT_TRUE(command.options.live);
  EXPECT_EQ(interval_of(command.options, Event::kAlloc), 262143);
  EXPECT_TRUE(command.ignored.empty());
}

TEST(AsprofCommand, NativeMemoryIsEveryAllocationUnlessAnIntervalIsGiven) {
  EXPECT_EQ(interval_of(parse_asprof_command("start,nativemem").options, Event::kNativeMemory), 0);
  EXPECT_EQ(interval_of(parse_asprof_command("start,event=nativemem").options, Event::kNativeMemory), 0);
  AsprofCommand sampled = parse_asprof_command("start,nativemem=1m,nofree");
  EXPECT_EQ(interval_of(sampled.options, Event::kNativeMemory), 1 << 20);
  EXPECT_TRUE(sampled.options.nofree);
  EXPECT_FALSE(parse_asprof_command("start,cpu,nofree").options.nofree);
}

TEST(AsprofCommand, NativeLocksAreSampledAsLocksOfJava) {
  EXPECT_EQ(event_names(options_of("start,nativelock=0,lock=1ms")), (Names{"lock", "nativelock"}));
  EXPECT_EQ(interval_in("start,nativelock", Event::kNativeLock), 10'000);
  EXPECT_EQ(interval_in("start,event=nativelock", Event::kNativeLock), 10'000);
  EXPECT_EQ(interval_in("start,nativelock=0", Event::kNativeLock), 0);
}

TEST(AsprofCommand, TheLastOfAValueCounts) {
  EXPECT_EQ(interval_in("start,interval=1ms,interval=2ms", Event::kCpu), 2'000'000);
  EXPECT_EQ(options_of("dump,flat,collapsed").formats, std::vector{profile::Format::kCollapsed});
  EXPECT_EQ(refusal_of("start,event=cpu,event=wall"), "Duplicate event argument");
}

TEST(AsprofCommand, AnIntervalOutOfBoundsIsTheNearestOne) {
  AsprofCommand command = parse_asprof_command("start,interval=1us");
  EXPECT_EQ(interval_of(command.options, Event::kCpu), 100'000);
  EXPECT_EQ(command.ignored.size(), 1U);
}

TEST(AsprofCommand, FilesChooseTheFormat) {
  using profile::Format;
  EXPECT_EQ(options_of("dump,file=a.html").formats, std::vector{Format::kFlameGraph});
  EXPECT_EQ(options_of("dump,file=a.folded").formats, std::vector{Format::kCollapsed});
  EXPECT_EQ(options_of("dump,file=a.pb.gz").formats, std::vector{Format::kPprof});
  Options text = options_of("dump,file=a.json");
  EXPECT_EQ(text.formats, (std::vector{Format::kTraces, Format::kFlat}));
  EXPECT_EQ(text.traces_limit, 100);
  EXPECT_EQ(text.flat_limit, 200);
  EXPECT_NE(refusal_of("dump,file=a.svg").find("SVG is obsolete"), std::string::npos);
}

TEST(AsprofCommand, TextHasAllRowsUnlessANumberSaysOtherwise) {
  Options some = options_of("flat=5,traces=3");
  EXPECT_EQ(some.flat_limit, 5);
  EXPECT_EQ(some.traces_limit, 3);
  EXPECT_GT(options_of("traces").traces_limit, 1'000'000);
  EXPECT_EQ(parse_asprof_command("flat").action, AsprofAction::kDump);  // a format alone is a dump
  EXPECT_TRUE(options_of("tree").write.opens_tree);
}

TEST(AsprofCommand, AStopWithoutAFormatHasNoOutput) {
  EXPECT_FALSE(parse_asprof_command("stop").has_output);
  EXPECT_TRUE(parse_asprof_command("stop,collapsed").has_output);
  EXPECT_TRUE(parse_asprof_command("stop,file=x").has_output);
}

TEST(AsprofCommand, ADumpNeedsNoEventsOfTheStart) {
  Options options = options_of("flamegraph,event=itimer,interval=1ms,jstackdepth=100,file=x.html");
  EXPECT_EQ(options.action, Action::kDump);
  EXPECT_EQ(options.java_depth, 2048U);
  EXPECT_TRUE(options.raw.event.empty());
}

TEST(AsprofCommand, StacksBeginWithJavaUnlessMixed) {
  EXPECT_FALSE(options_of("start").native_roots);
  EXPECT_FALSE(options_of("start,cstack=dwarf").native_roots);
  EXPECT_EQ(options_of("start,cstack=dwarf").stacks, StackStyle::kVm);
  for (const char* mixed : {"start,cstack=vmx", "start,features=vtable+mixed"}) {
    EXPECT_TRUE(options_of(mixed).native_roots) << mixed;
    EXPECT_EQ(options_of(mixed).stacks, StackStyle::kVmWithNatives) << mixed;
  }
  EXPECT_EQ(options_of("start,cstack=fp,features=mixed").stacks, StackStyle::kFramePointer);
  EXPECT_TRUE(options_of("start,features=vtable+mixed").receivers);
  EXPECT_EQ(options_of("start,features=stats+jnienv").stacks, StackStyle::kVm);
  EXPECT_EQ(options_of("start,jstackdepth=50/20").java_kept, 20U);
  EXPECT_EQ(options_of("start,jstackdepth=100000").java_depth, 8192U);
}

TEST(AsprofCommand, TakesCallsOfJavaMethods) {
  Options traced = parse_asprof_command("start,trace=A.b:50ms,trace=A.c(I)V,interval=2,collapsed").options;
  ASSERT_EQ(traced.traced.size(), 2U);
  EXPECT_EQ(traced.traced[0].shortest_ns, 50'000'000);
  EXPECT_EQ(traced.traced[1].text, "A.c(I)V");
  EXPECT_EQ(traced.trace_every, 2);
  EXPECT_EQ(event_names(traced), (Names{"trace"}));
  Options called = parse_asprof_command("start,event=java.util.Map.get,interval=3").options;
  EXPECT_EQ(event_names(called), (Names{"calls"}));
  EXPECT_EQ(interval_of(called, Event::kCalls), 3);
  EXPECT_EQ(event_names(parse_asprof_command("start,event=cpu,trace=A.b,interval=1ms").options),
            (Names{"cpu", "trace"}));
  EXPECT_NE(refusal_of("start,trace=A.b:soon").find("option trace"), std::string::npos);
  EXPECT_NE(refusal_of("start,trace=A").find("names no method"), std::string::npos);
}

TEST(AsprofCommand, WordsWithoutEffectAreNamed) {
  AsprofCommand command = parse_asprof_command("start,framebuf=1000000,width=1200,safemode=0,mcache=1,nobatch");
  EXPECT_EQ(command.ignored.size(), 5U);
  EXPECT_EQ(command.ignored[0], "framebuf has no effect: memory for frames grows by itself");
}

TEST(AsprofCommand, WhatHearthLacksIsRefusedByName) {
  EXPECT_NE(refusal_of("start,event=7up").find("no such event, counter or function"), std::string::npos);
  EXPECT_NE(refusal_of("start,sched").find("scheduling policy"), std::string::npos);
  EXPECT_EQ(options_of("start,jfr,ratelimit=cpu:50;span:200").rate_limits.at("span"), 200);
  EXPECT_NE(refusal_of("start,jfr,ratelimit=gpu:50").find("CATEGORY:NUMBER"), std::string::npos);
  EXPECT_NE(refusal_of("start,jfr,ratelimit=cpu:5ms").find("events a second"), std::string::npos);
  EXPECT_EQ(options_of("start,jfr,ratelimit=nativelock:50").rate_limits.at("nativelock"), 50);
  EXPECT_EQ(options_of("start,jfrsync=profile,file=x.jfr").jfr_sync, "profile");
  EXPECT_EQ(options_of("start,clock=tsc,file=x.jfr").clock, RecordingClock::kTsc);
  EXPECT_NE(refusal_of("start,jfr,ratelimit=cpu").find("ratelimit"), std::string::npos);
  EXPECT_EQ(options_of("start,proc=2,jfr").processes_ns, 2'000'000'000);
  EXPECT_EQ(options_of("start,all,file=x.jfr").processes_ns, 30'000'000'000);
  EXPECT_EQ(options_of("start,all,jfr").processes_ns, 0) << "there is no file that they could be in";
  EXPECT_EQ(options_of("start,cpu,jfr").processes_ns, 0);
  EXPECT_EQ(refusal_of("start,proc=1,collapsed"), "Process sampling requires JFR output format");
  EXPECT_EQ(refusal_of("start,evnt=cpu"), "unknown option \"evnt\"; neither async-profiler nor hearth has it");
}

TEST(AsprofCommand, PropertiesOfPerfEventsNeedThem) {
  EXPECT_EQ(options_of("start,event=cpu,target-cpu=1").target_cpu, 1);
  EXPECT_EQ(options_of("start,event=cpu,target-cpu=-1").target_cpu, std::nullopt);
  EXPECT_TRUE(options_of("start,event=cpu,record-cpu,alluser").record_cpu);
  EXPECT_NE(refusal_of("start,event=ctimer,record-cpu").find("only perf_events"), std::string::npos);
  EXPECT_NE(refusal_of("start,event=itimer,target-cpu=1").find("only perf_events"), std::string::npos);
}

TEST(AsprofCommand, AnEmptyFilterTakesAddedThreads) {
  ThreadFilter filter = options_of("start,event=wall,filter").filter;
  EXPECT_FALSE(filter.accepts_all());
  EXPECT_FALSE(filter.accepts(7, "any"));
  EXPECT_TRUE(filter.add_thread(7));
  EXPECT_TRUE(filter.accepts(7, "any"));
  EXPECT_TRUE(filter.remove_thread(7));
  EXPECT_FALSE(filter.accepts(7, "any"));
  EXPECT_FALSE(options_of("start,event=wall,filter=120-127;132").filter.add_thread(7));
}

TEST(AsprofCommand, HearthsOwnOptionsAreTaken) {
  EXPECT_TRUE(options_of("start,alloc,exact").exact);
  EXPECT_EQ(options_of("start,reply=/tmp/r").reply, "/tmp/r");
  EXPECT_EQ(options_of("status,file=x").action, Action::kStatus);
}

TEST(AsprofCommand, TheApisStart) {
  AsprofCommand cpu = asprof_start_command("cpu", 1'000'000, false);
  EXPECT_EQ(interval_of(cpu.options, Event::kCpu), 1'000'000);
  EXPECT_EQ(interval_of(asprof_start_command("alloc", 1000, true).options, Event::kAlloc), 1000);
  EXPECT_EQ(asprof_start_command("alloc", 0, true).action, AsprofAction::kResume);
  EXPECT_EQ(interval_of(asprof_start_command("wall", 0, false).options, Event::kWall), 50'000'000);
}

TEST(AsprofValues, OneLetterOfAUnitCounts) {
  EXPECT_EQ(asprof_number("interval", "10ms", AsprofUnits::kAny), 10'000'000);
  EXPECT_EQ(asprof_number("interval", "10m", AsprofUnits::kAny), 10'000'000);
  EXPECT_EQ(asprof_number("interval", "2k", AsprofUnits::kAny), 2048);
  EXPECT_EQ(asprof_number("alloc", "10M", AsprofUnits::kBytes), 10 << 20);
  EXPECT_EQ(asprof_number("lock", "0x10", AsprofUnits::kNanoseconds), 16);
  EXPECT_THROW(asprof_number("lock", "10x", AsprofUnits::kNanoseconds), Error);
  EXPECT_THROW(asprof_number("lock", "", AsprofUnits::kNanoseconds), Error);
  EXPECT_THROW(asprof_number("lock", "-1", AsprofUnits::kNanoseconds), Error);
}

TEST(AsprofValues, ATimeOfDayIsTheNextOne) {
  std::tm noon{};
  noon.tm_year = 126;
  noon.tm_mday = 5;
  noon.tm_hour = 12;
  noon.tm_isdst = -1;
  std::time_t now = std::mktime(&noon);
  EXPECT_EQ(asprof_seconds("loop", "12:10:05", now), 605);
  EXPECT_EQ(asprof_seconds("loop", "13:00", now), 3600);
  EXPECT_EQ(asprof_seconds("loop", "2h", now), 7200);
  EXPECT_GT(asprof_seconds("loop", "11:00:00", now), 80'000);
  EXPECT_THROW(asprof_seconds("loop", "25:00:00", now), Error);
  EXPECT_THROW(asprof_seconds("loop", "0", now), Error);
}

}  // namespace
}  // namespace hearth::options
