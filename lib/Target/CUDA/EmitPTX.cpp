//===- EmitPTX.cpp - PTX text of kernels ----------------------------------===//

#include "amp/Target/EmitPTX.h"
#include "amp/Dialect/Amp/IR/Amp.h"
#include "amp/Target/Optimize.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace amp;

static constexpr const char *kTriple = "nvptx64-nvidia-cuda";

static constexpr const char *kPipeline =
    "cgscc(inline),globaldce,function(early-cse<memssa>,"
    "instcombine<no-verify-fixpoint>,simplifycfg,loop-mssa(licm),"
    "instcombine<no-verify-fixpoint>,early-cse<memssa>,simplifycfg)";

static LogicalResult emitModule(ModuleOp code, llvm::TargetMachine &machine,
                                std::string &text) {
  llvm::LLVMContext context;
  auto fail = [&](const llvm::Twine &what) {
    return code.emitError("kernel ")
           << code->getAttr("amp.kernel") << ": " << what;
  };
  auto module = translateModuleToLLVMIR(code, context, "kernel");
  if (!module)
    return fail("translation to LLVM IR failed");
  module->setTargetTriple(machine.getTargetTriple());
  module->setDataLayout(machine.createDataLayout());
  std::string error;
  llvm::raw_string_ostream stream(error);
  if (llvm::verifyModule(*module, &stream))
    return fail(error);
  optimizeModule(*module, machine, kPipeline);
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, out, nullptr,
                                  llvm::CodeGenFileType::AssemblyFile))
    return fail("the code generator cannot write PTX");
  passes.run(*module);
  text.append(bytes.begin(), bytes.end());
  return success();
}

static const llvm::Target *lookupTarget(std::string &error) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  return llvm::TargetRegistry::lookupTarget(llvm::Triple(kTriple), error);
}

llvm::Error amp::checkChip(StringRef chip) {
  std::string error;
  unsigned number = 0;
  bool wellFormed =
      chip.starts_with("sm_") &&
      !chip.drop_front(3).take_while(llvm::isDigit).getAsInteger(10, number) &&
      number >= 70;
  const llvm::Target *target = lookupTarget(error);
  if (target && wellFormed) {
    std::unique_ptr<llvm::MCSubtargetInfo> info(
        target->createMCSubtargetInfo(llvm::Triple(kTriple), "", ""));
    wellFormed = !info || info->isCPUStringValid(chip);
  }
  if (wellFormed)
    return llvm::Error::success();
  return llvm::createStringError("unknown chip '" + chip +
                                 "'; accepted are sm_70 and later, such as "
                                 "sm_80, sm_90 or sm_100");
}

FailureOr<std::string> amp::emitPTX(ModuleOp module, StringRef chip) {
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  registerNVVMDialectTranslation(*module.getContext());
  if (llvm::Error unknown = checkChip(chip))
    return module.emitError(llvm::toString(std::move(unknown)));
  llvm::Triple triple(kTriple);
  std::string error;
  const llvm::Target *target = lookupTarget(error);
  if (!target)
    return module.emitError("no code generator for PTX: ") << error;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, chip, /*Features=*/"", llvm::TargetOptions(), std::nullopt,
      std::nullopt, llvm::CodeGenOptLevel::Default));
  std::string text;
  bool any = false;
  for (ModuleOp code : module.getOps<ModuleOp>()) {
    auto kind = code->getAttrOfType<StringAttr>("amp.code");
    if (!kind || kind.getValue() != "cuda")
      continue;
    any = true;
    if (failed(emitModule(code, *machine, text)))
      return failure();
  }
  for (KernelOp kernel : module.getOps<KernelOp>())
    if (!any)
      return kernel.emitError("kernel @")
             << kernel.getSymName()
             << " has no code: the pipeline amp-cuda comes before PTX";
  return text;
}
