//! Fetches a model from its publisher, a mirror or a folder.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::Bytes;
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;
use tokio::io::AsyncReadExt;

use super::catalogue::{Model, Origin};
use super::checksum::{Contents, contents, in_hexadecimal};

/// Connect timeout, short so that a machine without internet access reports it soon.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// Read timeout.
const READ_LIMIT: Duration = Duration::from_secs(30);

/// Size of the chunks in which a local file is copied.
const PIECE_BYTES: usize = 1 << 20;

/// Result of fetching a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Got {
    /// The model was already present.
    Present(Origin),
    /// The model was fetched.
    Fetched(Origin),
}

/// Reason why a model couldn't be fetched. An existing file is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum GetError {
    /// The source doesn't have the model or can't be reached.
    #[error(
        "can't download {from}: {detail}; set --model-source to a mirror or folder with this file, or --model to the \
         path of a ggml file"
    )]
    Source {
        /// URL or path of the file.
        from: String,
        /// Cause.
        detail: String,
    },
    /// The received file is not the model.
    #[error("{from} is not the model {name}: expected {expected}, found {found}; the download was discarded")]
    Contents {
        /// URL or path of the file.
        from: String,
        /// Name of the model.
        name: &'static str,
        /// Expected size or checksum.
        expected: String,
        /// Actual size or checksum.
        found: String,
    },
    /// The models folder can't be written.
    #[error("can't store the model, which takes {} MB, in {}: {source}", bytes.div_ceil(1_000_000), folder.display())]
    Folder {
        /// Path of the folder.
        folder: PathBuf,
        /// Size of the model.
        bytes: u64,
        /// Cause.
        source: io::Error,
    },
}

/// Fetches `model` from `source`, a URL or a folder, into `folder`, which is created if necessary. Calls `progress` with the
/// number of received bytes. Does nothing if the model is present.
///
/// The file gets its final name only after its checksum is verified.
///
/// # Errors
/// See [`GetError`].
pub async fn get(model: &Model, source: &str, folder: &Path, mut progress: impl FnMut(u64)) -> Result<Got, GetError> {
    let unwritable = |source| GetError::Folder { folder: folder.to_path_buf(), bytes: model.bytes, source };
    if let Contents::Good(origin) = contents(model, folder).map_err(unwritable)? {
        return Ok(Got::Present(origin));
    }
    let from = Source::of(model, source);
    let mut body = from.open().await?;
    std::fs::create_dir_all(folder).map_err(unwritable)?;
    let mut file = NamedTempFile::with_prefix_in(".fetching-", folder).map_err(unwritable)?;

    let wrong = |expected: String, found: String| GetError::Contents {
        from: from.to_string(),
        name: model.name,
        expected,
        found,
    };
    let mut digest = Sha256::new();
    let mut bytes = 0;
    while let Some(piece) = body.next().await.map_err(|detail| from.failed(detail))? {
        bytes += piece.len() as u64;
        if bytes > model.bytes {
            return Err(wrong(format!("{} bytes", model.bytes), "more".to_owned()));
        }
        digest.update(&piece);
        file.write_all(&piece).map_err(unwritable)?;
        progress(bytes);
    }
    if bytes != model.bytes {
        return Err(wrong(format!("{} bytes", model.bytes), bytes.to_string()));
    }
    let sha256 = in_hexadecimal(digest);
    let Some(build) = model.build(&sha256) else {
        let accepted: Vec<_> = model.builds.iter().map(|build| build.sha256).collect();
        return Err(wrong(format!("the SHA-256 {}", accepted.join(" or ")), sha256));
    };
    file.as_file().sync_all().map_err(unwritable)?;
    make_readable(file.as_file()).map_err(unwritable)?;
    file.persist(folder.join(model.file)).map_err(|error| unwritable(error.error))?;
    Ok(Got::Fetched(build.origin))
}

/// Makes the file readable for all users: a temporary file is readable only for its owner, but the server may run as another
/// user.
fn make_readable(file: &std::fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

/// The file of a model at a source.
enum Source {
    Url(String),
    File(PathBuf),
}

/// Content of the file, read in chunks.
enum Body {
    Response(reqwest::Response),
    File(tokio::fs::File),
}

impl Source {
    fn of(model: &Model, source: &str) -> Self {
        if source.starts_with("https://") || source.starts_with("http://") {
            Self::Url(format!("{}/{}", source.trim_end_matches('/'), model.file))
        } else {
            Self::File(Path::new(source).join(model.file))
        }
    }

    fn failed(&self, detail: impl std::fmt::Display) -> GetError {
        GetError::Source { from: self.to_string(), detail: detail.to_string() }
    }

    async fn open(&self) -> Result<Body, GetError> {
        match self {
            Self::File(path) => Ok(Body::File(tokio::fs::File::open(path).await.map_err(|error| self.failed(error))?)),
            Self::Url(url) => {
                let client = reqwest::Client::builder().connect_timeout(CONNECT_LIMIT).read_timeout(READ_LIMIT).build();
                let response = client.map_err(|error| self.failed(in_words(error)))?.get(url).send().await;
                let response = response.map_err(|error| self.failed(in_words(error)))?;
                if !response.status().is_success() {
                    return Err(self.failed(format!("the server answered {}", response.status())));
                }
                Ok(Body::Response(response))
            }
        }
    }
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Url(url) => f.write_str(url),
            Self::File(path) => write!(f, "{}", path.display()),
        }
    }
}

impl Body {
    /// Returns the next chunk, or a description of the error.
    async fn next(&mut self) -> Result<Option<Bytes>, String> {
        match self {
            Self::Response(response) => response.chunk().await.map_err(in_words),
            Self::File(file) => {
                let mut piece = vec![0; PIECE_BYTES];
                let read = file.read(&mut piece).await.map_err(|error| error.to_string())?;
                piece.truncate(read);
                Ok((read > 0).then(|| piece.into()))
            }
        }
    }
}

/// Describes the innermost cause, because the outer errors only say that a request failed.
fn in_words(error: reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = &error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    if error.is_timeout() { "no response in time".to_owned() } else { cause.to_string() }
}

#[cfg(test)]
mod tests;
