//===- RequestFiles.h - Files that a compile names --------------*- C++ -*-===//

#ifndef AMP_LIB_DRIVER_REQUESTFILES_H
#define AMP_LIB_DRIVER_REQUESTFILES_H

#include "amp/Driver/Compile.h"

namespace amp {

/// An exit code, with a message, if a file beside the model cannot be read (3)
/// or one beside the output cannot be written (6); else 0. Makes the folder of
/// the dumps.
int checkFiles(const CompileRequest &request, std::string &message);

} // namespace amp

#endif // AMP_LIB_DRIVER_REQUESTFILES_H
