#include "session/process_context.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstring>

#include "base/files.h"
#include "base/owned.h"
#include "base/text_parts.h"
#include "capture/recorder.h"
#include "profile/codec/proto.h"
#include "profile/formats/formats.h"
#include "profile/otlp/otlp_fields.h"

namespace hearth::session {
namespace {

constexpr std::string_view kNames[] = {"[anon_shmem:OTEL_CTX]", "[anon:OTEL_CTX]", "/memfd:OTEL_CTX"};
constexpr size_t kMostPayload = 1 << 20;
constexpr uint64_t kSearchPeriodNs = 5'000'000'000;  // of the list of mappings, which may be long

using Header = ProcessContextHeader;

// False where this process cannot read the memory: it may be unmapped at any time.
bool read_memory(uintptr_t address, void* to, size_t size) {
  UniqueFd memory(::open("/proc/self/mem", O_RDONLY | O_CLOEXEC));
  return memory && ::pread(memory.get(), to, size, static_cast<off_t>(address)) == static_cast<ssize_t>(size);
}

std::optional<Header> header_at(uintptr_t address) {
  Header header{};
  bool is_one = read_memory(address, &header, sizeof header) &&
                std::memcmp(header.signature, kProcessContextName, sizeof header.signature) == 0 &&
                header.version == kProcessContextVersion;
  return is_one ? std::optional(header) : std::nullopt;
}

bool is_named(std::string_view line) {
  for (std::string_view name : kNames)
    if (line.find(name) != std::string_view::npos) return true;
  return false;
}

std::atomic<uintptr_t> g_own{0};

std::string key_of(profile::proto::Message attribute) {
  std::string key;
  while (attribute.next())
    if (attribute.field() == profile::key_value_field::kKey) key = attribute.bytes();
  return key;
}

// Calls visit(message) for each message of this field in `message`.
template <typename Visit>
void each(profile::proto::Message message, uint32_t field, const Visit& visit) {
  while (message.next())
    if (message.field() == field) visit(message.message());
}

}  // namespace

uintptr_t find_process_context() {
  std::string maps = read_file("/proc/self/maps");
  for (std::string_view line : parts_of(maps, '\n')) {
    uintptr_t address = 0;
    if (!is_named(line) || std::from_chars(line.data(), line.data() + line.size(), address, 16).ec != std::errc())
      continue;
    if (address != g_own && header_at(address)) return address;
  }
  return 0;
}

void ignore_process_context(uintptr_t own) {
  g_own = own;
}

std::vector<std::string> thread_attribute_names(std::string_view message) {
  using profile::proto::Message;
  namespace context = profile::process_context_field;
  namespace pair = profile::key_value_field;
  namespace any = profile::any_value_field;
  std::vector<std::string> names;
  each(Message(message, 0, "the process context"), context::kAttributes, [&](const Message& attribute) {
    if (key_of(attribute) != profile::kThreadAttributesKey) return;
    each(attribute, pair::kValue, [&](const Message& value) {
      each(value, any::kArray, [&](const Message& list) {
        each(list, profile::array_value_field::kValues, [&](Message text) {
          names.emplace_back();
          while (text.next())
            if (text.field() == any::kString) names.back() = text.bytes();
        });
      });
    });
  });
  return names;
}

bool ProcessContextReader::has_changed() {
  std::optional<Header> header = mapping_ == 0 ? std::nullopt : header_at(mapping_);
  if (!header) {
    uint64_t now = capture::now_ns();
    if (now < next_search_ns_) return false;
    next_search_ns_ = now + kSearchPeriodNs;
    mapping_ = find_process_context();
    header = mapping_ == 0 ? std::nullopt : header_at(mapping_);
  }
  return header && header->published_ns != 0 && header->published_ns != published_ns_;
}

std::vector<std::string> ProcessContextReader::attribute_names() {
  std::optional<Header> header = header_at(mapping_);
  if (!header || header->payload_size > kMostPayload) return {};
  std::string payload(header->payload_size, '\0');
  if (!read_memory(header->payload, payload.data(), payload.size())) return {};
  std::optional<Header> after = header_at(mapping_);
  if (!after || after->published_ns != header->published_ns) return {};
  published_ns_ = header->published_ns;
  try {
    return thread_attribute_names(payload);
  } catch (const profile::FormatError&) {  // without names attributes are not shown
    return {};
  }
}

}  // namespace hearth::session
