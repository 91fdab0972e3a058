//===- Output.cpp - Files written whole or not at all ---------------------===//

#include "Output.h"
#include "amp/ABI/Writable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace amp {

std::string checkOutput(const std::string &path) {
  std::string reason = path == "-" ? "" : abi::whyNotWritable(path);
  return reason.empty() ? "" : "cannot write '" + path + "': " + reason;
}

std::string writeOutput(const std::string &path, llvm::StringRef data,
                        bool executable) {
  auto writeTo = [&](llvm::raw_fd_ostream &stream) -> std::string {
    stream << data;
    stream.flush();
    if (!stream.has_error())
      return "";
    std::string message = path + ": " + stream.error().message();
    stream.clear_error();
    return message;
  };
  if (path == "-")
    return writeTo(llvm::outs());
  llvm::sys::fs::file_status status;
  if (!llvm::sys::fs::status(path, status) && llvm::sys::fs::exists(status) &&
      !llvm::sys::fs::is_regular_file(status)) {
    // A device or pipe is written to; a rename would replace it.
    std::error_code error;
    llvm::raw_fd_ostream stream(path, error, llvm::sys::fs::CD_OpenExisting);
    return error ? path + ": " + error.message() : writeTo(stream);
  }
  auto temporary = llvm::sys::fs::TempFile::create(path + ".%%%%%%.tmp");
  if (!temporary)
    return path + ": " + llvm::toString(temporary.takeError());
  llvm::raw_fd_ostream stream(temporary->FD, /*shouldClose=*/false);
  if (std::string message = writeTo(stream); !message.empty()) {
    llvm::consumeError(temporary->discard());
    return message;
  }
  using llvm::sys::fs::perms;
  auto mode = perms::all_read | perms::owner_write;
  if (executable)
    mode = mode | perms::all_exe;
  llvm::sys::fs::setPermissions(temporary->FD, mode);
  if (auto error = temporary->keep(path))
    return path + ": " + llvm::toString(std::move(error));
  return "";
}

} // namespace amp
