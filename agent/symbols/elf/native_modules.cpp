#include "symbols/elf/native_modules.h"

#include <dlfcn.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/nearest_word.h"
#include "symbols/elf/debug_frame.h"
#include "symbols/elf/demangle.h"
#include "symbols/elf/elf_symbols.h"
#include "symbols/elf/loaded_objects.h"
#include "symbols/elf/unwind_rules_eh_frame.h"

namespace hearth::symbols {
namespace {

using capture::NativeMap;
using capture::NativeModule;
using capture::NativeRule;

// An object at an address. Kept when the object is unloaded: earlier samples still point into it.
struct Module {
  LoadedObject object;
  std::shared_ptr<const std::vector<NativeRule>> rules;  // shared by all modules of one file
  bool is_loaded = true;
  std::optional<ElfSymbols> symbols;  // read for the first name

  uintptr_t start() const { return object.base + object.code.front().start; }
  uintptr_t end() const { return object.base + object.code.back().end; }
};

struct Map {
  std::vector<NativeModule> modules;
  NativeMap view;
};

bool has_file(const LoadedObject& object) {
  uintptr_t start = object.base + object.code.front().start;
  return !object.is_vdso && !(object.build_id.empty() && mapped_file_is_gone(start));
}

std::vector<NativeRule> read_rules(const LoadedObject& object) {
  std::vector<NativeRule> rules = unwind_rules(object.eh_frame());
  if (!has_file(object)) return rules;
  return with_rules_of_file(std::move(rules), {object.path, object.build_id, object.code});
}

ElfSymbols read_symbols(const Module& module) {
  const LoadedObject& object = module.object;
  if (has_file(object)) {
    ElfSymbols symbols({object.path, object.build_id, object.code});
    if (symbols.size() > 0) return symbols;
  }
  return ElfSymbols(copy_dynamic_symbols(object), object.code);
}

// Returns the end of the function that begins at `start`, by its unwind rules: the next gap.
uint64_t function_end(const std::vector<NativeRule>& rules, uint64_t start) {
  auto rule = std::upper_bound(rules.begin(), rules.end(), start,
                               [](uint64_t wanted, const NativeRule& candidate) { return wanted < candidate.start; });
  while (rule != rules.end() && rule->base() != capture::CfaBase::kUnknown) ++rule;
  return rule == rules.end() ? start : rule->start;
}

// Adds names of code that an IFUNC selected, as memcpy: stripped libraries (Debian's libc) have no symbol for it. The
// linker has the selected address.
void name_chosen_code(const Module& module, ElfSymbols& symbols) {
  if (!module.is_loaded || symbols.choosers().empty()) return;
  void* handle = ::dlopen(module.object.path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return;
  for (const char* name : symbols.choosers()) {
    auto chosen = reinterpret_cast<uintptr_t>(::dlsym(handle, name));
    if (chosen < module.start() || chosen >= module.end()) continue;
    uint64_t start = chosen - module.object.base;
    symbols.add({start, function_end(*module.rules, start)}, name);
  }
  ::dlclose(handle);
}

// A part of a function that the compiler moved elsewhere does not begin where the function does.
bool is_cold_part(std::string_view symbol) {
  return symbol.find(".cold") != std::string_view::npos;
}

// Returns the longest word of a name. The mangled form contains it, too, so that few symbols have to be demangled.
std::string_view longest_word(std::string_view name) {
  std::string_view longest;
  for (size_t i = 0; i < name.size();) {
    auto is_word = [&](size_t at) {
      return std::isalnum(static_cast<unsigned char>(name[at])) != 0 || name[at] == '_';
    };
    size_t begin = i;
    while (i < name.size() && is_word(i)) i++;
    std::string_view word = name.substr(begin, i - begin);
    if (word.size() > longest.size() && word != "operator") longest = word;
    if (i == begin) i++;
  }
  return longest;
}

}  // namespace

struct NativeModules::State {
  static const ElfSymbols& symbols_of(Module& module) {
    if (!module.symbols) {
      module.symbols = read_symbols(module);
      name_chosen_code(module, *module.symbols);
    }
    return *module.symbols;
  }

  LoadCounts counts;
  std::deque<Module> modules;  // in order of loading
  std::deque<Map> maps;        // all stay: capture may still read any of them

  Module* loaded(const LoadedObject& object) {
    for (Module& module : modules) {
      if (module.is_loaded && module.object.same_as(object)) return &module;
    }
    return nullptr;
  }

  // Returns the rules of the same file, if it was ever loaded: they do not depend on the address.
  std::shared_ptr<const std::vector<NativeRule>> known_rules(const LoadedObject& object) const {
    for (const Module& module : modules) {
      bool same_file = !object.build_id.empty() && module.object.build_id == object.build_id;
      if (same_file && module.object.path == object.path) return module.rules;
    }
    return nullptr;
  }

  bool update() {
    auto found = loaded_objects([this](const LoadedObject& object) { return !loaded(object) && !known_rules(object); });
    bool changed = false;
    std::vector<const Module*> present;
    for (LoadedObject& object : found) {
      Module* module = loaded(object);
      if (module == nullptr) {
        auto rules = known_rules(object);
        if (!rules) rules = std::make_shared<const std::vector<NativeRule>>(read_rules(object));
        object.tables = {};
        module = &modules.emplace_back(Module{std::move(object), std::move(rules), true, std::nullopt});
        changed = true;
      }
      present.push_back(module);
    }
    for (Module& module : modules) {
      bool was_loaded = module.is_loaded;
      module.is_loaded = std::find(present.begin(), present.end(), &module) != present.end();
      changed = changed || was_loaded != module.is_loaded;
    }
    return changed;
  }

  void publish() {
    Map& map = maps.emplace_back();
    for (const Module& module : modules) {
      if (!module.is_loaded) continue;
      map.modules.push_back({module.start(), module.end(), module.object.base, module.rules->data(),
                             static_cast<uint32_t>(module.rules->size())});
    }
    std::sort(map.modules.begin(), map.modules.end(),
              [](const NativeModule& left, const NativeModule& right) { return left.start < right.start; });
    auto overlaps = [end = uintptr_t{0}](const NativeModule& module) mutable {
      bool before_end = module.start < end;
      end = std::max(end, module.end);
      return before_end;
    };
    map.modules.erase(std::remove_if(map.modules.begin(), map.modules.end(), overlaps), map.modules.end());
    map.view = {map.modules.data(), static_cast<uint32_t>(map.modules.size())};
  }

  // Returns the latest module, if an address range was reused.
  Module* module_at(uintptr_t pc) {
    for (auto module = modules.rbegin(); module != modules.rend(); ++module) {
      if (pc >= module->start() && pc < module->end()) return &*module;
    }
    return nullptr;
  }
};

NativeModules::NativeModules() : state_(std::make_unique<State>()) {
  state_->publish();
}
NativeModules::~NativeModules() = default;

bool NativeModules::refresh() {
  LoadCounts counts = load_counts();
  if (counts == state_->counts) return false;
  state_->counts = counts;
  if (!state_->update()) return false;
  state_->publish();
  return true;
}

const NativeMap* NativeModules::map() const {
  return &state_->maps.back().view;
}

std::vector<NativeFunction> NativeModules::find(const std::string& name) {
  std::vector<NativeFunction> functions;
  std::string_view word = longest_word(name);
  for (Module& module : state_->modules) {
    if (!module.is_loaded) continue;
    State::symbols_of(module).each([&](std::string_view symbol, uint64_t start) {
      if (symbol.find(word) == std::string_view::npos || is_cold_part(symbol)) return;
      if (symbol != name && demangle(symbol).name != name) return;
      functions.push_back({module.object.base + start, module.object.library});
    });
  }
  return functions;
}

std::string NativeModules::nearest_name(const std::string& name) {
  std::set<std::string> names;
  for (Module& module : state_->modules) {
    if (!module.is_loaded) continue;
    State::symbols_of(module).each([&](std::string_view symbol, uint64_t) { names.insert(demangle(symbol).name); });
  }
  std::optional<std::string_view> nearest = nearest_word(name, {names.begin(), names.end()});
  return std::string(nearest.value_or(""));
}

NativeSymbol NativeModules::resolve(uintptr_t pc) {
  Module* module = state_->module_at(pc);
  if (module == nullptr) return {};
  ElfSymbols::Found found = State::symbols_of(*module).find(pc - module->object.base);
  Demangled demangled = demangle(found.name);
  if (found.is_plt) demangled.name += "@plt";
  return {std::move(demangled.name), module->object.library, demangled.is_mangled};
}

}  // namespace hearth::symbols
