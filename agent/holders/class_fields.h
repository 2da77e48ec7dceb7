// Fields of classes that have references, as a search needs them. On one attached thread. Initializes no class.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace hearth::holders {

struct ReferenceField {
  jfieldID id;
  uint32_t step;  // as ClassFields::step_text()
};

struct ClassInfo {
  enum class Kind { kLeaf, kInstance, kArray };
  Kind kind = Kind::kLeaf;
  uint32_t element_step = 0;           // of an array
  bool is_wanted = false;              // some object that is looked for is of the class
  std::vector<ReferenceField> fields;  // of an instance, inherited ones included
  jweak reference = nullptr;
};

class ClassFields {
 public:
  // `wanted`: signatures of the classes of the objects that are looked for. References that cannot lead to one are left
  // out: to strings, boxed numbers and arrays of numbers.
  ClassFields(jvmtiEnv* jvmti, JNIEnv* env, std::set<std::string> wanted);
  ClassFields(const ClassFields&) = delete;
  ClassFields& operator=(const ClassFields&) = delete;
  ~ClassFields();

  // Of an object's class. The result is valid until the end. Throws std::bad_alloc.
  const ClassInfo& of(jclass its_class);
  // Static fields with references of an initialized class; empty for others.
  std::vector<ReferenceField> statics_of(jclass one);

  // A step of a path that is no field.
  uint32_t add_step(std::string text);
  const std::string& step_text(uint32_t step) const { return steps_[step]; }
  std::string name_of(jclass one) const;

 private:
  std::string signature_of(jclass one) const;
  bool is_pruned(const std::string& signature) const;
  void add_fields(jclass one, bool statics, std::vector<ReferenceField>* fields);
  const ClassInfo& find(jclass its_class);
  ClassInfo made(jclass its_class);

  jvmtiEnv* jvmti_;
  JNIEnv* env_;
  std::set<std::string> wanted_;
  std::unordered_multimap<jint, ClassInfo> known_;  // by identity hash code
  const ClassInfo* recent_ = nullptr;
  std::vector<std::string> steps_;
};

}  // namespace hearth::holders
