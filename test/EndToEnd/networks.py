"""Small networks of several kinds, for checks that must hold of any model and
not only of those that were looked at: how large the pieces are is chosen so
that what is negligible in a large network (scalars, launches that only cast,
biases) is not.
"""

import harness

HEAD = '<ir_version: 8, opset_import: ["" : 17]>\n'


def mlp(*sizes, act="Relu"):
    """Linear layers with an activation between each two."""
    weights, nodes, last = [], [], "x"
    for i, (a, b) in enumerate(zip(sizes, sizes[1:])):
        weights += [f"float[{b},{a}] w{i}", f"float[{b}] b{i}"]
        end = i == len(sizes) - 2
        name = "logits" if end else f"h{i}"
        nodes.append(f"{name} = Gemm<transB=1>({last}, w{i}, b{i})")
        last = name
        if not end:
            last = f"a{i}"
            nodes.append(f"{last} = {act}({name})")
    return (f"mlp (float[batch, {sizes[0]}] x) => "
            f"(float[batch, {sizes[-1]}] logits)\n<{', '.join(weights)}> {{\n"
            + "\n".join(nodes) + "\n}")


CONV = """
conv (float[batch, 3, 16, 16] x) => (float[batch, 10] logits)
<float[16,3,3,3] w1, float[16] b1, float[24,16,3,3] w2, float[24] b2,
 float[10,384] fc, float[10] fc_b> {
  c1 = Conv<pads=[1,1,1,1]>(x, w1, b1)
  r1 = Relu(c1)
  p1 = MaxPool<kernel_shape=[2,2], strides=[2,2]>(r1)
  c2 = Conv<pads=[1,1,1,1]>(p1, w2, b2)
  r2 = Relu(c2)
  p2 = AveragePool<kernel_shape=[2,2], strides=[2,2]>(r2)
  f = Flatten(p2)
  logits = Gemm<transB=1>(f, fc, fc_b)
}
"""

NORMED_CONV = """
normed_conv (float[batch, 3, 12, 12] x) => (float[batch, 6] logits)
<float[16,3,3,3] w1, float[16] s1, float[16] o1, float[16] bn1_running_mean,
 float[16] bn1_running_var, float[16,16,3,3] w2, float[16] s2, float[16] o2,
 float[16] bn2_running_mean, float[16] bn2_running_var, float[6,16] fc,
 float[6] fc_b> {
  c1 = Conv<pads=[1,1,1,1]>(x, w1)
  n1 = BatchNormalization(c1, s1, o1, bn1_running_mean, bn1_running_var)
  r1 = Relu(n1)
  c2 = Conv<pads=[1,1,1,1]>(r1, w2)
  n2 = BatchNormalization(c2, s2, o2, bn2_running_mean, bn2_running_var)
  a = Add(n2, r1)
  r2 = Relu(a)
  g = GlobalAveragePool(r2)
  f = Flatten(g)
  logits = Gemm<transB=1>(f, fc, fc_b)
}
"""

ATTENTION = """
attention (float[batch, 12, 32] x) => (float[batch, 4] logits)
<float[32] s1, float[32] o1, float[32,32] q_w, float[32,32] k_w,
 float[32,32] v_w, float[32] q_b, float[32] v_b, float[32,32] o_w, float[32] s2,
 float[32] o2, float[32,64] up, float[64] up_b, float[64,32] down, float[32,4] fc,
 int64[4] heads = {0, 12, 4, 8}, int64[3] merged = {0, 12, 32},
 float root = {0.35355338}> {
  n = LayerNormalization<axis=-1>(x, s1, o1)
  qm = MatMul(n, q_w)
  qb = Add(qm, q_b)
  q4 = Reshape(qb, heads)
  q = Transpose<perm=[0,2,1,3]>(q4)
  km = MatMul(n, k_w)
  k4 = Reshape(km, heads)
  k = Transpose<perm=[0,2,3,1]>(k4)
  vm = MatMul(n, v_w)
  vb = Add(vm, v_b)
  v4 = Reshape(vb, heads)
  v = Transpose<perm=[0,2,1,3]>(v4)
  s = MatMul(q, k)
  d = Mul(s, root)
  p = Softmax<axis=-1>(d)
  m = MatMul(p, v)
  mt = Transpose<perm=[0,2,1,3]>(m)
  mr = Reshape(mt, merged)
  o = MatMul(mr, o_w)
  h = Add(x, o)
  n2 = LayerNormalization<axis=-1>(h, s2, o2)
  u = MatMul(n2, up)
  ub = Add(u, up_b)
  t = Tanh(ub)
  w = MatMul(t, down)
  h2 = Add(h, w)
  g = ReduceMean<axes=[1], keepdims=0>(h2)
  logits = MatMul(g, fc)
}
"""

EMBEDDING = """
embedding (int64[batch, 10] x) => (float[batch, 10, 60] logits)
<float[60,24] table, float[10,24] places, float[24] scale, float[24] shift,
 float[24,48] up, float[48] up_b, float[48,24] down, float[24,60] head> {
  e = Gather(table, x)
  p = Add(e, places)
  n = LayerNormalization<axis=-1>(p, scale, shift)
  u = MatMul(n, up)
  ub = Add(u, up_b)
  r = Relu(ub)
  d = MatMul(r, down)
  s = Add(p, d)
  logits = MatMul(s, head)
}
"""

DROPOUT = """
dropout (float[batch, 40] x) => (float[batch, 7] logits)
<float[64,40] w1, float[64] b1, float[64,64] w2, float[64] b2, float[7,64] w3,
 float[7] b3, float ratio = {0.25}, bool on = {1}> {
  h1 = Gemm<transB=1>(x, w1, b1)
  r1 = Relu(h1)
  d1 = Dropout(r1, ratio, on)
  h2 = Gemm<transB=1>(d1, w2, b2)
  r2 = Sigmoid(h2)
  d2 = Dropout(r2, ratio, on)
  logits = Gemm<transB=1>(d2, w3, b3)
}
"""

# Views between products, where casts move: joined halves, slices, transposes.
VIEWS = """
views (float[batch, 24] x) => (float[batch, 6] logits)
<float[24,32] w1, float[32,32] w2, float[16,12] w3, float[24,6] w4,
 int64[1] zero = {0}, int64[1] half = {16}, int64[1] all = {32},
 int64[1] axis = {1}, int64[3] cube = {0, 4, 8}, int64[2] flat = {0, 32}> {
  a = MatMul(x, w1)
  e = Elu(a)
  c = Reshape(e, cube)
  t = Transpose<perm=[0,2,1]>(c)
  f = Reshape(t, flat)
  b = MatMul(f, w2)
  left = Slice(b, zero, half, axis)
  right = Slice(b, half, all, axis)
  gate = Sigmoid(right)
  lp = MatMul(left, w3)
  gp = MatMul(gate, w3)
  j = Concat<axis=1>(lp, gp)
  logits = MatMul(j, w4)
}
"""

# A table read by two ops of different classes and a sum of squares.
SHARED = """
shared (float[batch, 20] x) => (float[batch, 20] logits, float penalty)
<float[20,36] w, float[36] b, float tiny = {0.0001}> {
  h = MatMul(x, w)
  hb = Add(h, b)
  g = Tanh(hb)
  e = Exp(g)
  u = Transpose<perm=[1,0]>(w)
  y = MatMul(e, u)
  logits = Add(y, x)
  squares = Mul(g, g)
  mean = ReduceMean<keepdims=0>(squares)
  penalty = Mul(mean, tiny)
}
"""

# A result that is copied into another order, cast and read in float32.
TRANSPOSED = """
transposed (float[batch, 6, 7, 7] x) => (float[batch, 3, 15, 15] y)
<float[6,8,3,3] w1, float[8] b1, float[3,8,3,3] w2> {
  c = ConvTranspose<strides=[2,2]>(x, w1, b1)
  s = Selu(c)
  y = Conv<pads=[1,1,1,1]>(s, w2)
}
"""

# Pooled images in one row each, behind a batch norm.
POOLED = """
pooled (float[batch, 3, 10, 10] x) => (float[batch, 4] logits)
<float[8,3,3,3] w1, float[8] b1, float[8] s1, float[8] o1,
 float[8] bn_running_mean, float[8] bn_running_var, float[4,200] fc,
 float[4] fc_b, float zero = {0.0}, float six = {6.0}> {
  c = Conv<pads=[1,1,1,1]>(x, w1, b1)
  n = BatchNormalization(c, s1, o1, bn_running_mean, bn_running_var)
  r = Clip(n, zero, six)
  p = AveragePool<kernel_shape=[2,2], strides=[2,2]>(r)
  f = Flatten(p)
  logits = Gemm<transB=1>(f, fc, fc_b)
}
"""

# A norm whose result is transposed, and a node of several reductions of a row.
ROWS = """
rows (float[batch, 9, 20] x) => (float[batch, 20] y)
<float[20] s1, float[20] o1, float[9,18] w1, float[18] b1, float[18,30] w2> {
  n = LayerNormalization<axis=-1>(x, s1, o1)
  t = Transpose<perm=[0,2,1]>(n)
  h = MatMul(t, w1)
  hb = Add(h, b1)
  a = Sigmoid(hb)
  g = MatMul(a, w2)
  y = ReduceLogSumExp<axes=[-1], keepdims=0>(g)
}
"""

CLASSES = "softmax_cross_entropy"
ADAM, SGD = "adamw,lr=0.001", "sgd,lr=0.1,momentum=0.9"
# Name, model, batch, loss, optimizer.
NETWORKS = [
    ("mlp-4-8-2", mlp(4, 8, 2), 8, CLASSES, SGD),
    ("mlp-16-24-24-5", mlp(16, 24, 24, 5, act="Tanh"), 16, "mse", ADAM),
    ("mlp-64-128-10", mlp(64, 128, 10), 4, CLASSES, ADAM),
    ("mlp-200-300-300-10", mlp(200, 300, 300, 10, act="Sigmoid"), 64,
     "bce_with_logits", SGD),
    ("conv", CONV, 8, CLASSES, SGD),
    ("normed-conv", NORMED_CONV, 8, CLASSES, SGD),
    ("attention", ATTENTION, 6, CLASSES, ADAM),
    ("embedding", EMBEDDING, 8, CLASSES + ",class_axis=-1", ADAM),
    ("dropout", DROPOUT, 16, "l1", SGD),
    ("views", VIEWS, 16, CLASSES, ADAM),
    ("transposed", TRANSPOSED, 3, "l1", ADAM),
    ("pooled", POOLED, 4, CLASSES, SGD),
    ("rows", ROWS, 7, "mse", ADAM),
    ("shared", SHARED, 16, ["a:mse,output=logits", "b:graph_output,output=penalty"],
     SGD),
]


def write(folder):
    """Writes the models; name -> the words that compile each."""
    words = {}
    for name, text, batch, loss, optimizer in NETWORKS:
        path = f"{folder}/{name}.onnx"
        harness.model_from_text(path, HEAD + text)
        losses = [loss] if isinstance(loss, str) else loss
        words[name] = [path, "--batch", str(batch), "--optimizer", optimizer]
        for one in losses:
            words[name] += ["--loss", one]
    return words
