//===- Program.h - The trainer as a function --------------------*- C++ -*-===//
//
// Everything main() does, so that a test can call it.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_TRAINER_PROGRAM_H
#define AMP_RUNTIME_TRAINER_PROGRAM_H

namespace amp::runtime {

/// Opens the package that rides on this executable (or the one --package
/// names), does what the command line asks and returns the exit code. Errors
/// are one line on the standard error.
int runTrainer(int argc, const char *const *argv);

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_PROGRAM_H
