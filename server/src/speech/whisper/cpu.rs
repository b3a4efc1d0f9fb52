//! Whether this processor has what whisper.cpp is compiled for.

/// The instructions that are missing; none when there is nothing amiss.
///
/// whisper.cpp is built for these, whatever the building machine has. Where one is missing, as on processors before 2013, on some
/// small ones since, and on virtual machines that show an older one, it would end the process with an illegal instruction.
#[cfg(target_arch = "x86_64")]
pub(super) fn missing_instructions() -> Vec<&'static str> {
    let has = [
        ("AVX", is_x86_feature_detected!("avx")),
        ("AVX2", is_x86_feature_detected!("avx2")),
        ("BMI2", is_x86_feature_detected!("bmi2")),
        ("F16C", is_x86_feature_detected!("f16c")),
        ("FMA", is_x86_feature_detected!("fma")),
        ("SSE4.2", is_x86_feature_detected!("sse4.2")),
    ];
    has.into_iter().filter(|(_, has)| !has).map(|(name, _)| name).collect()
}

/// Other processors have what whisper.cpp takes for granted there.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn missing_instructions() -> Vec<&'static str> {
    Vec::new()
}
