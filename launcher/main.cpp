// hearth: profiles a running JVM from outside, and converts stored profiles.

#include <exception>

#include "base/formatted.h"
#include "command_line.h"
#include "jvm_list.h"
#include "output_file.h"
#include "usage_error.h"

namespace hearth::launcher {
namespace {

constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

void list_jvms() {
  std::vector<Jvm> jvms = find_jvms();
  if (jvms.empty()) print(stderr, "no JVM is running here\n");
  if (!jvms.empty()) write_stdout(jvm_table(jvms));
}

struct Runner {
  void operator()(const ShowText& request) const { write_stdout(request.text); }
  void operator()(const ListJvms&) const { list_jvms(); }
  void operator()(const ProfileRequest& request) const { run_profile_command(request); }
  void operator()(const ConvertRequest& request) const { run_convert_command(request); }
  void operator()(const ReportRequest& request) const { run_report_command(request); }
  void operator()(const LaunchRequest& request) const { run_launch_command(request); }
};

int run(int argc, char** argv) {
  try {
    std::visit(Runner(), parse_command_line({argv + 1, argv + argc}));
    return 0;
  } catch (const UsageError& error) {
    print(stderr, "hearth: {}\n", error.what());
    return kWrongUsage;
  } catch (const std::exception& error) {
    print(stderr, "hearth: {}\n", error.what());
    return kFailed;
  }
}

}  // namespace
}  // namespace hearth::launcher

int main(int argc, char** argv) {
  return hearth::launcher::run(argc, argv);
}
