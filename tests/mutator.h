// Bad input made of good: the same for the same seed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hearth {

class Mutator {
 public:
  // `words` are those that the format's readers look for; both are not empty.
  Mutator(std::vector<std::string> corpus, std::vector<std::string_view> words, uint64_t seed)
      : corpus_(std::move(corpus)), words_(std::move(words)), random_(seed) {}

  // One of the corpus, with up to five changes.
  std::string next() {
    std::string text = pick(corpus_);
    for (size_t count = below(6); count > 0; count--) change(&text);
    return text;
  }
  size_t below(size_t most) { return std::uniform_int_distribution<size_t>(0, most - 1)(random_); }

 private:
  template <typename T>
  const T& pick(const std::vector<T>& all) {
    return all[below(all.size())];
  }

  void change(std::string* text) {
    size_t at = below(text->size() + 1), size = std::min(below(20), text->size() - at);
    switch (below(9)) {
      case 0:
        if (at < text->size()) (*text)[at] = static_cast<char>(below(256));
        break;
      case 1:
        if (at < text->size()) (*text)[at] = static_cast<char>((*text)[at] ^ (1 << below(8)));
        break;
      case 2:
        text->erase(at, size);
        break;
      case 3:
        text->insert(at, text->substr(at, size));
        break;
      case 4:
        text->insert(at, pick(words_));
        break;
      case 5:
        *text = text->substr(0, at) + pick(corpus_).substr(0, below(500));
        break;
      case 6:
        text->insert(at, below(9) == 0 ? below(80'000) : below(300), static_cast<char>(below(256)));
        break;
      case 7: {
        const std::string& other = pick(corpus_);
        size_t from = below(other.size() + 1);
        text->insert(at, other.substr(from, below(200)));
        break;
      }
      default:
        text->resize(at);
    }
  }

  std::vector<std::string> corpus_;
  std::vector<std::string_view> words_;
  std::mt19937_64 random_;
};

}  // namespace hearth
