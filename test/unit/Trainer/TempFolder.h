//===- TempFolder.h - A folder that lives as long as a test -----*- C++ -*-===//
//
// Made under the system's temporary folder, removed with everything in it.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TEST_UNIT_TRAINER_TEMPFOLDER_H
#define AMP_TEST_UNIT_TRAINER_TEMPFOLDER_H

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace amp::test {

/// A fresh folder.
class TempFolder {
public:
  TempFolder() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "amp-test-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  TempFolder(const TempFolder &) = delete;
  TempFolder &operator=(const TempFolder &) = delete;

  /// A path inside.
  std::string operator/(const std::string &name) const {
    return folder + "/" + name;
  }
  const std::string &path() const { return folder; }

private:
  std::string folder;
};

inline std::string readFile(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

inline void writeFile(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

} // namespace amp::test

#endif // AMP_TEST_UNIT_TRAINER_TEMPFOLDER_H
