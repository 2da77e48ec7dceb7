// Profiles of one process, or of its runs one after the other, as one: stacks, labels and values of the same name come
// together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "profile/model/profile.h"

namespace hearth::profile {

class MergedProfile {
 public:
  // What becomes of each label; nothing: it stays. False: it is dropped.
  using ChangeLabel = std::function<bool(Label* label)>;
  explicit MergedProfile(ChangeLabel change_label = nullptr) : change_label_(std::move(change_label)) {}

  // All its samples came at `time`; their own times are not kept. Throws FormatError for more value types than a
  // profile may have.
  void add(const Profile& part, TimeStep time = kNoTime);

  bool is_empty() const { return parts_ == 0; }
  // From the earliest start to the latest end; of several intervals of one value the longest, as that is never better
  // than the truth. The object is empty then.
  Profile take();

 private:
  std::vector<size_t> columns_for(const Profile& part);
  std::vector<size_t> columns_of(const std::vector<ValueType>& types);
  void widen(const std::vector<ValueType>& missing);
  void add_samples(const Profile& part, const std::vector<size_t>& columns, const TimeStep* time);
  void add_metadata(const Metadata& part);
  std::vector<LabelSetId> labels_of(const Profile& part);

  ChangeLabel change_label_;
  Profile sum_;
  size_t parts_ = 0;
  int64_t ends_unix_ns_ = 0;
};

// The figures of one part added to those of all before; the middle and mean times of a sample are weighted by how many
// samples they are of, of the slow ones the slowest stays.
void add_quality(const Quality& part, Quality* sum);
// "cpu, wall" and "wall, alloc" is "cpu, wall, alloc", where they are listed with ", ".
void add_words(const std::string& words, std::string_view between, std::string* sum);

}  // namespace hearth::profile
