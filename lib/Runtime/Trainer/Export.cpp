//===- Export.cpp - The trained model as an ONNX file ---------------------===//
//
// Collects the variables that came from initializers and writes them into the
// source model the package carries.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Error.h"
#include "amp/Runtime/Trainer/OnnxWeights.h"
#include "amp/Runtime/Trainer/Runner.h"

using namespace amp;
using namespace amp::runtime;

std::vector<std::string> amp::runtime::exportModel(Session &session,
                                                   const std::string &path) {
  const abi::Package &package = session.package().get();
  if (!package.model() || package.model()->size() == 0)
    throw Error(ExitCode::Unsupported,
                "the package does not carry the model it was compiled from");
  // Opened first: a bad path is told before the weights are collected.
  OutputFile file(path);
  std::vector<std::vector<char>> values;
  std::map<std::string, NewWeight> weights;
  if (package.variables()) {
    values.reserve(package.variables()->size());
    for (unsigned i = 0; i < package.variables()->size(); ++i) {
      const abi::Variable *variable = package.variables()->Get(i);
      if (!variable->source() || variable->source()->size() == 0)
        continue;
      values.push_back(session.readVariable(int(i)));
      weights[variable->source()->str()] = {
          variable->dtype(), {values.back().data(), values.back().size()}};
    }
  }
  RewrittenModel model =
      replaceWeights({reinterpret_cast<const char *>(package.model()->data()),
                      package.model()->size()},
                     weights);
  file.write(model.bytes);
  file.commit();
  return model.externalFiles;
}
