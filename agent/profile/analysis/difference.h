// What changed between two profiles of one event, or between several runs and several others: all in one call tree, and
// how far each change may be chance.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profile/analysis/call_tree.h"
#include "profile/analysis/compared_profiles.h"
#include "profile/analysis/share_bounds.h"
#include "profile/formats/formats.h"
#include "profile/model/profile.h"

namespace hearth::profile {

enum class Scale {
  kShares,   // of each profile's own total: they may be of different lengths
  kAmounts,  // as they are: of two runs that did the same work, or of one operation; of several runs their mean
};

struct DifferenceOptions {
  WriteOptions write;  // event, labels, lens (the last value unless samples), include, exclude, lines, annotate; of a
                       // page also title, reverse, inverted
  Scale scale = Scale::kShares;
  std::string names[2] = {"before", "after"};  // of the profiles, for people
  size_t limit = 0;                            // JSON: how many methods; 0: all
  double operations[2] = {0, 0};               // that each run of a side did: amounts are then of one; 0: not told
};

// Before, and after. A variance of 0 may also be one that is not known.
struct Measured {
  int64_t values[2] = {0, 0};
  double variances[2] = {0, 0};
};

// In shares (0 to 1) or in the value's unit, by the scale.
struct Change {
  double before = 0;
  double after = 0;
  // Half the width of the interval around the change that holds the true one in 95 of 100 pairs of profiles; 0 where
  // that is not known. Chance is what samples were taken, or how far runs lie apart where that is more.
  double bound = 0;
  double change() const { return after - before; }
  bool is_noise() const { return change() <= bound && -change() <= bound; }
};

struct MethodChange {
  std::string name;
  Measured self;
  Measured total;
  Change self_change;
  Change total_change;
};

// "new", "vanished", "grew", "shrank" or "same", whether by chance or not.
const char* word_of_change(const Measured& measured, const Change& change);

class Difference {
 public:
  using Runs = std::vector<const Profile*>;  // of one side: one, or several of the same program

  // Throws FormatError where the two have no value in common ("one is of cpu, the other of alloc"), where one has an
  // event or chosen labels too few, negative values (a difference of profiles), or no weight at all.
  Difference(const Runs& before, const Runs& after, const DifferenceOptions& options);
  Difference(const Profile& before, const Profile& after, const DifferenceOptions& options)
      : Difference(Runs{&before}, Runs{&after}, options) {}

  // Frames are compared by comparable_name().
  const CallTree& tree() const { return tree_; }
  // What the tree is made of.
  const Profile& both() const { return both_; }
  // Of each side; the tree's columns are those before, then those after.
  const std::vector<ValueType>& values() const { return values_; }
  size_t lens() const { return lens_; }  // index of the value that is compared
  const ValueType& value() const { return values_[lens_]; }
  const std::string& event() const { return event_; }
  Scale scale() const { return scale_; }
  // Of a side's first run; the duration is that of all.
  const Metadata& about(size_t side) const { return about_[side]; }
  const Quality& quality(size_t side) const { return quality_[side]; }
  size_t runs(size_t side) const { return runs_[side]; }
  // Of all runs together.
  int64_t total(size_t side) const { return totals_[side]; }
  // What a sum over all runs is divided by where amounts are compared: runs, or all their operations.
  double divisor(size_t side) const { return divisors_[side]; }
  bool is_per_operation() const { return is_per_operation_; }
  // Whether values[0] says how many samples the others are of, which is then what their bounds are made from.
  bool counts_samples() const { return counts_samples_; }
  bool bounds_known() const { return runs_tell_chance() || (bounds_[0].known() && bounds_[1].known()); }
  // Whether there are enough of them on each side.
  bool runs_tell_chance() const { return runs_[0] > 1 && runs_[1] > 1; }

  // Of all methods; those that changed by more than noise first, and the largest change of their own before others.
  std::vector<MethodChange> methods() const;

 private:
  // Self and total of one method in each run of both sides, in the scale's unit; a run that lacks it has 0.
  struct RunValues {
    std::vector<double> self[2];
    std::vector<double> total[2];
  };

  size_t column(size_t side, size_t value) const { return side * values_.size() + value; }
  void know_runs(const ComparedProfiles& all, const std::vector<ComparedRun>& runs, const WriteOptions& options);
  void weigh();
  Change change_of(const Measured& measured) const;
  void widen(MethodChange* method) const;

  std::string event_;
  std::vector<ValueType> values_;
  Profile both_;
  CallTree tree_;
  size_t lens_ = 0;
  Scale scale_;
  bool annotate_;
  bool counts_samples_ = false;
  Metadata about_[2];
  Quality quality_[2];
  size_t runs_[2];
  double divisors_[2];
  bool is_per_operation_;
  std::unordered_map<std::string, RunValues> run_values_;  // by method
  int64_t totals_[2] = {0, 0};
  ShareBounds bounds_[2];
  double units_[2] = {0, 0};  // variance of a sample that may have been met, and was not
};

// `stack before after` a line, as difffolded's; samples unless lens is kTotal.
std::string write_difference_collapsed(const Difference& difference, const WriteOptions& options);
// {"before", "after", "value", "normalized", "bounds_known", "chance_from", "methods": [{"name", "change", "self",
// "total"}]}
std::string write_difference_json(const Difference& difference, const DifferenceOptions& options);
std::string write_difference_page(const Difference& difference, const DifferenceOptions& options);

}  // namespace hearth::profile
