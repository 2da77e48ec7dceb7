#include "launcher/text/columns.h"

#include <algorithm>

#include "base/formatted.h"

namespace hearth::launcher {
namespace {

constexpr const char* kArrow = " › ";
constexpr size_t kArrowColumns = 3;

bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

std::string gap_text(size_t frames) {
  return formatted("… {} …", frames);
}

// Shortens the first and the last frame of `chain`, which has at most a gap between them, to `columns` in all.
void cut_ends(size_t columns, std::vector<std::string>* chain) {
  std::string& last = chain->back();
  if (chain->size() == 1) {
    last = shortened(last, std::max<size_t>(columns, 1));
    return;
  }
  std::string& first = chain->front();
  size_t between = kArrowColumns + (chain->size() > 2 ? kArrowColumns + columns_of((*chain)[1]) : 0);
  size_t room = columns > between + 2 ? columns - between : 2;
  size_t of_first = std::max(room / 2, room - std::min(room, columns_of(last)));
  first = shortened(first, of_first);
  last = shortened(last, room - std::min(room - 1, columns_of(first)));
}

}  // namespace

size_t columns_of(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

std::string shortened(std::string_view name, size_t columns) {
  size_t has = columns_of(name);
  if (has <= columns) return std::string(name);
  size_t cut = 0;
  size_t left = has - columns + 1;
  for (; cut < name.size() && (left > 0 || !begins_character(name[cut])); ++cut)
    if (begins_character(name[cut])) --left;
  return "…" + std::string(name.substr(cut));
}

std::string chain_text(const std::vector<std::string>& frames, size_t columns, bool cut) {
  std::string whole = joined(frames, kArrow);
  if (columns_of(whole) <= columns) return whole;
  size_t front = 1;                         // frames shown at the outer end
  size_t back = frames.size() > 1 ? 1 : 0;  // and at the inner one
  auto gap = [&](size_t hidden) { return hidden == 0 ? 0 : kArrowColumns + columns_of(gap_text(hidden)); };
  size_t used = columns_of(frames.front()) + (back == 0 ? 0 : kArrowColumns + columns_of(frames.back()));
  bool too_long = used + gap(frames.size() - front - back) > columns;
  auto take = [&](const std::string& frame, size_t* end) {
    size_t more = kArrowColumns + columns_of(frame);
    if (used + more + gap(frames.size() - front - back - 1) > columns) return false;
    used += more;
    ++*end;
    return true;
  };
  while (front + back < frames.size() && take(frames[frames.size() - back - 1], &back)) continue;
  while (front + back < frames.size() && take(frames[front], &front)) continue;

  std::vector<std::string> shown(frames.begin(), frames.begin() + static_cast<ptrdiff_t>(front));
  if (front + back < frames.size()) shown.push_back(gap_text(frames.size() - front - back));
  shown.insert(shown.end(), frames.end() - static_cast<ptrdiff_t>(back), frames.end());
  if (too_long && cut) cut_ends(columns, &shown);
  return joined(shown, kArrow);
}

std::string heading_line(std::string_view text, bool on_terminal) {
  return on_terminal ? formatted("\033[1m{}\033[0m\n", text) : formatted("{}\n", text);
}

std::string wrapped(std::string_view text, size_t columns, size_t indent) {
  std::string out;
  size_t column = indent;
  while (!text.empty()) {
    size_t end = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    size_t width = columns_of(word);
    if (column > indent && column + 1 + width > columns) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += width;
  }
  return out;
}

}  // namespace hearth::launcher
