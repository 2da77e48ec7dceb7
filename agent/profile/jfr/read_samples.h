// Samples of a recording, before it is known which values its profile has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profile/model/id_index.h"
#include "profile/model/profile.h"

namespace hearth::profile::jfr::recorded {

// The amount that a sample counts, in the order of a profile's values.
enum class Column : uint8_t {
  kCpu,
  kCpuTime,
  kWall,
  kPageFaults,
  kContextSwitches,
  kCalls,
  kAlloc,
  kAllocSample,
  kLock,
  kLive,
  kNativeSamples,
  kPark,
  kMonitorWait,
  kSleep,
  kPinned,
  kTrace,
  kNativeMem,
  kNativeLock,
  kIo,
  kIoBytes,
  kNativeLive,
  kExceptions,
  kHolders,
  kWakers,
  kVirtualThreads,
  kErrors,
  kFileRead,
  kFileReadTime,
  kFileWrite,
  kFileWriteTime,
  kFileForceTime,
  kSocketRead,
  kSocketReadTime,
  kSocketWrite,
  kSocketWriteTime,
  kNone,  // columns of other events have the numbers from here on
};
inline constexpr size_t kColumns = static_cast<size_t>(Column::kNone);

struct ColumnRow {
  std::string event;  // as options name it
  std::string count;  // value type of the number; "samples" is shared
  std::string weight;
  std::string unit;
};

class Samples {
 public:
  Samples();

  struct Key {
    NodeId stack;
    LabelSetId labels;
    TimeStep time;
    Column column;
    bool operator==(const Key& other) const {
      return stack == other.stack && labels == other.labels && time == other.time && column == other.column;
    }
  };

  // `at_ns`: since the recording's start.
  void add(NodeId stack, LabelSetId labels, int64_t at_ns, Column column, int64_t count, int64_t weight);

  // The column of an event of this name. Throws FormatError if there are too many.
  Column named(std::string_view event, std::string_view unit);
  bool is_duration(Column column) const { return rows_[static_cast<size_t>(column)].unit == "nanoseconds"; }
  // Whether its samples are counted in the value that several events share.
  bool shares_count(Column column) const;
  void set_interval(Column column, int64_t interval) { uses_[static_cast<size_t>(column)].interval = interval; }

  // Moves all samples into the profile, which has their stacks and labels, with values and time steps.
  void move_to(Profile* profile);

 private:
  static constexpr int64_t kFirstStepNs = 20'000'000;
  static constexpr TimeStep kMostSteps = 4096;

  struct Sample {
    Key key;
    int64_t count;
    int64_t weight;
  };

  struct Use {
    bool is_used = false;
    int64_t interval = 0;
    size_t value = 0;  // number of the weight's value in the profile
  };

  TimeStep step_of(int64_t at_ns);
  void double_step();
  void insert(const Sample& sample);
  void join_twins();
  void set_values(Profile* profile);

  int64_t step_ns_ = kFirstStepNs;
  std::vector<Sample> samples_;
  IdIndex index_;
  std::vector<ColumnRow> rows_;  // by column
  std::vector<Use> uses_;        // likewise
};

}  // namespace hearth::profile::jfr::recorded
