// Merges profiles of one process, or of its successive runs: adds the values of equal stacks and labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "profile/model/profile.h"

namespace hearth::profile {

class MergedProfile {
 public:
  // Changes a label; null: keeps it. Returns false to drop it.
  using ChangeLabel = std::function<bool(Label* label)>;
  // Live memory of successive parts, which have ValueType::looked_at_ns: only that of the latest look is kept. Of
  // several processes it is added up.
  enum class Live { kSum, kLatest };
  explicit MergedProfile(ChangeLabel change_label = nullptr, Live live = Live::kSum)
      : change_label_(std::move(change_label)), live_(live) {}

  // Sets the time of all its samples to `time`. Throws FormatError for more value types than a profile may have.
  void add(const Profile& part, TimeStep time = kNoTime);

  bool is_empty() const { return parts_ == 0; }
  // From the earliest start to the latest end; if a value has several intervals, the longest, which never overstates
  // precision. Leaves the object empty.
  Profile take();

 private:
  std::vector<size_t> columns_for(const Profile& part);
  std::vector<size_t> columns_of(const std::vector<ValueType>& types);
  void widen(const std::vector<ValueType>& missing);
  void merge_look(const ValueType& part, ValueType* sum) const;
  void take_looks_out(const Profile& part, TimeStep time, std::vector<size_t>* columns);
  void add_samples(const Profile& part, const std::vector<size_t>& columns, const TimeStep* time);
  void add_metadata(const Metadata& part);
  std::vector<LabelSetId> labels_of(const Profile& part);

  static constexpr size_t kLeftOut = SIZE_MAX;  // in place of a column

  ChangeLabel change_label_;
  Live live_;
  std::map<std::string, Profile> looks_;  // the latest, by value type
  Profile sum_;
  size_t parts_ = 0;
  int64_t ends_unix_ns_ = 0;
};

// Adds the figures of one part to the sum; means and medians of sample times are weighted by the number of samples, and
// of high percentiles the largest is kept.
void add_quality(const Quality& part, Quality* sum);
// "cpu, wall" and "wall, alloc" give "cpu, wall, alloc", for the separator ", ".
void add_words(const std::string& words, std::string_view between, std::string* sum);

}  // namespace hearth::profile
