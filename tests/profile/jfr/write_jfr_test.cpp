#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "profile/formats/formats.h"
#include "profile/jfr/chunk_file.h"
#include "profile/jfr/layout.h"
#include "profile/jfr/write_chunk.h"
#include "profile/jfr/write_samples.h"
#include "profile/model/event_view.h"
#include "sample_profile.h"

namespace hearth::profile::jfr {
namespace {

uint64_t big_endian(std::string_view bytes, size_t at) {
  uint64_t number = 0;
  for (size_t byte = 0; byte < 8; ++byte) number = number << 8 | static_cast<uint8_t>(bytes[at + byte]);
  return number;
}

uint64_t number_at(std::string_view bytes, size_t* at) {
  uint64_t number = 0;
  for (unsigned shift = 0; shift < 63; shift += 7) {
    auto byte = static_cast<uint8_t>(bytes[(*at)++]);
    number |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) break;
  }
  return number;
}

// The number of events by type. Fails unless the sizes of events and chunks add up to the recording's.
std::map<uint64_t, int> events_in(std::string_view recording) {
  std::map<uint64_t, int> counts;
  while (!recording.empty()) {
    EXPECT_EQ(recording.substr(0, kMagic.size()), kMagic);
    size_t size = big_endian(recording, header::kChunkSize);
    EXPECT_LE(size, recording.size());
    if (size > recording.size() || size < header::kSize) return counts;
    size_t at = header::kSize;
    while (at < size) {
      size_t begin = at;
      size_t length = number_at(recording, &at);
      ++counts[number_at(recording, &at)];
      at = begin + length;
    }
    EXPECT_EQ(at, size);
    recording.remove_prefix(size);
  }
  return counts;
}

int count_of(const std::map<uint64_t, int>& counts, TypeId type) {
  auto found = counts.find(static_cast<uint64_t>(type));
  return found == counts.end() ? 0 : found->second;
}

Profile of_two_events() {
  Profile profile;
  profile.value_types = {
      {"samples", "count"}, {"cpu", "nanoseconds"}, {"alloc_objects", "count"}, {"alloc_space", "bytes"}};
  profile.metadata.time_step_ns = 1000;
  profile.metadata.duration_ns = 5000;
  NodeId main = profile.child(0, profile.location(profile.function("a/B.main", FrameKind::kJit), 7));
  NodeId object = profile.child(main, profile.location(profile.function("byte[]", FrameKind::kClass), 0));
  LabelSetId labels = profile.label_set({{"thread", "main", 0, ""}, {"tid", "", 12, ""}, {"route", "/x", 0, ""}});
  const int64_t cpu[] = {3, 30, 0, 0}, alloc[] = {0, 0, 100, 2000};
  profile.add(main, labels, cpu, 2);
  profile.add(object, labels, alloc, 3);
  return profile;
}

TEST(Jfr, NumbersHaveNineBytesAtMost) {
  for (int64_t number : {int64_t{0}, int64_t{127}, int64_t{128}, int64_t{1} << 55, (int64_t{1} << 56) + 1, INT64_MAX}) {
    std::string bytes;
    put_number(number, &bytes);
    size_t at = 0;
    EXPECT_LE(bytes.size(), 9U);
    if (number < int64_t{1} << 56) {
      EXPECT_EQ(number_at(bytes, &at), static_cast<uint64_t>(number));
    }
  }
  std::string negative;
  put_number(-1, &negative);
  EXPECT_EQ(negative, std::string(9, '\xFF'));
}

TEST(Jfr, TheSizeOfAnEventCountsItself) {
  for (size_t length : {1, 126, 127, 128, 16381, 16382, 16383, 16384}) {
    std::string bytes;
    put_sized(std::string(length, 'x'), &bytes);
    size_t at = 0;
    EXPECT_EQ(number_at(bytes, &at), bytes.size()) << length;
  }
}

TEST(Jfr, WritesAsManyEventsAsSamplesAndOneForObjects) {
  Profile profile = of_two_events();
  std::string recording = write_jfr(profile, {});
  std::map<uint64_t, int> counts = events_in(recording);
  EXPECT_EQ(count_of(counts, TypeId::kExecutionSample), 3);
  EXPECT_EQ(count_of(counts, TypeId::kAllocationInNewTlab), 1);
  EXPECT_EQ(counts[kMetadataEvent], 1);
  EXPECT_EQ(counts[kCheckpointEvent], 1);
  EXPECT_EQ(big_endian(recording, header::kDurationNanos), 5000U);
  EXPECT_EQ(recording, write_jfr(profile, {}));
  EXPECT_NE(recording.find("route=/x"), std::string::npos);
  EXPECT_NE(recording.find("a/B"), std::string::npos);
}

TEST(Jfr, EventsOfTheProgramKeepEachByteAsACharacter) {
  ChunkWriter writer({0, 1});
  put_user_event(100, writer.thread("main", 7), "checkout", std::string_view("a\0\x80\xFF", 4), &writer);
  put_user_event(200, 0, "checkout", "", &writer);
  std::string piece = writer.take_piece(500);
  EXPECT_NE(piece.find(std::string_view("a\0\xC2\x80\xC3\xBF", 6)), std::string::npos);
  EXPECT_EQ(piece.find("checkout"), piece.rfind("checkout")) << "once";
  EXPECT_EQ(count_of(events_in(writer.header(0) + piece.substr(header::kSize)), TypeId::kUserEvent), 2);
}

TEST(Jfr, BesideTheJvmEventsHaveOtherNumbers) {
  ChunkWriter writer({0, 1}, ChunkWriter::kBesideTheJvm);
  put_span(100, 400, writer.thread("main", 7), "checkout", &writer);
  std::string piece = writer.take_piece(500);
  auto number = static_cast<uint64_t>(ChunkWriter::kBesideTheJvm.event) + static_cast<uint64_t>(TypeId::kReportedSpan);
  std::map<uint64_t, int> counts = events_in(writer.header(0) + piece.substr(header::kSize));
  EXPECT_EQ(counts[number], 1);
  EXPECT_EQ(count_of(counts, TypeId::kReportedSpan), 0);
  EXPECT_NE(piece.find(std::to_string(number)), std::string::npos) << "in the metadata";
  EXPECT_EQ(writer.number_of(TypeId::kThread), static_cast<int64_t>(TypeId::kThread));
}

TEST(Jfr, NoChunkUsesANumberOfAnother) {
  ChunkWriter first({0, 1});
  int64_t of_main = first.thread("main", 7);
  int64_t stack = first.stack({{first.method({"a/B", "c", "()V"}), 1, 2}}, false);
  ChunkWriter second({0, 1}, {0, first.next_constant()});
  EXPECT_GT(second.thread("other", 8), of_main);
  EXPECT_GT(second.symbol(""), first.symbol("c"));
  EXPECT_GT(second.stack({{second.method({"a/B", "d", "()V"}), 1, 2}}, false), stack);
  EXPECT_GT(second.text("a"), first.text("b"));
}

TEST(Jfr, NoPieceBeginsWithAnEmptySymbol) {
  ChunkWriter writer({0, 1});
  writer.method({"", "do_syscall_64", "()L;", true});
  EXPECT_EQ(writer.symbol(""), 2);
  std::string piece = writer.take_piece(1);
  EXPECT_LT(piece.find("()V"), piece.find("do_syscall_64"));
  writer.method({"", "ksys_read", "()L;", true});
  EXPECT_EQ(writer.symbol(""), 2) << "it is in the first piece";
}

TEST(Jfr, SpansHaveTheirTagsInThePool) {
  ChunkWriter writer({0, 1});
  put_span(100, 400, writer.thread("main", 7), "checkout", &writer);
  put_span(100, 50, 0, "", &writer);  // a clock that goes back
  std::string piece = writer.take_piece(500);
  EXPECT_NE(piece.find("checkout"), std::string::npos);
  EXPECT_NE(piece.find("profiler.Span"), std::string::npos);
}

TEST(Jfr, SymbolsAreUtf8AlsoWhereTheyAreEmpty) {
  ChunkWriter writer({0, 1});
  int64_t number = writer.symbol("");
  constexpr char kUtf8 = static_cast<char>(StringEncoding::kUtf8);
  constexpr char kPool[] = {static_cast<char>(TypeId::kSymbol), 2, 1, kUtf8, 3, '(', ')', 'V', 2, kUtf8, 0};
  EXPECT_EQ(number, 2);
  EXPECT_NE(writer.take_piece(2).find(std::string_view(kPool, sizeof kPool)), std::string::npos);
}

TEST(Jfr, SamplesThatTwoEventsCountTogetherAreThoseOfTheEventWithTheirWeight) {
  Profile profile;
  profile.value_types = {{"samples", "count"}, {"cpu", "nanoseconds"}, {"wall", "nanoseconds"}};
  NodeId main = profile.child(0, profile.location(profile.function("a/B.main", FrameKind::kJit), 7));
  const int64_t cpu[] = {3, 30, 0}, wall[] = {4, 0, 40};
  profile.add(main, profile.label_set({}), cpu);
  profile.add(main, profile.label_set({{"state", "parked", 0, ""}}), wall);
  std::map<uint64_t, int> counts = events_in(write_jfr(profile, {}));
  EXPECT_EQ(count_of(counts, TypeId::kExecutionSample), 3);
  EXPECT_EQ(count_of(counts, TypeId::kWallClockSample), 1);
}

TEST(Jfr, AStackMakesABoundedNumberOfRecordsWithItsWholeWeight) {
  Profile profile;
  profile.value_types = {{"samples", "count"}, {"cpu", "nanoseconds"}};
  NodeId main = profile.child(0, profile.location(profile.function("a/B.main", FrameKind::kJit), 7));
  const int64_t very_many[] = {int64_t{1} << 50, (int64_t{1} << 50) + 7};
  profile.add(main, profile.label_set({}), very_many);
  Profile again = read(write_jfr(profile, {}));
  ASSERT_EQ(again.sample_count(), 1U);
  EXPECT_LE(again.values(0)[0], 10'000);
  EXPECT_EQ(again.values(0)[1], very_many[1]);
}

// As async-profiler's converter reads: so many fields, then another event.
TEST(Jfr, FieldsOfHearthAreAnUnknownEventToWhoKnowsThemNot) {
  constexpr int kFieldsOfOthers = 4;
  ChunkWriter writer({});
  SampleRecord record;
  record.count = 1;
  record.weight = 1'000'000;
  record.labels = writer.text("route=/x");
  std::string before = writer.take_piece(0);
  put_samples({event_kind("cpu"), "cpu", ""}, record, 0, &writer);
  std::string events = writer.take_piece(0);
  size_t at = 0, size = number_at(events, &at);
  EXPECT_EQ(number_at(events, &at), static_cast<uint64_t>(TypeId::kExecutionSample));
  for (int field = 0; field < kFieldsOfOthers; ++field) number_at(events, &at);
  size_t own = at, own_size = number_at(events, &at);
  EXPECT_EQ(own + own_size, size);
  EXPECT_GT(number_at(events, &at), static_cast<uint64_t>(UINT8_MAX));
}

TEST(Jfr, EqualStacksAreOne) {
  ChunkWriter writer({});
  std::vector<StackEntry> frames = {{writer.method({"a/B", "run", "()V"}), 1, 0, AsprofFrameType::kJit}};
  int64_t first = writer.stack(frames, false);
  EXPECT_EQ(writer.stack(frames, false), first);
  EXPECT_NE(writer.stack(frames, true), first);
}

TEST(Jfr, StatesAreThoseOfAsyncProfiler) {
  EXPECT_EQ(kThreadStates[thread_state_number("")], "STATE_DEFAULT");
  EXPECT_EQ(kThreadStates[thread_state_number("running")], "STATE_RUNNABLE");
  EXPECT_EQ(kThreadStates[thread_state_number("parked")], "STATE_SLEEPING");
}

TEST(Jfr, AnyProfileCanBeWritten) {
  EXPECT_GT(count_of(events_in(write_jfr(sample_profile(), {})), TypeId::kActiveRecording), 0);
  EXPECT_EQ(count_of(events_in(write_jfr(Profile(), {})), TypeId::kExecutionSample), 0);
  Profile of_others = read_collapsed("a;b 2\na;c 1\n");
  EXPECT_EQ(count_of(events_in(write_jfr(of_others, {})), TypeId::kExecutionSample), 3);
}

TEST(Jfr, IncludeSelectsStacks) {
  WriteOptions options;
  options.exclude = {"a/B.main"};
  EXPECT_EQ(count_of(events_in(write_jfr(of_two_events(), options)), TypeId::kExecutionSample), 0);
}

TEST(Jfr, PartsOfNames) {
  Profile profile;
  std::string scratch;
  auto parts = [&](std::string_view name, FrameKind kind) {
    MethodParts all = method_parts(profile, profile.functions()[profile.function(name, kind)], &scratch);
    return std::string(all.class_name).append("|").append(all.name).append("|").append(all.descriptor);
  };
  EXPECT_EQ(parts("java/lang/String.indexOf(Ljava/lang/String;)I", FrameKind::kJit),
            "java/lang/String|indexOf|(Ljava/lang/String;)I");
  EXPECT_EQ(parts("java.lang.String.indexOf", FrameKind::kJit), "java/lang/String|indexOf|()L;");
  EXPECT_EQ(parts("a/B$$Lambda.0x00007f.run()V", FrameKind::kInlined), "a/B$$Lambda.0x00007f|run|()V");
  EXPECT_EQ(parts("libc.so.6`read", FrameKind::kNative), "libc.so.6|read|()L;");
  EXPECT_EQ(parts("vfs_read", FrameKind::kKernel), "|vfs_read|()L;");
}

TEST(Jfr, ClassesOfObjects) {
  EXPECT_EQ(class_of_object("java.lang.String").name, "java/lang/String");
  EXPECT_EQ(class_of_object("byte[]").name, "[B");
  EXPECT_EQ(class_of_object("java.lang.String[][]").name, "[[Ljava/lang/String;");
  EXPECT_EQ(class_of_object("int[]_[k]").place, Place::kOutside);
  EXPECT_EQ(class_of_object("int[]_[i]").name, "[I");
}

TEST(Jfr, LabelsAsOneText) {
  LabelFields fields = fields_of(
      {{"k;", "a=b\\", 0, ""}, {"span_id", "0a", 0, ""}, {"state", "parked", 0, ""}, {"thread", "t", 0, ""}}, {});
  EXPECT_EQ(fields.others, "k\\;=a\\=b\\\\;state=parked");
  EXPECT_EQ(fields.thread, "t");
  EXPECT_EQ(fields.span, "0a");
  EXPECT_EQ(fields.state, "parked");
}

TEST(Jfr, EachEventKindHasARow) {
  // What samples count for as well is in their own records, and only conversions write it apart.
  for (const EventKind& kind : kEventKinds)
    EXPECT_EQ(sample_type(&kind) == TypeId::kOtherSample, kind.name == std::string_view("io-bytes")) << kind.name;
}

// The sums of a profile's values after a record of three calls or waits, of 30 ms together, has been written and read.
// `types`: become the value types.
std::vector<int64_t> sums_as_read(const char* event, int64_t bytes, std::vector<std::string>* types) {
  ChunkWriter writer({0, 1'000'000'000});
  SampleRecord record;
  record.ticks = 90'000'000;
  record.weight = 30'000'000;
  record.count = 3;
  record.bytes = bytes;
  put_samples({event_kind(event), event, ""}, record, 0, &writer);
  std::string piece = writer.take_piece(100'000'000);
  Profile profile = read(writer.header(100'000'000) + piece);
  for (const ValueType& type : profile.value_types) types->push_back(type.type);
  std::vector<int64_t> sums(profile.value_types.size());
  for (size_t i = 0; i < profile.sample_count(); i++)
    for (size_t value = 0; value < sums.size(); value++) sums[value] += profile.values(i)[value];
  return sums;
}

TEST(Jfr, IoIsReadAsItWasSampled) {
  std::vector<std::string> types;
  EXPECT_EQ(sums_as_read("io", 4096, &types), (std::vector<int64_t>{3, 30'000'000, 3, 4096}));
  ASSERT_EQ(types.size(), 4U);
  EXPECT_EQ(types[0], "io_calls");
  EXPECT_EQ(types[3], "io_bytes");
}

TEST(Jfr, WakersAreReadAsTheyWereSampled) {
  std::vector<std::string> types;
  EXPECT_EQ(sums_as_read("wakers", 0, &types), (std::vector<int64_t>{3, 30'000'000}));
  ASSERT_EQ(types.size(), 2U);
  EXPECT_EQ(types[0], "wakeups");
}

TEST(Jfr, WaitsOfVirtualThreadsAreReadAsTheyWereSampled) {
  std::vector<std::string> types;
  EXPECT_EQ(sums_as_read("vthreads", 0, &types), (std::vector<int64_t>{3, 30'000'000}));
  ASSERT_EQ(types.size(), 2U);
  EXPECT_EQ(types[0], "vthread_waits");
}

// The values of the only sample of a recording that `put` writes.
template <typename Put>
std::vector<int64_t> values_of_one(const Put& put, Profile* profile) {
  ChunkWriter writer({0, 1'000'000'000});
  SampleRecord record;
  record.ticks = 500;
  record.thread = writer.thread("main", 7);
  record.stack = writer.stack({{writer.method({"", "site", "()L;", true}), 0, 0, AsprofFrameType::kNative}}, false);
  put(record, &writer);
  std::string piece = writer.take_piece(1000);
  *profile = read(writer.header(1000) + piece);
  EXPECT_EQ(profile->sample_count(), 1U);
  if (profile->sample_count() != 1) return {};
  return {profile->values(0), profile->values(0) + profile->value_types.size()};
}

// A release is no sample: readers find its allocation by the address.
TEST(Jfr, NativeMemoryIsReadAsItWasSampled) {
  Profile profile;
  auto put = [](SampleRecord record, ChunkWriter* writer) {
    record.address = 0x7f0000001000;
    record.size = 100;
    record.weight = 5000;
    record.count = 50;
    put_samples({event_kind(kNativeMemoryEvent), kNativeMemoryEvent, ""}, record, 0, writer);
    put_release(700, record.thread, record.address, writer);
  };
  EXPECT_EQ(values_of_one(put, &profile), (std::vector<int64_t>{50, 5000}));
  EXPECT_EQ(profile.value_types[1].type, "native_alloc_space");
}

TEST(Jfr, AllocationsHaveTheirAddressAndSizeForOtherReaders) {
  ChunkWriter writer({0, 1});
  SampleRecord record;
  record.address = 4096;
  record.size = 100;
  record.weight = 5000;
  record.count = 1;
  std::string before = writer.take_piece(0);
  put_samples({event_kind(kNativeMemoryEvent), kNativeMemoryEvent, ""}, record, 0, &writer);
  put_release(7, 3, record.address, &writer);
  std::string events = writer.take_piece(0);
  auto fields = [&](size_t* at, TypeId type, size_t count) {
    number_at(events, at);
    EXPECT_EQ(number_at(events, at), static_cast<uint64_t>(type));
    std::vector<uint64_t> found;
    for (size_t i = 0; i < count; ++i) found.push_back(number_at(events, at));
    return found;
  };
  size_t at = 0;
  size_t length = number_at(events, &at);
  at = 0;
  EXPECT_EQ(fields(&at, TypeId::kMalloc, 5), (std::vector<uint64_t>{0, 0, 0, 4096, 100}));
  at = length;
  EXPECT_EQ(fields(&at, TypeId::kFree, 4), (std::vector<uint64_t>{7, 3, 0, 4096}));
}

TEST(Jfr, WaitsForNativeLocksAreReadAsTheyWereSampled) {
  Profile profile;
  auto put = [](SampleRecord record, ChunkWriter* writer) {
    record.ticks = 900'000;
    record.address = 0x7f0000001000;
    record.weight = 200'000;
    record.count = 3;
    put_samples({event_kind("nativelock"), "nativelock", ""}, record, 0, writer);
  };
  EXPECT_EQ(values_of_one(put, &profile), (std::vector<int64_t>{3, 200'000}));
  EXPECT_EQ(profile.value_types[1].type, "native_delay");
}

TEST(Jfr, AFileIsReadableAfterEachPieceAndReplacesTheOldOneThen) {
  std::string path = testing::TempDir() + "pieces.jfr";
  std::ofstream(path) << "old";
  auto content = [&] {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  };
  { ChunkFile unused(path); }
  EXPECT_EQ(content(), "old");
  ChunkFile file(path);
  for (int chunk = 1; chunk <= 2; ++chunk) {
    ChunkWriter writer({});
    for (int piece = 0; piece < 3; ++piece) {
      SampleRecord record;
      record.count = record.weight = 1;
      record.stack =
          writer.stack({{writer.method({"a/B", std::to_string(piece), "()V"}), 1, 0, AsprofFrameType::kJit}}, false);
      put_samples({event_kind("cpu"), "cpu", ""}, record, 0, &writer);
      std::string bytes = writer.take_piece(piece);
      file.append(bytes, writer.header(piece));
      EXPECT_EQ(count_of(events_in(content()), TypeId::kExecutionSample), 3 * (chunk - 1) + piece + 1);
    }
    file.end_chunk();
  }
  EXPECT_EQ(static_cast<size_t>(file.size()), content().size());
  EXPECT_TRUE(file.is_at_its_place());
  std::filesystem::rename(path, path + ".moved");
  EXPECT_FALSE(file.is_at_its_place());
  std::ofstream(path) << "another";
  EXPECT_FALSE(file.is_at_its_place());
  std::filesystem::remove(path + ".moved");
  std::filesystem::remove(path);
}

TEST(ChunkClock, IsWrittenInTicksOfAnotherCounter) {
  jfr::ChunkClock clock;
  clock.ticks = 1'000'000'000;
  EXPECT_EQ(clock.written(clock.ticks + 5), clock.ticks + 5);
  EXPECT_EQ(clock.written_per_second(), 1'000'000'000);
  clock.counter_per_second = 2'500'000'000;
  clock.counter = 77;
  EXPECT_EQ(clock.written(clock.ticks), 77);
  EXPECT_EQ(clock.written(clock.ticks + 2'000'000'000), 77 + 5'000'000'000);
  EXPECT_EQ(clock.written(clock.ticks - 2), 77 - 5);
  constexpr int64_t kYear = 366LL * 86'400'000'000'000;
  EXPECT_EQ(clock.written_span(kYear), kYear / 2 * 5);
  EXPECT_EQ(clock.written_per_second(), 2'500'000'000);
}

}  // namespace
}  // namespace hearth::profile::jfr
