//! Finds the best place to split speech: the quietest one.

use super::voice::FRAME_SAMPLES;

/// Number of frames that must be quiet: 0.19 s.
const QUIET_FRAMES: usize = 12;

/// Returns the quietest place in samples from the beginning; the middle if the sound is shorter than 0.19 s. If several
/// places are equally quiet, returns the last one.
pub fn find_quietest(sound: &[f32]) -> usize {
    let energies: Vec<f32> =
        sound.chunks_exact(FRAME_SAMPLES).map(|frame| frame.iter().map(|sample| sample * sample).sum()).collect();
    let loudness = energies.windows(QUIET_FRAMES).map(|around| around.iter().sum::<f32>());
    let quietest = loudness.enumerate().min_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
    quietest.map_or(sound.len() / 2, |(frame, _)| (frame + QUIET_FRAMES / 2) * FRAME_SAMPLES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_pause() {
        let mut sound = vec![0.5; 100 * FRAME_SAMPLES];
        assert_eq!(find_quietest(&sound), (88 + 6) * FRAME_SAMPLES);
        sound[40 * FRAME_SAMPLES..60 * FRAME_SAMPLES].fill(0.1);
        assert_eq!(find_quietest(&sound), (48 + 6) * FRAME_SAMPLES);
        assert_eq!(find_quietest(&sound[..1_000]), 500);
    }
}
