//! MP3 files as programs write, damage and concatenate them.

use super::super::testing::{probe_and_decode, pseudorandom_bytes};

/// Silent frames: MPEG 1, layer III, 128 kbit/s, 44.1 kHz, mono.
fn silence(frames: usize) -> Vec<u8> {
    frame([0xff, 0xfb, 0x90, 0xc4], 417).repeat(frames)
}

fn frame(header: [u8; 4], bytes: usize) -> Vec<u8> {
    let mut frame = header.to_vec();
    frame.resize(bytes, 0);
    frame
}

/// Length of this many frames of [`silence`], in seconds.
fn seconds(frames: usize) -> f64 {
    frames as f64 * 1_152.0 / 44_100.0
}

/// The first frame of LAME: number of frames, and silence added at the start and at the end.
fn lame(frames: u32, delay: u32, padding: u32) -> Vec<u8> {
    let mut tag = b"Info\0\0\0\x01".to_vec();
    tag.extend(frames.to_be_bytes());
    tag.extend(b"LAME3.100");
    tag.extend([0; 12]);
    tag.extend(&(delay << 12 | padding).to_be_bytes()[1..]);
    let mut info = silence(1);
    info[21..21 + tag.len()].copy_from_slice(&tag);
    info
}

fn loudness(samples: &[f32]) -> f32 {
    (samples.iter().map(|sample| sample * sample).sum::<f32>() / samples.len() as f32).sqrt()
}

#[test]
fn decodes_changing_channels() {
    let decoded = probe_and_decode(include_bytes!("../testdata/mono-stereo-mono.mp3")).unwrap();
    assert_eq!((decoded.extension, decoded.rate, decoded.seconds), ("mp3", 8_000, 192.0 * 576.0 / 8_000.0));
    let [sound] = &decoded.channels[..] else { panic!("both channels are mixed") };
    // The second sentence, which is in stereo.
    assert!(loudness(&sound[64_000..80_000]) > 0.01, "{}", loudness(&sound[64_000..80_000]));
    assert!(sound.chunks(8_000 * 3).all(|part| loudness(part) > 0.005));
}

#[test]
fn keeps_duration_of_a_gap() {
    let file = include_bytes!("../testdata/hole.mp3");
    let decoded = probe_and_decode(file).unwrap();
    assert_eq!(decoded.seconds, 192.0 * 576.0 / 8_000.0);
    let sound = &decoded.channels[0];
    assert!(sound[62_000..84_000].iter().all(|sample| *sample == 0.0));
    assert!(loudness(&sound[88_000..]) > 0.01);
}

#[test]
fn decodes_changing_sample_rate() {
    // 22.05 kHz mono and 44.1 kHz stereo.
    let slow = frame([0xff, 0xf3, 0x40, 0xc4], 104);
    let fast = frame([0xff, 0xfb, 0x90, 0x44], 417);
    let decoded = probe_and_decode(&[slow.repeat(100), fast.repeat(60), slow.repeat(100)].concat()).unwrap();
    assert_eq!((decoded.rate, decoded.channels.len()), (22_050, 1));
    assert!((decoded.seconds - (200.0 * 576.0 / 22_050.0 + seconds(60))).abs() < 1e-9);
}

#[test]
fn drops_encoder_padding() {
    let frames = [lame(50, 576, 1_105), silence(50)].concat();
    let length = 50.0 * 1_152.0 - (576.0 + 529.0) - (1_105.0 - 529.0);
    assert_eq!(probe_and_decode(&frames).unwrap().seconds, length / 44_100.0);
    // Each concatenated file has its own padding.
    assert!((probe_and_decode(&frames.repeat(3)).unwrap().seconds - 3.0 * length / 44_100.0).abs() < 1e-9);
    // The file is truncated, or longer than its first frame says.
    let cut = &frames[..frames.len() - 4 * 417];
    assert_eq!(probe_and_decode(cut).unwrap().seconds, (46.0 * 1_152.0 - 1_105.0) / 44_100.0);
    let longer = [frames, silence(50)].concat();
    assert_eq!(probe_and_decode(&longer).unwrap().seconds, (length + 50.0 * 1_152.0) / 44_100.0);
}

#[test]
fn skips_tags_and_garbage() {
    let sound = silence(50);
    let id3 = [&b"ID3\x04\0\0\0\0\x02\x10"[..], &[0xff; 272]].concat();
    let id3v1 = [&b"TAG"[..], &[0x41; 125]].concat();
    let ape = [&b"APETAGEX\xd0\x07\0\0\x40\0\0\0"[..], &[0; 16 + 64]].concat();
    let mut random = pseudorandom_bytes(5);
    let garbage: Vec<u8> = std::iter::repeat_with(&mut random).take(700).collect();
    for (before, after) in [
        (vec![], id3v1.clone()),
        (id3.clone(), ape),
        ([&id3[..], &id3].concat(), garbage.clone()),
        (garbage, vec![0; 4_096]),
        (vec![0; 300_000], vec![]),
        // A tag with a wrong length.
        ([&b"ID3\x04\0\0\xff\xff\xff\xff"[..], &[0x41; 200_000]].concat(), vec![]),
        // A truncated frame.
        (vec![], sound[..300].to_vec()),
        (sound[100..417].to_vec(), vec![]),
    ] {
        let file = [&before[..], &sound, &after].concat();
        assert_eq!(probe_and_decode(&file).unwrap().seconds, seconds(50), "{} {}", before.len(), after.len());
    }
    // Concatenated files with their tags.
    let file = [&id3[..], &sound, &id3v1, &id3, &sound].concat();
    assert_eq!(probe_and_decode(&file).unwrap().seconds, seconds(100));
}

#[test]
fn damage_does_not_change_duration() {
    let mut random = pseudorandom_bytes(7);
    for (at, length) in [(0, 50), (417 * 3 + 7, 1_000), (417 * 40, 417 * 20), (417 * 60 + 200, 5_000)] {
        let mut file = silence(100);
        file[at + 4..at + length].iter_mut().for_each(|byte| *byte = random());
        let decoded = probe_and_decode(&file).unwrap();
        assert!((decoded.seconds - seconds(100)).abs() < 0.027, "{at}: {}", decoded.seconds);
    }
}

#[test]
fn rejects_endless_false_frames() {
    let file = [silence(20), [0xff, 0xfb, 0x90, 0xc4].repeat(510_000)].concat();
    assert_eq!(probe_and_decode(&file).unwrap_err(), "the recording takes too long to decode");
}

#[test]
fn rejects_other_layers_by_name() {
    for (header, bytes, name) in
        [([0xff, 0xfd, 0x80, 0xc4], 417, "MPEG audio layer II"), ([0xff, 0xff, 0x90, 0xc4], 312, "MPEG audio layer I")]
    {
        let error = probe_and_decode(&frame(header, bytes).repeat(50)).unwrap_err();
        assert_eq!(
            error,
            format!("`{name}` can't be read; convert the file to WAV, for example with `ffmpeg -i FILE call.wav`")
        );
    }
}

#[test]
fn reads_mp3_in_a_wav_file() {
    use super::super::testing::{TestWav, chunk, format_chunk_with_block_align};
    let mut format = format_chunk_with_block_align(0x55, 1, 44_100, 0, 1);
    format.extend([12, 0, 1, 0, 2, 0, 0, 0, 0xa1, 1, 1, 0, 0x71, 5]);
    let wav = TestWav { after: chunk(b"LIST", &[0x41; 90]), ..TestWav::new(format, silence(50)) };
    let decoded = probe_and_decode(&wav.bytes()).unwrap();
    assert_eq!((decoded.extension, decoded.seconds), ("wav", seconds(50)));
}

/// Raw telephone sound without a header: a chord of three tones with some noise. The seed selects 16-bit, µ-law or A-law.
fn raw(seed: u64) -> Vec<u8> {
    let mut random = pseudorandom_bytes(seed);
    let mut number = |max: f32| f32::from(random()) / 255.0 * max;
    let pitches: Vec<f32> = (0..3).map(|_| (100.0 + number(1_500.0)).round()).collect();
    let (level, floor) = (number(1.0), if seed.is_multiple_of(4) { 0.0 } else { number(0.02) });
    let samples = (0..12_000).map(|n| {
        let time = n as f32 / 8_000.0;
        let tone: f32 = pitches.iter().map(|pitch| (std::f32::consts::TAU * (pitch * time).fract()).sin()).sum();
        (tone / 3.0 * level + number(floor) - floor / 2.0).clamp(-1.0, 1.0) * 32_767.0
    });
    let samples: Vec<i16> = samples.map(|sample| sample as i16).collect();
    match seed % 3 {
        0 => samples.iter().flat_map(|sample| sample.to_le_bytes()).collect(),
        kind => samples.iter().map(|sample| g711(*sample) ^ if kind == 1 { 0xff } else { 0x55 }).collect(),
    }
}

/// A tone of telephone networks in three encodings.
fn tones(pitches: &[f32], level: f32) -> [Vec<u8>; 3] {
    let sample = |n: usize| {
        let tone = |pitch: &f32| (std::f32::consts::TAU * (pitch * n as f32 / 8_000.0).fract()).sin();
        (pitches.iter().map(tone).sum::<f32>() / pitches.len() as f32 * level * 32_767.0) as i16
    };
    let samples: Vec<i16> = (0..8_000).map(sample).collect();
    let coded = |inverted: u8| samples.iter().map(|sample| g711(*sample) ^ inverted).collect();
    [samples.iter().flat_map(|sample| sample.to_le_bytes()).collect(), coded(0xff), coded(0x55)]
}

/// Encodes sign, three bits of exponent and four of mantissa, like G.711 before it inverts bits.
fn g711(sample: i16) -> u8 {
    let size = (sample.unsigned_abs().min(32_767) >> 4) | 1;
    let exponent = (16 - size.leading_zeros()).saturating_sub(5) as u8;
    let mantissa = (size >> exponent.saturating_sub(1)) as u8 & 0xf;
    (u8::from(sample >= 0) << 7) | (exponent << 4) | mantissa
}

#[test]
fn raw_telephone_sound_is_not_mp3() {
    let noises = (0..100).map(|seed| std::iter::repeat_with(pseudorandom_bytes(seed)).take(60_000).collect());
    let pitches: [&[f32]; 9] = [
        &[425.0],
        &[400.0],
        &[1_000.0],
        &[800.0],
        &[2_100.0],
        &[440.0, 480.0],
        &[350.0, 440.0],
        &[50.0],
        &[697.0, 1_209.0],
    ];
    let tones =
        pitches.iter().flat_map(|pitches| (1..=30).flat_map(|level| tones(pitches, (level as f32 / 30.0).powi(3))));
    for (number, file) in (0..450).map(raw).chain(noises).chain(tones).enumerate() {
        let error = probe_and_decode(&file).unwrap_err();
        assert!(error.starts_with("no audio format is recognized; raw telephone audio"), "{number}: {error}");
    }
}
