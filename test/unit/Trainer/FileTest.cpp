//===- FileTest.cpp - Reading whole files, writing safe ones --------------===//
//
// What happens when a file is missing, a folder, full, or not a file at all.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/File.h"
#include "Damage.h"
#include "TempFolder.h"
#include <sys/stat.h>
#include <unistd.h>

using namespace amp::runtime;
using namespace amp::test;
namespace fs = std::filesystem;

static size_t filesIn(const std::string &folder) {
  return size_t(std::distance(fs::directory_iterator(folder), {}));
}

TEST(MappedFile, ReadsAndRefuses) {
  TempFolder folder;
  writeFile(folder / "a", "hello");
  writeFile(folder / "empty", "");
  EXPECT_EQ(MappedFile::open(folder / "a")->bytes(), "hello");
  EXPECT_EQ(MappedFile::open(folder / "empty")->bytes(), "");
  std::string message = messageOf([&] { MappedFile::open(folder / "missing"); },
                                  ExitCode::BadInput);
  EXPECT_NE(message.find("missing"), std::string::npos);
  messageOf([&] { MappedFile::open(folder.path()); }, ExitCode::BadInput);
}

TEST(OutputFile, AppearsOnlyWhenComplete) {
  TempFolder folder;
  writeFile(folder / "a", "old");
  {
    OutputFile file(folder / "a");
    file.write("half");
  }
  EXPECT_EQ(readFile(folder / "a"), "old");
  EXPECT_EQ(filesIn(folder.path()), 1u);
  OutputFile file(folder / "a");
  file.write("new");
  EXPECT_EQ(file.size(), 3u);
  file.commit();
  EXPECT_EQ(readFile(folder / "a"), "new");
  EXPECT_EQ(filesIn(folder.path()), 1u);
}

TEST(OutputFile, FollowsALinkAndKeepsIt) {
  TempFolder folder;
  writeFile(folder / "real", "old");
  fs::create_symlink(folder / "real", folder / "link");
  OutputFile file(folder / "link");
  file.write("new");
  file.commit();
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(readFile(folder / "real"), "new");
}

TEST(OutputFile, FailsWithTheReason) {
  TempFolder folder;
  std::string message = messageOf(
      [] {
        OutputFile file("/dev/full");
        file.write(std::string(10, 'x'));
        file.commit();
      },
      ExitCode::IO);
  EXPECT_NE(message.find("No space left"), std::string::npos) << message;
  messageOf([&] { OutputFile file(folder.path()); }, ExitCode::IO);
  messageOf([&] { OutputFile file(folder / "no/such/folder"); }, ExitCode::IO);
  struct stat info;
  ASSERT_EQ(::stat("/dev/full", &info), 0);
  EXPECT_TRUE(S_ISCHR(info.st_mode)) << "the device must not be replaced";
}

TEST(Paths, FolderOf) {
  EXPECT_EQ(folderOf("a/b"), "a");
  EXPECT_EQ(folderOf("a"), ".");
  EXPECT_EQ(folderOf("/a"), "/");
}
