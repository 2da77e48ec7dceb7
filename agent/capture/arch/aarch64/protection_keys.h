// Included by arch/protection_keys.h. The same names as x86-64's; they do nothing: processors with protection keys
// (FEAT_S1POE, Linux 6.12) are not known to run JVMs yet.
#pragma once

namespace hearth::capture {

inline bool uses_protection_keys() {
  return false;
}

class ReadableKeys {
 public:
  explicit ReadableKeys(bool) {}
  ReadableKeys(const ReadableKeys&) = delete;
  ReadableKeys& operator=(const ReadableKeys&) = delete;
  ~ReadableKeys() {}  // NOLINT(modernize-use-equals-default): used for its scope
};

}  // namespace hearth::capture
