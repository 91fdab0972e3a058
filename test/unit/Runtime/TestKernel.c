/* TestKernel.c - A function as the compiler generates them.
 *
 * out[i] = in[i] + 1; the scratch memory is used, so that a missing one shows.
 * add_two is the same with 2 and without scratch memory.
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
