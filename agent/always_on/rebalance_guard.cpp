#include "always_on/rebalance_guard.h"

namespace hearth::always_on {

StoreRebalanceGuard::StoreRebalanceGuard(AlwaysOn* store, const options::Options& wanted, JNIEnv* env)
    : sources_(store == nullptr ? nullptr : &store->sources()), env_(env) {
  if (sources_ != nullptr) sources_->release_resources_for(wanted, env);
}

// Without an attached thread no frame can be named.
StoreRebalanceGuard::StoreRebalanceGuard(AlwaysOn* store, JNIEnv* env)
    : sources_(store == nullptr || env == nullptr ? nullptr : &store->sources()), env_(env) {}

StoreRebalanceGuard::~StoreRebalanceGuard() {
  if (sources_ == nullptr) return;
  try {
    sources_->rebalance(env_);
  } catch (const std::exception& error) {
    sources_->log().error(error.what());
  }
}

}  // namespace hearth::always_on
