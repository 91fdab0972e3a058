#!/usr/bin/env bash
# From nothing to a network trained in mixed precision on real images: installs
# packages, builds, compiles examples/fashion_cnn.onnx and trains the result.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/scripts/build.sh"

usage() {
  cat <<'U'
usage: ./quickstart.sh [OPTION...]

Compiles a small convolutional network into a trainer, trains it on
Fashion-MNIST (60 000 images, 10 000 for the test) and prints the accuracy.
The first run installs packages and builds (up to 15 minutes on 2 cores);
later ones take less than one.

  --precision P   fp32, bf16 or fp16 (default bf16)
  --epochs N      passes over the training images (default 2)
  --seed N        order of the images (default 1)
  --output DIR    where the results go (default quickstart-out)
  --help          this text

examples
  ./quickstart.sh
  ./quickstart.sh --precision fp16 --seed 3
U
}

precision=bf16
epochs=2
seed=1
output=$AMP_ROOT/quickstart-out
while [ $# -gt 0 ]; do
  option=$1
  value=
  case $option in
  -h | --help)
    usage
    exit 0
    ;;
  --*=*)
    value=${option#*=}
    option=${option%%=*}
    shift
    ;;
  --precision | --epochs | --seed | --output)
    [ $# -gt 1 ] || { echo "error: $option needs a value" >&2; exit 2; }
    value=$2
    shift 2
    ;;
  *) ;;
  esac
  case $option in
  --precision) precision=$value ;;
  --epochs) epochs=$value ;;
  --seed) seed=$value ;;
  --output) output=$value ;;
  *)
    usage >&2
    echo "error: unknown option '$option'" >&2
    exit 2
    ;;
  esac
done
case $precision in
fp32 | bf16 | fp16) ;;
*)
  echo "error: unknown precision '$precision', expected fp32, bf16 or fp16" >&2
  exit 2
  ;;
esac
for number in "$epochs" "$seed"; do
  [[ $number =~ ^[0-9]+$ ]] || {
    echo "error: '$number' is not a number: --epochs and --seed take whole numbers" >&2
    exit 2
  }
done

amp_packages quickstart
amp_venv build
AMP_WITH_TESTS=OFF amp_build amp-compile amp-trainer
bin=$(build_dir release)/bin

images=/usr/share/datasets/fashion-mnist
mkdir -p "$output"
output=$(cd "$output" && pwd -P)
trainer=$output/train_fashion_cnn
rm -rf "$output/checkpoints" "$output/metrics.jsonl"

say "compiling examples/fashion_cnn.onnx, precision $precision"
"$bin/amp-compile" "$AMP_ROOT/examples/fashion_cnn.onnx" \
  --loss softmax_cross_entropy --optimizer adamw,lr=0.004 \
  --batch 128 --precision "$precision" -o "$trainer"

say "training on Fashion-MNIST"
"$trainer" \
  --data "input=$images/train-images-idx3-ubyte.gz" \
  --data "target=$images/train-labels-idx1-ubyte.gz" \
  --val "input=$images/t10k-images-idx3-ubyte.gz" \
  --val "target=$images/t10k-labels-idx1-ubyte.gz" \
  --epochs "$epochs" --shuffle --seed "$seed" --lr-schedule cosine \
  --metrics "$output/metrics.jsonl" \
  --checkpoint-dir "$output/checkpoints" --export "$output/trained.onnx"

accuracy=$(sed -n 's/.*"val_accuracy":\([0-9.eE+-]*\).*/\1/p' \
  "$output/metrics.jsonl" | tail -n 1)
[ -n "$accuracy" ] || die "no test accuracy in $output/metrics.jsonl"
# Seen from where the user stands, if that is shorter.
shown=${output#"$PWD"/}
echo
awk -v a="$accuracy" 'BEGIN { printf "test accuracy: %.2f %%\n", 100 * a }'
echo "trainer:       $shown/train_fashion_cnn (see --help)"
echo "log:           $shown/metrics.jsonl"
echo "checkpoints:   $shown/checkpoints"
echo "trained model: $shown/trained.onnx"
