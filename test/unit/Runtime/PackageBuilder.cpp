//===- PackageBuilder.cpp - Small packages for tests
//-----------------------===//
//
// Uses the object interface of flatbuffers.
//
//===----------------------------------------------------------------------===//

#include "PackageBuilder.h"
#include "amp/ABI/Container.h"
#include "kernels/Convert.h"
#include <algorithm>
#include <cmath>
#include <cstring>

namespace amp::test {

Dims denseStrides(const Dims &dims) {
  Dims strides(dims.size());
  int64_t stride = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= std::max<int64_t>(1, dims[i]);
  }
  return strides;
}

Dims lastStrides(const Dims &dims) {
  Dims strides(dims.size());
  strides[1] = 1;
  int64_t stride = std::max<int64_t>(1, dims[1]);
  for (size_t i = dims.size(); i-- > 2;) {
    strides[i] = stride;
    stride *= std::max<int64_t>(1, dims[i]);
  }
  strides[0] = stride;
  return strides;
}

int64_t product(const Dims &dims) {
  int64_t result = 1;
  for (int64_t dim : dims)
    result *= dim;
  return result;
}

PackageBuilder::PackageBuilder() {
  package.producer = "test";
  package.target = "cpu";
  package.cpu = "test";
  package.features = testFeatures();
  entry.name = "predict";
}

static abi::TensorT operand(abi::Space space, int index, DType dtype,
                            const Dims &dims) {
  abi::TensorT tensor;
  tensor.dtype = dtype;
  tensor.dims = dims;
  tensor.space = space;
  tensor.index = index;
  return tensor;
}

abi::TensorT PackageBuilder::argument(const std::string &name, DType dtype,
                                      const Dims &dims) {
  auto port = std::make_unique<abi::ArgumentT>();
  port->name = name;
  port->role = "input";
  port->dtype = dtype;
  port->dims = dims;
  entry.arguments.push_back(std::move(port));
  return operand(abi::Space::argument, entry.arguments.size() - 1, dtype, dims);
}

abi::TensorT PackageBuilder::result(const std::string &name, DType dtype,
                                    const Dims &dims) {
  auto port = std::make_unique<abi::ResultT>();
  port->name = name;
  port->role = "output";
  port->dtype = dtype;
  port->dims = dims;
  entry.results.push_back(std::move(port));
  return operand(abi::Space::result, entry.results.size() - 1, dtype, dims);
}

abi::TensorT PackageBuilder::variable(const std::string &name,
                                      const std::string &kind, DType dtype,
                                      const Dims &dims, int shadowOf) {
  auto variable = std::make_unique<abi::VariableT>();
  variable->name = name;
  variable->kind = kind;
  variable->dtype = dtype;
  variable->dims = dims;
  variable->shadow_of = shadowOf;
  package.variables.push_back(std::move(variable));
  return operand(abi::Space::variable, package.variables.size() - 1, dtype,
                 dims);
}

void PackageBuilder::initialize(const std::vector<float> &values) {
  abi::VariableT &variable = *package.variables.back();
  size_t offset = (package.constants.size() + 63) / 64 * 64;
  std::vector<char> bytes = store(variable.dtype, values);
  package.constants.resize(offset + bytes.size());
  std::memcpy(package.constants.data() + offset, bytes.data(), bytes.size());
  variable.data_offset = offset;
}

PackageBuilder &PackageBuilder::builtin(const std::string &symbol) {
  auto launch = std::make_unique<abi::LaunchT>();
  launch->kind = abi::LaunchKind::builtin;
  launch->symbol = symbol;
  launch->node = symbol + "_node";
  entry.launches.push_back(std::move(launch));
  return *this;
}

PackageBuilder &PackageBuilder::in(const abi::TensorT &tensor) {
  abi::LaunchT &launch = *entry.launches.back();
  launch.operands.push_back(std::make_unique<abi::TensorT>(tensor));
  return *this;
}

PackageBuilder &PackageBuilder::out(const abi::TensorT &tensor) {
  in(tensor);
  ++entry.launches.back()->outputs;
  return *this;
}

abi::AttrT &PackageBuilder::attribute(const std::string &name) {
  abi::LaunchT &launch = *entry.launches.back();
  launch.attrs.push_back(std::make_unique<abi::AttrT>());
  launch.attrs.back()->name = name;
  return *launch.attrs.back();
}

PackageBuilder &PackageBuilder::ints(const std::string &name,
                                     const Dims &values) {
  attribute(name).ints = values;
  return *this;
}

PackageBuilder &PackageBuilder::floats(const std::string &name, double value) {
  attribute(name).floats = {value};
  return *this;
}

PackageBuilder &PackageBuilder::text(const std::string &name,
                                     const std::string &value) {
  attribute(name).text = value;
  return *this;
}

std::vector<char> PackageBuilder::finish() const {
  // The object interface owns its parts, so the entry is written from a copy
  // of the tree that the unpacked form makes.
  flatbuffers::FlatBufferBuilder one;
  one.Finish(abi::Entry::Pack(one, &entry));
  abi::PackageT whole;
  {
    flatbuffers::FlatBufferBuilder builder;
    builder.Finish(abi::Package::Pack(builder, &package));
    flatbuffers::GetRoot<abi::Package>(builder.GetBufferPointer())
        ->UnPackTo(&whole);
  }
  whole.entries.emplace_back(
      flatbuffers::GetRoot<abi::Entry>(one.GetBufferPointer())->UnPack());
  flatbuffers::FlatBufferBuilder builder;
  abi::FinishPackageBuffer(builder, abi::Package::Pack(builder, &whole));
  const char *data = reinterpret_cast<const char *>(builder.GetBufferPointer());
  std::vector<char> bytes(data, data + builder.GetSize());
  auto trailer = abi::trailerOf(bytes.data(), bytes.size());
  bytes.insert(bytes.end(), trailer.begin(), trailer.end());
  return bytes;
}

std::shared_ptr<const runtime::Package> PackageBuilder::open() const {
  return runtime::Package::fromBytes(finish());
}

std::vector<char> store(DType dtype, const std::vector<float> &values) {
  std::vector<char> bytes(values.size() * abi::sizeOf(dtype));
  kernels::convert(dtype, bytes.data(), DType::f32, values.data(),
                   values.size());
  return bytes;
}

std::vector<float> load(DType dtype, const char *bytes, int64_t count) {
  std::vector<float> values(count);
  kernels::convert(DType::f32, values.data(), dtype, bytes, count);
  return values;
}

std::vector<float> randomValues(std::mt19937 &random, DType dtype,
                                int64_t count) {
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float &value : values)
    value = normal(random);
  return load(dtype, store(dtype, values).data(), count);
}

double roundingOf(DType dtype) {
  return dtype == DType::f32    ? std::ldexp(1, -24)
         : dtype == DType::bf16 ? std::ldexp(1, -8)
                                : std::ldexp(1, -11);
}

double tinyOf(DType dtype) {
  return dtype == DType::f16 ? std::ldexp(1, -25) : 1e-38;
}

} // namespace amp::test
