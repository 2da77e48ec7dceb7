#include "launcher/commands/copy_command.h"

#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "launcher/attach/agent_library.h"
#include "launcher/line/option_parser.h"
#include "launcher/line/usage_error.h"

namespace hearth::launcher {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAbout = R"(Writes DIR/bin/hearth and DIR/lib/libhearth.so. An init container of the hearth
image gives them so to a container that has neither:
  hearth copy /opt/hearth
)";

void copy_program(const std::string& from, const fs::path& to) {
  constexpr fs::perms kMode = static_cast<fs::perms>(0755);
  std::error_code failed;
  fs::create_directories(to.parent_path(), failed);
  if (failed) throw Error(formatted("cannot create {}: {}", to.parent_path().string(), failed.message()));
  FilePieces pieces(from);
  replace_file(to, [&] { return pieces.next(); });
  fs::permissions(to, kMode, failed);
  if (failed) throw Error(formatted("cannot make {} executable: {}", to.string(), failed.message()));
}

}  // namespace

std::variant<std::string, CopyRequest> parse_copy_line(const std::vector<std::string>& arguments) {
  OptionParser parser("hearth copy DIR");
  if (!parser.parse(arguments)) return parser.help() + "\n" + kAbout;
  if (parser.words().empty()) throw UsageError("copy to where? give a directory");
  if (parser.words().size() > 1)
    throw UsageError(formatted("copy takes one DIR, not {}", joined(parser.words(), ", ")));
  return CopyRequest{parser.words()[0]};
}

void run_copy_command(const CopyRequest& request) {
  fs::path directory = fs::absolute(request.directory);
  copy_program("/proc/self/exe", directory / "bin" / "hearth");
  copy_program(local_agent_library(""), directory / "lib" / "libhearth.so");
}

}  // namespace hearth::launcher
