//===- LevelNative.cpp - Tests with all instructions of the machine
//--------===//
//
// No flags: the library is not capped.
//
//===----------------------------------------------------------------------===//

#include "PackageBuilder.h"

std::vector<std::string> amp::test::testFeatures() { return {}; }
