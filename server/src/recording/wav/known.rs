//! Known chunks of WAV files, and names of unsupported encodings.

/// Chunks that programs write and that are ignored here.
const CHUNKS: [&[u8; 4]; 34] = [
    b"LIST", b"list", b"fact", b"bext", b"id3 ", b"ID3 ", b"JUNK", b"junk", b"PAD ", b"FLLR", b"Fake", b"cue ",
    b"plst", b"smpl", b"inst", b"PEAK", b"iXML", b"axml", b"_PMX", b"chna", b"dbmd", b"umid", b"minf", b"elm1",
    b"regn", b"levl", b"link", b"cart", b"DISP", b"afsp", b"acid", b"strc", b"ds64", b"RIFF",
];

/// Returns true if programs write chunks with this name into WAV files.
pub(super) fn is_known_chunk(id: [u8; 4]) -> bool {
    matches!(&id, b"fmt " | b"data") || CHUNKS.contains(&&id)
}

/// Names of encodings by their numbers in Microsoft's `mmreg.h` and in other programs.
const ENCODINGS: [(u16, &str); 44] = [
    (0x0008, "DTS"),
    (0x0010, "OKI ADPCM"),
    (0x0012, "MediaSpace ADPCM"),
    (0x0013, "Sierra ADPCM"),
    (0x0014, "G.723 ADPCM"),
    (0x0017, "Dialogic OKI ADPCM"),
    (0x0020, "Yamaha ADPCM"),
    (0x0022, "TrueSpeech"),
    (0x0031, "GSM 6.10"),
    (0x0040, "G.721 ADPCM"),
    (0x0041, "G.728"),
    (0x0042, "G.723.1"),
    (0x0045, "G.726 ADPCM"),
    (0x0050, "MPEG audio layer I or II"),
    (0x0057, "AMR narrowband"),
    (0x0058, "AMR wideband"),
    (0x0064, "G.726 ADPCM"),
    (0x0065, "G.722"),
    (0x0083, "G.729"),
    (0x0092, "Dolby AC-3"),
    (0x00ff, "AAC"),
    (0x0111, "G.723.1"),
    (0x0123, "G.723.1"),
    (0x0130, "Sipro ACELP"),
    (0x0133, "Sipro G.729"),
    (0x0134, "Sipro G.729A"),
    (0x0160, "Windows Media Audio 1"),
    (0x0161, "Windows Media Audio 2"),
    (0x0162, "Windows Media Audio Professional"),
    (0x0163, "Windows Media Audio Lossless"),
    (0x0200, "Creative ADPCM"),
    (0x0270, "ATRAC3"),
    (0x028f, "G.722"),
    (0x1600, "AAC"),
    (0x1602, "AAC"),
    (0x2000, "Dolby AC-3"),
    (0x2001, "DTS"),
    (0x566f, "Ogg Vorbis"),
    (0x674f, "Ogg Vorbis"),
    (0x7a21, "AMR narrowband"),
    (0x7a22, "AMR wideband"),
    (0xa100, "G.723.1"),
    (0xa109, "Speex"),
    (0xf1ac, "FLAC"),
];

/// Returns the name of an unsupported encoding.
pub(super) fn encoding_name(tag: u16) -> Option<&'static str> {
    ENCODINGS.iter().find(|(known, _)| *known == tag).map(|(_, name)| *name)
}
