//! Files as a browser gets them: named by their content, compressed beforehand, weighed.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::iter::Sum;
use std::path::Path;
use std::thread;

use anyhow::{Context, Result};
use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::inputs::short_hash;

/// Below this a compressed file doesn't save a packet.
const SMALLEST_TO_COMPRESS: usize = 1000;

/// Smaller files, compressed and in bytes, are told of together.
const WORTH_A_LINE: usize = 10_000;

/// The ending of the compressed file beside the original, and how it is made.
const ENCODINGS: [(&str, Encode); 2] = [("br", brotli), ("gz", gzip)];

type Encode = fn(&[u8]) -> Result<Vec<u8>>;

/// A folder of files, put together in memory.
#[derive(Default)]
pub struct Assets {
    files: BTreeMap<String, Vec<u8>>,
}

/// What the files weigh, in bytes.
#[derive(Clone, Copy, Default)]
pub struct Weight {
    /// As they are.
    pub raw: usize,
    /// As a client gets them that takes gzip.
    pub gzip: usize,
    /// As a client gets them that takes Brotli.
    pub brotli: usize,
}

impl Assets {
    /// Adds a file under the path that it is asked for by, without a slash before it.
    pub fn add(&mut self, path: impl Into<String>, content: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), content.into());
    }

    /// Adds a file that may be cached for ever, because its name changes with its content, and returns that name:
    /// `style.css` becomes `style-<hash>.css`. It lies in the folder `assets/`.
    pub fn add_hashed(&mut self, name: &str, content: impl Into<Vec<u8>>) -> String {
        let content = content.into();
        let (stem, ending) = match name.split_once('.') {
            // wasm-bindgen marks its modules so; the hash stands before the mark.
            Some((stem, "wasm")) if stem.ends_with("_bg") => (stem.trim_end_matches("_bg"), "_bg.wasm".to_owned()),
            Some((stem, extension)) => (stem, format!(".{extension}")),
            None => (name, String::new()),
        };
        let hashed = format!("{stem}-{}{ending}", short_hash(&content));
        self.add(format!("assets/{hashed}"), content);
        hashed
    }

    /// Adds files that name one another, each by its path inside of a folder of `assets/` whose name changes with any of
    /// them, and returns that name: `panel` becomes `panel-<hash>`.
    pub fn add_hashed_folder(&mut self, name: &str, files: &BTreeMap<String, Vec<u8>>) -> String {
        let all: Vec<u8> =
            files.iter().flat_map(|(path, content)| [path.as_bytes(), content]).flatten().copied().collect();
        let hashed = format!("{name}-{}", short_hash(&all));
        files.iter().for_each(|(path, content)| self.add(format!("assets/{hashed}/{path}"), content.as_slice()));
        hashed
    }

    /// Writes the files into the folder `dir`, which is emptied before, and beside each text or module the compressed
    /// ones. Prints a line for each file that weighs something, and one for all, and returns what each weighs.
    pub fn write(&self, dir: &Path) -> Result<BTreeMap<&str, Weight>> {
        if dir.exists() {
            fs::remove_dir_all(dir).with_context(|| format!("can't empty {}", dir.display()))?;
        }
        let mut weights = BTreeMap::new();
        for (name, content) in &self.files {
            let path = dir.join(name);
            fs::create_dir_all(path.parent().context("a file has a folder")?)?;
            let weight = write_encoded(&path, content)?;
            weights.insert(name.as_str(), weight);
        }
        let (large, small): (Vec<_>, Vec<_>) = weights.iter().partition(|(_, weight)| weight.brotli >= WORTH_A_LINE);
        large.iter().for_each(|(name, weight)| print_weight(name, **weight));
        print_weight(&format!("{} smaller files", small.len()), small.iter().map(|(_, weight)| **weight).sum());
        print_weight("all files", weights.values().copied().sum());
        Ok(weights)
    }
}

impl Sum for Weight {
    fn sum<I: Iterator<Item = Self>>(weights: I) -> Self {
        weights.fold(Self::default(), |sum, weight| Self {
            raw: sum.raw + weight.raw,
            gzip: sum.gzip + weight.gzip,
            brotli: sum.brotli + weight.brotli,
        })
    }
}

/// Prints one line of a table of sizes, in kilobytes of 1,000 bytes.
pub fn print_weight(name: &str, weight: Weight) {
    let kilobytes = |bytes: usize| bytes as f64 / 1000.0;
    println!(
        "{name:44} {:8.1} kB {:8.1} kB gzip {:8.1} kB brotli",
        kilobytes(weight.raw),
        kilobytes(weight.gzip),
        kilobytes(weight.brotli)
    );
}

/// What `content` weighs on the way to a client.
pub fn weigh(content: &[u8]) -> Result<Weight> {
    Ok(Weight { raw: content.len(), gzip: gzip(content)?.len(), brotli: brotli(content)?.len() })
}

fn write_encoded(path: &Path, content: &[u8]) -> Result<Weight> {
    fs::write(path, content).with_context(|| format!("can't write {}", path.display()))?;
    let mut weights = [content.len(); ENCODINGS.len()];
    if content.len() >= SMALLEST_TO_COMPRESS && is_compressible(path) {
        for ((ending, encode), weight) in ENCODINGS.iter().zip(&mut weights) {
            let encoded = encode(content)?;
            *weight = encoded.len();
            let mut beside = path.as_os_str().to_owned();
            beside.push(".");
            beside.push(ending);
            fs::write(&beside, encoded).with_context(|| format!("can't write {}", Path::new(&beside).display()))?;
        }
    }
    let [brotli, gzip] = weights;
    Ok(Weight { raw: content.len(), gzip, brotli })
}

/// Pictures and fonts are compressed already.
fn is_compressible(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("css" | "html" | "js" | "json" | "svg" | "txt" | "wasm" | "webmanifest"))
}

/// What the encoder may be told beside what it does by itself: shorter blocks, or near distances in a code of their own. Which of
/// these makes a file smallest only trying tells; of the panel's parts they take up to one in a hundred bytes.
const WAYS: [fn(&mut BrotliEncoderParams); 3] =
    [|_| {}, |params| params.lgblock = 16, |params| params.dist.num_direct_distance_codes = 15];

fn brotli(content: &[u8]) -> Result<Vec<u8>> {
    let encode = |tell: fn(&mut BrotliEncoderParams)| {
        let mut params = BrotliEncoderParams { quality: 11, size_hint: content.len(), ..Default::default() };
        tell(&mut params);
        let mut encoded = Vec::new();
        brotli::BrotliCompress(&mut &content[..], &mut encoded, &params).map(|_| encoded)
    };
    let encoded: Vec<_> = thread::scope(|scope| {
        let ways = WAYS.map(|tell| scope.spawn(move || encode(tell)));
        ways.into_iter().map(|way| way.join().expect("the encoder doesn't panic")).collect::<io::Result<_>>()
    })?;
    encoded.into_iter().min_by_key(Vec::len).context("there are ways")
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
    fn a_name_changes_with_the_content_and_only_with_it() {
        let mut assets = Assets::default();
        let first = assets.add_hashed("panel_bg.wasm", "one");
        assert_eq!(first, "panel-7692c3ad3540bb80_bg.wasm");
        assert_eq!(assets.add_hashed("panel_bg.wasm", "one"), first);
        assert_ne!(assets.add_hashed("panel_bg.wasm", "two"), first);
        assert!(assets.add_hashed("style.css", "a").starts_with("style-"));
    }

    #[test]
    fn a_folder_changes_with_each_of_its_files() {
        let files =
            |content: &str| BTreeMap::from([("a.js".to_owned(), content.into()), ("b.js".to_owned(), "b".into())]);
        let mut assets = Assets::default();
        let first = assets.add_hashed_folder("panel", &files("one"));
        assert!(assets.files.contains_key(&format!("assets/{first}/a.js")), "{:?}", assets.files.keys());
        assert_ne!(assets.add_hashed_folder("panel", &files("two")), first);
    }

    #[test]
    fn texts_are_compressed_and_small_files_and_pictures_are_not() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("dist");
        let mut assets = Assets::default();
        assets.add("index.html", "x".repeat(5000));
        assets.add("small.css", "a{}");
        assets.add("icon.png", vec![0; 5000]);
        let weight: Weight = assets.write(&out).unwrap().into_values().sum();

        let mut names: Vec<_> =
            fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, ["icon.png", "index.html", "index.html.br", "index.html.gz", "small.css"]);
        assert_eq!(weight.raw, 10_003);
        assert!(weight.brotli < weight.gzip && weight.gzip < 5_100, "{} {}", weight.brotli, weight.gzip);
        let mut page = Vec::new();
        brotli::BrotliDecompress(&mut fs::File::open(out.join("index.html.br")).unwrap(), &mut page).unwrap();
        assert_eq!(page, "x".repeat(5000).into_bytes());
    }
}
