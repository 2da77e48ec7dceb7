#include "commands/sessions/output_writer.h"

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "base/resident_set.h"
#include "commands/command_replies.h"
#include "naming/session_profile.h"
#include "naming/session_quality.h"
#include "options/file_pattern.h"
#include "profile/formats/formats.h"
#include "profile/model/quality.h"

namespace hearth::commands {
namespace {

constexpr const char* kStillThere = "the session has ended: dump still has its profile";
constexpr size_t kManyNodes = 1 << 16;  // of a profile: about 10 MB

// The model of many stacks takes hundreds of MB, which glibc would keep, and the fragments that sessions leave add up
// to tens. Returning them holds malloc's locks meanwhile, so small profiles of running sessions skip it.
ProfilePtr shared(profile::Profile profile, bool is_running) {
  if (is_running && profile.nodes().size() <= kManyNodes)
    return std::make_shared<const profile::Profile>(std::move(profile));
  return_freed_memory();  // writing takes as much again as making the model did
  return {new profile::Profile(std::move(profile)), [](const profile::Profile* all) {
            delete all;
            return_freed_memory();
          }};
}

}  // namespace

std::string OutputWriter::next_path(const std::string& pattern) const {
  std::lock_guard<std::mutex> lock(mutex_);
  return options::expand_file_pattern(pattern, numbered_ + 1);
}

Answer OutputWriter::write(const Output& output, AgentLocks::Lock* commands, JNIEnv* env) {
  if (is_recorded(output)) return finish_recording(output, commands);
  Answer answer;
  make(output, commands, env,
       [&](const File& file, const ProfilePtr& profile) { answer = write_to(file, *profile, output.options); });
  return answer;
}

ProfilePtr OutputWriter::profile(const Output& output, AgentLocks::Lock* commands, JNIEnv* env) {
  ProfilePtr made;
  make(output, commands, env, [&](const File& file, const ProfilePtr& profile) {
    if (file) write_to(file, *profile, output.options);
    made = profile;
  });
  return made;
}

std::string OutputWriter::recording_of(const options::Options& options) {
  std::vector<profile::Format> formats = formats_of(options);
  bool is_jfr = formats.size() == 1 && formats.front() == profile::Format::kJfr;
  if (options.file.empty() || !is_jfr) return "";
  std::string path = next_path(options.file);
  return is_written_in_place(path) ? "" : path;
}

void OutputWriter::count_recording(const options::Options& options) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (options.file.find("%n") != std::string::npos) numbered_++;
}

// Whether the output is the file that the session has recorded into.
bool OutputWriter::is_recorded(const Output& output) {
  const session::ProfileSession& session = *output.session;
  return session.stream() != nullptr && output.options.file == session.options().file &&
         formats_of(output.options) == formats_of(session.options());
}

Answer OutputWriter::finish_recording(const Output& output, AgentLocks::Lock* commands) {
  session::ProfileSession& session = *output.session;
  session::SampleStream& stream = *session.stream();
  if (session.running()) {
    session.counter()->drain();
    stream.flush();
  }
  profile::Quality quality = naming::quality_of(session);
  int64_t duration_ns = session.duration_ns();
  commands->unlock();
  if (std::string trouble = stream.trouble(); !trouble.empty())
    throw Error(trouble, output.is_of_stop ? kStillThere : "dump with another file writes the profile");
  if (output.is_of_stop) table_->mark_fetched(session);
  return {formatted("{} written: {}", stream.path(), profile::quality_text(quality, duration_ns))};
}

void OutputWriter::make(const Output& output, AgentLocks::Lock* commands, JNIEnv* env, const Use& use) {
  session::ProfileRange whole;
  whole.by_time = true;
  try {
    ProfilePtr profile =
        shared(naming::profile_of(output.session.get(), env, output.options, whole), output.session->running());
    File file = announce(output.options);
    commands->unlock();
    use(file, profile);
    if (output.is_of_stop) table_->mark_fetched(*output.session);
  } catch (const FileError& error) {
    if (!output.is_of_stop) throw;
    throw FileError(error.number(), error.what(), kStillThere);
  } catch (const profile::FormatError& error) {
    if (!output.is_of_stop) throw;
    throw profile::FormatError(formatted("{}; {}", error.what(), kStillThere));
  }
}

Answer OutputWriter::write_profile(const profile::Profile& profile, const options::Options& options) {
  return write_to(announce(options), profile, options);
}

// Empty when no file was asked for.
OutputWriter::File OutputWriter::announce(const options::Options& options) {
  if (options.file.empty()) return std::nullopt;
  std::string path;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    path = options::expand_file_pattern(options.file, numbered_ + 1);
    if (options.file.find("%n") != std::string::npos) numbered_++;
  }
  return files_.announce(path);  // without the lock: looks at the file system, which may not answer
}

Answer OutputWriter::write_to(const File& file, const profile::Profile& profile, const options::Options& options) {
  std::string content;
  for (profile::Format format : formats_of(options)) {
    profile::WriteOptions write = options.write;
    write.limit = format == profile::Format::kTraces ? options.traces_limit : options.flat_limit;
    content += profile::write(profile, format, write);
  }
  if (!file) return {content, true};
  file->wait();
  replace_file(file->path(), content);
  return {
      formatted("{} written: {}", file->path(), profile::quality_text(profile.quality, profile.metadata.duration_ns))};
}

}  // namespace hearth::commands
