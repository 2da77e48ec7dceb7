#include "http/auth/audit.h"

#include "base/formatted.h"

namespace hearth::http {
namespace {

// A client's text must not look like another line of the log.
std::string plain(std::string text) {
  constexpr size_t kLongest = 400;
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "…";
  for (char& c : text) {
    if ((c >= 0 && c < ' ') || c == 0x7f) c = '?';
  }
  return text;
}

}  // namespace

void Audit::answered(const Request& request, const Reply& reply, Client client) {
  bool is_kept_out = reply.status == 401 || reply.status == 403;
  bool changes = (request.method != "GET" && request.method != "HEAD") || !reply.note.empty();
  if (!is_kept_out && !changes) return;
  std::string untold;
  if (is_kept_out) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (Clock::now() < next_refusal_) {
      untold_++;
      return;
    }
    if (untold_ > 0) untold = formatted(" (and {} more since)", untold_);
    untold_ = 0;
    next_refusal_ = Clock::now() + std::chrono::seconds(1);
  }
  std::string outcome =
      client == Client::kHasLeft ? "499 (the client left)" : std::to_string(reply.status);  // as nginx
  std::string what = reply.note.empty() ? "" : ", " + plain(reply.note);
  std::string line = formatted("http: {} {} {}{}: {}{}", request.peer.name, plain(request.method), plain(request.path),
                               what, outcome, untold);
  bool has_failed = reply.status >= 500 && client == Client::kWaits;
  if (is_kept_out || has_failed)
    profiler_->warn(line);
  else
    profiler_->log(line);
}

}  // namespace hearth::http
