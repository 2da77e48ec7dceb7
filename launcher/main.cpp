// hearth: profiles a running JVM from outside, and converts, reports on and compares stored profiles.

#include <exception>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/formatted.h"
#include "launcher/attach/jvm_list.h"
#include "launcher/line/asprof_line.h"
#include "launcher/line/command_line.h"
#include "launcher/line/usage_error.h"
#include "launcher/text/output_file.h"
#include "profile/codec/utf8.h"

namespace hearth::launcher {
namespace {

constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;
constexpr int kTooMuch = 3;

void list_jvms() {
  std::vector<Jvm> jvms = find_jvms();
  if (jvms.empty()) print(stderr, "no JVM is running here\n");
  if (!jvms.empty()) write_stdout(jvm_table(jvms));
}

// Runs a request and returns the exit status.
struct Runner {
  int operator()(const AsprofText& request) const {
    return write_stdout(request.text), request.is_wrong_usage ? kFailed : 0;
  }
  int operator()(const AsprofRequest& request) const { return run_asprof_command(request), 0; }
  int operator()(const JvmCommandRequest& request) const { return run_jvm_command(request), 0; }
  int operator()(const ShowText& request) const { return write_stdout(request.text), 0; }
  int operator()(const ListJvms&) const { return list_jvms(), 0; }
  int operator()(const ProfileRequest& request) const { return run_profile_command(request), 0; }
  int operator()(const ConvertRequest& request) const { return run_convert_command(request), 0; }
  int operator()(const ReportRequest& request) const { return run_report_command(request), 0; }
  int operator()(const DiffRequest& request) const { return run_diff_command(request) ? 0 : kTooMuch; }
  int operator()(const LaunchRequest& request) const { return run_launch_command(request), 0; }
  int operator()(const LeaksRequest& request) const { return run_leaks_command(request) ? 0 : kTooMuch; }
  int operator()(const CopyRequest& request) const { return run_copy_command(request), 0; }
};

// Messages contain text of other processes and of files.
int fail(const std::exception& error, int status) {
  print(stderr, "hearth: {}\n", profile::shown_lines(error.what()));
  return status;
}

// As async-profiler's launcher: all failures have one status.
int run_asprof(const std::vector<std::string>& arguments) {
  try {
    return std::visit(Runner(), parse_asprof_line(arguments));
  } catch (const std::exception& error) {
    return fail(error, kFailed);
  }
}

bool is_called_asprof(std::string_view program) {
  return program.substr(program.rfind('/') + 1) == "asprof";
}

int run(int argc, char** argv) {
  if (argc > 0 && is_called_asprof(argv[0])) return run_asprof({argv + 1, argv + argc});
  try {
    return std::visit(Runner(), parse_command_line({argv + 1, argv + argc}));
  } catch (const UsageError& error) {
    return fail(error, kWrongUsage);
  } catch (const std::exception& error) {
    return fail(error, kFailed);
  }
}

}  // namespace
}  // namespace hearth::launcher

int main(int argc, char** argv) {
  return hearth::launcher::run(argc, argv);
}
