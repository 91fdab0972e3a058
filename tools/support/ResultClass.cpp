//===- ResultClass.cpp - Which op makes a result --------------------------===//

#include "ResultClass.h"
#include "amp/Runtime/Observer.h"

namespace amp {

/// The op of the graph behind output `output` of a launch; empty if unknown.
static runtime::SourceName sourceOf(const abi::Package &package,
                                    const abi::Launch &launch, int output) {
  int op = output;
  if (launch.kind() == abi::LaunchKind::kernel && package.kernels())
    if (const abi::KernelInfo *info =
            package.kernels()->LookupByKey(launch.symbol()->c_str());
        info && info->ops())
      for (unsigned i = 0; i < info->ops()->size(); ++i)
        if (info->ops()->Get(i)->output() == output)
          op = int(i);
  auto at = flatbuffers::uoffset_t(2 * op);
  if (!launch.sources() || launch.sources()->size() <= at ||
      launch.sources()->Get(at) < 0)
    return {};
  return runtime::SourceName::parse(
      package.sources()->Get(launch.sources()->Get(at))->str());
}

OpClass classOfResult(const abi::Package &package, const abi::Entry &entry,
                      unsigned index) {
  std::string role;
  if (const auto *text = entry.results()->Get(index)->role())
    role = text->str();
  if (role == "gradient")
    return OpClass::Gradient;
  if (role == "loss" || role == "named_loss")
    return OpClass::Reduction;
  if (!entry.launches())
    return OpClass::Elementwise;
  for (const abi::Launch *launch : *entry.launches()) {
    int count = launch->operands() ? int(launch->operands()->size()) : 0;
    int first = count - launch->outputs();
    for (int i = first; i < count; ++i) {
      const abi::Tensor &tensor =
          *launch->operands()->Get(flatbuffers::uoffset_t(i));
      if (tensor.space() != abi::Space::result ||
          unsigned(tensor.index()) != index)
        continue;
      runtime::SourceName source = sourceOf(package, *launch, i - first);
      return classOf(source.op, source.phase);
    }
  }
  return OpClass::Elementwise;
}

} // namespace amp
