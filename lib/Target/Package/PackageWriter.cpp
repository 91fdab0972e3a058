//===- PackageWriter.cpp - Schedule and code to package bytes -------------===//

#include "ConstantPool.h"
#include "amp/ABI/Container.h"
#include "amp/ABI/DType.h"
#include "amp/Dialect/Amp/IR/Layout.h"
#include "amp/Dialect/Amp/IR/Probes.h"
#include "amp/Dialect/Amp/IR/Source.h"
#include "amp/Target/Package.h"

using namespace mlir;

namespace amp {
namespace {

std::optional<abi::DType> dtypeOf(Type element) {
  if (element.isF32())
    return abi::DType::f32;
  if (element.isF16())
    return abi::DType::f16;
  if (element.isBF16())
    return abi::DType::bf16;
  if (element.isF64())
    return abi::DType::f64;
  if (isa<Float8E4M3FNType>(element))
    return abi::DType::f8e4m3fn;
  if (isa<Float8E5M2Type>(element))
    return abi::DType::f8e5m2;
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer)
    return std::nullopt;
  switch (integer.getWidth()) {
  case 1:
    return abi::DType::i1;
  case 8:
    return integer.isUnsigned() ? abi::DType::u8 : abi::DType::i8;
  case 16:
    return abi::DType::i16;
  case 32:
    return abi::DType::i32;
  case 64:
    return abi::DType::i64;
  }
  return std::nullopt;
}

/// The number that fills a variable, if one does and a double holds it.
std::optional<double> fillValue(ElementsAttr init) {
  auto dense = dyn_cast<DenseElementsAttr>(init);
  if (!dense || !dense.isSplat())
    return std::nullopt;
  if (isa<FloatType>(dense.getElementType()))
    return dense.getSplatValue<APFloat>().convertToDouble();
  auto type = dyn_cast<IntegerType>(dense.getElementType());
  if (!type)
    return std::nullopt;
  auto bits = dense.getSplatValue<APInt>();
  bool positive = type.isUnsigned() || type.getWidth() == 1;
  constexpr unsigned kExactBits = 53;
  if ((positive ? bits.getActiveBits() : bits.getSignificantBits()) >
      kExactBits)
    return std::nullopt;
  return positive ? (double)bits.getZExtValue() : (double)bits.getSExtValue();
}

/// True for a constant of floats with a NaN or inf, such as a mask.
bool holdsNotFinite(ElementsAttr value) {
  auto dense = dyn_cast<DenseElementsAttr>(value);
  return dense && isa<FloatType>(dense.getElementType()) &&
         llvm::any_of(dense.getValues<APFloat>(),
                      [](const APFloat &x) { return !x.isFinite(); });
}

/// A package is one FlatBuffer, whose offsets have 31 bits; the rest is room
/// for launches and names.
constexpr size_t kMostBlobBytes = size_t(2047 - 64) << 20;

class Writer {
public:
  Writer(ModuleOp module, const PackageParts &parts)
      : module(module), symbols(module), parts(parts) {}

  FailureOr<std::vector<char>> run();

private:
  LogicalResult addVariable(VariableOp op);
  LogicalResult addEntry(EntryOp op);
  LogicalResult addLaunch(LaunchOp op, abi::EntryT &entry);
  LogicalResult addAttrs(LaunchOp op, abi::LaunchT &launch);
  LogicalResult addKernelInfo(KernelOp kernel);
  LogicalResult fillTensor(Operation *op, BufferAttr buffer,
                           abi::TensorT &tensor);

  ModuleOp module;
  /// Made once: each launch of a kernel looks its kernel up.
  SymbolTable symbols;
  const PackageParts &parts;
  ConstantPool pool;
  abi::PackageT package;
  llvm::StringMap<int> variables;
};

LogicalResult Writer::addVariable(VariableOp op) {
  auto variable = std::make_unique<abi::VariableT>();
  auto type = cast<RankedTensorType>(op.getType());
  auto dtype = dtypeOf(type.getElementType());
  if (!dtype)
    return op.emitOpError() << "has an element type that no package holds";
  variable->name = op.getSymName().str();
  variable->kind = stringifyVariableKind(op.getKind()).str();
  variable->dtype = *dtype;
  variable->dims.assign(type.getShape().begin(), type.getShape().end());
  variable->source = op.getSource().value_or("").str();
  variable->trained = op.getTrained();
  if (op.getShadowOf())
    variable->shadow_of = variables.lookup(*op.getShadowOf());
  if (auto init = op.getInitAttr()) {
    if (auto value = fillValue(init))
      variable->fill = *value;
    else if (auto offset = pool.add(init, type))
      variable->data_offset = *offset;
    else
      return op.emitOpError() << "has an initial value without bytes";
  }
  variables[op.getSymName()] = package.variables.size();
  package.variables.push_back(std::move(variable));
  return success();
}

LogicalResult Writer::fillTensor(Operation *op, BufferAttr buffer,
                                 abi::TensorT &tensor) {
  RankedTensorType type = buffer.getType();
  auto dtype = dtypeOf(type.getElementType());
  if (!dtype)
    return op->emitOpError()
           << "has a buffer of type " << type << ", which no package holds";
  tensor.dtype = *dtype;
  tensor.dims.assign(type.getShape().begin(), type.getShape().end());
  tensor.strides.assign(buffer.getStrides().begin(), buffer.getStrides().end());
  tensor.space = (abi::Space)buffer.getSpace();
  tensor.index = (int)buffer.getIndex();
  tensor.offset = buffer.getOffset();
  if (buffer.getSpace() == BufferSpace::Constant) {
    auto constants = module->getAttrOfType<ArrayAttr>("amp.constants");
    if (!constants || buffer.getIndex() < 0 ||
        buffer.getIndex() >= (int64_t)constants.size())
      return op->emitOpError() << "reads a constant the module does not have";
    auto value = cast<ElementsAttr>(constants[buffer.getIndex()]);
    auto offset = pool.add(value, cast<RankedTensorType>(value.getType()));
    if (!offset)
      return op->emitOpError() << "reads a constant without bytes";
    tensor.offset += *offset;
    tensor.index = -1;
  }
  return success();
}

LogicalResult Writer::addAttrs(LaunchOp op, abi::LaunchT &launch) {
  if (!op.getAttrs())
    return success();
  for (NamedAttribute item : *op.getAttrs()) {
    auto attr = std::make_unique<abi::AttrT>();
    attr->name = item.getName().str();
    Attribute value = item.getValue();
    if (auto integer = dyn_cast<IntegerAttr>(value))
      attr->ints.push_back(integer.getInt());
    else if (auto integers = dyn_cast<DenseI64ArrayAttr>(value))
      attr->ints.assign(integers.asArrayRef().begin(),
                        integers.asArrayRef().end());
    else if (auto number = dyn_cast<FloatAttr>(value))
      attr->floats.push_back(number.getValueAsDouble());
    else if (auto text = dyn_cast<StringAttr>(value))
      attr->text = text.str();
    else
      return op.emitOpError() << "has attribute '" << item.getName().getValue()
                              << "' of a kind that no package holds";
    launch.attrs.push_back(std::move(attr));
  }
  return success();
}

LogicalResult Writer::addLaunch(LaunchOp op, abi::EntryT &entry) {
  auto launch = std::make_unique<abi::LaunchT>();
  launch->kind = (abi::LaunchKind)op.getKind();
  launch->symbol = op.getSymbol().str();
  launch->outputs = (int)op.getOutputs();
  launch->node = nodeNames(op.getLoc());
  launch->phase = stringifyPhase(op.getPhase()).str();
  for (Attribute buffer : op.getBuffers()) {
    auto tensor = std::make_unique<abi::TensorT>();
    if (failed(fillTensor(op, cast<BufferAttr>(buffer), *tensor)))
      return failure();
    launch->operands.push_back(std::move(tensor));
  }
  if (failed(addAttrs(op, *launch)))
    return failure();
  if (auto sources = op->getAttrOfType<DenseI64ArrayAttr>(kSourcesAttr))
    launch->sources.assign(sources.asArrayRef().begin(),
                           sources.asArrayRef().end());
  if (op.getKind() == LaunchKind::Kernel) {
    auto kernel = symbols.lookup<KernelOp>(op.getSymbol());
    if (!kernel || !kernel.getUnits())
      return op.emitOpError()
             << "launches '" << op.getSymbol() << "', which was not compiled";
    launch->units = *kernel.getUnits();
    launch->unit_bytes = kernel.getUnitBytes().value_or(0);
    launch->scratch_bytes = kernel.getScratchBytes().value_or(0);
  }
  entry.launches.push_back(std::move(launch));
  return success();
}

LogicalResult Writer::addKernelInfo(KernelOp kernel) {
  auto info = std::make_unique<abi::KernelInfoT>();
  info->symbol = kernel.getSymName().str();
  Block &body = kernel.getBody().front();
  DenseMap<Value, int> numbers;
  for (BlockArgument argument : body.getArguments())
    numbers[argument] = argument.getArgNumber();
  for (Operation &op : body.without_terminator()) {
    auto made = std::make_unique<abi::KernelOpT>();
    made->name = op.getName().stripDialect().str();
    if (auto constant = dyn_cast<ConstantOp>(op))
      made->not_finite = holdsNotFinite(constant.getValue());
    for (Value operand : op.getOperands())
      made->operands.push_back(numbers.lookup(operand));
    numbers[op.getResult(0)] = (int)(body.getNumArguments() + info->ops.size());
    info->ops.push_back(std::move(made));
  }
  auto opOf = [&](Value value) {
    int number = numbers.lookup(value) - (int)body.getNumArguments();
    return number < 0 ? nullptr : info->ops[number].get();
  };
  for (auto [i, value] : llvm::enumerate(body.getTerminator()->getOperands()))
    if (abi::KernelOpT *op = opOf(value); op && op->output < 0)
      op->output = (int)i;
  auto probe = symbols.lookup<KernelOp>(probeName(kernel));
  auto probed = kernel->getAttrOfType<DenseI64ArrayAttr>(kProbedAttr);
  if (probe && probed) {
    if (!probe.getUnits())
      return probe.emitOpError() << "was not compiled";
    info->probe = probe.getSymName().str();
    info->units = *probe.getUnits();
    info->unit_bytes = probe.getUnitBytes().value_or(0);
    info->scratch_bytes = probe.getScratchBytes().value_or(0);
    Operation *shown = probe.getBody().front().getTerminator();
    for (auto [i, number] : llvm::enumerate(probed.asArrayRef())) {
      auto type = tensorType(shown->getOperand(i));
      info->ops[number]->probe = (int)i;
      info->ops[number]->dtype = *dtypeOf(type.getElementType());
      info->ops[number]->dims.assign(type.getShape().begin(),
                                     type.getShape().end());
    }
  }
  package.kernels.push_back(std::move(info));
  return success();
}

LogicalResult Writer::addEntry(EntryOp op) {
  auto entry = std::make_unique<abi::EntryT>();
  entry->name = op.getSymName().str();
  entry->arena_bytes = op.getArena();
  entry->arena_bound = op.getArenaBound();
  auto describe = [&](ArrayAttr list, auto &into) -> LogicalResult {
    using Item =
        typename std::decay_t<decltype(into)>::value_type::element_type;
    for (Attribute attr : list) {
      auto dict = cast<DictionaryAttr>(attr);
      auto type =
          cast<RankedTensorType>(dict.getAs<TypeAttr>("type").getValue());
      auto dtype = dtypeOf(type.getElementType());
      if (!dtype)
        return op.emitOpError() << "has an argument or result of type " << type
                                << ", which no package holds";
      auto item = std::make_unique<Item>();
      item->name = dict.getAs<StringAttr>("name").str();
      item->role = dict.getAs<StringAttr>("role").str();
      item->dtype = *dtype;
      item->dims.assign(type.getShape().begin(), type.getShape().end());
      into.push_back(std::move(item));
    }
    return success();
  };
  if (failed(describe(op.getEntryArguments(), entry->arguments)) ||
      failed(describe(op.getEntryResults(), entry->results)))
    return failure();
  for (auto launch : op.getBody().getOps<LaunchOp>())
    if (failed(addLaunch(launch, *entry)))
      return failure();
  package.entries.push_back(std::move(entry));
  return success();
}

FailureOr<std::vector<char>> Writer::run() {
  package.producer = "amp 0.1.0";
  package.target = parts.target;
  package.cpu = parts.cpu;
  package.features = parts.features;
  for (auto variable : module.getOps<VariableOp>())
    if (failed(addVariable(variable)))
      return failure();
  for (auto entry : module.getOps<EntryOp>())
    if (failed(addEntry(entry)))
      return failure();
  if (auto sources = module->getAttrOfType<ArrayAttr>(kSourcesAttr)) {
    for (auto source : sources.getAsRange<StringAttr>())
      package.sources.push_back(source.str());
    for (auto kernel : module.getOps<KernelOp>())
      if (!kernel.getSymName().ends_with(".probe") &&
          failed(addKernelInfo(kernel)))
        return failure();
    llvm::sort(package.kernels, [](const auto &a, const auto &b) {
      return a->symbol < b->symbol;
    });
  }
  size_t blobs = pool.bytes().size() + parts.code.size() + parts.model.size();
  if (blobs > kMostBlobBytes)
    return module.emitError()
           << "the model, its initial values and its code have " << blobs
           << " bytes, more than the " << kMostBlobBytes
           << " that a package can hold";
  package.constants.assign(pool.bytes().begin(), pool.bytes().end());
  package.code.assign(parts.code.begin(), parts.code.end());
  package.model.assign(parts.model.begin(), parts.model.end());
  for (auto &[key, value] : parts.meta) {
    auto meta = std::make_unique<abi::MetaT>();
    meta->key = key;
    meta->value = value;
    package.meta.push_back(std::move(meta));
  }
  flatbuffers::FlatBufferBuilder builder(1 << 20);
  abi::FinishPackageBuffer(builder, abi::Package::Pack(builder, &package));
  const char *data = (const char *)builder.GetBufferPointer();
  return std::vector<char>(data, data + builder.GetSize());
}

} // namespace

FailureOr<std::vector<char>> writePackage(ModuleOp module,
                                          const PackageParts &parts) {
  return Writer(module, parts).run();
}

std::vector<char> joinExecutable(StringRef stub, ArrayRef<char> package) {
  std::vector<char> file(stub.begin(), stub.end());
  if (!file.empty())
    file.resize((file.size() + abi::kPackageAlignment - 1) /
                abi::kPackageAlignment * abi::kPackageAlignment);
  file.insert(file.end(), package.begin(), package.end());
  auto trailer = abi::trailerOf(package.data(), package.size());
  file.insert(file.end(), trailer.begin(), trailer.end());
  return file;
}

} // namespace amp
