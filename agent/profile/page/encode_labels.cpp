#include "profile/page/encode_labels.h"

#include <map>
#include <tuple>

#include "profile/codec/bytes.h"
#include "profile/codec/utf8.h"

namespace hearth::profile {
namespace {

// A key has one number per name, type (text or number) and unit.
using Key = std::tuple<std::string, bool, std::string>;

Key key_of(const Label& label) {
  bool is_number = label.text.empty();
  return {label.key, is_number, is_number ? label.unit : ""};
}

template <typename Text>
void number(std::map<Text, uint32_t>* texts) {
  uint32_t next = 0;
  for (auto& entry : *texts) entry.second = next++;
}

}  // namespace

EncodedLabels encode_labels(const std::vector<LabelSet>& label_sets) {
  std::map<Key, uint32_t> keys;
  std::map<std::string, uint32_t> words;
  for (const LabelSet& set : label_sets) {
    for (const Label& label : set) {
      keys.try_emplace(key_of(label));
      if (!label.text.empty()) words.try_emplace(shown_text(label.text));
    }
  }
  number(&keys);
  number(&words);
  EncodedLabels encoded;
  encoded.keys = nlohmann::json::array();
  for (const auto& [key, place] : keys) {
    encoded.keys.push_back({{"key", std::get<0>(key)}});
    if (std::get<bool>(key)) encoded.keys.back()["unit"] = std::get<2>(key);
  }
  for (const auto& [word, place] : words) encoded.words.push_back(word);
  for (size_t set = 1; set < label_sets.size(); ++set) {
    put_varint(encoded.sets, label_sets[set].size());
    for (const Label& label : label_sets[set]) {
      put_varint(encoded.sets, keys[key_of(label)]);
      put_varint(encoded.sets, label.text.empty() ? zigzag(label.number) : words[shown_text(label.text)]);
    }
  }
  return encoded;
}

}  // namespace hearth::profile
