//===- KernelCompiler.cpp - One kernel to one object ----------------------===//

#include "KernelCompiler.h"
#include "amp/Target/Optimize.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace amp;

// Enough for explicit vectors.
static constexpr const char *kPipeline =
    "cgscc(inline),globaldce,function(early-cse<memssa>,"
    "instcombine<no-verify-fixpoint>,simplifycfg,loop-mssa(licm),"
    "loop(loop-rotate,indvars),loop-unroll<O2;no-runtime>,"
    "instcombine<no-verify-fixpoint>,early-cse<memssa>,simplifycfg)";

KernelCompiler::KernelCompiler(const CpuTarget &target,
                               const CompileOptions &options)
    : target(target), options(options) {
  llvm::Triple triple("x86_64-pc-linux-gnu");
  const llvm::Target *found =
      llvm::TargetRegistry::lookupTarget(triple, machineError);
  if (!found)
    return;
  machine.reset(found->createTargetMachine(
      triple, target.cpu, target.features, llvm::TargetOptions(),
      llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Default));
}

void KernelCompiler::addAttributes(llvm::Module &module) {
  module.setTargetTriple(machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", target.cpu);
    if (!target.features.empty())
      function.addFnAttr("target-features", target.features);
    // 16 float32 stay one register where the processor has it.
    function.addFnAttr("prefer-vector-width", "512");
    function.addFnAttr("min-legal-vector-width", "512");
    function.addFnAttr("no-trapping-math", "true");
    function.addFnAttr("frame-pointer", "none");
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
}

/// Names that an object asks others for, besides the two of the C library
/// that code generation may use to clear and copy memory.
static std::string foreignSymbols(llvm::ArrayRef<char> object) {
  llvm::MemoryBufferRef buffer(llvm::StringRef(object.data(), object.size()),
                               "kernel");
  auto file = llvm::object::ObjectFile::createObjectFile(buffer);
  if (!file)
    return llvm::toString(file.takeError());
  std::string names;
  for (const llvm::object::SymbolRef &symbol : (*file)->symbols()) {
    auto flags = symbol.getFlags();
    if (!flags) {
      names += llvm::toString(flags.takeError());
      continue;
    }
    if (!(*flags & llvm::object::SymbolRef::SF_Undefined))
      continue;
    auto name = symbol.getName();
    if (!name)
      names += llvm::toString(name.takeError());
    else if (!name->empty() && *name != "memset" && *name != "memcpy")
      names += (names.empty() ? "" : ", ") + name->str();
  }
  return names;
}

KernelObject KernelCompiler::compile(llvm::Module &module) {
  KernelObject result;
  if (!machine) {
    result.error = "no code generator for x86-64: " + machineError;
    return result;
  }
  addAttributes(module);
  llvm::raw_string_ostream verifier(result.error);
  if (llvm::verifyModule(module, &verifier))
    return result;
  optimizeModule(module, *machine, kPipeline);
  if (options.keepLLVMText) {
    llvm::raw_string_ostream text(result.llvmText);
    module.print(text, nullptr);
  }
  auto emit = [&](llvm::Module &input, llvm::CodeGenFileType type,
                  llvm::SmallVectorImpl<char> &bytes) {
    llvm::raw_svector_ostream out(bytes);
    llvm::legacy::PassManager passes;
    passes.add(new llvm::TargetLibraryInfoWrapperPass(
        llvm::TargetLibraryInfoImpl(machine->getTargetTriple())));
    if (machine->addPassesToEmitFile(passes, out, nullptr, type)) {
      result.error = "the code generator cannot write objects";
      return false;
    }
    passes.run(input);
    return true;
  };
  if (options.keepAssembly) {
    // Code generation changes the module, so the text is made from a copy.
    llvm::SmallVector<char, 0> text;
    auto copy = llvm::CloneModule(module);
    if (!emit(*copy, llvm::CodeGenFileType::AssemblyFile, text))
      return result;
    result.assembly.assign(text.begin(), text.end());
  }
  llvm::SmallVector<char, 0> bytes;
  if (!emit(module, llvm::CodeGenFileType::ObjectFile, bytes))
    return result;
  result.object.assign(bytes.begin(), bytes.end());
  std::string foreign = foreignSymbols(result.object);
  if (!foreign.empty())
    result.error = "the code needs outside functions: " + foreign;
  return result;
}
