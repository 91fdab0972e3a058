//===- LevelAVX2.cpp - Tests as on a machine with AVX2
//---------------------===//
//
// The flags of --cpu x86-64-v3.
//
//===----------------------------------------------------------------------===//

#include "PackageBuilder.h"

std::vector<std::string> amp::test::testFeatures() {
  return {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma"};
}
