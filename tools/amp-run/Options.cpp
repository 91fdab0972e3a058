//===- Options.cpp - Command line of amp-run ------------------------------===//

#include "Options.h"
#include "Compare.h"
#include <cmath>

namespace amp {

RunFlags::RunFlags(CLI::App &app) : app(app) {
  compile.addTo(app);
  reports.addTo(app, compile.request.report);
  app.get_option("model")->required(false)->description(
      "ONNX file, package, or program made by amp-compile");
  const char *group = "Run";
  app.add_option("--inputs", run.inputs,
                 ".npz file with one array for each input and target, by its\n"
                 "ONNX name")
      ->group(group);
  app.add_option("--map", maps, "KEY=NAME: array KEY of the file feeds NAME")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("-o,--output", run.output,
                 ".npz file for the results; without it, and without\n"
                 "--compare, a table is printed")
      ->group(group);
  app.add_flag("--gradients", run.gradients,
               "Store grad/INITIALIZER of every trained parameter, unscaled")
      ->group(group);
  app.add_option("--entry", run.entry,
                 "Entry point to run; default: gradients with --loss or\n"
                 "--gradients, else predict")
      ->group(group);
  app.add_option("--dropout", dropout,
                 "off: dropout passes everything; matters in training form")
      ->check(CLI::IsMember({"on", "off"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--seed", run.seed, "Seed of dropout")
      ->capture_default_str()
      ->group(group);
  app.add_option("--device", run.device, "Device: cpu")
      ->capture_default_str()
      ->group(group);
  app.add_option("--threads", run.threads, "Threads; 0: all cores")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str()
      ->group(group);
  const char *checks = "Checks";
  app.add_option("--compare", run.reference,
                 ".npz file to compare the results with, key by key")
      ->group(checks);
  app.add_option("--rtol", rtol,
                 "An element is right if |a - b| <= atol + rtol * |b|;\n"
                 "default by precision: " +
                     toleranceHelp())
      ->check(CLI::NonNegativeNumber)
      ->group(checks);
  app.add_option("--atol", atol, "See --rtol")
      ->check(CLI::NonNegativeNumber)
      ->group(checks);
  app.add_option("--tolerance", both, "Both --rtol and --atol")
      ->check(CLI::NonNegativeNumber)
      ->excludes(app.get_option("--rtol"), app.get_option("--atol"))
      ->group(checks);
  app.add_option("--compare-precision", run.comparePrecision,
                 "Run in fp32 and in this precision and print for every value\n"
                 "of the graph its ranges and the distance of the two")
      ->check(CLI::IsMember({"bf16", "fp16", "tf32"}))
      ->group(checks);
  app.add_flag("--detect-anomaly", run.detectAnomaly,
               "Look at every value; if one is NaN or inf, name the op that\n"
               "made the first out of finite ones (exit code 7)")
      ->group(checks);
  app.add_option("--vectors", run.vectors,
                 "ONNX backend test folders: model.onnx and\n"
                 "test_data_set_N/{input,output}_K.pb; rtol 1e-3, atol 1e-7")
      ->expected(1, -1)
      ->group(checks);
}

void RunFlags::finish() {
  compile.finish();
  run.dropout = dropout == "on";
  for (const std::string &text : maps) {
    size_t at = text.find('=');
    if (at == std::string::npos || at == 0 || at + 1 == text.size())
      throw CLI::ValidationError("--map", "'" + text + "' is not KEY=NAME");
    if (!run.renames.emplace(text.substr(0, at), text.substr(at + 1)).second)
      throw CLI::ValidationError("--map", "key '" + text.substr(0, at) +
                                              "' is mapped twice");
  }
  auto given = [&](const char *name) { return app.get_option(name)->count(); };
  if (given("--rtol"))
    run.rtol = rtol;
  if (given("--atol"))
    run.atol = atol;
  if (given("--tolerance"))
    run.rtol = run.atol = both;
  if (!run.vectors.empty()) {
    for (const char *name :
         {"model", "--inputs", "--map", "-o", "--gradients", "--entry",
          "--compare", "--loss", "--compare-precision", "--detect-anomaly",
          "--remarks", "--explain", "--report-json"})
      if (given(name))
        throw CLI::ValidationError("--vectors",
                                   std::string("excludes ") + name);
    return;
  }
  if (!given("model"))
    throw CLI::ValidationError(
        "model", "an ONNX file, a package or --vectors DIR... is needed");
  if (!run.comparePrecision.empty())
    for (const char *name :
         {"--precision", "-o", "--compare", "--detect-anomaly", "--remarks",
          "--explain", "--report-json"})
      if (given(name))
        throw CLI::ValidationError("--compare-precision",
                                   std::string("excludes ") + name);
  if (run.reference.empty() && (run.rtol || run.atol))
    throw CLI::ValidationError(given("--tolerance") ? "--tolerance"
                               : run.rtol           ? "--rtol"
                                                    : "--atol",
                               "needs --compare or --vectors");
  if (run.gradients && !run.entry.empty() && run.entry != "gradients")
    throw CLI::ValidationError("--gradients", "excludes --entry " + run.entry);
}

std::string RunFlags::givenCompileOption() const {
  for (const CLI::Option *option : app.get_options()) {
    const std::string &group = option->get_group();
    if (option->count() &&
        (group == "Shapes" || group == "Training" || group == "Precision" ||
         group == "Target" || group == "Reports"))
      return option->get_name();
  }
  return "";
}

} // namespace amp
