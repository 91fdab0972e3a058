//===- RequestFiles.cpp - Files that a compile names ----------------------===//
//
// Looked at before the work whose input or result they are.
//
//===----------------------------------------------------------------------===//

#include "RequestFiles.h"
#include "amp/ABI/Writable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace amp;

int amp::checkFiles(const CompileRequest &request, std::string &message) {
  constexpr int badInput = 3, io = 6;
  if (!request.ranges.empty())
    if (auto file = llvm::MemoryBuffer::getFile(request.ranges); !file) {
      message = "ranges " + request.ranges + ": " + file.getError().message();
      return badInput;
    }
  if (request.emit == EmitStage::Executable &&
      !llvm::sys::fs::exists(request.stub)) {
    message = "trainer program " + request.stub + ": no such file";
    return badInput;
  }
  auto refuse = [&](const std::string &path, const std::string &reason) {
    message = "cannot write '" + path + "': " + reason;
    return io;
  };
  const std::string &config = request.policy.dumpTo;
  if (std::string why = abi::whyNotWritable(config); !why.empty())
    return refuse(config, why);
  const std::string &folder = request.dumpPhasesTo;
  if (folder.empty())
    return 0;
  if (auto error = llvm::sys::fs::create_directories(folder))
    return refuse(folder, error.message());
  if (auto why = abi::whyNotWritable(folder + "/0-import.mlir"); !why.empty())
    return refuse(folder, why);
  return 0;
}
