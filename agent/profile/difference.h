// What changed between two profiles of one event: both in one call tree, and how far each change may be chance.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "profile/call_tree.h"
#include "profile/formats.h"
#include "profile/profile.h"
#include "profile/share_bounds.h"

namespace hearth::profile {

enum class Scale {
  kShares,   // of each profile's own total: they may be of different lengths
  kAmounts,  // as they are: of two runs that did the same work
};

struct DifferenceOptions {
  WriteOptions write;  // event, lens (the last value unless samples), include, exclude, lines, annotate; of a page also
                       // title, reverse, inverted
  Scale scale = Scale::kShares;
  std::string names[2] = {"before", "after"};  // of the profiles, for people
  size_t limit = 0;                            // JSON: how many methods; 0: all
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
  double bound = 0;  // half the width of the interval around the change that holds the true one in 95 of 100 pairs of
                     // profiles; 0 where that is not known
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
  // Throws FormatError where the two have no value in common ("one is of cpu, the other of alloc"), where one has an
  // event too few, negative values (a difference of profiles), or no weight at all.
  Difference(const Profile& before, const Profile& after, const DifferenceOptions& options);

  // Frames are compared by comparable_name().
  const CallTree& tree() const { return tree_; }
  // What the tree is made of.
  const Profile& both() const { return both_; }
  // Of each of the two; the tree's columns are those before, then those after.
  const std::vector<ValueType>& values() const { return values_; }
  size_t lens() const { return lens_; }  // index of the value that is compared
  const ValueType& value() const { return values_[lens_]; }
  const std::string& event() const { return event_; }
  Scale scale() const { return scale_; }
  const Metadata& about(size_t side) const { return about_[side]; }
  const Quality& quality(size_t side) const { return quality_[side]; }
  int64_t total(size_t side) const { return totals_[side]; }
  // Whether values[0] says how many samples the others are of, which is then what their bounds are made from.
  bool counts_samples() const { return counts_samples_; }
  bool bounds_known() const { return bounds_[0].known() && bounds_[1].known(); }

  Change change_of(const Measured& measured) const;
  // Of all methods; those that changed by more than noise first, and the largest change of their own before others.
  std::vector<MethodChange> methods() const;

 private:
  size_t column(size_t side, size_t value) const { return side * values_.size() + value; }
  void know_variances();
  void weigh();

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
  int64_t totals_[2] = {0, 0};
  ShareBounds bounds_[2];
  double units_[2] = {0, 0};  // variance of a sample that may have been met, and was not
};

// `stack before after` a line, as difffolded's; samples unless lens is kTotal.
std::string write_difference_collapsed(const Difference& difference, const WriteOptions& options);
// {"before", "after", "value", "normalized", "bounds_known", "methods": [{"name", "change", "self", "total"}]}
std::string write_difference_json(const Difference& difference, const DifferenceOptions& options);
std::string write_difference_page(const Difference& difference, const DifferenceOptions& options);

}  // namespace hearth::profile
