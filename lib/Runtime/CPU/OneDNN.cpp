//===- OneDNN.cpp - The library for contractions
//---------------------------===//
//
// Everything that speaks to the library about types, layouts and calls.
//
//===----------------------------------------------------------------------===//

#include "OneDNN.h"
#include "amp/Runtime/Error.h"
#include "amp/Runtime/Session.h"
#include <cstdlib>
#include <fmt/format.h>
#include <set>

namespace amp::runtime {

static dnnl::cpu_isa wantedInstructions(const Package &package) {
  std::set<std::string> features;
  if (package.get().features())
    for (const flatbuffers::String *name : *package.get().features())
      features.insert(name->str());
  if (features.empty())
    return dnnl::cpu_isa::all;
  if (features.count("amx_bf16"))
    return dnnl::cpu_isa::avx512_core_amx;
  if (features.count("avx512_bf16"))
    return dnnl::cpu_isa::avx512_core_bf16;
  if (features.count("avx512_vnni"))
    return dnnl::cpu_isa::avx512_core_vnni;
  if (features.count("avx512bw"))
    return dnnl::cpu_isa::avx512_core;
  return dnnl::cpu_isa::avx2;
}

OneDNN::OneDNN(const Package &package) {
  // The user's own cap stands. A failure means that the library was used
  // before in this process; it then keeps what it had.
  if (!std::getenv("ONEDNN_MAX_CPU_ISA") && !std::getenv("DNNL_MAX_CPU_ISA"))
    dnnl_set_max_cpu_isa(
        static_cast<dnnl_cpu_isa_t>(wantedInstructions(package)));
  dnnl::cpu_isa effective = dnnl::get_effective_cpu_isa();
  bf16 = effective == dnnl::cpu_isa::avx512_core_bf16 ||
         effective == dnnl::cpu_isa::avx512_core_amx;
  engine = dnnl::engine(dnnl::engine::kind::cpu, 0);
  stream = dnnl::stream(engine);
}

std::optional<dnnl::memory::data_type> libraryType(abi::DType type) {
  if (type == abi::DType::f32)
    return dnnl::memory::data_type::f32;
  if (type == abi::DType::bf16)
    return dnnl::memory::data_type::bf16;
  return std::nullopt;
}

dnnl::memory::desc describe(const BoundTensor &tensor, abi::DType dtype) {
  return dnnl::memory::desc(tensor.dims, *libraryType(dtype), tensor.strides);
}

std::optional<PackedLayout> layoutOf(const dnnl::memory::desc &desc) {
  const dnnl_memory_desc_t &data = desc.data;
  if (data.format_kind != dnnl_blocked || data.extra.flags != 0 ||
      data.offset0 != 0)
    return std::nullopt;
  PackedLayout layout;
  if (data.data_type == dnnl_f32)
    layout.dtype = abi::DType::f32;
  else if (data.data_type == dnnl_bf16)
    layout.dtype = abi::DType::bf16;
  else
    return std::nullopt;
  layout.dims.assign(data.dims, data.dims + data.ndims);
  layout.paddedDims.assign(data.padded_dims, data.padded_dims + data.ndims);
  const dnnl_blocking_desc_t &blocking = data.format_desc.blocking;
  layout.outerStrides.assign(blocking.strides, blocking.strides + data.ndims);
  layout.innerBlocks.assign(blocking.inner_blks,
                            blocking.inner_blks + blocking.inner_nblks);
  layout.innerDims.assign(blocking.inner_idxs,
                          blocking.inner_idxs + blocking.inner_nblks);
  return layout;
}

dnnl::primitive_attr userScratchpad() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

void LibraryCall::bind(const OneDNN &library, int argument,
                       const dnnl::memory::desc &desc, Place place) {
  // An empty scratchpad is an empty descriptor: nothing to pass.
  if (desc.get_size() == 0)
    return;
  arguments.push_back(
      {dnnl::memory(desc, library.engine, nullptr), place, nullptr});
  table.push_back({argument, arguments.back().memory.get()});
}

void LibraryCall::run(const OneDNN &library, char *workspace,
                      const std::vector<int64_t> *shifts) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    Argument &argument = arguments[i];
    char *address = argument.place.at(workspace);
    if (shifts)
      address += (*shifts)[i];
    if (address != argument.current) {
      argument.memory.set_data_handle(address);
      argument.current = address;
    }
  }
  dnnl_status_t status =
      dnnl_primitive_execute(primitive.get(), library.stream.get(),
                             static_cast<int>(table.size()), table.data());
  if (status != dnnl_success)
    throw Error(ExitCode::Diverged,
                fmt::format("internal error: a library call failed with "
                            "status {}",
                            static_cast<int>(status)));
}

} // namespace amp::runtime
