// RUN: split-file %s %t
// RUN: not amp-opt %t/model.mlir --amp-attach-ranges="file=%t/absent.json" 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: absent.json: No such file or directory
// RUN: not amp-opt %t/model.mlir --amp-attach-ranges="file=%t/broken.json" 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: broken.json: no JSON:
// The parser recurses: it must not see what would overflow the stack. Brackets
// in texts are none.
// RUN: %python -c "print('[' * 300000)" > %t/deep.json
// RUN: not amp-opt %t/model.mlir --amp-attach-ranges="file=%t/deep.json" 2>&1 | FileCheck %s --check-prefix=DEEP
// DEEP: deep.json: the text is nested too deeply
// RUN: not amp-opt %t/model.mlir --amp-attach-ranges="file=%t/brackets.json" 2>&1 | FileCheck %s --check-prefix=BRACKETS
// BRACKETS: brackets.json: holds no ranges
// RUN: not amp-opt %t/model.mlir --amp-attach-ranges="file=%t/list.json" 2>&1 | FileCheck %s --check-prefix=LIST
// LIST: list.json: expected an object with an object 'values'
// RUN: not amp-opt %t/model.mlir --amp-attach-ranges="file=%t/format.json" 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: format.json: format "ranges", expected "amp-ranges"
// RUN: not amp-opt %t/model.mlir --amp-attach-ranges="file=%t/format-type.json" 2>&1 | FileCheck %s --check-prefix=FORMAT-TYPE
// FORMAT-TYPE: format-type.json: format -1, expected "amp-ranges"
// RUN: not amp-opt %t/model.mlir --amp-attach-ranges="file=%t/version-type.json" 2>&1 | FileCheck %s --check-prefix=VERSION-TYPE
// VERSION-TYPE: version-type.json: version "one", this program reads version 1
// RUN: not amp-opt %t/model.mlir --amp-attach-ranges="file=%t/steps.json" 2>&1 | FileCheck %s --check-prefix=STEPS
// STEPS: steps.json: expected a count 'steps'
// RUN: not amp-opt %t/model.mlir --amp-attach-ranges="file=%t/largest.json" 2>&1 | FileCheck %s --check-prefix=LARGEST
// LARGEST: largest.json: 'r|relu|forward|0|0': expected a number 'max_abs'
// RUN: not amp-opt %t/model.mlir --amp-attach-ranges="file=%t/lost.json" 2>&1 | FileCheck %s --check-prefix=LOST
// LOST: lost.json: 'r|relu|forward|0|0': expected a count 'zero_in_f16'
// RUN: not amp-opt %t/model.mlir --amp-attach-ranges="file=%t/version.json" 2>&1 | FileCheck %s --check-prefix=VERSION
// VERSION: version.json: version 2, this program reads version 1
// RUN: not amp-opt %t/model.mlir --amp-attach-ranges="file=%t/empty.json" 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: empty.json: holds no ranges
// RUN: not amp-opt %t/model.mlir --amp-attach-ranges="file=%t/key.json" 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: key.json: 'r|relu|sideways|0|0': expected a key <node>|<op>|<phase>|<ordinal>|<result>
// RUN: not amp-opt %t/model.mlir --amp-attach-ranges="file=%t/type.json" 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: type.json: 'r|relu|forward|0|0': expected a finite number 'min'
// RUN: not amp-opt %t/model.mlir --amp-attach-ranges="file=%t/order.json" 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: order.json: 'r|relu|forward|0|0': min is above max
// RUN: not amp-opt %t/model.mlir --amp-attach-ranges="file=%t/count.json" 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: count.json: 'r|relu|forward|0|0': expected a count 'zeros'
// RUN: not amp-opt %t/model.mlir --amp-attach-ranges="file=%t/share.json" 2>&1 | FileCheck %s --check-prefix=SHARE
// SHARE: share.json: 'r|relu|forward|0|0': expected a share 'lost_f16' from 0 to 1
// RUN: not amp-opt %t/model.mlir --amp-attach-ranges="file=%t/exponent.json" 2>&1 | FileCheck %s --check-prefix=EXPONENT
// EXPONENT: exponent.json: 'r|relu|forward|0|0': expected exponents with counts, got 'one'
// RUN: not amp-opt %t/model.mlir --amp-attach-ranges="file=%t/other.json" 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: other.json: no key names a value of this model; the first is 'q|tanh|forward|0|0'
// Every model calls its loss the same.
// RUN: not amp-opt %t/loss.mlir --amp-attach-ranges="file=%t/loss.json" 2>&1 | FileCheck %s --check-prefix=LOSS
// LOSS: loss.json: no key names a value of this model; the first is 'q|tanh|forward|0|0'

//--- model.mlir
func.func @forward(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = amp.relu %x : (tensor<8xf32>) -> tensor<8xf32> loc("r")
  return %0 : tensor<8xf32>
}
//--- broken.json
{"values": {
//--- brackets.json
{"model": "\\\"[[[[[[[[[[[[[[[[[[[[{{{{{{{{{{{{{{{{{{{{{{{{{{", "values": {}}
//--- list.json
[1]
//--- format.json
{"format": "ranges", "values": {}}
//--- format-type.json
{"format": -1, "values": {}}
//--- version-type.json
{"version": "one", "values": {}}
//--- steps.json
{"steps": -1, "values": {}}
//--- largest.json
{"values": {"r|relu|forward|0|0": {"min": 0, "max": 1, "zeros": 0, "nonfinite": 0, "count": 1, "lost_f16": 0, "lost_bf16": 0, "max_abs": "x"}}}
//--- lost.json
{"values": {"r|relu|forward|0|0": {"min": 0, "max": 1, "zeros": 0, "nonfinite": 0, "count": 1, "lost_f16": 0, "lost_bf16": 0, "zero_in_f16": -1}}}
//--- version.json
{"format": "amp-ranges", "version": 2, "values": {}}
//--- empty.json
{"values": {}}
//--- key.json
{"values": {"r|relu|sideways|0|0": {}}}
//--- type.json
{"values": {"r|relu|forward|0|0": {"min": "x"}}}
//--- order.json
{"values": {"r|relu|forward|0|0": {"min": 2, "max": 1}}}
//--- count.json
{"values": {"r|relu|forward|0|0": {"min": 0, "max": 1, "zeros": -1}}}
//--- share.json
{"values": {"r|relu|forward|0|0": {"min": 0, "max": 1, "zeros": 0, "nonfinite": 0, "count": 1, "lost_f16": 2}}}
//--- exponent.json
{"values": {"r|relu|forward|0|0": {"min": 0, "max": 1, "zeros": 0, "nonfinite": 0, "count": 1, "lost_f16": 0, "lost_bf16": 0, "exponents": {"one": 1}}}}
//--- other.json
{"values": {"q|tanh|forward|0|0": {"min": 0, "max": 1, "zeros": 0, "nonfinite": 0, "count": 1, "lost_f16": 0, "lost_bf16": 0, "exponents": {}}}}
//--- loss.json
{"values": {"relu|relu|forward|0|0": {"min": 0, "max": 1, "zeros": 0, "nonfinite": 0, "count": 1, "lost_f16": 0, "lost_bf16": 0, "exponents": {}},
            "q|tanh|forward|0|0": {"min": 0, "max": 1, "zeros": 0, "nonfinite": 0, "count": 1, "lost_f16": 0, "lost_bf16": 0, "exponents": {}}}}
//--- loss.mlir
func.func @loss(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = amp.mul %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("r")
  %1 = amp.relu %0 : (tensor<8xf32>) -> tensor<8xf32> loc("relu")
  return %1 : tensor<8xf32>
}
