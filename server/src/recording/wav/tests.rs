//! WAV files as written by various programs.

use super::super::testing::{
    DecodedRecording, TestWav, chunk, extensible, format_chunk, format_chunk_with_block_align, pcm, probe_and_decode,
    pseudorandom_bytes, ramp,
};

/// Frames of the generated files.
const FRAMES: usize = 1_000;

/// An encoding: name, format chunk for a number of channels, encoder of a 16-bit sample, and expected decoded value.
type TestEncoding = (&'static str, fn(u16) -> Vec<u8>, fn(i16) -> Vec<u8>, fn(i16) -> f32);

fn to_float(sample: i16) -> f32 {
    f32::from(sample) / 32_768.0
}

fn to_pcm16(sample: i16) -> Vec<u8> {
    sample.to_le_bytes().to_vec()
}

fn to_pcm32(sample: i16) -> Vec<u8> {
    (i32::from(sample) << 16).to_le_bytes().to_vec()
}

fn float(sample: i16) -> Vec<u8> {
    to_float(sample).to_le_bytes().to_vec()
}

/// A-law codes (ITU-T G.711) and their values, used in turn.
fn a_law(sample: i16) -> (u8, i16) {
    [(0xd5, 8), (0x55, -8), (0xaa, 32_256), (0x2a, -32_256)][usize::from(sample.unsigned_abs() % 4)]
}

/// µ-law codes (ITU-T G.711) and their values, used in turn.
fn mu_law(sample: i16) -> (u8, i16) {
    [(0xff, 0), (0x7e, -8), (0x80, 32_124), (0x00, -32_124)][usize::from(sample.unsigned_abs() % 4)]
}

fn truncate(bytes: Vec<u8>, length: usize) -> Vec<u8> {
    bytes[..length].to_vec()
}

fn append(mut bytes: Vec<u8>, more: &[u8]) -> Vec<u8> {
    bytes.extend(more);
    bytes
}

const TEST_ENCODINGS: [TestEncoding; 24] = [
    ("16 bits", |n| format_chunk(1, n, 8_000, 16), to_pcm16, to_float),
    ("8 bits", |n| format_chunk(1, n, 8_000, 8), |s| vec![((s >> 8) + 128) as u8], |s| to_float(s >> 8 << 8)),
    ("24 bits", |n| format_chunk(1, n, 8_000, 24), |s| append(vec![0], &s.to_le_bytes()), to_float),
    ("32 bits", |n| format_chunk(1, n, 8_000, 32), to_pcm32, to_float),
    ("12 bits", |n| format_chunk_with_block_align(1, n, 8_000, 12, 2 * n), to_pcm16, to_float),
    ("24 bits in 32", |n| format_chunk_with_block_align(1, n, 8_000, 24, 4 * n), to_pcm32, to_float),
    ("wrong block align", |n| format_chunk_with_block_align(1, n, 8_000, 16, 1), to_pcm16, to_float),
    ("no block align", |n| format_chunk_with_block_align(1, n, 8_000, 16, 0), to_pcm16, to_float),
    ("no bits", |n| format_chunk_with_block_align(1, n, 8_000, 0, 2 * n), to_pcm16, to_float),
    ("no field of bits", |n| truncate(format_chunk_with_block_align(1, n, 8_000, 0, 2 * n), 14), to_pcm16, to_float),
    ("odd extension", |n| append(format_chunk(1, n, 8_000, 16), &[4, 0, 1, 2, 3, 4]), to_pcm16, to_float),
    ("float", |n| format_chunk(3, n, 8_000, 32), float, to_float),
    ("float with extension", |n| append(format_chunk(3, n, 8_000, 32), &[2, 0, 0, 0]), float, to_float),
    ("double", |n| format_chunk(3, n, 8_000, 64), |s| f64::from(to_float(s)).to_le_bytes().to_vec(), to_float),
    ("A-law", |n| format_chunk(6, n, 8_000, 8), |s| vec![a_law(s).0], |s| to_float(a_law(s).1)),
    ("µ-law", |n| format_chunk(7, n, 8_000, 8), |s| vec![mu_law(s).0], |s| to_float(mu_law(s).1)),
    (
        "µ-law, 16 bits",
        |n| format_chunk_with_block_align(7, n, 8_000, 16, n),
        |s| vec![mu_law(s).0],
        |s| to_float(mu_law(s).1),
    ),
    ("extensible", |n| extensible(1, n, 16, 16, 22), to_pcm16, to_float),
    ("extensible, extension 0", |n| extensible(1, n, 16, 16, 0), to_pcm16, to_float),
    ("extensible, 16 valid bits in 32", |n| extensible(1, n, 32, 16, 22), to_pcm32, to_float),
    ("extensible, format 0", |n| extensible(0, n, 16, 0, 22), to_pcm16, to_float),
    ("extensible, no extension", |n| truncate(extensible(1, n, 16, 16, 22), 16), to_pcm16, to_float),
    ("extensible float, 0 valid bits", |n| extensible(3, n, 32, 0, 22), float, to_float),
    ("extensible µ-law", |n| extensible(7, n, 8, 8, 22), |s| vec![mu_law(s).0], |s| to_float(mu_law(s).1)),
];

fn encode((_, format, write, read): TestEncoding, channels: u16) -> (TestWav, Vec<Vec<f32>>) {
    let samples = ramp(FRAMES, channels);
    let data = samples.iter().flat_map(|sample| write(*sample)).collect();
    let channel = |number| samples.iter().skip(number).step_by(usize::from(channels)).map(|sample| read(*sample));
    let expected = (0..usize::from(channels)).map(|number| channel(number).collect()).collect();
    (TestWav::new(format(channels), data), expected)
}

fn decode_wav(wav: &TestWav) -> DecodedRecording {
    probe_and_decode(&wav.bytes()).unwrap()
}

fn decode_error(wav: &TestWav) -> String {
    probe_and_decode(&wav.bytes()).unwrap_err()
}

#[test]
fn reads_every_encoding_with_any_lengths_and_chunks() {
    let list = chunk(b"LIST", b"INFOISFT\x03\0\0\0abc\0");
    // Without the padding byte.
    let not_padded = b"LIST\x0f\0\0\0INFOISFT\x03\0\0\0abc".to_vec();
    for encoding in TEST_ENCODINGS {
        for channels in [1, 2] {
            let (plain, expected) = encode(encoding, channels);
            let half = plain.data.len() as u32 / 2;
            for riff_size in [None, Some(0), Some(u32::MAX), Some(36), Some(0x7fff_f024)] {
                for data_size in [None, Some(0), Some(u32::MAX), Some(0x7fff_f000), Some(half & !1)] {
                    for (before, between, after) in [
                        (vec![], vec![], vec![]),
                        (list.clone(), chunk(b"fact", &[0; 8]), list.clone()),
                        (not_padded.clone(), chunk(b"JUNK", &[0xff; 27]), chunk(b"bext", &[0x41; 602])),
                        (vec![], not_padded.clone(), append(list.clone(), &chunk(b"id3 ", b"ID3\x04\0\0\0\0\0\0"))),
                    ] {
                        let wav = TestWav { riff_size, data_size, before, between, after, ..plain.clone() };
                        let context = format!("{}, {channels} channels, {riff_size:?}, {data_size:?}", encoding.0);
                        let DecodedRecording { extension, rate, seconds, channels } = decode_wav(&wav);
                        assert_eq!((extension, rate, seconds), ("wav", 8_000, 0.125), "{context}");
                        assert_eq!(channels, expected, "{context}");
                    }
                }
            }
        }
    }
}

#[test]
fn zero_length_before_sound_is_unknown() {
    let sound = pcm(1, &ramp(12_000, 1));
    for riff_size in [None, Some(0), Some(u32::MAX)] {
        assert_eq!(decode_wav(&TestWav { riff_size, data_size: Some(0), ..sound.clone() }).seconds, 1.5);
    }
    let after = chunk(b"LIST", b"INFOISFT\x02\0\0\0x\0");
    let empty = pcm(1, &[]);
    assert_eq!(decode_error(&empty), "the `wav` file contains no audio");
    assert_eq!(decode_error(&TestWav { after, ..empty.clone() }), "the `wav` file contains no audio");
    // Another data chunk follows.
    let after = chunk(b"data", &[1; 1_600]);
    assert_eq!(decode_wav(&TestWav { after, ..empty }).seconds, 0.1);
}

#[test]
fn ignores_bytes_after_sound() {
    let sound = pcm(1, &ramp(8_000, 1));
    let correct_size = sound.bytes().len() as u32 - 8;
    for trailing in [&b"TAG and so on"[..], b"ID3\x04\0\0\0\0\0\0", &[0; 512], &[1, 2, 3], &[7; 4_000]] {
        let wav = TestWav { after: trailing.to_vec(), riff_size: Some(correct_size), ..sound.clone() };
        assert_eq!(decode_wav(&wav).seconds, 1.0, "{trailing:?}");
    }
    // Much longer than both lengths: the file was never closed.
    let open = TestWav { after: vec![7; 48_000], riff_size: Some(correct_size), ..sound };
    assert_eq!(decode_wav(&open).seconds, 4.0);
}

#[test]
fn skips_many_chunks_after_sound() {
    let trailing = b"LIST\0\0\0\0".repeat(100_000);
    let wav = TestWav { after: trailing, data_size: Some(u32::MAX), ..pcm(1, &ramp(8_000, 1)) };
    assert_eq!(decode_wav(&wav).seconds, 1.0);
}

#[test]
fn reads_files_with_64_bit_lengths() {
    let samples = ramp(8_000, 1);
    for magic in [*b"RF64", *b"BW64"] {
        for (riff, data) in [(16_080_u64, 16_000_u64), (0, 0), (u64::MAX, u64::MAX)] {
            let mut sizes = riff.to_le_bytes().to_vec();
            sizes.extend(data.to_le_bytes());
            sizes.extend([0; 12]);
            let wav = TestWav {
                magic,
                riff_size: Some(u32::MAX),
                before: chunk(b"ds64", &sizes),
                data_size: Some(u32::MAX),
                after: append(chunk(b"LIST", &[0x20; 300]), &chunk(b"bext", &[0x41; 602])),
                ..pcm(1, &samples)
            };
            assert_eq!(decode_wav(&wav).seconds, 1.0, "{riff} {data}");
        }
    }
}

#[test]
fn reads_truncated_sound() {
    let whole = pcm(2, &ramp(8_000, 2)).bytes();
    for cut in [4, 5, 6, 7, 20_000] {
        let frames = (whole.len() - cut - 44) / 4;
        assert_eq!(probe_and_decode(&whole[..whole.len() - cut]).unwrap().seconds, frames as f64 / 8_000.0);
    }
}

#[test]
fn reads_sound_before_its_format() {
    let samples = ramp(800, 1);
    let sound: Vec<u8> = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
    let mut content = b"WAVE".to_vec();
    content.extend(chunk(b"data", &sound));
    content.extend(chunk(b"fmt ", &format_chunk(1, 1, 8_000, 16)));
    let file = [&b"RIFF"[..], &(content.len() as u32).to_le_bytes(), &content].concat();
    assert_eq!(probe_and_decode(&file).unwrap().seconds, 0.1);
}

#[test]
fn reads_adpcm_to_the_last_block() {
    for (channels, tag, block, whole, part) in [
        (1, 0x11, 256_u16, 505, 1 + 100 * 2),
        (2, 0x11, 512, 505, 1 + 96),
        (1, 0x02, 256, 500, 2 + 97 * 2),
        (2, 0x02, 512, 500, 2 + 90),
    ] {
        // 10 blocks and 104 bytes of another one.
        let data = vec![0; usize::from(block) * 10 + 104];
        let format = append(format_chunk_with_block_align(tag, channels, 8_000, 4, block), &[2, 0, 0xf9, 1]);
        let decoded = decode_wav(&TestWav::new(format, data));
        assert_eq!(decoded.channels.len(), usize::from(channels));
        assert_eq!(decoded.channels[0].len(), whole * 10 + part, "{tag} {channels}");
    }
}

#[test]
fn gsm_matches_reference_decoder() {
    let decoded = probe_and_decode(include_bytes!("../testdata/gsm.wav")).unwrap();
    assert_eq!((decoded.rate, decoded.seconds, decoded.channels.len()), (8_000, 2.0, 1));
    let samples: Vec<i32> = decoded.channels[0].iter().map(|sample| (sample * 32_768.0) as i32).collect();
    // Reference values from sox, which has another decoder.
    assert_eq!(samples[4_000..4_010], [-176, -160, -96, -40, -32, 48, 104, 104, 128, 128]);
    assert_eq!(samples.iter().sum::<i32>(), -52_544);
}

#[test]
fn names_unsupported_encodings() {
    let message = |name: &str, tag: &str| {
        format!(
            "the audio of the WAV file is encoded as `{name}` (format `{tag}`), which can't be read; record as `wav` with 16-bit \
             PCM, or convert the file, for example with `ffmpeg -i FILE call.wav`"
        )
    };
    let g726 = probe_and_decode(include_bytes!("../testdata/g726.wav")).unwrap_err();
    assert_eq!(g726, message("G.726 ADPCM", "0x0045"));
    for (format, name, tag) in [
        (format_chunk_with_block_align(0x31, 2, 8_000, 0, 65), "GSM 6.10", "0x0031"),
        (format_chunk_with_block_align(0x64, 1, 8_000, 4, 1), "G.726 ADPCM", "0x0064"),
        (format_chunk_with_block_align(0x65, 1, 16_000, 4, 1), "G.722", "0x0065"),
        (format_chunk_with_block_align(0x42, 1, 8_000, 0, 24), "G.723.1", "0x0042"),
        (format_chunk_with_block_align(0x83, 1, 8_000, 0, 10), "G.729", "0x0083"),
        (format_chunk_with_block_align(0x20, 1, 8_000, 4, 1_024), "Yamaha ADPCM", "0x0020"),
        (format_chunk(1, 1, 8_000, 64), "64-bit PCM", "0x0001"),
        (format_chunk(3, 1, 8_000, 16), "16-bit floating point", "0x0003"),
        (extensible(0x31, 2, 16, 16, 22), "GSM 6.10", "0x0031"),
    ] {
        assert_eq!(decode_error(&TestWav::new(format, vec![9; 4_000])), message(name, tag));
    }
    for (format, tag) in [
        (format_chunk_with_block_align(0x1234, 1, 8_000, 4, 1_024), "0x1234"),
        (format_chunk_with_block_align(0, 1, 8_000, 32, 4), "0x0000"),
    ] {
        let unknown = format!("in an unknown encoding (format `{tag}`)");
        let error = decode_error(&TestWav::new(format, vec![9; 4_000]));
        assert!(error.contains(&unknown), "{error}");
    }
}

#[test]
fn reports_damage() {
    let sound = || vec![1; 4_000];
    let damaged =
        |field: &str, value: u32| format!("the format chunk of the WAV file is damaged: `{field}` can't be `{value}`");
    for (format, message) in [
        (vec![1, 0, 1, 0], damaged("length", 4)),
        (format_chunk_with_block_align(1, 0, 8_000, 16, 2), damaged("channels", 0)),
        (format_chunk_with_block_align(1, 1, 8_000, 48, 6), damaged("bits per sample", 48)),
        (format_chunk_with_block_align(3, 1, 8_000, 24, 3), damaged("bits per sample", 24)),
        (format_chunk_with_block_align(0x11, 2, 8_000, 4, 3), damaged("block align", 3)),
        (format_chunk(1, 6, 8_000, 16), "expected 1 or 2 channels, found 6".to_owned()),
        (format_chunk(1, 1, 0, 16), "expected 4000 to 192000 samples per second, found 0".to_owned()),
    ] {
        assert_eq!(decode_error(&TestWav::new(format, sound())), message);
    }
    let no_data = "the WAV file has no data chunk, or a damaged chunk precedes it";
    let whole = pcm(1, &ramp(800, 1)).bytes();
    assert_eq!(probe_and_decode(&whole[..36]).unwrap_err(), no_data);
    assert_eq!(probe_and_decode(&whole[..12]).unwrap_err(), no_data);
    // A chunk that claims to be longer than the file.
    let between = b"junk\xff\xff\xff\x7f".to_vec();
    assert_eq!(decode_error(&TestWav { between, ..pcm(1, &ramp(800, 1)) }), no_data);
    let no_format = [&whole[..12], &whole[36..]].concat();
    assert_eq!(probe_and_decode(&no_format).unwrap_err(), "the WAV file has no format chunk (`fmt `)");
}

#[test]
fn probe_and_decoder_agree_on_damaged_headers() {
    let plain = TestWav { after: chunk(b"LIST", b"INFOISFT\x02\0\0\0x\0"), ..pcm(2, &ramp(400, 2)) }.bytes();
    for seed in 0..2_000 {
        let mut random = pseudorandom_bytes(seed);
        let mut file = plain.clone();
        for _ in 0..=random() % 4 {
            let at = usize::from(random()) % 60;
            file[at] = random();
        }
        // Probe and decoder must agree.
        let _ = probe_and_decode(&file);
    }
}
