// The changes between two profiles of one event, or between several runs and several others: both in one call tree,
// with the error of each change.
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
  kShares,   // of each profile's own total: profiles may differ in length
  kAmounts,  // for two runs that did the same work, or per operation; the mean of several runs
};

struct DifferenceOptions {
  WriteOptions write;  // event, labels, lens (the last value unless samples), include, exclude, lines, annotate; for a
                       // page also title, reverse, inverted
  Scale scale = Scale::kShares;
  std::string names[2] = {"before", "after"};  // of the profiles, for people
  size_t limit = 0;                            // JSON: number of methods; 0: all
  double operations[2] = {0, 0};               // of each run of a side: amounts are then per operation; 0: unknown
};

// Before, and after. A variance of 0 may also be an unknown one.
struct Measured {
  int64_t values[2] = {0, 0};
  double variances[2] = {0, 0};
};

// In shares (0 to 1) or in the value's unit, by the scale.
struct Change {
  double before = 0;
  double after = 0;
  // Half the width of the 95 % confidence interval of the change; 0 if unknown. Combines the sampling error and, if
  // larger, the differences between runs.
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

// "new", "vanished", "grew", "shrank" or "same", also within the error.
const char* word_of_change(const Measured& measured, const Change& change);

class Difference {
 public:
  using Runs = std::vector<const Profile*>;  // of one side: one, or several of the same program

  // Throws FormatError if the two have no value in common ("one is of cpu, the other of alloc"), or if one lacks the
  // event or selected labels, has negative values (a difference of profiles), or no weight at all.
  Difference(const Runs& before, const Runs& after, const DifferenceOptions& options);
  Difference(const Profile& before, const Profile& after, const DifferenceOptions& options)
      : Difference(Runs{&before}, Runs{&after}, options) {}

  // Frames are compared by normalized_name().
  const CallTree& tree() const { return tree_; }
  // The profile of the tree.
  const Profile& both() const { return both_; }
  // Values of each side; the tree's columns are those before, then those after.
  const std::vector<ValueType>& values() const { return values_; }
  size_t lens() const { return lens_; }  // index of the value that is compared
  const ValueType& value() const { return values_[lens_]; }
  const std::string& event() const { return event_; }
  Scale scale() const { return scale_; }
  // Metadata of a side's first run; the duration is the sum of all runs.
  const Metadata& about(size_t side) const { return about_[side]; }
  const Quality& quality(size_t side) const { return quality_[side]; }
  size_t runs(size_t side) const { return runs_[side]; }
  // Sum of all runs.
  int64_t total(size_t side) const { return totals_[side]; }
  // Divisor of sums over all runs when amounts are compared: the number of runs, or of all their operations.
  double divisor(size_t side) const { return divisors_[side]; }
  bool is_per_operation() const { return is_per_operation_; }
  // True if values[0] is the number of samples of the others, from which their errors then follow.
  bool counts_samples() const { return counts_samples_; }
  bool bounds_known() const { return has_chance_from_runs() || (bounds_[0].known() && bounds_[1].known()); }
  // True if each side has several runs.
  bool has_chance_from_runs() const { return runs_[0] > 1 && runs_[1] > 1; }

  // All methods; those that changed by more than noise first, by the size of their self change.
  std::vector<MethodChange> methods() const;

 private:
  // Self and total of one method in each run of both sides, in the scale's unit; 0 for a run that lacks it.
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
  double units_[2] = {0, 0};  // variance of one possible sample that was not taken
};

// One `stack before after` per line, as difffolded's; samples unless lens is kTotal.
std::string write_difference_collapsed(const Difference& difference, const WriteOptions& options);
// {"before", "after", "value", "normalized", "bounds_known", "chance_from", "methods": [{"name", "change", "self",
// "total"}]}
std::string write_difference_json(const Difference& difference, const DifferenceOptions& options);
std::string write_difference_page(const Difference& difference, const DifferenceOptions& options);

}  // namespace hearth::profile
