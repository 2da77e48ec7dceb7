#include "holders/class_fields.h"

#include <utility>

#include "base/jvm_refs.h"
#include "base/text_parts.h"
#include "holders/holder_path.h"

namespace hearth::holders {
namespace {

constexpr jint kStatic = 0x0008;

bool is_reference(const std::string& signature) {
  return !signature.empty() && (signature[0] == 'L' || signature[0] == '[');
}

bool is_array_of_numbers(const std::string& signature) {
  return signature.size() == 2 && signature[0] == '[';
}

// Classes without subclasses whose objects have no references, except that a string has its characters.
const std::set<std::string>& final_leaves() {
  static const std::set<std::string> leaves = {"Ljava/lang/Boolean;", "Ljava/lang/Byte;",    "Ljava/lang/Character;",
                                               "Ljava/lang/Short;",   "Ljava/lang/Integer;", "Ljava/lang/Long;",
                                               "Ljava/lang/Float;",   "Ljava/lang/Double;"};
  return leaves;
}

}  // namespace

ClassFields::ClassFields(jvmtiEnv* jvmti, JNIEnv* env, std::set<std::string> wanted)
    : jvmti_(jvmti), env_(env), wanted_(std::move(wanted)) {}

ClassFields::~ClassFields() {
  for (auto& [hash, info] : known_)
    if (info.reference != nullptr) env_->DeleteWeakGlobalRef(info.reference);
}

uint32_t ClassFields::add_step(std::string text) {
  steps_.push_back(std::move(text));
  return static_cast<uint32_t>(steps_.size() - 1);
}

std::string ClassFields::signature_of(jclass one) const {
  char* signature = nullptr;
  if (jvmti_->GetClassSignature(one, &signature, nullptr) != JVMTI_ERROR_NONE) return "";
  JvmtiMemory owned(jvmti_, signature);
  return signature;
}

std::string ClassFields::name_of(jclass one) const {
  return class_name_of(signature_of(one));
}

// Whether no path to a wanted object leads through objects of this declared type.
bool ClassFields::is_pruned(const std::string& signature) const {
  if (wanted_.count(signature) > 0) return false;
  if (signature == "Ljava/lang/String;" || signature == "[Ljava/lang/String;")
    return wanted_.count("Ljava/lang/String;") + wanted_.count("[B") + wanted_.count("[C") == 0;
  return is_array_of_numbers(signature) || final_leaves().count(signature) > 0;
}

void ClassFields::add_fields(jclass one, bool statics, std::vector<ReferenceField>* fields) {
  jint count = 0;
  jfieldID* ids = nullptr;
  if (jvmti_->GetClassFields(one, &count, &ids) != JVMTI_ERROR_NONE) return;
  JvmtiMemory owned_ids(jvmti_, ids);
  std::string holder;
  for (jint i = 0; i < count; ++i) {
    jint modifiers = 0;
    char* name = nullptr;
    char* signature = nullptr;
    if (jvmti_->GetFieldModifiers(one, ids[i], &modifiers) != JVMTI_ERROR_NONE) continue;
    if (((modifiers & kStatic) != 0) != statics) continue;
    if (jvmti_->GetFieldName(one, ids[i], &name, &signature, nullptr) != JVMTI_ERROR_NONE) continue;
    JvmtiMemory owned_name(jvmti_, name), owned_signature(jvmti_, signature);
    if (!is_reference(signature) || is_pruned(signature)) continue;
    if (holder.empty()) holder = name_of(one);
    // Weak references do not hold their object; queues of references do not either.
    if (holder == "java.lang.ref.Reference") continue;
    fields->push_back({ids[i], add_step((statics ? "static " : "") + holder + "." + name)});
  }
}

ClassInfo ClassFields::made(jclass its_class) {
  ClassInfo info;
  std::string signature = signature_of(its_class);
  info.is_wanted = wanted_.count(signature) > 0;
  if (is_array_of_numbers(signature) || final_leaves().count(signature) > 0) return info;
  if (starts_with(signature, "[")) {
    std::string element = signature.substr(1);
    if (is_pruned(element)) return info;
    info.kind = ClassInfo::Kind::kArray;
    info.element_step = add_step(class_name_of(signature));
    return info;
  }
  LocalRef super(env_, nullptr);
  for (jclass at = its_class; at != nullptr; at = static_cast<jclass>(super.get())) {
    add_fields(at, false, &info.fields);
    super.reset(env_->GetSuperclass(at));
  }
  if (!info.fields.empty()) info.kind = ClassInfo::Kind::kInstance;
  return info;
}

// Objects of one class often follow each other.
const ClassInfo& ClassFields::of(jclass its_class) {
  if (recent_ == nullptr || env_->IsSameObject(recent_->reference, its_class) != JNI_TRUE) recent_ = &find(its_class);
  return *recent_;
}

const ClassInfo& ClassFields::find(jclass its_class) {
  jint hash = 0;
  jvmti_->GetObjectHashCode(its_class, &hash);
  auto [begin, end] = known_.equal_range(hash);
  for (auto one = begin; one != end; ++one)
    if (env_->IsSameObject(one->second.reference, its_class) == JNI_TRUE) return one->second;
  ClassInfo& info = known_.emplace(hash, made(its_class))->second;
  // Weak: the search must not keep a class loaded. An object of the class does while its fields are read.
  info.reference = env_->NewWeakGlobalRef(its_class);
  if (info.reference == nullptr) env_->ExceptionClear();
  return info;
}

std::vector<ReferenceField> ClassFields::statics_of(jclass one) {
  std::vector<ReferenceField> fields;
  jint status = 0;
  if (jvmti_->GetClassStatus(one, &status) != JVMTI_ERROR_NONE) return fields;
  constexpr jint kNoFields = JVMTI_CLASS_STATUS_ARRAY | JVMTI_CLASS_STATUS_PRIMITIVE | JVMTI_CLASS_STATUS_ERROR;
  if ((status & JVMTI_CLASS_STATUS_INITIALIZED) == 0 || (status & kNoFields) != 0) return fields;
  add_fields(one, true, &fields);
  return fields;
}

}  // namespace hearth::holders
