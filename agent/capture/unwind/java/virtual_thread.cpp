#include "capture/unwind/java/virtual_thread.h"

#include <algorithm>

#include "capture/faults/safe_load.h"
#include "capture/unwind/java/references.h"

namespace hearth::capture {
namespace {

// Whether collapsed stacks may have it in a name.
bool is_plain(uint8_t letter) {
  return letter >= ' ' && letter < 0x7f && letter != ';';
}

constexpr uint32_t kMaxProbes = 16;

uint8_t byte_at(uintptr_t address) {
  return static_cast<uint8_t>(load32(address) & 0xff);
}

// Copies a java.lang.String of one or two bytes a letter; letters beyond Latin-1 become '?'.
void copy_text(const VmLayout& vm, uintptr_t string, char* to, uint32_t most) {
  const ThreadObjectLayout& layout = vm.thread_objects;
  uintptr_t letters = string == 0 ? 0 : load_reference(vm, string + layout.string_value);
  if (letters == 0) return;
  bool wide = byte_at(string + layout.string_coder) != 0;
  uint32_t bytes = load32(letters + layout.array_length);
  uint32_t count = std::min(wide ? bytes / 2 : bytes, most - 1);
  for (uint32_t i = 0; i < count; i++) {
    uintptr_t at = letters + layout.array_base + (wide ? 2 * i : i);
    uint8_t letter = byte_at(at);
    bool plain = is_plain(letter) && (!wide || byte_at(at + 1) == 0);
    to[i] = static_cast<char>(plain ? letter : '?');
  }
}

// Returns the java.lang.Thread; 0 if it cannot be read.
uintptr_t mounted_thread(const VmLayout& vm, uintptr_t java_thread) {
  if (!vm.thread_objects.known || java_thread == 0) return 0;
  uintptr_t handle = load(java_thread + vm.thread_objects.mounted);
  return handle == 0 ? 0 : plain_reference(vm, load(handle));
}

uint64_t id_of(const VmLayout& vm, uintptr_t thread) {
  return thread == 0 ? 0 : load(thread + vm.thread_objects.thread_id);
}

}  // namespace

uint64_t mounted_thread_id(const VmLayout& vm, uintptr_t java_thread) {
  return id_of(vm, mounted_thread(vm, java_thread));
}

VirtualThreadNames::VirtualThreadNames()
    : memory_(Mapping::reserved(kMost * sizeof(Entry))), entries_(memory_.as<Entry>()) {}

VirtualThreadNames::Entry* VirtualThreadNames::find(uint64_t id) const {
  if (entries_ == nullptr) return nullptr;
  for (uint32_t probe = 0; probe < kMaxProbes; probe++) {
    Entry* entry = entries_ + (id + probe) % kMost;  // ids are assigned in order
    uint64_t there = entry->id.load(std::memory_order_relaxed);
    if (there == id || there == 0) return entry;
  }
  return nullptr;
}

uint64_t VirtualThreadNames::note_mounted(const VmLayout& vm, uintptr_t java_thread) {
  uintptr_t thread = mounted_thread(vm, java_thread);
  uint64_t id = id_of(vm, thread);
  Entry* entry = id == 0 ? nullptr : find(id);
  if (entry == nullptr || entry->id.load(std::memory_order_relaxed) == id) return id;
  uint64_t nobody = 0;
  if (!entry->id.compare_exchange_strong(nobody, id, std::memory_order_relaxed)) return id;
  copy_text(vm, load_reference(vm, thread + vm.thread_objects.name), entry->name, kNameBytes);
  entry->written.store(true, std::memory_order_release);
  return id;
}

void VirtualThreadNames::note(uint64_t id, const char* name) {
  Entry* entry = find(id);
  uint64_t nobody = 0;
  if (entry == nullptr || !entry->id.compare_exchange_strong(nobody, id, std::memory_order_relaxed)) return;
  uint32_t length = 0;
  for (; *name != '\0' && length < kNameBytes - 1; name++) {
    auto letter = static_cast<uint8_t>(*name);
    bool goes_on = (letter & 0xc0) == 0x80;  // a letter of UTF-8
    if (!goes_on) entry->name[length++] = is_plain(letter) ? *name : '?';
  }
  entry->written.store(true, std::memory_order_release);
}

const char* VirtualThreadNames::name_of(uint64_t id) const {
  const Entry* entry = find(id);
  bool known = entry != nullptr && entry->id.load(std::memory_order_relaxed) == id &&
               entry->written.load(std::memory_order_acquire);
  return known ? entry->name : "";
}

}  // namespace hearth::capture
