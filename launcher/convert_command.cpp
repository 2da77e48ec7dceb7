#include "convert_command.h"

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "output_file.h"

namespace hearth::launcher {
namespace {

profile::Profile read_profile(const std::string& path) {
  std::string content = read_file(path);
  try {
    return profile::read(content);
  } catch (const profile::FormatError& error) {
    throw Error(formatted("cannot read {}: {}", path, error.what()),
                "convert reads collapsed stacks, pprof and hearth's own HTML pages");
  }
}

}  // namespace

void run_convert_command(const ConvertRequest& request) {
  std::string result = profile::write(read_profile(request.input), request.format, request.options);
  if (request.output == "-")
    write_stdout(result);
  else
    replace_file(request.output, result);
}

}  // namespace hearth::launcher
