//===- CPUContext.cpp - Services of the CPU device
//-------------------------===//
//
// Memory, and the book of all copies that are derived from parameters.
//
//===----------------------------------------------------------------------===//

#include "CPUContext.h"
#include "LayoutCopies.h"
#include "amp/Runtime/Error.h"
#include "kernels/Convert.h"
#include <algorithm>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace amp::runtime {

PageAllocation::PageAllocation(size_t bytes) {
  size = bytes;
  // Untouched pages cost nothing, so the system itself would not refuse what
  // can never be filled.
  static const size_t physical = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) *
                                 static_cast<size_t>(sysconf(_SC_PAGESIZE));
  if (bytes > physical)
    throw Error(ExitCode::Diverged,
                fmt::format("not enough memory: {} bytes are needed, the "
                            "machine has {}",
                            bytes, physical));
  void *pages =
      mmap(nullptr, std::max<size_t>(bytes, 1), PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED)
    throw Error(ExitCode::Diverged,
                fmt::format("not enough memory: {} bytes are needed", bytes));
  // Page faults and address translation cost a tenth of a step otherwise.
  if (bytes >= (size_t(4) << 20))
    madvise(pages, bytes, MADV_HUGEPAGE);
  base = static_cast<char *>(pages);
}

PageAllocation::~PageAllocation() { munmap(base, std::max<size_t>(size, 1)); }

void GrowingWorkspace::reserve(size_t bytes) {
  if (bytes <= this->bytes())
    return;
  block.reset();
  block = std::make_unique<PageAllocation>(bytes);
}

CPUContext::CPUContext(int threads, const Package &package)
    : pool(threads), dnn(package) {}

void CPUContext::bindVariables(std::vector<VariableBinding> bindings) {
  variables = std::move(bindings);
  plainRead.assign(variables.size(), false);
}

const VariableBinding *CPUContext::variable(int number) const {
  if (number < 0 || number >= static_cast<int>(variables.size()))
    return nullptr;
  return &variables[number];
}

int CPUContext::masterOf(int number) const {
  const VariableBinding *own = variable(number);
  if (!own || own->writtenElsewhere)
    return -1;
  int master = own->shadowOf >= 0 ? own->shadowOf : number;
  const VariableBinding &original = variables[master];
  if (original.writtenElsewhere ||
      !kernels::isConvertible(original.tensor.dtype))
    return -1;
  return master;
}

DerivedCopies &CPUContext::copiesOf(int master) {
  std::unique_ptr<DerivedCopies> &copies = derived[master];
  if (!copies) {
    const BoundTensor &tensor = variables[master].tensor;
    copies = std::make_unique<DerivedCopies>(tensor.data, tensor.elements());
  }
  return *copies;
}

const DerivedCopies &CPUContext::derivedFrom(int number) {
  const VariableBinding *binding = variable(number);
  if (!binding || !kernels::isConvertible(binding->tensor.dtype))
    throw Error(ExitCode::BadInput,
                fmt::format("damaged package: copies of variable {}, which is "
                            "no variable of f32, bf16 or f16",
                            number));
  return copiesOf(number);
}

void CPUContext::readsPlain(int number) {
  const VariableBinding *own = variable(number);
  if (!own || own->shadowOf < 0 || plainRead[number])
    return;
  plainRead[number] = true;
  int master = own->shadowOf;
  abi::DType dtype = own->tensor.dtype;
  copiesOf(master).add(
      std::make_shared<PlainCopy>(own->tensor.data, dtype, dtype,
                                  variables[master].tensor.dtype),
      static_cast<int64_t>(abi::sizeOf(dtype)));
  withNew.insert(master);
}

void CPUContext::changesInCalls(int number) {
  if (variable(number))
    changed.insert(number);
}

const LayoutCopy *CPUContext::layoutCopy(int number,
                                         const PackedLayout &layout) {
  int master = masterOf(number);
  if (master < 0 || layout.dims.empty())
    return nullptr;
  int64_t elements = 1;
  for (int64_t dim : layout.dims)
    elements *= dim;
  // Offsets inside a block are 32-bit.
  if (elements != variables[number].tensor.elements() || elements == 0 ||
      elements >= (int64_t(1) << 31))
    return nullptr;
  for (const Known &item : known)
    if (item.variable == number && item.layout == layout)
      return item.copy.get();
  abi::DType through = variables[number].tensor.dtype;
  abi::DType from = variables[master].tensor.dtype;
  int64_t bytes =
      layout.paddedElements() * static_cast<int64_t>(abi::sizeOf(layout.dtype));
  storage.push_back(std::make_unique<PageAllocation>(bytes));
  copyBytes += bytes;
  std::shared_ptr<LayoutCopy> copy;
  bool isPlain = layout.innerBlocks.empty() &&
                 layout.outerStrides == contiguousStrides(layout.dims);
  if (isPlain)
    copy = std::make_shared<PlainCopy>(storage.back()->data(), layout.dtype,
                                       through, from);
  else
    copy = std::make_shared<BlockedCopy>(storage.back()->data(), layout,
                                         through, from);
  copiesOf(master).add(copy, static_cast<int64_t>(abi::sizeOf(layout.dtype)));
  withNew.insert(master);
  known.push_back({number, layout, copy});
  return copy.get();
}

void CPUContext::write(const DerivedCopies &copies) const {
  pool.forRange(
      copies.units(), copies.unitElements() * (4 + copies.bytesPerElement()),
      [&](int64_t begin, int64_t end, int) { copies.write(begin, end); });
}

void CPUContext::refresh(int variable) {
  for (const auto &[master, copies] : derived)
    if (variable < 0 || variable == master)
      write(*copies);
}

void CPUContext::refreshNew() {
  for (int master : withNew)
    write(copiesOf(master));
  withNew.clear();
}

} // namespace amp::runtime
