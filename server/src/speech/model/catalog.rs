//! Catalog of known models with their files and checksums.

use leadscribe_engine::diagnostic::{Message, common, format_text, work};

/// Origin and license of the models.
pub const LICENSE: &str = "MIT (Whisper weights by OpenAI, converted by whisper.cpp)";

/// A model of the embedded recognizer. Its file has the name used by the publisher of whisper.cpp.
#[derive(Debug, PartialEq, Eq)]
pub struct Model {
    /// Name in options and commands.
    pub name: &'static str,
    /// File name, in the models folder and at every source.
    pub file: &'static str,
    /// File size in bytes.
    pub bytes: u64,
    /// Supported languages.
    pub languages: Languages,
    /// Approximate memory use of the first recognition in MB, as measured.
    pub memory_mb: u32,
    /// Recommended use.
    pub purpose: &'static str,
    /// Accepted files, the publisher's first.
    pub builds: &'static [Build],
}

/// Languages of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Languages {
    /// The languages of the multilingual Whisper models.
    Multilingual,
    /// English only.
    English,
}

/// An accepted file of a model.
#[derive(Debug, PartialEq, Eq)]
pub struct Build {
    /// SHA-256 of the file, in lower-case hexadecimal.
    pub sha256: &'static str,
    /// Origin of the file.
    pub origin: Origin,
}

/// Origin of a model file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The publisher of whisper.cpp.
    Published,
    /// Built with `cargo xtask` from weights that were already quantized in another format. As accurate in our measurements,
    /// but not the publisher's file.
    Rebuilt,
}

/// All models, smallest first. Checksums are the publisher's; those of `tiny`, `tiny-q8_0`, `base` and `base.en` were
/// verified against files made from the original weights. Memory is the peak of the process in `cargo xtask bench speech`.
pub const CATALOG: &[Model] = &[
    Model {
        name: "tiny-q8_0",
        file: "ggml-tiny-q8_0.bin",
        bytes: 43_537_433,
        languages: Languages::Multilingual,
        memory_mb: 170,
        purpose: "smallest; for evaluation",
        builds: &[Build {
            sha256: "c2085835d3f50733e2ff6e4b41ae8a2b8d8110461e18821b09a15c40c42d1cca",
            origin: Origin::Published,
        }],
    },
    Model {
        name: "tiny",
        file: "ggml-tiny.bin",
        bytes: 77_691_713,
        languages: Languages::Multilingual,
        memory_mb: 190,
        purpose: "for tests",
        builds: &[Build {
            sha256: "be07e048e1e599ad46341c8d2a135645097a538221678b7acdd1b1919c6e1b21",
            origin: Origin::Published,
        }],
    },
    Model {
        name: "base",
        file: "ggml-base-q8_0.bin",
        bytes: 81_768_585,
        languages: Languages::Multilingual,
        memory_mb: 215,
        purpose: "the default",
        builds: &[Build {
            sha256: "c577b9a86e7e048a0b7eada054f4dd79a56bbfa911fbdacf900ac5b567cbb7d9",
            origin: Origin::Published,
        }],
    },
    Model {
        name: "base.en",
        file: "ggml-base.en-q8_0.bin",
        bytes: 81_781_811,
        languages: Languages::English,
        memory_mb: 215,
        purpose: "English only; as fast as base, and no better for telephone audio",
        builds: &[Build {
            sha256: "a4d4a0768075e13cfd7e19df3ae2dbc4a68d37d36a7dad45e8410c9a34f8c87e",
            origin: Origin::Published,
        }],
    },
    Model {
        name: "small",
        file: "ggml-small-q8_0.bin",
        bytes: 264_464_607,
        languages: Languages::Multilingual,
        memory_mb: 470,
        purpose: "accurate; takes four times as long as base",
        builds: &[
            Build {
                sha256: "49c8fb02b65e6049d5fa6c04f81f53b867b5ec9540406812c643f177317f779f",
                origin: Origin::Published,
            },
            Build {
                sha256: "0729eed4119828f86abff9bd17304a50eee2cdda9f2dd2c2bd1488817130db15",
                origin: Origin::Rebuilt,
            },
        ],
    },
];

/// Returns the model with this name.
///
/// # Errors
/// The name is unknown; the error lists the known names.
pub fn find_by_name(name: &str) -> Result<&'static Model, UnknownModel> {
    CATALOG.iter().find(|model| model.name == name).ok_or_else(|| UnknownModel(name.to_owned()))
}

/// Error: no model has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownModel(pub String);

impl UnknownModel {
    /// Returns the error with the known names.
    pub fn message(&self) -> Message {
        let names: Vec<_> = CATALOG.iter().map(|model| model.name).collect();
        common::expected(work::model_name(names.join(", ")), format_text(&self.0))
    }
}

impl std::error::Error for UnknownModel {}

impl std::fmt::Display for UnknownModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.message().fmt(f)
    }
}

impl Model {
    /// Returns the accepted file with this checksum.
    pub fn find_build(&self, sha256: &str) -> Option<&'static Build> {
        self.builds.iter().find(|build| build.sha256 == sha256)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_distinguishable_and_sorted() {
        for (index, model) in CATALOG.iter().enumerate() {
            assert_eq!(find_by_name(model.name), Ok(model));
            assert_eq!(model.builds[0].origin, Origin::Published, "{}", model.name);
            for later in &CATALOG[index + 1..] {
                assert_ne!((model.name, model.file), (later.name, later.file));
                assert!(model.builds.iter().all(|build| later.find_build(build.sha256).is_none()));
                assert!(model.bytes < later.bytes, "{} is out of order", later.name);
            }
            for build in model.builds {
                let is_checksum =
                    |sum: &str| sum.len() == 64 && sum.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
                assert!(is_checksum(build.sha256), "{}: {}", model.name, build.sha256);
            }
        }
    }

    #[test]
    fn default_model_is_in_the_catalog() {
        assert_eq!(find_by_name(&crate::config::Config::default().speech.model).map(|model| model.name), Ok("base"));
    }

    #[test]
    fn unknown_name_lists_known_models() {
        assert_eq!(
            find_by_name("large").expect_err("unknown").to_string(),
            "expected the model tiny-q8_0, tiny, base, base.en, small or the path of a ggml file, found \"large\""
        );
    }

    #[test]
    fn documentation_lists_every_model() {
        let document = include_str!("../../../../docs/SPEECH.md");
        for model in CATALOG {
            let starts = [format!("| `{}` |", model.name), format!("| `{}`, ", model.name)];
            let row = document.lines().find(|line| starts.iter().any(|start| line.starts_with(start)));
            let row = row.unwrap_or_else(|| panic!("docs/SPEECH.md should have a row for {}", model.name));
            let cells: Vec<_> = row.trim_matches('|').split('|').map(str::trim).collect();
            let languages = match model.languages {
                Languages::Multilingual => "99",
                Languages::English => "English",
            };
            let download = format!("{} MB", (model.bytes + 500_000) / 1_000_000);
            assert_eq!((cells[1], cells[2]), (download.as_str(), languages), "{}", model.name);
            assert_eq!(cells.last(), Some(&format!("{} MB", model.memory_mb).as_str()), "{}", model.name);
        }
    }
}
