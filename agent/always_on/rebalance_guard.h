// Surrounds the start or end of a session while a store runs: its constructor calls release_resources_for() where a
// session starts, its destructor calls rebalance().
#pragma once

#include "always_on/always_on.h"

namespace hearth::always_on {

class StoreRebalanceGuard {
 public:
  // A null `store` does nothing.
  StoreRebalanceGuard(AlwaysOn* store, const options::Options& wanted, JNIEnv* env);
  StoreRebalanceGuard(AlwaysOn* store, JNIEnv* env);  // for a session that ends
  StoreRebalanceGuard(const StoreRebalanceGuard&) = delete;
  StoreRebalanceGuard& operator=(const StoreRebalanceGuard&) = delete;
  ~StoreRebalanceGuard();

 private:
  StoreSources* const sources_;
  JNIEnv* const env_;
};

}  // namespace hearth::always_on
