#include "jfr/made_recording.h"

#include <initializer_list>
#include <map>
#include <utility>
#include <vector>

#include "profile/jfr/layout.h"

namespace hearth::profile {
namespace {

enum Id : uint64_t {
  kBoolean = 4,
  kInt,
  kLong,
  kFloat,
  kText = 20,
  kClass,
  kThread,
  kFrameType,
  kState,
  kStackTrace,
  kStackFrame,
  kMethod,
  kSymbol,
  kPoint,
  kTimestamp = 40,
  kTimespan,
  kExecutionSample = 101,
  kAllocation,
  kSetting,
  kFileRead,
  kEnter,
  kPark,
  kUnknown,
  kPause,
};

struct MadeField {
  const char* name;
  Id type;
  bool is_constant = false;
  bool is_array = false;
  Id annotation = kBoolean;  // kTimestamp, kTimespan: in ticks
};

struct MadeType {
  Id id;
  const char* name;
  std::vector<MadeField> fields;
};

const MadeField kStart = {"startTime", kLong, false, false, kTimestamp};
const MadeField kDuration = {"duration", kLong, false, false, kTimespan};
const MadeField kEventThread = {"eventThread", kThread, true};
const MadeField kStack = {"stackTrace", kStackTrace, true};

const std::vector<MadeType>& types() {
  static const std::vector<MadeType> kTypes = {
      {kBoolean, "boolean", {}},
      {kInt, "int", {}},
      {kLong, "long", {}},
      {kFloat, "float", {}},
      {kText, "java.lang.String", {}},
      {kClass, "java.lang.Class", {{"name", kSymbol, true}}},
      {kThread, "java.lang.Thread", {{"osName", kText}, {"osThreadId", kLong}, {"javaName", kText}}},
      {kFrameType, "jdk.types.FrameType", {{"description", kText}}},
      {kState, "jdk.types.ThreadState", {{"name", kText}}},
      {kStackTrace, "jdk.types.StackTrace", {{"truncated", kBoolean}, {"frames", kStackFrame, false, true}}},
      {kStackFrame,
       "jdk.types.StackFrame",
       {{"method", kMethod, true}, {"lineNumber", kInt}, {"type", kFrameType, true}}},
      {kMethod, "jdk.types.Method", {{"type", kClass, true}, {"name", kSymbol, true}, {"descriptor", kSymbol, true}}},
      {kSymbol, "jdk.types.Symbol", {{"string", kText}}},
      {kPoint, "test.Point", {{"x", kInt}, {"y", kFloat}}},
      {kTimestamp, "jdk.jfr.Timestamp", {}},
      {kTimespan, "jdk.jfr.Timespan", {}},
      {kExecutionSample,
       "jdk.ExecutionSample",
       {kStart, {"sampledThread", kThread, true}, kStack, {"state", kState, true}}},
      {kAllocation,
       "jdk.ObjectAllocationInNewTLAB",
       {kStart, kEventThread, kStack, {"objectClass", kClass, true}, {"allocationSize", kLong}, {"tlabSize", kLong}}},
      {kSetting, "jdk.ActiveSetting", {kStart, {"id", kLong}, {"name", kText}, {"value", kText}}},
      {kFileRead, "jdk.FileRead", {kStart, kDuration, kEventThread, kStack, {"path", kText}, {"bytesRead", kLong}}},
      {kEnter, "jdk.JavaMonitorEnter", {kStart, kDuration, kEventThread, kStack, {"monitorClass", kClass, true}}},
      {kPark, "jdk.ThreadPark", {kStart, kDuration, kEventThread, kStack, {"parkedClass", kClass, true}}},
      {kUnknown, "test.Unknown", {kStart, {"points", kPoint, false, true}, {"here", kPoint}, {"text", kText}}},
      {kPause, "jdk.GCPhasePause", {kStart, kDuration}},
  };
  return kTypes;
}

class Writer {
 public:
  explicit Writer(const MadeChunk& chunk) : chunk_(chunk), bytes_(jfr::header::kSize, '\0') {}

  std::string take();

 private:
  static constexpr uint64_t kTicksPerSecond = 10'000'000, kFirstTick = 5'000;
  static constexpr int64_t kNsPerTick = 100;

  static void put_fixed(uint64_t value, size_t width, std::string* out) {
    for (size_t i = width; i > 0; --i) out->push_back(static_cast<char>(value >> (8 * (i - 1))));
  }
  void number(uint64_t value, size_t width = 8) {
    if (!chunk_.compressed) return put_fixed(value, width, &event_);
    for (; value >= 0x80; value >>= 7) event_.push_back(static_cast<char>(value | 0x80));
    event_.push_back(static_cast<char>(value));
  }
  void numbers(std::initializer_list<uint64_t> values) {
    for (uint64_t value : values) number(value);
  }
  void byte(uint8_t value) { event_.push_back(static_cast<char>(value)); }
  void text(const std::string& text) {
    byte(text.empty() ? 1 : 3);
    if (text.empty()) return;
    number(text.size(), 4);
    event_ += text;
  }
  // As Java's strings: each letter a number.
  void letters(const std::string& text) {
    byte(4);
    number(text.size(), 4);
    for (char letter : text) number(static_cast<uint8_t>(letter), 2);
  }

  // Appends the event that was put together. Its size has four bytes, as the JDK pads it.
  size_t finish(uint64_t type) {
    std::string fields;
    fields.swap(event_);
    number(type);
    event_ += fields;
    size_t at = bytes_.size();
    auto size = static_cast<uint32_t>(event_.size() + 4);
    if (chunk_.compressed) {
      for (int i = 0; i < 3; ++i) bytes_.push_back(static_cast<char>((size >> (7 * i) & 0x7F) | 0x80));
      bytes_.push_back(static_cast<char>(size >> 21));
    } else {
      put_fixed(size, 4, &bytes_);
    }
    bytes_ += event_;
    event_.clear();
    return at;
  }

  static uint64_t at_ms(uint64_t ms) { return kFirstTick + ms * kTicksPerSecond / 1000; }
  static uint64_t ms(uint64_t ms) { return ms * kTicksPerSecond / 1000; }

  uint64_t string_id(const std::string& text) {
    auto [found, is_new] = ids_.try_emplace(text, strings_.size());
    if (is_new) strings_.push_back(text);
    return found->second;
  }
  void element(const char* name, const std::vector<std::pair<std::string, std::string>>& attributes, size_t children) {
    number(string_id(name), 4);
    number(attributes.size(), 4);
    for (const auto& [key, value] : attributes) {
      number(string_id(key), 4);
      number(string_id(value), 4);
    }
    number(children, 4);
  }
  void put_field(const MadeField& field);
  void put_metadata();
  void put_constants();
  void put_samples();
  void put_waits();

  const MadeChunk& chunk_;
  std::string bytes_;
  std::string event_;
  std::vector<std::string> strings_;
  std::map<std::string, uint64_t> ids_;
  size_t metadata_ = 0;
  size_t constants_ = 0;
};

void Writer::put_field(const MadeField& field) {
  std::vector<std::pair<std::string, std::string>> attributes = {{"name", field.name},
                                                                 {"class", std::to_string(field.type)}};
  if (field.is_constant) attributes.emplace_back("constantPool", "true");
  if (field.is_array) attributes.emplace_back("dimension", "1");
  bool has_unit = field.annotation != kBoolean;
  element("field", attributes, has_unit ? 1 : 0);
  if (has_unit) element("annotation", {{"class", std::to_string(field.annotation)}, {"value", "TICKS"}}, 0);
}

void Writer::put_metadata() {
  element("root", {}, 2);
  element("metadata", {}, types().size());
  for (const MadeType& type : types()) {
    element("class", {{"id", std::to_string(type.id)}, {"name", type.name}}, type.fields.size());
    for (const MadeField& field : type.fields) put_field(field);
  }
  element("region", {{"locale", "en"}, {"gmtOffset", "0"}}, 0);
  std::string tree;
  tree.swap(event_);
  numbers({kFirstTick, 0, 1});
  number(strings_.size(), 4);
  for (const std::string& text : strings_) letters(text);
  event_ += tree;
  metadata_ = finish(jfr::kMetadataEvent);
}

void Writer::put_constants() {
  const std::vector<std::string> symbols = {"Main",
                                            "main",
                                            "([Ljava/lang/String;)V",
                                            "Work",
                                            "work",
                                            "()V",
                                            "[B",
                                            "java/lang/Object",
                                            "java/util/concurrent/locks/ReentrantLock$NonfairSync",
                                            "java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject"};
  numbers({kFirstTick, 0, 0});
  byte(1);
  number(7, 4);
  auto pool = [this](Id type, size_t count) {
    number(type);
    number(count, 4);
  };
  pool(kSymbol, symbols.size());
  for (size_t i = 0; i < symbols.size(); ++i) {
    number(i + 1);
    text(symbols[i]);
  }
  pool(kClass, 6);
  for (auto [id, name] : {std::pair{1, 1}, {2, 4}, {3, 7}, {4, 8}, {5, 9}, {6, 10}})
    numbers({uint64_t(id), uint64_t(name)});
  pool(kMethod, 2);
  numbers({1, 1, 2, 3});
  numbers({2, 2, 5, 6});
  pool(kFrameType, 2);
  for (auto [id, name] : {std::pair{1, chunk_.outer_frame}, {2, chunk_.inner_frame}}) {
    number(uint64_t(id));
    text(name);
  }
  pool(kState, 1);
  number(1);
  text("STATE_RUNNABLE");
  pool(kThread, 2);
  for (auto [id, name] : {std::pair{1, "main"}, {2, "worker"}}) {
    number(uint64_t(id));
    text("os");
    number(uint64_t(id) * 10);
    text(name);
  }
  pool(kStackTrace, 2);
  for (uint64_t id : {1, 2}) {
    number(id);
    byte(id == 2 ? 1 : 0);
    number(2, 4);  // innermost first
    for (uint64_t method : {2, 1}) {
      number(method);
      number(method == 2 ? 7 : 3, 4);
      number(method == 2 ? 2 : 1);
    }
  }
  constants_ = finish(jfr::kCheckpointEvent);
}

void Writer::put_samples() {
  for (uint64_t stack : {1, 1, 2, 0}) {
    numbers({at_ms(100), 1, stack, 1});
    finish(kExecutionSample);
  }
  numbers({at_ms(100), 1, 1, 3, 16, 1600});
  finish(kAllocation);
  numbers({kFirstTick, kExecutionSample});
  text("period");
  text("20 ms");
  finish(kSetting);
  for (int i = 0; i < 3; ++i) {
    number(at_ms(200));
    number(2, 4);
    for (int point = 0; point < 3; ++point) {
      number(300, 4);
      put_fixed(0x3F800000, 4, &event_);
    }
    text("unknown");
    finish(kUnknown);
  }
}

void Writer::put_waits() {
  numbers({at_ms(500), ms(5), 2, 1, 4});
  finish(kEnter);
  numbers({at_ms(500), ms(7), 2, 1, 5});
  finish(kPark);
  numbers({at_ms(500), ms(9), 2, 1, 6});
  finish(kPark);
  numbers({at_ms(500), ms(2), 2, 1});
  text("/a/file");
  number(300);
  finish(kFileRead);
  numbers({at_ms(600), ms(4)});
  finish(kPause);
}

std::string Writer::take() {
  put_samples();
  put_waits();
  put_constants();
  put_metadata();
  std::string header(jfr::kMagic);
  put_fixed(2, 2, &header);
  put_fixed(1, 2, &header);
  bool is_finished = chunk_.is_finished;
  for (uint64_t value : {uint64_t{is_finished ? bytes_.size() : 0}, uint64_t{is_finished ? constants_ : 0},
                         uint64_t{is_finished ? metadata_ : 0}, static_cast<uint64_t>(chunk_.start_ns),
                         static_cast<uint64_t>(is_finished ? chunk_.duration_ns : 0), kFirstTick, kTicksPerSecond})
    put_fixed(value, 8, &header);
  put_fixed(chunk_.compressed ? jfr::kCompressedIntegers : 0, 4, &header);
  return bytes_.replace(0, header.size(), header);
}

}  // namespace

std::string made_chunk(const MadeChunk& chunk) {
  return Writer(chunk).take();
}

}  // namespace hearth::profile
