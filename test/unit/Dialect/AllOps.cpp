//===- AllOps.cpp - The ops of the dialect, to be walked ------------------===//

#include "AllOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include <filesystem>
#include <gtest/gtest.h>

using namespace mlir;
using namespace amp;

std::vector<test::OpClass> test::allOps() {
  return describeOps<
#define GET_OP_LIST
#include "amp/Dialect/Amp/IR/AmpOps.cpp.inc"
      >();
}

bool test::isStructure(StringRef name) {
  for (StringRef structure :
       {VariableOp::getOperationName(), RegionOp::getOperationName(),
        YieldOp::getOperationName(), KernelOp::getOperationName(),
        EntryOp::getOperationName(), LaunchOp::getOperationName(),
        GradientOp::getOperationName()})
    if (name == structure)
      return true;
  return false;
}

test::OpInstances::OpInstances(const DialectRegistry &registry)
    : owner(std::make_unique<MLIRContext>(registry,
                                          MLIRContext::Threading::DISABLED)) {
  owner->loadDialect<AmpDialect, func::FuncDialect>();
  std::filesystem::path folder(AMP_SOURCE_DIR);
  for (const auto &file :
       std::filesystem::directory_iterator(folder / "test" / "Dialect")) {
    if (file.path().filename().string().find("-parse-print") ==
        std::string::npos)
      continue;
    auto module = parseSourceFile<ModuleOp>(file.path().string(), owner.get());
    EXPECT_TRUE(module) << file.path();
    if (!module)
      continue;
    module->walk([&](Operation *op) {
      instances[op->getName().getStringRef()].push_back(op);
    });
    modules.push_back(std::move(module));
  }
}

ArrayRef<Operation *> test::OpInstances::of(StringRef name) const {
  auto found = instances.find(name);
  return found == instances.end() ? ArrayRef<Operation *>()
                                  : ArrayRef<Operation *>(found->second);
}
