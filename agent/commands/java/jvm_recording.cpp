#include "commands/java/jvm_recording.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "base/text_parts.h"
#include "commands/java/java_calls.h"
#include "options/event_table.h"
#include "profile/jfr/layout.h"

namespace hearth::commands {
namespace {

constexpr const char* kRecording = "jdk/jfr/Recording";
constexpr const char* kConfiguration = "jdk/jfr/Configuration";

jobject path_of(JavaCalls* java, const std::string& file) {
  jobjectArray none = java->env()->NewObjectArray(0, java->type("java/lang/String"), nullptr);
  return java->static_object("java/nio/file/Paths", "get",
                             "(Ljava/lang/String;[Ljava/lang/String;)Ljava/nio/file/Path;", java->text(file), none);
}

// Names of the events that this JVM knows now.
std::vector<std::string> known_events(JavaCalls* java) {
  jobject recorder = java->static_object("jdk/jfr/FlightRecorder", "getFlightRecorder", "()Ljdk/jfr/FlightRecorder;");
  jobject types = java->object(recorder, "jdk/jfr/FlightRecorder", "getEventTypes", "()Ljava/util/List;");
  auto all = static_cast<jobjectArray>(java->object(types, "java/util/List", "toArray", "()[Ljava/lang/Object;"));
  std::vector<std::string> names;
  for (jsize i = 0, count = java->env()->GetArrayLength(all); i < count; i++) {
    LocalRef type(java->env(), java->env()->GetObjectArrayElement(all, i));
    LocalRef name(java->env(), java->object(type.get(), "jdk/jfr/EventType", "getName", "()Ljava/lang/String;"));
    names.push_back(java->text_of(static_cast<jstring>(name.get())));
  }
  return names;
}

// "+jdk.GCHeapSummary+jdk.CPULoad": these events alone. Events of programs may come to be known later.
jobject recording_of_events(JavaCalls* java, std::string_view list) {
  std::vector<std::string> known = known_events(java);
  for (std::string_view event : parts_of(list, '+')) {
    if (event.empty()) continue;
    bool is_known = event.substr(0, 4) != "jdk." || std::find(known.begin(), known.end(), event) != known.end();
    if (!is_known)
      throw Error(formatted("option jfrsync: this JVM has no event {}", event), "`jfr metadata` lists the events");
  }
  jobject recording = java->make(kRecording, "()V");
  for (std::string_view event : parts_of(list, '+')) {
    if (event.empty()) continue;
    java->object(recording, kRecording, "enable", "(Ljava/lang/String;)Ljdk/jfr/EventSettings;",
                 java->text(std::string(event)));
  }
  return recording;
}

// Settings of the JVM by their name, or of a file.
jobject recording_of_settings(JavaCalls* java, const std::string& settings) {
  jobject configuration = nullptr;
  std::string why;
  try {
    bool is_file = settings.find('/') != std::string::npos;
    configuration = is_file
                        ? java->static_object(kConfiguration, "create", "(Ljava/nio/file/Path;)Ljdk/jfr/Configuration;",
                                              path_of(java, settings))
                        : java->static_object(kConfiguration, "getConfiguration",
                                              "(Ljava/lang/String;)Ljdk/jfr/Configuration;", java->text(settings));
  } catch (const Error& error) {
    throw Error(formatted("option jfrsync: this JVM has no settings \"{}\" ({})", settings, error.what()),
                "accepted: default, profile, the path of a .jfc file, +EVENT+EVENT");
  }
  return java->make(kRecording, "(Ljdk/jfr/Configuration;)V", configuration);
}

// What the session samples itself would be there twice.
void leave_out(JavaCalls* java, jobject recording, const options::Options& options) {
  struct Group {
    bool is_ours;
    std::vector<const char*> events;
  };
  using options::Event;
  const Group groups[] = {
      {samples(options, Event::kCpu) || samples(options, Event::kWall),
       {"jdk.ExecutionSample", "jdk.NativeMethodSample", "jdk.CPUTimeSample", "jdk.CPUTimeSamplesLost"}},
      {samples(options, Event::kAlloc),
       {"jdk.ObjectAllocationInNewTLAB", "jdk.ObjectAllocationOutsideTLAB", "jdk.ObjectAllocationSample",
        "jdk.OldObjectSample"}},
      {samples(options, Event::kLock), {"jdk.JavaMonitorEnter", "jdk.ThreadPark"}},
      {samples(options, Event::kException), {"jdk.JavaExceptionThrow"}}};
  for (const Group& group : groups)
    for (const char* event : group.events)
      if (group.is_ours)
        java->object(recording, kRecording, "disable", "(Ljava/lang/String;)Ljdk/jfr/EventSettings;",
                     java->text(event));
}

// The class is not exported to Java code; its method became static in JDK 22.
int64_t frequency(JavaCalls* java) {
  constexpr const char* kJvm = "jdk/jfr/internal/JVM";
  try {
    return java->static_long(kJvm, "getTicksFrequency", "()J");
  } catch (const Error&) {
    jobject jvm = java->static_object(kJvm, "getJVM", "()Ljdk/jfr/internal/JVM;");
    return java->long_of(jvm, kJvm, "getTicksFrequency", "()J");
  }
}

std::string state_of(JavaCalls* java, jobject recording) {
  jobject state = java->object(recording, kRecording, "getState", "()Ljdk/jfr/RecordingState;");
  return java->string_of(state);
}

// The JVM's own hook at its exit may stop the recording at the same time: then it is closed once its file is whole.
void stop(JavaCalls* java, jobject recording) {
  try {
    if (state_of(java, recording) == "RUNNING") java->boolean(recording, kRecording, "stop", "()Z");
  } catch (const Error&) {
    constexpr int kTries = 100;
    constexpr std::chrono::milliseconds kPause(10);
    for (int i = 0; i < kTries && state_of(java, recording) != "CLOSED"; i++) std::this_thread::sleep_for(kPause);
  }
}

void close(JavaCalls* java, jobject recording) {
  try {
    java->call(recording, kRecording, "close", "()V");
  } catch (const Error&) {  // it is closed
  }
}

// The JVM would write through a link that somebody else has put there.
void make_own_file(const std::string& path) {
  ::unlink(path.c_str());
  constexpr mode_t kOwners = 0600;
  UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kOwners));
  if (!file) throw Error(formatted("cannot make {}: {}", path, std::strerror(errno)));
}

void write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw Error(std::strerror(errno));
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

void append(const std::string& from, const std::string& to) {
  FilePieces pieces(from);
  std::string_view piece = pieces.next();
  if (piece.substr(0, profile::jfr::kMagic.size()) != profile::jfr::kMagic) throw Error("the JVM wrote no recording");
  UniqueFd file(::open(to.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC));
  off_t size = file ? ::lseek(file.get(), 0, SEEK_END) : -1;
  if (size < 0) throw Error(std::strerror(errno));
  try {
    for (; !piece.empty(); piece = pieces.next()) write_all(file.get(), piece);
  } catch (const Error&) {
    if (::ftruncate(file.get(), size) != 0) throw Error("disk full, and a part of the JVM's chunks is at its end");
    throw;
  }
}

}  // namespace

JvmRecording::JvmRecording(JNIEnv* env, const options::Options& options, const std::string& path)
    : file_(formatted("{}.{}.jvm.tmp", path, getpid())) {
  JavaCalls java(env);
  const std::string& settings = *options.jfr_sync;
  bool lists_events = settings[0] == '+';
  jobject recording = nullptr;
  try {
    java.type(kRecording);
  } catch (const Error&) {
    throw Error("option jfrsync: this JVM has no flight recorder",
                "it needs the module jdk.jfr, and JDK 8u262 or newer");
  }
  recording = lists_events ? recording_of_events(&java, settings) : recording_of_settings(&java, settings);
  try {
    make_own_file(file_);
    if (!lists_events) leave_out(&java, recording, options);
    java.call(recording, kRecording, "setToDisk", "(Z)V", JNI_TRUE);
    java.call(recording, kRecording, "setDumpOnExit", "(Z)V", JNI_TRUE);
    java.call(recording, kRecording, "setDestination", "(Ljava/nio/file/Path;)V", path_of(&java, file_));
    java.call(recording, kRecording, "start", "()V");
    ticks_per_second_ = frequency(&java);
  } catch (const Error& error) {
    close(&java, recording);
    ::unlink(file_.c_str());
    throw Error(formatted("option jfrsync: the JVM's recording does not start ({})", error.what()));
  }
  recording_ = env->NewGlobalRef(recording);
}

JvmRecording::~JvmRecording() {
  ::unlink(file_.c_str());
}

void JvmRecording::end_into(JNIEnv* env, const std::string& path) {
  JavaCalls java(env);
  stop(&java, recording_);
  env->DeleteGlobalRef(recording_);
  try {
    append(file_, path);
  } catch (const Error& error) {
    throw Error(formatted("{} lacks the JVM's own events: {}", path, error.what()));
  }
}

void JvmRecording::drop(JNIEnv* env) {
  JavaCalls java(env);
  close(&java, recording_);
  env->DeleteGlobalRef(recording_);
}

}  // namespace hearth::commands
