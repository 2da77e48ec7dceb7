// The files that are being written. Writers of one file write one after the other, in the order of their announcements.
// Thread safe.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>

namespace hearth::commands {

class OutputFiles {
 public:
  // A writer's position in the queue of its file; its destructor releases it.
  class Announced {
   public:
    Announced(Announced&& other) noexcept;
    Announced(const Announced&) = delete;
    Announced& operator=(const Announced&) = delete;
    ~Announced();

    const std::string& path() const { return path_; }
    // Waits until all earlier writers of the file are done.
    void wait() const;

   private:
    friend class OutputFiles;
    Announced(OutputFiles* files, std::string path, std::string key, uint64_t number);

    OutputFiles* files_;
    std::string path_;
    std::string key_;
    uint64_t number_;
  };

  // Never waits.
  Announced announce(const std::string& path);
  // Waits until no file is being written. Returns false where that takes longer than `most`.
  bool wait_for_all(std::chrono::milliseconds most);

 private:
  void wait_for(const std::string& key, uint64_t number);
  void is_done(const std::string& key, uint64_t number);

  std::mutex mutex_;
  std::condition_variable changes_;
  std::map<std::string, std::deque<uint64_t>> writers_;  // by canonical path, in order
  uint64_t last_number_ = 0;
};

}  // namespace hearth::commands
