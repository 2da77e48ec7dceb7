#include "symbols/jvm/java_methods.h"

#include <algorithm>

#include "base/jvm_refs.h"

namespace hearth::symbols {

uint32_t JavaMethod::line_of(int bci) const {
  if (bci < 0) return 0;
  auto next = std::upper_bound(lines.begin(), lines.end(), bci,
                               [](int wanted, const Line& line) { return wanted < line.start_bci; });
  return next == lines.begin() ? 0 : static_cast<uint32_t>((next - 1)->line);
}

const JavaMethod& JavaMethods::resolve(jmethodID method) {
  auto found = known_.find(method);
  if (found == known_.end()) found = known_.emplace(method, ask(method)).first;
  return found->second;
}

void JavaMethods::ask_lines(jmethodID method, JavaMethod* result) const {
  jint count = 0;
  jvmtiLineNumberEntry* table = nullptr;
  if (jvmti_->GetLineNumberTable(method, &count, &table) != JVMTI_ERROR_NONE) return;
  JvmtiMemory owned(jvmti_, table);
  for (jint i = 0; i < count; i++)
    result->lines.push_back({static_cast<int32_t>(table[i].start_location), table[i].line_number});
  std::sort(result->lines.begin(), result->lines.end(),
            [](const JavaMethod::Line& a, const JavaMethod::Line& b) { return a.start_bci < b.start_bci; });
}

JavaMethod JavaMethods::ask(jmethodID method) const {
  JavaMethod result;
  char* name = nullptr;
  char* signature = nullptr;
  if (jvmti_->GetMethodName(method, &name, &signature, nullptr) != JVMTI_ERROR_NONE) return result;
  JvmtiMemory owned_name(jvmti_, name);
  JvmtiMemory owned_signature(jvmti_, signature);
  jclass holder = nullptr;
  if (jvmti_->GetMethodDeclaringClass(method, &holder) != JVMTI_ERROR_NONE) return result;
  LocalRef owned_holder(env_, holder);
  char* class_signature = nullptr;
  if (jvmti_->GetClassSignature(holder, &class_signature, nullptr) != JVMTI_ERROR_NONE) return result;
  JvmtiMemory owned_class(jvmti_, class_signature);
  result.known = true;
  result.class_signature = class_signature;
  result.name = name;
  result.signature = signature;
  char* source = nullptr;
  if (jvmti_->GetSourceFileName(holder, &source) == JVMTI_ERROR_NONE) {
    JvmtiMemory owned_source(jvmti_, source);
    result.source_file = source;
  }
  ask_lines(method, &result);
  return result;
}

}  // namespace hearth::symbols
