//===- Routine.cpp - Calls of built-in routines for tests -----------------===//
//
// Attributes go through a flatbuffer, as they do in a package.
//
//===----------------------------------------------------------------------===//

#include "Routine.h"
#include "amp/Runtime/Error.h"

using namespace amp;
using namespace amp::kernels::reference;
using namespace amp::runtime;

static BoundTensor bind(Tensor &tensor, int variable) {
  BoundTensor bound;
  bound.dtype = tensor.view.dtype;
  bound.dims = tensor.dims();
  bound.strides.assign(tensor.view.strides,
                       tensor.view.strides + tensor.view.rank);
  bound.data = tensor.data();
  bound.bytes = tensor.bytes.size();
  bound.space =
      variable < 0 ? amp::abi::Space::arena : amp::abi::Space::variable;
  bound.index = variable;
  return bound;
}

Routine &Routine::input(Tensor &tensor, int variable) {
  inputs.push_back(bind(tensor, variable));
  return *this;
}
Routine &Routine::output(Tensor &tensor, int variable) {
  outputs.push_back(bind(tensor, variable));
  return *this;
}
Routine &Routine::ints(const std::string &name, std::vector<int64_t> values) {
  attributes.push_back({name, "", std::move(values), {}, false});
  return *this;
}
Routine &Routine::floats(const std::string &name, std::vector<double> values) {
  attributes.push_back({name, "", {}, std::move(values), false});
  return *this;
}
Routine &Routine::text(const std::string &name, const std::string &value) {
  attributes.push_back({name, value, {}, {}, true});
  return *this;
}

void Routine::run(TestContext &context) {
  flatbuffers::FlatBufferBuilder builder;
  std::vector<flatbuffers::Offset<amp::abi::Attr>> list;
  for (const Value &value : attributes) {
    auto name = builder.CreateString(value.name);
    auto ints = builder.CreateVector(value.ints);
    auto floats = builder.CreateVector(value.floats);
    flatbuffers::Offset<flatbuffers::String> text;
    if (value.isText)
      text = builder.CreateString(value.text);
    amp::abi::AttrBuilder attr(builder);
    attr.add_name(name);
    if (!value.ints.empty() || value.floats.empty())
      attr.add_ints(ints);
    if (!value.floats.empty())
      attr.add_floats(floats);
    if (value.isText)
      attr.add_text(text);
    list.push_back(attr.Finish());
  }
  builder.Finish(builder.CreateVector(list));
  auto *table =
      flatbuffers::GetRoot<Attributes::Table>(builder.GetBufferPointer());

  BuiltinTable routines;
  registerKernelBuiltins(routines);
  const BuiltinTable::Item *item = routines.find(symbol);
  ASSERT_NE(item, nullptr) << symbol;
  BuiltinCall call{symbol, "Node_7", inputs, static_cast<int>(outputs.size()),
                   Attributes(table, symbol + " at 'Node_7'")};
  call.operands.insert(call.operands.end(), outputs.begin(), outputs.end());
  std::unique_ptr<PreparedLaunch> launch = item->factory(context, call);
  launch->run();
}

void Routine::run(int threads) {
  TestContext context(threads);
  run(context);
}

std::string Routine::error() {
  try {
    run(1);
  } catch (const Error &failure) {
    EXPECT_TRUE(failure.code() == ExitCode::BadInput ||
                failure.code() == ExitCode::Unsupported);
    return failure.what();
  }
  return "";
}
