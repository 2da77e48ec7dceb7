#include <algorithm>
#include <cmath>

#include "base/formatted.h"
#include "launcher/commands/diff_command.h"
#include "launcher/text/columns.h"
#include "profile/formats/amount_text.h"
#include "profile/model/event_view.h"

namespace hearth::launcher {
namespace {

using profile::Change;
using profile::MethodChange;

class DiffPrinter {
 public:
  DiffPrinter(const profile::Difference& difference, const profile::DifferenceOptions& options, const TextStyle& style)
      : difference_(difference),
        options_(options),
        style_(style),
        limit_(options.limit == 0 ? kUsualRows : options.limit),
        methods_(difference.methods()) {}

  std::string print() {
    for (size_t side : {0, 1}) origin(side);
    whole();
    bool changed = table("Largest changes of self values", &MethodChange::self_change);
    changed |= table("Largest changes of total values", &MethodChange::total_change);
    within_noise(changed);
    return std::move(out_);
  }

 private:
  static constexpr size_t kUsualRows = 20;
  static constexpr size_t kRowsOfNoise = 5;
  using Kind = Change MethodChange::*;

  bool in_shares() const { return difference_.scale() == profile::Scale::kShares; }

  // Per operation it may be a few, for which integers would be too coarse.
  std::string amount(double value) const {
    constexpr double kMost = 9.2e18, kFew = 100;
    const std::string& unit = difference_.value().unit;
    if (difference_.is_per_operation() && value < kFew && value != std::floor(value))
      return formatted("{:.3g}{}", value, unit == "nanoseconds" ? " ns" : unit == "bytes" ? " B" : "");
    return profile::amount_text(std::llround(std::min(value, kMost)), unit);
  }
  std::string one(double value) const { return in_shares() ? formatted("{:.1f} %", 100 * value) : amount(value); }
  std::string signed_change(const Change& change) const {
    double size = std::abs(change.change());
    return formatted("{}{}", change.change() < 0 ? "-" : "+",
                     in_shares() ? formatted("{:.1f}", 100 * size) : amount(size));
  }
  std::string bound(const Change& change) const {
    if (!difference_.bounds_known()) return "";
    return formatted("±{}", in_shares() ? formatted("{:.1f}", 100 * change.bound) : amount(change.bound));
  }

  void heading(const std::string& text) { out_ += "\n" + heading_line(text, style_.on_terminal); }

  void origin(size_t side) {
    const profile::Metadata& about = difference_.about(side);
    std::string text = formatted("{:<8}{}", side == 0 ? "before" : "after", options_.names[side]);
    if (difference_.runs(side) > 1) text += formatted(", {} runs", difference_.runs(side));
    if (!about.title.empty()) text += formatted(", {}", about.title);
    std::string measured = about.event;
    if (about.duration_ns > 0) measured += formatted(" for {}", profile::duration_text(about.duration_ns));
    if (about.start_unix_ns > 0) measured += formatted(" from {}", local_time(about.start_unix_ns));
    if (!about.runtime.empty()) measured += formatted(", {}", about.runtime);
    if (!measured.empty()) text += ": " + measured;
    out_ += text + "\n";
  }

  void whole() {
    std::string_view word = word_of_value(difference_.value().type);
    auto all = [&](size_t side) { return static_cast<double>(difference_.total(side)) / difference_.divisor(side); };
    bool are_several = difference_.runs(0) + difference_.runs(1) > 2;
    const char* each = difference_.is_per_operation() ? " per operation" : are_several ? " per run" : "";
    out_ += formatted("total   {} {} before, {} after{}\n", amount(all(0)), word, amount(all(1)), each);
    std::string_view numbers = difference_.value().unit == "count" ? "numbers" : "amounts";
    out_ += in_shares() ? "shares of the total; changes in percentage points"
            : *each     ? formatted("{}{}", numbers, each)
                        : std::string(numbers);
    out_ += chance();
    if (in_shares())
      out_ += "a share also shrinks if another grows; for the cost of an operation use --absolute --per N\n";
    bool is_one_of_each = difference_.runs(0) + difference_.runs(1) == 2;
    if (is_one_of_each && difference_.bounds_known())
      out_ += "± does not include differences between runs; for those give several files: BEFORE… -- AFTER…\n";
  }

  const char* chance() const {
    if (!difference_.bounds_known()) return ", sampling error unknown\n";
    return difference_.has_chance_from_runs() ? ", ± 95 % error from sampling and from differences between runs\n"
                                              : ", ± 95 % sampling error\n";
  }

  void row(const MethodChange& method, Kind kind, size_t width) {
    const Change& change = method.*kind;
    const char* word = profile::word_of_change(method.total, method.total_change);
    bool is_new = word == std::string_view("new"), has_gone = word == std::string_view("vanished");
    std::string mark = is_new || has_gone ? formatted("{}  ", word) : "";
    size_t used = 3 * width + bound_width_ + 8 + mark.size();
    std::string name =
        style_.on_terminal && style_.width > used + 20 ? shortened(method.name, style_.width - used) : method.name;
    std::string chance = bound(change);
    chance += std::string(bound_width_ - std::min(bound_width_, columns_of(chance)), ' ');
    out_ += formatted("{:>{}} {:>{}} {:>{}} {}  {}{}\n", one(change.before), width, one(change.after), width,
                      signed_change(change), width, chance, mark, name);
  }

  void rows(const std::vector<const MethodChange*>& found, Kind kind, size_t limit) {
    size_t width = in_shares() ? 8 : 10;
    bound_width_ = difference_.bounds_known() ? width : 0;
    out_ += formatted("{:>{}} {:>{}} {:>{}}\n", "before", width, "after", width, "change", width);
    for (size_t i = 0; i < std::min(limit, found.size()); i++) row(*found[i], kind, width);
    if (found.size() > limit) out_ += formatted("… and {} more; --top shows them\n", found.size() - limit);
  }

  // Methods that `keep` selects, the largest changes first.
  template <typename Keep>
  std::vector<const MethodChange*> largest(Kind kind, Keep keep) const {
    std::vector<const MethodChange*> found;
    for (const MethodChange& method : methods_)
      if (keep(method.*kind)) found.push_back(&method);
    std::stable_sort(found.begin(), found.end(), [kind](const MethodChange* a, const MethodChange* b) {
      return std::abs((a->*kind).change()) > std::abs((b->*kind).change());
    });
    return found;
  }

  bool table(const char* title, Kind kind) {
    std::vector<const MethodChange*> found = largest(kind, [](const Change& change) { return !change.is_noise(); });
    if (found.empty()) return false;
    heading(title);
    rows(found, kind, limit_);
    return true;
  }

  void within_noise(bool changed) {
    auto is_small = [](const Change& change) { return change.is_noise() && change.change() != 0; };
    auto both_are = [&](const MethodChange& method) {
      return method.self_change.is_noise() && method.total_change.is_noise() && method.total_change.change() != 0;
    };
    auto count = std::count_if(methods_.begin(), methods_.end(), both_are);
    if (changed) {
      if (count > 0)
        out_ +=
            formatted("\n{} more {} changed, within the sampling error.\n", count, count == 1 ? "method" : "methods");
      return;
    }
    out_ += "\nNo method changed by more than the sampling error.\n";
    std::vector<const MethodChange*> found = largest(&MethodChange::self_change, is_small);
    if (found.empty()) return;
    heading("Largest changes within it (self)");
    found.resize(std::min(found.size(), kRowsOfNoise));
    rows(found, &MethodChange::self_change, kRowsOfNoise);
  }

  const profile::Difference& difference_;
  const profile::DifferenceOptions& options_;
  const TextStyle style_;
  const size_t limit_;
  std::vector<MethodChange> methods_;
  size_t bound_width_ = 0;
  std::string out_;
};

}  // namespace

std::string diff_text(const profile::Difference& difference, const profile::DifferenceOptions& options,
                      const TextStyle& style) {
  return DiffPrinter(difference, options, style).print();
}

}  // namespace hearth::launcher
