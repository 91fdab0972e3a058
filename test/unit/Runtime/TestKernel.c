/* TestKernel.c - A function as the compiler generates them.
 *
 * out[i] = in[i] + 1; the scratch memory is used, so that a missing one shows.
 * add_two is the same with 2 and without scratch memory; show_three has
 * three outputs, in[i] + 1, in[i] + 10 and in[i] + 20.
 */

void add_one(void **args, long begin, long end, void *scratch) {
  const float *in = (const float *)args[0];
  float *out = (float *)args[1];
  float *one = (float *)scratch;
  *one = 1.0f;
  for (long i = begin; i < end; ++i)
    out[i] = in[i] + *one;
}

void add_two(void **args, long begin, long end, void *scratch) {
  const float *in = (const float *)args[0];
  float *out = (float *)args[1];
  (void)scratch;
  for (long i = begin; i < end; ++i)
    out[i] = in[i] + 2.0f;
}

void show_three(void **args, long begin, long end, void *scratch) {
  const float *in = (const float *)args[0];
  (void)scratch;
  for (long i = begin; i < end; ++i) {
    ((float *)args[1])[i] = in[i] + 1.0f;
    ((float *)args[2])[i] = in[i] + 10.0f;
    ((float *)args[3])[i] = in[i] + 20.0f;
  }
}
