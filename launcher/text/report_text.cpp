#include <algorithm>
#include <utility>

#include "base/formatted.h"
#include "launcher/commands/report.h"
#include "launcher/text/columns.h"
#include "profile/formats/amount_text.h"
#include "profile/formats/frame_text.h"
#include "profile/model/event_kinds.h"
#include "profile/model/quality.h"

namespace hearth::launcher {
namespace {

class ReportPrinter {
 public:
  ReportPrinter(const Report& report, const TextStyle& style) : report_(report), style_(style) {}

  std::string print() {
    header();
    quality();
    if (report_.total == 0) {
      nothing();
    } else {
      if (!report_.label.empty()) groups();
      const profile::EventKind* kind = profile::kind_of_value(report_.value.type);
      bool is_of_locks = kind != nullptr && kind->label == profile::SampleLabel::kWait;
      const char* classes = is_of_locks ? "Locks" : "Classes";
      if (report_.waits.empty())
        methods(report_.allocating.empty() ? "Hottest methods" : classes, report_.methods);
      else
        waits();
      if (!report_.allocating.empty()) methods(methods_at_classes(kind), report_.allocating);
      paths();
    }
    return std::move(out_);
  }

 private:
  static constexpr size_t kIndent = 2;

  static const char* methods_at_classes(const profile::EventKind* kind) {
    if (kind != nullptr && kind->label == profile::SampleLabel::kWait) return "Methods that wait";
    if (kind != nullptr && kind->label == profile::SampleLabel::kMessage) return "Methods that make exceptions";
    return "Methods that allocate";
  }

  void heading(const std::string& text) {
    out_ += '\n';
    out_ += heading_line(text, style_.on_terminal);
  }

  std::string percent(int64_t part) const { return formatted("{:.1f} %", profile::percent_of(part, report_.total)); }

  // A column of its own after a share, or nothing if no bounds are known.
  std::string bound(int64_t part, double variance) const {
    if (!report_.bounds.known()) return "";
    return formatted(" {:<5}", formatted("±{:.1f}", 100 * report_.bounds.half_width(part, variance)));
  }
  std::string meaning_of_bounds() const { return report_.bounds.known() ? "; ± in points, 95 %" : ""; }
  size_t bound_columns() const { return report_.bounds.known() ? 6 : 0; }
  std::string amount(int64_t value) const { return profile::amount_text(value, report_.value.unit); }
  std::string whole() const { return formatted("{} {}", amount(report_.total), word_of_value(report_.value.type)); }

  // A name after `used` columns.
  std::string name(std::string_view text, size_t used) const {
    if (!style_.on_terminal) return std::string(text);
    return shortened(text, style_.width > used ? style_.width - used : 1);
  }

  // Two columns behind the shares, if a ratio was asked for.
  std::string ratio(const std::string& method) const {
    if (!report_.ratios) return "";
    auto found = report_.ratios->of_methods.find(method);
    if (found == report_.ratios->of_methods.end()) return formatted(" {:{}}", "", ratio_columns() - 1);
    double scale = is_per_ms() ? 1e6 : 1;
    const Ratio& ratio = found->second;
    return formatted(" {:>7.3g} ±{:<5.2g} {:>7.3g}", scale * ratio.self, scale * ratio.self_bound, scale * ratio.total);
  }
  size_t ratio_columns() const { return report_.ratios ? 23 : 0; }
  bool is_per_ms() const { return report_.ratios->unit == "nanoseconds"; }
  std::string meaning_of_ratios() const {
    if (!report_.ratios) return "";
    double whole = report_.ratios->whole * (is_per_ms() ? 1e6 : 1);
    return formatted("; {:.3g} per {}{}", whole, is_per_ms() ? "ms of " : "", report_.ratios->event);
  }

  void header();
  void quality();
  void nothing();
  void groups();
  void methods(std::string_view title, const std::vector<profile::MethodWeight>& methods);
  void waits();
  void paths();
  void path(const profile::Path& path, size_t depth);

  const Report& report_;
  const TextStyle style_;
  std::string out_;
};

void ReportPrinter::header() {
  const profile::Metadata& about = report_.about;
  std::string what = report_.events;
  if (about.duration_ns > 0)
    what += formatted("{}{}", what.empty() ? "" : ", ", profile::duration_text(about.duration_ns));
  if (about.start_unix_ns > 0) what += formatted("{}from {}", what.empty() ? "" : " ", local_time(about.start_unix_ns));
  std::string title = about.title.empty() ? report_.file : formatted("{}: {}", report_.file, about.title);
  out_ += heading_line(title, style_.on_terminal);
  if (!what.empty()) out_ += what + "\n";
  if (!report_.others.empty())
    out_ += formatted("also in this file: {} (show with --event)\n", joined(report_.others, ", "));
  std::string made = about.runtime;
  if (!about.producer.empty()) made += formatted("{}{}", made.empty() ? "" : ", by ", about.producer);
  if (!made.empty()) out_ += made + "\n";
}

void ReportPrinter::quality() {
  constexpr size_t kLabel = 23;
  heading("Quality");
  std::string sentence = profile::quality_text(report_.quality, report_.about.duration_ns);
  out_ += formatted("  {}\n", wrapped(sentence, style_.width, kIndent));
  std::vector<profile::QualityRow> rows = report_.shown;
  for (profile::QualityRow& row : profile::quality_rows(report_.quality, report_.about.duration_ns))
    rows.push_back(std::move(row));
  for (const profile::QualityRow& row : rows)
    out_ += formatted("  {:<{}}{}\n", row.label, kLabel, wrapped(row.value, style_.width, kIndent + kLabel));
}

void ReportPrinter::nothing() {
  const profile::EventKind* kind = profile::kind_of_value(report_.value.type);
  bool is_live = kind != nullptr && kind->label == profile::SampleLabel::kAge;
  if (report_.is_empty)
    out_ += "\nThe profile has no samples.\n";
  else if (report_.filtered)
    out_ += "\nNo stack matches --include, --exclude and --label.\n";
  else
    out_ += is_live ? "\nNo sampled object is still reachable.\n" : "\nNo stack has any weight.\n";
}

void ReportPrinter::groups() {
  constexpr size_t kUsed = 20;
  heading(formatted("By {}, of {}", report_.label, whole()));
  size_t longest = 0;
  for (const profile::LabelWeight& group : report_.groups) longest = std::max(longest, columns_of(group.label));
  size_t column = std::max<size_t>(std::min(longest, style_.width / 3), 8);
  for (const profile::LabelWeight& group : report_.groups) {
    std::string label = group.label.empty() ? "(none)" : shortened(group.label, column);
    out_ += formatted("{:>9} {:>8}  {}{}  ", amount(group.total), percent(group.total), label,
                      std::string(column - std::min(column, columns_of(label)), ' '));
    double hottest = profile::percent_of(group.hottest.self, group.total);
    out_ += formatted("{:>4.0f} % in {}\n", hottest, name(group.hottest.name, kUsed + column + 2 + 10));
  }
  const OtherGroups& others = report_.other_groups;
  if (others.count > 0)
    out_ += formatted("{:>9} {:>8}  … {} more; --top shows them\n", amount(others.total), percent(others.total),
                      profile::amount_text(static_cast<int64_t>(others.count), "count"));
}

void ReportPrinter::methods(std::string_view title, const std::vector<profile::MethodWeight>& methods) {
  const size_t used = 29 + 2 * bound_columns() + ratio_columns();
  heading(formatted("{}, of {}{}{}", title, whole(), meaning_of_bounds(), meaning_of_ratios()));
  out_ += formatted("     self              {:{}} total{}\n", "", bound_columns(),
                    report_.ratios ? "    self ratio   total" : "");
  for (const profile::MethodWeight& method : methods)
    out_ += formatted("{:>9} {:>8}{} {:>8}{}{}  {}\n", amount(method.self), percent(method.self),
                      bound(method.self, method.self_variance), percent(method.total),
                      bound(method.total, method.total_variance), ratio(method.name), name(method.name, used));
}

void ReportPrinter::waits() {
  constexpr size_t kUsed = 20;
  bool are_wakes = report_.waits.front().relation == profile::kWakesWord;
  heading(formatted("{}, of {}", are_wakes ? "Wakers" : "Holders of locks", whole()));
  for (const profile::WaitForOther& one : report_.waits) {
    std::string object = !one.object.empty() ? one.object : are_wakes ? "something" : "a lock";
    std::string others = one.further > 0 ? formatted(", and {} behind it", amount(one.further)) : "";
    std::string text = are_wakes ? formatted("wakes {}, which waits for {}", one.waiter, object)
                                 : formatted("holds {} for which {} waits{}", object, one.waiter, others);
    out_ += formatted("{:>9} {:>8}  {}\n", amount(one.total), percent(one.total), name(one.other, kUsed));
    out_ += formatted("{:{}}{}\n", "", kUsed + 2, name(text, kUsed + 2));
  }
}

void ReportPrinter::paths() {
  heading(formatted("Hottest paths, of {}{}", whole(), meaning_of_bounds()));
  out_ += formatted("   total {:{}}    self\n", "", bound_columns());
  for (const profile::Path& one : report_.paths) path(one, 0);
}

void ReportPrinter::path(const profile::Path& path, size_t depth) {
  constexpr size_t kUsed = 19;
  constexpr size_t kLeastRoom = 20;
  size_t used = kUsed + bound_columns() + kIndent * depth;
  size_t room = style_.width > used + kLeastRoom ? style_.width - used : kLeastRoom;
  out_ += formatted("{:>8}{} {:>8}  {:{}}{}\n", percent(path.total), bound(path.total, path.total_variance),
                    percent(path.self), "", kIndent * depth, chain_text(path.frames, room, style_.on_terminal));
  for (const profile::Path& callee : path.callees) this->path(callee, depth + 1);
}

}  // namespace

std::string report_text(const Report& report, const TextStyle& style) {
  return ReportPrinter(report, style).print();
}

}  // namespace hearth::launcher
