#include "http/routes/state_folder.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "base/formatted.h"

namespace hearth::http {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string home() {
  if (std::string home = variable("HOME"); !home.empty()) return home;
  char texts[4096];
  passwd entry{};
  passwd* found = nullptr;
  return getpwuid_r(geteuid(), &entry, texts, sizeof texts, &found) == 0 && found != nullptr ? found->pw_dir : "";
}

}  // namespace

std::string private_folder(const std::string& path) {
  if (mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST)
    throw Error(formatted("cannot make the folder {}: {}", path, std::strerror(errno)), "name another by HEARTH_HOME");
  struct stat info {};
  // Not through a link: in /tmp anybody can have made it.
  if (lstat(path.c_str(), &info) != 0 || !S_ISDIR(info.st_mode))
    throw Error(formatted("{} is no folder", path), "name another by HEARTH_HOME");
  if (info.st_uid != geteuid() || (info.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    throw Error(formatted("{} can be changed by others than this user", path),
                "chown and chmod 700 it, or name another folder by HEARTH_HOME");
  return path;
}

std::string state_folder() {
  if (std::string chosen = variable("HEARTH_HOME"); !chosen.empty()) return private_folder(chosen);
  std::string folder = home();
  if (!folder.empty() && access(folder.c_str(), W_OK | X_OK) == 0) return private_folder(folder + "/.hearth");
  return private_folder(formatted("/tmp/hearth-{}", geteuid()));
}

}  // namespace hearth::http
