#include "session/published_context.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <ctime>

#include "base/error.h"
#include "base/owned.h"
#include "profile/codec/proto.h"
#include "profile/codec/utf8.h"
#include "session/process_context.h"
#include "vm/thread_records.h"

namespace hearth::session {
namespace {

using profile::proto::put_bytes;

constexpr const char* kName = "OTEL_CTX";
constexpr size_t kPage = 4096;
constexpr size_t kMostNames = 256;
constexpr size_t kMostText = 255;
constexpr uint32_t kVersion = 2;
// Numbers of Linux, which older headers lack.
constexpr unsigned kCloseOnExec = 1, kAllowSealing = 2, kNoExec = 8;
constexpr int kSetVma = 0x53564d41, kSetVmaName = 0;

// Field numbers of ProcessContext, Resource, KeyValue, AnyValue and ArrayValue.
enum : uint32_t { kResource = 1, kAttributes = 2, kResourceAttributes = 1, kKey = 1, kValue = 2, kValues = 1 };
enum : uint32_t { kString = 1, kInt = 3, kArray = 5 };

std::string text_value(const std::string& text) {
  std::string value;
  put_bytes(value, kString, profile::valid_utf8(text));
  return value;
}

std::string key_value(const std::string& key, const std::string& value) {
  std::string pair;
  put_bytes(pair, kKey, key);
  put_bytes(pair, kValue, value);
  return pair;
}

std::string value_of(const profile::Label& label) {
  if (!label.text.empty()) return text_value(label.text);
  std::string value;
  profile::proto::put_number(value, kInt, label.number);
  return value;
}

// Differs from the one before.
uint64_t next_stamp(uint64_t before) {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return std::max(static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec), before + 1);
}

}  // namespace

struct PublishedContext::Header {
  char signature[8];
  uint32_t version;
  std::atomic<uint32_t> payload_size;
  std::atomic<uint64_t> published_ns;  // 0: it is being changed
  std::atomic<uint64_t> payload;
};

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
  auto make = [](unsigned flags) { return static_cast<int>(::syscall(SYS_memfd_create, kName, flags)); };
  UniqueFd file(make(kCloseOnExec | kAllowSealing | kNoExec));
  if (!file) file = UniqueFd(make(kCloseOnExec | kAllowSealing));
  bool is_file = file && ::ftruncate(file.get(), kPage) == 0;
  int flags = MAP_PRIVATE | (is_file ? 0 : MAP_ANONYMOUS);
  void* page = ::mmap(nullptr, kPage, PROT_READ | PROT_WRITE, flags, is_file ? file.get() : -1, 0);
  if (page == MAP_FAILED) throw Error("option publish-context: there is no memory");
  bool is_named = ::prctl(kSetVma, kSetVmaName, page, kPage, kName) == 0;
  if (::madvise(page, kPage, MADV_DONTFORK) != 0 || (!is_file && !is_named)) {
    ::munmap(page, kPage);
    throw Error("option publish-context: this kernel does not allow memory with a name");
  }
  header_ = static_cast<Header*>(page);
  std::memcpy(header_->signature, kName, sizeof header_->signature);
  header_->version = kVersion;
  ignore_process_context(reinterpret_cast<uintptr_t>(page));
}

void PublishedContext::publish() {
  payloads_.push_back(message());
  uint64_t before = header_->published_ns.exchange(0);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  header_->payload = reinterpret_cast<uintptr_t>(payloads_.back().data());
  header_->payload_size = static_cast<uint32_t>(payloads_.back().size());
  std::atomic_thread_fence(std::memory_order_seq_cst);
  header_->published_ns = next_stamp(before);
  ::prctl(kSetVma, kSetVmaName, header_, kPage, kName);
  if (payloads_.size() > 2) payloads_.pop_front();
}

std::string PublishedContext::message() const {
  std::string resource, names, list, context;
  for (const profile::Label& label : resource_)
    put_bytes(resource, kResourceAttributes, key_value(label.key, value_of(label)));
  for (const std::string& name : names_) put_bytes(names, kValues, text_value(name));
  put_bytes(list, kArray, names);
  put_bytes(context, kResource, resource);
  // The word that readers know, as of this time.
  put_bytes(context, kAttributes, key_value("threadlocal.schema_version", text_value("tlsdesc_v1_dev")));
  put_bytes(context, kAttributes, key_value("threadlocal.attribute_key_map", list));
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
    size_t length = std::min(value.size(), kMostText);
    while (length > 0 && length < value.size() && (static_cast<uint8_t>(value[length]) & 0xC0) == 0x80) length--;
    if (attributes.size() + 2 + length > vm::ThreadRecord::kMostAttributes) continue;
    size_t index = index_of(key, &is_new);
    if (index == kMostNames) continue;
    attributes += static_cast<char>(index);
    attributes += static_cast<char>(length);
    attributes.append(value, 0, length);
  }
  if (is_new && header_ != nullptr) publish();
  return attributes;
}

}  // namespace hearth::session
