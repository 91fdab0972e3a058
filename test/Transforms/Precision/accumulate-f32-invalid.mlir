// RUN: amp-opt %s --amp-accumulate-f32=accumulation=half --verify-diagnostics

// expected-error @+1 {{unknown accumulation 'half', expected f32 or low}}
module {
}
