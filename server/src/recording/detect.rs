//! Detects formats by the first bytes of a file.

use leadscribe_engine::diagnostic::{Arg, Message, recording};

use super::error::RecordingError;

/// Number of bytes to examine.
pub(super) const HEAD_BYTES: usize = 4_096;

/// A supported format, detected by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signature {
    /// RIFF, RF64 or BW64 with audio.
    Wav,
    Flac,
    /// Vorbis or FLAC in Ogg.
    Ogg,
}

/// Unsupported audio and video: name, position of the signature, and signature.
const UNSUPPORTED_AUDIO: [(&str, usize, &[u8]); 46] = [
    ("WAV with big-endian numbers (RIFX)", 0, b"RIFX"),
    ("Sony Wave64", 0, b"riff\x2e\x91\xcf\x11"),
    ("AVI video", 8, b"AVI "),
    ("MIDI in RIFF", 8, b"RMID"),
    ("AIFF", 8, b"AIFF"),
    ("AIFF-C", 8, b"AIFC"),
    ("Sun AU", 0, b".snd"),
    ("Sun AU", 0, b"dns."),
    ("Apple CAF", 0, b"caff"),
    ("AMR wideband", 0, b"#!AMR-WB"),
    ("AMR narrowband", 0, b"#!AMR"),
    ("Silk", 0, b"#!SILK"),
    ("Silk", 1, b"#!SILK"),
    ("M4A (AAC)", 4, b"ftypM4A"),
    ("M4A (AAC)", 4, b"ftypM4B"),
    ("3GP", 4, b"ftyp3g"),
    ("QuickTime", 4, b"ftypqt"),
    ("MP4", 4, b"ftyp"),
    ("QuickTime", 4, b"moov"),
    ("QuickTime", 4, b"mdat"),
    ("QuickTime", 4, b"wide"),
    ("Windows Media (WMA)", 0, b"\x30\x26\xb2\x75\x8e\x66\xcf\x11"),
    ("WebM or Matroska", 0, b"\x1a\x45\xdf\xa3"),
    ("Flash video", 0, b"FLV\x01"),
    ("RealAudio", 0, b".RMF"),
    ("RealAudio", 0, b".ra\xfd"),
    ("MPEG program stream", 0, b"\0\0\x01\xba"),
    ("MPEG video", 0, b"\0\0\x01\xb3"),
    ("AAC (ADIF)", 0, b"ADIF"),
    ("MIDI", 0, b"MThd"),
    ("WavPack", 0, b"wvpk"),
    ("Monkey's Audio", 0, b"MAC "),
    ("True Audio", 0, b"TTA1"),
    ("Musepack", 0, b"MP+"),
    ("Musepack", 0, b"MPCK"),
    ("OptimFROG", 0, b"OFR "),
    ("DSD (DSF)", 0, b"DSD "),
    ("DSD (DFF)", 0, b"FRM8"),
    ("Shorten", 0, b"ajkg"),
    ("Creative Voice", 0, b"Creative Voice File"),
    ("NIST Sphere", 0, b"NIST_1A"),
    ("IRCAM", 0, b"\x64\xa3\x01\x00"),
    ("IRCAM", 0, b"\x00\x01\xa3\x64"),
    ("QCELP", 8, b"QLCM"),
    ("EVRC", 0, b"#!EVRC"),
    ("Psion A-law", 0, b"ALawSoundFile**"),
];

/// Formats other than audio: name and first bytes.
const OTHER_FORMATS: [(&str, &[u8]); 14] = [
    ("PDF", b"%PDF"),
    ("ZIP", b"PK\x03\x04"),
    ("ZIP", b"PK\x05\x06"),
    ("gzip", b"\x1f\x8b\x08"),
    ("bzip2", b"BZh"),
    ("XZ", b"\xfd7zXZ\0"),
    ("Zstandard", b"\x28\xb5\x2f\xfd"),
    ("7-Zip", b"7z\xbc\xaf\x27\x1c"),
    ("RAR", b"Rar!\x1a\x07"),
    ("PNG", b"\x89PNG"),
    ("JPEG", b"\xff\xd8\xff"),
    ("GIF", b"GIF8"),
    ("TIFF", b"II*\0"),
    ("PostScript", b"%!PS"),
];

/// Returns the translated name of a format.
type NameFn = fn() -> Message;

/// Formats other than audio whose names are translated: name and first bytes.
const OTHER_FILES: [(NameFn, &[u8]); 4] = [
    (recording::office_document, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
    (recording::sqlite_database, b"SQLite format 3\0"),
    (recording::elf_program, b"\x7fELF"),
    (recording::windows_program, b"MZ\x90\0"),
];

/// Detects the format of a file by its first bytes, up to [`HEAD_BYTES`]. Returns `None` if they have no signature, as in MP3.
///
/// # Errors
/// The format is not supported. The message contains its name.
pub(super) fn detect_signature(head: &[u8]) -> Result<Option<Signature>, RecordingError> {
    let has = |at: usize, magic: &[u8]| head.get(at..).is_some_and(|rest| rest.starts_with(magic));
    if [b"RIFF", b"RF64", b"BW64"].iter().any(|magic| head.starts_with(*magic)) && has(8, b"WAVE") {
        return Ok(Some(Signature::Wav));
    }
    if head.starts_with(b"fLaC") {
        return Ok(Some(Signature::Flac));
    }
    if head.starts_with(b"OggS") {
        return match ogg_encoding(head) {
            Some(name) => Err(recording::other_audio(name).into()),
            None => Ok(Some(Signature::Ogg)),
        };
    }
    let other = UNSUPPORTED_AUDIO.iter().find(|(_, at, magic)| has(*at, magic)).map(|(name, ..)| *name);
    if let Some(name) = other.or_else(|| detect_by_structure(head)) {
        return Err(recording::other_audio(name).into());
    }
    match other_file(head) {
        Some(name) => Err(recording::no_audio(name).into()),
        None => Ok(None),
    }
}

/// Returns the name of a file format other than audio.
fn other_file(head: &[u8]) -> Option<Arg> {
    let format = OTHER_FORMATS.iter().find(|(_, magic)| head.starts_with(magic)).map(|(name, _)| Arg::from(*name));
    let file = || OTHER_FILES.iter().find(|(_, magic)| head.starts_with(magic)).map(|(name, _)| name().into());
    format.or_else(file).or_else(|| is_text(head).then(|| recording::plain_text().into()))
}

/// Returns the name of an unsupported encoding in the first packet of an Ogg file.
fn ogg_encoding(head: &[u8]) -> Option<&'static str> {
    /// Size of a page header before the segment table, in bytes. Its last byte is the number of segments.
    const PAGE_HEADER_BYTES: usize = 27;
    let segments = usize::from(*head.get(PAGE_HEADER_BYTES - 1)?);
    let packet = head.get(PAGE_HEADER_BYTES + segments..)?;
    let known: [(&str, &[u8]); 5] = [
        ("Opus in Ogg", b"OpusHead"),
        ("Speex in Ogg", b"Speex   "),
        ("Ogg video", b"\x80theora"),
        ("Ogg video", b"fishead\0"),
        ("PCM in Ogg", b"PCM     "),
    ];
    known.iter().find(|(_, magic)| packet.starts_with(magic)).map(|(name, _)| *name)
}

/// Detects a format by markers at regular intervals.
fn detect_by_structure(head: &[u8]) -> Option<&'static str> {
    let repeats = |step: usize, count: usize, is_mark: fn(u8) -> bool| {
        head.len() >= step * count && (0..head.len() / step).all(|number| is_mark(head[number * step]))
    };
    if repeats(188, 5, |byte| byte == 0x47) {
        return Some("MPEG transport stream");
    }
    // Each GSM frame begins with these four bits.
    if repeats(33, 8, |byte| byte >> 4 == 0xd) && !is_constant(head) {
        return Some("raw GSM 6.10 (.gsm)");
    }
    if head.starts_with(b"\x0b\x77") && head[2..].windows(2).filter(|pair| *pair == b"\x0b\x77").count() >= 2 {
        return Some("Dolby AC-3");
    }
    is_adts(head).then_some("AAC (ADTS)")
}

fn is_constant(head: &[u8]) -> bool {
    head.windows(2).all(|pair| pair[0] == pair[1])
}

/// Returns true for four AAC frames in a row.
fn is_adts(head: &[u8]) -> bool {
    let mut at = 0;
    (0..4).all(|_| match head.get(at..at + 6) {
        Some([0xff, second, third, fourth, fifth, sixth]) if second & 0xf6 == 0xf0 && third >> 2 & 0xf < 13 => {
            let length = usize::from(fourth & 3) << 11 | usize::from(*fifth) << 3 | usize::from(sixth >> 5);
            at += length;
            length > 7
        }
        _ => false,
    })
}

/// Returns true for text in UTF-8. The last character may be truncated.
fn is_text(head: &[u8]) -> bool {
    let valid = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return false,
    };
    !valid.is_empty() && !valid.chars().any(|c| c.is_control() && !matches!(c, '\t' | '\n' | '\r'))
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::wording::Language;

    use super::*;

    fn rejection_message(head: &[u8]) -> Message {
        match detect_signature(head).unwrap_err() {
            RecordingError::Unusable(message) => message,
            RecordingError::Io(error) => panic!("{error}"),
        }
    }

    #[test]
    fn names_unsupported_audio() {
        for (head, name) in [
            (&b"FORM\0\0\x10\0AIFFCOMM"[..], "AIFF"),
            (b".snd\0\0\0\x18\0\0\0\0\0\0\0\x01", "Sun AU"),
            (b"\0\0\0\x20ftypM4A \0\0\0\0", "M4A (AAC)"),
            (b"\0\0\0\x18ftypisom\0\0\0\0", "MP4"),
            (b"#!AMR\n\x3c", "AMR narrowband"),
            (b"#!AMR-WB\n\x3c", "AMR wideband"),
            (b"\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9", "Windows Media (WMA)"),
            (b"\x1a\x45\xdf\xa3\x01\0\0\0", "WebM or Matroska"),
            (b"OggS\0\x02\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\x01\x13OpusHead\x01", "Opus in Ogg"),
            (b"OggS\0\x02\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\x01\x50Speex   1.2", "Speex in Ogg"),
            (b"RIFF\0\0\0\0AVI LIST", "AVI video"),
            (&b"\xff\xf1\x50\x80\x02\x1f\xfc\0\0\0\0\0\0\0\0\0".repeat(6), "AAC (ADTS)"),
            (&b"\xd2\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a".repeat(60), "raw GSM 6.10 (.gsm)"),
        ] {
            let expected =
                format!("`{name}` can't be read; convert the file to WAV, for example with `ffmpeg -i FILE call.wav`");
            assert_eq!(rejection_message(head), expected);
        }
    }

    #[test]
    fn names_other_files() {
        for (head, name) in [
            (&b"%PDF-1.7 and so on"[..], "PDF"),
            (b"PK\x03\x04\x14\0", "ZIP"),
            (b"\x89PNG\r\n\x1a\n", "PNG"),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", "an Office document"),
            (b"<!DOCTYPE html><title>Not found</title>", "plain text"),
            ("id;Größe\r\n1;2\r\n".as_bytes(), "plain text"),
        ] {
            let expected = format!("the file is {name}, not audio; send WAV, MP3, FLAC or Ogg Vorbis");
            assert_eq!(rejection_message(head), expected);
        }
    }

    #[test]
    fn names_files_in_german() {
        for (head, name) in
            [(&b"%PDF-1.7"[..], "PDF"), (b"\x7fELF\x02", "ein ELF-Programm"), (b"id;name", "reiner Text")]
        {
            let expected =
                format!("die Datei ist kein Audio, sondern {name}; senden Sie WAV, MP3, FLAC oder Ogg Vorbis");
            assert_eq!(rejection_message(head).text(Language::German), expected);
        }
    }

    #[test]
    fn unmarked_files_have_no_signature() {
        for head in [&b"\xff\xfb\x90\xc4\0\0"[..], &[0; 64], &[0xd5; 4_096], &[0xff; 4_096], b"\x01"] {
            assert!(detect_signature(head).unwrap().is_none(), "{head:?}");
        }
        let ogg = b"OggS\0\x02\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\x01\x1e\x01vorbis";
        assert_eq!(detect_signature(ogg).unwrap(), Some(Signature::Ogg));
        assert_eq!(detect_signature(b"RF64\xff\xff\xff\xffWAVEds64").unwrap(), Some(Signature::Wav));
    }
}
