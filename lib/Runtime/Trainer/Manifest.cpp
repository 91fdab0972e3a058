//===- Manifest.cpp - What makes a folder of weights a checkpoint ---------===//
//
// The digest of the manifest is its last value and covers every byte in front
// of it; what follows it is fixed. So each byte of the file is checked.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/Manifest.h"
#include "amp/Runtime/Error.h"
#include "amp/Runtime/Trainer/Sha256.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace amp::runtime;
using nlohmann::ordered_json;

static constexpr std::string_view kDigestKey = "\n  \"digest\": \"";
static constexpr std::string_view kEnd = "\"\n}\n";
static constexpr size_t kDigits = 64;
static constexpr int kVersion = 1;

std::string Manifest::render() const {
  ordered_json root;
  root["format"] = "amp-checkpoint";
  root["version"] = kVersion;
  root["package"] = package;
  root["code"] = code;
  root["step"] = step;
  root["epoch"] = epoch;
  root["eval_pending"] = evalPending;
  root["fixed_options"] = fixed;
  root["free_options"] = free;
  root["weights_header"] = headerDigest;
  root["tensors"] = tensors;
  std::string text = root.dump(2);
  // Reopen the object for the last member.
  text.resize(text.size() - 2);
  text += ",";
  text += kDigestKey;
  return text + sha256(text) + std::string(kEnd);
}

/// Reads one member or fails with its name.
template <typename T>
static void read(const ordered_json &root, const char *key, T &value,
                 const std::string &what) {
  try {
    root.at(key).get_to(value);
  } catch (const nlohmann::json::exception &) {
    throw Error(ExitCode::BadInput,
                fmt::format("{}: the manifest has no usable '{}'", what, key));
  }
}

Manifest Manifest::parse(std::string_view file, const std::string &what) {
  auto fail = [&](const std::string &reason) {
    throw Error(ExitCode::BadInput, fmt::format("{}: {}", what, reason));
  };
  size_t tail = kDigestKey.size() + kDigits + kEnd.size();
  if (file.size() < tail || file.substr(file.size() - kEnd.size()) != kEnd)
    fail("the manifest is cut off");
  std::string_view signedPart =
      file.substr(0, file.size() - kEnd.size() - kDigits);
  if (sha256(signedPart) != file.substr(signedPart.size(), kDigits))
    fail("the manifest does not have its digest");
  ordered_json root =
      ordered_json::parse(file.begin(), file.end(), nullptr, false);
  if (!root.is_object())
    fail("the manifest is no JSON object");
  Manifest manifest;
  int version = 0;
  std::string format;
  read(root, "format", format, what);
  read(root, "version", version, what);
  if (format != "amp-checkpoint" || version != kVersion)
    fail(fmt::format("version {} of '{}' is not supported, version {} is",
                     version, format, kVersion));
  read(root, "package", manifest.package, what);
  read(root, "code", manifest.code, what);
  read(root, "step", manifest.step, what);
  read(root, "epoch", manifest.epoch, what);
  read(root, "eval_pending", manifest.evalPending, what);
  read(root, "fixed_options", manifest.fixed, what);
  read(root, "free_options", manifest.free, what);
  read(root, "weights_header", manifest.headerDigest, what);
  read(root, "tensors", manifest.tensors, what);
  if (manifest.step < 0)
    fail("the manifest has a negative step");
  return manifest;
}
