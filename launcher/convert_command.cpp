#include "convert_command.h"

#include "base/files.h"
#include "output_file.h"
#include "stored_profile.h"

namespace hearth::launcher {

void run_convert_command(const ConvertRequest& request) {
  profile::Profile profile = read_stored_profile(request.input, request.options.labels);
  if (request.names.any()) profile = profile::respelled(profile, request.names);
  std::string result;
  for (const TypedFormat& format : request.formats) {
    profile::WriteOptions options = request.options;
    options.limit = format.rows;
    result += profile::write(profile, format.format, options);
  }
  if (request.output == "-")
    write_stdout(result);
  else
    replace_file(request.output, result);
}

}  // namespace hearth::launcher
