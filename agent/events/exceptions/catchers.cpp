#include "events/exceptions/catchers.h"

#include <array>
#include <string_view>

#include "base/jvm_refs.h"
#include "capture/faults/safe_load.h"
#include "events/handlers/symbol_text.h"

namespace hearth::events {
namespace {

using capture::load;
using capture::load32;

constexpr uintptr_t kShort = 2;
constexpr uintptr_t kHandlerBytes = 8;    // four shorts: begin, end, handler, class in the constant pool
constexpr uintptr_t kParameterBytes = 4;  // two shorts

uint16_t short_at(uintptr_t address) {
  return static_cast<uint16_t>(load32(address));
}

uintptr_t at(int offset) {
  return static_cast<uintptr_t>(offset);
}

std::string symbol_text(const capture::ClassNameLayout& layout, uintptr_t symbol) {
  std::string text(symbol_length(layout, symbol), '\0');
  copy_symbol(layout, symbol, static_cast<uint32_t>(text.size()), text.data());
  return text;
}

// Before JDK 9 the constant is the Klass, or if it was not looked up the name with the lowest bit set.
std::string class_in_pool(const capture::VmLayout& layout, uintptr_t pool, uint16_t index) {
  auto constant = [&](uintptr_t number) { return load(pool + layout.pool_bytes + number * sizeof(uintptr_t)); };
  uintptr_t value = constant(index);
  if (layout.handlers.pool_has_name_index) return symbol_text(layout.class_names, constant(value >> 16 & UINT16_MAX));
  bool is_name = (value & 1) != 0;
  return symbol_text(layout.class_names, is_name ? value & ~uintptr_t{1} : load(value + layout.class_names.name));
}

// The address of the handlers' number, behind them.
uintptr_t end_of_handlers(const capture::HandlerLayout& layout, uintptr_t const_method, uint32_t flags) {
  uintptr_t end = const_method + load32(const_method + layout.size) * sizeof(uintptr_t);
  for (uint32_t annotations : layout.annotations)
    if ((flags & annotations) != 0) end -= sizeof(uintptr_t);
  uintptr_t last = end - kShort;
  if ((flags & layout.generic_signature) != 0) last -= kShort;
  if ((flags & layout.parameters) != 0) last -= short_at(last) * kParameterBytes + kShort;
  if ((flags & layout.checked_exceptions) != 0) last -= short_at(last) * kShort + kShort;
  return last;
}

bool is_a(JNIEnv* env, jvmtiEnv* jvmti, jclass type, std::string_view name) {
  auto is_named = [&](jclass one) {
    char* signature = nullptr;
    if (jvmti->GetClassSignature(one, &signature, nullptr) != JVMTI_ERROR_NONE) return false;
    JvmtiMemory owned(jvmti, signature);
    std::string_view text = signature;
    return text.size() == name.size() + 2 && text.substr(1, name.size()) == name;
  };
  LocalRef parent(env, nullptr);
  for (jclass one = type; one != nullptr; one = static_cast<jclass>(parent.get())) {
    if (is_named(one)) return true;
    parent.reset(env->GetSuperclass(one));
  }
  return false;
}

}  // namespace

std::vector<ExceptionHandler> handlers_at(const capture::VmLayout& layout, uintptr_t method, int bci) {
  if (!layout.handlers.known || !layout.class_names.known || layout.const_constants < 0 || method == 0) return {};
  uintptr_t const_method = load(method + at(layout.method_const));
  uint32_t flags = load32(const_method + layout.handlers.flags);
  if ((flags & layout.handlers.handlers) == 0) return {};
  uintptr_t count_at = end_of_handlers(layout.handlers, const_method, flags);
  size_t count = short_at(count_at);
  uintptr_t first = count_at - count * kHandlerBytes;
  if (first <= const_method) return {};
  uintptr_t pool = load(const_method + at(layout.const_constants));
  std::vector<ExceptionHandler> handlers;
  for (uintptr_t entry = first; entry < count_at; entry += kHandlerBytes) {
    uint16_t begin = short_at(entry), end = short_at(entry + kShort), type = short_at(entry + 3 * kShort);
    if (bci < begin || bci >= end) continue;
    handlers.push_back({begin, end, short_at(entry + 2 * kShort), type == 0 ? "" : class_in_pool(layout, pool, type)});
  }
  return handlers;
}

Catcher find_catcher(JNIEnv* env, jvmtiEnv* jvmti, const capture::VmLayout& layout, jclass type, int depth) {
  constexpr jint kAtOnce = 32;
  constexpr int kMost = 2048;
  if (!layout.handlers.known) return {};
  std::array<jvmtiFrameInfo, kAtOnce> frames{};
  jint count = kAtOnce;
  for (int from = depth; count == kAtOnce && from < depth + kMost; from += count) {
    jvmtiError error = jvmti->GetStackTrace(nullptr, from, kAtOnce, frames.data(), &count);
    if (error == JVMTI_ERROR_ILLEGAL_ARGUMENT) break;  // the stack ends here
    if (error != JVMTI_ERROR_NONE) return {};
    for (jint i = 0; i < count; i++) {
      auto [method, bci] = frames[static_cast<size_t>(i)];
      if (bci < 0) return {Catcher::Kind::kNativeMethod, method, 0};
      for (const ExceptionHandler& one :
           handlers_at(layout, load(reinterpret_cast<uintptr_t>(method)), static_cast<int>(bci)))
        if (!one.type.empty() && is_a(env, jvmti, type, one.type))
          return {Catcher::Kind::kHandler, method, one.handler};
    }
  }
  return count < kAtOnce ? Catcher{Catcher::Kind::kNobody, nullptr, 0} : Catcher{};
}

uint16_t ExceptionTraits::number_of(uint16_t message, const Catcher& catcher) {
  constexpr size_t kMostPairs = 60'000;
  bool has_catcher = catcher.kind != Catcher::Kind::kUnknown;
  if (message == 0 && !has_catcher) return kNone;
  std::lock_guard<std::mutex> lock(mutex_);
  auto found = numbers_.find({message, catcher});
  if (found != numbers_.end()) return found->second;
  Traits traits = {message, catcher};
  if (traits_.size() >= kMostPairs && has_catcher) {
    if (message == 0) return kNone;
    traits.catcher = {};
  }
  auto [kept, is_new] = numbers_.try_emplace({message, traits.catcher}, static_cast<uint16_t>(traits_.size() + 1));
  if (is_new) traits_.push_back(traits);
  return kept->second;
}

ExceptionTraits::Traits ExceptionTraits::of(uint16_t number) const {
  std::lock_guard<std::mutex> lock(mutex_);
  return number == kNone || number > traits_.size() ? Traits{} : traits_[number - 1];
}

}  // namespace hearth::events
