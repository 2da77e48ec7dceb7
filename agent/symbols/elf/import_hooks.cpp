#include "symbols/elf/import_hooks.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <utility>

#include "base/files.h"
#include "base/text_parts.h"
#include "symbols/elf/import_tables.h"
#include "symbols/elf/linker_list.h"

namespace hearth::symbols {
namespace {

constexpr int kTries = 10;

std::atomic<uintptr_t>* cell(uintptr_t slot) {
  static_assert(sizeof(std::atomic<uintptr_t>) == sizeof(uintptr_t) && std::atomic<uintptr_t>::is_always_lock_free);
  return reinterpret_cast<std::atomic<uintptr_t>*>(slot);
}

bool is_libc(const ImportTables& tables) {
  return !tables.definitions("fopen").empty();
}

}  // namespace

// A mapping of this process.
struct ImportHooks::Page {
  uintptr_t begin, end;
  bool is_writable;

  static std::vector<Page> all() {
    std::vector<Page> pages;
    std::string maps = read_if_readable("/proc/self/maps");
    for (std::string_view line : parts_of(maps, '\n')) {
      char* rest = nullptr;
      uintptr_t begin = std::strtoul(line.data(), &rest, 16);  // the text of all lines ends with a zero
      if (*rest != '-') continue;
      uintptr_t end = std::strtoul(rest + 1, &rest, 16);
      if (rest[0] == ' ' && rest[1] != 0) pages.push_back({begin, end, rest[2] == 'w'});
    }
    return pages;
  }

  static const Page* of(const std::vector<Page>& pages, uintptr_t address) {
    auto after = std::upper_bound(pages.begin(), pages.end(), address,
                                  [](uintptr_t one, const Page& page) { return one < page.begin; });
    if (after == pages.begin() || address >= (after - 1)->end) return nullptr;
    return &*(after - 1);
  }
};

ImportHooks::ImportHooks(std::vector<Hook> hooks, std::string allocator)
    : hooks_(std::move(hooks)), allocator_(std::move(allocator)), originals_(hooks_.size()) {
  each_loaded([&](const dl_phdr_info& info) {
    ImportTables tables(info);
    for (size_t hook = 0; hook < hooks_.size(); ++hook) {
      if (original(hook) != 0) continue;
      std::vector<uintptr_t> found = tables.definitions(hooks_[hook].name);
      if (!found.empty()) originals_[hook] = found.front();
    }
    return true;
  });
}

size_t ImportHooks::hook_named(std::string_view name) const {
  size_t hook = 0;
  while (hook < hooks_.size() && hooks_[hook].name != name) ++hook;
  return hook;
}

void ImportHooks::apply() {
  std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return;
  LoadCounts now = load_counts();
  bool is_changed = !(now == seen_);
  if (!is_changed && (!is_unready_ || left_tries_ == 0)) return;
  left_tries_ = is_changed ? kTries : left_tries_ - 1;
  seen_ = now;
  walk(Step::kApply);
}

void ImportHooks::restore() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (seen_ == LoadCounts()) return;
  walk(Step::kRestore);
  replaced_.clear();  // the rest was unloaded
  seen_ = LoadCounts();
}

void ImportHooks::forget_figures() {
  is_unready_ = false;
  foreign_ = 0;
  foreign_function_ = 0;
}

// Without memory some pointers are not replaced; none is replaced that would not be put back. The pages are those of a
// time when the linker's lock is held: another thread that writes to the same tables has restored their rights, and no
// library can have been replaced by one that the linker still works on.
void ImportHooks::walk(Step step) {
  try {
    std::vector<Page> pages;
    if (step == Step::kApply) forget_figures();
    each_loaded([&](const dl_phdr_info& info) {
      try {
        if (pages.empty()) pages = Page::all();
        walk_object(step, info, pages);
      } catch (const std::exception&) {
        ++refused_;
      }
      return true;
    });
  } catch (const std::exception&) {
    ++refused_;
  }
}

void ImportHooks::walk_object(Step step, const dl_phdr_info& info, const std::vector<Page>& pages) {
  if (hooks_.empty() || has_loaded(info, hooks_.front().code, 1, PF_X)) return;
  ImportTables tables(info);
  if (step == Step::kApply) return apply_to(info, tables, pages);
  tables.each_slot([&](const ImportTables::Slot& slot) {
    auto found = replaced_.find(slot.address);
    if (found == replaced_.end()) return;
    size_t hook = hook_named(slot.name);
    uintptr_t ours = hook < hooks_.size() ? hooks_[hook].code : 0;
    if (ours != 0 && cell(slot.address)->load(std::memory_order_relaxed) == ours) {
      const Page* page = Page::of(pages, slot.address);  // null where /proc/self/maps cannot be read
      write(slot.address, ours, found->second, page != nullptr ? page->is_writable : !tables.is_guarded(slot.address));
    }
    replaced_.erase(found);
  });
}

// An allocator that is no C library calls its own functions for one another; those calls are no more than the first.
bool ImportHooks::is_left_alone(const ImportTables& tables) const {
  return !allocator_.empty() && !tables.definitions(allocator_).empty() && !is_libc(tables);
}

// A call that is not resolved yet leads to the object's own table of calls. Before its relocation it is an offset.
bool ImportHooks::is_unresolved(const dl_phdr_info& info, const ImportTables& tables, uintptr_t value,
                                size_t hook) const {
  return has_loaded(info, value, 1, PF_X) && (is_libc(tables) || tables.definitions(hooks_[hook].name).empty());
}

// Whether one of the object's pointers leads to another function of a hook's name, as by RTLD_DEEPBIND. Its unresolved
// calls may lead there as well, and memory of one allocator must not be freed by another.
bool ImportHooks::leads_elsewhere(const dl_phdr_info& info, const ImportTables& tables) const {
  bool does = false;
  tables.each_slot([&](const ImportTables::Slot& slot) {
    size_t hook = hook_named(slot.name);
    if (hook == hooks_.size() || original(hook) == 0) return;
    uintptr_t value = cell(slot.address)->load(std::memory_order_relaxed);
    does = does || (value != 0 && value != hooks_[hook].code && value != original(hook) &&
                    !is_unresolved(info, tables, value, hook));
  });
  return does;
}

void ImportHooks::apply_to(const dl_phdr_info& info, const ImportTables& tables, const std::vector<Page>& pages) {
  if (is_left_alone(tables)) return;
  const bool is_foreign = leads_elsewhere(info, tables);
  tables.each_slot([&](const ImportTables::Slot& slot) {
    size_t hook = hook_named(slot.name);
    if (hook == hooks_.size()) return;
    uintptr_t value = cell(slot.address)->load(std::memory_order_relaxed);
    uintptr_t ours = hooks_[hook].code;
    if (value == 0 || original(hook) == 0) return;
    if (value == ours) {  // from here, or from a session that could not put it back
      replaced_.emplace(slot.address, original(hook));
      return;
    }
    if (value != original(hook) && (is_foreign || !is_unresolved(info, tables, value, hook))) {
      ++foreign_;
      foreign_function_ = value;
      return;
    }
    // The linker makes guarded pages read-only when the object is complete. Until then it works on them.
    const Page* page = Page::of(pages, slot.address);
    if (page == nullptr || (tables.is_guarded(slot.address) && page->is_writable)) {
      is_unready_ = true;
      return;
    }
    replaced_[slot.address] = value;
    if (!write(slot.address, value, ours, page->is_writable)) replaced_.erase(slot.address);
  });
}

bool ImportHooks::write(uintptr_t slot, uintptr_t expected, uintptr_t value, bool is_writable) {
  static const auto kPage = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  void* begin = reinterpret_cast<void*>(slot & ~(kPage - 1));
  if (!is_writable && ::mprotect(begin, kPage, PROT_READ | PROT_WRITE) != 0) {
    ++refused_;
    return false;
  }
  bool is_written = cell(slot)->compare_exchange_strong(expected, value);
  if (!is_writable) ::mprotect(begin, kPage, PROT_READ);
  return is_written;
}

size_t ImportHooks::replaced() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return replaced_.size();
}

size_t ImportHooks::foreign() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return foreign_;
}

std::string ImportHooks::foreign_library() const {
  std::lock_guard<std::mutex> lock(mutex_);
  for (const LoadedObject& object : loaded_objects([](const LoadedObject&) { return false; }))
    for (const CodeRange& code : object.code)
      if (foreign_function_ - object.base >= code.start && foreign_function_ - object.base < code.end)
        return object.library;
  return "";
}

size_t ImportHooks::refused() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return refused_;
}

}  // namespace hearth::symbols
