//===- main.cpp - The program a compiled model starts as ------------------===//
//
// amp-compile appends a package to this program; what it does is in the
// trainer library.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Parallel.h"
#include "amp/Runtime/Trainer/Program.h"

int main(int argc, char **argv) {
  amp::runtime::ensureThreadEnvironment(argc, argv);
  return amp::runtime::runTrainer(argc, argv);
}
