//===- Sha256Test.cpp - SHA-256 against published vectors -----------------===//
//
// FIPS 180-4 examples, piecewise updates, and the two implementations against
// each other.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/Sha256.h"
#include <gtest/gtest.h>
#include <random>

using amp::runtime::Sha256;

static std::string digest(std::string_view text, bool portable) {
  Sha256 hash(portable);
  hash.update(text);
  return hash.hexDigest();
}

TEST(Sha256, PublishedVectors) {
  for (bool portable : {false, true}) {
    EXPECT_EQ(digest("", portable), "e3b0c44298fc1c149afbf4c8996fb92427ae41e464"
                                    "9b934ca495991b7852b855");
    EXPECT_EQ(digest("abc", portable), "ba7816bf8f01cfea414140de5dae2223b00361a"
                                       "396177a9cb410ff61f20015ad");
    EXPECT_EQ(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                     portable),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c"
              "1");
    EXPECT_EQ(digest(std::string(1000000, 'a'), portable),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd"
              "0");
  }
}

TEST(Sha256, EveryLengthAroundTheBlockInPieces) {
  std::mt19937_64 random(7);
  std::string text;
  for (int i = 0; i < 300; ++i)
    text += char(random());
  for (size_t length = 0; length <= text.size(); ++length) {
    std::string_view whole = std::string_view(text).substr(0, length);
    Sha256 pieces;
    for (size_t at = 0; at < length;) {
      size_t take = std::min<size_t>(length - at, 1 + random() % 70);
      pieces.update(whole.substr(at, take));
      at += take;
    }
    std::string expected = digest(whole, true);
    EXPECT_EQ(digest(whole, false), expected) << length;
    EXPECT_EQ(pieces.hexDigest(), expected) << length;
  }
}
