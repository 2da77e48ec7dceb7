#include "session/published_context.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <ctime>

#include "base/clocks.h"
#include "base/error.h"
#include "base/owned.h"
#include "profile/codec/proto.h"
#include "profile/codec/utf8.h"
#include "profile/otlp/otlp_fields.h"
#include "profile/otlp/otlp_values.h"
#include "session/process_context.h"
#include "vm/thread_records.h"

namespace hearth::session {
namespace {

using profile::proto::put_bytes;

constexpr size_t kPage = 4096;
constexpr size_t kMostNames = 256;
constexpr size_t kMostText = 255;
// Numbers of Linux, which older headers lack.
constexpr unsigned kCloseOnExec = 1, kAllowSealing = 2, kNoExec = 8;
constexpr int kSetVma = 0x53564d41, kSetVmaName = 0;

// Differs from the one before.
uint64_t next_stamp(uint64_t before) {
  return std::max(static_cast<uint64_t>(clock_ns(CLOCK_BOOTTIME)), before + 1);
}

}  // namespace

PublishedContext& PublishedContext::instance() {
  static auto* context = new PublishedContext;  // never destroyed: readers may read it as long as the process is there
  return *context;
}

bool PublishedContext::has_begun() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return header_ != nullptr;
}

void PublishedContext::require_no_other() const {
  if (find_process_context() != 0)
    throw Error("option publish-context: another agent or SDK has published a context of this process",
                "leave it out; samples have that agent's spans without it");
}

void PublishedContext::begin(const std::vector<profile::Label>& resource) {
  require_no_other();
  std::lock_guard<std::mutex> lock(mutex_);
  if (header_ == nullptr) map();
  resource_ = resource;
  publish();
}

// In memory of a file, whose name is in the list of mappings, or named itself where such files are not allowed.
void PublishedContext::map() {
  auto make = [](unsigned flags) { return static_cast<int>(::syscall(SYS_memfd_create, kProcessContextName, flags)); };
  UniqueFd file(make(kCloseOnExec | kAllowSealing | kNoExec));
  if (!file) file = UniqueFd(make(kCloseOnExec | kAllowSealing));
  bool is_file = file && ::ftruncate(file.get(), kPage) == 0;
  int flags = MAP_PRIVATE | (is_file ? 0 : MAP_ANONYMOUS);
  void* page = ::mmap(nullptr, kPage, PROT_READ | PROT_WRITE, flags, is_file ? file.get() : -1, 0);
  if (page == MAP_FAILED) throw Error("option publish-context: there is no memory");
  bool is_named = ::prctl(kSetVma, kSetVmaName, page, kPage, kProcessContextName) == 0;
  if (::madvise(page, kPage, MADV_DONTFORK) != 0 || (!is_file && !is_named)) {
    ::munmap(page, kPage);
    throw Error("option publish-context: this kernel does not allow memory with a name");
  }
  header_ = static_cast<ProcessContextHeader*>(page);
  std::memcpy(header_->signature, kProcessContextName, sizeof header_->signature);
  header_->version = kProcessContextVersion;
  ignore_process_context(reinterpret_cast<uintptr_t>(page));
}

void PublishedContext::publish() {
  payloads_.push_back(message());
  // Others read it at any time: each field is written as a whole, in this order.
  uint64_t before = __atomic_exchange_n(&header_->published_ns, 0, __ATOMIC_SEQ_CST);
  __atomic_store_n(&header_->payload, reinterpret_cast<uintptr_t>(payloads_.back().data()), __ATOMIC_SEQ_CST);
  __atomic_store_n(&header_->payload_size, static_cast<uint32_t>(payloads_.back().size()), __ATOMIC_SEQ_CST);
  __atomic_store_n(&header_->published_ns, next_stamp(before), __ATOMIC_SEQ_CST);
  ::prctl(kSetVma, kSetVmaName, header_, kPage, kProcessContextName);
  if (payloads_.size() > 2) payloads_.pop_front();
}

std::string PublishedContext::message() const {
  using profile::any_value;
  using profile::key_value;
  namespace field = profile::process_context_field;
  std::string resource, context;
  for (const profile::Label& label : resource_)
    put_bytes(resource, profile::resource_field::kAttributes, key_value(label.key, any_value(label)));
  put_bytes(context, field::kResource, resource);
  // The word that readers know, as of this time.
  profile::Label schema = {"threadlocal.schema_version", "tlsdesc_v1_dev", 0, ""};
  put_bytes(context, field::kAttributes, key_value(schema.key, any_value(schema)));
  put_bytes(context, field::kAttributes, key_value(profile::kThreadAttributesKey, any_value(names_)));
  return context;
}

// kMostNames: there are too many.
size_t PublishedContext::index_of(const std::string& name, bool* is_new) {
  auto found = std::find(names_.begin(), names_.end(), name);
  if (found != names_.end() || names_.size() == kMostNames) {
    auto index = static_cast<size_t>(found - names_.begin());
    return index < kMostNames ? index : kMostNames;
  }
  names_.push_back(name);
  *is_new = true;
  return names_.size() - 1;
}

std::string PublishedContext::attributes_of(const vm::LabelSets::Set& labels) {
  std::lock_guard<std::mutex> lock(mutex_);
  std::string attributes;
  bool is_new = false;
  for (const auto& [key, value] : labels) {
    std::string_view text = profile::cut_text(value, kMostText);
    if (attributes.size() + 2 + text.size() > vm::ThreadRecord::kMostAttributes) continue;
    size_t index = index_of(key, &is_new);
    if (index == kMostNames) continue;
    attributes += static_cast<char>(index);
    attributes += static_cast<char>(text.size());
    attributes += text;
  }
  if (is_new && header_ != nullptr) publish();
  return attributes;
}

}  // namespace hearth::session
