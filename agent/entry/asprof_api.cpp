// Entry for native code that was written for async-profiler: its C functions, declared in its asprof.h. They work with
// and without a JVM, which may be created after this library was loaded, or after a session began: then the next
// session has its Java frames.
#include <dlfcn.h>
#include <jni.h>
#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/jvm_refs.h"
#include "capture/labels/last_sample.h"
#include "entry/enter_agent.h"
#include "options/asprof/asprof_command.h"

namespace {

// The file of libjvm in this process, "" if none is loaded. It may be loaded without global symbols.
std::string file_of_libjvm() {
  std::string path;
  dl_iterate_phdr(
      [](dl_phdr_info* object, size_t, void* found) {
        constexpr const char* kName = "/libjvm.so";
        const char* end = std::strstr(object->dlpi_name, kName);
        if (end == nullptr || end[std::strlen(kName)] != '\0') return 0;
        *static_cast<std::string*>(found) = object->dlpi_name;
        return 1;
      },
      &path);
  return path;
}

// Null: the process has no JVM.
JavaVM* created_jvm() {
  std::string path = file_of_libjvm();
  if (path.empty()) return nullptr;
  void* libjvm = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (libjvm == nullptr) return nullptr;
  using GetCreated = jint(JNICALL*)(JavaVM**, jsize, jsize*);
  auto get_created = reinterpret_cast<GetCreated>(dlsym(libjvm, "JNI_GetCreatedJavaVMs"));
  JavaVM* vm = nullptr;
  jsize count = 0;
  bool is_there = get_created != nullptr && get_created(&vm, 1, &count) == JNI_OK && count > 0;
  dlclose(libjvm);
  return is_there ? vm : nullptr;
}

// Never freed: callers keep the pointer. Equal texts are one.
const char* kept(const std::string& text) {
  static auto* texts = new std::set<std::string>;
  static auto* mutex = new std::mutex;
  std::lock_guard<std::mutex> lock(*mutex);
  return texts->insert(text).first->c_str();
}

// Types of events that the program has registered, by their keys.
class EventTypes {
 public:
  // Returns the type's key; -1: there are very many.
  int add(const std::string& name) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto known = std::find(names_.begin(), names_.end(), name);
    if (known != names_.end()) return static_cast<int>(known - names_.begin());
    if (names_.size() == kMost) return -1;
    names_.push_back(name);
    return static_cast<int>(names_.size()) - 1;
  }

  std::string name(int key) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (key < 0 || static_cast<size_t>(key) >= names_.size())
      throw hearth::Error("no type of JFR events has this key", "call asprof_register_jfr_event first");
    return names_[static_cast<size_t>(key)];
  }

  static EventTypes& instance() {
    static auto* types = new EventTypes;  // never destroyed: threads may use it until the very end
    return *types;
  }

 private:
  static constexpr size_t kMost = 4096;
  std::mutex mutex_;
  std::vector<std::string> names_;
};

void emit(int key, const uint8_t* content, size_t size) {
  constexpr size_t kMost = 2048;
  if (size > kMost)
    throw hearth::Error("a JFR event has 2048 bytes at most, and this one has more", "split its content");
  const char* bytes = content == nullptr ? "" : reinterpret_cast<const char*>(content);
  hearth::commands::Agent::instance().asprof().record_event(EventTypes::instance().name(key),
                                                            std::string(bytes, content == nullptr ? 0 : size));
}

using Writer = void (*)(const char* text, size_t size);

void execute(const char* text, Writer writer) {
  hearth::options::AsprofCommand command = hearth::options::parse_asprof_command(text);
  JavaVM* vm = created_jvm();
  // First: HotSpot gives JVMTI to attached threads only, and crashes on others (JvmtiExport::get_jvmti_interface).
  hearth::JvmAttachment attachment(vm, "hearth");
  if (vm != nullptr && attachment.env() == nullptr)
    throw hearth::Error("the JVM takes no more threads", "it is ending");
  hearth::commands::Agent& agent =
      vm == nullptr ? hearth::entry::enter_process() : hearth::entry::enter_agent(vm, true);
  hearth::commands::Answer answer = agent.asprof().execute(command, attachment.env());
  if (writer != nullptr && answer.is_product && !answer.text.empty()) writer(answer.text.data(), answer.text.size());
}

}  // namespace

extern "C" {

// Nothing has to be prepared.
JNIEXPORT void asprof_init() {}

// The time of the calling thread's last sample, in nanoseconds of CLOCK_MONOTONIC; 0: it had none. Valid as long as the
// thread lives.
JNIEXPORT volatile uint64_t* asprof_get_thread_local_data() {
  return hearth::capture::last_sample_cell();
}

// Null: there was no error.
JNIEXPORT const char* asprof_error_str(const char* error) {
  return error;
}

// Returns null, or an error: a text that stays, as async-profiler's do.
JNIEXPORT const char* asprof_execute(const char* command, Writer writer) {
  try {
    execute(command == nullptr ? "" : command, writer);
    return nullptr;
  } catch (const std::exception& error) {
    return kept(error.what());
  }
}

// Returns the key of a type of events for asprof_emit_jfr_event; -1: there is no name, or there are very many.
JNIEXPORT int asprof_register_jfr_event(const char* name) {
  try {
    return name == nullptr ? -1 : EventTypes::instance().add(name);
  } catch (const std::exception&) {
    return -1;
  }
}

// Puts an event with this content into all recordings that are written now. Returns as asprof_execute().
JNIEXPORT const char* asprof_emit_jfr_event(int key, const uint8_t* content, size_t size) {
  try {
    emit(key, content, size);
    return nullptr;
  } catch (const std::exception& error) {
    return kept(error.what());
  }
}
}
