//! Static files of the panel: hashed names, precompression, and sizes.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::iter::Sum;
use std::path::Path;

use anyhow::{Context, Result};
use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::build_stamp::short_hash;

/// Smaller files don't save a packet when compressed.
const MIN_COMPRESSED_LENGTH: usize = 1000;

/// Files below this compressed size in bytes are listed as one line.
const MIN_LISTED_BYTES: usize = 10_000;

/// Extension of the compressed copy, and its encoder.
const ENCODINGS: [(&str, Encode); 2] = [("br", brotli), ("gz", gzip)];

type Encode = fn(&[u8]) -> Result<Vec<u8>>;

/// Folder of files, assembled in memory.
#[derive(Default)]
pub struct Assets {
    files: BTreeMap<String, Vec<u8>>,
}

/// Size of the files in bytes.
#[derive(Clone, Copy, Default)]
pub struct FileSize {
    /// Uncompressed.
    pub raw: usize,
    /// Compressed with gzip.
    pub gzip: usize,
    /// Compressed with Brotli.
    pub brotli: usize,
}

impl Assets {
    /// Adds a file under its URL path, without a leading slash.
    pub fn add(&mut self, path: impl Into<String>, content: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), content.into());
    }

    /// Adds a file that may be cached forever, because its name changes with its content. Returns the name:
    /// `style.css` becomes `style-<hash>.css`. It is in the folder `assets/`.
    pub fn add_hashed(&mut self, name: &str, content: impl Into<Vec<u8>>) -> String {
        let content = content.into();
        let (stem, suffix) = match name.split_once('.') {
            // wasm-bindgen's suffix for modules; the hash comes before it.
            Some((stem, "wasm")) if stem.ends_with("_bg") => (stem.trim_end_matches("_bg"), "_bg.wasm".to_owned()),
            Some((stem, extension)) => (stem, format!(".{extension}")),
            None => (name, String::new()),
        };
        let hashed_name = format!("{stem}-{}{suffix}", short_hash(&content));
        self.add(format!("assets/{hashed_name}"), content);
        hashed_name
    }

    /// Adds files that refer to one another, each by its path within a folder of `assets/`. The folder's name changes
    /// with any of the files and is returned: `panel` becomes `panel-<hash>`.
    pub fn add_hashed_folder(&mut self, name: &str, files: &BTreeMap<String, Vec<u8>>) -> String {
        let combined: Vec<u8> =
            files.iter().flat_map(|(path, content)| [path.as_bytes(), content]).flatten().copied().collect();
        let hashed_name = format!("{name}-{}", short_hash(&combined));
        files.iter().for_each(|(path, content)| self.add(format!("assets/{hashed_name}/{path}"), content.as_slice()));
        hashed_name
    }

    /// Writes the files into `dir`, which is emptied first, with compressed copies of each text or module. Prints a
    /// line for each large file and a total. Returns the size of each file.
    pub fn write(&self, dir: &Path) -> Result<BTreeMap<&str, FileSize>> {
        if dir.exists() {
            fs::remove_dir_all(dir).with_context(|| format!("can't empty {}", dir.display()))?;
        }
        let mut sizes = BTreeMap::new();
        for (name, content) in &self.files {
            let path = dir.join(name);
            fs::create_dir_all(path.parent().context("a file has a folder")?)?;
            let size = write_encoded(&path, content)?;
            sizes.insert(name.as_str(), size);
        }
        let (large, small): (Vec<_>, Vec<_>) = sizes.iter().partition(|(_, size)| size.brotli >= MIN_LISTED_BYTES);
        large.iter().for_each(|(name, size)| print_size(name, **size));
        print_size(&format!("{} smaller files", small.len()), small.iter().map(|(_, size)| **size).sum());
        print_size("all files", sizes.values().copied().sum());
        Ok(sizes)
    }
}

impl Sum for FileSize {
    fn sum<I: Iterator<Item = Self>>(sizes: I) -> Self {
        sizes.fold(Self::default(), |sum, size| Self {
            raw: sum.raw + size.raw,
            gzip: sum.gzip + size.gzip,
            brotli: sum.brotli + size.brotli,
        })
    }
}

/// Prints one line of a table of sizes, in kilobytes of 1,000 bytes.
pub fn print_size(name: &str, size: FileSize) {
    let kilobytes = |bytes: usize| bytes as f64 / 1000.0;
    println!(
        "{name:44} {:8.1} kB {:8.1} kB gzip {:8.1} kB brotli",
        kilobytes(size.raw),
        kilobytes(size.gzip),
        kilobytes(size.brotli)
    );
}

/// Returns the size of `content`, uncompressed and compressed.
pub fn measure_size(content: &[u8]) -> Result<FileSize> {
    Ok(FileSize { raw: content.len(), gzip: gzip(content)?.len(), brotli: brotli(content)?.len() })
}

fn write_encoded(path: &Path, content: &[u8]) -> Result<FileSize> {
    fs::write(path, content).with_context(|| format!("can't write {}", path.display()))?;
    let mut lengths = [content.len(); ENCODINGS.len()];
    if content.len() >= MIN_COMPRESSED_LENGTH && is_compressible(path) {
        for ((extension, encode), length) in ENCODINGS.iter().zip(&mut lengths) {
            let encoded = encode(content)?;
            *length = encoded.len();
            let mut encoded_path = path.as_os_str().to_owned();
            encoded_path.push(".");
            encoded_path.push(extension);
            fs::write(&encoded_path, encoded)
                .with_context(|| format!("can't write {}", Path::new(&encoded_path).display()))?;
        }
    }
    let [brotli, gzip] = lengths;
    Ok(FileSize { raw: content.len(), gzip, brotli })
}

/// Images and fonts are already compressed.
fn is_compressible(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("bin" | "css" | "html" | "js" | "json" | "svg" | "txt" | "wasm" | "webmanifest"))
}

fn brotli(content: &[u8]) -> Result<Vec<u8>> {
    let params = BrotliEncoderParams { quality: 11, size_hint: content.len(), ..Default::default() };
    let mut encoded = Vec::new();
    brotli::BrotliCompress(&mut &content[..], &mut encoded, &params)?;
    Ok(encoded)
}

fn gzip(content: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content)?;
    Ok(encoder.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_changes_only_with_the_content() {
        let mut assets = Assets::default();
        let first = assets.add_hashed("panel_bg.wasm", "one");
        assert_eq!(first, "panel-7692c3ad3540bb80_bg.wasm");
        assert_eq!(assets.add_hashed("panel_bg.wasm", "one"), first);
        assert_ne!(assets.add_hashed("panel_bg.wasm", "two"), first);
        assert!(assets.add_hashed("style.css", "a").starts_with("style-"));
    }

    #[test]
    fn folder_name_changes_with_each_file() {
        let folder_files =
            |content: &str| BTreeMap::from([("a.js".to_owned(), content.into()), ("b.js".to_owned(), "b".into())]);
        let mut assets = Assets::default();
        let first = assets.add_hashed_folder("panel", &folder_files("one"));
        assert!(assets.files.contains_key(&format!("assets/{first}/a.js")), "{:?}", assets.files.keys());
        assert_ne!(assets.add_hashed_folder("panel", &folder_files("two")), first);
    }

    #[test]
    fn only_large_text_files_are_compressed() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("dist");
        let mut assets = Assets::default();
        assets.add("index.html", "x".repeat(5000));
        assets.add("small.css", "a{}");
        assets.add("icon.png", vec![0; 5000]);
        let size: FileSize = assets.write(&out).unwrap().into_values().sum();

        let mut names: Vec<_> =
            fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, ["icon.png", "index.html", "index.html.br", "index.html.gz", "small.css"]);
        assert_eq!(size.raw, 10_003);
        assert!(size.brotli < size.gzip && size.gzip < 5_100, "{} {}", size.brotli, size.gzip);
        let mut page = Vec::new();
        brotli::BrotliDecompress(&mut fs::File::open(out.join("index.html.br")).unwrap(), &mut page).unwrap();
        assert_eq!(page, "x".repeat(5000).into_bytes());
    }
}
