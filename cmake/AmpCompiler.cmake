# Finds LLVM and MLIR and defines how a library of the compiler is made.

find_package(MLIR 22.1 REQUIRED CONFIG PATHS /usr/lib/llvm-22)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
# MLIRConfig fills the list of upstream dialects; linking it would drag a
# second, static copy of MLIR into programs that load the shared one.
set_property(GLOBAL PROPERTY MLIR_DIALECT_LIBS "")
set(LLVM_RUNTIME_OUTPUT_INTDIR ${CMAKE_BINARY_DIR}/bin)
set(LLVM_LIBRARY_OUTPUT_INTDIR ${CMAKE_BINARY_DIR}/lib)
set(MLIR_BINARY_DIR ${CMAKE_BINARY_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
# LLVM_DEFINITIONS is one string; add_definitions needs a list.
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND "${LLVM_DEFINITIONS}")
set(AMP_LLVM_TOOLS_DIR ${LLVM_TOOLS_BINARY_DIR})

add_library(AmpMLIR INTERFACE)
target_include_directories(AmpMLIR SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS}
                           ${MLIR_INCLUDE_DIRS})
# -O1: the compiler's own passes are a small part of a compile, and MLIR's
# templates take most of a build.
target_compile_options(AmpMLIR INTERFACE ${LLVM_DEFINITIONS_LIST}
                       $<$<CONFIG:Release>:-O1>)
target_link_libraries(AmpMLIR INTERFACE MLIR LLVM)

# One precompiled header for all compiler libraries; the dialect is in it, for
# its generated header is the largest of all.
if(AMP_PRECOMPILED_HEADERS)
  file(WRITE ${CMAKE_BINARY_DIR}/amp_pch.cpp "// carries the precompiled header\n")
  add_library(AmpPCH OBJECT ${CMAKE_BINARY_DIR}/amp_pch.cpp)
  target_link_libraries(AmpPCH PUBLIC AmpMLIR)
  add_dependencies(AmpPCH AmpIRIncGen)
  target_precompile_headers(AmpPCH PRIVATE
    <mlir/IR/Builders.h> <mlir/IR/BuiltinOps.h> <mlir/IR/BuiltinTypes.h>
    <mlir/IR/OpImplementation.h> <mlir/IR/PatternMatch.h>
    <mlir/IR/Matchers.h> <mlir/IR/IRMapping.h>
    <mlir/Pass/Pass.h> <mlir/Pass/PassManager.h>
    <mlir/Dialect/Func/IR/FuncOps.h>
    <mlir/Interfaces/SideEffectInterfaces.h>
    <mlir/Transforms/GreedyPatternRewriteDriver.h>
    <llvm/ADT/TypeSwitch.h> <llvm/ADT/DenseMap.h> <llvm/ADT/MapVector.h>
    <llvm/ADT/StringSwitch.h> <llvm/Support/FormatVariadic.h>
    <map> <string> <vector> <functional> <memory>
    <amp/Dialect/Amp/IR/Amp.h>)
endif()

# add_amp_library(<name> <sources>... [DEPENDS targets] [LINK libraries])
# A static library of the compiler half. DEPENDS names TableGen targets.
function(add_amp_library name)
  cmake_parse_arguments(arg "" "" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC AmpMLIR AmpABI ${arg_LINK})
  if(arg_DEPENDS)
    add_dependencies(${name} ${arg_DEPENDS})
  endif()
  if(AMP_PRECOMPILED_HEADERS)
    target_precompile_headers(${name} REUSE_FROM AmpPCH)
  endif()
endfunction()

# add_amp_tool(<name> <sources>... [LINK libraries])
function(add_amp_tool name)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE AmpMLIR ${arg_LINK})
endfunction()
