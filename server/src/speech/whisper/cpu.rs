//! Checks whether this processor supports the instructions that whisper.cpp is compiled for.

/// Returns the missing instructions; empty if all are supported.
///
/// whisper.cpp is built for these instructions, whatever the build machine supports. If one is missing, the process would
/// end with an illegal instruction. That affects processors before 2013, some later low-power ones, and virtual machines
/// with an older CPU model.
#[cfg(target_arch = "x86_64")]
pub(super) fn missing_instructions() -> Vec<&'static str> {
    let required = [
        ("AVX", is_x86_feature_detected!("avx")),
        ("AVX2", is_x86_feature_detected!("avx2")),
        ("BMI2", is_x86_feature_detected!("bmi2")),
        ("F16C", is_x86_feature_detected!("f16c")),
        ("FMA", is_x86_feature_detected!("fma")),
        ("SSE4.2", is_x86_feature_detected!("sse4.2")),
    ];
    required.into_iter().filter(|(_, is_supported)| !is_supported).map(|(name, _)| name).collect()
}

/// whisper.cpp requires no special instructions on other processors.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn missing_instructions() -> Vec<&'static str> {
    Vec::new()
}
